#include "source/constructors.h"

#include "source/outputs.h"
#include "source/pointer_tests.h"
#include "source/sizes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONSTRUCTORS = 2, MOST_MUTATORS = 3, MOST_STEPS = 3, MOST_ARGUMENTS = 6 };

/* A function that makes an object, or changes one. */
struct candidate {
    CXCursor function;
    const char *name;
    int first;  /* the argument that is the first input: a mutator's object comes before it */
    int rank;   /* by its name, the lower the better */
    bool gives; /* returns an object */
};

struct candidates {
    struct candidate *list;
    size_t count, capacity;
};

struct search {
    struct program *program;
    CXType type;
    bool is_hidden; /* the file does not say what it is made of: another file's functions make it */
    struct candidates constructors, mutators, destructors;
};

/* ---- types ---- */

static CXType pointee_of(CXType type)
{
    return clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(type)));
}

/* A name for a pointer: such a type is told apart from others of the same kind. */
static bool is_named_pointer(struct arena *arena, CXType type)
{
    return clang_getCanonicalType(type).kind == CXType_Pointer &&
           !strpbrk(source_type(arena, clang_getUnqualifiedType(type)), "*(");
}

static bool is_same_type(struct arena *arena, CXType one, CXType other)
{
    CXType record = pointee_of(one), pointee = pointee_of(other);
    if (record.kind == CXType_Record)
        return pointee.kind == CXType_Record &&
               clang_equalTypes(clang_getUnqualifiedType(record), clang_getUnqualifiedType(pointee));
    return is_named_pointer(arena, one) && !strcmp(source_type(arena, clang_getUnqualifiedType(one)),
                                                   source_type(arena, clang_getUnqualifiedType(other)));
}

static bool is_number(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind <= CXType_Double &&
                                        type.kind != CXType_UInt128 && type.kind != CXType_Int128);
}

/* Of a structure that is defined elsewhere nothing else is known, so that what makes it may take whatever can be made.
 */
static bool can_be_made(struct arena *arena, CXType type, CXType made)
{
    CXType pointee = pointee_of(type);
    return !is_same_type(arena, made, type) && (pointee.kind != CXType_Record || clang_Type_getSizeOf(pointee) > 0);
}

static bool is_simple(struct arena *arena, CXType type, CXType made)
{
    bool leads_to_numbers = clang_getCanonicalType(type).kind == CXType_Pointer &&
                            (is_number(pointee_of(type)) || pointee_of(type).kind == CXType_Void);
    return is_number(type) || (leads_to_numbers && !is_same_type(arena, made, type));
}

/* ---- functions ---- */

/* The earliest of the words that the name has; -1: none. */
static int rank_of(const char *name, const char *const words[])
{
    for (int i = 0; words[i]; i++)
        if (strcasestr(name, words[i]))
            return i;
    return -1;
}

static bool is_common(const struct program *program, const char *name)
{
    const struct program_request *request = program->request;
    for (size_t i = 0; i < request->common_count; i++)
        if (!strcmp(request->common[i], name))
            return true;
    return !request->common;
}

static void add(struct candidates *candidates, struct candidate candidate)
{
    candidates->list =
        array_reserve(candidates->list, &candidates->capacity, candidates->count + 1, sizeof *candidates->list);
    candidates->list[candidates->count++] = candidate;
}

static bool has_fit_arguments(const struct search *search, CXCursor function, int first)
{
    struct arena *arena = search->program->arena;
    int count = clang_Cursor_getNumArguments(function);
    for (int i = first; i < count; i++)
        if (!(search->is_hidden ? can_be_made : is_simple)(
                arena, clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i)), search->type))
            return false;
    return count <= MOST_ARGUMENTS && !clang_isFunctionTypeVariadic(clang_getCursorType(function));
}

static void consider(struct search *search, CXCursor function, const char *name)
{
    static const char *const making[] = {"new", "create", "make", "alloc", "init", "open", "from", "parse", "", NULL};
    static const char *const ending[] = {"free", "destroy", "delete", "release", "close", "dispose", NULL};
    static const char *const changing[] = {"append", "add", "push",  "put",  "insert",
                                           "cat",    "set", "write", "grow", NULL};
    struct arena *arena = search->program->arena;
    CXType result = clang_getCursorResultType(function), made = search->type;
    bool gives = is_same_type(arena, made, result);
    struct candidate candidate = {.function = function, .name = name, .gives = gives};
    if (gives && has_fit_arguments(search, function, 0)) {
        candidate.rank = rank_of(name, making) * MOST_ARGUMENTS + clang_Cursor_getNumArguments(function);
        add(&search->constructors, candidate);
        return;
    }
    CXType first = clang_getCursorType(clang_Cursor_getArgument(function, 0));
    bool takes = clang_Cursor_getNumArguments(function) > 0 && is_same_type(arena, made, first) &&
                 !clang_isConstQualifiedType(first) && !clang_isConstQualifiedType(clang_getPointeeType(first));
    int ending_rank = rank_of(name, ending);
    if (takes && ending_rank >= 0 && !gives && clang_Cursor_getNumArguments(function) == 1) {
        candidate.rank = ending_rank;
        add(&search->destructors, candidate);
        return;
    }
    candidate.first = 1;
    candidate.rank = rank_of(name, changing) * MOST_ARGUMENTS + clang_Cursor_getNumArguments(function);
    if (takes && ending_rank < 0 && rank_of(name, changing) >= 0 && has_fit_arguments(search, function, 1))
        add(&search->mutators, candidate);
}

/* Whether one of the program's other files has it. */
static bool is_elsewhere(const struct program *program, CXCursor declaration, const char *name)
{
    CXTranslationUnit here = clang_Cursor_getTranslationUnit(declaration);
    if (clang_getCursorLinkage(declaration) != CXLinkage_External ||
        !clang_Cursor_isNull(clang_getCursorDefinition(declaration)))
        return false;
    for (size_t i = 0; i < program->sources->count; i++)
        if (program->sources->units[i] != here && source_defines(program->arena, program->sources->units[i], name))
            return true;
    return false;
}

static bool is_known(const struct search *search, const char *name)
{
    const struct candidates *lists[] = {&search->constructors, &search->mutators, &search->destructors};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            if (!strcmp(lists[i]->list[k].name, name))
                return true;
    return false;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    const char *name = source_name(search->program->arena, cursor);
    /* where only one version has it elsewhere, the versions will not take the same inputs, which is found out later */
    bool is_there = clang_isCursorDefinition(cursor) ? is_common(search->program, name)
                                                     : search->is_hidden && is_elsewhere(search->program, cursor, name);
    if (is_there && !is_known(search, name) && strcmp(name, "main"))
        consider(search, cursor, name);
    return CXChildVisit_Continue;
}

static int compare_candidates(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : strcmp(a->name, b->name);
}

static void keep_best(struct candidates *candidates, size_t most)
{
    if (candidates->count)
        qsort(candidates->list, candidates->count, sizeof *candidates->list, compare_candidates);
    if (candidates->count > most)
        candidates->count = most;
}

/* ---- the harness ---- */

struct construction {
    struct maker *maker;
    const struct spot *spot;
    size_t number; /* in the names of its variables */
};

static bool make_number(struct construction *construction, const char *name, const char *variable,
                        const struct candidates *candidates, bool may_be_none)
{
    struct maker *maker = construction->maker;
    struct arena *arena = maker->program->arena;
    struct input_constant *constants = arena_allocate(arena, (candidates->count + 1) * sizeof *constants);
    size_t count = 0;
    if (may_be_none)
        constants[count++] = (struct input_constant){"nothing", 0};
    for (size_t i = 0; i < candidates->count; i++, count++)
        constants[count] = (struct input_constant){candidates->list[i].name, (__int128)count};
    return make_alternative(maker, construction->spot, name, variable, constants, count);
}

/* A length behind a pointer is not longer than what that points to. */
static void bound_length(struct construction *construction, CXType pointer, const char *pointer_name, CXType type,
                         const char *variable)
{
    struct maker *maker = construction->maker;
    size_t count = sizes_requested(maker->program, pointer_name);
    if (clang_getCanonicalType(pointer).kind != CXType_Pointer || !is_number(type))
        return;
    text_format(&maker->made->statements, "    pn_assume(%s >= 0 && %s <= %zu);\n", variable, variable,
                count ? count : (size_t)DEFAULT_ELEMENTS);
}

/* One note tells how objects are made; what they are made of is no output. */
static bool make_argument(struct maker *maker, const struct spot *spot)
{
    size_t notes = maker->program->notes.length, sizes = maker->program->sizes.length,
           outputs = maker->made->outputs.length;
    bool good = make(maker, spot);
    text_truncate(&maker->program->notes, notes);
    text_truncate(&maker->program->sizes, sizes);
    text_truncate(&maker->made->outputs, outputs);
    return good;
}

/* Makes the arguments, and adds them to the call that is being written. */
static bool make_arguments(struct construction *construction, const struct candidate *candidate, const char *prefix,
                           struct text *call)
{
    struct maker *maker = construction->maker;
    struct arena *arena = maker->program->arena;
    int count = clang_Cursor_getNumArguments(candidate->function);
    const char *before = NULL;
    for (int i = candidate->first; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(candidate->function, (unsigned)i);
        CXType type = clang_getCursorType(argument);
        const char *name = source_name(arena, argument);
        struct spot spot = {.type = type, .place = pointer_place(arena, argument), .depth = 1};
        spot.name = arena_format(arena, "%s(%s)", prefix, *name ? name : arena_format(arena, "%d", i + 1));
        spot.expression = arena_format(arena, "__pn_given_%zu", ++maker->program->object_count);
        text_format(&maker->made->declarations, "static __typeof_unqual__(%s) %s;\n",
                    source_type(arena, clang_getCanonicalType(type)), spot.expression);
        if (!make_argument(maker, &spot))
            return false;
        if (before)
            bound_length(construction,
                         clang_getCursorType(clang_Cursor_getArgument(candidate->function, (unsigned)i - 1)), before,
                         type, spot.expression);
        before = spot.name;
        text_format(call, "%s%s", i ? ", " : "", spot.expression);
    }
    return true;
}

static bool add_constructor(struct construction *construction, const struct candidate *candidate, size_t number,
                            struct text *calls)
{
    struct arena *arena = construction->maker->program->arena;
    text_format(calls, "    if (__pn_maker_%zu == %zu)\n        __pn_made_%zu = (void *)(%s)(", construction->number,
                number, construction->number, candidate->name);
    bool good = make_arguments(construction, candidate,
                               arena_format(arena, "%s: %s", construction->spot->name, candidate->name), calls);
    text_add(calls, ");\n");
    return good;
}

/* What comes back is the object from then on, unless it is NULL. */
static bool add_mutator(struct construction *construction, const struct candidate *candidate, size_t step,
                        size_t number, struct text *calls)
{
    struct arena *arena = construction->maker->program->arena;
    const char *made = arena_format(arena, "__pn_made_%zu", construction->number);
    const char *prefix = arena_format(arena, "%s: %s%s", construction->spot->name, candidate->name,
                                      step ? arena_format(arena, "#%zu", step + 1) : "");
    text_format(calls, "    if (__pn_step_%zu_%zu == %zu) {\n        %s(%s)(%s", construction->number, step, number,
                candidate->gives ? "void *__pn_next = (void *)" : "(void)", candidate->name, made);
    bool good = make_arguments(construction, candidate, prefix, calls);
    text_format(calls, ");\n");
    if (candidate->gives)
        text_format(calls, "        if (__pn_next)\n            %s = __pn_next;\n", made);
    text_add(calls, "    }\n");
    return good;
}

/* Nothing comes after nothing. */
static bool add_steps(struct construction *construction, const struct candidates *mutators, struct text *calls)
{
    struct maker *maker = construction->maker;
    struct arena *arena = maker->program->arena;
    bool good = true;
    for (size_t step = 0; step < MOST_STEPS && mutators->count && good; step++) {
        const char *variable = arena_format(arena, "__pn_step_%zu_%zu", construction->number, step);
        const char *name = arena_format(arena, step ? "%s then#%zu" : "%s then", construction->spot->name, step + 1);
        good = make_number(construction, name, variable, mutators, true);
        if (step)
            text_format(&maker->made->statements, "    pn_assume(__pn_step_%zu_%zu || !%s);\n", construction->number,
                        step - 1, variable);
        for (size_t i = 0; i < mutators->count && good; i++)
            good = add_mutator(construction, &mutators->list[i], step, i + 1, calls);
    }
    return good;
}

static void add_names(struct text *text, const struct candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++)
        text_format(text, "%s%s()", i ? " or " : "", candidates->list[i].name);
}

static void note_construction(struct construction *construction, const struct search *search)
{
    struct text *notes = &construction->maker->program->notes;
    text_format(notes, "%s: made by ", construction->spot->name);
    add_names(notes, &search->constructors);
    if (search->mutators.count) {
        text_format(notes, ", then up to %d calls of ", MOST_STEPS);
        add_names(notes, &search->mutators);
    }
    if (construction->maker->program->request->leaks && search->destructors.count)
        text_format(notes, ", destroyed by %s()", search->destructors.list[0].name);
    text_add(notes, "\n");
}

static bool construct(struct construction *construction, struct search *search)
{
    struct maker *maker = construction->maker;
    struct program *program = maker->program;
    const struct spot *spot = construction->spot;
    struct text calls = {0};
    const char *made = arena_format(program->arena, "__pn_made_%zu", construction->number);
    size_t recorded = maker->made->record.length;
    text_format(&maker->made->declarations, "static __typeof_unqual__(%s) %s;\n", spot->expression, made);
    bool good =
        make_number(construction, arena_format(program->arena, "%s made by", spot->name),
                    arena_format(program->arena, "__pn_maker_%zu", construction->number), &search->constructors, false);
    for (size_t i = 0; i < search->constructors.count && good; i++)
        good = add_constructor(construction, &search->constructors.list[i], i, &calls);
    text_format(&calls, "    pn_assume(%s != 0);\n", made);
    good = good && add_steps(construction, &search->mutators, &calls);
    text_add(&maker->made->statements, text_string(&calls));
    text_free(&calls);
    text_truncate(&maker->made->record, recorded); /* how an object came to be is not seen in it */
    struct output_root root = {.type = spot->type, .expression = made, .name = spot->name, .file = maker->root->file};
    if (good && !outputs_write(program, &maker->made->outputs, &root))
        outputs_note(program, &root);
    if (program->request->leaks && search->destructors.count)
        text_format(&maker->made->ends, "    if (__pn_is_there(&%s))\n        (void)(%s)(%s);\n", made,
                    search->destructors.list[0].name, made);
    return good && make_set_pointer(maker, spot, made);
}

/* Of a structure, plain memory is one way to come by it, and this is the other. */
static bool is_structure(const struct spot *spot)
{
    return pointee_of(spot->type).kind == CXType_Record;
}

static bool is_for_library(struct maker *maker, const struct spot *spot)
{
    CXType pointee = pointee_of(spot->type);
    bool is_parameter = !maker->root->is_global && !spot->depth && spot->name == maker->root->name;
    bool is_numbers = is_number(pointee) || pointee.kind == CXType_Void;
    return is_parameter && (is_structure(spot) || (is_numbers && is_named_pointer(maker->program->arena, spot->type)));
}

enum constructed make_by_library(struct maker *maker, const struct spot *spot)
{
    struct program *program = maker->program;
    struct search search = {.program = program,
                            .type = spot->type,
                            .is_hidden = is_structure(spot) && clang_Type_getSizeOf(pointee_of(spot->type)) < 0};
    enum constructed result = NOT_CONSTRUCTED;
    if (!is_for_library(maker, spot))
        return result;
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(maker->root->declaration);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_function, &search);
    keep_best(&search.constructors, MOST_CONSTRUCTORS);
    keep_best(&search.mutators, MOST_MUTATORS);
    keep_best(&search.destructors, 1);
    bool is_other_way = is_structure(spot) && !search.is_hidden && search.constructors.count;
    program->can_be_made |= is_other_way;
    if (search.constructors.count && (program->request->made || !is_other_way)) {
        struct construction construction = {maker, spot, ++program->object_count};
        result = construct(&construction, &search) ? CONSTRUCTED : CONSTRUCTION_FAILED;
        note_construction(&construction, &search);
    }
    free(search.constructors.list), free(search.mutators.list), free(search.destructors.list);
    return result;
}
