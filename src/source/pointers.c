/* What pointers point to: objects of the harness. */
#include "source/casts.h"
#include "source/constructors.h"
#include "source/elements.h"
#include "source/make.h"
#include "source/outputs.h"
#include "source/overlaps.h"
#include "source/pointer_tests.h"
#include "source/single.h"
#include "source/sizes.h"
#include "source/streams.h"

#include <string.h>

/* What a pointer is to point to. */
struct target {
    CXType type;         /* of an element */
    size_t count;        /* of elements */
    size_t columns;      /* numbers in an element */
    bool is_numbers;     /* and arrays of them */
    bool is_string;      /* numbers with a zero at the end */
    bool is_void;        /* bytes */
    const char *element; /* its type as a declaration can name it */
    const char *object;  /* an array of elements */
    const char *block;   /* the variable that holds its address; NULL: it is a variable itself */
    bool is_usual;       /* nobody said how many they are, and the code looks at more than one */
    bool may_be_longer;  /* nobody said how many they are: a run that looks at more tells */
};

/* ---- how many ---- */

static size_t usual_elements(const struct program *program)
{
    return program->request->usual_elements ? program->request->usual_elements : DEFAULT_ELEMENTS;
}

static void note_usual_size(struct program *program, const char *name, const struct target *target)
{
    struct text *notes = target->is_string ? &program->notes : &program->sizes; /* longer strings end elsewhere */
    program->has_usual_sizes = true;
    if (target->count == 1)
        text_format(notes, "%s: one element, though the code looks at others (--size %s=N to change)\n", name, name);
    else if (target->is_string)
        text_format(notes, "%s: a string of up to %zu characters (--size %s=N to change)\n", name, target->count - 1,
                    name);
    else if (target->columns > 1)
        text_format(notes, "%s: %zu rows of %zu elements (--size %s=N to change)\n", name, target->count,
                    target->columns, name);
    else
        text_format(notes, "%s: %zu elements (--size %s=N to change)\n", name, target->count, name);
}

static bool is_terminated(struct program *program, const struct spot *spot, CXType pointee)
{
    const struct program_request *request = program->request;
    if (!element_is_text(pointee) || spot->rows)
        return false;
    option_names_add(&program->strings, spot->name);
    return !request->none_terminated && !names_want(request->unterminated, request->unterminated_count, spot->name);
}

/* A text that becomes a number needs room for one that does not fit its type. */
static bool is_read_as_number(struct program *program, const struct spot *spot)
{
    // clang-format off
    static const char *const functions[] = {
        "strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax", "atoi", "atol", "atoll", "sscanf",
        "__isoc99_sscanf", "__isoc23_sscanf", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll",
        "__isoc23_strtoull",
    };
    // clang-format on
    return pointer_tests_given_to(program->pointer_tests, spot->place, functions, sizeof functions / sizeof *functions);
}

/* In one of the versions is enough. */
static size_t string_elements(struct program *program, const struct spot *spot)
{
    const struct program_request *request = program->request;
    bool follows = request->named_like && !request->has_own_choices;
    const struct input_layout *others = follows ? request->named_like->layout : request->also;
    const struct input_parameter *other = others ? input_layout_find(others, spot->name) : NULL;
    bool is_number = is_read_as_number(program, spot);
    program->has_numbers_as_text |= is_number;
    if (follows && other)
        return other->element_count + other->is_string;
    bool is_long =
        (is_number && request->long_numbers) || (other && other->element_count + other->is_string == LONG_NUMBER);
    size_t usual = is_long ? LONG_NUMBER : usual_elements(program), known = sizes_known(program, spot->name);
    return known > usual ? known : usual;
}

/* A seed or range may give it several elements. */
static bool is_given(const struct program_request *request, const char *name)
{
    for (size_t i = 0; i < request->value_count; i++)
        if (strstr(request->values[i], name))
            return true;
    return false;
}

/* Whether one number lies behind it, in both versions: of two programs the second does as the first. */
static bool is_single(const struct program *program, const struct spot *spot, const struct target *target)
{
    const struct program_request *request = program->request;
    bool follows = request->named_like && !request->has_own_choices;
    const struct input_layout *others = follows ? request->named_like->layout : request->also;
    const struct input_parameter *other = others ? input_layout_find(others, spot->name) : NULL;
    if (!target->is_numbers || target->is_void || target->is_string || target->columns > 1 ||
        request->assumption_count || (!follows && is_given(request, spot->name)))
        return false;
    bool is_so_there = other && other->element_count == 1;
    return follows ? is_so_there : (!others || is_so_there) && single_has(program->single_pointers, spot->place);
}

/* ---- several structures or pointers ---- */

enum { STRUCTURES = 3, STRUCTURES_BELOW = 2, MORE_STRUCTURES = 8 };

static bool names_part(const char *const texts[], size_t count, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++)
        for (const char *found = strstr(texts[i], name); found; found = strstr(found + 1, name))
            if (!strncmp(found + length, "->", 2) || (found > texts[i] && found[-1] == '*'))
                return true;
    return false;
}

/* What the user calls `p->x` is to have that name. */
static bool is_named_as_one(const struct program_request *request, const char *name)
{
    return names_part(request->values, request->value_count, name) ||
           names_part(request->sizes, request->size_count, name) ||
           names_part(request->nulls, request->null_count, name) ||
           names_part(request->not_nulls, request->not_null_count, name) ||
           names_part(request->unterminated, request->unterminated_count, name) ||
           names_part(request->zeros, request->zero_count, name) ||
           names_part(request->assumptions, request->assumption_count, name);
}

static bool has_second(struct maker *maker, const struct input_layout *layout, const struct spot *spot)
{
    const char *second = arena_format(maker->program->arena, "%s[1]", make_operand(maker, spot->name));
    for (size_t i = 0; i < layout->count; i++)
        if (!strncmp(layout->parameters[i].name, second, strlen(second)))
            return true;
    return false;
}

/* Whether the code goes on from the first to others, in one of the versions. */
static bool are_several(struct maker *maker, const struct spot *spot, CXType pointee)
{
    const struct program_request *request = maker->program->request;
    if (request->named_like && !request->has_own_choices)
        return has_second(maker, request->named_like->layout, spot);
    return (request->also && has_second(maker, request->also, spot)) ||
           pointer_tests_stepped(maker->program->pointer_tests, spot->place, clang_Type_getSizeOf(pointee));
}

static void count_structures(struct maker *maker, const struct spot *spot, struct target *target)
{
    const struct program_request *request = maker->program->request;
    target->is_usual = are_several(maker, spot, target->type);
    target->count = !target->is_usual || is_named_as_one(request, spot->name) ? 1
                    : request->usual_elements                                 ? MORE_STRUCTURES
                    : spot->depth                                             ? STRUCTURES_BELOW
                                                                              : STRUCTURES;
}

static struct target target_of(struct maker *maker, const struct spot *spot, CXType pointee)
{
    struct program *program = maker->program;
    struct target target = {.type = pointee, .columns = 1};
    target.is_void = clang_getCanonicalType(pointee).kind == CXType_Void;
    target.is_numbers = target.is_void || make_holds_numbers(maker, pointee);
    if (target.is_numbers && !target.is_void)
        element_of_arrays(pointee, &target.columns);
    target.is_string = is_terminated(program, spot, pointee);
    target.count = sizes_requested(program, spot->name);
    if (!target.count)
        target.count = spot->rows;
    if (!target.count && is_single(program, spot, &target))
        target.count = 1;
    target.may_be_longer = !target.count && !target.is_string;
    target.is_usual = !target.count && target.is_numbers;
    if (!target.count && !target.is_numbers)
        count_structures(maker, spot, &target);
    if (!target.count)
        target.count = target.is_string ? string_elements(program, spot) : usual_elements(program);
    if (target.is_usual)
        note_usual_size(program, spot->name, &target);
    target.element =
        target.is_void ? "unsigned char" : arena_format(program->arena, "__typeof_unqual__(*%s)", spot->expression);
    target.object = arena_format(program->arena, "__pn_object_%zu", ++program->object_count);
    return target;
}

/* ---- the object ---- */

static enum CXVisitorResult visit_last(CXCursor field, CXClientData data)
{
    *(CXCursor *)data = field;
    return CXVisit_Continue;
}

/* The member that makes a structure longer than its type; a null cursor when there is none. */
static CXCursor flexible_member(CXType type)
{
    CXCursor last = clang_getNullCursor();
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Record)
        clang_Type_visitFields(type, visit_last, &last);
    bool is_flexible =
        !clang_Cursor_isNull(last) && clang_getCanonicalType(clang_getCursorType(last)).kind == CXType_IncompleteArray;
    return is_flexible ? last : clang_getNullCursor();
}

static size_t flexible_count(struct maker *maker, const char *name)
{
    size_t requested = sizes_requested(maker->program, name);
    return requested ? requested : DEFAULT_ELEMENTS;
}

/* What the program may free is a block of its own, for which the object's name stands. */
static const char *declarator(struct maker *maker, struct target *target)
{
    struct arena *arena = maker->program->arena;
    if (!maker->program->makes_blocks)
        return target->object;
    target->block = arena_format(arena, "__pn_block_%zu", maker->program->object_count);
    return arena_format(arena, "(*%s)", target->block);
}

static void make_block(struct maker *maker, const struct target *target)
{
    size_t number = maker->program->object_count;
    text_format(&maker->made->declarations, "#define __pn_object_%zu (*%s)\n", number, target->block);
    text_format(&maker->made->statements,
                "    %s = __pn_make_block(sizeof *%s);\n"
                "    __pn_known_object_%zu.object = %s;\n",
                target->block, target->block, number, target->block);
    text_format(&maker->made->record, "    {\n    static __typeof__(*%s) __pn_place;\n    %s = &__pn_place;\n    }\n",
                target->block, target->block);
}

static void declare_object(struct maker *maker, const struct spot *spot, struct target *target)
{
    struct arena *arena = maker->program->arena;
    CXCursor flexible = target->count == 1 ? flexible_member(target->type) : clang_getNullCursor();
    struct text *code = &maker->made->declarations;
    const char *declared = declarator(maker, target);
    if (clang_Cursor_isNull(flexible)) {
        text_format(code, "static %s %s[%zu];\n", target->element, declared, target->count);
    } else {
        const char *name = arena_format(arena, "%s->%s", make_operand(maker, spot->name), source_name(arena, flexible));
        CXType element = clang_getArrayElementType(clang_getCanonicalType(clang_getCursorType(flexible)));
        size_t space = flexible_count(maker, name) * (size_t)clang_Type_getSizeOf(element);
        text_format(code, "static union {\n    %s object[1];\n    char space[sizeof(%s) + %zu];\n} %s;\n",
                    target->element, target->element, space, declared);
        target->object = arena_format(arena, "%s.object", target->object);
    }
    if (target->block)
        make_block(maker, target);
}

/* ---- what is compared of it ---- */

/* What has been freed is not read, but that it was is seen. */
static void open_block(struct maker *maker, const char *block, const char *name)
{
    if (!block)
        return;
    struct input_parameter piece = {.name = arena_format(maker->program->arena, "%s freed", name),
                                    .type = "_Bool",
                                    .kind = INPUT_UNSIGNED,
                                    .element_size = 1,
                                    .element_count = 1};
    if (!input_layout_find(maker->program->outputs, piece.name))
        input_layout_add(maker->program->outputs, &piece);
    text_format(&maker->made->outputs, "    if (__pn_is_kept(\"%s\", &%s)) {\n", piece.name, block);
}

static void close_block(struct maker *maker, const char *block)
{
    if (block)
        text_add(&maker->made->outputs, "    }\n");
}

static void output(struct maker *maker, CXType type, const char *expression, const char *name, bool through_pointer)
{
    struct output_root root = {.type = type,
                               .expression = expression,
                               .name = name,
                               .through_pointer = through_pointer,
                               .file = maker->root->file};
    if (!outputs_write(maker->program, &maker->made->outputs, &root))
        outputs_note(maker->program, &root);
}

bool make_flexible(struct maker *maker, const struct spot *spot)
{
    struct program *program = maker->program;
    struct arena *arena = program->arena;
    CXType element = clang_getArrayElementType(clang_getCanonicalType(spot->type));
    size_t count = flexible_count(maker, spot->name), columns;
    struct target target = {.count = count, .columns = 1};
    if (!sizes_requested(program, spot->name))
        note_usual_size(program, spot->name, &target);
    open_block(maker, spot->block, spot->name);
    for (size_t i = 0; i < count; i++)
        output(maker, element, arena_format(arena, "%s[%zu]", spot->expression, i),
               arena_format(arena, "%s[%zu]", spot->name, i), false);
    close_block(maker, spot->block);
    if (!make_holds_numbers(maker, element))
        return make_elements(maker, spot, element, count);
    struct input_parameter piece = {.name = spot->name, .type = source_type(arena, spot->type), .is_array = true};
    element_describe(arena, element_of_arrays(element, &columns), &piece);
    piece.is_pointer = true;
    piece.element_count = count * columns;
    if (!make_piece(maker, spot, &piece))
        return false;
    make_symbolic(maker, &piece, spot->expression);
    return true;
}

static bool make_numbers(struct maker *maker, const struct spot *spot, const struct target *target)
{
    struct arena *arena = maker->program->arena;
    size_t count;
    struct input_parameter piece = {
        .name = spot->name,
        .type = source_type(arena, spot->type),
        .is_array = true,
        .is_pointer = true,
        .is_string = target->is_string,
        .kind = INPUT_UNSIGNED,
        .element_size = 1,
        .element_count = target->count * target->columns - target->is_string,
    };
    if (!target->is_void)
        element_describe(arena, element_of_arrays(target->type, &count), &piece);
    if (!make_piece(maker, spot, &piece))
        return false;
    make_symbolic(maker, &piece, target->object);
    open_block(maker, target->block, spot->name);
    outputs_write_array(maker->program, &maker->made->outputs, target->type, spot->name, target->object);
    close_block(maker, target->block);
    outputs_describe(maker->program, target->type, target->count, spot->name, target->is_string);
    return true;
}

/* One of them is `*p`, or, with its members, `p->`; several are `p[0]`, `p[1]`. */
static bool make_objects(struct maker *maker, const struct spot *spot, const struct target *target)
{
    struct arena *arena = maker->program->arena;
    bool is_record = clang_getCanonicalType(target->type).kind == CXType_Record;
    const char *operand = make_operand(maker, spot->name);
    struct spot at = *spot;
    at.depth++;
    at.rows = 0;
    at.is_result = at.is_anonymous = false;
    at.type = target->type;
    at.place = target->count > 1 ? spot->place : pointer_place_behind(arena, spot->place);
    at.block = target->block;
    open_block(maker, target->block, spot->name);
    if (target->count > 1) {
        at.expression = target->object;
        for (size_t i = 0; i < target->count; i++)
            output(maker, target->type, arena_format(arena, "%s[%zu]", target->object, i),
                   arena_format(arena, "%s[%zu]", operand, i), false);
        close_block(maker, target->block);
        return make_elements(maker, &at, target->type, target->count);
    }
    at.expression = arena_format(arena, "%s[0]", target->object);
    at.name = is_record ? operand : arena_format(arena, "*%s", spot->name);
    at.through_pointer = is_record;
    output(maker, at.type, at.expression, at.name, is_record);
    close_block(maker, target->block);
    struct make_mark mark = make_mark_of(maker);
    return make(maker, &at) || make_leave_out(maker, at.name, &mark);
}

/* ---- the pointer ---- */

/* Whether NULL is tried: where the user says so, and where the code looks at it. Of two versions of a program, the
 * second does as the first. */
static bool may_be_null(const struct program *program, const struct spot *spot)
{
    const struct program_request *request = program->request;
    if (spot->is_result && !request->none_null && !names_want(request->not_nulls, request->not_null_count, spot->name))
        return true;
    if (request->named_like && !request->has_own_choices)
        return input_layout_find_null(request->named_like->layout, spot->name);
    if (request->also && input_layout_find_null(request->also, spot->name))
        return true;
    if (request->all_null || names_want(request->nulls, request->null_count, spot->name))
        return true;
    return !request->none_null && !names_want(request->not_nulls, request->not_null_count, spot->name) &&
           pointer_tests_null(program->pointer_tests, spot->place);
}

/* Whether it is NULL can be an input too: from here on, what lies behind it may not be there. */
static bool make_choice(struct maker *maker, struct spot *spot)
{
    struct program *program = maker->program;
    if (!may_be_null(program, spot))
        return true;
    struct input_parameter piece = {
        .name = arena_format(program->arena, "%s == NULL", spot->name),
        .type = source_type(program->arena, spot->type),
        .kind = INPUT_NULL,
        .element_size = 1,
        .element_count = 1,
    };
    if (!make_piece(maker, spot, &piece))
        return false;
    spot->under = program->layout->count;
    return true;
}

/* Of a call of the program's own: whether the pointer is NULL, and what lies behind it. */
static void record_pointer(struct maker *maker, const struct spot *spot, bool has_choice, const char *whole)
{
    struct text *code = &maker->made->record;
    if (has_choice)
        text_format(code, "    __pn_record(&(unsigned char){!%s}, 1, \"%s == NULL\");\n", spot->expression, spot->name);
    if (whole)
        text_format(code, "    __pn_reach((void *)&%s, sizeof %s, (const void *)%s);\n", whole, whole,
                    spot->expression);
}

static void set_pointer(struct maker *maker, const struct spot *spot, bool has_choice, const char *object)
{
    struct text *code = &maker->made->statements;
    if (!has_choice)
        option_names_add(&maker->program->never_null, spot->name);
    if (has_choice)
        text_format(code, "    pn_pointer((void *)&%s, (void *)%s, \"%s == NULL\");\n", spot->expression, object,
                    spot->name);
    else if (clang_isConstQualifiedType(clang_getCanonicalType(spot->type)))
        text_format(code, "    __builtin_memcpy((void *)&%s, &(void *){(void *)%s}, sizeof(void *));\n",
                    spot->expression, object);
    else
        text_format(code, "    %s = (void *)%s;\n", spot->expression, object);
}

bool make_set_pointer(struct maker *maker, const struct spot *spot, const char *object)
{
    struct spot at = *spot;
    if (!make_choice(maker, &at))
        return false;
    set_pointer(maker, spot, at.under != spot->under, object);
    record_pointer(maker, spot, at.under != spot->under, NULL);
    return true;
}

static bool make_function(struct maker *maker, const struct spot *spot, CXType type)
{
    struct spot at = *spot;
    const char *function = NULL;
    size_t number;
    size_t recorded = maker->made->record.length;
    if (!make_choice(maker, &at) || !make_callback(maker, &at, type, &function, &number))
        return false;
    text_truncate(&maker->made->record, recorded); /* what it returns is not known before it is called */
    outputs_add_known(maker->program, &maker->made->declarations,
                      &(struct known_row){"function", number, spot->name, function, false, false});
    set_pointer(maker, spot, at.under != spot->under, function);
    record_pointer(maker, spot, at.under != spot->under, NULL);
    return true;
}

static bool make_stream(struct maker *maker, const struct spot *spot)
{
    struct spot at = *spot;
    const char *stream = NULL;
    size_t recorded = maker->made->record.length;
    if (!make_choice(maker, &at) || !stream_make(maker, &at, &stream))
        return false;
    text_truncate(&maker->made->record, recorded); /* reading a stream would take from it */
    set_pointer(maker, spot, at.under != spot->under, stream);
    record_pointer(maker, spot, at.under != spot->under, NULL);
    return true;
}

static bool is_too_deep(struct maker *maker, const struct spot *spot)
{
    if (spot->depth < maker->depth)
        return false;
    if (!maker->cut_count++)
        maker->cut = spot->name;
    return true;
}

static void add_input(struct program *program, const struct spot *spot)
{
    program->pointer_inputs = array_reserve(program->pointer_inputs, &program->pointer_input_capacity,
                                            program->pointer_input_count + 1, sizeof *program->pointer_inputs);
    program->pointer_inputs[program->pointer_input_count++] = (struct pointer_input){spot->place, spot->name};
}

bool make_pointer(struct maker *maker, const struct spot *spot, CXType pointee)
{
    bool is_void = clang_getCanonicalType(pointee).kind == CXType_Void;
    pointee = cast_pointee(maker, spot, pointee);
    CXType type = clang_getCanonicalType(pointee);
    option_names_add(&maker->program->pointers, spot->name);
    add_input(maker->program, spot);
    if (type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto)
        return make_function(maker, spot, type);
    enum constructed constructed = make_by_library(maker, spot);
    if (constructed != NOT_CONSTRUCTED)
        return constructed == CONSTRUCTED;
    if (stream_is_one(maker, type))
        return make_stream(maker, spot);
    if (make_is_opaque(maker, spot, type))
        return false;
    if (is_too_deep(maker, spot))
        return true;
    struct target target = target_of(maker, spot, pointee);
    const char *whole = target.object; /* with what makes a structure longer than its type */
    if (is_void && !target.is_void)
        target.element =
            arena_format(maker->program->arena, "__typeof_unqual__(%s)", source_type(maker->program->arena, pointee));
    struct spot at = *spot;
    if (!make_choice(maker, &at))
        return false;
    declare_object(maker, spot, &target);
    outputs_add_known(maker->program, &maker->made->declarations,
                      &(struct known_row){"object", maker->program->object_count, spot->name, target.object,
                                          target.block != NULL, target.may_be_longer});
    set_pointer(maker, spot, at.under != spot->under, target.object);
    record_pointer(maker, spot, at.under != spot->under, whole);
    struct given_pointer given = {.type = pointee,
                                  .object = target.object,
                                  .count = target.count,
                                  .is_longer = strchr(target.object, '.'),
                                  .is_restricted = clang_isRestrictQualifiedType(spot->type),
                                  .expression = spot->expression,
                                  .name = spot->name,
                                  .place = spot->place};
    bool is_parameter = !maker->root->is_global && !spot->depth && spot->name == maker->root->name;
    struct text moves = {0};
    bool good = !is_parameter || overlaps_make(maker, &at, &given, &moves);
    good = good && (target.is_numbers ? make_numbers(maker, &at, &target) : make_objects(maker, &at, &target));
    text_add(&maker->made->statements, text_string(&moves));
    text_free(&moves);
    return good;
}
