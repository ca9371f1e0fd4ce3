"""Whether the judge sees what is wrong: reports made from the truth itself, and the same with an error planted."""

import copy
import os

import mutants
import truth
import verify

# A diff path with a difference and one without, a path with a difference of output, and one with none.
EXAMPLE = """
#include "dialect.h"
int example(int x, int y)
{
    if (BR(x > change(3, 1)))
        return 7;
    if (BR(y > change(2, 1)))
        y = y * 1;
    return x + change(0, y == 0);
}
"""


def example(directory):
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, "example.c")
    with open(path, "w") as file:
        file.write(EXAMPLE)
    return truth.Entry(path, "example", mutants.ints("x=-4..5 y=-3..4"))


def is_input(inputs):
    return " && ".join(f"{name} == {value}" for name, value in inputs.items())


def right_report(known):
    """What an explorer would say that tries every input."""
    divergences, seen = [], {}
    for i, key in enumerate(known.keys):
        if not known.parting[key] and not known.differs(i):
            continue
        inputs = dict(zip([one.name for one in known.entry.parameters], known.inputs[i]))
        if key not in seen:
            seen[key] = {"kind": "diff-true" if known.parting[key] else "output", "class": known.class_of(i),
                         "inputs": inputs, "differs": "0"}
            divergences.append(seen[key])
        if known.differs(i):
            seen[key]["differs"] += f" || ({is_input(inputs)})"
    different = any(known.differs(i) for i in range(len(known.inputs)))
    counts = {"diff_paths": sum(one["kind"] != "output" for one in divergences),
              "output_differences": sum(one["kind"] == "output" for one in divergences)}
    return {"verdict": "different" if different else "equivalent", "limits": [], "counts": counts,
            "divergences": divergences}


def first(report, holds):
    return next(i for i, one in enumerate(report["divergences"]) if holds(one))


def diff(one):
    return one["kind"] != "output"


def loud(one):
    return one["class"] in verify.LOUD


def without(report, i):
    kind = report["divergences"].pop(i)["kind"]
    report["counts"]["output_differences" if kind == "output" else "diff_paths"] -= 1


def missing_diff_path(report):
    without(report, first(report, diff))


def missing_silent_diff_path(report):
    without(report, first(report, lambda one: diff(one) and one["differs"] == "0"))


def missing_output_difference(report):
    without(report, first(report, lambda one: not diff(one)))


def diff_path_twice(report):
    report["divergences"].append(dict(report["divergences"][first(report, diff)]))
    report["counts"]["diff_paths"] += 1


def wrong_count(report):
    report["counts"]["diff_paths"] += 1


def wrong_class(report):
    report["divergences"][first(report, loud)]["class"] = "silent"


def wrong_kind(report):
    report["divergences"][first(report, diff)]["kind"] = "output"


def condition_too_wide(report):
    report["divergences"][first(report, loud)]["differs"] = "1"


def condition_with_one_input_more(report):
    one, other = [i for i, one in enumerate(report["divergences"]) if loud(one)][:2]
    report["divergences"][one]["differs"] += f" || ({is_input(report['divergences'][other]['inputs'])})"


def condition_with_one_input_less(report):
    one = report["divergences"][first(report, loud)]
    one["differs"] = f"({one['differs']}) && !({is_input(one['inputs'])})"


def witness_out_of_range(report):
    inputs = report["divergences"][first(report, diff)]["inputs"]
    inputs[next(iter(inputs))] = 1000


def equivalent(report):
    report["verdict"] = "equivalent"


def something_lost(report):
    report["limits"].append({"kind": "loop", "text": "a bound"})


PLANTED = [missing_diff_path, missing_silent_diff_path, missing_output_difference, diff_path_twice, wrong_count,
           wrong_class, wrong_kind, condition_too_wide, condition_with_one_input_more, condition_with_one_input_less,
           witness_out_of_range, equivalent, something_lost]


def check(directory):
    known = truth.Truth(example(directory), directory)
    right = right_report(known)
    verify.Verification(known, right).check()
    for plant in PLANTED:
        wrong = copy.deepcopy(right)
        plant(wrong)
        try:
            verify.Verification(known, wrong).check()
        except verify.Failure:
            continue
        raise AssertionError(f"not seen: {plant.__name__}")
