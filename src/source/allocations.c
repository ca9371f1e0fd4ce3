#include "source/allocations.h"

#include <string.h>

/* ---- functions that allocate ---- */

#define SIZE "unsigned long"

/* What the harness has in their place: it fails, or calls the function itself. By its name it is a model, in which
 * nothing has a place of its own (instrument/models.h): what happens there happens where it is called. */
static const struct allocator {
    const char *name;
    const char *parameters, *arguments;
    const char *result;
    const char *is_larger; /* than `most`: C, with the parameters; NULL: what it is given lies in memory already */
} allocators[] = {
    {"malloc", SIZE " size", "size", "void *", "size > most"},
    {"calloc", SIZE " count, " SIZE " size", "count, size", "void *", "size && count > most / size"},
    {"realloc", "void *block, " SIZE " size", "block, size", "void *", "size > most"},
    {"strdup", "const char *text", "text", "char *", NULL},
    {"strndup", "const char *text, " SIZE " size", "text, size", "char *", NULL},
};

enum { ALLOCATORS = sizeof allocators / sizeof *allocators };

/* A program may have one of its own, under the same name. */
static int allocator_of(const struct uses *uses, const struct use *use)
{
    for (int i = 0; use->is_system && i < ALLOCATORS; i++)
        if (!strcmp(allocators[i].name, use->name))
            return uses_find(uses, use->key) ? -1 : i;
    return -1;
}

bool allocations_may_be_freed(const struct uses *uses)
{
    static const char *const names[] = {"free",    "realloc",   "reallocarray", "cfree",
                                        "getline", "__getline", "getdelim",     "__getdelim"};
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; uses->list[i].is_reached && k < uses->list[i].count; k++)
            for (size_t name = 0; name < sizeof names / sizeof *names; name++)
                if (!strcmp(uses->list[i].uses[k].name, names[name]))
                    return true;
    return false;
}

/* ---- whether a change can tell ---- */

enum { MOST = 1000 };

struct scale {
    struct uses *uses;
    bool with_variables; /* a variable that holds an allocator may mean a call of it, or of its free() */
    unsigned *weights;   /* by definition: calls of allocators in its text and in that of what it uses */
    enum { NOT_WEIGHED, BEING_WEIGHED, WEIGHED } * states;
};

static unsigned weigh_use(struct scale *scale, const struct use *use);

/* How often the text allocates; a function that calls itself counts once. */
static unsigned weigh(struct scale *scale, const struct definition *definition)
{
    size_t number = (size_t)(definition - scale->uses->list);
    unsigned weight = 0;
    if (scale->states[number] == BEING_WEIGHED)
        return 0;
    if (scale->states[number] == WEIGHED)
        return scale->weights[number];
    scale->states[number] = BEING_WEIGHED;
    for (size_t i = 0; i < definition->count && weight < MOST; i++)
        weight += weigh_use(scale, &definition->uses[i]);
    scale->states[number] = WEIGHED;
    return scale->weights[number] = weight < MOST ? weight : MOST;
}

static unsigned weigh_use(struct scale *scale, const struct use *use)
{
    if (allocator_of(scale->uses, use) >= 0)
        return 1;
    const struct definition *definition = uses_find(scale->uses, use->key);
    return definition && (scale->with_variables || !definition->is_variable) ? weigh(scale, definition) : 0;
}

/* Whether a changed function allocates. */
static bool allocates(struct scale *scale)
{
    for (size_t i = 0; i < scale->uses->count; i++) {
        const struct definition *definition = &scale->uses->list[i];
        for (size_t k = 0; definition->is_reached && definition->is_changed && k < definition->count; k++)
            if (weigh_use(scale, &definition->uses[k]))
                return true;
    }
    return false;
}

/* Whether both versions do so equally often, as far as calls tell. */
static bool is_balanced(struct scale *scale)
{
    for (size_t i = 0; i < scale->uses->count; i++) {
        const struct definition *definition = &scale->uses->list[i];
        unsigned weights[] = {[USE_BOTH] = 0, [USE_OLD] = 0, [USE_NEW] = 0};
        if (!definition->is_reached || !definition->is_changed)
            continue;
        for (size_t k = 0; k < definition->count; k++)
            weights[definition->uses[k].side] += weigh_use(scale, &definition->uses[k]);
        if (weights[USE_OLD] != weights[USE_NEW])
            return false;
    }
    return true;
}

static struct scale make_scale(struct arena *arena, struct uses *uses, bool with_variables)
{
    struct scale scale = {.uses = uses,
                          .with_variables = with_variables,
                          .weights = arena_allocate(arena, (uses->count + 1) * sizeof *scale.weights),
                          .states = arena_allocate(arena, (uses->count + 1) * sizeof *scale.states)};
    memset(scale.states, 0, (uses->count + 1) * sizeof *scale.states);
    return scale;
}

/* ---- the input ---- */

static void note_used(struct program *program, const struct uses *uses)
{
    for (size_t i = 0; i < uses->count; i++)
        for (size_t k = 0; k < uses->list[i].count; k++) {
            int allocator = allocator_of(uses, &uses->list[i].uses[k]);
            if (allocator >= 0)
                program->used_allocators |= 1u << allocator;
        }
}

static bool is_wanted(const struct program *program, struct uses *uses)
{
    const struct program_request *request = program->request;
    if (request->named_like && !request->has_own_choices)
        return input_layout_fails_allocations(request->named_like->layout);
    if (request->also && input_layout_fails_allocations(request->also))
        return true;
    if (request->allocations == ALLOCATIONS_SUCCEED || !program->used_allocators)
        return false;
    if (request->allocations == ALLOCATIONS_FAIL)
        return true;
    struct scale all = make_scale(program->arena, uses, true), calls = make_scale(program->arena, uses, false);
    return allocates(&all) && is_balanced(&calls);
}

bool allocations_read(struct program *program, struct uses *uses, struct error *error)
{
    note_used(program, uses);
    program->fails_allocations = is_wanted(program, uses);
    program->bounds_allocations = program->request->largest_allocation && program->used_allocators;
    if (!program->fails_allocations)
        return true;
    struct input_parameter piece = {.name = "failing_allocation",
                                    .type = "unsigned char",
                                    .kind = INPUT_UNSIGNED,
                                    .element_size = 1,
                                    .element_count = 1,
                                    .is_allocation = true};
    if (input_layout_find(program->layout, piece.name))
        return error_set(error,
                         "'%s' is the input that says which allocation fails: a parameter of that name needs "
                         "--no-alloc-fail",
                         piece.name);
    input_layout_add(program->layout, &piece);
    return true;
}

/* ---- the harness ---- */

static bool is_bounded(const struct program *program, size_t allocator)
{
    return program->bounds_allocations && allocators[allocator].is_larger;
}

static bool is_replaced(const struct program *program, size_t allocator)
{
    return (program->used_allocators & 1u << allocator) &&
           (program->fails_allocations || is_bounded(program, allocator));
}

void allocations_declare(const struct program *program, struct text *code)
{
    for (size_t i = 0; i < ALLOCATORS; i++)
        if (is_replaced(program, i))
            text_format(code, "%s%s(%s) __asm__(\"pn_model_%s.allocates\");\n", allocators[i].result,
                        allocators[i].name, allocators[i].parameters, allocators[i].name);
}

/* The one whose number is the input. */
static void define_failing(struct text *code)
{
    text_add(code, "static unsigned char __pn_failing_allocation, __pn_allocations;\n"
                   "static int pn_allocation_fails(void)\n"
                   "{\n"
                   "    if (__pn_allocations == 255 || ++__pn_allocations != __pn_failing_allocation)\n"
                   "        return 0;\n"
                   "    *__errno_location() = 12;\n"
                   "    return 1;\n"
                   "}\n");
}

/* gcc takes the name that the allocator was given for its __builtin_malloc, too: the allocator itself has another. */
static void define_allocator(const struct program *program, size_t number, struct text *code)
{
    const struct allocator *allocator = &allocators[number];
    text_format(code, "%s__pn_real_%s(%s) __asm__(\"%s\");\n", allocator->result, allocator->name,
                allocator->parameters, allocator->name);
    text_format(code, "%s__pn_allocate_%s(%s) __asm__(\"pn_model_%s.allocates\");\n", allocator->result,
                allocator->name, allocator->parameters, allocator->name);
    text_format(code, "%s__pn_allocate_%s(%s)\n{\n", allocator->result, allocator->name, allocator->parameters);
    if (is_bounded(program, number))
        text_format(code,
                    "    const " SIZE " most = %zu;\n"
                    "    if (%s) {\n"
                    "        *__errno_location() = 12;\n"
                    "        return (%s)0;\n"
                    "    }\n",
                    program->request->largest_allocation, allocator->is_larger, allocator->result);
    if (program->fails_allocations)
        text_format(code, "    if (pn_allocation_fails())\n        return (%s)0;\n", allocator->result);
    text_format(code, "    return __pn_real_%s(%s);\n}\n", allocator->name, allocator->arguments);
}

void allocations_define(const struct program *program, struct text *code)
{
    if (program->fails_allocations || program->bounds_allocations)
        text_add(code, "int *__errno_location(void);\n");
    if (program->fails_allocations)
        define_failing(code);
    for (size_t i = 0; i < ALLOCATORS; i++)
        if (is_replaced(program, i))
            define_allocator(program, i, code);
}
