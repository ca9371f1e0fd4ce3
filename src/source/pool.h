/* Files that libclang has read, kept for the next who wants to read them: the files of a program are asked what they
 * define, then what they need, and then read as parts of up to three programs. As many as there is room for are kept
 * that nobody uses right now. */
#ifndef PENUMBRA_SOURCE_POOL_H
#define PENUMBRA_SOURCE_POOL_H

#include <clang-c/Index.h>

/* As clang_parseTranslationUnit2() with an index of the pool's; the unit is given back, not disposed of. Whoever has it
 * must not change it. */
enum CXErrorCode pool_take(const char *file, const char *const *arguments, int count,
                           enum CXTranslationUnit_Flags record, CXTranslationUnit *unit);
/* A unit that is none of the pool's is disposed of. */
void pool_give_back(CXTranslationUnit unit);
/* Calls with the name of every file that was read since the process began, headers too, each once. */
void pool_visit_files(void (*visit)(void *context, const char *path), void *context);
/* Forgets everything that nobody uses. */
void pool_empty(void);

#endif
