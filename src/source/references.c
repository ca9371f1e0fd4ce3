#include "source/references.h"

#include "base/text.h"
#include "source/globals.h"

#include <stdlib.h>
#include <string.h>

void references_open(struct references *references, struct arena *arena)
{
    *references = (struct references){.arena = arena, .visited = clang_createCXCursorSet()};
}

void references_close(struct references *references)
{
    clang_disposeCXCursorSet(references->visited);
    free(references->defined.list), free(references->used.list), free(references->waiting.list);
    free(references->inlines.list);
}

const struct reference *references_find(const struct reference_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->list[i].name, name))
            return &list->list[i];
    return NULL;
}

static void add(struct reference_list *list, const char *name, size_t file, CXCursor cursor)
{
    list->list = array_reserve(list->list, &list->capacity, list->count + 1, sizeof *list->list);
    list->list[list->count++] = (struct reference){name, file, cursor};
}

static bool is_external(CXCursor cursor)
{
    return clang_getCursorLinkage(cursor) == CXLinkage_External;
}

/* ---- aliases ---- */

/* libclang does not tell attributes apart: this one is known by the word that it is written with, in a macro too. */
static enum CXChildVisitResult find_alias(CXCursor cursor, CXCursor parent, CXClientData found)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(cursor);
    CXFile file;
    unsigned line, column;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), &file, &line, &column, NULL);
    CXToken *token = file ? clang_getToken(unit, clang_getLocation(unit, file, line, column)) : NULL;
    if (!token)
        return CXChildVisit_Continue;
    CXString word = clang_getTokenSpelling(unit, *token);
    *(bool *)found |= !strcmp(clang_getCString(word), "alias") || !strcmp(clang_getCString(word), "__alias__");
    clang_disposeString(word);
    clang_disposeTokens(unit, token, 1);
    return CXChildVisit_Continue;
}

/* Another name of something that this file defines; of which, only the compiler knows. */
static bool is_alias(CXCursor declaration)
{
    enum CXCursorKind kind = clang_getCursorKind(declaration);
    bool found = false;
    if ((kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl) && !source_is_in_system_header(declaration))
        clang_visitChildren(declaration, find_alias, &found);
    return found;
}

/* ---- bodies and initial values ---- */

static void wait_for(struct references *references, size_t file, CXCursor definition)
{
    if (clang_CXCursorSet_insert(references->visited, definition))
        add(&references->waiting, "", file, definition);
}

/* Of something that is not defined in this file. */
static void add_used(struct references *references, CXCursor declaration)
{
    if (is_alias(declaration)) {
        references->is_unclear = true;
        return;
    }
    const char *name = source_name(references->arena, declaration);
    const struct reference *there = references->elsewhere ? references_find(references->elsewhere, name) : NULL;
    if (there && is_alias(there->cursor))
        references->is_unclear = true;
    if (there)
        wait_for(references, there->file, there->cursor);
    else if (!references_find(&references->used, name))
        add(&references->used, name, references->file, declaration);
}

static enum CXChildVisitResult visit_reference(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct references *references = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    /* assembler can call functions; so does __attribute__((cleanup)), and libclang does not tell attributes apart */
    if (kind == CXCursor_AsmStmt || (kind == CXCursor_UnexposedAttr && clang_getCursorKind(parent) == CXCursor_VarDecl))
        references->is_unclear = true;
    if (kind != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    CXCursor used = clang_getCursorReferenced(cursor);
    CXCursor definition = clang_getCursorDefinition(used);
    kind = clang_getCursorKind(used);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    if (!clang_Cursor_isNull(definition))
        wait_for(references, references->file, definition);
    else if (kind == CXCursor_FunctionDecl || (is_external(used) && !globals_is_definition(used)))
        add_used(references, used);
    return CXChildVisit_Recurse;
}

static void visit_waiting(struct references *references)
{
    while (references->waiting.count) {
        struct reference next = references->waiting.list[--references->waiting.count];
        references->file = next.file;
        clang_visitChildren(next.cursor, visit_reference, references);
    }
}

/* ---- where they are used from ---- */

/* What the visitor finds in a file, and what that leads to. */
static void visit_file(struct references *references, size_t file, CXTranslationUnit unit, CXCursorVisitor visitor,
                       CXClientData data)
{
    references->file = file;
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visitor, data);
    visit_waiting(references);
}

static bool is_function_definition(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
}

static enum CXChildVisitResult visit_emitted(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct references *references = data;
    bool is_variable = globals_is_definition(cursor);
    if (is_external(cursor) && is_alias(cursor))
        add(&references->defined, source_name(references->arena, cursor), references->file, cursor);
    if (is_function_definition(cursor) && is_external(cursor) && clang_Cursor_isFunctionInlined(cursor))
        add(&references->inlines, source_name(references->arena, cursor), references->file, cursor);
    if ((!is_function_definition(cursor) && !is_variable) || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    if (is_external(cursor))
        add(&references->defined, source_name(references->arena, cursor), references->file, cursor);
    if (is_variable)
        clang_visitChildren(cursor, visit_reference, references);
    else if (is_external(cursor) && !clang_Cursor_isFunctionInlined(cursor))
        wait_for(references, references->file, cursor);
    return CXChildVisit_Continue;
}

void references_add_emitted(struct references *references, size_t file, CXTranslationUnit unit)
{
    visit_file(references, file, unit, visit_emitted, references);
}

static enum CXChildVisitResult visit_own(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct references *references = data;
    if (is_function_definition(cursor) && clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        wait_for(references, references->file, cursor);
    return CXChildVisit_Continue;
}

void references_add_all(struct references *references, size_t file, CXTranslationUnit unit)
{
    references_add_emitted(references, file, unit);
    visit_file(references, file, unit, visit_own, references);
}

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData found)
{
    (void)parent;
    *(bool *)found = clang_getCursorKind(cursor) == CXCursor_UnexposedAttr;
    return *(bool *)found ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool references_have_attribute(CXCursor cursor)
{
    bool found = false;
    clang_visitChildren(cursor, find_attribute, &found);
    return found;
}

static enum CXChildVisitResult visit_start(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct references *references = data;
    if (source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    if ((is_function_definition(cursor) || globals_is_definition(cursor)) && references_have_attribute(cursor))
        wait_for(references, references->file, cursor);
    return CXChildVisit_Continue;
}

void references_add_start(struct references *references, size_t file, CXTranslationUnit unit)
{
    visit_file(references, file, unit, visit_start, references);
}

struct named {
    struct references *references;
    const char *name;
};

static enum CXChildVisitResult visit_named(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct named *named = data;
    if ((is_function_definition(cursor) || globals_is_definition(cursor)) &&
        !strcmp(source_name(named->references->arena, cursor), named->name))
        wait_for(named->references, named->references->file, cursor);
    return CXChildVisit_Continue;
}

void references_add_definition(struct references *references, size_t file, CXTranslationUnit unit, const char *name)
{
    struct named named = {references, name};
    visit_file(references, file, unit, visit_named, &named);
}
