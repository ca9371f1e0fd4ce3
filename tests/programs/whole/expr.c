/* Evaluates an expression that is given as arguments: + - * / % < <= = != >= > & | ( ) length substr index. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    bool is_number;
    long number;
    char *text;
};

static char **words;

static void fail(const char *message)
{
    fprintf(stderr, "expr: %s\n", message);
    exit(2);
}

static struct value number_of(long number)
{
    return (struct value){.is_number = true, .number = number};
}

static struct value text_of(char *text)
{
    return (struct value){.text = text};
}

static bool looks_like_number(const char *text)
{
    if (*text == '-')
        text++;
    if (!*text)
        return false;
    for (; *text; text++)
        if (*text < '0' || *text > '9')
            return false;
    return true;
}

static bool to_number(struct value *value)
{
    if (value->is_number)
        return true;
    if (!looks_like_number(value->text))
        return false;
    *value = number_of(strtol(value->text, NULL, 10));
    return true;
}

static char *to_text(struct value value)
{
    if (!value.is_number)
        return value.text;
    char *text = malloc(24);
    sprintf(text, "%ld", value.number);
    return text;
}

static bool is_null(struct value value)
{
    return value.is_number ? value.number == 0 : !*value.text || strcmp(value.text, "0") == 0;
}

static bool next_is(const char *word)
{
    if (!*words || strcmp(*words, word) != 0)
        return false;
    words++;
    return true;
}

static char *take_word(void)
{
    if (!*words)
        fail("syntax error: missing argument");
    return *words++;
}

static struct value evaluate_or(void);

static struct value substring(char *text, long position, long length)
{
    size_t have = strlen(text);
    if (position <= 0 || length <= 0 || (size_t)position > have)
        return text_of("");
    if ((size_t)length > have - (size_t)position + 1)
        length = (long)(have - (size_t)position + 1);
    char *part = malloc((size_t)length + 1);
    memcpy(part, text + position - 1, (size_t)length);
    part[length] = '\0';
    return text_of(part);
}

static struct value evaluate_single(void)
{
    if (next_is("(")) {
        struct value value = evaluate_or();
        if (!next_is(")"))
            fail("syntax error: expecting ')'");
        return value;
    }
    if (next_is("length"))
        return number_of((long)strlen(take_word()));
    if (next_is("index")) {
        char *text = take_word(), *set = take_word();
        size_t at = strcspn(text, set);
        return number_of(text[at] ? (long)at + 1 : 0);
    }
    if (next_is("substr")) {
        char *text = take_word();
        struct value position = text_of(take_word()), length = text_of(take_word());
        if (!to_number(&position) || !to_number(&length))
            return text_of("");
        return substring(text, position.number, length.number);
    }
    return text_of(take_word());
}

static struct value evaluate_product(void)
{
    struct value left = evaluate_single();
    for (;;) {
        char operator = next_is("*") ? '*' : next_is("/") ? '/' : next_is("%") ? '%' : 0;
        if (!operator)
            return left;
        struct value right = evaluate_single();
        if (!to_number(&left) || !to_number(&right))
            fail("non-integer argument");
        if (operator != '*' && right.number == 0)
            fail("division by zero");
        if (operator == '*')
            left.number *= right.number;
        else if (right.number == -1)
            left.number = operator == '/' ? -left.number : 0;
        else
            left.number = operator == '/' ? left.number / right.number : left.number % right.number;
    }
}

static struct value evaluate_sum(void)
{
    struct value left = evaluate_product();
    for (;;) {
        int sign = next_is("+") ? 1 : next_is("-") ? -1 : 0;
        if (!sign)
            return left;
        struct value right = evaluate_product();
        if (!to_number(&left) || !to_number(&right))
            fail("non-integer argument");
        left.number += sign * right.number;
    }
}

static struct value evaluate_comparison(void)
{
    static const char *const operators[] = {"<", "<=", "=", "!=", ">=", ">"};
    struct value left = evaluate_sum();
    for (;;) {
        int operator = 0;
        while (operator < 6 && !next_is(operators[operator]))
            operator++;
        if (operator == 6)
            return left;
        struct value right = evaluate_sum();
        long order;
        if (to_number(&left) && to_number(&right))
            order = left.number < right.number ? -1 : left.number > right.number;
        else
            order = strcmp(to_text(left), to_text(right));
        bool result = operator == 0   ? order < 0
                      : operator == 1 ? order <= 0
                      : operator == 2 ? order == 0
                      : operator == 3 ? order != 0
                      : operator == 4 ? order >= 0
                                      : order > 0;
        left = number_of(result);
    }
}

static struct value evaluate_and(void)
{
    struct value left = evaluate_comparison();
    while (next_is("&")) {
        struct value right = evaluate_comparison();
        if (is_null(left) || is_null(right))
            left = number_of(0);
    }
    return left;
}

static struct value evaluate_or(void)
{
    struct value left = evaluate_and();
    while (next_is("|")) {
        struct value right = evaluate_and();
        if (is_null(left))
            left = is_null(right) ? number_of(0) : right;
    }
    return left;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        fail("missing operand");
    words = argv + 1;
    struct value value = evaluate_or();
    if (*words)
        fail("syntax error: unexpected argument");
    puts(to_text(value));
    return is_null(value);
}
