"""Edits as people make them, on C text that is known only by its lines and tokens. Each takes the text and a random.Random and
returns another text, or None when there is no place for it. Whether the result is C is for the compiler to say."""

import re

WORD = re.compile(r"[A-Za-z_]\w*")
# What stands before the brace of a function: `type name(parameters)`, with old-style declarations of parameters or attributes behind
# it. The type may have a line of its own, parameters may be pointers to functions.
HEAD = re.compile(r"((?:[A-Za-z_]\w*[\s\*]+)+\**)([A-Za-z_]\w*)\s*\(((?:[^;{}()]|\([^;{}()]*\))*)\)"
                  r"\s*(?:__\w+__\s*\(\(.*?\)\)\s*)*((?:[A-Za-z_][\w\s\*,\[\]]*;\s*)*)\Z", re.DOTALL)
NOT_IN_A_TYPE = re.compile(r"\b(?:if|for|while|switch|else|return|typedef|do|enum\s*\Z)\b")
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
STATEMENT = re.compile(r"^([ \t]+)((?!return\b|break\b|continue\b|goto\b|else\b|case\b|default\b|typedef\b|static\b|extern\b)"
                       r"[A-Za-z_\*(][^;{}\n#]*;)[ \t]*$", re.MULTILINE)
CALL_OR_ASSIGNMENT = re.compile(r"^[ \t]+(?:\w+(?:(?:->|\.)\w+|\[[^\]\n]*\])*\s*(?:[-+|&*/^]?=)[^=]|\w+\s*\()")
LOCAL = re.compile(r"^([ \t]+)((?:register[ \t]+)?(?:unsigned[ \t]+|signed[ \t]+)?(?:int|long|short|char|unsigned|size_t|ssize_t|u?int\d+_t|u_char|"
                   r"uInt|uLong|UInt32|Int32|Byte|U32|BYTE|bool|double|float))[ \t]+(\w+)((?:[ \t]*=[^;,\n]*)?);", re.MULTILINE)
TYPES = ["int", "long", "short", "unsigned", "unsigned char", "unsigned long", "long long"]
NUMBER = re.compile(r"(?<![\w.'\"])(\d{1,6})(?![\w.'\"])")
TABLE_NUMBER = re.compile(r"(?<![\w.'\"])(0[xX][0-9a-fA-F]+|[1-9]\d{0,8}|0)(?![\w.'\"])")
CONDITION = re.compile(r"\b(if|while) ?\(([^(){};\n]*(?:\([^(){};\n]*\)[^(){};\n]*)*)\)")
COMPARISON = re.compile(r"(?<=[\w)\] ])(==|!=|<=|>=|(?<![<>-])[<>](?![<>=]))(?=[\w( -])")
OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
MACRO = re.compile(r"^#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+(-?(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*|\(-?\d+\))[ \t]*(?:/\*.*?\*/[ \t]*)?$", re.MULTILINE)
MEMBER = re.compile(r"^([ \t]+)((?:unsigned |const |struct |volatile )*\w+[ \t*]+)(\w+)[ \t]*(\[[^\]\n]+\])?[ \t]*;[^\n]*\n", re.MULTILINE)
STRUCT = re.compile(r"^[ \t]*(?:typedef\s+)?(?:static\s+)?(?:const\s+)?(?:struct|union)\b[ \t]*\w*\s*\{[^\n]*\n([^{}]*?)^[ \t]*\}", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r"^#[ \t]*include[ \t]+[<\"][^\n]*\n", re.MULTILINE)


def replace(text, begin, end, by):
    return text[:begin] + by + text[end:]


def one(random, matches):
    matches = list(matches)
    return random.choice(matches) if matches else None


class Function:
    """A function's place in the text, spoken to like a match: 1 is what stands before the name, 2 the name, 3 the parameters, 4 the body
    with its own lines."""

    def __init__(self, text, head, base, body, end):
        self.text = text
        self.spans = [(base + head.start(), end), *((base + head.start(n), base + head.end(n)) for n in (1, 2, 3)), body]

    def start(self, number=0):
        return self.spans[number][0]

    def end(self, number=0):
        return self.spans[number][1]

    def group(self, number=0):
        return self.text[self.start(number):self.end(number)]


def masked(text):
    """Comments, strings and directives become blanks; what is left lies where it was."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def blocks(code):
    """(end of what went before, brace, closing brace) of each block at file scope. A brace in the first column closes it whatever was open:
    conditional compilation may have opened two."""
    depth, before, opened = 0, 0, 0
    for match in re.finditer(r"[{};]", code):
        at, sign = match.start(), match.group(0)
        if sign == "{":
            opened = opened if depth else at
            depth += 1
        elif sign == "}" and depth:
            depth = 0 if at == 0 or code[at - 1] == "\n" else depth - 1
            if not depth:
                yield before, opened, at
                before = at + 1
        elif sign == ";" and not depth and not re.search(r"\)\s*(?:[A-Za-z_][\w\s\*,\[\]]*;\s*)*[A-Za-z_][\w\s\*,\[\]]*\Z", code[before:at]):
            before = at + 1


def functions(text):
    code, found = masked(text), []
    for before, opened, closed in blocks(code):
        before = opened - len(code[before:opened].lstrip())
        head = HEAD.match(code[before:opened])
        if head is None or NOT_IN_A_TYPE.search(head.group(1)):
            continue
        line = text.find("\n", opened) + 1
        if 0 < line <= closed and not code[opened + 1:line].strip():
            found.append(Function(text, head, before, (line, text.rfind("\n", 0, closed) + 1), closed + 1))
    return found


def body_of(text, random):
    function = one(random, functions(text))
    return (function, function.start(4), function.end(4)) if function else None


def statements(text, random, shape=CALL_OR_ASSIGNMENT):
    """Of one function: whole lines that are one statement."""
    place = body_of(text, random)
    if not place:
        return []
    found = [match for match in STATEMENT.finditer(text, place[1], place[2]) if shape is None or shape.match(match.group(0))]
    # not the body of an `if` without braces: the line before ends a statement or opens a block
    return [match for match in found if text[:match.start()].rstrip()[-1:] in (";", "{", "}")]


# ---- statements ----

def insert_statement(text, random):
    match = one(random, statements(text, random))
    local = one(random, LOCAL.finditer(text, 0, match.start())) if match else None
    if not local:
        return None
    line = f"{match.group(1)}{local.group(3)} {random.choice(['+=', '-=', '='])} {random.randrange(1, 9)};\n"
    return replace(text, match.start(), match.start(), line)


def copy_statement(text, random):
    match = one(random, statements(text, random))
    return replace(text, match.end(), match.end(), "\n" + match.group(0)) if match else None


def delete_statement(text, random):
    match = one(random, statements(text, random))
    return replace(text, match.start(), match.end(), "") if match else None


def move_statement(text, random):
    found = statements(text, random)
    if len(found) < 2:
        return None
    first, second = sorted(random.sample(found, 2), key=lambda match: match.start())
    text = replace(text, second.start(), second.end(), first.group(0))
    return replace(text, first.start(), first.end(), second.group(0))


def wrap_statement(text, random):
    match = one(random, statements(text, random))
    if not match:
        return None
    names = WORD.findall(match.group(2))
    head = random.choice([f"if ({names[0]})" if names else "if (1)", "if (1)", "do", "for (int wrapped = 0; wrapped < 2; wrapped++)"])
    tail = " while (0);" if head == "do" else ""
    return replace(text, match.start(), match.end(), f"{match.group(1)}{head} {{\n    {match.group(0)}\n{match.group(1)}}}{tail}")


def unwrap_statement(text, random):
    match = one(random, re.finditer(r"^([ \t]+)if ?\([^{}\n]*\)\s*\{[ \t]*\n([^{}#]*?)^[ \t]+\}[ \t]*$(?!\s*else)", text, re.MULTILINE))
    return replace(text, match.start(), match.end(), match.group(2).rstrip("\n")) if match else None


def wrap_all(text, random):
    place = body_of(text, random)
    if not place or "\n#" in text[place[1]:place[2]]:
        return None
    return replace(text, place[1], place[2], "    {\n" + text[place[1]:place[2]] + "    }\n")


def early_return(text, random):
    match = one(random, statements(text, random))
    if not match:
        return None
    function = [one for one in functions(text) if one.start() < match.start() < one.end()]
    is_void = re.search(r"\bvoid\s*$", function[0].group(1)) if function else False
    return replace(text, match.start(), match.start(), f"{match.group(1)}if (0)\n{match.group(1)}    return{'' if is_void else ' 0'};\n")


# ---- values and conditions ----

def change_constant(text, random):
    place = body_of(text, random)
    match = one(random, NUMBER.finditer(text, place[1], place[2])) if place else None
    return replace(text, match.start(), match.end(), str(int(match.group(1)) + random.choice([1, 2, 10]))) if match else None


def change_comparison(text, random):
    place = body_of(text, random)
    match = one(random, COMPARISON.finditer(text, place[1], place[2])) if place else None
    return replace(text, match.start(1), match.end(1), OTHER[match.group(1)]) if match else None


def negate_condition(text, random):
    match = one(random, CONDITION.finditer(text))
    return replace(text, match.start(2), match.end(2), f"!({match.group(2)})") if match else None


def add_clause(text, random):
    match = one(random, CONDITION.finditer(text))
    names = [name for name in WORD.findall(match.group(2)) if name not in ("sizeof", "NULL")] if match else []
    if not names:
        return None
    return replace(text, match.start(2), match.end(2), f"({match.group(2)}) {random.choice(['&&', '||'])} {random.choice(names)} != 0")


def drop_clause(text, random):
    match = one(random, re.finditer(r"(?<![\w.>])(\w+|\w+ [=<>!]=? \w+|\w+(?:->|\.)\w+) ?(?:&&|\|\|) ?!?(\w+(?:(?:->|\.)\w+)?(?: [=<>!]=? \w+)?)(?= ?(?:\)|&&|\|\|))", text))
    return replace(text, match.start(), match.end(), match.group(1)) if match else None


def change_operator(text, random):
    place = body_of(text, random)
    match = one(random, re.finditer(r"(?<=[\w)\]]) ?([-+*&|]) ?(?=[\w(])(?![=>])", text[place[1]:place[2]])) if place else None
    if not match:
        return None
    return replace(text, place[1] + match.start(1), place[1] + match.end(1), random.choice("+-*&|"))


def change_string(text, random):
    place = body_of(text, random)
    match = one(random, re.finditer(r'"[^"\\\n%]{2,}"', text[place[1]:place[2]])) if place else None
    return replace(text, place[1] + match.end() - 1, place[1] + match.end() - 1, "!") if match else None


# ---- declarations ----

def change_local_type(text, random):
    match = one(random, LOCAL.finditer(text))
    return replace(text, match.start(2), match.end(2), random.choice(TYPES)) if match else None


def change_loop_type(text, random):
    match = one(random, re.finditer(r"for ?\( ?(int|unsigned|size_t|long|unsigned int|uint32_t|uint8_t) ", text))
    return replace(text, match.start(1), match.end(1), random.choice(TYPES)) if match else None


def declare_in_loop(text, random):
    match = one(random, re.finditer(r"for ?\( ?(\w+) ?= ?", text))
    return replace(text, match.start(1), match.start(1), random.choice(TYPES) + " ") if match else None


def change_parameter_type(text, random):
    function = one(random, functions(text))
    match = re.search(r"\b(int|long|unsigned|char|size_t|unsigned int|uint\d+_t|uInt|uLong|UInt32|Int32) (?=\w+\b(?!\s*[(*]))", function.group(3)) if function else None
    if not match:
        return None
    begin = function.start(3) + match.start(1)
    return replace(text, begin, begin + len(match.group(1)), random.choice(TYPES))


def change_result_type(text, random):
    function = one(random, functions(text))
    match = re.search(r"\b(int|long|unsigned|char|size_t|bool|uint\d+_t|uInt|uLong|UInt32|Int32)\s*$", function.group(1)) if function else None
    if not match:
        return None
    begin = function.start(1) + match.start(1)
    return replace(text, begin, begin + len(match.group(1)), random.choice(TYPES))


def rename_in(text, begin, end, name, other):
    part = re.sub(rf"(?<![\w.])(?<!->){name}\b", other, text[begin:end])
    return replace(text, begin, end, part)


def rename_local(text, random):
    place = body_of(text, random)
    match = one(random, LOCAL.finditer(text, place[1], place[2])) if place else None
    return rename_in(text, place[1], place[2], match.group(3), match.group(3) + "_renamed") if match else None


def rename_parameter(text, random):
    function = one(random, functions(text))
    names = re.findall(r"(\w+)\s*(?:,|$)", function.group(3)) if function else []
    names = [name for name in names if name not in ("void", "int", "char", "long")]
    if not names:
        return None
    name = random.choice(names)
    return rename_in(text, function.start(3), function.end(), name, name + "_renamed")


def rename_function(text, random):
    function = one(random, functions(text))
    if not function or function.group(2) == "main":
        return None
    return re.sub(rf"\b{function.group(2)}\b", function.group(2) + "_renamed", text)


def add_local(text, random):
    place = body_of(text, random)
    if not place:
        return None
    kind, value = random.choice(TYPES), random.choice(["", f" = {random.randrange(9)}", f"[{random.randrange(1, 9)}] = {{1}}"])
    return replace(text, place[1], place[1], f"    {kind} added{value};\n    (void)added;\n")


def split_declaration(text, random):
    match = one(random, re.finditer(r"^([ \t]+)((?:register )?(?:unsigned )?\w+)[ \t]+(\w+)[ \t]*,[ \t]*(\w+);", text, re.MULTILINE))
    return replace(text, match.start(), match.end(), "{0}{1} {2};\n{0}{1} {3};".format(*match.groups())) if match else None


def split_initialiser(text, random):
    match = one(random, (local for local in LOCAL.finditer(text) if local.group(4).strip()))
    if not match:
        return None
    indentation, kind, name, value = match.groups()
    return replace(text, match.start(), match.end(), f"{indentation}{kind} {name};\n{indentation}{name}{value};")


def make_static(text, random):
    match = one(random, (local for local in LOCAL.finditer(text) if not local.group(4).strip()))
    return replace(text, match.start(2), match.start(2), "static ") if match else None


# ---- functions ----

def add_parameter(text, random):
    function = one(random, functions(text))
    if not function or function.group(2) == "main" or len(re.findall(rf"\b{function.group(2)}\b", text)) > 1:
        return None
    given = function.group(3).strip()
    return replace(text, function.start(3), function.end(3), "int added" if given in ("", "void") else given + ", int added")


def reorder_functions(text, random):
    found = functions(text)
    if len(found) < 2:
        return None
    number = random.randrange(len(found) - 1)
    first, second = found[number], found[number + 1]
    between = text[first.end():second.start()]
    if "#" in between:
        return None
    return text[:first.start()] + second.group(0) + between + first.group(0) + text[second.end():]


def add_function(text, random):
    function = one(random, functions(text))
    return replace(text, function.start(), function.start(), "static int added(int x)\n{\n    return x + 1;\n}\n\n") if function else None


def delete_function(text, random):
    function = one(random, functions(text))
    return replace(text, function.start(), function.end(), "") if function else None


def extract_function(text, random):
    match = one(random, statements(text, random, re.compile(r"[ \t]+(?:int |long |size_t )?\w+\s*=\s*[^=]")))
    function = [one for one in functions(text) if match and one.start() < match.start() < one.end()]
    if not function:
        return None
    parts = re.match(r"((?:int |long |size_t )?\w+)\s*=\s*(.*);", match.group(2))
    name, value = parts.groups() if parts else (None, None)
    if not name or not re.fullmatch(r"[\w +*/%&|<>^()-]+", value) or re.search(r"\w\s*\(|\)\s*[\w(*]|(?:^|[^\w) ])\s*[*&]", value):
        return None
    names = sorted({word for word in WORD.findall(value) if word not in ("sizeof", "NULL") and not word.isupper()})
    text = replace(text, match.start(2), match.end(2), f"{name} = extracted({', '.join(names)});")
    parameters = ", ".join("long " + word for word in names) or "void"
    return replace(text, function[0].start(), function[0].start(), f"static long extracted({parameters})\n{{\n    return {value};\n}}\n\n")


def inline_value(text, random):
    """`x = f(a);` becomes what a function that only returns something returns, with its parameters named."""
    simple = []
    for function in functions(text):
        value = re.fullmatch(r"\s*return\b([^;{}]*);\s*", function.group(4))
        names = [re.search(r"(\w+)\s*$", one) for one in function.group(3).split(",")] if function.group(3).strip() not in ("", "void") else []
        if value and all(names):
            simple.append((function, value.group(1).strip(), [name.group(1) for name in names]))
    uses = [(value, names, use) for function, value, names in simple
            for use in re.finditer(rf"\b{function.group(2)}\s*\(([^()\n]*)\)(?!\s*[{{;]\s*\n\w)", text[function.end():])
            for use in [(function.end() + use.start(), function.end() + use.end(), use.group(1))]]
    if not uses:
        return None
    value, names, (begin, end, given) = random.choice(uses)
    arguments = [one.strip() for one in given.split(",")] if given.strip() else []
    if len(arguments) != len(names):
        return None
    for name, argument in zip(names, arguments):
        value = re.sub(rf"(?<![\w.])(?<!->){name}\b", lambda _, argument=argument: f"({argument})", value)
    return replace(text, begin, end, f"({value})")


def make_function_static(text, random):
    function = one(random, functions(text))
    if not function or function.group(2) == "main":
        return None
    if function.group(1).startswith("static "):
        return replace(text, function.start(1), function.start(1) + len("static "), "")
    return replace(text, function.start(1), function.start(1), "static ")


# ---- macros, types, included files ----

def change_macro(text, random):
    match = one(random, MACRO.finditer(text))
    return replace(text, match.start(2), match.end(2), f"({match.group(2)} + 1)") if match else None


def macro_to_function(text, random):
    match = one(random, MACRO.finditer(text))
    return replace(text, match.start(), match.end(), f"enum {{ {match.group(1)} = {match.group(2)} }};") if match else None


def constant_to_macro(text, random):
    place = body_of(text, random)
    match = one(random, NUMBER.finditer(text, place[1], place[2])) if place else None
    if not match:
        return None
    text = replace(text, match.start(), match.end(), "NAMED_NUMBER")
    return replace(text, place[0].start(), place[0].start(), f"#define NAMED_NUMBER {match.group(1)}\n")


def members(text, random):
    struct = one(random, STRUCT.finditer(text))
    return list(MEMBER.finditer(text, struct.start(1), struct.end(1))) if struct else []


def add_member(text, random):
    match = one(random, members(text, random))
    return replace(text, match.start(), match.start(), f"{match.group(1)}int added_member;\n") if match else None


def delete_member(text, random):
    match = one(random, members(text, random))
    return replace(text, match.start(), match.end(), "") if match else None


def reorder_members(text, random):
    found = members(text, random)
    if len(found) < 2:
        return None
    first, second = sorted(random.sample(found, 2), key=lambda match: match.start())
    text = replace(text, second.start(), second.end(), first.group(0))
    return replace(text, first.start(), first.end(), second.group(0))


def change_member_type(text, random):
    match = one(random, members(text, random))
    return replace(text, match.start(2), match.end(2), random.choice(TYPES) + " ") if match else None


def pack_struct(text, random):
    match = one(random, STRUCT.finditer(text))
    return replace(text, match.end(), match.end(), " __attribute__((packed))") if match else None


def change_enumeration(text, random):
    match = one(random, re.finditer(r"enum\s*\w*\s*\{\s*(?:/\*.*?\*/\s*)?(\w+)\s*(?==|,|\})", text))
    return replace(text, match.end(1), match.end(1), ", ADDED_CONSTANT") if match else None


def change_table(text, random):
    match = one(random, re.finditer(r"^[ \t]*(?:static )?(?:const )?[\w \*]+\w+ ?\[[^\]\n]*\]\s*=\s*\{([^;]*?)\};", text, re.MULTILINE))
    number = one(random, TABLE_NUMBER.finditer(text, match.start(1), match.end(1))) if match else None
    return replace(text, number.start(), number.end(), str(int(number.group(1), 0) ^ 1)) if number else None


def change_global(text, random):
    match = one(random, re.finditer(r"^(?:static\s+)?(?:unsigned\s+)?(?:int|long|unsigned|char|short|bool|size_t)\s+\w+(\s*=\s*\w+)?;", text, re.MULTILINE))
    return replace(text, match.start(1) if match.group(1) else match.end() - 1, match.end(), f" = {random.randrange(9)};") if match else None


def change_global_type(text, random):
    match = one(random, re.finditer(r"^(?:static\s+)?(int|long|unsigned|short|bool|size_t|unsigned int)\s+\w+(?:\s*=\s*\w+)?;", text, re.MULTILINE))
    return replace(text, match.start(1), match.end(1), random.choice(TYPES)) if match else None


def add_include(text, random):
    match = one(random, INCLUDE.finditer(text))
    return replace(text, match.start(), match.start(), f"#include <{random.choice(['stddef.h', 'limits.h', 'errno.h', 'ctype.h'])}>\n") if match else None


def reorder_includes(text, random):
    found = list(INCLUDE.finditer(text))
    pairs = [(a, b) for a, b in zip(found, found[1:]) if a.end() == b.start()]
    pair = one(random, pairs)
    return replace(text, pair[0].start(), pair[1].end(), pair[1].group(0) + pair[0].group(0)) if pair else None


def move_declaration(text, random):
    """A prototype goes further up or down."""
    match = one(random, re.finditer(r"^(?:static |extern )?\w+[ \*]+\w+\s*\([^;{}]*\);\n", text, re.MULTILINE))
    last = list(INCLUDE.finditer(text))
    if not match or not last or match.start() < last[-1].end():
        return None
    return replace(replace(text, match.start(), match.end(), ""), last[-1].end(), last[-1].end(), match.group(0))


def add_comment(text, random):
    match = one(random, statements(text, random))
    return replace(text, match.start(), match.start(), f"{match.group(1)}/* a remark */\n") if match else None


EDITS = [edit for edit in list(globals().values()) if callable(edit) and getattr(edit, "__code__", None)
         and edit.__code__.co_varnames[:2] == ("text", "random") and edit.__name__ not in ("body_of", "statements", "members", "masked")]
