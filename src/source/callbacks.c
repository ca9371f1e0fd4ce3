/* Functions for pointers to functions. Each call returns a further input: a number, fresh memory or NULL where the
 * function is like malloc(), another pointer to an object that is an input, or NULL. How often it was called, and with
 * which arguments, is output; so is what pointers among the arguments pointed to at that time. What is kept of the
 * calls is kept in variables, so that each version has its own: a call that only one version makes moves that version's
 * counter alone. */
#include "source/elements.h"
#include "source/make.h"
#include "source/outputs.h"
#include "source/sizes.h"

#include <string.h>

/* What it returns. */
enum result { NOTHING, NUMBER, POINTER, FRESH_MEMORY };

struct callback {
    struct maker *maker;
    const struct spot *spot;
    CXType type;
    size_t number; /* in the names of its variables */
    size_t calls;  /* that are kept apart; what is beyond them returns the last value again */
    enum result result;
    const char *allocation; /* FRESH_MEMORY: the call that makes it, in terms of the arguments */
};

static void declare_array(struct callback *callback, CXType type, const char *variable)
{
    text_format(&callback->maker->made->declarations, "static __typeof_unqual__(%s) %s_%zu[%zu];\n",
                source_type(callback->maker->program->arena, type), variable, callback->number, callback->calls);
}

static bool is_integer(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Enum || (type.kind >= CXType_Bool && type.kind <= CXType_LongLong);
}

/* ---- what it returns ---- */

/* One of the allocating functions of the C library, if it is like one: by its type, and where that does not tell, by
 * its name. NULL: it is not. */
static const char *allocation_of(const struct callback *callback)
{
    struct arena *arena = callback->maker->program->arena;
    const char *name = callback->spot->name;
    int numbers[2] = {0}, number_count = 0, pointer = 0, count = clang_getNumArgTypes(callback->type);
    for (int i = 0; i < count; i++) {
        CXType type = clang_getArgType(callback->type, (unsigned)i);
        if (is_integer(type)) {
            numbers[0] = number_count ? numbers[1] : i + 1;
            numbers[1] = i + 1;
            number_count++;
        } else if (clang_getCanonicalType(type).kind == CXType_Pointer) {
            pointer = i + 1;
        } else {
            return NULL;
        }
    }
    CXType result = clang_getCanonicalType(clang_getResultType(callback->type));
    bool is_void = clang_getCanonicalType(clang_getPointeeType(result)).kind == CXType_Void;
    bool says_so = strcasestr(name, "alloc") != NULL, resizes = strcasestr(name, "realloc") != NULL;
    if (!is_void || !number_count || number_count > 2 || (pointer && !says_so))
        return NULL;
    if (pointer && (resizes || number_count == 2))
        return arena_format(arena, "__builtin_realloc(__pn_argument_%d, (unsigned long)__pn_argument_%d)", pointer,
                            numbers[1]);
    if (number_count == 2)
        return arena_format(arena, "__builtin_calloc((unsigned long)__pn_argument_%d, (unsigned long)__pn_argument_%d)",
                            numbers[0], numbers[1]);
    return arena_format(arena, "__builtin_malloc((unsigned long)__pn_argument_%d)", numbers[1]);
}

static bool make_numbers(struct callback *callback, CXType type, struct input_parameter *piece)
{
    struct maker *maker = callback->maker;
    if (!make_piece(maker, callback->spot, piece))
        return false;
    declare_array(callback, type, "__pn_returned");
    make_symbolic(maker, piece, arena_format(maker->program->arena, "__pn_returned_%zu", callback->number));
    return true;
}

/* Fresh memory each time, or NULL, as the input says. */
static bool make_failures(struct callback *callback, struct input_parameter *piece)
{
    struct maker *maker = callback->maker;
    struct arena *arena = maker->program->arena;
    piece->name = arena_format(arena, "%s fails", piece->name);
    piece->kind = INPUT_BOOL;
    piece->element_size = 1;
    if (!make_piece(maker, callback->spot, piece))
        return false;
    text_format(&maker->made->declarations, "static unsigned char __pn_fails_%zu[%zu];\n", callback->number,
                callback->calls);
    make_symbolic(maker, piece, arena_format(arena, "__pn_fails_%zu", callback->number));
    return true;
}

/* The same object in every call, or NULL in every call. */
static bool make_object(struct callback *callback, CXType type, const char *name)
{
    struct arena *arena = callback->maker->program->arena;
    struct spot spot = *callback->spot;
    text_format(&callback->maker->made->declarations, "static __typeof_unqual__(%s) __pn_result_%zu;\n",
                source_type(arena, type), callback->number);
    if (make_stays_zero(callback->maker, name))
        return true;
    spot.type = type;
    spot.expression = arena_format(arena, "__pn_result_%zu", callback->number);
    spot.name = name;
    spot.place = "";
    spot.rows = 0;
    spot.is_result = true;
    spot.depth++;
    text_format(&callback->maker->program->notes, "%s: the same object in all calls, or NULL in all\n", name);
    struct make_mark mark = make_mark_of(callback->maker);
    return make(callback->maker, &spot) || make_leave_out(callback->maker, name, &mark);
}

static bool make_results(struct callback *callback)
{
    struct maker *maker = callback->maker;
    struct arena *arena = maker->program->arena;
    CXType type = clang_getResultType(callback->type);
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    struct input_parameter piece = {
        .name = arena_format(arena, "%s()", make_operand(maker, callback->spot->name)),
        .type = source_type(arena, type),
        .is_array = true,
        .is_pointer = true,
        .element_count = callback->calls,
    };
    callback->allocation = kind == CXType_Pointer ? allocation_of(callback) : NULL;
    callback->result = kind == CXType_Void      ? NOTHING
                       : kind != CXType_Pointer ? NUMBER
                       : callback->allocation   ? FRESH_MEMORY
                                                : POINTER;
    switch (callback->result) {
    case NOTHING: return true;
    case FRESH_MEMORY: return make_failures(callback, &piece);
    case POINTER: return make_object(callback, type, piece.name);
    case NUMBER: break;
    }
    return element_describe(arena, type, &piece)
               ? make_numbers(callback, type, &piece)
               : make_refuse(maker, callback->spot,
                             "only functions that return numbers or pointers, or nothing, can "
                             "be made");
}

static bool is_kept(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Pointer || type.kind == CXType_Enum || type.kind == CXType_Record ||
           (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble);
}

/* ---- what lies behind a pointer that is passed ---- */

enum { BYTES_KEPT = 256 };

struct passed {
    CXType target;     /* what it points to */
    bool is_text;      /* kept up to its zero */
    bool is_structure; /* of which one is kept */
    bool is_kept;
};

static struct passed passed_of(CXType type)
{
    struct passed passed = {0};
    type = clang_getCanonicalType(type);
    if (type.kind != CXType_Pointer)
        return passed;
    passed.target = clang_getCanonicalType(clang_getPointeeType(type));
    size_t columns;
    CXType element = clang_getCanonicalType(element_of_arrays(passed.target, &columns));
    passed.is_text = element_is_text(passed.target);
    passed.is_structure = passed.target.kind == CXType_Record && clang_Type_getSizeOf(passed.target) > 0;
    passed.is_kept = passed.is_structure || element.kind == CXType_Enum ||
                     (element.kind >= CXType_Bool && element.kind <= CXType_Double);
    return passed;
}

static void declare_passed(struct callback *callback, CXType type, int argument)
{
    struct passed passed = passed_of(type);
    struct text *code = &callback->maker->made->declarations;
    if (passed.is_structure)
        text_format(code, "static __typeof_unqual__(%s) __pn_seen_%d_%zu[%zu];\n",
                    source_type(callback->maker->program->arena, clang_getUnqualifiedType(passed.target)), argument,
                    callback->number, callback->calls);
    else if (passed.is_kept)
        text_format(code, "static char __pn_seen_%d_%zu[%zu][%d];\nstatic unsigned long __pn_length_%d_%zu[%zu];\n",
                    argument, callback->number, callback->calls, BYTES_KEPT, argument, callback->number,
                    callback->calls);
}

/* Copies what is there now: __pn_readable() says how much of it is. */
static void keep_passed(struct callback *callback, CXType type, int argument)
{
    struct passed passed = passed_of(type);
    struct text *code = &callback->maker->made->declarations;
    const char *kept =
        arena_format(callback->maker->program->arena, "__pn_seen_%d_%zu[__pn_call]", argument, callback->number);
    const char *length =
        arena_format(callback->maker->program->arena, "__pn_length_%d_%zu[__pn_call]", argument, callback->number);
    if (clang_getCanonicalType(type).kind != CXType_Pointer)
        return;
    text_format(code,
                "    {\n        const void *__pn_from = (const void *)__pn_argument_%d;\n        unsigned long "
                "__pn_more[1], __pn_bytes = __pn_readable(&__pn_from, %s, __pn_more);\n",
                argument,
                passed.is_structure ? arena_format(callback->maker->program->arena, "sizeof %s", kept)
                : passed.is_kept    ? arena_format(callback->maker->program->arena, "%d", BYTES_KEPT)
                                    : "0");
    if (passed.is_text)
        text_format(code,
                    "        unsigned long __pn_at = 0;\n"
                    "        for (; __pn_at < __pn_bytes; __pn_at++)\n"
                    "            if (!(%s[__pn_at] = ((const char *)__pn_from)[__pn_at]))\n                break;\n"
                    "        %s = __pn_at < __pn_bytes ? __pn_at + 1 : __pn_at;\n"
                    "        if (__pn_at == __pn_bytes && __pn_more[0])\n            __pn_unseen();\n",
                    kept, length);
    else if (passed.is_structure)
        text_format(code,
                    "        if (__pn_bytes == sizeof %s)\n            __builtin_memcpy(&%s, __pn_from, sizeof %s);\n",
                    kept, kept, kept);
    else if (passed.is_kept)
        text_format(code, "        __builtin_memcpy(%s, __pn_from, __pn_bytes);\n        %s = __pn_bytes;\n", kept,
                    length);
    if (!passed.is_text)
        text_add(code, "        if (__pn_more[0])\n            __pn_unseen();\n");
    text_add(code, "    }\n");
}

static void output_passed(struct callback *callback, CXType type, int argument, size_t call, const char *name)
{
    struct program *program = callback->maker->program;
    struct passed passed = passed_of(type);
    struct text *code = &callback->maker->made->outputs;
    const char *kept = arena_format(program->arena, "__pn_seen_%d_%zu[%zu]", argument, callback->number, call);
    if (passed.is_structure) {
        struct output_root root = {
            .type = passed.target,
            .expression = kept,
            .name = arena_format(program->arena, "*%s", name),
            .may_dangle = true,
            .file = callback->maker->root->file,
        };
        if (!outputs_write(program, code, &root))
            outputs_note(program, &root);
    } else if (passed.is_kept) {
        text_format(code, "    __pn_output_passed(\"*%s\", %s, sizeof %s, &__pn_length_%d_%zu[%zu]);\n", name, kept,
                    kept, argument, callback->number, call);
        outputs_describe_element(program, passed.target, arena_format(program->arena, "*%s", name), passed.is_text);
    }
}

/* `...`, or no prototype: what is passed there is not compared. */
static bool hides_arguments(const struct callback *callback)
{
    return callback->type.kind == CXType_FunctionNoProto || clang_isFunctionTypeVariadic(callback->type);
}

static void write_return(struct callback *callback)
{
    struct text *code = &callback->maker->made->declarations;
    switch (callback->result) {
    case NOTHING: break;
    case NUMBER: text_format(code, "    return __pn_returned_%zu[__pn_call];\n", callback->number); break;
    case POINTER: text_format(code, "    return __pn_result_%zu;\n", callback->number); break;
    case FRESH_MEMORY:
        text_format(code, "    return __pn_fails_%zu[__pn_call] ? (void *)0 : %s;\n", callback->number,
                    callback->allocation);
        break;
    }
}

static void write_function(struct callback *callback)
{
    struct arena *arena = callback->maker->program->arena;
    struct text *code = &callback->maker->made->declarations;
    int count = clang_getNumArgTypes(callback->type);
    for (int i = 0; i < count; i++)
        if (is_kept(clang_getArgType(callback->type, (unsigned)i)))
            declare_array(callback, clang_getArgType(callback->type, (unsigned)i),
                          arena_format(arena, "__pn_passed_%d", i + 1));
    for (int i = 0; i < count; i++)
        declare_passed(callback, clang_getArgType(callback->type, (unsigned)i), i + 1);
    text_format(code, "static unsigned long __pn_calls_%zu;\nstatic %s pn_callback_%zu(", callback->number,
                source_type(arena, clang_getResultType(callback->type)), callback->number);
    for (int i = 0; i < count; i++)
        text_format(code, "%s__typeof__(%s) __pn_argument_%d", i > 0 ? ", " : "",
                    source_type(arena, clang_getArgType(callback->type, (unsigned)i)), i + 1);
    bool is_variadic = clang_isFunctionTypeVariadic(callback->type) && count > 0;
    text_add(code, is_variadic                                              ? ", ...)\n{\n"
                   : count || callback->type.kind == CXType_FunctionNoProto ? ")\n{\n"
                                                                            : "void)\n{\n");
    text_format(code,
                "    unsigned long __pn_call = __pn_calls_%zu++;\n"
                "    if (__pn_called(%zu, \"%s\"))\n        __pn_unseen();\n"
                "    if (__pn_call >= %zu) {\n        __pn_unseen();\n        __pn_call = %zu;\n    }\n",
                callback->number, callback->number, make_operand(callback->maker, callback->spot->name),
                callback->calls, callback->calls - 1);
    if (hides_arguments(callback))
        text_add(code, "    __pn_unseen();\n");
    for (int i = 0; i < count; i++)
        if (is_kept(clang_getArgType(callback->type, (unsigned)i)))
            text_format(code, "    __pn_passed_%d_%zu[__pn_call] = __pn_argument_%d;\n", i + 1, callback->number,
                        i + 1);
    for (int i = 0; i < count; i++)
        if (is_integer(clang_getArgType(callback->type, (unsigned)i)))
            text_format(code, "    __pn_called_with(&__pn_argument_%d, sizeof __pn_argument_%d);\n", i + 1, i + 1);
    for (int i = 0; i < count; i++)
        keep_passed(callback, clang_getArgType(callback->type, (unsigned)i), i + 1);
    write_return(callback);
    text_add(code, "}\n");
}

static void output_calls(struct callback *callback)
{
    struct program *program = callback->maker->program;
    struct text *code = &callback->maker->made->outputs;
    const char *name = make_operand(callback->maker, callback->spot->name);
    text_format(code, "    pn_output(\"calls of %s()\", &__pn_calls_%zu, sizeof __pn_calls_%zu);\n", name,
                callback->number, callback->number);
    for (int i = 0; i < clang_getNumArgTypes(callback->type); i++) {
        CXType type = clang_getArgType(callback->type, (unsigned)i);
        for (size_t call = 0; is_kept(type) && call < callback->calls; call++) {
            struct output_root root = {
                .type = type,
                .expression = arena_format(program->arena, "__pn_passed_%d_%zu[%zu]", i + 1, callback->number, call),
                .name = arena_format(program->arena, "%s() call %zu argument %d", name, call + 1, i + 1),
                .may_dangle = true,
                .file = callback->maker->root->file,
            };
            if (passed_of(type).is_kept)
                text_format(code, "    __pn_output_place(\"%s\", (const void *)&%s, %s);\n", root.name, root.expression,
                            passed_of(type).is_structure ? "(const void *)0"
                                                         : arena_format(program->arena, "&__pn_length_%d_%zu[%zu]",
                                                                        i + 1, callback->number, call));
            else if (!outputs_write(program, code, &root))
                outputs_note(program, &root);
            if (passed_of(type).is_kept)
                program->outputs_pointers = true;
            output_passed(callback, type, i + 1, call, root.name);
        }
    }
}

/* Whether it is given characters that are not const, as what reads lines or blocks is. */
static bool may_fill(CXType type)
{
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++) {
        CXType argument = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
        CXType pointee = clang_getPointeeType(argument);
        if (argument.kind == CXType_Pointer && element_is_text(pointee) && !clang_isConstQualifiedType(pointee))
            return true;
    }
    return false;
}

bool make_callback(struct maker *maker, const struct spot *spot, CXType type, const char **function, size_t *number)
{
    struct program *program = maker->program;
    struct callback callback = {.maker = maker,
                                .spot = spot,
                                .type = type,
                                .number = ++program->object_count,
                                .calls = sizes_requested(program, spot->name)};
    option_names_add(&program->callbacks, spot->name);
    program->has_filled_buffers |= may_fill(type);
    program->outputs_pointers = true; /* what it finds in variables is compared */
    if (!callback.calls) {
        callback.calls = DEFAULT_ELEMENTS;
        text_format(&program->notes, "%s: calls up to the %dth are kept apart (--size %s=N to change)\n", spot->name,
                    DEFAULT_ELEMENTS, spot->name);
    }
    if (!make_results(&callback))
        return false;
    write_function(&callback);
    output_calls(&callback);
    *number = callback.number;
    *function = arena_format(program->arena, "pn_callback_%zu", callback.number);
    return true;
}
