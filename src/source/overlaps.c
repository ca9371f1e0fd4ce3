#include "source/overlaps.h"

#include "source/pointer_tests.h"

#include <string.h>

enum { MOST_CHOICES = 12 };

static CXType plain_type(CXType type)
{
    return clang_getUnqualifiedType(clang_getCanonicalType(type));
}

static bool is_bytes(CXType type)
{
    return type.kind == CXType_Void || clang_Type_getSizeOf(type) == 1;
}

static bool are_alike(const struct given_pointer *one, const struct given_pointer *other)
{
    CXType type = plain_type(one->type), other_type = plain_type(other->type);
    return clang_equalTypes(type, other_type) || (is_bytes(type) && is_bytes(other_type));
}

/* Of two versions of a program, the second does as the first. */
static bool is_wanted(const struct program *program, const struct given_pointer *one, const struct given_pointer *other,
                      const char *name)
{
    const struct program_request *request = program->request;
    const struct pointer_tests *tests = program->pointer_tests;
    if (request->named_like)
        return input_layout_find(request->named_like->layout, name);
    if (request->distinct || one->is_restricted || other->is_restricted || !are_alike(one, other))
        return false;
    return program->overlap_count < MOST_CHOICES &&
           (pointer_tests_written(tests, one->place) || pointer_tests_written(tests, other->place) ||
            pointer_tests_compared(tests, one->place, other->place));
}

/* `moved` becomes a pointer into the other's object. */
static bool make_choice(struct maker *maker, struct spot *at, const struct given_pointer *moved,
                        const struct given_pointer *into, bool is_behind)
{
    struct program *program = maker->program;
    struct arena *arena = program->arena;
    const char *where = is_behind ? " + 1" : "";
    struct input_parameter piece = {.name = arena_format(arena, "%s == %s%s", moved->name, into->name, where),
                                    .type = "_Bool",
                                    .kind = INPUT_NULL,
                                    .element_size = 1,
                                    .element_count = 1};
    if (!is_wanted(program, moved, into, piece.name))
        return true;
    if (!make_piece(maker, at, &piece))
        return false;
    program->overlap_count++;
    text_format(&maker->made->declarations, "static int __pn_overlaps;\nstatic unsigned char __pn_overlap_%zu;\n",
                program->layout->count);
    text_format(&maker->made->statements,
                "    if (%s && %s && !__pn_overlaps) {\n"
                "        pn_symbolic(&__pn_overlap_%zu, 1, \"%s\");\n"
                "        if (__pn_overlap_%zu) {\n"
                "            __pn_overlaps = 1;\n"
                "            __builtin_memcpy((void *)&%s, &(void *){(void *)(%s%s)}, sizeof(void *));\n"
                "        }\n"
                "    }\n",
                moved->expression, into->expression, program->layout->count, piece.name, program->layout->count,
                moved->expression, into->object, where);
    return true;
}

bool overlaps_make(struct maker *maker, struct spot *at, const struct given_pointer *pointer)
{
    struct program *program = maker->program;
    bool good = true;
    for (size_t i = 0; i < program->given_count && good; i++) {
        const struct given_pointer *before = &program->given[i];
        bool has_room = before->count > 1 && pointer->count > 1;
        for (int is_behind = 0; is_behind <= has_room && good; is_behind++) {
            size_t choices = program->layout->count;
            good = make_choice(maker, at, pointer, before, is_behind);
            if (program->layout->count > choices)
                at->under = program->layout->count;
        }
        good = good && (!has_room || make_choice(maker, at, before, pointer, true));
    }
    program->given =
        array_reserve(program->given, &program->given_capacity, program->given_count + 1, sizeof *program->given);
    program->given[program->given_count++] = *pointer;
    return good;
}
