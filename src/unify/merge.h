/* The fine merge of one function: the new definition's text, with pn_change() and pn_execute() where the old one
 * differs. The patterns are those of shadow symbolic execution's patch annotations, in their order of preference:
 *
 *   1  a changed value: x = y + pn_change(E1, E2); conditions: A || pn_change(0, B), A && pn_change(1, B)
 *   2  an added or removed assignment or condition: x = pn_change(x, E); if (pn_change(0, C)) ...
 *   3  other added or removed code: if (pn_execute(PN_NEW)) ...
 *   4  declarations that one version has stay, and mean nothing to the other
 *   5  a variable of another type, or an array of another size
 *
 * merge.c applies edits; expressions.c, statements.c and declarations.c decide on them. */
#ifndef PENUMBRA_UNIFY_MERGE_H
#define PENUMBRA_UNIFY_MERGE_H

#include "unify/align.h"
#include "unify/compare.h"
#include "unify/names.h"
#include "unify/statistics.h"
#include "unify/tree.h"

/* A part of the new text that something else stands for; nothing is inside two of them. */
struct edit {
    size_t begin, end;
    const char *text;
    size_t order;
};

struct merger {
    struct arena *arena;
    const struct comparison *comparison;
    struct tree old, new;
    struct names names;
    bool in_lines; /* every line of the new text keeps its number: what is put in makes no line of its own */
    struct edit *edits;
    size_t edit_count, edit_capacity;
    bool adds_statements; /* since it was last reset, something was put beside a statement */
    size_t labels;        /* made so far */
    size_t patterns[PATTERN_COUNT];
    const char *obstacle; /* why it cannot be merged */
};

/* Sets the new piece's merged definition, or why both bodies must be kept apart. */
void merge_functions(const struct comparison *comparison, const struct piece *old, struct piece *new, bool in_lines,
                     struct unify_statistics *statistics);

/* ---- between the parts of the merge ---- */

/* What is decided so far, to come back to. */
struct mark {
    size_t edit_count;
    bool adds_statements;
    size_t labels;
    size_t patterns[PATTERN_COUNT];
};
struct mark merge_mark(const struct merger *merger);
void merge_return_to(struct merger *merger, const struct mark *mark);

void merge_edit(struct merger *merger, size_t begin, size_t end, const char *text);
/* The old words with the spellings of the merged function, in one line. */
const char *merge_old_text(const struct merger *merger, size_t first, size_t last);
/* The same with lines, where these may be made, each with the indentation; comments are kept. */
const char *merge_old_lines(const struct merger *merger, size_t first, size_t last, const char *indentation);
const char *merge_new_text(const struct merger *merger, size_t begin, size_t end);
/* The white space that the line of this place begins with. */
const char *merge_indentation(const struct merger *merger, size_t offset);
const char *merge_deeper(const struct merger *merger, const char *indentation);
/* The text with every line but the first, which is at the place already, `extra` deeper. */
const char *merge_shift(const struct merger *merger, const char *text, const char *extra);
bool merge_same(const struct merger *merger, const struct node *old, const struct node *new);
/* Whether the words outside the children are the same, of nodes with equally many. */
bool merge_same_words(const struct merger *merger, const struct node *old, const struct node *new);

enum surroundings {
    AROUND_VALUE,
    AROUND_ARGUMENT,
    AROUND_CONDITION,
    AROUND_NOTHING, /* the value is not used, and cannot be wrapped */
    AROUND_LVALUE,  /* what is here must be the same in both versions, only parts of it may differ */
};
struct place {
    enum surroundings around;
    CXType target; /* what the value is converted to; of kind CXType_Invalid when unknown */
};
/* Puts pn_change() as deep as it goes. False when nothing can be done at this place. */
bool merge_expression(struct merger *merger, struct node *old, struct node *new, struct place place);
/* Without side effects and without a way to fail. */
bool expression_is_harmless(const struct node *node);

bool merge_lists(struct merger *merger, const struct list *old, const struct list *new, size_t anchor);

/* Variables of the old version's types that are made of parameters. */
void declare_converted(struct merger *merger, size_t anchor);
bool merge_declarations(struct merger *merger, struct node *old, struct node *new);
/* A declaration of one version, for both to live with; what it says in the unified text. False when it cannot. */
bool declaration_keep_new(struct merger *merger, struct node *declaration);
bool declaration_keep_old(struct merger *merger, struct node *declaration, const char **text);

#endif
