/* Functions of single bits, which LLVM makes of many ways to write them: counted, from one end, turned round. */
#include "prove/terms.h"

static Z3_ast bit_of(struct terms *terms, Z3_ast value, unsigned at)
{
    return Z3_mk_extract(terms->z3, at, at, value);
}

static Z3_ast count_bits(struct terms *terms, Z3_ast value, unsigned width)
{
    Z3_ast sum = term_number(terms, 0, width);
    for (unsigned i = 0; i < width; i++)
        sum = Z3_mk_bvadd(terms->z3, sum, term_resize(terms, bit_of(terms, value, i), width, false));
    return sum;
}

/* How many zeros there are before the first one, from the highest bit or the lowest; of zero, all. */
static Z3_ast count_zeros(struct terms *terms, Z3_ast value, unsigned width, bool is_from_highest)
{
    Z3_ast count = term_number(terms, width, width);
    for (unsigned i = width; i-- > 0;) {
        unsigned at = is_from_highest ? width - 1 - i : i;
        count = Z3_mk_ite(terms->z3, term_truth(terms, bit_of(terms, value, at)), term_number(terms, i, width), count);
    }
    return count;
}

/* In units of so many bits; the lowest becomes the highest. */
static Z3_ast turn_round(struct terms *terms, Z3_ast value, unsigned width, unsigned unit)
{
    Z3_ast turned = NULL;
    for (unsigned i = 0; i < width; i += unit) {
        Z3_ast part = Z3_mk_extract(terms->z3, i + unit - 1, i, value);
        turned = turned ? Z3_mk_concat(terms->z3, turned, part) : part;
    }
    return turned;
}

Z3_ast term_of_bits(struct terms *terms, const char *name, Z3_ast value, unsigned width)
{
    if (name_begins(name, "llvm.ctpop."))
        return count_bits(terms, value, width);
    if (name_begins(name, "llvm.ctlz."))
        return count_zeros(terms, value, width, true);
    if (name_begins(name, "llvm.cttz."))
        return count_zeros(terms, value, width, false);
    if (name_begins(name, "llvm.bswap."))
        return turn_round(terms, value, width, BYTE_BITS);
    if (name_begins(name, "llvm.bitreverse."))
        return turn_round(terms, value, width, 1);
    return NULL;
}
