/* Functions of the C library as plain C (the folder models/), compiled to one bitcode file beside the hooks. What a
 * program calls and does not define is looked up there; what is needed is linked into the program's module before
 * anything is instrumented, under the name `pn_model_NAME`, and is from then on code like the program's own.
 *
 * A model reaches the C library's own function as `__pn_real_NAME`. That gets its true name when everything is
 * instrumented. Models have no lines of their own: see __pn_model_site in the runtime. */
#ifndef PENUMBRA_INSTRUMENT_MODELS_H
#define PENUMBRA_INSTRUMENT_MODELS_H

#include "instrument/emit.h"

/* Replaces the library's functions by their models, where there are such. */
bool models_link(struct emitter *emitter);
/* Keeps models from being inlined before they are instrumented, so that what happens in them is known to; not after. */
void models_keep_apart(struct emitter *emitter, bool apart);
/* Whether the harness starts a program, not one function. */
bool is_whole_program(LLVMModuleRef module);
/* Whether the function does something else in another locale, with a model or without. */
bool depends_on_locale(const char *name);
/* Gives the library's own functions their names. */
void models_name_real(struct emitter *emitter);

/* Whether a function is a model, or part of one, or a copy of one. */
bool is_model(LLVMValueRef function);
/* "strlen" for the model of strlen(). */
void model_name(LLVMValueRef function, char *name, size_t size);

#endif
