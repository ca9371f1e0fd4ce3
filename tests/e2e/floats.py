#!/usr/bin/env python3
"""Floating point through the whole chain: inputs, operations, functions of <math.h>, outputs; and the shorter ones of the
numerical pairs of tests/floats (tests/long/floats.py has the others)."""

import json
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[0] = os.path.join(ROOT, "floats")  # in place of this directory, whose random.py is not Python's
import pairs
from pairs import limits_of

PENUMBRA, SCRATCH = os.environ["PENUMBRA"], os.environ["SCRATCH"]
HEAD = "#include <penumbra.h>\n#include <math.h>\n#include <errno.h>\n#include <string.h>\n"

# name: (body of f, its parameters, options, verdict, what one of the inputs must fulfil)
GUARDS = {
    "comparison": ("if (x > 41.5 && x < 41.75) return change(1, 2); return 0;", "double x", ["--seed", "x=1"], "different",
                   lambda i: 41.5 < i["x"] < 41.75),
    "float-comparison": ("if (x * 3 == 4.5f) return change(1, 2); return 0;", "float x", ["--seed", "x=1"], "different",
                         lambda i: i["x"] == 1.5),
    "polynomial": ("double p = x * x * x - 2 * x - 5; if (p > -1e-9 && p < 1e-9) return change(1, 2); return 0;",
                   "double x", ["--seed", "x=0", "--range", "x=-10..10"], "different",
                   lambda i: abs(i["x"] - 2.0945514815) < 1e-8),
    "two-variables": ("if (x * x + y * y == 25 && x > y && y > 1) return change(1, 2); return 0;", "double x, double y",
                      ["--seed", "x=0,y=0"], "different", lambda i: i["x"] ** 2 + i["y"] ** 2 == 25),
    "square-root": ("if (sqrt(x) == 11.5) return change(1, 2); return 0;", "double x", ["--seed", "x=0"], "different",
                    lambda i: i["x"] == 132.25),
    "floor": ("if (floor(x) == -7 && x != -7) return change(1, 2); return 0;", "double x", ["--seed", "x=0"], "different",
              lambda i: -7 < i["x"] < -6),
    "nan": ("if (isnan(x)) return change(1, 2); return 0;", "double x", [], "different", lambda i: "nan" in str(i["x"])),
    "infinity": ("if (isinf(x) && x < 0) return change(1, 2); return 0;", "float x", [], "different",
                 lambda i: i["x"] == "-inf"),
    "negative-zero": ("if (x == 0 && signbit(x)) return change(1, 2); return 0;", "double x", [], "different",
                      lambda i: str(i["x"]) == "-0.0"),
    "no-nan-in-a-range": ("if (isnan(x)) return change(1, 2); return 0;", "double x", ["--range", "x=-1..1"], "equivalent",
                          None),
    "assume": ("if (x > 2) return change(1, 2); return 0;", "double x", ["--assume", "x * 0.5 <= 1 || x != x"],
               "equivalent", None),
    "conversion": ("if ((int)(x * 10) == 123) return change(1, 2); return 0;", "double x", ["--seed", "x=0"], "different",
                   lambda i: int(i["x"] * 10) == 123),
    "integer-made-float": ("if (n * 0.1 > 49.95 && n * 0.1 < 50.05) return change(1, 2); return 0;", "int n",
                           ["--seed", "n=0"], "different", lambda i: i["n"] == 500),
    "minimum-and-maximum": ("if (fmax(fmin(x, 8), 3) == 5.5) return change(1, 2); return 0;", "double x", ["--seed", "x=0"],
                            "different", lambda i: i["x"] == 5.5),
    "fused": ("if (fma(x, x, -2) == 7) return change(1, 2); return 0;", "double x", ["--seed", "x=1"], "different",
              lambda i: abs(i["x"]) == 3),
    "narrowed": ("float y = (float)x; if (y == 0.1f && (double)y != x) return change(1, 2); return 0;", "double x",
                 ["--seed", "x=0"], "different", lambda i: 0.0999 < i["x"] < 0.1001),
    "array": ("double s = 0; for (int i = 0; i < 3; i++) s += v[i]; if (s > 99 && v[1] < v[0]) return change(1, 2); return 0;",
              "double *v", ["--size", "v=3", "--range", "v=-50..50"], "different", lambda i: sum(i["v"]) > 99),
    "rounding-differs": ("return change((x + y) - y, x) != x;", "double x, double y", ["--range", "x=-10..10", "--range",
                         "y=-1e6..1e6"], "different", None),
    "nans-are-one-output": ("r = change(x / x, (x - x) / x); return 0;", "double x", ["--assume", "x == 0"], "equivalent",
                            None),
    "signs-of-zero-are-outputs": ("r = change(x * 0, 0.0); return 0;", "double x", ["--range", "x=-1..1"], "different",
                                  lambda i: i["x"] < 0),
    "sine": ("return sin(x) > 0.5 && sin(x) < 0.50001 ? change(1, 2) : 0;", "double x", ["--native-runs", "0"],
             "different", lambda i: 0.5 < math.sin(i["x"]) < 0.50001),
    "power": ("return pow(x, 3) == 1728 ? change(1, 2) : 0;", "double x", ["--native-runs", "0"], "different",
              lambda i: i["x"] ** 3 == 1728),
    "quotient-s-rest": ("double r = fmod(x, y); return r > 2 && r < 2.5 && y < 3 ? change(1, 2) : 0;", "double x, double y",
                        ["--native-runs", "0"], "different", lambda i: 2 < math.fmod(i["x"], i["y"]) < 2.5),
    "single-exponential": ("float r = expf(x); return r > 20 && r < 20.5f ? change(1, 2) : 0;", "float x",
                           ["--native-runs", "0"], "different", lambda i: 20 < math.exp(i["x"]) < 20.6),
    "loading": ("return ldexp(x, n) == 48 && n == 4 ? change(1, 2) : 0;", "double x, int n", ["--native-runs", "0"],
                "different", lambda i: i["x"] == 3 and i["n"] == 4),
    "bounded": ("return sin(x) * 2 > 2.5 ? change(1, 2) : 0;", "double x", [], "equivalent", None),
    "same-function": ("double s = log(x); return change(s + 1 > 3, !(log(x) + 1 <= 3) && s == s);", "double x", [],
                      "equivalent", None),
    "same-arguments": ("double s = change(x, y), t = change(y, x); if (x != y) return 0; return change(atan2(s, t) > 1, atan2(t, s) > 1);",
                       "double x, double y", ["--range", "x=1..2"], "equivalent", None),
    "through-a-pointer": ("double (*g)(double) = n > 3 ? sin : sqrt; return g(x) > 1.5 && g(x) < 1.50001 ? change(1, 2) : 0;",
                          "double x, int n", ["--native-runs", "0"], "different",
                          lambda i: 1.5 < math.sqrt(i["x"]) < 1.50001 and i["n"] <= 3),
    "same-through-a-pointer": ("double (*g)(double) = n > 3 ? sin : floor; return change(g(x), n > 3 ? sin(x) : floor(x)) > 0.5;",
                               "double x, int n", [], "equivalent", None),
    "signalling-minimum-through-a-pointer": ("double (*g)(double, double) = n > 3 ? fmin : fdim; return n > 3 && change(g(x, 1), x < 1 ? x : 1) == 1;",
                                             "double x, int n", ["--native-runs", "0"], "different", lambda i: "nan" in str(i["x"]) and i["n"] > 3),
    "unsigned-long": ("if (x > 0 && (unsigned long)x == 0x8000000000000800) return change(1, 2); return 0;", "double x",
                      ["--seed", "x=0"], "different", lambda i: i["x"] == 2.0 ** 63 + 2048),
}


def run(name, source, options):
    path = os.path.join(SCRATCH, f"{name}.c")
    with open(path, "w") as file:
        file.write(source)
    done = subprocess.run([PENUMBRA, "run", path, "--entry", "f", "--json", "--quiet", "--out",
                           os.path.join(SCRATCH, "out-" + name), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    assert done.returncode in (0, 1, 3), f"status {done.returncode}: {done.stderr.strip()[-300:]}"
    return json.loads(done.stdout)


def check_guard(name):
    body, parameters, options, verdict, holds = GUARDS[name]
    report = run(name, f"{HEAD}double r;\nint f({parameters})\n{{\n    {body}\n}}\n",
                 ["--mode", "complete", "--time", "30", "--solver-time", "3", *options])
    assert report["verdict"] == verdict, f"{report['verdict']}: {limits_of(report)}"
    if holds:
        inputs = [one["inputs"] for one in report["divergences"]]
        assert any(holds(one) for one in inputs), f"none of {inputs}"


def losses(report):
    return " ".join(limits_of(report))


def check_library_functions():
    """What the library computes is an operation: equal arguments give equal results, and conditions on it are solved."""
    body = "double y = pow(change(x, x + 1), 2); return y > 8.5 ? 1 : 0;"
    report = run("pow", f"{HEAD}int f(double x)\n{{\n    {body}\n}}\n", ["--seed", "x=2", "--mode", "concolic"])
    assert report["verdict"] == "different", losses(report)
    assert report["divergences"][0]["inputs"] == {"x": 2.0}
    assert "precision lost" not in losses(report), losses(report)


def check_errno_of_functions():
    """Which of two functions set errno last is a difference, also where all values are the same."""
    source = f"{HEAD}int f(double a, double b)\n{{\n    int r = 0;\n    if (change(1, 0))\n        r += sin(a) > 0.25;\n" \
             "    r += log(b) > 1;\n    if (change(0, 1))\n        r += sin(a) > 0.25;\n    return r;\n}\n"
    report = run("order", source, ["--mode", "complete", "--time", "20", "--native-runs", "0"])
    assert report["verdict"] == "different", report["verdict"] + losses(report)
    inputs = report["divergences"][0]["inputs"]
    assert abs(float(inputs["a"])) == math.inf and inputs["b"] == 0, inputs


def check_long_double():
    report = run("wide", f"{HEAD}int f(double x)\n{{\n    long double y = x;\n    return y * y > 2 ? change(1, 2) : 0;\n}}\n",
                 ["--mode", "complete", "--time", "20", "--max-values", "3"])
    assert "precision lost at: long double" in losses(report), losses(report)
    assert report["verdict"] != "equivalent"


def check_errno():
    """Where the program looks at errno, what sqrt() says by it must not be overlooked."""
    body = "errno = 0; double y = sqrt(x); if (errno == EDOM) return change(1, 2); return y > 4;"
    report = run("domain", f"{HEAD}int f(double x)\n{{\n    {body}\n}}\n", ["--mode", "complete", "--time", "20"])
    assert report["verdict"] == "different", report["verdict"] + losses(report)


def check_rounding_mode():
    """Other rounding than to nearest is not followed, and said so."""
    body = "fesetround(FE_UPWARD); double y = x * 0.1; return y > 1e300 ? change(1, 2) : 0;"
    report = run("upward", f"{HEAD}#include <fenv.h>\nint f(float x)\n{{\n    {body}\n}}\n",
                 ["--mode", "complete", "--time", "20"])
    assert report["verdict"] != "equivalent" and "fesetround" in losses(report), report["verdict"] + losses(report)


def check_tolerance():
    source = f"{HEAD}double f(double x)\n{{\n    return change(x / 3, x * (1.0 / 3));\n}}\n"
    options = ["--mode", "concolic", "--seed", "x=5"]
    assert run("exact", source, options)["verdict"] == "different"
    report = run("tolerant", source, [*options, "--float-tolerance", "1e-12"])
    assert report["verdict"] == "no-difference-found" and report["float_tolerance"] == 1e-12, report["verdict"]
    source = source.replace("x * (1.0 / 3)", "x / 3 + (x > 5) * 1e-3")
    report = run("beyond", source, ["--mode", "complete", "--float-tolerance", "1e-6", "--range", "x=-10..10"])
    assert report["verdict"] == "different", losses(report)
    assert 5 < report["divergences"][0]["inputs"]["x"] <= 10


def check_condition():
    """The condition of a difference, as C, is true exactly where plain builds differ."""
    source = f"{HEAD}int f(double x, float y)\n{{\n    return sqrt(x) + floor(y) > change(3, 4.5) && (int)y < 100;\n}}\n"
    report = run("condition", source, ["--mode", "complete", "--range", "x=0..50"])
    conditions = [one["differs"] for one in report["divergences"] if one["differs"] not in ("", "0")]
    assert report["verdict"] == "different" and conditions
    test = source.replace("int f(", "int f_old(").replace("change(3, 4.5)", "3") + source.replace(
        "int f(", "int f_new(").replace("change(3, 4.5)", "4.5") + """
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    for (int i = 0; i < 100000; i++) {
        double x = rand() % 5001 / 100.0;
        float y = rand() % 7 == 0 ? -NAN : rand() % 4000 / 16.0f - 20;
        if ((CONDITION) != (f_old(x, y) != f_new(x, y)))
            return 1;
    }
}
""".replace("CONDITION", " || ".join(conditions))
    path = os.path.join(SCRATCH, "condition-test")
    subprocess.run(["gcc", "-w", "-O1", "-ffp-contract=off", "-DPENUMBRA_VERSION=NEW", f"-I{os.path.dirname(ROOT)}/include", "-x", "c", "-", "-o", path,
                    "-lm"], input=test, text=True, check=True)
    assert subprocess.run([path]).returncode == 0, "it is not"


def check_words():
    """Conditions and numbers as people read them."""
    path = os.path.join(SCRATCH, "words.c")
    with open(path, "w") as file:
        file.write(f"{HEAD}double f(double x)\n{{\n    return x * 0.5 < 3 ? change(x, -x) : 1;\n}}\n")
    done = subprocess.run([PENUMBRA, "run", path, "--entry", "f", "--seed", "x=1.5", "--all", "--out", os.path.join(SCRATCH, "words")],
                          stdout=subprocess.PIPE, text=True)
    for words in (r"x=1\.5", r"when x \* 0\.5 < 3\.0", r"old  return = .*\b1\.5", r"new  return = .*-1\.5"):
        assert re.search(words, done.stdout), f"no '{words}' in {done.stdout}"


def attempt(name, function, *arguments):
    try:
        function(*arguments)
        print(f"ok {name}", flush=True)
        return True
    except Exception as problem:  # whatever happened is the test's result
        print(f"not ok {name}: {type(problem).__name__}: {' '.join(str(problem).split())}", flush=True)
        return False


def main():
    words = sys.argv[1:]
    checks = {name[6:]: value for name, value in globals().items() if name.startswith("check_") and name != "check_guard"}
    results = [attempt(name, check_guard, name) for name in GUARDS if not words or name in words]
    results += [attempt(name, check) for name, check in checks.items() if not words or name in words]
    good = pairs.run(SCRATCH, lambda name: name in words if words else name not in pairs.SLOW)
    return 0 if all(results) and good else 1


if __name__ == "__main__":
    sys.exit(main())
