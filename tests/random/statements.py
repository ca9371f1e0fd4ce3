"""Random statements that both versions have; see sides.py for the others.

What is generated ends, and is defined but for signed overflow and what is wrapped as an operation that may fail. No
statement depends on the order in which its operands are evaluated: it logs, fails or calls in one place only, or in
places that C puts in sequence."""

from expressions import COMPARISONS, Expressions
from language import POINTED_ELEMENTS, TYPE, TYPES, Pointer, Scope, Variable, wrapped


class Body:
    """The statements of one function."""

    def __init__(self, chance, lines, signature, outside, callees, changes, use_arrays):
        self.chance, self.lines, self.signature, self.callees = chance, lines, signature, callees
        scope = Scope(outside)
        for parameter in signature.parameters:
            if parameter.is_pointer:
                scope.arrays.append(Variable(parameter.name, parameter.type, POINTED_ELEMENTS - 1,
                                             not parameter.is_const, may_alias=True))
            else:  # the depth of a recursion must go down; `z` always depends on the input
                scope.scalars.append(Variable(parameter.name, parameter.type,
                                              writable=parameter.name not in ("depth", "z")))
        self.expressions = Expressions(self, scope, changes, use_arrays)
        self.indent, self.names, self.changes = 1, 0, changes
        # What a jump may leave, the innermost last: "loop", "switch", "region" (code of one version), "joined by return"
        # and "joined by jump" (the same, but both versions end it alike).
        self.around = []

    @property
    def scope(self):
        return self.expressions.scope

    @property
    def loops(self):
        return self.around.count("loop")

    def open_regions(self):
        return [kind for kind in self.around if kind not in ("loop", "switch")]

    def regions(self):
        return len(self.open_regions())

    def note(self, feature):
        self.signature.features.add(feature)

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

    def note_store(self):
        if self.regions():
            self.note("one-sided stores")

    def assign(self):
        # An index or pointer on the left may be evaluated before or after the right-hand side: neither side may then
        # do anything that shows.
        pick = self.chance.random()
        self.note_store()
        if self.chance.random() < 0.06:
            self.note("floating point")
            self.safe()
            self.emit(f"reals[{self.expressions.index(3, 0)}] = NUMBER({self.expressions.number(2)});")
            return
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
            self.emit(f"{name} = {self.chance.choice(['DIV', 'MOD'])}({name}, {self.expressions.divisor()});")

    def declare(self):
        pick = self.chance.random()
        type = self.chance.choice(TYPES)
        if not self.expressions.use_arrays or pick < 0.6:
            self.declare_scalar(type, self.value())
        elif pick < 0.8:
            self.declare_array(type)
        else:
            self.declare_pointer()

    def declare_scalar(self, type, value, writable=True):
        name = self.name("v")
        self.emit(f"{type.name} {name} = {value};")
        self.scope.scalars.append(Variable(name, type, writable=writable))
        return name

    def declare_array(self, type):
        name, count = self.name("w"), self.chance.choice([2, 4, 8])
        self.safe()
        values = ", ".join(self.expressions.expression(1) for _ in range(self.chance.randrange(1, count + 1)))
        self.emit(f"{type.name} {name}[{count}] = {{{values}}};")
        self.scope.arrays.append(Variable(name, type, count - 1))

    def declare_pointer(self):
        name, array = self.name("p"), self.chance.choice(self.scope.arrays)
        const = "" if array.writable else "const "
        targets = [other for other in self.scope.arrays if other.type is array.type and
                   (other.writable or not array.writable)]
        self.emit(f"{const}{array.type.name} *{name} = &{self.expressions.element(array, 1)};")
        self.scope.pointers.append(Pointer(name, array.type, array.writable, targets))

    def copy(self):
        """memcpy, memmove, memset and whole structs."""
        pick = self.chance.random()
        if self.scope.structs and pick < 0.3:
            name = self.name("b")
            self.note_store()
            self.emit(f"struct box {name} = {self.chance.choice(self.scope.structs)};")
            self.emit(f"{name}.{self.chance.choice('xyz')} = {self.expressions.expression(2)};")
            self.emit(f"{self.chance.choice(self.scope.structs)} = {name};")
            self.scope.structs.append(name)
        else:
            self.block_copy(lambda bytes_there: str(self.chance.randrange(1, bytes_there + 1)))

    def block_copy(self, length_of):
        arrays = [array for array in self.scope.arrays if array.writable]
        if not arrays:
            self.assign()
            return
        to, source = self.chance.choice(arrays), self.chance.choice(self.scope.arrays)
        length = length_of(min(to.bytes_there(), source.bytes_there()))
        self.safe()
        if self.chance.random() < 0.4:
            value = 0 if to.type.bits == 1 else self.expressions.expression(1)
            text = f"memset({to.name}, {value}, {length});"
        elif "_Bool" in (to.type.name, source.type.name):  # a _Bool holds 0 or 1, never any other byte
            text = f"memset({to.name}, 0, {length});"
        else:
            apart = to is not source and not to.may_alias and not source.may_alias
            text = f"{'memcpy' if apart else 'memmove'}({to.name}, {source.name}, {length});"
        self.note_store()
        self.emit(text)

    def arguments(self, callee, plain_depth):
        """None where the callee wants a pointer that is not to be had here."""
        texts = []
        for parameter in callee.parameters:
            if not parameter.is_pointer:
                value = self.expressions.expression(plain_depth)
                texts.append(f"{wrapped(value)} & 3" if parameter.name == "depth" else value)
                continue
            fitting = [array for array in self.scope.arrays
                       if array.type is parameter.type and array.mask >= POINTED_ELEMENTS - 1
                       and (array.writable or parameter.is_const)]
            if not fitting:
                return None
            texts.append(self.chance.choice(fitting).name)
        return ", ".join(texts)

    def call_text(self, plain_depth):
        """A call of a function that returns a number; None where there is none to be called."""
        self.callee = self.chance.choice(self.callees) if self.callees else None
        arguments = self.arguments(self.callee, plain_depth) if self.callee else None
        if arguments is None:
            return None
        self.signature.features |= self.callee.features
        return f"{self.callee.name}({arguments})"

    def call(self):
        text = self.call_text(2)
        if not text:
            self.assign()
            return
        pick = self.chance.random()
        if pick < 0.6:
            self.emit(f"{self.expressions.variable()} = {text};")
        elif pick < 0.8:
            self.emit(f"if (BR({text} {self.chance.choice(COMPARISONS)} {self.expressions.constant()})) {{")
            self.block(1)
            self.emit("}")
        else:
            self.declare_scalar(self.callee.result, text)

    # ---- statements with bodies ----

    def block(self, room, kind=None):
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.indent += 1
        if kind:
            self.around.append(kind)
        self.statements(room)
        if kind:
            self.around.pop()
        self.indent -= 1
        self.expressions.scope = outer

    def branch(self, room):
        self.emit(f"if ({self.condition()}) {{")
        self.block(room)
        if self.chance.random() < 0.4:
            self.emit("} else {")
            self.block(room)
        self.emit("}")

    def crossed(self, kinds):
        """How many one-sided blocks a jump out of the innermost of `kinds` leaves; None where it cannot be made."""
        levels = 0
        for kind in reversed(self.around):
            if kind in kinds:
                return levels
            if kind.startswith("joined"):
                return None
            levels += kind == "region"
        return None

    def leave(self):
        """break, continue or return, under a condition."""
        jumps = [(word, self.crossed(kinds))
                 for word, kinds in (("break", ("loop", "switch")), ("continue", ("loop",)))]
        jumps = [jump for jump in jumps if jump[1] is not None]
        if "joined by jump" in self.around and not jumps:
            self.assign()
            return
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        if jumps and ("joined by jump" in self.around or self.chance.random() < 0.8):
            word, levels = self.chance.choice(jumps)
            self.emit(f"LEAVE({levels}) {word};" if levels else f"{word};")
            if levels:
                self.note("leaving one-sided code")
        else:
            self.give_back()
        self.indent -= 1
        self.emit("}")

    def give_back(self):
        levels, how = self.regions(), "LEAVE"
        if self.open_regions()[:1] == ["joined by return"]:
            how = "JOIN"
        elif levels:
            self.note("leaving one-sided code")
        if self.signature.result:
            value = self.value()
            self.emit(f"return {how}_WITH({levels}, {value});" if levels else f"return {value};")
        else:
            self.emit(f"{how}({levels}) return;" if levels else "return;")

    def bound(self):
        self.safe()
        if self.chance.random() < 0.3:
            return str(self.chance.randrange(1, 6))
        return f"({wrapped(self.expressions.expression(1))} & {self.chance.choice([3, 5, 7])})"

    def loop(self, room):
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

    def loop_body(self, room, counter):
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.scope.scalars.append(counter)
        self.block(room, "loop")
        self.expressions.scope = outer

    def switch(self, room):
        self.safe()
        type = self.chance.choice([type for type in TYPES if type.bits > 1])
        value = f"({type.name}){wrapped(self.switch_value())}"
        values = list(range(0, 8)) + [100, 127] + ([-1, -2] if type.signed else [])
        if self.chance.random() < 0.6:
            value, values = f"{value} & 7", list(range(0, 8))
        labels = self.chance.sample(values, self.chance.randrange(2, 6))
        groups = []
        while labels:
            count = self.chance.choice([1, 1, 1, 2, 3])
            groups.append(labels[:count])
            labels = labels[count:]
        if "change(" in value:
            self.note("switch on a changed value")
        self.write_switch(value, groups, room)

    def switch_value(self):
        return self.expressions.expression(2)

    def write_switch(self, value, groups, room):
        listed = " | ".join(" ".join(map(str, group)) for group in groups)
        self.emit(f"switch (SW({value})) {{ /* {listed} */")
        default_before = self.chance.choice([None, len(groups), len(groups), 0, 1])
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

    def case_body(self, room):
        self.block(room, "switch")
        self.emit("}")
        if self.chance.random() < 0.8:
            self.emit("    break;")

    # ---- all of it ----

    def kinds(self, room):
        """Statements with their weights: those that take room for blocks of their own, and the others."""
        simple = {self.assign: 8, self.declare: 4, self.leave: 3 if self.loops else 1}
        if self.expressions.use_arrays:
            simple[self.copy] = 1
        if self.loops < 2:
            simple[self.call] = 2
        with_blocks = {}
        if room > 0:
            with_blocks = {self.branch: 5, self.switch: 1.5}
        if room > 0 and self.loops < 2:
            with_blocks[self.loop] = 3
        return simple, with_blocks

    def statement(self, room):
        simple, with_blocks = self.kinds(room)
        weights = {**simple, **with_blocks}
        kind = self.chance.choices(list(weights), list(weights.values()))[0]
        self.expressions.may_fail = self.chance.random() < 0.2
        if kind in with_blocks:
            kind(room - 1)
        else:
            kind()

    def statements(self, room):
        for _ in range(self.chance.choice([1, 2, 2, 3])):
            self.statement(room)

    def write(self, statements, room):
        for _ in range(statements):
            self.statement(room)
        self.safe()
        untouched = self.expressions.changes_left == self.changes
        if untouched and self.changes and not self.signature.result:
            self.emit(f"g0 = {self.expressions.change(2)};")
        elif untouched and self.changes:
            self.emit(f"return {self.expressions.change(2)};")
        elif self.signature.result:
            self.give_back()
