/* A JSON parser that makes a tree of values. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    struct json *next;  /* beside it in an array or object */
    struct json *child; /* the first in an array or object */
    enum json_kind kind;
    char *name; /* in an object */
    char *text;
    long number;
};

enum { MOST_DEPTH = 4 };

struct parser {
    const char *at;
    int depth;
};

static struct json *parse_value(struct parser *parser);

static struct json *new_value(enum json_kind kind)
{
    struct json *value = calloc(1, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

void json_free(struct json *value)
{
    while (value) {
        struct json *next = value->next;
        json_free(value->child);
        free(value->name);
        free(value->text);
        free(value);
        value = next;
    }
}

static void skip_space(struct parser *parser)
{
    while (*parser->at && (unsigned char)*parser->at <= ' ')
        parser->at++;
}

static int hexadecimal(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

/* The four digits, or -1. */
int json_parse_hexadecimal(const char *text)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hexadecimal(text[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* The code point in UTF-8; how many bytes. */
int json_encode(unsigned code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

static char *parse_string(struct parser *parser)
{
    const char *end = parser->at + 1;
    char *text, *to;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    if (*end != '"')
        return NULL;
    to = text = malloc((size_t)(end - parser->at));
    if (!text)
        return NULL;
    for (const char *at = parser->at + 1; at < end; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        switch (*++at) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'u': {
            int code = json_parse_hexadecimal(at + 1);
            if (code < 0) {
                free(text);
                return NULL;
            }
            to += json_encode((unsigned)code, to);
            at += 4;
            break;
        }
        default: *to++ = *at;
        }
    }
    *to = 0;
    parser->at = end + 1;
    return text;
}

static long parse_number(struct parser *parser)
{
    bool is_negative = *parser->at == '-';
    long value = 0;
    parser->at += is_negative;
    while (isdigit((unsigned char)*parser->at))
        value = value * 10 + (*parser->at++ - '0');
    return is_negative ? -value : value;
}

static struct json *parse_members(struct parser *parser, enum json_kind kind, char close)
{
    struct json *whole = new_value(kind), **link;
    if (!whole)
        return NULL;
    link = &whole->child;
    parser->at++;
    skip_space(parser);
    if (*parser->at == close) {
        parser->at++;
        return whole;
    }
    for (;;) {
        char *name = NULL;
        struct json *value;
        skip_space(parser);
        if (kind == JSON_OBJECT) {
            if (*parser->at != '"' || !(name = parse_string(parser)))
                break;
            skip_space(parser);
            if (*parser->at++ != ':') {
                free(name);
                break;
            }
        }
        value = parse_value(parser);
        if (!value) {
            free(name);
            break;
        }
        value->name = name;
        *link = value;
        link = &value->next;
        skip_space(parser);
        if (*parser->at == close) {
            parser->at++;
            return whole;
        }
        if (*parser->at++ != ',')
            break;
    }
    json_free(whole);
    return NULL;
}

static struct json *parse_word(struct parser *parser, const char *word, enum json_kind kind)
{
    size_t length = strlen(word);
    if (strncmp(parser->at, word, length))
        return NULL;
    parser->at += length;
    return new_value(kind);
}

static struct json *parse_value(struct parser *parser)
{
    struct json *value = NULL;
    if (parser->depth >= MOST_DEPTH)
        return NULL;
    parser->depth++;
    skip_space(parser);
    switch (*parser->at) {
    case '{': value = parse_members(parser, JSON_OBJECT, '}'); break;
    case '[': value = parse_members(parser, JSON_ARRAY, ']'); break;
    case 'n': value = parse_word(parser, "null", JSON_NULL); break;
    case 't': value = parse_word(parser, "true", JSON_TRUE); break;
    case 'f': value = parse_word(parser, "false", JSON_FALSE); break;
    case '"':
        value = new_value(JSON_STRING);
        if (value && !(value->text = parse_string(parser))) {
            free(value);
            value = NULL;
        }
        break;
    default:
        if (*parser->at != '-' && !isdigit((unsigned char)*parser->at))
            break;
        value = new_value(JSON_NUMBER);
        if (value)
            value->number = parse_number(parser);
    }
    parser->depth--;
    return value;
}

struct json *json_parse(const char *text)
{
    struct parser parser = {text, 0};
    struct json *value = parse_value(&parser);
    skip_space(&parser);
    if (value && *parser.at) {
        json_free(value);
        return NULL;
    }
    return value;
}

size_t json_count(const struct json *whole)
{
    size_t count = 0;
    for (const struct json *child = whole->child; child; child = child->next)
        count++;
    return count;
}

struct json *json_item(const struct json *array, size_t index)
{
    struct json *child = array->child;
    while (child && index > 0) {
        child = child->next;
        index--;
    }
    return child;
}

struct json *json_member(const struct json *object, const char *name)
{
    for (struct json *child = object->child; child; child = child->next)
        if (child->name && !strcmp(child->name, name))
            return child;
    return NULL;
}

long json_number(const struct json *value, long otherwise)
{
    return value->kind == JSON_NUMBER ? value->number : otherwise;
}

struct json *json_new_number(long number)
{
    struct json *value = new_value(JSON_NUMBER);
    value->number = number;
    return value;
}

bool json_append(struct json *array, struct json *value)
{
    struct json **link = &array->child;
    if (!value || array->kind != JSON_ARRAY)
        return false;
    while (*link)
        link = &(*link)->next;
    *link = value;
    return true;
}

/* Takes the child out; it is the caller's then. */
struct json *json_detach(struct json *whole, size_t index)
{
    struct json **link = &whole->child, *child;
    while (*link && index-- > 0)
        link = &(*link)->next;
    child = *link;
    if (!child)
        return NULL;
    *link = child->next;
    child->next = NULL;
    return child;
}

/* Writes a string with its quotes; how many characters it needs, the zero left out. */
int json_print_string(char *to, size_t size, const char *text)
{
    size_t used = 0;
#define PUT(character) (used + 1 < size ? (void)(to[used] = (character)) : (void)0, used++)
    PUT('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            PUT('\\');
        PUT(*text);
    }
    PUT('"');
#undef PUT
    if (size)
        to[used < size ? used : size - 1] = 0;
    return (int)used;
}
