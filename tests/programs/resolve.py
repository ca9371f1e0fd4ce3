"""The plain old or new version of an annotated program, as text: what somebody had before it was annotated."""

import re


def closing(text, at):
    """The place of the bracket that closes the one at `at`."""
    pairs, depth, quote = {"(": ")", "[": "]", "{": "}"}, 0, None
    while at < len(text):
        character = text[at]
        if quote:
            at += character == "\\"
            quote = None if character == quote else quote
        elif text.startswith("/*", at):
            at = text.index("*/", at) + 1
        elif character in "\"'":
            quote = character
        elif character in pairs:
            depth += 1
        elif character in pairs.values():
            depth -= 1
            if not depth:
                return at
        at += 1
    raise ValueError("a bracket is not closed")


def arguments(text):
    """The arguments of a call, split at the commas between them."""
    found, start, at = [], 0, 0
    while at < len(text):
        if text[at] in "([{":
            at = closing(text, at)
        elif text[at] in "\"'":
            quote = text[at]
            at += 1
            while text[at] != quote:
                at += 2 if text[at] == "\\" else 1
        elif text[at] == ",":
            found.append(text[start:at])
            start = at + 1
        at += 1
    return [part.strip() for part in found + [text[start:]]]


def statement_end(text, at):
    """Behind the statement that begins at `at`."""
    while text[at].isspace():
        at += 1
    if text[at] == "{":
        return closing(text, at) + 1
    head = re.match(r"(if|for|while|switch) *\(", text[at:])
    if head:
        end = statement_end(text, closing(text, at + head.end() - 1) + 1)
        other = re.match(r"\s*else\b", text[end:])
        return statement_end(text, end + other.end()) if head.group(1) == "if" and other else end
    while text[at] != ";":
        at = closing(text, at) if text[at] in "([{" else at
        at += 1
    return at + 1


CALL = re.compile(r"\b(pn_change|change|pn_size)\(")
GUARD = re.compile(r"\bif \((!?)(?:pn_)?execute\((?:PN_)?(OLD|NEW)\)\)")
GLOBAL = re.compile(r"^pn_global\(([\w.\[\]]+), (.*)\);\n", re.MULTILINE)
BOUNDS = re.compile(r"^ *pn_(?:global_)?bounds\(.*\);\n", re.MULTILINE)


def take_guards(text, version):
    while match := GUARD.search(text):
        end = statement_end(text, match.end())
        body, rest = text[match.end():end].strip(), ""
        other = re.match(r"\s*else\b", text[end:])
        if other:
            rest_end = statement_end(text, end + other.end())
            rest, end = text[end + other.end():rest_end].strip(), rest_end
        chosen = body if (match.group(2) == version) != bool(match.group(1)) else rest
        text = text[:match.start()] + (chosen or ";") + text[end:]
    return text


def next_call(text):
    """The first change() that is in no comment."""
    for match in CALL.finditer(text):
        comment = text.rfind("/*", 0, match.start())
        if comment < 0 or text.find("*/", comment) < match.start():
            return match
    return None


def in_place(text, start, end, value):
    """The value with the parentheses that it needs there."""
    alone = text[:start].rstrip()[-1:] in "(=,{;" or text[:start].rstrip().endswith("return")
    if re.fullmatch(r"[\w.]+|\"[^\"]*\"|'[^']*'", value) or (alone and text[end + 1:].lstrip()[:1] in "),;}"):
        return value
    return f"({value})"


def plain(text, version):
    text = take_guards(text, version)
    while match := next_call(text):
        end = closing(text, match.end() - 1)
        old, new = arguments(text[match.end():end])
        value = in_place(text, match.start(), end, old if version == "OLD" else new)
        text = text[:match.start()] + value + text[end + 1:]
    for match in GLOBAL.finditer(text):
        if version == "OLD":
            name = re.escape(match.group(1))
            text = re.sub(rf"^(.*\b{name} = )[^;,]*", lambda m, value=match.group(2): m.group(1) + value, text, count=1,
                          flags=re.MULTILINE)
    text = BOUNDS.sub("", GLOBAL.sub("", text))
    return re.sub(r'^#include ["<]penumbra.h[">]\n', "", text, flags=re.MULTILINE)


def shortened(text):
    """A unified text with the names that people write."""
    text = text.replace("#define PENUMBRA_NO_SHORT_NAMES\n", "").replace("pn_change(", "change(")
    return re.sub(r"pn_execute\(PN_(OLD|NEW)\)", r"execute(\\1)", text)
