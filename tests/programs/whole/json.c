/* Reads JSON from standard input and prints it without white space; what is no JSON is an error with its place. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8 };

static char text[256];
static size_t at, length;
static int depth;

static void fail(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "json: %s at byte %zu\n", what, at);
    exit(1);
}

static void skip_space(void)
{
    while (at < length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
        at++;
}

static char peek(void)
{
    skip_space();
    return at < length ? text[at] : '\0';
}

static void expect(char character)
{
    if (peek() != character)
        fail("unexpected character");
    at++;
}

static unsigned hexadecimal(void)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++, at++) {
        char digit = at < length ? text[at] : '\0';
        if (digit >= '0' && digit <= '9')
            value = value * 16 + (unsigned)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            value = value * 16 + (unsigned)(digit - 'a') + 10;
        else
            fail("wrong escape");
    }
    return value;
}

static void put_utf8(unsigned code)
{
    if (code < 0x80) {
        putchar((int)code);
    } else if (code < 0x800) {
        putchar((int)(0xc0 | code >> 6));
        putchar((int)(0x80 | (code & 0x3f)));
    } else {
        putchar((int)(0xe0 | code >> 12));
        putchar((int)(0x80 | (code >> 6 & 0x3f)));
        putchar((int)(0x80 | (code & 0x3f)));
    }
}

static void print_string(void)
{
    expect('"');
    putchar('"');
    for (;;) {
        if (at >= length)
            fail("string without end");
        char character = text[at++];
        if (character == '"')
            break;
        if ((unsigned char)character < 0x20)
            fail("control character");
        if (character != '\\') {
            putchar(character);
            continue;
        }
        if (at >= length)
            fail("string without end");
        char escaped = text[at++];
        if (escaped == 'u')
            put_utf8(hexadecimal());
        else if (strchr("\"\\/bfnrt", escaped) && escaped)
            printf("\\%c", escaped);
        else
            fail("wrong escape");
    }
    putchar('"');
}

static void print_number(void)
{
    size_t start = at;
    if (text[at] == '-')
        at++;
    if (at < length && text[at] == '0')
        at++;
    else
        while (at < length && text[at] >= '0' && text[at] <= '9')
            at++;
    if (at == start || (text[start] == '-' && at == start + 1))
        fail("wrong number");
    if (at < length && text[at] == '.') {
        size_t point = at++;
        while (at < length && text[at] >= '0' && text[at] <= '9')
            at++;
        if (at == point + 1)
            fail("wrong number");
    }
    fwrite(text + start, 1, at - start, stdout);
}

static void print_word(const char *word)
{
    if (length - at < strlen(word) || strncmp(text + at, word, strlen(word)) != 0)
        fail("unknown word");
    at += strlen(word);
    fputs(word, stdout);
}

static void print_value(void);

static void print_list(char open, char close)
{
    if (++depth > DEEPEST)
        fail("too deep");
    expect(open);
    putchar(open);
    if (peek() != close)
        for (;;) {
            if (open == '{') {
                skip_space();
                print_string();
                expect(':');
                putchar(':');
            }
            print_value();
            if (peek() != ',')
                break;
            at++;
            putchar(',');
        }
    expect(close);
    putchar(close);
    depth--;
}

static void print_value(void)
{
    switch (peek()) {
    case '{': print_list('{', '}'); break;
    case '[': print_list('[', ']'); break;
    case '"': print_string(); break;
    case 't': print_word("true"); break;
    case 'f': print_word("false"); break;
    case 'n': print_word("null"); break;
    default: print_number(); break;
    }
}

int main(void)
{
    length = fread(text, 1, sizeof text, stdin);
    if (length == sizeof text)
        fail("too long");
    print_value();
    skip_space();
    if (at < length)
        fail("something behind the value");
    putchar('\n');
    return 0;
}
