"""Random expressions.

Expressions are plain: no calls, branches or side effects, so that their operands may be evaluated in any order. Effects
are what change() takes too: arguments that branch, call, fail and write, one step after the other."""

from language import CORNERS, TYPES, wrapped

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    def __init__(self, body, scope, changes, use_arrays):
        self.body, self.chance, self.scope = body, body.chance, scope
        self.changes_left, self.use_arrays = changes, use_arrays
        self.change_depth = 0
        self.may_fail = False       # whether the statement being written may hold a division that fails

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

    def index(self, mask, depth=1):
        text = self.expression(1) if depth > 0 else self.scalar()
        if "change(" in text:
            self.body.note("shadowed addresses")
        return f"{wrapped(text)} & {mask}"

    def element(self, array, depth):
        return f"{array.name}[{self.index(array.mask, depth)}]"

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
        if pick > 0.97:
            self.body.note("bit-fields")
            # As a number: C knows no type of a bit-field, and what `bits.r + 0` has is not the same in gcc and clang.
            return f"({self.chance.choice(['bits.p + 0', 'bits.q + 0', 'bits.r + 0ul', 'bits.s + 0'])})"
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
        if pick > 0.93:
            self.body.note("bit-fields")
            return f"bits.{self.chance.choice('pqr')}"
        return self.variable()

    def variable(self, except_for=()):
        return self.chance.choice([scalar.name for scalar in self.scope.scalars
                                   if scalar.writable and scalar.name not in except_for])

    def change(self, depth):
        self.changes_left -= 1
        self.change_depth += 1
        old = self.expression(min(depth, 2))
        pick = self.chance.random()
        if pick < 0.3:
            new = f"{wrapped(old)} {self.chance.choice('+-^')} {self.chance.choice([1, 1, 2, 7])}"
        elif pick < 0.4:
            new = self.constant()
        elif pick < 0.5:  # differs rarely
            new = f"{wrapped(old)} + ({self.scalar()} == {self.chance.choice([0, 1, 2, 3, 5, 100])})"
        else:
            new = self.expression(min(depth, 2))
        if self.chance.random() < 0.3:
            old, new = new, old
        self.change_depth -= 1
        if "change(" in old + new:
            self.body.note("nested change()")
        return f"change({old}, {new})"

    def divided(self, depth):
        left = self.expression(depth - 1)
        if not self.may_fail or self.chance.random() < 0.4:
            # At least 2: gcc 12 makes v + a / -b of v - a / b, which traps for the lowest a and b = 1.
            return f"({left} {self.chance.choice('/%')} (({self.place()} & {self.chance.choice([1, 3, 15, 255])}) + 2))"
        divisor = f"{self.place()} | 1" if self.chance.random() < 0.5 else self.divisor()
        return f"{self.chance.choice(['DIV', 'MOD'])}({left}, {divisor})"

    def divisor(self):
        """In code that both versions have it depends on the input: a failure that does not is no decision, and the
        compiler may take it for granted that there is none."""
        one_sided = self.change_depth or self.body.regions()
        return self.place(1) if one_sided else f"{self.place(1)} + gz"

    def shifted(self, depth):
        left, count = self.expression(depth - 1), self.place()
        if self.chance.random() < 0.3:
            wide = self.chance.choice(["unsigned long long", "long long", "long"])
            return f"(({wide}){wrapped(left)} {self.chance.choice(['<<', '>>'])} ({count} & 63))"
        return f"({left} {self.chance.choice(['<<', '>>'])} ({count} & {self.chance.choice([3, 7, 31])}))"

    def number(self, depth):
        """A floating-point expression."""
        chance, pick = self.chance, self.chance.random()
        if depth <= 0 or pick < 0.15:
            if chance.random() < 0.3:
                return f"reals[{self.index(3, 0)}]"
            return f"({chance.choice(['double', 'float'])}){wrapped(self.place())}"
        if pick < 0.3:
            function = chance.choice(["fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt", "-", "(float)", "(double)"])
            return f"{function}({self.number(depth - 1)})"
        if pick < 0.35:
            return f"{chance.choice(['fmin', 'fmax'])}({self.number(depth - 1)}, {self.number(depth - 1)})"
        if pick < 0.40 and self.changes_left > 0 and self.change_depth == 0:
            self.changes_left -= 1
            return f"change({self.number(depth - 1)}, {self.number(depth - 1)})"
        constants = ["0.5", "3.0f", "-0.0", "1e-3", "0.1", "2.0", "1e300", "-7.25f", "16777217.0"]
        right = chance.choice(constants) if chance.random() < 0.4 else self.number(depth - 1)
        return f"({self.number(depth - 1)} {chance.choice('++--***/')} {right})"

    def made_of_numbers(self, depth):
        """An integer."""
        pick = self.chance.random()
        self.body.note("floating point")
        if pick < 0.5:
            return f"({self.number(depth)} {self.chance.choice(COMPARISONS)} {self.number(depth - 1)})"
        if pick < 0.55:
            return f"(isnan({self.number(depth)}) != 0)"
        return f"(({self.chance.choice(['int', 'long', 'short'])})WITHIN({self.number(depth)}))"

    def expression(self, depth):
        """Never made of constants only."""
        chance = self.chance
        if depth > 0 and chance.random() < 0.06:
            return self.made_of_numbers(min(depth, 2))
        if self.changes_left > 0 and chance.random() < (0.1, 0.05, 0)[self.change_depth]:
            return self.change(depth)
        if depth <= 0 or chance.random() < 0.15:
            return self.place(depth)
        if chance.random() < 0.06:
            return self.construct(depth)
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
            operators = COMPARISONS
        left = self.expression(depth - 1)
        right = self.constant() if chance.random() < 0.4 else self.expression(depth - 1)
        return f"({left} {chance.choice(operators)} {right})"

    def construct(self, depth):
        """Something that C makes of several values, or that the compiler has an instruction for."""
        kinds = {self.by_value: "structs by value", self.returned: "structs by value", self.listed: "variable arguments",
                 self.wide: "128 bits", self.counted: "intrinsics", self.overflowing: "intrinsics",
                 self.of_vector: "vectors", self.punned: "unions"}
        kind = self.chance.choice(list(kinds))
        self.body.note(kinds[kind])
        return f"({kind(lambda: self.expression(depth - 1))})"

    def by_value(self, make):
        if self.chance.random() < 0.5:
            return f"box_value((struct box){{{make()}, {make()}, {make()}}})"
        return f"big_value((struct big){{{{{make()}, {make()}}}, {{{make()}, {make()}}}}})"

    def returned(self, make):
        if self.chance.random() < 0.5:
            return f"make_box({make()}, {make()}).{self.chance.choice('xyz')}"
        return f"make_big({make()}, {make()}).{self.chance.choice(['w[2]', 'box.x', 'box.y'])}"

    def listed(self, make):
        values = [f"(long){wrapped(make())}" for _ in range(self.chance.choice([1, 2, 3]))]
        values = values * self.chance.choice([1, 1, 3])  # the later ones are in memory
        return f"list_sum({len(values)}, {', '.join(values)})"

    def wide(self, make):
        signed = self.chance.choice(["", "unsigned "])
        one = f"({signed}__int128){wrapped(make())} {self.chance.choice(['*', '+', '-', '^'])} {make()}"
        two = f"(({one}) << {self.chance.choice([1, 7, 63, 64, 70])})"
        if self.chance.random() < 0.3:
            return f"{two} {self.chance.choice(COMPARISONS)} {make()}"
        return f"(long)({two} >> {self.chance.choice([1, 8, 60, 64, 69])})"

    def counted(self, make):
        value = make()
        return self.chance.choice([f"__builtin_popcount({value})", f"__builtin_popcountll({value})",
                                   f"__builtin_clz({wrapped(value)} | 1)", f"__builtin_ctzl({wrapped(value)} | 64)",
                                   f"__builtin_bswap32({value})", f"__builtin_bswap64({value})",
                                   f"__builtin_bswap16({value})", f"__builtin_abs({value})",
                                   f"__builtin_parity({value})", f"__builtin_ffs({value})"])

    def overflowing(self, make):
        type = self.chance.choice(["int", "unsigned", "long", "short", "unsigned long"])
        name = self.chance.choice(["add", "sub", "mul"])
        call = f"__builtin_{name}_overflow(({type}){wrapped(make())}, ({type}){wrapped(make())}, &result)"
        return f"{{ {type} result; int over = {call}; {self.chance.choice(['over', 'result', 'result * 3 + over'])}; }}"

    def of_vector(self, make):
        one = f"(four){{{make()}, {make()}, 3, {self.scalar()}}}"
        return f"({one} {self.chance.choice(['+', '*', '-', '^', '>'])} (four){{{make()}, 5}})[{self.chance.randrange(4)}]"

    def punned(self, make):
        part = self.chance.choice(["bytes[0]", "bytes[3]", "halves[0]", "halves[1]", "whole"])
        return f"((union pun){{.whole = {make()}}}).{part}"

    def compared(self):
        """What conditions mostly are."""
        if self.chance.random() < 0.25:
            value = self.expression(2)
            # The compiler branches on what the `!` negates, the judge would log the negation.
            return f"{value} != 0" if value.startswith("(!") else value
        right = self.constant() if self.chance.random() < 0.5 else self.expression(1)
        return f"{self.expression(2)} {self.chance.choice(COMPARISONS)} {right}"


class Effects:
    """Arguments of change() for one statement. All steps of an argument are in sequence: each is plain, or writes or
    calls in one place, or combines two by `?:`, `&&`, `||` or a comma."""

    def __init__(self, body):
        self.body, self.expressions, self.chance = body, body.expressions, body.chance
        self.written = set()  # names that the statement around it must leave alone

    def change(self):
        self.expressions.changes_left -= 1
        self.expressions.change_depth += 1
        self.expressions.may_fail = False
        old, new = self.argument(2), self.argument(2)
        self.expressions.change_depth -= 1
        text = f"change({old}, {new})"
        for word, feature in (("BR(", "branching change() arguments"), ("change(", "nested change()")):
            if word in old + new:
                self.body.note(feature)
        return text

    def argument(self, depth):
        pick, make = self.chance.random(), self.argument
        if depth == 0 or pick < 0.2:
            return self.step()
        condition = f"BR({self.expressions.compared()})"
        if pick < 0.35:
            return f"({condition} ? {make(depth - 1)} : {make(depth - 1)})"
        if pick < 0.5:
            return f"({condition} {self.chance.choice(['&&', '||'])} {make(depth - 1)})"
        if pick < 0.6:
            return f"({condition} {self.chance.choice(['&&', '||'])} {self.compared()})"
        if pick < 0.75:
            return f"({self.step()}, {make(depth - 1)})"
        if pick < 0.85:
            return f"(BR({self.compared()}) ? {make(depth - 1)} : {make(depth - 1)})"
        if pick < 0.92 and self.expressions.change_depth < 2:
            return self.change()
        return f"({make(depth - 1)} {self.chance.choice('+-^*')} {self.expressions.constant()})"

    def compared(self):
        return f"{self.step()} {self.chance.choice(COMPARISONS)} {self.expressions.constant()}"

    def step(self):
        kind = self.chance.choices([self.plain, self.assignment, self.increment, self.element_store, self.call,
                                    self.division], [3, 2, 1, 1, 3, 0.7])[0]
        return kind()

    def plain(self):
        return self.expressions.expression(2)

    def written_variable(self):
        name = self.expressions.variable()
        self.written.add(name)
        self.body.note("one-sided stores")
        return name

    def assignment(self):
        name = self.written_variable()
        return f"({name} {self.chance.choice(['', '', '+', '-', '^'])}= {self.plain()})"

    def increment(self):
        name = self.written_variable()
        return self.chance.choice([f"({name}++)", f"(++{name})", f"({name}--)"])

    def element_store(self):
        arrays = [array for array in self.expressions.scope.arrays if array.writable]
        if not self.expressions.use_arrays or not arrays:
            return self.assignment()
        self.body.note("one-sided stores")
        return f"({self.expressions.element(self.chance.choice(arrays), 1)} = {self.plain()})"

    def call(self):
        text = self.body.call_text(plain_depth=1)
        if not text:
            return self.plain()
        self.body.note("calls in change() arguments")
        return text

    def division(self):
        divisor = self.chance.choice([self.expressions.divisor(),
                                      f"{self.expressions.scalar()} - {self.chance.randrange(4)}"])
        return f"{self.chance.choice(['DIV', 'MOD'])}({self.plain()}, {divisor})"
