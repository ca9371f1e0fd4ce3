/* The bytes that are read are joined to the words that the conditions join them to. A condition that compares a word
 * with a constant says where its values lie; all others are only evaluated. */
#include "solve/enumerate.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 8,
    MOST_DEPTH = 32,
    WORD_BYTES = 8,
    MOST_EXPRESSIONS = 4096,  /* in the conditions */
    MOST_WORK = 40 * 1000000, /* expressions that are evaluated */
};

/* Values from `first` on, so many; of the given width, and as they are in `places`, the lowest byte first. */
struct word {
    expr_id id;
    unsigned width;
    uint32_t places[WORD_BYTES];
    uint64_t least, greatest; /* as an unsigned number */
    int64_t signed_least, signed_greatest;
    uint64_t first, count;
};

struct enumeration {
    struct expr_table *table;
    expr_id *cone;
    size_t cone_count, cone_capacity;
    uint8_t *is_listed; /* by expression */
    size_t listed_capacity;
    struct word words[MOST_WORDS];
    size_t word_count;
};

struct enumeration *enumeration_create(struct expr_table *table)
{
    size_t capacity = 0;
    struct enumeration *enumeration = array_reserve(NULL, &capacity, 1, sizeof *enumeration);
    *enumeration = (struct enumeration){.table = table};
    return enumeration;
}

void enumeration_destroy(struct enumeration *enumeration)
{
    free(enumeration->cone);
    free(enumeration->is_listed);
    free(enumeration);
}

/* ---- words ---- */

static void list(struct enumeration *enumeration, expr_id id)
{
    if (enumeration->is_listed[id])
        return;
    enumeration->is_listed[id] = true;
    enumeration->cone = array_reserve(enumeration->cone, &enumeration->cone_capacity, enumeration->cone_count + 1,
                                      sizeof *enumeration->cone);
    enumeration->cone[enumeration->cone_count++] = id;
}

/* Everything below the conditions; false: there is too much of it. */
static bool list_all(struct enumeration *enumeration, const expr_id *conditions, size_t count)
{
    enumeration->is_listed = array_reserve_zeroed(enumeration->is_listed, &enumeration->listed_capacity,
                                                  expr_count(enumeration->table), sizeof *enumeration->is_listed);
    enumeration->cone_count = 0;
    for (size_t i = 0; i < count; i++)
        list(enumeration, conditions[i]);
    for (size_t next = 0; next < enumeration->cone_count && enumeration->cone_count <= MOST_EXPRESSIONS; next++) {
        const struct expr *expr = expr_get(enumeration->table, enumeration->cone[next]);
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            list(enumeration, expr_child(expr, i));
    }
    for (size_t i = 0; i < enumeration->cone_count; i++)
        enumeration->is_listed[enumeration->cone[i]] = false;
    return enumeration->cone_count <= MOST_EXPRESSIONS;
}

/* Bytes of the input that are joined, and nothing else. */
static bool read_places(const struct enumeration *enumeration, expr_id id, struct word *word)
{
    const struct expr *expr = expr_get(enumeration->table, id);
    if (expr->operation == PN_INPUT && word->width / 8 < WORD_BYTES) {
        word->places[word->width / 8] = expr->a;
        word->width += 8;
        return true;
    }
    return expr->operation == PN_CONCAT && read_places(enumeration, expr->b, word) &&
           read_places(enumeration, expr->a, word);
}

static bool has_place(const struct enumeration *enumeration, uint32_t place)
{
    for (size_t i = 0; i < enumeration->word_count; i++)
        for (unsigned k = 0; k < enumeration->words[i].width / 8; k++)
            if (enumeration->words[i].places[k] == place)
                return true;
    return false;
}

static bool is_new(const struct enumeration *enumeration, const struct word *word, size_t size)
{
    for (unsigned k = 0; k < word->width / 8; k++)
        if (word->places[k] >= size || has_place(enumeration, word->places[k]))
            return false;
    return true;
}

static bool add_word(struct enumeration *enumeration, struct word word)
{
    if (enumeration->word_count == MOST_WORDS)
        return false;
    word.greatest = UINT64_MAX >> (64 - word.width);
    word.signed_greatest = (int64_t)(word.greatest >> 1);
    word.signed_least = -word.signed_greatest - 1;
    enumeration->words[enumeration->word_count++] = word;
    return true;
}

/* The longest ones first; a byte that is in none is one by itself. What lies behind the input is zero. */
static bool find_words(struct enumeration *enumeration, const struct byte_list *bytes, size_t size)
{
    enumeration->word_count = 0;
    for (unsigned width = 64; width > 8; width -= 8)
        for (size_t i = 0; i < enumeration->cone_count; i++) {
            struct word word = {.id = enumeration->cone[i]};
            const struct expr *expr = expr_get(enumeration->table, word.id);
            if (expr->operation == PN_CONCAT && expr->width == width && read_places(enumeration, word.id, &word) &&
                is_new(enumeration, &word, size) && !add_word(enumeration, word))
                return false;
        }
    for (size_t i = 0; i < bytes->count && bytes->bytes[i] < size; i++)
        if (!has_place(enumeration, bytes->bytes[i]) &&
            !add_word(enumeration, (struct word){.id = expr_input(enumeration->table, bytes->bytes[i]),
                                                 .width = 8,
                                                 .places = {bytes->bytes[i]}}))
            return false;
    return true;
}

/* ---- bounds ---- */

static struct word *find_word(struct enumeration *enumeration, expr_id id)
{
    for (size_t i = 0; i < enumeration->word_count; i++)
        if (enumeration->words[i].id == id)
            return &enumeration->words[i];
    return NULL;
}

static void bound_below(struct word *word, uint64_t least)
{
    word->least = least > word->least ? least : word->least;
}

static void bound_above(struct word *word, uint64_t greatest)
{
    word->greatest = greatest < word->greatest ? greatest : word->greatest;
}

static void bound_signed(struct word *word, int64_t least, int64_t greatest)
{
    word->signed_least = least > word->signed_least ? least : word->signed_least;
    word->signed_greatest = greatest < word->signed_greatest ? greatest : word->signed_greatest;
}

/* A word that is compared with a constant. Where equality is left out a bound is one too far, and no value is lost. */
static void read_comparison(struct enumeration *enumeration, const struct expr *expr, bool holds)
{
    uint64_t value;
    struct word *left = find_word(enumeration, expr->a), *word = left ? left : find_word(enumeration, expr->b);
    if (!word || !expr_is_constant(enumeration->table, left ? expr->b : expr->a, &value))
        return;
    bool is_above = (left != NULL) == holds; /* the constant */
    int64_t number = pn_signed(value, word->width);
    switch (expr->operation) {
    case PN_EQ:
        if (holds)
            bound_below(word, value), bound_above(word, value);
        break;
    case PN_ULT:
    case PN_ULE:
        if (is_above)
            bound_above(word, value);
        else
            bound_below(word, value);
        break;
    case PN_SLT:
    case PN_SLE: bound_signed(word, is_above ? INT64_MIN : number, is_above ? number : INT64_MAX); break;
    default: break;
    }
}

/* `a <= 200 && b <= 200` are two. */
static void read_bounds(struct enumeration *enumeration, expr_id condition, bool holds, unsigned depth)
{
    const struct expr *expr = expr_get(enumeration->table, condition);
    uint64_t value;
    if (expr_arity[expr->operation] != 2 || depth > MOST_DEPTH)
        return;
    bool is_logical = expr_get(enumeration->table, expr->a)->width == 1;
    bool has_constant = is_logical && expr_is_constant(enumeration->table, expr->b, &value);
    if (!is_logical)
        read_comparison(enumeration, expr, holds);
    else if (expr->operation == PN_XOR && has_constant)
        read_bounds(enumeration, expr->a, holds != (value & 1), depth + 1);
    else if (expr->operation == PN_EQ && has_constant)
        read_bounds(enumeration, expr->a, holds == (value & 1), depth + 1);
    else if (expr->operation == (holds ? PN_AND : PN_OR)) {
        read_bounds(enumeration, expr->a, holds, depth + 1);
        read_bounds(enumeration, expr->b, holds, depth + 1);
    }
}

/* The shorter of both ways to go through the values. */
static void choose_way(struct word *word)
{
    bool is_empty = word->least > word->greatest || word->signed_least > word->signed_greatest;
    uint64_t plain = word->greatest - word->least;
    uint64_t with_sign = (uint64_t)word->signed_greatest - (uint64_t)word->signed_least;
    uint64_t last = plain < with_sign ? plain : with_sign;
    word->first = plain < with_sign ? word->least : (uint64_t)word->signed_least;
    word->count = is_empty ? 0 : last == UINT64_MAX ? last : last + 1;
}

/* ---- values ---- */

static void set_word(const struct word *word, uint64_t number, uint8_t *model)
{
    uint64_t value = word->first + number;
    for (unsigned i = 0; i < word->width / 8; i++)
        model[word->places[i]] = (uint8_t)(value >> 8 * i);
}

static bool are_few(struct enumeration *enumeration)
{
    uint64_t work = enumeration->cone_count;
    for (size_t i = 0; i < enumeration->word_count; i++) {
        choose_way(&enumeration->words[i]);
        if (__builtin_mul_overflow(work, enumeration->words[i].count, &work) || work > MOST_WORK)
            return false;
    }
    return true;
}

/* The next combination; false: there is none. */
static bool advance(const struct enumeration *enumeration, uint64_t *numbers, uint8_t *model)
{
    for (size_t i = 0; i < enumeration->word_count; i++) {
        numbers[i] = numbers[i] + 1 < enumeration->words[i].count ? numbers[i] + 1 : 0;
        set_word(&enumeration->words[i], numbers[i], model);
        if (numbers[i])
            return true;
    }
    return false;
}

enum enumerate_answer enumerate(struct enumeration *enumeration, const expr_id *conditions, size_t count,
                                const struct byte_list *bytes, uint8_t *model, size_t size)
{
    uint64_t numbers[MOST_WORDS] = {0};
    if (!list_all(enumeration, conditions, count) || !find_words(enumeration, bytes, size))
        return ENUMERATE_TOO_MANY;
    for (size_t i = 0; i < count; i++)
        read_bounds(enumeration, conditions[i], true, 0);
    if (!are_few(enumeration))
        return ENUMERATE_TOO_MANY;
    for (size_t i = 0; i < enumeration->word_count; i++) {
        if (!enumeration->words[i].count)
            return ENUMERATE_NOTHING;
        set_word(&enumeration->words[i], 0, model);
    }
    do
        if (expr_all_hold(enumeration->table, conditions, count, model, size))
            return ENUMERATE_MODEL;
    while (advance(enumeration, numbers, model));
    return ENUMERATE_NOTHING;
}
