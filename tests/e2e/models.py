#!/usr/bin/env python3
"""Library functions that have models: from one input of zeros, what guards a patched line is solved. The programs are in
tests/programs/models.c."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import Report, case, limits_of, line_of, run_cases

PROGRAM = "models.c"


def text(values):
    """The string at the beginning of an array of characters."""
    if isinstance(values, str):
        return values
    values = [value % 256 for value in values]
    return bytes(values[:values.index(0)] if 0 in values else values).decode("latin-1")


def complete(entry, *options):
    return Report(PROGRAM, entry, [], ["--mode", "complete", "--no-alloc-fail", "--time", "40", *options])


def loud(report, *classes):
    return [one for one in report.divergences if one["class"] in (classes or ("output",))]


def solved(entry, holds, *options):
    """The versions differ, and every input that shows it fulfils the condition."""
    def check():
        report = complete(entry, *options)
        assert report.verdict == "different", (report.verdict, limits_of(report.document))
        for divergence in loud(report):
            assert holds(**divergence["inputs"]), divergence["inputs"]
        assert loud(report), report.divergences
        assert not report.counts["mispredictions"], limits_of(report.document)
    check.__name__ = entry
    return case(check)


def number(s):
    digits = text(s).lstrip(" \t\n\v\f\r")
    sign, digits = (digits[0], digits[1:]) if digits[:1] in ("-", "+") else ("", digits)
    end = next((i for i, c in enumerate(digits) if c not in "0123456789"), len(digits))
    return int(sign + digits[:end] or "0")


def hexadecimal(s):
    before = text(s).partition(";")[0].strip(" \t\n\v\f\r")
    return ";" in text(s) and int(before, 16) == 0xbeef


solved("by_strcmp", lambda s: text(s) == "open sesame")
solved("by_strlen", lambda s: len(text(s)) == 13)
solved("by_strstr", lambda s: "pen" in text(s))
solved("by_atoi", lambda s: number(s) == -4711)
solved("by_strtol", hexadecimal)
solved("by_mbrtowc", lambda s: [("upper" if c.isupper() else "digit" if c.isdigit() else "") for c in text(s)][-3:] == ["upper", "digit", "upper"])
solved("by_sscanf", lambda s: [number(part) for part in text(s).split("/")] == [24, 12])
solved("by_hash_table", lambda s: text(s) == "six")
solved("by_linked_list", lambda s: sorted(s)[:3] == [7, 9, 200])
solved("by_switch", lambda x: x == 77)
solved("by_accumulator", lambda s: sum(value * 3 ** (11 - i) for i, value in enumerate(s)) == 123456)
solved("by_kinds", lambda s: text(s)[0] == "Q" and text(s)[1].isdigit() and text(s)[3] in "abcdefABCDEF")
solved("by_tokens", lambda s: [token for token in text(s).split(",") if token][:2] == ["ab", "cd"])
solved("by_sorting", lambda s: sorted(s) == [97, 98, 99, 100])
solved("by_pointer", lambda s: text(s) == "here")
solved("by_error", lambda s: not -2 ** 63 <= number(s) < 2 ** 63, "--max-paths", "60")
solved("by_random", lambda x: True)
solved("by_format", lambda x: x == 217)


@case
def another_key():
    report = complete("another_key")
    found = {text(one["inputs"]["s"])[:4] for one in loud(report)}
    assert found == {"key", "kex"}, found
    for divergence in loud(report):
        location = divergence["location"]
        assert location.get("called") == "strcmp", location
        assert location["line"] == line_of(PROGRAM, 'change("key", "kex")'), location
    assert all(not line["outcome"] for group in report.document["groups"] for line in group["source"]), report.document["groups"]


@case
def one_version_copies():
    report = complete("one_version_copies")
    assert loud(report) and all(len(text(one["inputs"]["s"])) == 6 for one in loud(report)), report.divergences


@case
def reads_beyond():
    report = complete("reads_beyond")
    found = loud(report, "regression")
    assert [one["inputs"]["n"] for one in found] == [4] and 0 not in found[0]["inputs"]["s"], report.divergences
    assert f"models.c:{line_of(PROGRAM, 'return (int)strlen(s)')}:" in found[0]["new"]["location"], found[0]["new"]


@case
def writes_beyond():
    report = complete("writes_beyond")
    found = loud(report, "regression")
    assert [len(text(one["inputs"]["s"])) for one in found] == [4], report.divergences
    assert f"models.c:{line_of(PROGRAM, 'change(4, 5)') + 1}:" in found[0]["new"]["location"], found[0]["new"]


def same(entry):
    def check():
        report = complete(entry)
        assert report.verdict == "equivalent", (report.verdict, limits_of(report.document), report.divergences)
    check.__name__ = entry
    return case(check)


same("same_length")
same("same_comparison")
same("same_number")
same("same_output")
same("same_output_apart")


@case
def another_output():
    report = complete("another_output")
    assert [text(one["inputs"]["s"])[:2] for one in loud(report)] == ["qr"], report.divergences


def checksum(entry, is_solved):
    """64 KiB of input: solved, or counted as unknown, in bounded memory."""
    def check():
        report = Report(PROGRAM, entry, ["s={0}"], ["--mode", "concolic"])
        assert (report.verdict == "different" and is_solved(report.divergences[0]["inputs"]["s"])
                or report.counts["unknowns"] == 1), (report.verdict, limits_of(report.document))
        most = 1 << 32 if os.environ.get("PENUMBRA_TEST_SANITIZED") else 300 << 20
        assert report.counts["peak_memory"] < most, report.counts
        assert "a trace outgrew its tables" not in str(limits_of(report.document)), limits_of(report.document)
    check.__name__ = f"checksum_{entry}"
    return case(check)


def exclusive_or(values):
    result = 0
    for value in values:
        result ^= value
    return result in (0x5a, 0x5b)


checksum("exclusive_or", exclusive_or)
checksum("polynomial", lambda values: True)


@case
def nothing_is_read_behind_a_text():
    report = Report(PROGRAM, "before_nothing", ["s=\"a\""], ["--mode", "concolic"])
    assert [one["class"] for one in report.divergences] == ["output"], report.divergences


@case
def labels_that_a_function_left_behind_are_not_those_of_a_text():
    report = Report(PROGRAM, "after_labels", ["s=\"1\""], ["--mode", "complete"])
    assert not report.counts["mispredictions"] + report.counts["stale_labels"], report.counts


@case
def text_of_a_float_is_bound_by_name():
    report = complete("by_strtod", "--max-values", "3")
    assert any(line.startswith("precision lost at: strtod x") for line in limits_of(report.document)), report.document
    assert report.verdict != "equivalent"


@case
def a_function_without_a_model_is_named():
    report = complete("by_something_else")
    assert any(line.startswith("precision lost at: a64l x") for line in limits_of(report.document)), \
        limits_of(report.document)
    assert report.verdict == "no-difference-found", report.verdict


sys.exit(run_cases())
