#!/usr/bin/env python3
"""Parameters of all C types (tests/programs/shapes.c): what a complete run says is compared with plain builds that are
run on every input of a small domain, and the concolic phase must find the difference from a seed of zeros."""

import itertools
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import INCLUDE, SCRATCH, Report, case, limits_of, numbers, path_of, run_cases

PROGRAM = "shapes.c"


class Shape:
    """An entry, and its inputs as (name, low, high). `setup` declares what the names mean in C; `assign` is for names
    that are no lvalues; `show` prints what is compared."""

    def __init__(self, entry, setup, inputs, show, options=(), assign=None, seed=None):
        self.entry, self.setup, self.inputs, self.show = entry, setup, inputs, show
        self.options, self.assign = list(options), assign or {}
        self.seeds = [seed] if seed else []  # none: zeros, or what is nearest to zero in the ranges

    def ranges(self):
        words = []
        for name, low, high in self.inputs:
            if low is not None and not name.endswith("]") and " == " not in name:
                words += ["--range", f"{name}={low}..{high}"]
        return words

    def program(self, statement):
        text = f'#include "{path_of(PROGRAM)}"\n#include <stdio.h>\n#include <string.h>\n{self.setup[0]}\n'
        text += f"int main(void)\n{{\n{self.setup[1]}\n"
        for i, (name, low, high) in enumerate(self.inputs):
            text += f"for (long v{i} = {low}; v{i} <= {high}; v{i}++)\n"
        text += "{\n" + self.setup[2] + "\n"
        for i, (name, low, high) in enumerate(self.inputs):
            text += self.assign.get(name, f"{name} = {{0}};").format(f"v{i}") + "\n"
        return text + statement + "\n}\n}\n"

    def build_and_run(self, version, statement, flags):
        path = os.path.join(SCRATCH, f"plain-{next(numbers)}")
        subprocess.run(["gcc", "-O0", "-fwrapv", "-w", f"-DPENUMBRA_VERSION={version}", f"-I{INCLUDE}", *flags, "-x", "c",
                        "-", "-o", path], input=self.program(statement), text=True, check=True)
        return subprocess.run([path], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[:-1]

    def differing(self, flags):
        old, new = (self.build_and_run(version, self.show, flags) for version in ("OLD", "NEW"))
        assert len(old) == len(new) > 10, (len(old), len(new))
        return [one != other for one, other in zip(old, new)]

    def holding(self, conditions):
        """Where one of the conditions holds, in the order of differing()."""
        any_of = " || ".join(f"({condition})" for condition in conditions) or "0"
        return [line == "1" for line in self.build_and_run("NEW", f'printf("%d\\n", ({any_of}) ? 1 : 0);', [])]

    def inputs_in_order(self):
        return itertools.product(*(range(low, high + 1) for _, low, high in self.inputs))


SHAPES = {shape.entry: shape for shape in [
    Shape("two_pointers", ("", "struct inner in; struct outer outer = {0, &in}, *o = &outer;", ""),
          [("o->in->x", -1, 4), ("o->in->y", 0, 4), ("o->tag", 0, 3)], 'printf("%d\\n", two_pointers(o));',
          seed="o->tag=3"),
    Shape("bit_fields", ("", "struct bits bits, *b = &bits;", "memset(b, 0, sizeof *b);"),
          [("b->low", 0, 7), ("b->middle", -8, 7), ("b->flag", 0, 1), ("b->high", 0, 5)],
          'int r = bit_fields(b); printf("%d %d\\n", r, b->flag);', seed="b->low=5"),
    Shape("linked_list", ("", "struct node n3 = {0}, n2 = {0, &n3}, n1 = {0, &n2}, *head = &n1;", ""),
          [("head->value", -3, 3), ("head->next->value", -3, 3), ("head->next->next->value", -3, 3)],
          'int r = linked_list(head); printf("%d %d\\n", r, n2.value);', ["--depth", "3"]),
    Shape("may_be_null", ("", "struct node one = {0}, two = {0}, *first, *second;", ""),
          [("first == NULL", 0, 1), ("first->value", 0, 3), ("second == NULL", 0, 1), ("second->value", 0, 3)],
          'printf("%d\\n", may_be_null(first, second));', ["--null=first", "--null=second", "--depth", "1"],
          {"first == NULL": "first = {0} ? NULL : &one;", "first->value": "one.value = {0};",
           "second == NULL": "second = {0} ? NULL : &two;", "second->value": "two.value = {0};"}),
    Shape("with_callback", ("int values[3], calls, passed; static int callback(int x) "
                            "{ passed = passed * 10 + x; return values[calls++]; }\n", "int limit;",
                            "calls = passed = 0;"),
          [("values[0]", 0, 3), ("values[1]", 0, 3), ("values[2]", 0, 3), ("limit", 0, 3)],
          'int r = with_callback(callback, limit); printf("%d %d %d\\n", r, calls, passed);',
          ["--size", "get=3", "--range", "get()=0..3"]),
    Shape("items", ("", "struct item list[2]; int count;", ""),
          [("list[0].key", 1, 3), ("list[1].key", 1, 3), ("list[0].colour", 0, 4), ("list[1].colour", 0, 4),
           ("count", 0, 2)], 'printf("%d\\n", items(list, count));', ["--size", "list=2"],
          seed="list[0].key=2, list[1].key=1, count=1"),
    Shape("union_of_numbers", ("", "union number number, *n = &number;", ""), [("n->whole", 0, 600)],
          'int r = union_of_numbers(n); printf("%d %d\\n", r, n->whole);'),
    Shape("text", ("", "char s[4] = {0};", ""), [("s[0]", 0, 3), ("s[1]", 0, 3), ("s[2]", 0, 3)],
          'printf("%d\\n", text(s));', ["--size", "s=4", "--range", "s=0..3"], seed='s="\\2\\2"'),
    Shape("anonymous", ("", "struct nested nested, *n = &nested;", ""),
          [("n->a", 0, 2), ("n->b", 0, 2), ("n->pair[0].y", 0, 3), ("n->pair[1].x", 0, 3)],
          'printf("%d\\n", anonymous(n));', ["--zero", "n->pair[0].x", "--zero", "n->pair[1].y"]),
    Shape("rows", ("", "signed char one[2], two[2], *m[2] = {one, two};", ""),
          [("m[0][0]", 0, 1), ("m[0][1]", -3, 3), ("m[1][0]", -3, 3), ("m[1][1]", 0, 1)],
          'int r = rows(m); printf("%d %d\\n", r, m[1][1]);',
          ["--size", "m=2", "--size", "m[]=2", "--range", "m[]=-3..3"]),
    Shape("pointer_into", ("", "char s[4] = {0}, wanted;", ""), [("s[0]", 97, 98), ("s[1]", 97, 98), ("s[2]", 97, 98),
                                                               ("wanted", 97, 99)],
          'char *r = pointer_into(s, wanted); printf("%ld\\n", r ? r - s : -1L);',
          ["--size", "s=4", "--range", "s='a'..'b'"]),
    Shape("flexible", ("", "union { struct buffer b; char space[16]; } u; struct buffer *b = &u.b;", ""),
          [("b->length", 0, 3), ("b->data[0]", -2, 3), ("b->data[1]", -2, 3)], 'printf("%d\\n", flexible(b));',
          ["--size", "b->data=2", "--range", "b->data=-2..3"], seed="b->length=2"),
    Shape("calls_of_one_version", ("int values[3], calls, count, seen; static int get(void) { return values[calls++]; }\n"
                                   "static void put(int x) { count++; seen = seen * 10 + x; }\n",
                                   "int x; struct operations o = {get, put};", "calls = count = seen = 0;"),
          [("values[0]", 0, 2), ("values[1]", 0, 2), ("values[2]", 0, 2), ("x", 0, 2)],
          'int r = calls_of_one_version(&o, x); printf("%d %d %d %d\\n", r, calls, count, seen);',
          ["--size", "operations->get=3", "--size", "operations->put=2", "--range", "operations->get()=0..2"],
          seed="x=2"),
    Shape("by_value", ("", "struct point p = {0}; int scale;", ""),
          [("p.x", 0, 2), ("p.y", 0, 2), ("p.weight", 0, 0), ("scale", 0, 3)],
          'struct point r = by_value(p, scale); printf("%d %d %g\\n", r.x, r.y, r.weight);'),
    Shape("allocated", ("", "int a, b;", ""), [("a", 0, 3), ("b", -1, 4)],
          'struct cell *r = allocated(a, b); printf("%d %s ", r->value, r->name); if (r->next) printf("%d %d", '
          'r->next->value, r->next->next ? r->next->next == r ? 1 : 2 : 0); puts("");'),
    Shape("globals", ("", "int x;", "kept = (struct cell){3, NULL, NULL};"), [("x", -10, 10)],
          'globals(x); printf("%d %d\\n", kept.value, kept.next == &kept);'),
]}
# What a complete run says in C about a callback's values is about an array of the driver.
CALLBACK_NAMES = ("get()", "values")


def check_complete(shape, flags):
    options = ["--mode", "complete", "--no-alloc-fail", *shape.ranges(), *shape.options]
    if flags:
        options += ["--cflags", " ".join(flags)]
    report = Report(PROGRAM, shape.entry, [], options)
    differing = shape.differing(flags)
    kinds = {limit["kind"] for limit in report.document["limits"]}  # variables begin with the values that the plain builds have
    assert kinds <= {"initial-value"}, limits_of(report.document)
    assert report.verdict == ("different" if any(differing) else "no-difference-found" if kinds else "equivalent"), report.verdict
    conditions = [one["differs"].replace("operations->", "").replace(*CALLBACK_NAMES) for one in report.divergences if one["differs"]]
    wrong = [inputs for inputs, one, other in zip(shape.inputs_in_order(), differing, shape.holding(conditions))
             if one != other]
    assert not wrong, f"{len(wrong)} inputs judged wrongly, first {wrong[0]}"
    assert all(one["class"] in ("output", "silent") for one in report.divergences), report.divergences


def check_concolic(shape):
    """One seed, zeros where nothing else is said: a difference is found, and what is found is one."""
    report = Report(PROGRAM, shape.entry, shape.seeds, ["--no-alloc-fail", *shape.ranges(), *shape.options])
    differing = dict(zip(shape.inputs_in_order(), shape.differing([])))
    assert report.verdict == "different", report.verdict
    for divergence in report.divergences:
        witness = tuple(value_of(divergence["inputs"], name) for name, _, _ in shape.inputs)
        loud = divergence["class"] != "silent"
        assert differing.get(witness, False) == loud, f"{witness} is {divergence['class']}"


def value_of(inputs, name):
    """Of a report's inputs, what the driver calls `name`."""
    name = name.replace(*reversed(CALLBACK_NAMES))
    inputs = {key.replace("operations->", ""): value for key, value in inputs.items()}
    if name in inputs:
        return int(inputs[name])
    array, _, index = name.rpartition("[")
    return inputs[array][int(index[:-1])]


def add_cases(shape):
    def complete():
        check_complete(shape, [])
        assert any(shape.differing([])), "the versions never differ"

    def equivalent():
        check_complete(shape, ["-DEQUIVALENT"])

    def concolic():
        check_concolic(shape)

    complete.__name__ = f"{shape.entry}_against_plain_builds"
    equivalent.__name__ = f"{shape.entry}_that_is_equivalent"
    concolic.__name__ = f"{shape.entry}_from_a_bland_seed"
    case(complete)
    case(equivalent)
    case(concolic)


for shape in SHAPES.values():
    if not sys.argv[1:] or shape.entry in sys.argv[1:]:
        add_cases(shape)

if __name__ == "__main__":
    sys.exit(run_cases(every=2))
