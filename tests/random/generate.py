#!/usr/bin/env python3
"""Random annotated C functions, on which Penumbra's predictions can be compared with plain builds of both versions.

    generate.py --seed N [--functions K]           prints one C file with the entries f0 ... f(K-1)
    generate.py --seed N [--functions K] --count F  how many entries of F files have each feature

Build what is generated with -fwrapv; dialect.h says what its macros mean. With -DONLY=3 only f3 is compiled."""

import argparse
import collections
import random

from language import ENUM, TYPE, TYPES, Parameter, Pointer, Scope, Signature, Variable
from sides import SidedBody

PROLOGUE = """\
/* seed {seed}: written by tests/random/generate.py */
#include "dialect.h"

enum kind {{ KIND_NONE, KIND_SMALL, KIND_LARGE }};
typedef int four __attribute__((vector_size(16)));
union pun {{ unsigned long whole; unsigned char bytes[8]; short halves[4]; }};
static struct {{ unsigned p : 5; int q : 11; unsigned long r : 37; _Bool s : 1; }} bits;
"""

# Functions that only compute, without a branch that depends on their arguments: expressions may call them.
CONSTRUCTS = """
struct big {{ long w[5]; struct box box; }};

static long box_value(struct box b)
{{
    return b.x * 3 + b.y - b.z;
}}

static long big_value(struct big b)
{{
    b.w[1] ^= b.box.{field};
    return b.w[0] + b.w[1] - b.w[4];
}}

static struct box make_box(long a, long b)
{{
    return (struct box){{a, b, a {operator} b}};
}}

static struct big make_big(long a, long b)
{{
    return (struct big){{{{a, b, a {operator} b}}, {{b, a}}}};
}}

static long list_sum(int count, ...)
{{
    long sum = 0;
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++)
        sum = sum * {factor} + va_arg(list, long);
    sum ^= va_arg(again, long);
    va_end(again);
    va_end(list);
    return sum;
}}
"""

# These branch: they are called like the helpers.
CALLED = """
static int jumping(int x)
{{
    jmp_buf place;
    int value = setjmp(place);
    if (BR(value == 0))
        longjmp(place, x);
    return value;
}}

static int measured(const unsigned char *q)
{{
    int length = 0;
    while (BR(length < 7) && BR(q[length] != {stop}))
        length++;
    return length;
}}
"""


class Program:
    def __init__(self, seed, functions):
        self.seed = seed
        # Where an address depends on the input, a trace does not tell all paths apart: every third file has none.
        self.use_arrays = seed % 3 != 0
        self.lines = PROLOGUE.format(seed=seed).split("\n")
        self.globals = []   # (declared name, [names of the parts that are compared])
        self.functions = []
        self.outside = Scope()
        self.pointed, self.pointed_features = False, set()
        self.write_globals(random.Random(f"{seed} globals"))
        self.write_constructs(random.Random(f"{seed} constructs"))
        for i in range(3):
            self.write_pointed(random.Random(f"{seed} pointed {i}"), i)
        self.lines += ["", "static int (*const functions[])(int, int) = {k0, k1, k2};"]
        self.pointed = True
        callees = [Signature("jumping", TYPE["int"], [Parameter("x", TYPE["int"])]),
                   Signature("measured", TYPE["int"], [Parameter("q", TYPE["unsigned char"], True, True)])]
        callees[0].features.add("jumps")
        for i in range(3):
            callees.append(self.write_helper(random.Random(f"{seed} helper {i}"), i, callees))
        callees.append(self.write_recursive(random.Random(f"{seed} recursive")))
        for i in range(functions):
            self.write_entry(random.Random(f"{seed} entry {i}"), i, callees)

    def text(self):
        return "\n".join(self.lines) + "\n"

    # ---- globals ----

    def write_globals(self, chance):
        for i in range(4):
            type = chance.choice(TYPES)
            self.add_global(f"g{i}", f"{chance.choice(['', 'static '])}{type.name} g{i} = {chance.randrange(0, 100)};")
            self.outside.scalars.append(Variable(f"g{i}", type, is_global=True))
            if i == 3 and chance.random() < 0.2:  # rarely: everything that reads it differs between the versions
                self.lines.append(f"pn_global(g{i}, {chance.randrange(0, 100)});")
        self.add_global("gz", "static int gz;")  # an input, for functions that are not entries
        self.outside.scalars.append(Variable("gz", TYPE["int"], writable=False, is_global=True))
        for i, count in enumerate([8, 8, chance.choice([4, 16])]):
            type = TYPE["int"] if i == 0 else TYPE["unsigned char"] if i == 1 else chance.choice(TYPES)
            values = ", ".join(str(chance.randrange(0, 100)) for _ in range(chance.randrange(1, count + 1)))
            self.add_global(f"a{i}", f"{type.name} a{i}[{count}] = {{{values}}};")
            self.outside.arrays.append(Variable(f"a{i}", type, count - 1))
        type = chance.choice(TYPES[1:])
        values = ", ".join(str(chance.randrange(0, 100)) for _ in range(8))
        self.lines.append(f"static const {type.name} table[8] = {{{values}}};")
        self.outside.arrays.append(Variable("table", type, 7, writable=False))
        self.write_structs(chance)
        self.add_global("reals", "double reals[4] = {0.5, -1.5, 1e10};")
        self.add_global("gp", "static int *gp = a0;", [])
        self.globals.append(("bits", []))
        self.outside.pointers.append(Pointer("gp", TYPE["int"], True, [self.outside.arrays[0]]))

    def write_constructs(self, chance):
        text = CONSTRUCTS.format(field=chance.choice("xyz"), operator=chance.choice("+-^*"),
                                 factor=chance.choice([1, 3, 31]))
        self.lines += (text + CALLED.format(stop=chance.choice([0, 1, 5]))).split("\n")

    def write_structs(self, chance):
        fields = "".join(f" {chance.choice(TYPES).name} {field};" for field in "xyz")
        self.lines.append(f"struct box {{{fields} }};")
        self.add_global("box", f"struct box box = {{{chance.randrange(9)}, {chance.randrange(9)}}};",
                        ["box.x", "box.y", "box.z"])
        self.outside.structs.append("box")

    def add_global(self, name, declaration, parts=None):
        self.lines.append(declaration)
        self.globals.append((name, [name] if parts is None else parts))

    # ---- functions ----

    def body(self, chance, signature, callees, changes):
        body = SidedBody(chance, self.lines, signature, self.outside, callees, changes, self.use_arrays)
        body.pointed, body.pointed_features = self.pointed, self.pointed_features
        return body

    def write_function(self, chance, signature, callees, changes, statements, room):
        self.lines += ["", f"static {signature.declaration()}", "{"]
        self.body(chance, signature, callees, changes).write(statements, room)
        self.lines.append("}")

    def write_pointed(self, chance, i):
        signature = Signature(f"k{i}", TYPE["int"], [Parameter("x", TYPE["int"]), Parameter("y", TYPE["int"])])
        self.write_function(chance, signature, [], chance.choice([0, 0, 1]), 1, 1)
        self.pointed_features |= signature.features

    def write_helper(self, chance, i, callees):
        parameters = [Parameter(name, chance.choice(TYPES)) for name in "xy"[:chance.randrange(1, 3)]]
        if i > 0:
            parameters.append(Parameter("q", TYPE[chance.choice(["int", "unsigned char"])], True, chance.random() < 0.5))
        signature = Signature(f"h{i}", chance.choice(TYPES), parameters)
        self.write_function(chance, signature, callees if i == 2 else [], chance.choice([0, 1, 2]), 2, 1)
        return signature

    def write_recursive(self, chance):
        type = chance.choice(TYPES[6:])
        signature = Signature("r0", type, [Parameter("x", type), Parameter("depth", TYPE["int"])])
        self.lines += ["", f"static {signature.declaration()}", "{", "    if (BR(depth <= 0)) {", "        return x;",
                       "    }"]
        body = self.body(chance, signature, [], chance.choice([0, 1]))
        body.statement(1)
        body.safe()
        body.emit(f"{type.name} below = r0({body.expressions.expression(1)}, depth - 1);")
        body.emit(f"return below {chance.choice('+-^*')} x;")
        self.lines.append("}")
        return signature

    def write_entry(self, chance, i, callees):
        names = "abcd"[:chance.randrange(1, 4)]
        parameters = [Parameter(name, TYPE["int"] if chance.random() < 0.4 else chance.choice(TYPES + [ENUM]))
                      for name in names]
        parameters.append(Parameter("z", TYPE["int"]))
        if chance.random() < 0.4:
            type = TYPE["unsigned char"] if chance.random() < 0.5 else chance.choice(TYPES)
            parameters.append(Parameter("s", type, True, chance.random() < 0.5))
        result = TYPE["int"] if chance.random() < 0.6 else chance.choice(TYPES + [None])
        signature = Signature(f"f{i}", result, parameters)
        self.lines += ["", f"#if !defined(ONLY) || ONLY == {i}"]
        self.lines += ["", signature.declaration(), "{", "    gz = z;"]
        self.body(chance, signature, callees, chance.randrange(1, 7)).write(chance.randrange(2, 6), 2)
        self.lines += ["}", "#endif"]
        self.functions.append(signature)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=10)
    parser.add_argument("--count", type=int, metavar="F")
    options = parser.parse_args()
    if options.count is None:
        print(Program(options.seed, options.functions).text(), end="")
        return
    counts = collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        for signature in Program(seed, options.functions).functions:
            counts.update(signature.features)
    for feature, count in counts.most_common():
        print(f"{feature}: {100 * count / (options.count * options.functions):.0f}% of the programs")


if __name__ == "__main__":
    main()
