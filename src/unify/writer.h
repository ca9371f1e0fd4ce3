/* Between the files that write the unified text: write.c goes through the new version's text, write_old.c puts in what
 * only the old version has, write_functions.c writes changed functions, and writer.c is what they share. */
#ifndef PENUMBRA_UNIFY_WRITER_H
#define PENUMBRA_UNIFY_WRITER_H

#include "unify/write.h"

struct writer {
    const struct comparison *comparison;
    const struct layout *layout;
    struct text *out;
    struct words old_macros;       /* defined as NAME__old */
    struct words old_definitions;  /* of each of these */
    struct words declared;         /* names that the text so far declares */
    size_t place_begin, place_end; /* of the last #line directive: one that nothing follows is replaced */
};

/* ---- writer.c ---- */

void writer_begin_line(struct writer *writer);
/* What follows is from this line of the version. */
void writer_add_place(struct writer *writer, const struct version *version, unsigned line);
/* The text from `begin` to `end`; files in quotes are included by their own paths, from wherever the result is. */
void writer_add_text(struct writer *writer, const struct version *version, size_t begin, size_t end);
/* Back to the new version's text at the offset. */
size_t writer_resume(struct writer *writer, size_t at);
/* What stands before a function's body. */
const char *function_header(const struct version *version, const struct piece *function);
bool function_calls_itself(const struct version *version, const struct piece *function);
/* The name is known from here on. */
void writer_declare(struct writer *writer, const char *name);
/* The names that the tokens mention, and those that the old version's macros among them mention. */
void names_mentioned(const struct version *version, size_t first, size_t end, struct words *names);
/* Between these two, the names mean what they mean in the old version. */
void writer_begin_old_meanings(struct writer *writer, const struct words *names);
void writer_end_old_meanings(struct writer *writer, const struct words *names);
/* The name that something of the old version has in the unified text. */
const char *writer_unified_name(const struct writer *writer, const char *name);
void writer_declare_function(struct writer *writer, const struct version *version, const struct piece *function);
/* What an old piece mentions and the new version's order has only later. */
void writer_declare_ahead(struct writer *writer, const struct piece *piece, const struct words *names);

/* ---- write_functions.c ---- */

/* The definition under another name, known in this file only. */
void writer_add_copy(struct writer *writer, const struct version *version, const struct piece *piece,
                     const char *suffix);
/* In one line, so that the call's place is the function's. */
void writer_add_wrapper(struct writer *writer, const struct version *version, const struct piece *function);
/* What the old version's part of a function that holds both needs to know. */
void writer_add_prelude(struct writer *writer, const struct piece *old);

/* ---- write_old.c ---- */

void writer_add_old_piece(struct writer *writer, const struct piece *piece);
/* The old variable, whole, under a name of its own. */
void writer_add_old_variable(struct writer *writer, const struct piece *piece);
void writer_add_old_value(struct writer *writer, const struct piece *piece);
/* Several variables: those that the new version has not, and the old values of the others. */
void writer_add_old_variables(struct writer *writer, const struct piece *piece);
/* An array with room for both; returns where the new text goes on behind it. */
size_t writer_add_resized(struct writer *writer, const struct piece *piece);
/* Those whose place is before the new version's piece number `before`: they follow a piece that comes earlier. */
bool writer_has_old_pieces(const struct writer *writer, size_t before);
void writer_add_old_pieces(struct writer *writer, size_t before);

#endif
