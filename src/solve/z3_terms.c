/* The table of terms: one per expression, and for named ones the definition. */
#include "solve/z3_terms.h"

#include "base/arena.h"
#include "solve/z3_floating.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many operations deep a term may be before it gets a name. */
enum { MOST_LEVELS = 32 };

/* Of one condition, and not translated yet: Z3 would need its time and hundreds of megabytes to read more, and gives
 * up. */
enum { MOST_NEW_TERMS = 100000 };

struct term {
    Z3_ast value;      /* NULL: not translated yet; a floating-point number where is_number, else bits */
    Z3_ast definition; /* "name == term" where `value` is a name, else NULL */
    uint32_t query;    /* the query that met it last, when definitions were listed */
    uint8_t level;     /* operations above names and leaves */
    bool uses_names;   /* it has a name, or something below has */
    bool is_number;    /* no bits until they are asked for: turning numbers into bits and back is dear */
};

struct z3_terms {
    struct expr_table *table;
    Z3_context context;
    Z3_ast one, zero; /* of width 1 */
    struct term *terms;
    size_t capacity;
    expr_id *cone; /* list and queue of the walks */
    size_t cone_count, cone_capacity;
    Z3_ast *definitions;
    size_t definition_count, definition_capacity;
    uint32_t query;
};

/* Operations */

typedef Z3_ast make_binary(Z3_context context, Z3_ast a, Z3_ast b);
typedef Z3_ast make_term(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c);

static make_term make_constant, make_input, make_zext, make_sext, make_extract, make_ite, make_lookup, make_call;

struct row {
    make_binary *binary; /* or */
    make_term *term;
    bool is_predicate; /* Z3 gives a Boolean */
};

static const struct row rows[PN_OPERATION_COUNT] = {
    [PN_CONSTANT] = {.term = make_constant},
    [PN_INPUT] = {.term = make_input},
    [PN_ADD] = {.binary = Z3_mk_bvadd},
    [PN_SUB] = {.binary = Z3_mk_bvsub},
    [PN_MUL] = {.binary = Z3_mk_bvmul},
    [PN_UDIV] = {.binary = Z3_mk_bvudiv},
    [PN_SDIV] = {.binary = Z3_mk_bvsdiv},
    [PN_UREM] = {.binary = Z3_mk_bvurem},
    [PN_SREM] = {.binary = Z3_mk_bvsrem},
    [PN_AND] = {.binary = Z3_mk_bvand},
    [PN_OR] = {.binary = Z3_mk_bvor},
    [PN_XOR] = {.binary = Z3_mk_bvxor},
    [PN_SHL] = {.binary = Z3_mk_bvshl},
    [PN_LSHR] = {.binary = Z3_mk_bvlshr},
    [PN_ASHR] = {.binary = Z3_mk_bvashr},
    [PN_EQ] = {.binary = Z3_mk_eq, .is_predicate = true},
    [PN_ULT] = {.binary = Z3_mk_bvult, .is_predicate = true},
    [PN_ULE] = {.binary = Z3_mk_bvule, .is_predicate = true},
    [PN_SLT] = {.binary = Z3_mk_bvslt, .is_predicate = true},
    [PN_SLE] = {.binary = Z3_mk_bvsle, .is_predicate = true},
    [PN_ZEXT] = {.term = make_zext},
    [PN_SEXT] = {.term = make_sext},
    [PN_EXTRACT] = {.term = make_extract},
    [PN_CONCAT] = {.binary = Z3_mk_concat},
    [PN_ITE] = {.term = make_ite},
    [PN_LOOKUP] = {.term = make_lookup},
    [PN_FCALL] = {.term = make_call},
    [PN_FERROR] = {.term = make_call},
};

static Z3_ast make_number(const struct z3_terms *terms, unsigned width, uint64_t value)
{
    return Z3_mk_unsigned_int64(terms->context, value, Z3_mk_bv_sort(terms->context, width));
}

static Z3_ast make_constant(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)a, (void)b, (void)c;
    return make_number(terms, expr->width, expr->value);
}

static Z3_ast make_input(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)a, (void)b, (void)c;
    Z3_sort byte = Z3_mk_bv_sort(terms->context, 8);
    return Z3_mk_const(terms->context, Z3_mk_int_symbol(terms->context, (int)expr->a), byte);
}

static unsigned width_of(const struct z3_terms *terms, expr_id id)
{
    return expr_get(terms->table, id)->width;
}

static Z3_ast make_zext(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_zero_ext(terms->context, expr->width - width_of(terms, expr->a), a);
}

static Z3_ast make_sext(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_sign_ext(terms->context, expr->width - width_of(terms, expr->a), a);
}

static Z3_ast make_extract(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    return Z3_mk_extract(terms->context, expr->b + expr->width - 1, expr->b, a);
}

static Z3_ast make_ite(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)expr;
    return Z3_mk_ite(terms->context, Z3_mk_eq(terms->context, a, terms->one), b, c);
}

/* Two halves of a table, chosen by one bit of the index. */
static Z3_ast choose_constant(const struct z3_terms *terms, const struct expr_constants *constants, unsigned width,
                              Z3_ast index, unsigned level, uint64_t first)
{
    Z3_context context = terms->context;
    if (level == 0 || first >= constants->count)
        return make_number(terms, width, expr_look_up(constants, first));
    unsigned bit = level - 1;
    Z3_ast low = choose_constant(terms, constants, width, index, bit, first);
    Z3_inc_ref(context, low);
    Z3_ast high = choose_constant(terms, constants, width, index, bit, first | UINT64_C(1) << bit);
    Z3_inc_ref(context, high);
    Z3_ast is_high = Z3_mk_eq(context, Z3_mk_extract(context, bit, bit, index), terms->one);
    Z3_ast chosen = Z3_mk_ite(context, is_high, high, low);
    Z3_dec_ref(context, low);
    Z3_dec_ref(context, high);
    return chosen;
}

static Z3_ast make_lookup(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)b, (void)c;
    Z3_context context = terms->context;
    const struct expr_constants *constants = expr_constants(terms->table, expr->b);
    unsigned width = width_of(terms, expr->a), levels = 0;
    while (levels < width && (constants->count - 1) >> levels)
        levels++;
    Z3_ast chosen = choose_constant(terms, constants, expr->width, a, levels, 0);
    if (levels == width)
        return chosen;
    Z3_ast zero, zeros, within;
    Z3_inc_ref(context, chosen);
    Z3_inc_ref(context, zero = make_number(terms, expr->width, 0));
    Z3_inc_ref(context, zeros = make_number(terms, width - levels, 0));
    within = Z3_mk_eq(context, Z3_mk_extract(context, width - 1, levels, a), zeros);
    Z3_ast result = Z3_mk_ite(context, within, chosen, zero);
    Z3_dec_ref(context, chosen);
    Z3_dec_ref(context, zero);
    Z3_dec_ref(context, zeros);
    return result;
}

/* Nothing is known of a function but that equal arguments give equal results; an answer that says more is tried by
 * evaluation. */
static Z3_ast make_call(const struct z3_terms *terms, const struct expr *expr, Z3_ast a, Z3_ast b, Z3_ast c)
{
    (void)c;
    Z3_context context = terms->context;
    unsigned width = width_of(terms, expr->a);
    char name[32];
    snprintf(name, sizeof name, "%s%u of %u", expr->operation == PN_FERROR ? "error " : "", expr->c, width);
    Z3_sort sort = Z3_mk_bv_sort(context, width), domain[] = {sort, sort};
    Z3_inc_ref(context, Z3_sort_to_ast(context, sort));
    Z3_sort range = Z3_mk_bv_sort(context, expr->width);
    Z3_inc_ref(context, Z3_sort_to_ast(context, range));
    Z3_func_decl function = Z3_mk_func_decl(context, Z3_mk_string_symbol(context, name), 2, domain, range);
    Z3_inc_ref(context, Z3_func_decl_to_ast(context, function));
    Z3_ast arguments[] = {a, b}, call = Z3_mk_app(context, function, 2, arguments);
    Z3_dec_ref(context, Z3_func_decl_to_ast(context, function));
    Z3_dec_ref(context, Z3_sort_to_ast(context, range));
    Z3_dec_ref(context, Z3_sort_to_ast(context, sort));
    return call;
}

/* Creation */

static Z3_ast keep(Z3_context context, Z3_ast term)
{
    Z3_inc_ref(context, term);
    return term;
}

static Z3_ast make_bit(Z3_context context, unsigned value)
{
    return keep(context, Z3_mk_unsigned_int64(context, value, Z3_mk_bv_sort(context, 1)));
}

struct z3_terms *z3_terms_create(struct expr_table *table, Z3_context context)
{
    size_t capacity = 0;
    struct z3_terms *terms = array_reserve(NULL, &capacity, 1, sizeof *terms);
    *terms = (struct z3_terms){.table = table, .context = context};
    terms->one = make_bit(context, 1);
    terms->zero = make_bit(context, 0);
    return terms;
}

void z3_terms_destroy(struct z3_terms *terms)
{
    for (size_t i = 0; i < terms->capacity; i++) {
        if (terms->terms[i].value)
            Z3_dec_ref(terms->context, terms->terms[i].value);
        if (terms->terms[i].definition)
            Z3_dec_ref(terms->context, terms->terms[i].definition);
    }
    Z3_dec_ref(terms->context, terms->one);
    Z3_dec_ref(terms->context, terms->zero);
    free(terms->terms);
    free(terms->cone);
    free(terms->definitions);
    free(terms);
}

static void make_room(struct z3_terms *terms)
{
    terms->terms = array_reserve_zeroed(terms->terms, &terms->capacity, expr_count(terms->table), sizeof *terms->terms);
}

/* Translation */

/* The terms of the operands, as bits or as numbers, whichever they are wanted as, each with a reference. */
static bool list_operands(const struct z3_terms *terms, const struct expr *expr, bool as_numbers, Z3_ast operands[3])
{
    for (unsigned i = 0; i < 3; i++) {
        operands[i] = NULL;
        if (i >= expr_arity[expr->operation])
            continue;
        expr_id child = expr_child(expr, i);
        const struct term *term = &terms->terms[child];
        bool wanted = as_numbers && !(expr->operation == PN_ITE && i == 0);
        operands[i] = term->is_number == wanted ? keep(terms->context, term->value)
                      : wanted ? z3_floating_from_bits(terms->context, term->value, width_of(terms, child))
                               : z3_bits_from_floating(terms->context, term->value, width_of(terms, child));
        if (!operands[i])
            return false;
    }
    return true;
}

static void release_operands(const struct z3_terms *terms, Z3_ast operands[3])
{
    for (unsigned i = 0; i < 3; i++)
        if (operands[i])
            Z3_dec_ref(terms->context, operands[i]);
}

/* A choice between two numbers is one. */
static bool chooses_number(const struct z3_terms *terms, const struct expr *expr)
{
    return expr->operation == PN_ITE && terms->terms[expr->b].is_number && terms->terms[expr->c].is_number;
}

/* Functions of <math.h> are functions of bits: of all NaNs, too. */
static bool is_floating(enum pn_operation operation)
{
    return (pn_makes_float(operation) || pn_reads_float(operation)) && !pn_is_function(operation);
}

/* With a reference. */
static Z3_ast make_plain(const struct z3_terms *terms, const struct expr *expr, Z3_ast operands[3])
{
    const struct row *row = &rows[expr->operation];
    if (is_floating(expr->operation))
        return z3_floating_term(terms->context, expr, width_of(terms, expr->a), operands[0], operands[1], operands[2]);
    Z3_ast value = row->term ? row->term(terms, expr, operands[0], operands[1], operands[2])
                             : row->binary(terms->context, operands[0], operands[1]);
    return value ? keep(terms->context, value) : NULL;
}

static Z3_ast make_value(const struct z3_terms *terms, const struct expr *expr)
{
    Z3_ast operands[3] = {NULL};
    bool as_numbers = (pn_reads_float(expr->operation) && is_floating(expr->operation)) || chooses_number(terms, expr);
    Z3_ast value = list_operands(terms, expr, as_numbers, operands) ? make_plain(terms, expr, operands) : NULL;
    release_operands(terms, operands);
    bool is_predicate = rows[expr->operation].is_predicate || (is_floating(expr->operation) && expr->width == 1);
    if (!is_predicate || !value)
        return value;
    Z3_ast bit = Z3_mk_ite(terms->context, value, terms->one, terms->zero);
    if (bit)
        keep(terms->context, bit);
    Z3_dec_ref(terms->context, value);
    return bit;
}

/* Puts a name in the place of the term's value. */
static bool give_name(const struct z3_terms *terms, struct term *term)
{
    Z3_context context = terms->context;
    Z3_ast name = Z3_mk_fresh_const(context, "v", Z3_get_sort(context, term->value));
    if (!name)
        return false;
    Z3_inc_ref(context, name);
    Z3_ast definition = Z3_mk_eq(context, name, term->value);
    if (!definition) {
        Z3_dec_ref(context, name);
        return false;
    }
    Z3_dec_ref(context, term->value); /* the definition holds it */
    *term = (struct term){
        .value = name, .definition = keep(context, definition), .uses_names = true, .is_number = term->is_number};
    return true;
}

static bool translate(const struct z3_terms *terms, expr_id id)
{
    const struct expr *expr = expr_get(terms->table, id);
    struct term term = {.value = make_value(terms, expr), /* with a reference of ours */
                        .is_number = (pn_makes_float(expr->operation) && is_floating(expr->operation)) ||
                                     chooses_number(terms, expr)};
    if (!term.value)
        return false;
    for (unsigned i = 0; i < expr_arity[expr->operation]; i++) {
        const struct term *child = &terms->terms[expr_child(expr, i)];
        term.uses_names |= child->uses_names;
        if (term.level <= child->level)
            term.level = child->level + 1;
    }
    if (term.level == MOST_LEVELS && !give_name(terms, &term)) {
        Z3_dec_ref(terms->context, term.value);
        return false;
    }
    terms->terms[id] = term;
    return true;
}

static void add_to_cone(struct z3_terms *terms, expr_id id)
{
    terms->cone = array_reserve(terms->cone, &terms->cone_capacity, terms->cone_count + 1, sizeof *terms->cone);
    terms->cone[terms->cone_count++] = id;
}

static void add_untranslated(struct z3_terms *terms, expr_id id)
{
    if (terms->terms[id].value)
        return;
    terms->terms[id].value = terms->one; /* it is in the list; until it is translated */
    add_to_cone(terms, id);
}

Z3_ast z3_term(struct z3_terms *terms, expr_id root)
{
    make_room(terms);
    terms->cone_count = 0;
    add_untranslated(terms, root);
    for (size_t next = 0; next < terms->cone_count; next++) {
        const struct expr *expr = expr_get(terms->table, terms->cone[next]);
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            add_untranslated(terms, expr_child(expr, i));
    }
    /* Children have smaller ids. */
    expr_sort(terms->cone, terms->cone_count);
    bool complete = terms->cone_count <= MOST_NEW_TERMS;
    for (size_t i = 0; i < terms->cone_count; i++) {
        terms->terms[terms->cone[i]] = (struct term){0};
        complete = complete && translate(terms, terms->cone[i]);
    }
    return terms->terms[root].value;
}

/* Definitions */

static void begin_listing(struct z3_terms *terms)
{
    terms->cone_count = terms->definition_count = 0;
    if (++terms->query != 0)
        return;
    for (size_t i = 0; i < terms->capacity; i++)
        terms->terms[i].query = 0;
    terms->query = 1;
}

/* What Z3 makes of an operation before it begins to search, in bits of circuits. */
static size_t bits_of(const struct expr *expr)
{
    switch (expr->operation) {
    case PN_CONSTANT:
    case PN_ZEXT:
    case PN_SEXT:
    case PN_EXTRACT:
    case PN_CONCAT: return 0;
    case PN_MUL:
    case PN_UDIV:
    case PN_SDIV:
    case PN_UREM:
    case PN_SREM: return (size_t)expr->width * expr->width;
    default: return expr->width;
    }
}

static void add_once(struct z3_terms *terms, expr_id id)
{
    if (terms->terms[id].query == terms->query)
        return;
    terms->terms[id].query = terms->query;
    add_to_cone(terms, id);
}

size_t z3_size(struct z3_terms *terms, const expr_id *roots, size_t count)
{
    size_t bits = 0;
    make_room(terms);
    begin_listing(terms);
    for (size_t i = 0; i < count; i++)
        add_once(terms, roots[i]);
    for (size_t next = 0; next < terms->cone_count; next++) {
        const struct expr *expr = expr_get(terms->table, terms->cone[next]);
        bits += bits_of(expr);
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            add_once(terms, expr_child(expr, i));
    }
    return bits;
}

static void add_named(struct z3_terms *terms, expr_id id)
{
    struct term *term = &terms->terms[id];
    if (!term->uses_names || term->query == terms->query)
        return;
    term->query = terms->query;
    add_to_cone(terms, id);
    if (!term->definition)
        return;
    terms->definitions = array_reserve(terms->definitions, &terms->definition_capacity, terms->definition_count + 1,
                                       sizeof *terms->definitions);
    terms->definitions[terms->definition_count++] = term->definition;
}

const Z3_ast *z3_definitions(struct z3_terms *terms, const expr_id *roots, size_t count, size_t *definition_count)
{
    begin_listing(terms);
    for (size_t i = 0; i < count; i++)
        add_named(terms, roots[i]);
    for (size_t next = 0; next < terms->cone_count; next++) {
        const struct expr *expr = expr_get(terms->table, terms->cone[next]);
        for (unsigned i = 0; i < expr_arity[expr->operation]; i++)
            add_named(terms, expr_child(expr, i));
    }
    *definition_count = terms->definition_count;
    return terms->definitions;
}
