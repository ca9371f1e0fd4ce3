"""What generated programs are made of: types, names, and what a place in the program can name."""

POINTED_ELEMENTS = 8  # behind a pointer parameter: Penumbra's default


class Type:
    def __init__(self, name, bits, signed):
        self.name, self.bits, self.signed = name, bits, signed

    def lowest(self):
        return -(1 << (self.bits - 1)) if self.signed else 0

    def highest(self):
        return (1 << (self.bits - self.signed)) - 1

    def size(self):
        return max(self.bits // 8, 1)


TYPES = [Type("_Bool", 1, False)] + [
    Type(name, bits, signed)
    for name, bits, signed in [("char", 8, True), ("signed char", 8, True), ("unsigned char", 8, False),
                               ("short", 16, True), ("unsigned short", 16, False), ("int", 32, True),
                               ("unsigned", 32, False), ("long", 64, True), ("unsigned long", 64, False),
                               ("long long", 64, True), ("unsigned long long", 64, False)]]
TYPE = {type.name: type for type in TYPES}
ENUM = Type("enum kind", 32, False)
CORNERS = [0, 1, 2, 3, 5, 7, 8, 10, 31, 63, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536]


def wrapped(text):
    """In parentheses, unless it is a name or in parentheses already."""
    if text.isidentifier():
        return text
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and i + 1 < len(text):
            return f"({text})"
    return text


class Variable:
    """A scalar, or an array with its index mask."""

    def __init__(self, name, type, mask=None, writable=True, is_global=False, may_alias=False):
        self.name, self.type, self.mask, self.writable, self.is_global = name, type, mask, writable, is_global
        self.may_alias = may_alias  # whether another array of the scope may be the same memory

    def bytes_there(self):
        return (self.mask + 1) * self.type.size()


class Pointer:
    """To one element; it may be made to point into the arrays that are as old as itself."""

    def __init__(self, name, type, writable, targets, assignable=True):
        self.name, self.type, self.writable, self.targets, self.assignable = name, type, writable, targets, assignable


class Parameter:
    def __init__(self, name, type, is_pointer=False, is_const=False):
        self.name, self.type, self.is_pointer, self.is_const = name, type, is_pointer, is_const

    def declaration(self):
        if not self.is_pointer:
            return f"{self.type.name} {self.name}"
        return f"{'const ' if self.is_const else ''}{self.type.name} *{self.name}"


class Signature:
    def __init__(self, name, result, parameters):
        self.name, self.result, self.parameters = name, result, parameters
        self.features = set()  # of the function and of all that it calls

    def declaration(self):
        parameters = ", ".join(parameter.declaration() for parameter in self.parameters)
        return f"{self.result.name if self.result else 'void'} {self.name}({parameters or 'void'})"


class Scope:
    """What the code at one place can name."""

    def __init__(self, outer=None):
        self.scalars = list(outer.scalars) if outer else []
        self.arrays = list(outer.arrays) if outer else []
        self.pointers = list(outer.pointers) if outer else []
        self.structs = list(outer.structs) if outer else []
        self.functions = list(outer.functions) if outer else []  # pointers to functions: names
