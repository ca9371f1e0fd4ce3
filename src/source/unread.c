#include "source/unread.h"

#include "source/source.h"

enum { DEEPEST = 8 /* functions that hand it on */ };

struct search {
    CXCursor parameter;
    unsigned depth;
    bool is_read;
};

static bool is_read(CXCursor parameter, unsigned depth);

static bool is_it(const struct search *search, CXCursor expression)
{
    return clang_getCursorKind(expression) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(expression), search->parameter);
}

/* `(void)argv` */
static bool is_dropped(const struct search *search, CXCursor cast)
{
    if (clang_getCursorKind(cast) != CXCursor_CStyleCastExpr || clang_getCursorType(cast).kind != CXType_Void)
        return false;
    CXCursor inner = source_first_child(cast);
    return !clang_Cursor_isNull(inner) && is_it(search, source_bare(inner));
}

/* An argument of a call, where the function that is called does not look at it either. */
static bool is_handed_on(const struct search *search, CXCursor call, CXCursor argument)
{
    CXCursor callee = clang_getCursorReferenced(call);
    CXCursor definition = clang_getCursorKind(callee) == CXCursor_FunctionDecl ? clang_getCursorDefinition(callee)
                                                                               : clang_getNullCursor();
    if (clang_getCursorKind(call) != CXCursor_CallExpr || clang_Cursor_isNull(definition) ||
        !is_it(search, source_bare(argument)))
        return false;
    for (int i = 0; i < clang_Cursor_getNumArguments(call) && i < clang_Cursor_getNumArguments(definition); i++)
        if (clang_equalCursors(clang_Cursor_getArgument(call, (unsigned)i), argument))
            return !is_read(clang_Cursor_getArgument(definition, (unsigned)i), search->depth + 1);
    return false;
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct search *search = data;
    if (is_dropped(search, cursor) || is_handed_on(search, parent, cursor))
        return CXChildVisit_Continue;
    search->is_read |= is_it(search, cursor);
    return search->is_read ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool is_read(CXCursor parameter, unsigned depth)
{
    struct search search = {.parameter = parameter, .depth = depth};
    CXCursor function = clang_getCursorSemanticParent(parameter);
    if (depth > DEEPEST || clang_getCursorKind(function) != CXCursor_FunctionDecl ||
        !clang_isCursorDefinition(function))
        return true;
    clang_visitChildren(function, look, &search);
    return search.is_read;
}

bool parameter_is_unread(CXCursor parameter)
{
    return clang_getCursorKind(parameter) == CXCursor_ParmDecl && !is_read(parameter, 0);
}
