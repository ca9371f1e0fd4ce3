#include "report/conditions.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum comparison { EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST, COMPARISONS, NONE = COMPARISONS };

static const char *const signs[COMPARISONS] = {" == ", " != ", " < ", " <= ", " > ", " >= "};

/* One condition, taken apart. */
struct term {
    const char *text;
    size_t name_length; /* of what is compared, at the beginning of the text */
    enum comparison comparison;
    long long number;
    bool is_dropped;
};

static bool read_number(const char *text, long long *number)
{
    char *end;
    if (*text == '\'' && text[1] && text[1] != '\\' && text[2] == '\'' && !text[3]) {
        *number = text[1];
        return true;
    }
    if (!strcmp(text, "'\\0'")) {
        *number = 0;
        return true;
    }
    *number = strtoll(text, &end, 0);
    return end > text && !*end && strlen(text) < 19;
}

/* Whether it only says that an object's address is none of the first page: `(!(p == NULL) ? 1404... : 0) + 4 >= 4096`,
 * beside a condition that says whether p is NULL. */
static bool is_about_an_address(const char *text)
{
    size_t length = strlen(text);
    const char *choice = strstr(text, " == NULL) ? ");
    return choice && strspn(choice + 12, "0123456789") >= 14 && length > 8 && !strcmp(text + length - 8, " >= 4096");
}

/* The only comparison of the text that is in no brackets. */
static void read_term(const char *text, struct term *term)
{
    int depth = 0;
    *term = (struct term){.text = text, .comparison = NONE};
    for (const char *at = text; *at; at++) {
        if (*at == '\'' && at[1])
            at += at[1] == '\\' ? 2 : 1;
        depth += (*at == '(' || *at == '[' || *at == '{') - (*at == ')' || *at == ']' || *at == '}');
        if (depth || *at != ' ')
            continue;
        enum comparison found = EQUAL;
        while (found < COMPARISONS && strncmp(at, signs[found], strlen(signs[found])))
            found++;
        bool is_other = found == NONE && strchr("?&|^", at[1]); /* binds less than a comparison */
        if (is_other || (found != NONE && term->comparison != NONE)) {
            term->comparison = NONE;
            return;
        }
        if (found == NONE)
            continue;
        term->comparison = found;
        term->name_length = (size_t)(at - text);
        if (!read_number(at + strlen(signs[found]), &term->number)) {
            term->comparison = NONE;
            return;
        }
    }
}

static bool are_about_the_same(const struct term *one, const struct term *other)
{
    return one->name_length == other->name_length && !strncmp(one->text, other->text, one->name_length);
}

static bool holds(const struct term *term, long long value)
{
    switch (term->comparison) {
    case EQUAL: return value == term->number;
    case UNEQUAL: return value != term->number;
    case LESS: return value < term->number;
    case AT_MOST: return value <= term->number;
    case GREATER: return value > term->number;
    case AT_LEAST: return value >= term->number;
    default: return false;
    }
}

/* Whether `other` holds wherever `one` does: for integers and for fractions. */
static bool implies(const struct term *one, const struct term *other)
{
    bool is_upper = one->comparison == LESS || one->comparison == AT_MOST;
    bool is_lower = one->comparison == GREATER || one->comparison == AT_LEAST;
    bool is_strict = one->comparison == LESS || one->comparison == GREATER;
    if (one->comparison == EQUAL)
        return holds(other, one->number);
    if (one->comparison == other->comparison && one->number == other->number)
        return true;
    if (is_upper && (other->comparison == LESS || other->comparison == AT_MOST || other->comparison == UNEQUAL))
        return one->number < other->number ||
               (one->number == other->number && (is_strict || other->comparison == AT_MOST));
    if (is_lower && (other->comparison == GREATER || other->comparison == AT_LEAST || other->comparison == UNEQUAL))
        return one->number > other->number ||
               (one->number == other->number && (is_strict || other->comparison == AT_LEAST));
    return false;
}

/* `x >= 8` and `x <= 8`: `x == 8`. */
static void join_bounds(struct term *one, struct term *other, struct arena *arena)
{
    bool are_bounds = (one->comparison == AT_LEAST && other->comparison == AT_MOST) ||
                      (one->comparison == AT_MOST && other->comparison == AT_LEAST);
    if (!are_bounds || one->number != other->number)
        return;
    const char *number = strrchr(one->text, ' ') + 1;
    one->comparison = EQUAL;
    one->text = arena_format(arena, "%.*s == %s", (int)one->name_length, one->text, number);
}

static void reduce(struct term *terms, size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && terms[i].comparison != NONE; k++)
            if (terms[k].comparison != NONE && are_about_the_same(&terms[i], &terms[k]))
                join_bounds(&terms[i], &terms[k], arena);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && terms[i].comparison != NONE && !terms[i].is_dropped; k++)
            if (k != i && terms[k].comparison != NONE && are_about_the_same(&terms[i], &terms[k]))
                terms[k].is_dropped |= implies(&terms[i], &terms[k]);
}

const char *const *conditions_reduce(const char *const *conditions, struct arena *arena)
{
    size_t count = 0, kept = 0;
    while (conditions[count])
        count++;
    struct term *terms = arena_allocate(arena, (count + 1) * sizeof *terms);
    const char **list = arena_allocate(arena, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++)
        read_term(conditions[i], &terms[i]);
    reduce(terms, count, arena);
    for (size_t i = 0; i < count; i++)
        if (!terms[i].is_dropped && !is_about_an_address(conditions[i]))
            list[kept++] = terms[i].text;
    return list;
}

bool condition_is_loose(const char *condition)
{
    int depth = 0;
    for (; *condition; condition++) {
        if (*condition == '\'') /* '(' or '\'' */
            condition += condition[1] == '\\' ? 3 : 2;
        depth += (*condition == '(') - (*condition == ')');
        if (depth == 0 && (!strncmp(condition, " || ", 4) || !strncmp(condition, " ? ", 3)))
            return true;
    }
    return false;
}
