#include "source/pointer_tests.h"

#include "base/set.h"
#include "base/words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is in `from` gets into `to`. */
struct flow {
    const char *from, *to;
};

/* Two pointers that are compared, or one that is looked at as a number. */
struct look {
    const char *one, *other; /* places; `other` is NULL for a number */
    const char *where;
};

/* Pointers from which the code goes on to other elements of a size: one to bytes that came from one to a structure goes
 * on to bytes, not to structures. */
struct step {
    long long size;
    struct set *places;
};
static const size_t NO_FLOW = SIZE_MAX;

struct pointer_tests {
    struct arena *arena;
    struct look *looks;
    size_t look_count, look_capacity;
    struct set *tested;  /* places */
    struct set *written; /* places of pointers through which something may be written */
    struct step *steps;
    size_t step_count, step_capacity;
    struct flow *flows;
    size_t flow_count, flow_capacity;
    struct set *sources;  /* places that flows lead from: they have numbers */
    size_t *first, *next; /* flows from one place: the first by its number, then by the flow; ended by NO_FLOW */
    const char *function; /* being visited */
};

const char *pointer_place(struct arena *arena, CXCursor declaration)
{
    return source_string(arena, clang_getCursorUSR(declaration));
}

const char *pointer_place_behind(struct arena *arena, const char *place)
{
    return *place ? arena_format(arena, "%s*", place) : "";
}

static bool has_place(const struct set *places, const char *place)
{
    return *place && set_find(places, place, strlen(place)) < set_count(places);
}

bool pointer_tests_null(const struct pointer_tests *tests, const char *place)
{
    return has_place(tests->tested, place);
}

static struct step *find_step(const struct pointer_tests *tests, long long size)
{
    for (size_t i = 0; i < tests->step_count; i++)
        if (tests->steps[i].size == size)
            return &tests->steps[i];
    return NULL;
}

bool pointer_tests_stepped(const struct pointer_tests *tests, const char *place, long long size)
{
    const struct step *step = find_step(tests, size);
    return step && has_place(step->places, place);
}

bool pointer_tests_written(const struct pointer_tests *tests, const char *place)
{
    return has_place(tests->written, place);
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

/* Without parentheses, conversions and `__extension__`, of which pn_change() is made. */
static CXCursor bare(CXCursor expression)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expression);
        bool is_extension =
            kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_Extension;
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr && kind != CXCursor_CStyleCastExpr &&
            !is_extension)
            return expression;
        struct children children = children_of(expression);
        if (!children.count)
            return expression;
        expression = children.list[children.count - 1]; /* before it, a cast may mention its type */
    }
}

/* `f` for what f() gives, `f#1` for what it takes: files other than the function's own know no more of it. */
static const char *result_of(struct pointer_tests *tests, CXCursor function)
{
    return arena_format(tests->arena, "%s()", source_name(tests->arena, function));
}

static const char *argument_of(struct pointer_tests *tests, CXCursor function, int number)
{
    return arena_format(tests->arena, "%s#%d", source_name(tests->arena, function), number);
}

static const char *place_of(struct pointer_tests *tests, CXCursor expression);

/* The last statement's value. */
static const char *place_of_block(struct pointer_tests *tests, CXCursor statement_expression)
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

static const char *place_of_child(struct pointer_tests *tests, CXCursor expression, size_t number)
{
    struct children children = children_of(expression);
    return number < children.count ? place_of(tests, children.list[number]) : "";
}

/* What is assigned, or a pointer to another element of the same object. */
static const char *place_of_operator(struct pointer_tests *tests, CXCursor expression)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expression);
    struct children children = children_of(expression);
    if (kind == CXBinaryOperator_Assign || kind == CXBinaryOperator_Sub)
        return place_of_child(tests, expression, 0);
    if (kind == CXBinaryOperator_Comma)
        return place_of_child(tests, expression, 1);
    if (kind != CXBinaryOperator_Add || children.count != 2)
        return "";
    return place_of_child(tests, expression, is_pointer(children.list[0]) ? 0 : 1);
}

static void add_flow(struct pointer_tests *tests, const char *from, const char *to)
{
    if (!*from || !*to)
        return;
    tests->flows = array_reserve(tests->flows, &tests->flow_capacity, tests->flow_count + 1, sizeof *tests->flows);
    tests->flows[tests->flow_count++] = (struct flow){from, to};
}

/* `c ? p : q`: a place of its own, into which both get. */
static const char *place_of_choice(struct pointer_tests *tests, CXCursor expression)
{
    unsigned offset;
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(expression), &file, NULL, NULL, &offset);
    const char *place =
        arena_format(tests->arena, "?%s@%u", source_string(tests->arena, clang_getFileName(file)), offset);
    struct children children = children_of(expression);
    for (size_t i = 0; i < children.count; i++) /* the condition of `p ?: q` is its value too */
        if (is_pointer(children.list[i]) && (i || children.count == 2))
            add_flow(tests, place_of(tests, children.list[i]), place);
    return place;
}

/* `&p[1]`, `&*p`: p. */
static const char *place_of_address(struct pointer_tests *tests, CXCursor lvalue)
{
    lvalue = bare(lvalue);
    struct children children = children_of(lvalue);
    bool is_element = clang_getCursorKind(lvalue) == CXCursor_ArraySubscriptExpr ||
                      (clang_getCursorKind(lvalue) == CXCursor_UnaryOperator &&
                       clang_getCursorUnaryOperatorKind(lvalue) == CXUnaryOperator_Deref);
    return is_element && children.count && is_pointer(bare(children.list[0])) ? place_of(tests, children.list[0]) : "";
}

/* Where the expression's pointer is found; "" for one that is nowhere else. */
static const char *place_of(struct pointer_tests *tests, CXCursor expression)
{
    expression = bare(expression);
    switch (clang_getCursorKind(expression)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr: return pointer_place(tests->arena, clang_getCursorReferenced(expression));
    case CXCursor_CallExpr: return result_of(tests, clang_getCursorReferenced(expression));
    case CXCursor_StmtExpr: return place_of_block(tests, expression);
    case CXCursor_UnaryOperator:
    case CXCursor_ArraySubscriptExpr: {
        struct children children = children_of(expression);
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(expression);
        bool leads_behind =
            clang_getCursorKind(expression) == CXCursor_ArraySubscriptExpr || kind == CXUnaryOperator_Deref;
        if (kind == CXUnaryOperator_AddrOf && children.count)
            return place_of_address(tests, children.list[0]);
        bool steps = kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec;
        const char *place = (leads_behind || steps) && children.count ? place_of(tests, children.list[0]) : "";
        return leads_behind ? pointer_place_behind(tests->arena, place) : place;
    }
    case CXCursor_ConditionalOperator: return place_of_choice(tests, expression);
    case CXCursor_BinaryOperator: return place_of_operator(tests, expression);
    case CXCursor_CompoundAssignOperator: return place_of_child(tests, expression, 0);
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

static void add_step(struct pointer_tests *tests, CXCursor pointer)
{
    const char *place = is_pointer(bare(pointer)) ? place_of(tests, pointer) : "";
    long long size =
        clang_Type_getSizeOf(clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(bare(pointer)))));
    if (!*place)
        return;
    if (!find_step(tests, size)) {
        tests->steps = array_reserve(tests->steps, &tests->step_capacity, tests->step_count + 1, sizeof *tests->steps);
        tests->steps[tests->step_count++] = (struct step){size, set_create()};
    }
    set_add(find_step(tests, size)->places, place, strlen(place));
}

/* `p[0]` is `*p`. */
static void visit_subscript(struct pointer_tests *tests, CXCursor subscript)
{
    struct children children = children_of(subscript);
    if (children.count == 2 && !is_null(children.list[1]))
        add_step(tests, children.list[0]);
}

static void visit_increment(struct pointer_tests *tests, CXCursor operator)
{
    struct children children = children_of(operator);
    if (children.count)
        add_step(tests, children.list[0]);
}

static void visit_step(struct pointer_tests *tests, CXCursor cursor, enum CXBinaryOperatorKind kind)
{
    struct children children = children_of(cursor);
    bool steps = kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub || kind == CXBinaryOperator_AddAssign ||
                 kind == CXBinaryOperator_SubAssign;
    if (!steps || children.count != 2 || is_pointer(children.list[0]) == is_pointer(children.list[1]))
        return;
    add_step(tests, children.list[is_pointer(children.list[0]) ? 0 : 1]);
}

static void add_test(struct pointer_tests *tests, CXCursor expression)
{
    const char *place = is_pointer(expression) ? place_of(tests, expression) : "";
    if (*place)
        set_add(tests->tested, place, strlen(place));
}

static void add_look(struct pointer_tests *tests, CXCursor cursor, const char *one, const char *other)
{
    if (!*one || (other && !*other))
        return;
    tests->looks = array_reserve(tests->looks, &tests->look_capacity, tests->look_count + 1, sizeof *tests->looks);
    tests->looks[tests->look_count++] = (struct look){one, other, source_place(tests->arena, cursor)};
}

static bool is_comparison(enum CXBinaryOperatorKind kind)
{
    return kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE || kind == CXBinaryOperator_LT ||
           kind == CXBinaryOperator_GT || kind == CXBinaryOperator_LE || kind == CXBinaryOperator_GE ||
           kind == CXBinaryOperator_Sub;
}

/* `(uintptr_t)p`; `bool there = p;` */
static void visit_cast(struct pointer_tests *tests, CXCursor cast)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cast));
    struct children children = children_of(cast);
    if (type.kind == CXType_Bool && children.count)
        add_test(tests, children.list[children.count - 1]);
    bool is_number = type.kind > CXType_Bool && type.kind <= CXType_Int128;
    if (is_number && children.count && is_pointer(children.list[children.count - 1]))
        add_look(tests, cast, place_of(tests, children.list[children.count - 1]), NULL);
}

static void visit_operator(struct pointer_tests *tests, CXCursor cursor)
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
    if (is_comparison(kind) && is_pointer(left) && is_pointer(right) && !is_null(left) && !is_null(right))
        add_look(tests, cursor, place_of(tests, left), place_of(tests, right));
    if (kind == CXBinaryOperator_Assign && is_pointer(left))
        add_flow(tests, place_of(tests, right), place_of(tests, left));
}

static void add_written(struct pointer_tests *tests, const char *place)
{
    if (*place)
        set_add(tests->written, place, strlen(place));
}

/* The pointer through which the lvalue is reached: `p` of `*p`, `p[1]`, `p->a[2].b`; "" for a variable. */
static const char *pointer_to(struct pointer_tests *tests, CXCursor lvalue)
{
    for (;;) {
        lvalue = bare(lvalue);
        enum CXCursorKind kind = clang_getCursorKind(lvalue);
        bool is_dereference =
            kind == CXCursor_UnaryOperator && clang_getCursorUnaryOperatorKind(lvalue) == CXUnaryOperator_Deref;
        struct children children = children_of(lvalue);
        if (!children.count ||
            (!is_dereference && kind != CXCursor_ArraySubscriptExpr && kind != CXCursor_MemberRefExpr))
            return "";
        CXCursor inner = bare(children.list[0]);
        if (is_dereference || is_pointer(inner))
            return place_of(tests, inner);
        lvalue = inner;
    }
}

static void visit_change(struct pointer_tests *tests, CXCursor change)
{
    struct children children = children_of(change);
    if (children.count)
        add_written(tests, pointer_to(tests, children.list[0]));
}

/* What only a library or nobody knows may write whatever its parameters' types allow. */
static bool may_write(CXCursor function, int number)
{
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return true;
    bool is_known = number < clang_Cursor_getNumArguments(function);
    if (is_known && !clang_Cursor_isNull(clang_getCursorDefinition(function)))
        return false;
    CXType type = clang_getCanonicalType(clang_getArgType(clang_getCursorType(function), (unsigned)number));
    return type.kind != CXType_Pointer || !clang_isConstQualifiedType(clang_getPointeeType(type));
}

static void visit_call(struct pointer_tests *tests, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if (!is_pointer(argument))
            continue;
        if (clang_getCursorKind(function) == CXCursor_FunctionDecl)
            add_flow(tests, place_of(tests, argument), argument_of(tests, function, i));
        if (may_write(function, i))
            add_written(tests, place_of(tests, argument));
    }
}

/* The condition of a `for` is an expression that is no assignment; the others are. */
static void visit_for(struct pointer_tests *tests, CXCursor loop)
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

static void visit_child(struct pointer_tests *tests, CXCursor parent, bool first)
{
    struct children children = children_of(parent);
    if (children.count)
        add_test(tests, children.list[first ? 0 : children.count - 1]);
}

/* Where pointers get out of sight, something may be written through them: members and elements in braces, what `&p`
 * leads to, and arguments that no parameter receives. */
static void visit_braces(struct pointer_tests *tests, CXCursor list)
{
    struct children children = children_of(list);
    for (size_t i = 0; i < children.count; i++) {
        CXCursor value = bare(children.list[i]);
        CXType type = clang_getCanonicalType(clang_getCursorType(value));
        struct children inner = children_of(value); /* `.member = p` has its member first */
        if (type.kind == CXType_Pointer)
            add_written(tests, place_of(tests, value));
        if (clang_getCursorKind(value) != CXCursor_InitListExpr && inner.count &&
            is_pointer(inner.list[inner.count - 1]))
            add_written(tests, place_of(tests, inner.list[inner.count - 1]));
    }
}

static void visit_address(struct pointer_tests *tests, CXCursor operator)
{
    struct children children = children_of(operator);
    CXCursor lvalue = children.count ? bare(children.list[0]) : clang_getNullCursor();
    enum CXCursorKind kind = clang_getCursorKind(lvalue);
    if (!children.count || (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr))
        return;
    if (is_pointer(lvalue))
        add_written(tests, place_of(tests, lvalue));
    add_written(tests, pointer_to(tests, lvalue));
}

/* `p->array` as a pointer. */
static void visit_decay(struct pointer_tests *tests, CXCursor cast, CXCursor parent)
{
    struct children children = children_of(cast);
    if (clang_getCursorKind(parent) == CXCursor_ArraySubscriptExpr || !is_pointer(cast) || children.count != 1)
        return;
    if (clang_getCanonicalType(clang_getCursorType(children.list[0])).kind == CXType_ConstantArray)
        add_written(tests, pointer_to(tests, children.list[0]));
}

static void visit_variable(struct pointer_tests *tests, CXCursor variable)
{
    CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
    if (!clang_Cursor_isNull(value) && is_pointer(variable))
        add_flow(tests, place_of(tests, value), pointer_place(tests->arena, variable));
}

static void visit_return(struct pointer_tests *tests, CXCursor statement)
{
    struct children children = children_of(statement);
    if (children.count && is_pointer(children.list[0]))
        add_flow(tests, place_of(tests, children.list[0]), arena_format(tests->arena, "%s()", tests->function));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct pointer_tests *tests = data;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator: visit_child(tests, cursor, true); break;
    case CXCursor_DoStmt: visit_child(tests, cursor, false); break;
    case CXCursor_ForStmt: visit_for(tests, cursor); break;
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_LNot)
            visit_child(tests, cursor, true);
        if (clang_getCursorUnaryOperatorKind(cursor) <= CXUnaryOperator_PreDec) {
            visit_change(tests, cursor);
            visit_increment(tests, cursor);
        }
        if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf)
            visit_address(tests, cursor);
        break;
    case CXCursor_InitListExpr: visit_braces(tests, cursor); break;
    case CXCursor_ArraySubscriptExpr: visit_subscript(tests, cursor); break;
    case CXCursor_CompoundAssignOperator:
        visit_change(tests, cursor);
        visit_step(tests, cursor, clang_getCursorBinaryOperatorKind(cursor));
        break;
    case CXCursor_BinaryOperator:
        visit_step(tests, cursor, clang_getCursorBinaryOperatorKind(cursor));
        visit_operator(tests, cursor);
        if (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign)
            visit_change(tests, cursor);
        break;
    case CXCursor_UnexposedExpr:
        visit_decay(tests, cursor, parent);
        visit_cast(tests, cursor);
        break;
    case CXCursor_CStyleCastExpr: visit_cast(tests, cursor); break;
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
    struct pointer_tests *tests = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    tests->function = source_name(tests->arena, cursor);
    int count = clang_Cursor_getNumArguments(cursor);
    for (int i = 0; i < count; i++)
        add_flow(tests, argument_of(tests, cursor, i),
                 pointer_place(tests->arena, clang_Cursor_getArgument(cursor, (unsigned)i)));
    clang_visitChildren(cursor, visit, tests);
    return CXChildVisit_Continue;
}

/* What gets into a place that is tested is tested there; so with what is written through it. */
static void follow_flows(struct pointer_tests *tests, struct set *places)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < tests->flow_count; i++)
            if (has_place(places, tests->flows[i].to))
                more |= set_add(places, tests->flows[i].from, strlen(tests->flows[i].from));
    }
}

/* Flows by the place that they lead from. */
static void index_flows(struct pointer_tests *tests)
{
    size_t count = tests->flow_count;
    tests->sources = set_create();
    tests->first = arena_allocate(tests->arena, (count + 1) * sizeof *tests->first);
    tests->next = arena_allocate(tests->arena, (count + 1) * sizeof *tests->next);
    for (size_t i = 0; i < count; i++) {
        const char *from = tests->flows[i].from;
        bool is_new = set_add(tests->sources, from, strlen(from));
        size_t number = set_find(tests->sources, from, strlen(from));
        tests->next[i] = is_new ? NO_FLOW : tests->first[number];
        tests->first[number] = i;
    }
}

struct pointer_tests *pointer_tests_read(struct arena *arena, const struct sources *sources)
{
    struct pointer_tests *tests = arena_allocate(arena, sizeof *tests);
    *tests = (struct pointer_tests){.arena = arena, .tested = set_create(), .written = set_create()};
    for (size_t i = 0; i < sources->count; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_function, tests);
    follow_flows(tests, tests->tested);
    follow_flows(tests, tests->written);
    for (size_t i = 0; i < tests->step_count; i++)
        follow_flows(tests, tests->steps[i].places);
    index_flows(tests);
    return tests;
}

void pointer_tests_free(struct pointer_tests *tests)
{
    if (!tests)
        return;
    set_destroy(tests->tested);
    set_destroy(tests->written);
    for (size_t i = 0; i < tests->step_count; i++)
        set_destroy(tests->steps[i].places);
    free(tests->steps);
    set_destroy(tests->sources);
    free(tests->flows);
    free(tests->looks);
}

/* ---- where objects lie ---- */

/* The places that what is in `from` may get into, in the order in which they are met. */
static struct set *list_reached(const struct pointer_tests *tests, const char *from, struct words *places)
{
    struct set *reached = set_create();
    set_add(reached, from, strlen(from));
    words_add(places, from);
    for (size_t at = 0; at < places->count; at++) {
        const char *place = places->list[at];
        size_t number = set_find(tests->sources, place, strlen(place));
        bool leads_on = number < set_count(tests->sources);
        for (size_t i = leads_on ? tests->first[number] : NO_FLOW; i != NO_FLOW; i = tests->next[i])
            if (set_add(reached, tests->flows[i].to, strlen(tests->flows[i].to)))
                words_add(places, tests->flows[i].to);
    }
    return reached;
}

static struct set *places_reached(const struct pointer_tests *tests, const char *from)
{
    struct words places = {0};
    struct set *reached = list_reached(tests, from, &places);
    words_free(&places);
    return reached;
}

bool pointer_tests_compared(const struct pointer_tests *tests, const char *one, const char *other)
{
    if (!tests->look_count)
        return false;
    struct set *from_one = places_reached(tests, one), *from_other = places_reached(tests, other);
    bool found = false;
    for (size_t i = 0; i < tests->look_count && !found; i++) {
        const struct look *look = &tests->looks[i];
        found = look->other && ((has_place(from_one, look->one) && has_place(from_other, look->other)) ||
                                (has_place(from_one, look->other) && has_place(from_other, look->one)));
    }
    set_destroy(from_one);
    set_destroy(from_other);
    return found;
}

/* The function whose argument the place is, as argument_of() has named it. */
static bool is_argument_of(const char *place, const char *const functions[], size_t count)
{
    size_t length = strcspn(place, "#");
    bool found = false;
    for (size_t i = 0; i < count && place[length]; i++)
        found |= strlen(functions[i]) == length && !strncmp(place, functions[i], length);
    return found;
}

bool pointer_tests_given_to(const struct pointer_tests *tests, const char *place, const char *const functions[],
                            size_t count)
{
    struct words places = {0};
    bool found = false;
    set_destroy(list_reached(tests, place, &places));
    for (size_t i = 1; i < places.count && !found; i++) /* not the place itself */
        found = is_argument_of(places.list[i], functions, count);
    words_free(&places);
    return found;
}

/* The inputs that may be in the place: one of them, and how many. */
static size_t count_inputs(struct set *const reached[], const struct pointer_input inputs[], size_t count,
                           const char *place, const char **name)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (set_find(reached[i], place, strlen(place)) < set_count(reached[i])) {
            *name = inputs[i].name;
            found++;
        }
    return found;
}

/* What is looked at in both versions is said once. */
static void drop_repeated(struct text *lines, size_t start)
{
    if (lines->length == start || !start)
        return;
    const char *found = strstr(lines->data, lines->data + start);
    if (found < lines->data + start && (found == lines->data || found[-1] == '\n'))
        lines->data[lines->length = start] = '\0';
}

void pointer_tests_describe(const struct pointer_tests *tests, const struct pointer_input inputs[], size_t count,
                            struct text *lines)
{
    struct set **reached = calloc(count + 1, sizeof(struct set *));
    for (size_t i = 0; i < count && tests->look_count; i++)
        reached[i] = places_reached(tests, inputs[i].place);
    for (size_t i = 0; i < tests->look_count; i++) {
        const struct look *look = &tests->looks[i];
        const char *one = NULL, *other = NULL;
        size_t in_one = count_inputs(reached, inputs, count, look->one, &one);
        size_t in_other = look->other ? count_inputs(reached, inputs, count, look->other, &other) : 0;
        size_t before = lines->length;
        if (!look->other && in_one)
            text_format(lines,
                        "%s: the address of what '%s' points to is looked at as a number: one address is explored\n",
                        look->where, one);
        if (in_one && in_other && (in_one > 1 || in_other > 1 || strcmp(one, other)))
            text_format(lines,
                        "%s: the order of what '%s' and '%s' point to is looked at: they are distinct objects here\n",
                        look->where, one, other);
        drop_repeated(lines, before);
    }
    for (size_t i = 0; i < count && tests->look_count; i++)
        set_destroy(reached[i]);
    free(reached);
}
