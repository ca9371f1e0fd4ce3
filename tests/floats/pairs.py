"""Numerical programs that hold two versions of a function f(). The comment `/*@ WORD OPTIONS */` in each says what
Penumbra must answer in the complete mode:

    equivalent, different   that verdict
    equal, unequal          what is true: that verdict, or no-difference-found

Whatever it answers is compared with plain builds of both versions, run on thousands of sampled inputs."""

import glob
import json
import os
import re
import shlex
import subprocess


def limits_of(report):
    """The sentences that say what was cut or lost."""
    return [limit["text"] for limit in report["limits"]]

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "include")
ANSWERS = {"equivalent": ["equivalent"], "different": ["different"],
           "equal": ["equivalent", "no-difference-found"], "unequal": ["different", "no-difference-found"]}
SLOW = {"absolute_sum", "bisection_end", "exponential", "geometric", "horner", "maximum", "mean_tolerance", "midpoint",
        "newton", "rounding"}

SAMPLER = r"""
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
%(result)s f_old(%(types)s);
%(result)s f_new(%(types)s);
static uint64_t state = 88172645463325252u;
static uint64_t bits(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static double number(double low, double high, int is_float)
{
    static const double special[] = {0, -0.0, 1, -1, 0.5, 2, 3, 1e308, -1e308, INFINITY, -INFINITY, NAN, 1e-310, 0.1, 4};
    for (;;) {
        double x;
        uint64_t word = bits();
        switch (bits() %% 5) {
        case 0: x = special[bits() %% 15]; break;
        case 1: memcpy(&x, &word, 8); break;
        case 2: x = (double)(bits() %% 4001) / 8 - 250; break;
        case 3: x = low > -1e9 ? low : high < 1e9 ? high : (double)(bits() %% 7) - 3; break;
        default: x = (low > -1e9 ? low : -1e3) + (double)(bits() >> 11) * 0x1p-53 * ((high < 1e9 ? high : 1e3) - (low > -1e9 ? low : -1e3));
        }
        x = is_float ? (double)(float)x : x;
        if ((low == -INFINITY && high == INFINITY) || (x >= low && x <= high))
            return x;
    }
}
static int differ(double a, double b, double tolerance)
{
    if (memcmp(&a, &b, 8) == 0 || (isnan(a) && isnan(b)))
        return 0;
    double scale = fmax(1, fmax(fabs(a), fabs(b)));
    return !(tolerance > 0 && (a == b || (fabs(a - b) < INFINITY && fabs(a - b) <= tolerance * scale)));
}
int main(void)
{
    long differing = 0;
    for (long turn = 0; turn < %(turns)d; turn++) {
        %(make)s
        if (!(%(assume)s))
            continue;
        differing += differ((double)f_old(%(call)s), (double)f_new(%(call)s), %(tolerance)s);
    }
    printf("%%ld\n", differing);
}
"""


def read(path):
    with open(path) as file:
        text = file.read()
    word, options = re.search(r"/\*@ ([a-z]+) *(.*?) *\*/", text).groups()
    return text, word, shlex.split(options)


def values_of(options, name):
    return [options[i + 1] for i in range(len(options) - 1) if options[i] == "--" + name]


def sampler(text, options, turns):
    result, parameters = re.search(r"^(\w+) f\((.*)\)$", text, re.M).groups()
    ranges = dict(one.split("=") for one in values_of(options, "range"))
    sizes = dict(one.split("=") for one in values_of(options, "size"))
    make, call = [], []
    for parameter in parameters.split(", "):
        kind, pointer, name = re.fullmatch(r"(\w+) (\*?)(\w+)", parameter).groups()
        low, high = ranges[name].split("..") if name in ranges else ("-INFINITY", "INFINITY")
        value = f"number({low}, {high}, {int(kind == 'float')})"
        if kind == "int":
            least, most = (low, high) if name in ranges else ("-2147483648", "2147483647")
            value = f"(int)({least} + (long long)(bits() % ((unsigned long long)({most}LL - ({least}LL)) + 1)))"
        count = int(sizes.get(name, 8)) if pointer else 1
        make.append(f"{kind} {name}[{count}]; for (int i = 0; i < {count}; i++) {name}[i] = {value};")
        call.append(name if pointer else name + "[0]")
    assume = " && ".join(f"({one})" for one in values_of(options, "assume")) or "1"
    names = [re.search(r"\w+$", one).group() for one in parameters.split(", ") if "*" not in one]
    for name in names:
        assume = re.sub(rf"\b{name}\b", name + "[0]", assume)
    tolerance = (values_of(options, "float-tolerance") or ["0"])[0]
    types = ", ".join(re.sub(r"\w+$", "", one) for one in parameters.split(", "))
    return SAMPLER % dict(result=result, types=types, make="\n        ".join(make), call=", ".join(call), assume=assume,
                          tolerance=tolerance, turns=turns)


def differing_samples(path, directory, turns):
    text, _, options = read(path)
    name = os.path.join(directory, "sample-" + os.path.basename(path)[:-2])
    objects = []
    for version in ("OLD", "NEW"):
        objects.append(f"{name}-{version}.o")
        subprocess.run(["gcc", "-O0", "-w", "-ffp-contract=off", f"-DPENUMBRA_VERSION={version}",
                        f"-Df=f_{version.lower()}", f"-I{INCLUDE}", "-c", path, "-o", objects[-1]], check=True)
    subprocess.run(["gcc", "-O1", "-w", "-ffp-contract=off", "-x", "c", "-", "-x", "none", *objects, "-o", name, "-lm"],
                   input=sampler(text, options, turns), text=True, check=True)
    done = subprocess.run([name], stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return int(done.stdout)


def check(path, directory, turns=20000):
    """None when all is well, else what is wrong."""
    _, word, options = read(path)
    name = os.path.basename(path)[:-2]
    command = [os.environ["PENUMBRA"], "run", path, "--entry", "f", "--mode", "complete", "--json", "--quiet", "--out",
               os.path.join(directory, "out-" + name), "--time", "60", "--solver-time", "2", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        return f"status {done.returncode}: {done.stderr.strip()[-300:]}"
    report = json.loads(done.stdout)
    if report["verdict"] not in ANSWERS[word]:
        return f"{report['verdict']} instead of {word}: {' '.join(limits_of(report))}"
    found = differing_samples(path, directory, turns)
    if found and (report["verdict"] == "equivalent" or word in ("equivalent", "equal")):
        return f"{report['verdict']}, but {found} samples differ"
    return None


def run(directory, is_wanted):
    good = True
    for path in sorted(glob.glob(os.path.join(HERE, "*.c"))):
        name = os.path.basename(path)[:-2]
        if is_wanted(name):
            problem = check(path, directory)
            print(f"not ok {name}: {problem}" if problem else f"ok {name}", flush=True)
            good = good and not problem
    return good
