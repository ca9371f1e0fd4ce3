#include "source/overlaps.h"

#include "source/outputs.h"
#include "source/pointer_tests.h"

#include <string.h>

enum {
    MOST_CHOICES = 12,
    MOST_STEPS = 8, /* elements from one pointer to the other, where the code looks at how far they are apart */
};

/* How one of two pointers is moved to the other. */
struct move {
    const struct given_pointer *moved, *into;
    size_t steps; /* elements between them */
    bool is_pair; /* into an object of both: each had room for itself only */
    bool is_only; /* of those before `into`, not all could be chosen: they are reached through it */
};

static CXType plain_type(CXType type)
{
    return clang_getUnqualifiedType(clang_getCanonicalType(type));
}

static bool is_bytes(CXType type)
{
    return type.kind == CXType_Void || clang_Type_getSizeOf(type) == 1;
}

/* C lets signed and unsigned numbers lie in one place. */
static enum CXTypeKind signed_kind(CXType type)
{
    switch (type.kind) {
    case CXType_UShort: return CXType_Short;
    case CXType_UInt: return CXType_Int;
    case CXType_ULong: return CXType_Long;
    case CXType_ULongLong: return CXType_LongLong;
    default: return type.kind;
    }
}

static bool are_alike(const struct given_pointer *one, const struct given_pointer *other)
{
    CXType type = plain_type(one->type), other_type = plain_type(other->type);
    bool is_number = signed_kind(type) >= CXType_Short && signed_kind(type) <= CXType_LongLong;
    return clang_equalTypes(type, other_type) || (is_bytes(type) && is_bytes(other_type)) ||
           (is_number && signed_kind(type) == signed_kind(other_type));
}

/* Of two versions of a program, the second does as the first. */
static bool is_wanted(const struct program *program, const struct move *move, const char *name)
{
    const struct program_request *request = program->request;
    const struct pointer_tests *tests = program->pointer_tests;
    const struct given_pointer *one = move->moved, *other = move->into;
    if (request->named_like && !request->has_own_choices)
        return input_layout_find(request->named_like->layout, name);
    if (request->also && input_layout_find(request->also, name))
        return true;
    if (request->distinct || one->is_restricted || other->is_restricted || !are_alike(one, other))
        return false;
    bool is_compared = pointer_tests_compared(tests, one->place, other->place);
    if (is_compared || move->is_pair || move->steps > 1)
        return is_compared;
    return program->overlap_count < MOST_CHOICES &&
           (pointer_tests_written(tests, one->place) || pointer_tests_written(tests, other->place));
}

/* Pointers that are the same may be so in any number; what lies side by side is alone with that. */
static void write_condition(struct maker *maker, const struct move *move)
{
    struct text *code = &maker->made->statements;
    text_format(code, "    if (%s && %s && ", move->moved->expression, move->into->expression);
    if (move->steps)
        text_add(code, "!__pn_overlaps) {\n");
    else
        text_format(code, "!(__pn_overlaps & %#llx)) {\n",
                    1ull << move->moved->number | (move->is_only ? 0 : 1ull << move->into->number));
}

/* `moved` becomes a pointer into the other's object. */
static bool make_choice(struct maker *maker, struct spot *at, const struct move *move, size_t *number)
{
    struct program *program = maker->program;
    struct arena *arena = program->arena;
    struct text *code = &maker->made->statements;
    const char *where = move->steps ? arena_format(arena, " + %zu", move->steps) : "";
    struct input_parameter piece = {.name =
                                        arena_format(arena, "%s == %s%s", move->moved->name, move->into->name, where),
                                    .type = "_Bool",
                                    .kind = INPUT_NULL,
                                    .element_size = 1,
                                    .element_count = 1};
    *number = 0;
    if (!is_wanted(program, move, piece.name))
        return true;
    if (!make_piece(maker, at, &piece))
        return false;
    *number = program->layout->count;
    program->overlap_count++;
    text_format(&maker->made->declarations,
                "static unsigned long long __pn_overlaps;\nstatic unsigned char __pn_overlap_%zu;\n", *number);
    write_condition(maker, move);
    text_format(code,
                "        pn_symbolic(&__pn_overlap_%zu, 1, \"%s\");\n"
                "        if (__pn_overlap_%zu) {\n"
                "            __pn_overlaps |= %#llx;\n",
                *number, piece.name, *number, move->steps ? ~0ull : 1ull << move->moved->number);
    if (!move->is_pair) /* which is used when what they point to has been made */
        text_format(code, "            __builtin_memcpy((void *)&%s, &(void *){(void *)(%s%s)}, sizeof(void *));\n",
                    move->moved->expression, move->steps ? move->into->object : move->into->expression, where);
    text_add(code, "        }\n    }\n");
    return true;
}

/* The pointer's own object is not there where it leads into another one. */
static bool make_same(struct maker *maker, struct spot *at, const struct given_pointer *pointer,
                      const struct given_pointer *before, bool *has_all)
{
    size_t most = before->count > 1 && pointer->count > 1 ? before->count : 0, number;
    if (most > MOST_STEPS)
        most = MOST_STEPS;
    for (size_t steps = 0; steps <= most; steps++) {
        struct move move = {.moved = pointer, .into = before, .steps = steps, .is_only = !*has_all && !steps};
        if (!make_choice(maker, at, &move, &number))
            return false;
        at->under = number ? number : at->under;
        *has_all &= number || steps;
    }
    struct move back = {.moved = before, .into = pointer, .steps = 1};
    return !most || make_choice(maker, at, &back, &number);
}

static void output_pair(struct maker *maker, CXType type, const char *pair, const char *name)
{
    struct arena *arena = maker->program->arena;
    for (int i = 0; i < 2; i++) {
        struct output_root root = {.type = type,
                                   .expression = arena_format(arena, "%s[%d]", pair, i),
                                   .name = arena_format(arena, "%s[%d]", name, i),
                                   .file = maker->root->file};
        if (!outputs_write(maker->program, &maker->made->outputs, &root))
            outputs_note(maker->program, &root);
    }
}

/* Two that point to one element each, side by side in an array: in one order and in the other. */
static bool make_pair(struct maker *maker, struct spot *at, const struct given_pointer *pointer,
                      const struct given_pointer *before, struct text *moves)
{
    bool is_single = pointer->count == 1 && before->count == 1 && !pointer->is_longer && !before->is_longer;
    if (!is_single || plain_type(pointer->type).kind == CXType_Void || plain_type(before->type).kind == CXType_Void)
        return true;
    for (int is_first = 0; is_first < 2; is_first++) {
        const struct given_pointer *first = is_first ? pointer : before, *second = is_first ? before : pointer;
        struct move move = {.moved = second, .into = first, .steps = 1, .is_pair = true};
        size_t number;
        if (!make_choice(maker, at, &move, &number))
            return false;
        if (!number)
            continue;
        const char *pair = arena_format(maker->program->arena, "__pn_pair_%zu", number);
        const char *name = arena_format(maker->program->arena, "[%s, %s]", first->name, second->name);
        text_format(&maker->made->declarations, "static __typeof__(%s[0]) %s[2];\n", first->object, pair);
        outputs_add_known(maker->program, &maker->made->declarations,
                          &(struct known_row){"object", ++maker->program->object_count, name, pair, false, false});
        text_format(moves,
                    "    if (__pn_overlap_%zu) {\n"
                    "        __builtin_memcpy(%s, %s, sizeof %s[0]);\n"
                    "        __builtin_memcpy(%s + 1, %s, sizeof %s[0]);\n"
                    "        __builtin_memcpy((void *)&%s, &(void *){%s}, sizeof(void *));\n"
                    "        __builtin_memcpy((void *)&%s, &(void *){%s + 1}, sizeof(void *));\n"
                    "    }\n",
                    number, pair, first->object, pair, pair, second->object, pair, first->expression, pair,
                    second->expression, pair);
        output_pair(maker, first->type, pair, name);
    }
    return true;
}

bool overlaps_make(struct maker *maker, struct spot *at, struct given_pointer *pointer, struct text *moves)
{
    enum { BITS = 63 };
    struct program *program = maker->program;
    bool good = true, has_all = true;
    pointer->number = program->given_count < BITS ? program->given_count : BITS;
    for (size_t i = 0; i < program->given_count && good; i++)
        good = make_same(maker, at, pointer, &program->given[i], &has_all) &&
               make_pair(maker, at, pointer, &program->given[i], moves);
    program->given =
        array_reserve(program->given, &program->given_capacity, program->given_count + 1, sizeof *program->given);
    program->given[program->given_count++] = *pointer;
    return good;
}
