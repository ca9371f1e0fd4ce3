#!/usr/bin/env python3
"""Random annotated C functions, on which Penumbra's predictions can be compared with plain builds of both versions.

    generate.py --seed N [--functions K]      prints one C file with the entries f0 ... f(K-1)

What is generated ends, and is defined but for signed overflow (build it with -fwrapv), divisions by zero and quotients
that do not fit. No statement depends on the order in which its operands are evaluated: it logs, fails or calls in one
place only. Every decision is wrapped and has a line of its own:

    BR(c)                  a condition that the program branches on
    SW(v)                  the value of a switch; the comment on its line lists the cases, `|` between two targets
    DIV(a, b), MOD(a, b)   a division that may fail

With -DJUDGE they log what they see (judge.h), otherwise they are nothing. With -DONLY=3 only f3 is compiled."""

import argparse
import random

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
PROLOGUE = """\
/* seed {seed}: written by tests/random/generate.py */
#include "penumbra.h"

#ifdef JUDGE
#include "judge.h"
#else
#define BR(condition) (condition)
#define SW(value) (value)
#define DIV(dividend, divisor) ((dividend) / (divisor))
#define MOD(dividend, divisor) ((dividend) % (divisor))
#endif

enum kind {{ KIND_NONE, KIND_SMALL, KIND_LARGE }};
"""


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

    def __init__(self, name, type, mask=None, writable=True, is_global=False):
        self.name, self.type, self.mask, self.writable, self.is_global = name, type, mask, writable, is_global


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


class Expressions:
    """Expressions without calls, branches and side effects: all of them may stand in change()."""

    def __init__(self, chance, scope, changes, use_arrays):
        self.chance, self.scope, self.changes_left, self.use_arrays = chance, scope, changes, use_arrays
        self.inside_change = False
        self.may_fail = False  # whether the statement being written may hold a division that fails

    def constant(self):
        value = self.chance.choice(CORNERS)
        pick = self.chance.random()
        if pick < 0.25:
            return f"(-{value})"
        if pick < 0.32:
            return self.chance.choice(["(-2147483647 - 1)", "2147483647", "4294967295u", "0x80000000u",
                                       "(-9223372036854775807ll - 1)", "9223372036854775807ll",
                                       "0xffffffffffffffffull"])
        return f"{value}{self.chance.choice(['', '', '', '', 'u', 'l', 'ull'])}"

    def element(self, array, depth):
        index = self.expression(1) if depth > 0 else self.scalar()
        return f"{array.name}[{wrapped(index)} & {array.mask}]"

    def scalar(self):
        """A variable; rather one of the function's own, which depends on the input, than a global."""
        own = [scalar for scalar in self.scope.scalars if not scalar.is_global]
        return self.chance.choice(own if own and self.chance.random() < 0.85 else self.scope.scalars).name

    def place(self, depth=0):
        """Something that can be read."""
        scope, pick = self.scope, self.chance.random()
        if self.use_arrays and scope.arrays and pick < 0.25:
            return self.element(self.chance.choice(scope.arrays), depth)
        if self.use_arrays and scope.pointers and pick < 0.35:
            return f"*{self.chance.choice(scope.pointers).name}"
        if scope.structs and 0.35 < pick < 0.4:
            return f"{self.chance.choice(scope.structs)}.{self.chance.choice('xyz')}"
        return self.scalar()

    def target(self):
        """Something that can be written."""
        scope, pick = self.scope, self.chance.random()
        arrays = [array for array in scope.arrays if array.writable]
        pointers = [pointer for pointer in scope.pointers if pointer.writable]
        if self.use_arrays and arrays and pick < 0.3:
            return self.element(self.chance.choice(arrays), 1)
        if self.use_arrays and pointers and pick < 0.4:
            return f"(*{self.chance.choice(pointers).name})"
        if scope.structs and 0.4 < pick < 0.45:
            return f"{self.chance.choice(scope.structs)}.{self.chance.choice('xyz')}"
        return self.variable()

    def variable(self):
        return self.chance.choice([scalar for scalar in self.scope.scalars if scalar.writable]).name

    def change(self, depth):
        self.changes_left -= 1
        self.inside_change = True
        old = self.expression(min(depth, 2))
        pick = self.chance.random()
        if pick < 0.2:
            new = f"{wrapped(old)} {self.chance.choice('+-^')} {self.chance.choice([1, 1, 2, 7])}"
        elif pick < 0.3:
            new = self.constant()
        else:
            new = self.expression(min(depth, 2))
        if self.chance.random() < 0.2:
            old, new = new, old
        self.inside_change = False
        return f"change({old}, {new})"

    def divided(self, depth):
        left = self.expression(depth - 1)
        if not self.may_fail or self.chance.random() < 0.4:
            # At least 2: gcc 12 makes v + a / -b of v - a / b, which traps for the lowest a and b = 1.
            return f"({left} {self.chance.choice('/%')} (({self.place()} & {self.chance.choice([1, 3, 15, 255])}) + 2))"
        divisor = f"{self.place()} | 1" if self.chance.random() < 0.5 else self.place(1)
        return f"{self.chance.choice(['DIV', 'MOD'])}({left}, {divisor})"

    def shifted(self, depth):
        left, count = self.expression(depth - 1), self.place()
        if self.chance.random() < 0.3:
            wide = self.chance.choice(["unsigned long long", "long long", "long"])
            return f"(({wide}){wrapped(left)} {self.chance.choice(['<<', '>>'])} ({count} & 63))"
        return f"({left} {self.chance.choice(['<<', '>>'])} ({count} & {self.chance.choice([3, 7, 31])}))"

    def expression(self, depth):
        """Never made of constants only."""
        chance = self.chance
        if not self.inside_change and self.changes_left > 0 and chance.random() < 0.1:
            return self.change(depth)
        if depth <= 0 or chance.random() < 0.15:
            return self.place(depth)
        pick = chance.random()
        if pick < 0.10:
            return f"({chance.choice('-~!')}{wrapped(self.expression(depth - 1))})"
        if pick < 0.22:
            return f"(({chance.choice(TYPES).name}){wrapped(self.expression(depth - 1))})"
        if pick < 0.34:
            return self.divided(depth)
        if pick < 0.44:
            return self.shifted(depth)
        operators = ["+", "-", "*", "+", "-", "&", "|", "^"]
        if pick < 0.60:
            operators = ["<", "<=", ">", ">=", "==", "!="]
        left = self.expression(depth - 1)
        right = self.constant() if chance.random() < 0.4 else self.expression(depth - 1)
        return f"({left} {chance.choice(operators)} {right})"

    def compared(self):
        """What conditions mostly are."""
        if self.chance.random() < 0.25:
            value = self.expression(2)
            # The compiler branches on what the `!` negates, the judge would log the negation.
            return f"{value} != 0" if value.startswith("(!") else value
        right = self.constant() if self.chance.random() < 0.5 else self.expression(1)
        return f"{self.expression(2)} {self.chance.choice(['<', '<=', '>', '>=', '==', '!='])} {right}"


class Body:
    """The statements of one function."""

    def __init__(self, chance, lines, signature, outside, callees, changes):
        self.chance, self.lines, self.signature, self.callees = chance, lines, signature, callees
        scope = Scope(outside)
        for parameter in signature.parameters:
            if parameter.is_pointer:
                scope.arrays.append(Variable(parameter.name, parameter.type, POINTED_ELEMENTS - 1,
                                             not parameter.is_const))
            else:  # the depth of a recursion must go down
                scope.scalars.append(Variable(parameter.name, parameter.type, writable=parameter.name != "depth"))
        self.expressions = Expressions(chance, scope, changes, use_arrays=chance.random() < 0.65)
        self.indent, self.names, self.loops, self.changes = 1, 0, 0, changes

    @property
    def scope(self):
        return self.expressions.scope

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def safe(self):
        """From here on no division of this statement may fail: it does something else that is logged."""
        self.expressions.may_fail = False

    def condition(self):
        pick, compared = self.chance.random(), self.expressions.compared
        if pick < 0.15:
            return f"BR({compared()}) && BR({compared()})"
        if pick < 0.30:
            return f"BR({compared()}) || BR({compared()})"
        if pick < 0.38:
            return f"!BR({compared()})"
        if pick < 0.42:
            return f"!(BR({compared()}) && BR({compared()}))"
        return f"BR({compared()})"

    # ---- simple statements ----

    def value(self):
        """The right-hand side of an assignment."""
        make, pick = self.expressions.expression, self.chance.random()
        if pick < 0.12:
            return f"BR({self.expressions.compared()}) ? {make(2)} : {make(2)}"
        if pick < 0.20:
            self.safe()
            return f"{make(1)} {self.chance.choice('+-^')} (BR({self.expressions.compared()}) ? {make(1)} : {make(1)})"
        if pick < 0.28:
            return f"BR({self.expressions.compared()}) {self.chance.choice(['&&', '||'])} {make(2)}"
        return make(3)

    def assign(self):
        # An index or pointer on the left may be evaluated before or after the right-hand side: neither side may then
        # do anything that shows.
        pick = self.chance.random()
        if pick < 0.5:
            self.emit(f"{self.expressions.variable()} = {self.value()};")
            return
        self.safe()
        target = self.expressions.target()
        if pick < 0.7:
            self.emit(f"{target} = {self.expressions.expression(3)};")
        elif pick < 0.9:
            operator = self.chance.choice(["+", "-", "*", "&", "|", "^"])
            self.emit(f"{target} {operator}= {self.expressions.expression(2)};")
        elif pick < 0.95:
            self.emit(f"{target}{self.chance.choice(['++', '--'])};")
        elif self.chance.random() < 0.5:
            self.emit(f"{target} {self.chance.choice(['<<', '>>'])}= {self.expressions.place()} & 7;")
        else:
            name = self.expressions.variable()
            self.emit(f"{name} = {self.chance.choice(['DIV', 'MOD'])}({name}, {self.expressions.place()});")

    def declare(self):
        pick = self.chance.random()
        type = self.chance.choice(TYPES)
        if not self.expressions.use_arrays or pick < 0.6:
            name = self.name("v")
            self.emit(f"{type.name} {name} = {self.value()};")
            self.scope.scalars.append(Variable(name, type))
        elif pick < 0.8:
            name, count = self.name("w"), self.chance.choice([2, 4, 8])
            self.safe()
            values = ", ".join(self.expressions.expression(1) for _ in range(self.chance.randrange(1, count + 1)))
            self.emit(f"{type.name} {name}[{count}] = {{{values}}};")
            self.scope.arrays.append(Variable(name, type, count - 1))
        else:
            self.declare_pointer()

    def declare_pointer(self):
        name, array = self.name("p"), self.chance.choice(self.scope.arrays)
        index = f"{wrapped(self.expressions.expression(1))} & {array.mask}"
        const = "" if array.writable else "const "
        self.emit(f"{const}{array.type.name} *{name} = &{array.name}[{index}];")
        self.scope.pointers.append(Variable(name, array.type, writable=array.writable))

    def copy(self):
        """memcpy, memmove, memset and whole structs."""
        arrays = [array for array in self.scope.arrays if array.writable]
        pick = self.chance.random()
        if self.scope.structs and pick < 0.4:
            name = self.name("b")
            self.emit(f"struct box {name} = {self.chance.choice(self.scope.structs)};")
            self.emit(f"{name}.{self.chance.choice('xyz')} = {self.expressions.expression(2)};")
            self.emit(f"{self.chance.choice(self.scope.structs)} = {name};")
            self.scope.structs.append(name)
        elif not arrays:
            self.assign()
        else:
            to, source = self.chance.choice(arrays), self.chance.choice(self.scope.arrays)
            bytes_there = min((array.mask + 1) * array.type.size() for array in (to, source))
            if pick < 0.6:
                self.safe()
                value = 0 if to.type.bits == 1 else self.expressions.expression(1)
                self.emit(f"__builtin_memset({to.name}, {value}, {self.chance.randrange(1, bytes_there + 1)});")
            elif "_Bool" not in (to.type.name, source.type.name):  # a _Bool holds 0 or 1, never any other byte
                self.emit(f"__builtin_memmove({to.name}, {source.name}, {self.chance.randrange(1, bytes_there + 1)});")
            else:
                self.assign()

    def arguments(self, callee):
        """None where the callee wants a pointer that is not to be had here."""
        texts = []
        for parameter in callee.parameters:
            if not parameter.is_pointer:
                value = self.expressions.expression(2)
                texts.append(f"{wrapped(value)} & 3" if parameter.name == "depth" else value)
                continue
            fitting = [array for array in self.scope.arrays
                       if array.type is parameter.type and array.mask == POINTED_ELEMENTS - 1
                       and (array.writable or parameter.is_const)]
            if not fitting:
                return None
            texts.append(self.chance.choice(fitting).name)
        return ", ".join(texts)

    def call(self):
        callee = self.chance.choice(self.callees) if self.callees else None
        arguments = self.arguments(callee) if callee else None
        if arguments is None:
            self.assign()
            return
        text = f"{callee.name}({arguments})"
        pick = self.chance.random()
        if pick < 0.6:
            self.emit(f"{self.expressions.variable()} = {text};")
        elif pick < 0.8:
            self.emit(f"if (BR({text} {self.chance.choice(['>', '==', '<', '!='])} {self.expressions.constant()})) {{")
            self.block(1)
            self.emit("}")
        else:
            name = self.name("v")
            self.emit(f"{callee.result.name} {name} = {text};")
            self.scope.scalars.append(Variable(name, callee.result))

    # ---- statements with bodies ----

    def block(self, room):
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.indent += 1
        self.statements(room)
        self.indent -= 1
        self.expressions.scope = outer

    def branch(self, room):
        self.emit(f"if ({self.condition()}) {{")
        self.block(room)
        if self.chance.random() < 0.4:
            self.emit("} else {")
            self.block(room)
        self.emit("}")

    def leave(self):
        """break, continue or return, under a condition."""
        self.emit(f"if ({self.condition()})")
        self.indent += 1
        if self.loops and self.chance.random() < 0.8:
            self.emit(self.chance.choice(["break;", "continue;"]))
        else:
            self.give_back()
        self.indent -= 1

    def give_back(self):
        self.emit(f"return {self.value()};" if self.signature.result else "return;")

    def bound(self):
        self.safe()
        if self.chance.random() < 0.3:
            return str(self.chance.randrange(1, 6))
        return f"({wrapped(self.expressions.expression(1))} & {self.chance.choice([3, 5, 7])})"

    def loop(self, room):
        self.loops += 1
        counter, type = self.name("i"), self.chance.choice(["int", "int", "unsigned", "unsigned char", "long"])
        # Readable in the body, but nothing there may write it: the loop ends.
        readable = Variable(counter, TYPE[type], writable=False)
        pick = self.chance.random()
        if pick < 0.6:
            self.emit(f"for ({type} {counter} = 0; BR({counter} < {self.bound()}); {counter}++) {{")
            self.loop_body(room, readable)
            self.emit("}")
        elif pick < 0.8:
            self.emit(f"{type} {counter} = 0;")
            self.emit(f"while (BR({counter} < {self.chance.randrange(2, 7)}) && BR({self.expressions.compared()})) {{")
            self.emit(f"    {counter}++;")
            self.loop_body(room, readable)
            self.emit("}")
        else:
            self.emit(f"{type} {counter} = 0;")
            self.emit("do {")
            self.emit(f"    {counter}++;")
            self.loop_body(room, readable)
            self.emit(f"}} while (BR({counter} < {self.bound()}));")
        self.loops -= 1

    def loop_body(self, room, counter):
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.scope.scalars.append(counter)
        self.block(room)
        self.expressions.scope = outer

    def switch(self, room):
        self.safe()
        type = self.chance.choice([type for type in TYPES if type.bits > 1])
        value = f"({type.name}){wrapped(self.expressions.expression(2))}"
        values = list(range(0, 8)) + [100, 127] + ([-1, -2] if type.signed else [])
        if self.chance.random() < 0.6:
            value, values = f"{value} & 7", list(range(0, 8))
        labels = self.chance.sample(values, self.chance.randrange(2, 6))
        groups = []
        while labels:
            count = self.chance.choice([1, 1, 1, 2, 3])
            groups.append(labels[:count])
            labels = labels[count:]
        listed = " | ".join(" ".join(map(str, group)) for group in groups)
        self.emit(f"switch (SW({value})) {{ /* {listed} */")
        default_before = self.chance.choice([None, len(groups), len(groups), 0, 1])
        loops, self.loops = self.loops, 0  # a break in here would leave the switch
        for i in range(len(groups) + 1):
            if i == default_before:
                self.emit("default: {")
                self.case_body(room)
            if i < len(groups):
                for label in groups[i][:-1]:
                    self.emit(f"case {label}:")
                self.emit(f"case {groups[i][-1]}: {{")
                self.case_body(room)
        self.emit("}")
        self.loops = loops

    def case_body(self, room):
        self.block(room)
        self.emit("}")
        if self.chance.random() < 0.8:
            self.emit("    break;")

    # ---- all of it ----

    def statement(self, room):
        weights = {self.assign: 8, self.declare: 4, self.leave: 3 if self.loops else 1}
        if self.expressions.use_arrays:
            weights[self.copy] = 1
        if self.loops < 2:
            weights[self.call] = 2
        if room > 0:
            weights[self.branch] = 6
            weights[self.switch] = 2
        if room > 0 and self.loops < 2:
            weights[self.loop] = 4
        kind = self.chance.choices(list(weights), list(weights.values()))[0]
        self.expressions.may_fail = self.chance.random() < 0.2
        if kind in (self.branch, self.switch, self.loop):
            kind(room - 1)
        else:
            kind()

    def statements(self, room):
        for _ in range(self.chance.choice([1, 2, 2, 3]) + (room > 1)):
            self.statement(room)

    def write(self, statements, room):
        for _ in range(statements):
            self.statement(room)
        self.expressions.may_fail = False
        untouched = self.expressions.changes_left == self.changes
        if untouched and self.changes and not self.signature.result:
            self.emit(f"g0 = {self.expressions.change(2)};")
        elif untouched and self.changes:
            self.emit(f"return {self.expressions.change(2)};")
        elif self.signature.result:
            self.give_back()


class Program:
    def __init__(self, seed, functions):
        self.seed = seed
        self.lines = PROLOGUE.format(seed=seed).split("\n")
        self.globals = []   # (declared name, [names of the parts that are compared])
        self.functions = []
        self.outside = Scope()
        self.write_globals(random.Random(f"{seed} globals"))
        callees = []
        for i in range(3):
            callees.append(self.write_helper(random.Random(f"{seed} helper {i}"), i, callees))
        callees.append(self.write_recursive(random.Random(f"{seed} recursive")))
        for i in range(functions):
            self.write_entry(random.Random(f"{seed} entry {i}"), i, callees)

    def text(self):
        return "\n".join(self.lines) + "\n"

    def write_globals(self, chance):
        lines = self.lines
        for i in range(4):
            type = chance.choice(TYPES)
            self.add_global(f"g{i}", f"{chance.choice(['', 'static '])}{type.name} g{i} = {chance.randrange(0, 100)};")
            self.outside.scalars.append(Variable(f"g{i}", type, is_global=True))
        for i, count in enumerate([8, 8, chance.choice([4, 16])]):
            type = TYPE["int"] if i == 0 else TYPE["unsigned char"] if i == 1 else chance.choice(TYPES)
            values = ", ".join(str(chance.randrange(0, 100)) for _ in range(chance.randrange(1, count + 1)))
            self.add_global(f"a{i}", f"{type.name} a{i}[{count}] = {{{values}}};")
            self.outside.arrays.append(Variable(f"a{i}", type, count - 1))
        type = chance.choice(TYPES[1:])
        values = ", ".join(str(chance.randrange(0, 100)) for _ in range(8))
        lines.append(f"static const {type.name} table[8] = {{{values}}};")
        self.outside.arrays.append(Variable("table", type, 7, writable=False))
        fields = "".join(f" {chance.choice(TYPES).name} {field};" for field in "xyz")
        lines.append(f"struct box {{{fields} }};")
        self.add_global("box", f"struct box box = {{{chance.randrange(9)}, {chance.randrange(9)}}};",
                        ["box.x", "box.y", "box.z"])
        self.outside.structs.append("box")

    def add_global(self, name, declaration, parts=None):
        self.lines.append(declaration)
        self.globals.append((name, parts or [name]))

    def write_function(self, chance, signature, callees, changes, statements, room, static=True):
        self.lines += ["", f"{'static ' if static else ''}{signature.declaration()}", "{"]
        Body(chance, self.lines, signature, self.outside, callees, changes).write(statements, room)
        self.lines.append("}")

    def write_helper(self, chance, i, callees):
        parameters = [Parameter(name, chance.choice(TYPES)) for name in "xy"[:chance.randrange(1, 3)]]
        if i > 0:
            parameters.append(Parameter("q", TYPE[chance.choice(["int", "unsigned char"])], True, chance.random() < 0.5))
        signature = Signature(f"h{i}", chance.choice(TYPES), parameters)
        self.write_function(chance, signature, callees if i == 2 else [], chance.choice([0, 1, 2]), 3, 1)
        return signature

    def write_recursive(self, chance):
        type = chance.choice(TYPES[6:])
        signature = Signature("r0", type, [Parameter("x", type), Parameter("depth", TYPE["int"])])
        self.lines += ["", f"static {signature.declaration()}", "{", "    if (BR(depth <= 0))", "        return x;"]
        body = Body(chance, self.lines, signature, self.outside, [], chance.choice([0, 1]))
        body.statement(0)
        body.emit(f"{type.name} below = r0({body.expressions.expression(1)}, depth - 1);")
        body.emit(f"return below {chance.choice('+-^*')} x;")
        self.lines.append("}")
        return signature

    def write_entry(self, chance, i, callees):
        names = "abcde"[:chance.randrange(1, 5)]
        parameters = [Parameter(name, TYPE["int"] if chance.random() < 0.4 else chance.choice(TYPES + [ENUM]))
                      for name in names]
        if chance.random() < 0.4:
            type = TYPE["unsigned char"] if chance.random() < 0.5 else chance.choice(TYPES)
            parameters.append(Parameter("s", type, True, chance.random() < 0.5))
        result = TYPE["int"] if chance.random() < 0.6 else chance.choice(TYPES + [None])
        signature = Signature(f"f{i}", result, parameters)
        self.lines += ["", f"#if !defined(ONLY) || ONLY == {i}"]
        self.write_function(chance, signature, callees, chance.randrange(1, 7), chance.randrange(3, 9), 2, static=False)
        self.lines.append("#endif")
        self.functions.append(signature)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=10)
    options = parser.parse_args()
    print(Program(options.seed, options.functions).text(), end="")


if __name__ == "__main__":
    main()
