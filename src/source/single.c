#include "source/single.h"

#include "base/set.h"
#include "source/pointer_tests.h"

#include <stdlib.h>
#include <string.h>

/* What is in a parameter gets into another one, as an argument. */
struct passing {
    const char *from, *to; /* a place; a function and the number of its parameter */
};

struct single_pointers {
    struct arena *arena;
    struct set *parameters; /* places of all pointers among the parameters, and functions with the numbers of these */
    struct set *several;    /* those of them that are used otherwise */
    struct set *harmless;   /* mentions of parameters that were found to be good, by their cursors */
    struct set *addressed;  /* `*p` of `&*p`, likewise */
    struct passing *passings;
    size_t passing_count, passing_capacity;
};

/* ---- sets ---- */

static void add_word(struct set *set, const char *word)
{
    set_add(set, word, strlen(word));
}

static bool has_word(const struct set *set, const char *word)
{
    return set_find(set, word, strlen(word)) < set_count(set);
}

static void add_cursor(struct set *set, CXCursor cursor)
{
    set_add(set, &cursor.data[1], sizeof cursor.data[1]); /* the node of the syntax tree */
}

static bool has_cursor(const struct set *set, CXCursor cursor)
{
    return set_find(set, &cursor.data[1], sizeof cursor.data[1]) < set_count(set);
}

/* ---- expressions ---- */

enum { MOST_CHILDREN = 3 };

struct children {
    CXCursor list[MOST_CHILDREN];
    size_t count;
};

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct children *children = data;
    if (children->count < MOST_CHILDREN)
        children->list[children->count] = cursor;
    children->count++;
    return CXChildVisit_Continue;
}

static struct children children_of(CXCursor cursor)
{
    struct children children = {.count = 0};
    clang_visitChildren(cursor, add_child, &children);
    return children;
}

/* Without parentheses and what the compiler converts by itself; a cast that is written stays. */
static CXCursor bare(CXCursor expression)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expression);
        struct children children = children_of(expression);
        if ((kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) || children.count != 1)
            return expression;
        expression = children.list[0];
    }
}

static CXType pointee_of(CXCursor declaration)
{
    return clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(declaration)));
}

static bool is_pointer(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer;
}

/* The parameter that an expression is, and nothing else. */
static bool find_parameter(CXCursor expression, CXCursor *mention, CXCursor *parameter)
{
    *mention = bare(expression);
    if (clang_getCursorKind(*mention) != CXCursor_DeclRefExpr)
        return false;
    *parameter = clang_getCursorReferenced(*mention);
    return clang_getCursorKind(*parameter) == CXCursor_ParmDecl && is_pointer(*parameter);
}

static bool is_zero(CXCursor expression)
{
    CXEvalResult result = clang_Cursor_Evaluate(bare(expression));
    bool zero = result && clang_EvalResult_getKind(result) == CXEval_Int && !clang_EvalResult_getAsLongLong(result);
    if (result)
        clang_EvalResult_dispose(result);
    return zero;
}

/* NULL is `((void *)0)`. */
static bool is_null(CXCursor expression)
{
    expression = bare(expression);
    while (clang_getCursorKind(expression) == CXCursor_CStyleCastExpr) {
        struct children children = children_of(expression);
        if (!children.count || children.count > MOST_CHILDREN)
            return false;
        expression = bare(children.list[children.count - 1]);
    }
    return clang_getCursorKind(expression) == CXCursor_IntegerLiteral && is_zero(expression);
}

/* ---- what is good ---- */

static void allow(struct single_pointers *pointers, CXCursor expression)
{
    CXCursor mention, parameter;
    if (find_parameter(expression, &mention, &parameter))
        add_cursor(pointers->harmless, mention);
}

/* `&*p` is p again. */
static void visit_unary(struct single_pointers *pointers, CXCursor cursor)
{
    struct children children = children_of(cursor);
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);
    if (children.count != 1)
        return;
    if (kind == CXUnaryOperator_AddrOf)
        add_cursor(pointers->addressed, bare(children.list[0]));
    if (kind == CXUnaryOperator_LNot || (kind == CXUnaryOperator_Deref && !has_cursor(pointers->addressed, cursor)))
        allow(pointers, children.list[0]);
}

static void visit_subscript(struct single_pointers *pointers, CXCursor cursor)
{
    struct children children = children_of(cursor);
    if (children.count == 2 && is_zero(children.list[1]) && !has_cursor(pointers->addressed, cursor))
        allow(pointers, children.list[0]);
}

static void visit_binary(struct single_pointers *pointers, CXCursor cursor)
{
    struct children children = children_of(cursor);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    if (children.count != 2)
        return;
    bool is_logical = kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr;
    bool is_equality = kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE;
    for (size_t i = 0; i < 2; i++)
        if (is_logical || (is_equality && is_null(children.list[1 - i])))
            allow(pointers, children.list[i]);
}

/* `if (p)`, `p ? 1 : 2`. */
static void visit_test(struct single_pointers *pointers, CXCursor cursor)
{
    struct children children = children_of(cursor);
    if (children.count > 1) /* `p ?: q` is a value */
        allow(pointers, children.list[0]);
}

static const char *argument_of(struct single_pointers *pointers, CXCursor function, unsigned number)
{
    return arena_format(pointers->arena, "%s#%u", source_name(pointers->arena, function), number);
}

/* Another function may get it, as a pointer to the same. */
static void visit_call(struct single_pointers *pointers, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call), mention, parameter;
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return;
    int count = clang_Cursor_getNumArguments(call), known = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < count && i < known; i++) {
        CXCursor received = clang_Cursor_getArgument(function, (unsigned)i);
        if (!find_parameter(clang_Cursor_getArgument(call, (unsigned)i), &mention, &parameter) ||
            !is_pointer(received) ||
            clang_Type_getSizeOf(pointee_of(received)) != clang_Type_getSizeOf(pointee_of(parameter)))
            continue;
        pointers->passings = array_reserve(pointers->passings, &pointers->passing_capacity, pointers->passing_count + 1,
                                           sizeof *pointers->passings);
        pointers->passings[pointers->passing_count++] =
            (struct passing){pointer_place(pointers->arena, parameter), argument_of(pointers, function, (unsigned)i)};
        add_cursor(pointers->harmless, mention);
    }
}

static void visit_mention(struct single_pointers *pointers, CXCursor mention)
{
    CXCursor parameter = clang_getCursorReferenced(mention);
    if (clang_getCursorKind(parameter) == CXCursor_ParmDecl && is_pointer(parameter) &&
        !has_cursor(pointers->harmless, mention))
        add_word(pointers->several, pointer_place(pointers->arena, parameter));
}

/* ---- all functions ---- */

/* What surrounds a mention is visited before it. */
static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct single_pointers *pointers = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_UnaryOperator: visit_unary(pointers, cursor); break;
    case CXCursor_ArraySubscriptExpr: visit_subscript(pointers, cursor); break;
    case CXCursor_BinaryOperator: visit_binary(pointers, cursor); break;
    case CXCursor_IfStmt: visit_test(pointers, cursor); break;
    case CXCursor_ConditionalOperator:
        if (children_of(cursor).count == 3)
            visit_test(pointers, cursor);
        break;
    case CXCursor_CallExpr: visit_call(pointers, cursor); break;
    case CXCursor_DeclRefExpr: visit_mention(pointers, cursor); break;
    default: break;
    }
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct single_pointers *pointers = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    int count = clang_Cursor_getNumArguments(cursor);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(cursor, (unsigned)i);
        const char *place = pointer_place(pointers->arena, parameter);
        const char *argument = argument_of(pointers, cursor, (unsigned)i);
        add_word(pointers->parameters, argument);
        if (!is_pointer(parameter) || !*place) {
            add_word(pointers->several, argument);
            continue;
        }
        add_word(pointers->parameters, place);
        pointers->passings = array_reserve(pointers->passings, &pointers->passing_capacity, pointers->passing_count + 1,
                                           sizeof *pointers->passings);
        pointers->passings[pointers->passing_count++] = (struct passing){argument, place};
    }
    clang_visitChildren(cursor, visit, pointers);
    return CXChildVisit_Continue;
}

/* What gets into a pointer to several, or to a function that nobody defines, is one. */
static void follow_passings(struct single_pointers *pointers)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < pointers->passing_count; i++) {
            const struct passing *one = &pointers->passings[i];
            if (!has_word(pointers->parameters, one->to) || has_word(pointers->several, one->to))
                more |= set_add(pointers->several, one->from, strlen(one->from));
        }
    }
}

struct single_pointers *single_read(struct arena *arena, const struct sources *sources)
{
    struct single_pointers *pointers = arena_allocate(arena, sizeof *pointers);
    *pointers = (struct single_pointers){.arena = arena,
                                         .parameters = set_create(),
                                         .several = set_create(),
                                         .harmless = set_create(),
                                         .addressed = set_create()};
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_function, pointers);
    follow_passings(pointers);
    return pointers;
}

void single_free(struct single_pointers *pointers)
{
    if (!pointers)
        return;
    set_destroy(pointers->parameters);
    set_destroy(pointers->several);
    set_destroy(pointers->harmless);
    set_destroy(pointers->addressed);
    free(pointers->passings);
}

bool single_has(const struct single_pointers *pointers, const char *place)
{
    return *place && has_word(pointers->parameters, place) && !has_word(pointers->several, place);
}
