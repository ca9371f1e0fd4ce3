/* Values of two optimised programs as terms of Z3: numbers and addresses are bit vectors, memory is an array of bytes,
 * and what nobody knows (floating-point operations, sin(), where objects lie) is an uninterpreted function of its
 * operands, the same one in both versions. Terms live as long as the struct. */
#ifndef PENUMBRA_PROVE_TERMS_H
#define PENUMBRA_PROVE_TERMS_H

#include "prove/same.h"

#include <z3.h>

enum { OLD_SIDE, NEW_SIDE, SIDES };
enum { ADDRESS_BITS = 64, BYTE_BITS = 8 };

struct terms {
    Z3_context z3;
    Z3_solver solver; /* of all that holds on the path */
    Z3_tactic second; /* for what it does not answer at once */
    Z3_params normal; /* sums of products, so that most of what is equal is the same term */
    Z3_sort memory;
    struct sameness *sameness;
    struct arena *arena;
    size_t fresh;        /* numbers of symbols */
    size_t questions;    /* that the solver was asked */
    const char *problem; /* what has no term; NULL. Nothing is proven then */
};

void terms_create(struct terms *terms, struct sameness *sameness);
void terms_destroy(struct terms *terms);

/* Bits of a value; 0: there is no term for such a type. */
unsigned term_width(struct terms *terms, LLVMTypeRef type);
Z3_ast term_number(struct terms *terms, uint64_t value, unsigned width);
/* A value of which nothing is known. */
Z3_ast term_fresh(struct terms *terms, unsigned width);
Z3_ast term_fresh_memory(struct terms *terms);
/* Known by its name. */
Z3_ast term_named(struct terms *terms, const char *name, unsigned width);
Z3_ast term_constant(struct terms *terms, unsigned side, LLVMValueRef constant);
/* What an instruction without effects computes of its operands (a call: of its arguments). */
Z3_ast term_operation(struct terms *terms, LLVMValueRef instruction, Z3_ast operands[], Z3_ast memory);
/* bits.c: a count or another order of bits, by the name of LLVM's function; NULL: it is none. Of what it leaves open
 * for zero, nothing is known to anybody. */
Z3_ast term_of_bits(struct terms *terms, const char *name, Z3_ast value, unsigned width);
/* What memory is after a store, a copy or a filling. */
Z3_ast term_written(struct terms *terms, LLVMValueRef instruction, Z3_ast operands[], Z3_ast memory);
/* Whether term_written() knows it: an instruction that does nothing else. */
bool is_plain_writing(LLVMValueRef instruction);
/* A bit of width 1 as a truth, and back. */
Z3_ast term_truth(struct terms *terms, Z3_ast bit);
Z3_ast term_resize(struct terms *terms, Z3_ast value, unsigned width, bool is_signed);
Z3_ast term_simplify(struct terms *terms, Z3_ast value);
unsigned term_bits(const struct terms *terms, Z3_ast value);

/* Two objects that lie somewhere, and not in each other. */
void terms_part(struct terms *terms, Z3_ast one, uint64_t size, Z3_ast other, uint64_t other_size);

/* Whether it can be, of all that was asserted; and how, if wanted: to be released. */
Z3_lbool terms_ask(struct terms *terms, Z3_ast truth, Z3_model *model);
/* Of everything that was asserted: it cannot be; it always is. What Z3 does not answer may be, and is not always. */
bool is_impossible(struct terms *terms, Z3_ast truth);
bool is_certain(struct terms *terms, Z3_ast truth);
bool is_same_term(struct terms *terms, Z3_ast one, Z3_ast other);

#endif
