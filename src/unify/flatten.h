/* Headers that differ between the versions become part of the text that includes them: then what is in them is merged
 * like anything else. Headers that are the same, and those of the system, stay #include directives. */
#ifndef PENUMBRA_UNIFY_FLATTEN_H
#define PENUMBRA_UNIFY_FLATTEN_H

#include "base/error.h"
#include "base/words.h"
#include "unify/version.h"

/* Base names of the headers that both versions include and that differ, or include one that does. */
void headers_find_differing(struct arena *arena, CXTranslationUnit old, CXTranslationUnit new, struct words *names);

/* The file's text with the named headers in it. With `places`, #line directives say where each part is from. `origins`
 * says the same, and is owned by the arena. */
bool flatten(struct arena *arena, CXTranslationUnit unit, const char *file, const struct words *names, bool places,
             struct text *text, struct origins *origins, struct error *error);

#endif
