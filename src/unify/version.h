/* One version of a C file: its tokens, and its declarations at file scope as pieces of its text. */
#ifndef PENUMBRA_UNIFY_VERSION_H
#define PENUMBRA_UNIFY_VERSION_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stddef.h>

struct token {
    size_t begin, end; /* in the file's text */
    unsigned line;
    bool is_identifier, is_comment;
    bool is_directive; /* part of an #include, #define, ... */
    bool is_skipped;   /* the preprocessor leaves it out */
};

/* A part of the text. */
struct span {
    size_t begin, end;
};

enum piece_kind {
    PIECE_FUNCTION,
    PIECE_VARIABLE,
    PIECE_TYPE,
    PIECE_DECLARATION, /* of something that is defined elsewhere: a prototype, `extern int x;`, `struct s;` */
    PIECE_OTHER,       /* static assertions, assembler */
};

/* What becomes of a piece in the unified text. */
enum treatment {
    SHARED,      /* the new version's text serves both */
    ONE_VERSION, /* the other version has nothing of that name */
    MERGED,      /* a function: one definition with both versions in it */
    WRAPPED,     /* a function: both versions' copies, called through a wrapper */
    SPLIT,       /* the old version's is another thing, of another name; whatever mentions it differs */
    INITIALISED, /* a variable: the new version's text, and the old initial value */
    COPIED,      /* the same for an array or struct: the old value comes from a variable of its own */
    RESIZED,     /* an array with as many elements as the larger one, and bounds for each version */
    TOGETHER,    /* several variables in one declaration, each for itself */
    RENUMBERED,  /* an enumeration: the new one, and the old values that differ */
    WIDENED,     /* a struct with the members of both versions */
};

/* One declaration, from its first token to the closing brace or semicolon. Several names: `int a, b;`, `struct s {...}
 * v;`, `typedef struct s {...} t;`. */
struct piece {
    enum piece_kind kind;
    const char *name;  /* of the declared thing that decides the kind; "" when it has none */
    CXCursor cursor;   /* its declaration */
    size_t name_count; /* how many things are declared */
    bool has_type;     /* a type is defined on the way */
    size_t first_token, end_token;
    size_t begin, end; /* in the text */
    unsigned line;
    const char *tokens;  /* without comments and layout */
    struct piece *other; /* the same declaration in the other version */
    enum treatment treatment;
    CXCursor *cursors;    /* of all the things that are declared */
    const char *merged;   /* the new version's, MERGED and WIDENED: the text of both; RENUMBERED: what is added to it */
    const char **renamed; /* the new version's, MERGED: names_renamed() */
    const char *obstacle; /* why it is not merged finely; decided once and for all */
    const char *lines;    /* those that it asks for by __LINE__, outside assertions; "" when it asks for none */
    bool is_converted;    /* a merged function whose parameters have other types in the old version */
    bool is_hoisted;      /* a function whose declarations were moved: its text is not the file's */
    bool compiles_differently; /* a function or variable: the compiler makes something else of it */
};

struct macro {
    const char *name;
    const char *definition; /* from the name on */
    const char *tokens;     /* of all its definitions in the file */
    size_t definition_count;
    size_t first_token, end_token; /* of the last definition */
    unsigned line;
    bool differs; /* from the other version's, or the other has none */
};

/* A macro that an included file of the program defines: one definition of it. */
struct header_macro {
    const char *name, *tokens, *place;
    unsigned line; /* of the #include in the text that it comes from */
};

struct inclusion {
    const char *text; /* of the directive */
    const char *tokens;
    size_t name_begin, name_end; /* of a name in quotes, else 0 */
    const char *path;            /* of the included file */
    unsigned line;
};

/* From a line of the text on, lines are those of another file. */
struct origin {
    unsigned line, line_there;
    const char *file;
};

struct origins {
    const struct origin *list;
    size_t count;
};

struct version {
    struct arena *arena;
    const char *file, *path; /* as it is read; absolute */
    const char *shown;       /* as places name it */
    struct text text;
    struct origins origins;
    CXTranslationUnit unit;
    struct token *tokens;
    size_t token_count, token_capacity;
    struct piece *pieces; /* in the order of the text */
    size_t piece_count, piece_capacity;
    struct macro *macros;
    size_t macro_count, macro_capacity;
    struct header_macro *header_macros;
    size_t header_macro_count, header_macro_capacity;
    struct inclusion *inclusions;
    size_t inclusion_count, inclusion_capacity;
    struct span *line_uses; /* of __LINE__, in the order of the text */
    size_t line_use_count, line_use_capacity;
    struct span *expansions; /* uses of macros, in the order of the text; those inside others left out */
    size_t expansion_count, expansion_capacity;
};

/* `unit` must have been parsed from the version's text, with a detailed preprocessing record; the version does not own
 * it. Expects arena, file, path, text, origins and unit to be set. */
void version_read(struct version *version);
void version_free(struct version *version);

/* The piece of that kind and name; when there are several, the one with that many before it. */
struct piece *version_piece(const struct version *version, enum piece_kind kind, const char *name, size_t earlier);
/* A definition of that name; NULL when there is none. */
struct piece *version_definition(const struct version *version, const char *name);
/* The function or variable of that name, perhaps among others of one declaration. */
struct piece *version_declaring(const struct version *version, const char *name);
struct macro *version_macro(const struct version *version, const char *name);

/* The #pragma directives, one a line. */
const char *version_pragmas(const struct version *version);

/* Whether the token means something: no comment, no directive, nothing that the preprocessor skips. */
bool token_counts(const struct token *token);
/* The first token that begins at the offset or behind it. */
size_t version_token_at(const struct version *version, size_t offset);
bool token_is(const struct version *version, const struct token *token, const char *text);
/* Whether an identifier is a name of its own, and not the member of something. */
bool token_is_name(const struct version *version, size_t token);
const char *token_text(const struct version *version, const struct token *token);
/* Where the piece's part of the text is that the cursor covers. */
void cursor_range(CXCursor cursor, size_t *begin, size_t *end);

/* The canonical type's spelling with every `const` taken out: two that are the same differ in nothing that a program
 * could do. */
const char *type_without_const(struct arena *arena, CXType type);
/* The file that a line of the text is from; `line` becomes its number there. */
const char *version_origin(const struct version *version, unsigned *line);
/* `file.c:12` */
const char *piece_place(const struct version *version, const struct piece *piece);

#endif
