#include "source/callers.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct arena *arena;
    struct callers *callers;
    const struct unit *unit;
    const char *function; /* that is looked for */
    bool is_static;
    const char *within; /* the function being visited */
    bool is_found;      /* in it */
};

static bool is_known(const struct callers *callers, const char *path, const char *name)
{
    for (size_t i = 0; i < callers->count; i++)
        if (!strcmp(callers->list[i].path, path) && !strcmp(callers->list[i].name, name))
            return true;
    return false;
}

static bool is_it(const struct search *search, CXCursor referenced)
{
    bool is_static = clang_getCursorLinkage(referenced) == CXLinkage_Internal;
    CXString spelling = clang_getCursorSpelling(referenced);
    bool is_same = clang_getCursorKind(referenced) == CXCursor_FunctionDecl && is_static == search->is_static &&
                   !strcmp(clang_getCString(spelling), search->function);
    clang_disposeString(spelling);
    return is_same;
}

static enum CXChildVisitResult look_for_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    search->is_found |=
        clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && is_it(search, clang_getCursorReferenced(cursor));
    return search->is_found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool is_definition(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
           !source_is_in_system_header(cursor);
}

static enum CXChildVisitResult look_at_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    if (!is_definition(cursor))
        return CXChildVisit_Continue;
    search->is_found = false;
    clang_visitChildren(cursor, look_for_use, search);
    const char *name = search->is_found ? source_name(search->arena, cursor) : NULL;
    if (!name || !strcmp(name, search->function) || is_known(search->callers, search->unit->file, name))
        return CXChildVisit_Continue;
    struct callers *callers = search->callers;
    callers->list = array_reserve(callers->list, &callers->capacity, callers->count + 1, sizeof *callers->list);
    callers->list[callers->count++] = (struct caller){search->unit->file, name};
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult look_for_linkage(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    CXString spelling = clang_getCursorSpelling(cursor);
    bool is_same = is_definition(cursor) && !strcmp(clang_getCString(spelling), search->function);
    clang_disposeString(spelling);
    if (!is_same)
        return CXChildVisit_Continue;
    search->is_static = clang_getCursorLinkage(cursor) == CXLinkage_Internal;
    return CXChildVisit_Break;
}

static void visit_unit(struct search *search, const struct unit *unit, CXCursorVisitor visitor)
{
    struct program_request request = {.units = unit, .unit_count = 1};
    struct program program;
    struct sources sources = {0};
    struct error ignored = {0};
    search->unit = unit;
    if (program_open(&program, &request, &ignored) &&
        sources_parse(&sources, &program, CXTranslationUnit_None, &ignored))
        clang_visitChildren(clang_getTranslationUnitCursor(sources.units[0]), visitor, search);
    sources_free(&sources);
    program_free(&program);
    error_clear(&ignored);
}

void callers_add(const struct unit *units, size_t count, const char *path, const char *function, struct arena *arena,
                 struct callers *callers)
{
    struct search search = {.arena = arena, .callers = callers, .function = function};
    for (size_t i = 0; i < count; i++)
        if (!strcmp(units[i].file, path))
            visit_unit(&search, &units[i], look_for_linkage);
    for (size_t i = 0; i < count; i++)
        if (!search.is_static || !strcmp(units[i].file, path))
            visit_unit(&search, &units[i], look_at_function);
}

void callers_free(struct callers *callers)
{
    free(callers->list);
    *callers = (struct callers){0};
}
