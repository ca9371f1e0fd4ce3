/* Floating point is inverted by the inverse operation, which rounds once more. */
#include "solve/invert.h"

static uint64_t apply(const struct step *step, enum pn_operation operation, uint64_t a, uint64_t b)
{
    return pn_operation_value(operation, step->width, step->width, a, b, 0);
}

bool invert_fadd(struct step *step, bool first, uint64_t *child)
{
    *child = apply(step, PN_FSUB, step->wanted, first ? step->b : step->a);
    return true;
}

bool invert_fsub(struct step *step, bool first, uint64_t *child)
{
    *child = first ? apply(step, PN_FADD, step->wanted, step->b) : apply(step, PN_FSUB, step->a, step->wanted);
    return true;
}

bool invert_fmul(struct step *step, bool first, uint64_t *child)
{
    if (step->expr->a == step->expr->b) {
        *child = apply(step, PN_FSQRT, step->wanted, 0);
        *child ^= search_random(step->search, 2) ? pn_float_sign(step->width) : 0;
    } else {
        *child = apply(step, PN_FDIV, step->wanted, first ? step->b : step->a);
    }
    return !pn_float_is_nan(*child, step->width);
}

bool invert_fdiv(struct step *step, bool first, uint64_t *child)
{
    *child = first ? apply(step, PN_FMUL, step->wanted, step->b) : apply(step, PN_FDIV, step->a, step->wanted);
    return !pn_float_is_nan(*child, step->width);
}

bool invert_fsqrt(struct step *step, bool first, uint64_t *child)
{
    *child = apply(step, PN_FMUL, step->wanted, step->wanted);
    return first;
}

bool invert_fround(struct step *step, bool first, uint64_t *child)
{
    *child = step->wanted;
    return first;
}

bool invert_conversion(struct step *step, bool first, uint64_t *child)
{
    double number = pn_float_number(step->wanted, step->width), end = 0x1p63;
    switch (step->expr->operation) {
    case PN_FCAST: *child = pn_float_bits(number, step->child_width); break;
    case PN_FSINT: *child = pn_float_of_signed(step->child_width, pn_signed(step->wanted, step->width)); break;
    default:
        if (!(number > -end && number < end))
            return false;
        *child = (uint64_t)(int64_t)number;
        break;
    }
    return first;
}

bool invert_feq(struct step *step, bool first, uint64_t *child)
{
    uint64_t other = first ? step->b : step->a;
    *child = step->wanted ? other : search_random(step->search, 4) ? other ^ 1 : pn_float_nan(step->child_width);
    return true;
}

/* Beyond the other one: by as little as there is, or by a good piece, since what lies below rounds. */
bool invert_forder(struct step *step, bool first, uint64_t *child)
{
    unsigned width = step->child_width;
    uint64_t other = first ? step->b : step->a;
    bool below = first == (step->wanted != 0), strict = (step->expr->operation == PN_FLT) == (step->wanted != 0);
    if (pn_float_is_nan(other, width))
        return false;
    unsigned kind = search_random(step->search, 4);
    if (!strict && kind == 0) {
        *child = other;
        return true;
    }
    if (kind < 2) { /* the next number */
        bool negative = other & pn_float_sign(width), is_zero = !(other & (pn_float_sign(width) - 1));
        *child = is_zero ? (below ? pn_float_sign(width) | 1 : 1) : below == negative ? other + 1 : other - 1;
        return !pn_float_is_nan(*child, width);
    }
    double number = pn_float_number(other, width), piece = kind == 2 ? 1 : __builtin_fabs(number) * 0x1p-10;
    *child = pn_float_bits(below ? number - piece : number + piece, width);
    return !pn_float_is_nan(*child, width);
}
