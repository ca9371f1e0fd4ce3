#include "source/null_tests.h"

#include "base/set.h"

#include <stdlib.h>
#include <string.h>

/* What is in `from` gets into `to`. */
struct flow {
    const char *from, *to;
};

struct null_tests {
    struct arena *arena;
    struct set *tested; /* places */
    struct flow *flows;
    size_t flow_count, flow_capacity;
    const char *function; /* being visited */
};

const char *null_tests_place(struct arena *arena, CXCursor declaration)
{
    return source_string(arena, clang_getCursorUSR(declaration));
}

const char *null_tests_behind(struct arena *arena, const char *place)
{
    return *place ? arena_format(arena, "%s*", place) : "";
}

bool null_tests_have(const struct null_tests *tests, const char *place)
{
    return *place && set_find(tests->tested, place, strlen(place)) < set_count(tests->tested);
}

/* ---- expressions ---- */

enum { MOST_CHILDREN = 64 };

struct children {
    CXCursor list[MOST_CHILDREN];
    size_t count;
};

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct children *children = data;
    if (children->count == MOST_CHILDREN)
        return CXChildVisit_Break;
    children->list[children->count++] = cursor;
    return CXChildVisit_Continue;
}

static struct children children_of(CXCursor cursor)
{
    struct children children = {.count = 0};
    clang_visitChildren(cursor, add_child, &children);
    return children;
}

static bool is_pointer(CXCursor expression)
{
    return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

/* Without parentheses and conversions. */
static CXCursor bare(CXCursor expression)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expression);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr && kind != CXCursor_CStyleCastExpr)
            return expression;
        struct children children = children_of(expression);
        if (!children.count)
            return expression;
        expression = children.list[children.count - 1]; /* before it, a cast may mention its type */
    }
}

/* `f` for what f() gives, `f#1` for what it takes: files other than the function's own know no more of it. */
static const char *result_of(struct null_tests *tests, CXCursor function)
{
    return arena_format(tests->arena, "%s()", source_name(tests->arena, function));
}

static const char *argument_of(struct null_tests *tests, CXCursor function, int number)
{
    return arena_format(tests->arena, "%s#%d", source_name(tests->arena, function), number);
}

static const char *place_of(struct null_tests *tests, CXCursor expression);

/* The last statement's value. */
static const char *place_of_block(struct null_tests *tests, CXCursor statement_expression)
{
    struct children outer = children_of(statement_expression);
    CXCursor last = clang_getNullCursor();
    for (size_t i = 0; i < outer.count; i++) {
        struct children inner = children_of(outer.list[i]);
        if (inner.count)
            last = inner.list[inner.count - 1];
    }
    return clang_Cursor_isNull(last) ? "" : place_of(tests, last);
}

/* Where the expression's pointer is found; "" for one that is nowhere else. */
static const char *place_of(struct null_tests *tests, CXCursor expression)
{
    expression = bare(expression);
    switch (clang_getCursorKind(expression)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr: return null_tests_place(tests->arena, clang_getCursorReferenced(expression));
    case CXCursor_CallExpr: return result_of(tests, clang_getCursorReferenced(expression));
    case CXCursor_StmtExpr: return place_of_block(tests, expression);
    case CXCursor_UnaryOperator:
    case CXCursor_ArraySubscriptExpr: {
        struct children children = children_of(expression);
        bool leads_behind = clang_getCursorKind(expression) == CXCursor_ArraySubscriptExpr ||
                            clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_Deref;
        return leads_behind && children.count ? null_tests_behind(tests->arena, place_of(tests, children.list[0])) : "";
    }
    case CXCursor_BinaryOperator: {
        struct children children = children_of(expression);
        bool assigns = clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_Assign;
        return assigns && children.count ? place_of(tests, children.list[0]) : "";
    }
    default: return "";
    }
}

static bool is_null(CXCursor expression)
{
    expression = bare(expression);
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    bool is_zero = clang_getCursorKind(expression) == CXCursor_IntegerLiteral && result &&
                   clang_EvalResult_getKind(result) == CXEval_Int && !clang_EvalResult_getAsInt(result);
    if (result)
        clang_EvalResult_dispose(result);
    return is_zero;
}

/* ---- tests and flows ---- */

static void add_test(struct null_tests *tests, CXCursor expression)
{
    const char *place = is_pointer(expression) ? place_of(tests, expression) : "";
    if (*place)
        set_add(tests->tested, place, strlen(place));
}

static void add_flow(struct null_tests *tests, const char *from, const char *to)
{
    if (!*from || !*to)
        return;
    tests->flows = array_reserve(tests->flows, &tests->flow_capacity, tests->flow_count + 1, sizeof *tests->flows);
    tests->flows[tests->flow_count++] = (struct flow){from, to};
}

static void visit_operator(struct null_tests *tests, CXCursor cursor)
{
    struct children children = children_of(cursor);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
    if (children.count != 2)
        return;
    CXCursor left = children.list[0], right = children.list[1];
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        add_test(tests, left), add_test(tests, right);
    if ((kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE) && (is_null(left) || is_null(right)))
        add_test(tests, is_null(left) ? right : left);
    if (kind == CXBinaryOperator_Assign && is_pointer(left))
        add_flow(tests, place_of(tests, right), place_of(tests, left));
}

static void visit_call(struct null_tests *tests, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    int count = clang_Cursor_getNumArguments(call);
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return;
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if (is_pointer(argument))
            add_flow(tests, place_of(tests, argument), argument_of(tests, function, i));
    }
}

/* The condition of a `for` is an expression that is no assignment; the others are. */
static void visit_for(struct null_tests *tests, CXCursor loop)
{
    struct children children = children_of(loop);
    for (size_t i = 0; i + 1 < children.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(bare(children.list[i]));
        if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr ||
            (kind == CXCursor_UnaryOperator &&
             clang_getCursorUnaryOperatorKind(bare(children.list[i])) == CXUnaryOperator_Deref))
            add_test(tests, children.list[i]);
    }
}

static void visit_child(struct null_tests *tests, CXCursor parent, bool first)
{
    struct children children = children_of(parent);
    if (children.count)
        add_test(tests, children.list[first ? 0 : children.count - 1]);
}

static void visit_variable(struct null_tests *tests, CXCursor variable)
{
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    if (!clang_Cursor_isNull(value) && is_pointer(variable))
        add_flow(tests, place_of(tests, value), null_tests_place(tests->arena, variable));
}

static void visit_return(struct null_tests *tests, CXCursor statement)
{
    struct children children = children_of(statement);
    if (children.count && is_pointer(children.list[0]))
        add_flow(tests, place_of(tests, children.list[0]), arena_format(tests->arena, "%s()", tests->function));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct null_tests *tests = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator: visit_child(tests, cursor, true); break;
    case CXCursor_DoStmt: visit_child(tests, cursor, false); break;
    case CXCursor_ForStmt: visit_for(tests, cursor); break;
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_LNot)
            visit_child(tests, cursor, true);
        break;
    case CXCursor_BinaryOperator: visit_operator(tests, cursor); break;
    case CXCursor_CallExpr: visit_call(tests, cursor); break;
    case CXCursor_VarDecl: visit_variable(tests, cursor); break;
    case CXCursor_ReturnStmt: visit_return(tests, cursor); break;
    default: break;
    }
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct null_tests *tests = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    tests->function = source_name(tests->arena, cursor);
    int count = clang_Cursor_getNumArguments(cursor);
    for (int i = 0; i < count; i++)
        add_flow(tests, argument_of(tests, cursor, i),
                 null_tests_place(tests->arena, clang_Cursor_getArgument(cursor, (unsigned)i)));
    clang_visitChildren(cursor, visit, tests);
    return CXChildVisit_Continue;
}

/* What gets into a place that is tested is tested there. */
static void follow_flows(struct null_tests *tests)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < tests->flow_count; i++)
            if (null_tests_have(tests, tests->flows[i].to))
                more |= set_add(tests->tested, tests->flows[i].from, strlen(tests->flows[i].from));
    }
}

struct null_tests *null_tests_read(struct arena *arena, const struct sources *sources)
{
    struct null_tests *tests = arena_allocate(arena, sizeof *tests);
    *tests = (struct null_tests){.arena = arena, .tested = set_create()};
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_function, tests);
    follow_flows(tests);
    return tests;
}

void null_tests_free(struct null_tests *tests)
{
    if (!tests)
        return;
    set_destroy(tests->tested);
    free(tests->flows);
}
