/* Between statements.c, one_version.c and cases.c. */
#ifndef PENUMBRA_UNIFY_STATEMENTS_H
#define PENUMBRA_UNIFY_STATEMENTS_H

#include "unify/merge.h"

/* A part of a list. */
struct run {
    struct node **items;
    size_t count;
};

/* Where old statements go: before this new item, or behind the one before. */
struct gap {
    const struct node *before, *after; /* new items; NULL at the ends */
    size_t anchor;                     /* when there is neither */
};

bool statement_is_declaration(const struct node *node);
/* Control goes elsewhere, whatever happens. */
bool statement_is_jump(const struct node *node);
/* `case 1:` or `default:`. */
bool statement_is_case(const struct tree *tree, const struct node *node);
bool statement_has_label(const struct node *node);

/* ---- one_version.c ---- */

/* Annotates statements of the new version alone, where they stand. False when that is impossible, here and below. */
bool run_keep_new(struct merger *merger, const struct run *run);
/* Puts statements of the old version alone into the gap. */
bool run_keep_old(struct merger *merger, const struct run *run, const struct gap *gap);
/* Their text, each on lines of its own, annotated. */
bool run_old_statements(struct merger *merger, const struct run *run, const char *indentation, const char **result);
/* `if (pn_execute(PN_OLD)) old else new`. */
bool run_replace(struct merger *merger, const struct run *old, const struct run *new);

const char *run_old_text(const struct merger *merger, const struct run *run, const char *indentation);
/* The new statements, one step deeper. */
const char *run_new_text(const struct merger *merger, const struct run *run, const char *indentation);
/* `head body`, laid out. */
const char *run_guarded(const struct merger *merger, const char *head, const char *body, const char *indentation,
                        bool braces);
bool run_needs_braces(const struct run *run);
bool run_has_directive(const struct merger *merger, const struct run *run);

void gap_put(struct merger *merger, const struct gap *gap, const char *text, const char *indentation);
const char *gap_indentation(const struct merger *merger, const struct gap *gap);

/* ---- cases.c ---- */

bool run_has_case(const struct tree *tree, const struct run *run);
/* `old_before` is the old item before the run. */
bool merge_cases(struct merger *merger, const struct run *old, const struct run *new, const struct gap *gap,
                 const struct list *all_old, const struct list *all_new, const struct node *old_before);

#endif
