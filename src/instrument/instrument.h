/* The instrumenter: bitcode of the unified program in, an object file with labels beside every value out.
 *
 *   link the bitcode files -> link models of library functions -> copies for one version -> early passes that keep the
 *   source's branches -> link the hooks -> insert a hook call beside every instruction -> the optimiser's -O2 pipeline
 * -> object file */
#ifndef PENUMBRA_INSTRUMENT_INSTRUMENT_H
#define PENUMBRA_INSTRUMENT_INSTRUMENT_H

#include "base/error.h"
#include "base/set.h"
#include "instrument/sites.h"

#include <stdbool.h>
#include <stddef.h>

struct instrument_options {
    const char *hooks;           /* path of hooks.bc */
    const char *models;          /* path of models.bc */
    bool check_objects;          /* check accesses through concrete addresses too: for builds that confirm a failure */
    bool is_linked;              /* with something that nobody can look into */
    const struct set *mentioned; /* by what is linked: it may use these names; NULL: any of them */
    bool call_hooks;             /* everywhere, however small a function is: for tests */
    bool dependences;            /* find out what depends on what, and tell in every run which blocks are executed */
    bool fold;                   /* conditions and small branches become one decision: instrument/fold.c */
    bool mark_signed;            /* keep which operations must not overflow (--overflow assume-none) */
};

/* `names` are those of the bitcode's sources, for people. */
bool instrument(const char *const bitcode[], const char *const names[], size_t count, const char *object,
                const struct instrument_options *options, struct site_table *sites, struct error *error);

#endif
