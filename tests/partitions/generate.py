"""Small random programs with changes in them, of which every input can be tried. The text has macros where it changes,
divides and indexes; CHANGE(k, old, new) is the change of that number."""

import random

FIRST_RICH = 1001     # programs from this number on have more of C in them
FIRST_CALLING = 2001  # and from this one on, they call through tables and variables

INPUTS = ["a", "b", "c"]
RANGE = range(-2, 4)


RICH = """struct pair { int one, two; };
static __attribute__((noinline)) void bump(int *to, int by)
{
    if (by > 2)
        *to += by;
    else if (by < -1)
        *to = 1;
}
static __attribute__((noinline)) int again(int n, int x)
{
    return n <= 0 ? x : again(n - 1, x + n);
}
static void turn(struct pair *pair)
{
    int one = pair->one;
    pair->one = pair->two;
    pair->two = one;
}
"""

# What is called matters, and what is left behind by it.
CALLING = """typedef int (*callee)(int, int);
static int add(int x, int y)
{
    return x > 1 && y > 0 ? x + y : x;
}
static int mix(int x, int y)
{
    if (x == 2 || y < again(x & 1, y))
        g = x;
    return CHANGE(9, x ^ y, MIXED);
}
static int count(int x, int y)
{
    static int calls;
    calls = x == 3 ? 0 : y & 1 ? calls + 1 : calls;
    return calls;
}
static int even(int n, int x);
static int odd(int n, int x)
{
    return n <= 0 ? x : even(n - 1, x);
}
static int even(int n, int x)
{
    return n <= 0 ? 0 : odd(n - 1, x + 1);
}
static const callee fixed[4] = {add, mix, odd, CALLED};
static __attribute__((noinline)) int apply(callee callee, int x, int y)
{
    return callee(x & 3, y);
}
static __attribute__((noinline)) void choose(callee *chosen, int x)
{
    if (x > 0)
        chosen[x & 1] = fixed[x & 3];
}
static void restore(void)
{
    count(3, 0);
}
"""
# Nothing but what others have, too, is left behind.
CALLING_ENTRY = """int f(int a, int b, int c)
{
    int result = body(a, b, c);
    restore();
    return result;
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_rich = seed >= FIRST_RICH
        self.is_calling = seed >= FIRST_CALLING
        self.changes = 0
        self.loops = 0
        self.in_entry = False
        self.budget = 16
        self.functions = []
        self.text = self.make()

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def variable(self, names):
        return self.random.choice(names)

    def rich(self, percent):
        """Not asked for in the other programs: these stay as they are."""
        return self.is_rich and self.chance(percent)

    def rich_expression(self, names, depth):
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        if self.is_calling and self.chance(50):
            return self.one_of(f"fixed[{left} & 3]({right} & 3, {left})", f"chosen[{left} & 1]({right} & 3, {left})",
                               f"apply({left} > 0 ? {self.one_of('add', 'mix')} : chosen[{right} & 1], {right}, {left})",
                               f"apply(called, {left}, {right})", f"even({left} & 3, {right})", f"count({left}, {right})")
        return self.one_of(f"({self.condition(names)} ? {left} : {right})", f"again({left} & 3, {right})",
                           f"({self.one_of('p', 'q')}.{self.one_of('one', 'two')} + {left})",
                           f"(({left} << {self.random.randint(1, 3)}) ^ (unsigned char){right})")

    def expression(self, names, depth=2):
        if depth and self.in_entry and self.rich(20):
            return self.rich_expression(names, depth)
        if depth == 0 or self.chance(30):
            return self.one_of(self.variable(names), self.variable(names), str(self.random.randint(-3, 4)))
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        if self.chance(10) and self.divisor:  # no constant can take its place, and be folded
            return f"DIVIDE({left}, {self.divisor})"
        if self.chance(8):
            return f"table[({left}) & 3]"
        if self.functions and self.chance(15):
            return f"{self.random.choice(self.functions)}({left}, {right})"
        return f"({left} {self.one_of('+', '-', '*', '^', '&', '|')} {right})"

    def maybe_changed(self, names, make):
        """An expression, or a change of it."""
        if not self.chance(25) or self.changes >= 3:
            return make(names)
        self.changes += 1
        return f"CHANGE({self.changes}, {make(names)}, {make(names)})"

    def condition(self, names):
        if self.rich(20):
            self.is_rich = False  # no deeper
            text = f"({self.condition(names)} {self.one_of('&&', '||')} {self.condition(names)})"
            self.is_rich = True
            return text
        return f"{self.expression(names, 1)} {self.one_of('<', '<=', '==', '!=', '>')} {self.expression(names, 1)}"

    def assignment(self, names, indent):
        target = self.variable([name for name in names if name not in self.constants] + ["g", "h"])
        if self.chance(12):
            target = f"table[({self.expression(names, 1)}) & 3]"
        if self.chance(10):
            target = "*pointer"
        return f"{indent}{target} = {self.maybe_changed(names, self.expression)};\n"

    def statement(self, names, depth, indent):
        self.budget -= 1
        if depth == 0 or self.budget <= 0 or self.chance(45):
            return self.assignment(names, indent)
        inner = indent + "    "
        if self.in_entry and self.rich(35):
            return self.rich_statement(names, depth, indent, inner)
        if self.chance(22):
            self.loops += 1
            index = f"i{self.loops}"
            self.constants.add(index)
            bound = self.one_of(str(self.random.randint(1, 3)), f"({self.variable(names)} & 3)")
            body = self.block(names + [index], depth - 1, inner)
            if self.chance(25):
                body += f"{inner}if ({self.condition(names + [index])})\n{inner}    {self.one_of('break', 'continue')};\n"
            return f"{indent}for (int {index} = 0; {index} < {bound}; {index}++) {{\n{body}{indent}}}\n"
        if self.chance(8):
            return f"{indent}if ({self.condition(names)})\n{inner}return {self.expression(names, 1)};\n"
        text = f"{indent}if ({self.maybe_changed(names, self.condition)}) {{\n{self.block(names, depth - 1, inner)}{indent}}}"
        if self.chance(40):
            text += f" else {{\n{self.block(names, depth - 1, inner)}{indent}}}"
        return text + "\n"

    def rich_statement(self, names, depth, indent, inner):
        kinds = ["switch", "do", "call", "struct", "copy", "goto"] + self.is_calling * ["choose", "choose", "again", "machine"]
        kind = self.one_of(*kinds)
        if kind == "choose":
            return (f"{indent}choose(chosen, {self.maybe_changed(names, self.expression)});\n{indent}if ({self.condition(names)})\n"
                    f"{inner}called = {self.one_of('add', 'mix', 'count', f'fixed[{self.variable(names)} & 3]')};\n")
        if kind == "again":
            self.loops += 1
            index = f"i{self.loops}"
            self.constants.add(index)
            return (f"{indent}int {index} = 0;\n{indent}again{index}:\n{self.block(names + [index], depth - 1, indent)}"
                    f"{indent}if (++{index} < ({self.variable(names)} & 3))\n{inner}goto again{index};\n")
        if kind == "machine":
            self.loops += 1
            index = f"i{self.loops}"
            self.constants.add(index)
            state = self.variable([name for name in names if name not in self.constants])
            text = f"{indent}for (int {index} = 0; {index} < 3; {index}++)\n{inner}switch ({state} & 3) {{\n"
            for label in ("case 0", "case 1", "default"):
                text += f"{inner}{label}:\n{self.assignment(names + [index], inner)}{inner}{state} = {self.expression(names + [index], 1)};\n"
                text += self.one_of(f"{inner}break;\n", f"{inner}continue;\n", "")
            return text + f"{inner}}}\n"
        if kind == "switch":
            text = f"{indent}switch ({self.maybe_changed(names, self.expression)} & 3) {{\n"
            for label in ("case 0", "case 2", "default"):
                end = self.one_of(f"{inner}break;\n", "")
                text += f"{indent}{label}:;\n{self.block(names, depth - 1, inner)}{end}"
            return text + f"{indent}}}\n"
        if kind == "do":
            self.loops += 1
            index = f"i{self.loops}"
            self.constants.add(index)
            body = self.block(names + [index], depth - 1, inner)
            return (f"{indent}for (int {index} = 0, once = 1; once; once = 0)\n{indent}do {{\n{body}{indent}}} "
                    f"while (++{index} < ({self.variable(names)} & 3));\n")
        if kind == "call":
            return f"{indent}bump({self.one_of('&g', '&h', '&table[2]', 'pointer')}, {self.maybe_changed(names, self.expression)});\n"
        if kind == "struct":
            return f"{indent}{self.one_of('p', 'q')}.{self.one_of('one', 'two')} = {self.maybe_changed(names, self.expression)};\n"
        if kind == "copy":
            return f"{indent}if ({self.maybe_changed(names, self.condition)})\n{inner}{self.one_of('p = q', 'q = p', 'turn(&p)', 'turn(&q)')};\n"
        return f"{indent}if ({self.condition(names)})\n{inner}goto out;\n"

    def block(self, names, depth, indent):
        return "".join(self.statement(names, depth, indent) for _ in range(self.random.randint(1, 3)))

    def function(self, name, parameters, locals_, divisor):
        self.divisor = divisor
        self.constants = {divisor}
        names = parameters + locals_
        text = f"int {name}({', '.join('int ' + parameter for parameter in parameters)})\n{{\n"
        for local in locals_:
            text += f"    int {local} = {self.random.randint(0, 2)};\n"
        text += f"    int *pointer = {self.one_of('&g', '&h', '&table[1]', '&' + locals_[0])};\n    (void)pointer;\n"
        self.in_entry = name == "f"
        if self.in_entry and self.is_rich:
            text += "    struct pair p = {a, 1}, q = {2, b};\n"
        if self.in_entry and self.is_calling:
            text += f"    callee called = {self.one_of('add', 'mix', 'odd')}, chosen[2] = {{add, mix}};\n"
        text += "".join(self.statement(names, 3, "    ") for _ in range(self.random.randint(2, 5)))
        if self.in_entry and self.is_rich:
            text += "out:\n"
        result = self.one_of(self.expression(names, 1), self.variable(names), "g")
        return text + f"    return {result};\n}}\n"

    def make(self):
        text = "static int g, h, table[4];\n"
        if self.chance(60):
            self.budget = 5
            text += "static " + self.function("helper", ["x", "y"], ["t"], None)
            self.functions.append("helper")
        if self.is_rich:
            text += RICH
        if self.is_calling:
            text += CALLING.replace("MIXED", self.one_of("x ^ y", "x + y")).replace("CALLED", self.one_of("add", "count"))
        self.budget = 16
        text += self.function("f", INPUTS, ["u", "v", "w"], "c")
        if self.is_calling:
            text = text.replace("int f(", "static int body(") + CALLING_ENTRY
        return text
