#include "source/outputs.h"

#include "source/elements.h"
#include "source/source.h"
#include "trace/known.h"

#include <stdio.h>
#include <string.h>

enum {
    UNROLLED_ELEMENTS = 32, /* arrays of structures up to this length name each element; longer ones are looped over */
    LONG_DOUBLE_BYTES = 10, /* the rest of the sixteen is padding */
    DEEPEST_LOOP = 16,
    POINTERS_FOLLOWED = 3,
    LONGEST_STRING = 255, /* characters that are compared */
};

struct writer {
    struct program *program;
    struct text *code;
    struct arena *arena;
    int loops;    /* how many are open */
    int pointers; /* how many were followed */
    bool may_dangle;
    size_t file;
    const char *whole; /* in a function: the name that its callers give, here that of the first; else NULL */
};

static bool write_parts(struct writer *writer, CXType type, const char *expression, const char *name);
static bool write_record(struct writer *writer, CXType type, const char *expression, const char *name,
                         bool through_pointer);

static void cut(struct text *text, size_t length)
{
    text->length = length;
    if (text->data)
        text->data[length] = '\0';
}

/* Types whose every byte is value. */
static bool is_plain(CXType type)
{
    switch (type.kind) {
    case CXType_Enum:
    case CXType_Half:
    case CXType_Float:
    case CXType_Double:
    case CXType_Float128:
    case CXType_Float16:
    case CXType_Vector:
    case CXType_ExtVector: return true;
    case CXType_Complex: return clang_getCanonicalType(clang_getElementType(type)).kind != CXType_LongDouble;
    default: return type.kind >= CXType_Bool && type.kind <= CXType_Int128;
    }
}

static CXType innermost_element(CXType type)
{
    while (type.kind == CXType_ConstantArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

/* A name as the statements have it. In a function only its caller knows the whole one: around that, which stands in the
 * name once, stars and brackets come before, members and indices behind. */
static const char *quoted(struct writer *writer, const char *name)
{
    const char *whole = writer->whole ? strstr(name, writer->whole) : NULL;
    if (!whole)
        return arena_format(writer->arena, "\"%s\"", name);
    return arena_format(writer->arena, "__pn_join_name(__pn_name, \"%.*s\", __pn_whole, \"%s\")", (int)(whole - name),
                        name, whole + strlen(writer->whole));
}

/* So that the report shows it as what it is. */
static void describe(struct writer *writer, CXType type, const char *name, bool is_string)
{
    struct input_layout *outputs = writer->program->outputs;
    struct input_parameter piece = {.name = name, .type = source_type(writer->arena, type)};
    CXType element = element_of_arrays(type, &piece.element_count);
    piece.is_string = is_string;
    piece.is_array = is_string || clang_getCanonicalType(type).kind == CXType_ConstantArray;
    if (element_describe(writer->arena, element, &piece) && !input_layout_find(outputs, name))
        input_layout_add(outputs, &piece);
}

/* The size of the floating-point numbers that the type consists of; 0: it consists of something else. */
static long long floating_element(CXType type)
{
    if (type.kind == CXType_Complex || type.kind == CXType_Vector || type.kind == CXType_ExtVector)
        type = clang_getCanonicalType(clang_getElementType(type));
    return type.kind == CXType_Float || type.kind == CXType_Double ? clang_Type_getSizeOf(type) : 0;
}

/* Behind a pointer each version may have another address: they are copied to where both have the same one. */
static void write_bytes(struct writer *writer, CXType type, const char *expression, const char *name, const char *size)
{
    long long element = floating_element(innermost_element(type));
    const char *function = element ? "__pn_output_floating" : "pn_output";
    const char *last = element ? arena_format(writer->arena, ", %lld", element) : "";
    if (!writer->pointers) {
        text_format(writer->code, "    %s(%s, (const void *)&%s, %s%s);\n", function, quoted(writer, name), expression,
                    size, last);
        return;
    }
    text_format(writer->code,
                "    {\n        char __pn_copy[%s];\n"
                "        __builtin_memcpy(__pn_copy, (const void *)&%s, %s);\n"
                "        %s(%s, __pn_copy, %s%s);\n    }\n",
                size, expression, size, function, quoted(writer, name), size, last);
}

static bool write_array(struct writer *writer, CXType type, const char *expression, const char *name)
{
    CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
    long long count = clang_getArraySize(type);
    for (long long i = 0; i < count && count <= UNROLLED_ELEMENTS; i++)
        if (!write_parts(writer, element, arena_format(writer->arena, "%s[%lld]", expression, i),
                         arena_format(writer->arena, "%s[%lld]", name, i)))
            return false;
    if (count <= UNROLLED_ELEMENTS)
        return true;
    if (writer->loops >= DEEPEST_LOOP)
        return false;
    const char *index = arena_format(writer->arena, "__pn_index_%d", writer->loops++);
    text_format(writer->code, "    for (unsigned long %s = 0; %s < %lld; %s++) {\n", index, index, count, index);
    bool good = write_parts(writer, element, arena_format(writer->arena, "%s[%s]", expression, index),
                            arena_format(writer->arena, "%s[]", name));
    text_add(writer->code, "    }\n");
    writer->loops--;
    return good;
}

static void write_bit_field(struct writer *writer, CXCursor field, const char *expression, const char *name)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    bool is_unsigned = type.kind >= CXType_Bool && type.kind <= CXType_UInt128;
    struct input_parameter piece = {.name = name, .type = source_type(writer->arena, type), .element_count = 1};
    text_format(writer->code, "    {\n        %slong long __pn_bits = %s;\n", is_unsigned ? "unsigned " : "",
                expression);
    text_format(writer->code, "        pn_output(%s, &__pn_bits, sizeof __pn_bits);\n    }\n", quoted(writer, name));
    if (!element_describe_bits(writer->arena, field, &piece) || input_layout_find(writer->program->outputs, name))
        return;
    piece.element_size = sizeof(long long);
    input_layout_add(writer->program->outputs, &piece);
}

static bool holds_pointers(CXType type);

struct fields {
    struct writer *writer;
    const char *expression, *name;
    bool through_pointer;
    bool good;
    const char *owner; /* the structure's name; that of the outer one where it has none */
};

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data);

/* Of an anonymous structure: its members are the outer one's. */
static bool write_members(const struct fields *outer, CXType type)
{
    struct fields fields = *outer;
    if (clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl && holds_pointers(type))
        return false;
    clang_Type_visitFields(type, visit_field, &fields);
    return fields.good;
}

/* Whether only one version has the member: there is nothing to compare it with. */
static bool is_uncompared(const struct fields *fields, const char *field_name)
{
    const struct program_request *request = fields->writer->program->request;
    const char *member = arena_format(fields->writer->arena, "%s.%s", fields->owner, field_name);
    for (size_t i = 0; i < request->uncompared_member_count; i++)
        if (!strcmp(request->uncompared_members[i], member))
            return true;
    return false;
}

static bool write_field(struct fields *fields, CXCursor field)
{
    struct arena *arena = fields->writer->arena;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    const char *field_name = source_name(arena, field);
    bool is_anonymous_record = type.kind == CXType_Record && (!*field_name || strchr(field_name, ' '));
    if (is_anonymous_record)
        return write_members(fields, type);
    if (!*field_name || type.kind == CXType_IncompleteArray || is_uncompared(fields, field_name))
        return true;
    const char *expression = arena_format(arena, "%s.%s", fields->expression, field_name);
    const char *name = arena_format(arena, fields->through_pointer ? "%s->%s" : "%s.%s", fields->name, field_name);
    if (!clang_Cursor_isBitField(field))
        return write_parts(fields->writer, type, expression, name);
    write_bit_field(fields->writer, field, expression, name);
    return true;
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    struct fields *fields = data;
    fields->good = write_field(fields, field);
    return fields->good ? CXVisit_Continue : CXVisit_Break;
}

static enum CXVisitorResult visit_for_pointers(CXCursor field, CXClientData data)
{
    bool *found = data;
    *found |= holds_pointers(clang_getCursorType(field));
    return *found ? CXVisit_Break : CXVisit_Continue;
}

static bool holds_pointers(CXType type)
{
    type = innermost_element(clang_getCanonicalType(type));
    bool found = type.kind == CXType_Pointer;
    if (type.kind == CXType_Record)
        clang_Type_visitFields(type, visit_for_pointers, &found);
    return found;
}

static bool write_record(struct writer *writer, CXType type, const char *expression, const char *name,
                         bool through_pointer)
{
    struct fields fields = {writer, expression, name, through_pointer, true, source_record_name(writer->arena, type)};
    CXCursor declaration = clang_getTypeDeclaration(type);
    if (clang_Type_getSizeOf(type) < 0)
        return false;
    /* Each member of a union is compared as what it is: one may see bytes that are another's padding. */
    if (clang_getCursorKind(declaration) == CXCursor_UnionDecl && holds_pointers(type))
        return false;
    clang_Type_visitFields(type, visit_field, &fields);
    return fields.good;
}

/* ---- pointers ---- */

static void write_unseen(struct writer *writer)
{
    text_add(writer->code, "        __pn_unseen();\n");
}

static void write_string(struct writer *writer, const char *expression, const char *name)
{
    text_format(writer->code,
                "        unsigned long __pn_length = 0;\n"
                "        while (__pn_length < %d && (%s)[__pn_length])\n"
                "            __pn_length++;\n"
                "        char __pn_copy[%d];\n"
                "        __builtin_memcpy(__pn_copy, %s, __pn_length + 1);\n"
                "        pn_output(%s, __pn_copy, __pn_length + 1);\n"
                "        if (__pn_length == %d)\n    ",
                LONGEST_STRING, expression, LONGEST_STRING + 1, expression, quoted(writer, name), LONGEST_STRING);
    write_unseen(writer);
}

static size_t find_follower(const struct program *program, const struct program_follower *wanted)
{
    size_t i = 0;
    while (i < program->follower_count &&
           (program->followers[i].file != wanted->file || program->followers[i].pointers != wanted->pointers ||
            strcmp(program->followers[i].type, wanted->type) != 0))
        i++;
    return i;
}

static void add_follower(struct program *program, struct program_follower follower, const char *statements)
{
    follower.definition = arena_format(program->arena,
                                       "__attribute__((noinline)) static void pn_follow_%zu(%s *__pn_structure, const "
                                       "char *__pn_whole)\n{\n    char __pn_name[%d];\n%s}\n\n",
                                       program->follower_count, follower.type, PN_OUTPUT_NAME, statements);
    program->followers = array_reserve(program->followers, &program->follower_capacity, program->follower_count + 1,
                                       sizeof *program->followers);
    program->followers[program->follower_count++] = follower;
}

/* A structure by a function, which is written for the first pointer to such a one; its parts have a description under
 * each name all the same. A type that cannot be named has none. */
static bool follow(struct writer *writer, CXType type, const char *pointer, const char *name)
{
    struct program *program = writer->program;
    struct program_follower follower = {writer->file, source_type(writer->arena, clang_getUnqualifiedType(type)),
                                        writer->pointers, NULL};
    if (strchr(follower.type, '('))
        return write_record(writer, type, arena_format(writer->arena, "(*(%s))", pointer), name, true);
    struct text statements = {0};
    struct writer inside = *writer;
    inside.code = &statements;
    inside.loops = 0;
    inside.whole = name;
    bool good = write_record(&inside, type, "(*__pn_structure)", name, true);
    size_t number = find_follower(program, &follower);
    if (good && number == program->follower_count)
        add_follower(program, follower, text_string(&statements));
    text_free(&statements);
    text_format(writer->code, "        pn_follow_%zu((void *)%s, %s);\n", number, pointer, quoted(writer, name));
    return good;
}

/* What lies in memory that nobody else outputs. */
static bool write_pointed(struct writer *writer, CXType type, const char *expression, const char *name)
{
    const char *target = arena_format(writer->arena, "(*(%s))", expression);
    const char *target_name = arena_format(writer->arena, "*%s", name);
    bool is_known = type.kind != CXType_Void && type.kind != CXType_FunctionProto &&
                    type.kind != CXType_FunctionNoProto && clang_Type_getSizeOf(type) >= 0;
    if (!is_known || writer->may_dangle || writer->pointers >= POINTERS_FOLLOWED) {
        write_unseen(writer);
        return true;
    }
    if (type.kind == CXType_Char_S || type.kind == CXType_Char_U) {
        write_string(writer, expression, target_name);
        describe(writer, type, target_name, true);
        return true;
    }
    writer->pointers++;
    bool good = type.kind == CXType_Record ? follow(writer, type, expression,
                                                    name[0] == '*' ? arena_format(writer->arena, "(%s)", name) : name)
                                           : write_parts(writer, type, target, target_name);
    writer->pointers--;
    if (type.kind != CXType_Record) /* there may be more than one */
        write_unseen(writer);
    return good;
}

static bool write_pointer(struct writer *writer, CXType type, const char *expression, const char *name)
{
    CXType target = clang_getCanonicalType(clang_getPointeeType(type));
    const char *copy = arena_format(writer->arena, "__pn_pointer_%d", writer->pointers);
    writer->program->outputs_pointers = true;
    text_format(writer->code,
                "    {\n    __typeof_unqual__(%s) %s = %s;\n    if (pn_output_pointer(%s, (const void *)&%s)) {\n",
                expression, copy, expression, quoted(writer, name), copy);
    bool good = write_pointed(writer, target, copy, name);
    text_add(writer->code, "    }\n    }\n");
    return good;
}

static bool write_parts(struct writer *writer, CXType type, const char *expression, const char *name)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Atomic)
        type = clang_getCanonicalType(clang_Type_getValueType(type));
    if (is_plain(innermost_element(type))) {
        write_bytes(writer, type, expression, name, arena_format(writer->arena, "sizeof %s", expression));
        describe(writer, type, name, false);
        return true;
    }
    switch (type.kind) {
    case CXType_LongDouble:
        write_bytes(writer, type, expression, name, arena_format(writer->arena, "%d", LONG_DOUBLE_BYTES));
        return true;
    case CXType_ConstantArray: return write_array(writer, type, expression, name);
    case CXType_Record: return write_record(writer, type, expression, name, false);
    case CXType_Pointer: return write_pointer(writer, type, expression, name);
    default: return false;
    }
}

void outputs_describe(struct program *program, CXType type, size_t count, const char *name, bool is_string)
{
    struct input_parameter piece = {.name = name, .type = source_type(program->arena, type), .is_array = true};
    size_t columns;
    CXType element = element_of_arrays(type, &columns);
    piece.element_count = count * columns;
    piece.is_string = is_string;
    if (element_describe(program->arena, element, &piece))
        input_layout_add(program->outputs, &piece);
}

void outputs_write_array(struct program *program, struct text *code, CXType element, const char *name,
                         const char *array)
{
    struct writer writer = {.program = program, .code = code, .arena = program->arena};
    write_bytes(&writer, clang_getCanonicalType(element), array, name,
                arena_format(program->arena, "sizeof %s", array));
}

bool outputs_write(struct program *program, struct text *code, const struct output_root *root)
{
    struct writer writer = {
        .program = program, .code = code, .arena = program->arena, .may_dangle = root->may_dangle, .file = root->file};
    CXType type = clang_getCanonicalType(root->type);
    size_t length = code->length;
    if (type.kind == CXType_Record && root->through_pointer
            ? write_record(&writer, type, root->expression, root->name, true)
            : write_parts(&writer, type, root->expression, root->name))
        return true;
    cut(code, length);
    return false;
}

void outputs_note(struct program *program, const struct output_root *root)
{
    text_format(&program->notes, "%s: a '%s' is not compared, it holds a union of pointers\n", root->name,
                source_type(program->arena, root->type));
}

void outputs_add_known(struct text *code, const char *kind, size_t number, const char *name, const char *variable)
{
    text_format(code,
                "__attribute__((used, section(\"pn_known\"))) static const struct __pn_known __pn_known_%s_%zu = "
                "{\"%s\", (const void *)&%s, sizeof %s};\n",
                kind, number, name, variable, variable);
}
