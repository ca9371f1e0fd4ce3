/* Between the files that prove two versions the same by what the optimiser makes of them. docs/proofs.md has the
 * argument: total.c and accesses.c make every failure a call, so that no undefined behaviour is left; rewrite.c takes
 * away what clang and the headers promise; optimise.c runs LLVM's passes; same.c compares how functions look,
 * follow.c what they do. */
#ifndef PENUMBRA_PROVE_PROVER_H
#define PENUMBRA_PROVE_PROVER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "instrument/uninitialised.h"
#include "source/program.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* Functions of ours begin with this, which no name in C can. */
#define OWN "pn."
/* In the encoding of LLVM's MemoryEffects: every kind of memory is read, and none is written. */
enum { READS_MEMORY = 1 | 1 << 2 | 1 << 4 };
#define NEVER_REACHED OWN "fail.reached" /* the source promises that it is not, and nobody has proven it */

/* One version's whole program, with its harness. */
struct version {
    LLVMContextRef context; /* of both versions: equal numbers are the same constant */
    LLVMModuleRef module;
    LLVMModuleRef followed; /* the same, before indices and pointers became one */
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    struct arena *arena;
    const char *entry;      /* its symbol */
    const char *refused;    /* why nothing is proven of it; NULL */
    uint64_t frames;        /* deep_frames(), of the program as it is in the source */
    size_t recursion_count; /* functions that call themselves, of the same */
    bool makes_loops;       /* of recursions, where LLVM can */
    size_t function_count;  /* that are reached, beside the harness and the entry */
    bool is_called_back;    /* code without source is linked, which may call whatever has an external name */
    bool settled;           /* settle_accesses() has changed something */
};

/* Nothing is proven of the whole program. Always false; the first reason stays. */
bool refuse(struct version *version, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Nothing is proven of a function: the optimiser neither changes nor looks into it, and it is the same as another only
 * if that is the same instruction by instruction; or never. */
void refuse_function(struct version *version, LLVMValueRef function, bool ever);
bool function_is_refused(LLVMValueRef function);
bool function_is_never_same(LLVMValueRef function);

/* ---- rewrite.c ---- */

/* Statics get a name that tells the file, and variables are kept from the optimiser, since all are outputs. */
void name_variables(struct version *version, const char *file);
/* The entry is proven for all its inputs, not only for those that the harness makes: it stays a function. Only in the
 * file that has it. */
void name_entry(struct version *version, const struct program *program);
/* Functions that the other version has, too, stay functions; NULL: only the entry. */
void drop_promises(struct version *version, LLVMModuleRef elsewhere);
/* What LLVM notes at calls of ours, that a pointer is not NULL: it keeps calls that are the same from being taken so.
 */
void drop_remarks(struct version *version);
/* Nobody knows functions by their names from here on: strlen() may be anything. */
void hide_names(struct version *version);

/* ---- total.c ---- */

/* Before the variables of functions are promoted: when they come and go, where an address may outlive them. */
void make_scopes_explicit(struct version *version);
/* And after. */
void make_total(struct version *version);

/* ---- accept.c ---- */

/* Refuses what is not understood, in the program as clang has written it. */
void accept_functions(struct version *version);
/* Refuses the program where something that is left of it disturbs everything else. */
void accept_calls(struct version *version);
/* Bytes of the variables of all functions that call themselves, also by others, and of those that call these. */
uint64_t deep_frames(struct version *version);
/* How many functions call themselves, not by others. */
size_t count_recursions(const struct version *version);
/* After variables of functions were promoted: what was never written must be gone. */
void accept_values(struct version *version);

/* What an instruction of the raw module is called by: "" for what is no direct call. */
const char *callee_name(LLVMValueRef instruction);
bool name_begins(const char *name, const char *start);

enum effect {
    EFFECT_NONE,  /* a function of its arguments that always returns */
    EFFECT_LOOKS, /* may fail by its arguments and by what was allocated, and nothing else */
    EFFECT_EVENT, /* something happens that tells nothing of the program's own memory, and has none of its */
};
/* A function of ours, declared when it is first needed. */
LLVMValueRef own_function(struct version *version, const char *name, LLVMTypeRef type, enum effect effect);
LLVMValueRef call_own(struct version *version, LLVMValueRef function, LLVMValueRef arguments[], unsigned count);
/* Defined in the module, to be inlined: it begins with a builder at its first block. */
LLVMValueRef own_definition(struct version *version, const char *name, LLVMTypeRef type);
void collect_instructions(struct version *version, LLVMValueRef function, LLVMValueRef **list, size_t *count);

/* ---- accesses.c ---- */

void check_access(struct version *version, LLVMValueRef access);
void check_copying(struct version *version, LLVMValueRef call);
/* After the optimiser: checks of what has turned out to be inside of its object go. */
void settle_accesses(struct version *version);
bool is_scope_event(LLVMValueRef instruction);

/* ---- optimise.c ---- */

bool optimise(struct version *version, struct error *error);

/* ---- same.c, same_globals.c; follow.c ---- */

/* Functions are the same if they look the same, or also if they do the same step by step. */
enum comparing { BY_LOOKS, BY_STEPS };
/* Whether `__pn_harness` does the same in both, whatever happens in the functions that nobody defines. NULL, or what is
 * not known to be, by then. */
const char *find_difference(struct version *old, struct version *new, const struct words *uncompared,
                            enum comparing comparing, double end, struct arena *arena);

#endif
