/* A function's definition as words and as a tree: what the fine merge compares. The tree is libclang's, with what
 * cannot be taken apart as a leaf: the use of a macro, whatever its expansion looks like, is one leaf. */
#ifndef PENUMBRA_UNIFY_TREE_H
#define PENUMBRA_UNIFY_TREE_H

#include "unify/version.h"

/* A token that means something: no comment, no directive, nothing that the preprocessor skips. */
struct word {
    size_t token;         /* in the version */
    const char *spelling; /* in the unified text: see names.h */
    size_t id;            /* equal for equal spellings, in both versions */
};

/* Kinds of nodes beside those of libclang. */
enum {
    NODE_EXPRESSION_STATEMENT = 10000, /* its child is the expression */
    NODE_LABEL,                        /* `case 1:`, `out:`; the statement behind it is an item of its own */
    NODE_OPAQUE,                       /* a statement that a macro makes */
};

struct node {
    int kind;
    CXCursor cursor;
    size_t begin, end;  /* in the text; a statement's semicolon is part of it */
    size_t first, last; /* words */
    struct node **children;
    size_t count;
    bool is_statement;
    bool is_macro; /* all of it comes from the use of a macro */
};

struct tree {
    struct arena *arena;
    const struct version *version;
    const struct piece *piece;
    struct word *words; /* of the whole definition */
    size_t word_count;
    struct node *body;
};

/* False when the function has no body that is written out. */
bool tree_read(struct tree *tree, struct arena *arena, const struct version *version, const struct piece *piece);

/* Whether the node's words are interrupted by a directive: then it cannot become part of an expression or of another
 * line. */
bool tree_has_directive(const struct tree *tree, const struct node *node);
/* The first word that is not part of a child, is it this? */
bool tree_word_is(const struct tree *tree, size_t word, const char *text);

/* The statements that a branch, loop or block holds, labels apart; none for NULL. */
struct list {
    struct node **items;
    size_t count;
    size_t open; /* offset behind the opening brace; 0 when there is none */
};
struct list tree_list(const struct tree *tree, struct node *slot);

#endif
