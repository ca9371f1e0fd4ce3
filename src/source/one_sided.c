#include "source/one_sided.h"

#include <stdlib.h>
#include <string.h>

/* One arm of an `if (execute(...))`. NULL stands for code that both versions have. */
struct region {
    const struct region *outer;
    const char *place;
};

/* A label, or something that may jump to one. */
struct point {
    CXCursor cursor;
    const char *name;
    const struct region *region;
};

struct points {
    struct point *list;
    size_t count, capacity;
};

struct check {
    struct arena *arena;
    struct error *error;
    bool failed;
    struct points labels, jumps; /* of the function that is being visited */
};

/* Where in the function a visit is. */
struct visit {
    struct check *check;
    const struct region *region, *switch_region; /* the second: of the switch that case labels belong to */
    bool is_condition;                           /* nothing but an execute() may follow */
    struct region *arms;                         /* of the if that is being visited; NULL when it is an ordinary one */
    unsigned child;                              /* how many of its parts were visited */
};

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data);

static void refuse(struct check *check, CXCursor cursor, const char *sentence, const char *where)
{
    if (!check->failed)
        error_set(check->error, "%s: %s%s", source_position(check->arena, cursor), sentence, where);
    check->failed = true;
}

static const char *called_name(struct arena *arena, CXCursor call)
{
    return source_name(arena, clang_getCursorReferenced(call));
}

static bool is_execute(struct arena *arena, CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_CallExpr && !strcmp(called_name(arena, cursor), "__pn_execute");
}

static enum CXChildVisitResult find_execute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct arena **arena = data;
    if (!is_execute(*arena, cursor))
        return CXChildVisit_Recurse;
    *arena = NULL;
    return CXChildVisit_Break;
}

static bool has_execute(struct arena *arena, CXCursor condition)
{
    struct arena *found = arena;
    if (is_execute(arena, condition))
        return true;
    clang_visitChildren(condition, find_execute, &found);
    return !found;
}

static bool saves_place(const char *name)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Below an `if`: what execute() may be wrapped in. */
static bool wraps_execute(enum CXCursorKind kind)
{
    return kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr || kind == CXCursor_UnaryOperator;
}

static void check_call(struct visit *at, CXCursor call)
{
    struct check *check = at->check;
    if (is_execute(check->arena, call) && !at->is_condition)
        refuse(check, call, "execute() must stand alone in the condition of an if: if (execute(OLD)) ...", "");
    if (at->region && saves_place(called_name(check->arena, call)))
        refuse(
            check, call,
            "setjmp() in code that only one version has cannot be followed: move it out of the block that begins at ",
            at->region->place);
}

static void add_point(struct points *points, struct point point)
{
    points->list = array_reserve(points->list, &points->capacity, points->count + 1, sizeof *points->list);
    points->list[points->count++] = point;
}

static void check_case(const struct visit *at, CXCursor label)
{
    if (at->region != at->switch_region)
        refuse(
            at->check, label,
            "this label of a switch outside leads into code that only one version has: give each version a switch of "
            "its own; the block begins at ",
            at->region->place);
}

static void visit_children(CXCursor cursor, struct visit visited)
{
    clang_visitChildren(cursor, visit, &visited);
}

/* The arms of an `if (execute(...))` are regions of their own. */
static void visit_if(const struct visit *at, CXCursor cursor)
{
    struct visit inner = *at;
    struct region *arms = arena_allocate(at->check->arena, 2 * sizeof *arms);
    arms[0] = arms[1] = (struct region){at->region, source_place(at->check->arena, cursor)};
    inner.arms = arms;
    inner.child = 0;
    visit_children(cursor, inner);
}

/* The parts of an if, in order: the condition and the arms. */
static struct visit enter_part(struct visit *at, CXCursor part)
{
    struct visit inner = *at;
    unsigned child = at->child++;
    inner.arms = NULL;
    if (child == 0) {
        inner.is_condition = has_execute(at->check->arena, part);
        if (!inner.is_condition)
            at->arms = NULL; /* an ordinary if */
    } else {
        inner.region = &at->arms[child - 1];
    }
    return inner;
}

static void note_label_or_jump(const struct visit *at, CXCursor cursor)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_LabelStmt:
        add_point(&at->check->labels, (struct point){cursor, source_name(at->check->arena, cursor), at->region});
        break;
    case CXCursor_LabelRef: /* in a goto, or where a label's address is taken */
        add_point(&at->check->jumps, (struct point){cursor, source_name(at->check->arena, cursor), at->region});
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt: check_case(at, cursor); break;
    default: break;
    }
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct visit *at = data, inner = at->arms ? enter_part(at, cursor) : *at;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    note_label_or_jump(&inner, cursor);
    if (kind == CXCursor_CallExpr)
        check_call(&inner, cursor);
    if (kind == CXCursor_SwitchStmt)
        inner.switch_region = inner.region;
    inner.is_condition = inner.is_condition && wraps_execute(kind);
    if (kind == CXCursor_IfStmt)
        visit_if(&inner, cursor);
    else
        visit_children(cursor, inner);
    return at->check->failed ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* ---- jumps ---- */

static bool is_around(const struct region *outer, const struct region *inner)
{
    for (; inner; inner = inner->outer)
        if (inner == outer)
            return true;
    return !outer;
}

static void check_jumps(struct check *check)
{
    for (size_t i = 0; i < check->jumps.count; i++) {
        const struct point *jump = &check->jumps.list[i];
        for (size_t k = 0; k < check->labels.count; k++) {
            const struct point *label = &check->labels.list[k];
            if (!strcmp(label->name, jump->name) && !is_around(label->region, jump->region))
                refuse(check, jump->cursor,
                       "a jump leads into code that only one version has: move its label out of the block that begins "
                       "at ",
                       label->region->place);
        }
    }
    check->jumps.count = check->labels.count = 0;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct check *check = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !clang_isCursorDefinition(cursor) ||
        source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    visit_children(cursor, (struct visit){.check = check});
    check_jumps(check);
    return check->failed ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool one_sided_check(struct program *program, const struct sources *sources, struct error *error)
{
    struct check check = {.arena = program->arena, .error = error};
    for (size_t i = 0; i < sources->count && !check.failed; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[i]), visit_function, &check);
    free(check.labels.list), free(check.jumps.list);
    return !check.failed;
}
