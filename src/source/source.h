/* The program's files as libclang reads them: one translation unit each, free of errors. */
#ifndef PENUMBRA_SOURCE_SOURCE_H
#define PENUMBRA_SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/error.h"
#include "source/program.h"

#include <clang-c/Index.h>

struct sources {
    CXIndex index;            /* of texts; files are the pool's */
    CXTranslationUnit *units; /* by the request's units; owned by the program's arena */
    size_t count;
};

/* Parses every unit with its own flags. All errors of all files make one message; change() of incompatible types
 * is an error here even where the compiler would only warn. `record` says what libclang keeps beside declarations. */
bool sources_parse(struct sources *sources, struct program *program, enum CXTranslationUnit_Flags record,
                   struct error *error);
void sources_free(struct sources *sources);

/* Parses a text that stands for a file of that name, with the first unit's flags and without warnings. NULL when clang
 * cannot; what it complains about is in the unit. */
CXTranslationUnit source_parse_text(const struct sources *sources, const struct program *program, const char *name,
                                    const char *text, enum CXTranslationUnit_Flags record);

/* Copies into the arena, and disposes of the libclang string. */
const char *source_string(struct arena *arena, CXString string);
const char *source_name(struct arena *arena, CXCursor cursor);
const char *source_type(struct arena *arena, CXType type);
/* `point` for `struct point`: the tag, or the typedef's name of a type that has none. */
const char *source_record_name(struct arena *arena, CXType type);
/* As clang_Type_visitFields(); in the order of their names, which does not change with the type's layout. */
void source_visit_sorted_fields(struct arena *arena, CXType type, CXFieldVisitor visitor, CXClientData data);
/* `file.c:12`, with the file as the user named it, or a #line directive did. */
const char *source_place(struct arena *arena, CXCursor cursor);
/* `file.c:12:5`. */
const char *source_position(struct arena *arena, CXCursor cursor);
bool source_is_in_system_header(CXCursor cursor);
/* Whether the unit defines a function of that name, static or not. */
bool source_defines(struct arena *arena, CXTranslationUnit unit, const char *function);
/* The first part of a statement or expression; a null cursor where there is none. */
CXCursor source_first_child(CXCursor cursor);
/* Without parentheses and what the compiler converts by itself. */
CXCursor source_bare(CXCursor expression);
/* The constants of an enumeration, in their order. */
const CXCursor *source_constants(struct arena *arena, CXCursor enumeration, size_t *count);
/* A number, an enumerator or a pointer: what one assignment changes as a whole. */
bool source_is_scalar(CXType type);

#endif
