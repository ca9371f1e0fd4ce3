"""Reads functions in the small part of C in which the programs beside this file are written: where expressions and
statements begin and end. Everything else (types, preprocessor lines, comments) is passed over."""

import re

TOKEN = re.compile(r"(?P<skip>\s+|/\*.*?\*/|#[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<number>\d\w*)|"
                   r"(?P<mark><<=|>>=|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|[-+*/%&|^<>=!~?:;,.(){}\[\]])", re.DOTALL)
TYPES = {"int", "unsigned", "char", "short", "long", "signed", "void", "static", "const"}
PRECEDENCE = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
              ["*", "/", "%"]]
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


class Node:
    """An expression: its kind (binary, unary, call, index, name, number, ternary, assignment, group, cast, increment),
    its operator or name, its place in the text, and what it is made of."""

    def __init__(self, kind, what, start, end, parts=()):
        self.kind, self.what, self.start, self.end, self.parts = kind, what, start, end, list(parts)

    def walk(self):
        yield self
        for part in self.parts:
            yield from part.walk()


class Statement:
    """Its kind (block, if, while, for, return, declaration, expression), its place, and what it is made of. `is_last`
    says that the function ends behind it."""

    def __init__(self, kind, start):
        self.kind, self.start, self.end = kind, start, start
        self.expressions, self.statements, self.is_last = [], [], False

    def walk(self):
        yield self
        for statement in self.statements:
            yield from statement.walk()


class Function:
    def __init__(self, name, body):
        self.name, self.body = name, body
        for statement in body.statements[-1:]:
            statement.is_last = True


class Reader:
    def __init__(self, text):
        self.text, self.tokens, at = text, [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"cannot read {text[at:at + 20]!r}")
            if match.lastgroup != "skip":
                self.tokens.append((match.lastgroup, match[0], match.start(), match.end()))
            at = match.end()
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def start(self):
        return self.tokens[self.at][2]

    def end(self):
        return self.tokens[self.at - 1][3]

    def take(self, expected=None):
        word = self.peek()
        if expected is not None and word != expected:
            raise ValueError(f"{expected} expected at {self.text[self.start():self.start() + 30]!r}")
        self.at += 1
        return word

    # ---- declarations ----

    def functions(self):
        found = []
        while self.at < len(self.tokens):
            if self.peek() == "{":
                found.append(Function(self.name_before(), self.block()))
            else:
                self.at += 1
        return found

    def name_before(self):
        """The parenthesis before the body closes the parameters."""
        at, depth = self.at - 1, 0
        while True:
            depth += {")": 1, "(": -1}.get(self.tokens[at][1], 0)
            at -= 1
            if depth == 0:
                return self.tokens[at][1]

    # ---- statements ----

    def block(self):
        statement = Statement("block", self.start())
        self.take("{")
        while self.peek() != "}":
            statement.statements.append(self.statement())
        self.take("}")
        statement.end = self.end()
        return statement

    def statement(self):
        word = self.peek()
        if word == "{":
            return self.block()
        statement = Statement("expression", self.start())
        if word in ("if", "while"):
            self.condition(statement, word)
        elif word == "for":
            self.loop(statement)
        elif word == "return":
            statement.kind = self.take()
            if self.peek() != ";":
                statement.expressions.append(self.expression())
            self.take(";")
        elif word in TYPES:
            self.declaration(statement)
        else:
            statement.expressions.append(self.expression())
            self.take(";")
        statement.end = self.end()
        return statement

    def condition(self, statement, word):
        statement.kind = self.take()
        self.take("(")
        statement.expressions.append(self.expression())
        self.take(")")
        statement.statements.append(self.statement())
        if word == "if" and self.peek() == "else":
            self.take()
            statement.statements.append(self.statement())

    def loop(self, statement):
        statement.kind = self.take()
        self.take("(")
        self.declaration(Statement("declaration", self.start()))
        statement.expressions.append(self.expression())
        self.take(";")
        self.expression()
        self.take(")")
        statement.statements.append(self.statement())

    def declaration(self, statement):
        statement.kind = "declaration"
        while self.peek() in TYPES:
            self.take()
        self.take()
        if self.peek() == "=":
            self.take()
            statement.expressions.append(self.expression())
        self.take(";")

    # ---- expressions ----

    def expression(self):
        start, left = self.start(), self.ternary()
        if self.peek() not in ASSIGNMENTS:
            return left
        operator = self.take()
        return Node("assignment", operator, start, *self.until([left, self.expression()]))

    def until(self, parts):
        return self.end(), parts

    def ternary(self):
        start, condition = self.start(), self.binary(0)
        if self.peek() != "?":
            return condition
        self.take()
        first = self.expression()
        self.take(":")
        return Node("ternary", "?", start, *self.until([condition, first, self.ternary()]))

    def binary(self, level):
        if level == len(PRECEDENCE):
            return self.unary()
        start, left = self.start(), self.binary(level + 1)
        while self.peek() in PRECEDENCE[level]:
            operator = self.take()
            left = Node("binary", operator, start, *self.until([left, self.binary(level + 1)]))
        return left

    def unary(self):
        start = self.start()
        if self.peek() in ("-", "!", "~"):
            operator = self.take()
            return Node("unary", operator, start, *self.until([self.unary()]))
        if self.peek() == "(" and self.peek(1) in TYPES:
            while self.take() != ")":
                pass
            return Node("cast", "", start, *self.until([self.unary()]))
        return self.postfix()

    def postfix(self):
        start, node = self.start(), self.primary()
        while self.peek() in ("(", "[", "++", "--"):
            mark = self.take()
            if mark == "(":
                arguments = []
                while self.peek() != ")":
                    arguments.append(self.expression())
                    if self.peek() == ",":
                        self.take()
                self.take(")")
                node = Node("call", node.what, start, *self.until(arguments))
            elif mark == "[":
                index = self.expression()
                self.take("]")
                node = Node("index", node.what, start, *self.until([index]))
            else:
                node = Node("increment", mark, start, *self.until([node]))
        return node

    def primary(self):
        start, kind = self.start(), self.tokens[self.at][0]
        word = self.take()
        if word == "(":
            inner = self.expression()
            self.take(")")
            return Node("group", "", start, *self.until([inner]))
        if kind not in ("name", "number"):
            raise ValueError(f"cannot read {self.text[start:start + 30]!r}")
        return Node(kind, word, start, self.end())
