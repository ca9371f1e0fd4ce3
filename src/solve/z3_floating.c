#include "solve/z3_floating.h"

/* Z3 frees what nobody holds a reference to: the terms that a term is made of are held until it is made. */
struct making {
    Z3_context context;
    Z3_ast held[16];
    unsigned count;
};

static Z3_ast hold(struct making *making, Z3_ast term)
{
    if (term && making->count < sizeof making->held / sizeof *making->held) {
        Z3_inc_ref(making->context, term);
        making->held[making->count++] = term;
    }
    return term;
}

/* The caller gets a reference to the term. */
static Z3_ast made(struct making *making, Z3_ast term)
{
    if (term)
        Z3_inc_ref(making->context, term);
    for (unsigned i = 0; i < making->count; i++)
        Z3_dec_ref(making->context, making->held[i]);
    return term;
}

static Z3_sort sort_of(struct making *making, unsigned width)
{
    Z3_sort sort = width == 32 ? Z3_mk_fpa_sort_single(making->context) : Z3_mk_fpa_sort_double(making->context);
    hold(making, Z3_sort_to_ast(making->context, sort));
    return sort;
}

static Z3_ast bits(struct making *making, uint64_t value, unsigned width)
{
    Z3_sort sort = Z3_mk_bv_sort(making->context, width);
    hold(making, Z3_sort_to_ast(making->context, sort));
    return hold(making, Z3_mk_unsigned_int64(making->context, value, sort));
}

static Z3_ast number(struct making *making, double value, unsigned width)
{
    return hold(making, Z3_mk_fpa_numeral_double(making->context, value, sort_of(making, width)));
}

Z3_ast z3_floating_from_bits(Z3_context context, Z3_ast value, unsigned width)
{
    struct making making = {.context = context};
    return made(&making, Z3_mk_fpa_to_fp_bv(context, value, sort_of(&making, width)));
}

Z3_ast z3_bits_from_floating(Z3_context context, Z3_ast value, unsigned width)
{
    struct making making = {.context = context};
    Z3_ast is_nan = hold(&making, Z3_mk_fpa_is_nan(context, value));
    Z3_ast plain = hold(&making, Z3_mk_fpa_to_ieee_bv(context, value));
    return made(&making, Z3_mk_ite(context, is_nan, bits(&making, pn_float_nan(width), width), plain));
}

static Z3_ast rounding_of(struct making *making, enum pn_rounding rounding)
{
    switch (rounding) {
    case PN_TO_NEAREST_AWAY: return hold(making, Z3_mk_fpa_rna(making->context));
    case PN_DOWN: return hold(making, Z3_mk_fpa_rtn(making->context));
    case PN_UP: return hold(making, Z3_mk_fpa_rtp(making->context));
    case PN_TOWARDS_ZERO: return hold(making, Z3_mk_fpa_rtz(making->context));
    default: return hold(making, Z3_mk_fpa_rne(making->context));
    }
}

/* What does not fit is the least integer. Of floats the number before -2^31 is far below it. */
static Z3_ast to_integer(struct making *making, unsigned width, unsigned child_width, Z3_ast a)
{
    Z3_context context = making->context;
    double end = width == 32 ? 0x1p31 : 0x1p63;
    bool between = width == 32 && child_width == 64;
    Z3_ast least = number(making, between ? -end - 1 : -end, child_width), most = number(making, end, child_width);
    Z3_ast fits[] = {hold(making, between ? Z3_mk_fpa_gt(context, a, least) : Z3_mk_fpa_geq(context, a, least)),
                     hold(making, Z3_mk_fpa_lt(context, a, most))};
    Z3_ast fitting = hold(making, Z3_mk_and(context, 2, fits));
    Z3_ast integer = hold(making, Z3_mk_fpa_to_sbv(context, rounding_of(making, PN_TOWARDS_ZERO), a, width));
    return Z3_mk_ite(context, fitting, integer, bits(making, UINT64_C(1) << (width - 1), width));
}

static Z3_ast make_term(struct making *making, const struct expr *expr, unsigned child_width, Z3_ast a, Z3_ast b,
                        Z3_ast c)
{
    Z3_context context = making->context;
    Z3_ast nearest = rounding_of(making, PN_TO_NEAREST_EVEN);
    switch (expr->operation) {
    case PN_FADD: return Z3_mk_fpa_add(context, nearest, a, b);
    case PN_FSUB: return Z3_mk_fpa_sub(context, nearest, a, b);
    case PN_FMUL: return Z3_mk_fpa_mul(context, nearest, a, b);
    case PN_FDIV: return Z3_mk_fpa_div(context, nearest, a, b);
    case PN_FMA: return Z3_mk_fpa_fma(context, nearest, a, b, c);
    case PN_FSQRT: return Z3_mk_fpa_sqrt(context, nearest, a);
    case PN_FROUND: return Z3_mk_fpa_round_to_integral(context, rounding_of(making, (enum pn_rounding)expr->b), a);
    case PN_FEQ: return Z3_mk_fpa_eq(context, a, b);
    case PN_FLT: return Z3_mk_fpa_lt(context, a, b);
    case PN_FLE: return Z3_mk_fpa_leq(context, a, b);
    case PN_FCAST: return Z3_mk_fpa_to_fp_float(context, nearest, a, sort_of(making, expr->width));
    case PN_SFLOAT: return Z3_mk_fpa_to_fp_signed(context, nearest, a, sort_of(making, expr->width));
    case PN_UFLOAT: return Z3_mk_fpa_to_fp_unsigned(context, nearest, a, sort_of(making, expr->width));
    case PN_FSINT: return to_integer(making, expr->width, child_width, a);
    default: return NULL;
    }
}

Z3_ast z3_floating_term(Z3_context context, const struct expr *expr, unsigned child_width, Z3_ast a, Z3_ast b, Z3_ast c)
{
    struct making making = {.context = context};
    return made(&making, make_term(&making, expr, child_width, a, b, c));
}
