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
    DESCRIBED_DEPTH = 3, /* pointers up to which parts are described by name */
};

struct writer {
    struct program *program;
    struct text *code;
    struct arena *arena;
    int loops;    /* how many are open */
    int pointers; /* how many were followed */
    int depth;    /* of blocks of statements that have one */
    bool may_dangle;
    bool has_no_pointers; /* but bytes that might have been some */
    size_t file;
    /* In a function: the name that its callers give, here that of the first, with what a member's name follows; else
     * NULL. */
    const char *whole;
    bool is_global;
    bool is_variable; /* the root is one by itself: an array at its end has a length of its own */
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

static void write_unseen(struct writer *writer)
{
    text_add(writer->code, "    __pn_unseen();\n");
}

/* An array at the end of a structure, as long as the block is. Of what the harness made it is output by other means. */
static bool write_flexible(struct writer *writer, CXType type, const char *expression, const char *name)
{
    CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
    if (!writer->whole) {
        if (writer->is_variable || writer->pointers)
            write_unseen(writer);
        return true;
    }
    int number = writer->loops++;
    if (number >= DEEPEST_LOOP)
        return false;
    text_format(writer->code,
                "    {\n    const char *__pn_array_%d = (const char *)%s;\n"
                "    unsigned long __pn_rest_%d = __pn_bytes - (__pn_array_%d - (const char *)__pn_structure);\n",
                number, expression, number, number);
    bool good = true;
    if (is_plain(innermost_element(element))) {
        text_format(writer->code, "    __pn_output_block(%s, &__pn_array_%d, __pn_rest_%d, %lld);\n",
                    quoted(writer, name), number, number, floating_element(innermost_element(element)));
        describe(writer, element, name, false);
    } else {
        text_format(writer->code,
                    "    if (__pn_rest_%d / sizeof *%s > %d)\n    __pn_unseen();\n"
                    "    for (unsigned long __pn_index_%d = 0; __pn_index_%d < __pn_rest_%d / sizeof *%s && "
                    "__pn_index_%d < %d; __pn_index_%d++) {\n",
                    number, expression, PN_MOST_ELEMENTS, number, number, number, expression, number, PN_MOST_ELEMENTS,
                    number);
        good = write_parts(writer, element, arena_format(writer->arena, "%s[__pn_index_%d]", expression, number),
                           arena_format(writer->arena, "%s[]", name));
        text_add(writer->code, "    }\n");
    }
    text_add(writer->code, "    }\n");
    writer->loops--;
    return good;
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
static bool write_union(struct fields *fields, CXType type);

/* Of an anonymous structure: its members are the outer one's. */
static bool write_members(const struct fields *outer, CXType type)
{
    struct fields fields = *outer;
    if (clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl && holds_pointers(type) &&
        !outer->writer->has_no_pointers)
        return write_union(&fields, type);
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
    if (!*field_name || is_uncompared(fields, field_name))
        return true;
    const char *expression = arena_format(arena, "%s.%s", fields->expression, field_name);
    bool is_whole = fields->writer->whole && strcmp(fields->name, fields->writer->whole) == 0;
    const char *between = is_whole ? "" : fields->through_pointer ? "->" : ".";
    const char *name = arena_format(arena, "%s%s%s", fields->name, between, field_name);
    if (type.kind == CXType_IncompleteArray)
        return write_flexible(fields->writer, type, expression, name);
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

/* The pointers among a union's own members. */
struct union_pointers {
    struct fields *fields;
    CXType first;
    int count;
    bool are_alike; /* they point to the same type */
};

static enum CXVisitorResult visit_pointer_member(CXCursor field, CXClientData data)
{
    struct union_pointers *pointers = data;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    if (type.kind != CXType_Pointer) {
        pointers->are_alike &= !holds_pointers(type);
        return CXVisit_Continue;
    }
    if (!pointers->count++)
        pointers->first = type;
    pointers->are_alike &= clang_equalTypes(type, pointers->first);
    return CXVisit_Continue;
}

static enum CXVisitorResult visit_pointer_output(CXCursor field, CXClientData data)
{
    struct union_pointers *pointers = data;
    if (clang_getCanonicalType(clang_getCursorType(field)).kind != CXType_Pointer)
        return CXVisit_Continue;
    pointers->fields->good = write_field(pointers->fields, field);
    return pointers->fields->good && !pointers->are_alike ? CXVisit_Continue : CXVisit_Break; /* one of them says it */
}

/* A union that holds pointers. Which member counts is not known: where its bytes are a pointer's, the pointer is
 * compared, and what it leads to if that can be one thing only. Else the bytes are compared as all the members. */
static bool write_union(struct fields *fields, CXType type)
{
    struct writer *writer = fields->writer;
    struct union_pointers pointers = {.fields = fields, .are_alike = true};
    bool may_dangle = writer->may_dangle;
    clang_Type_visitFields(type, visit_pointer_member, &pointers);
    text_format(writer->code, "    if (__pn_holds_pointers((const void *)&%s, sizeof %s)) {\n", fields->expression,
                fields->expression);
    bool is_clear = pointers.count && pointers.are_alike && clang_Type_getSizeOf(type) == sizeof(void *);
    if (!is_clear)
        write_unseen(writer);
    writer->may_dangle |= !is_clear;
    clang_Type_visitFields(type, visit_pointer_output, &pointers);
    writer->may_dangle = may_dangle;
    text_add(writer->code, "    } else {\n");
    writer->has_no_pointers = true;
    if (fields->good)
        clang_Type_visitFields(type, visit_field, fields);
    writer->has_no_pointers = false;
    text_add(writer->code, "    }\n");
    return fields->good;
}

static enum CXVisitorResult visit_for_flexible(CXCursor field, CXClientData data)
{
    *(bool *)data = clang_getCanonicalType(clang_getCursorType(field)).kind == CXType_IncompleteArray;
    return CXVisit_Continue;
}

/* Whether the last member is an array of unknown length. */
static bool is_flexible(CXType type)
{
    bool found = false;
    clang_Type_visitFields(type, visit_for_flexible, &found);
    return found;
}

/* Pointers into a structure are compared by how far into it they lead. */
static enum CXVisitorResult note_offset(CXCursor field, CXClientData data)
{
    struct writer *writer = data;
    text_format(&writer->program->record_layouts, "%s %lld, ", source_name(writer->arena, field),
                clang_Cursor_getOffsetOfField(field));
    return CXVisit_Continue;
}

static void visit_members(struct writer *writer, CXType type, struct fields *fields)
{
    if (!writer->program->request->sorts_members || writer->is_global) {
        clang_Type_visitFields(type, visit_field, fields);
        return;
    }
    source_visit_sorted_fields(writer->arena, type, note_offset, writer);
    text_format(&writer->program->record_layouts, "%lld; ", clang_Type_getSizeOf(type));
    source_visit_sorted_fields(writer->arena, type, visit_field, fields);
}

static bool write_record(struct writer *writer, CXType type, const char *expression, const char *name,
                         bool through_pointer)
{
    struct fields fields = {writer, expression, name, through_pointer, true, source_record_name(writer->arena, type)};
    CXCursor declaration = clang_getTypeDeclaration(type);
    if (clang_Type_getSizeOf(type) < 0)
        return false;
    /* Each member of a union is compared as what it is: one may see bytes that are another's padding. */
    if (clang_getCursorKind(declaration) == CXCursor_UnionDecl && holds_pointers(type) && !writer->has_no_pointers)
        return write_union(&fields, type);
    visit_members(writer, type, &fields);
    return fields.good;
}

/* ---- pointers ---- */

static size_t find_follower(const struct program *program, size_t file, const char *type)
{
    size_t i = 0;
    while (i < program->follower_count &&
           (program->followers[i].file != file || strcmp(program->followers[i].type, type) != 0))
        i++;
    return i;
}

static size_t add_follower(struct program *program, size_t file, const char *type)
{
    program->followers = array_reserve(program->followers, &program->follower_capacity, program->follower_count + 1,
                                       sizeof *program->followers);
    const char *declaration =
        arena_format(program->arena,
                     "__attribute__((noinline)) static void pn_follow_%zu(%s *__pn_structure, const char *__pn_whole, "
                     "unsigned long __pn_bytes)",
                     program->follower_count, type);
    program->followers[program->follower_count] =
        (struct program_follower){file, type, arena_format(program->arena, "%s;\n", declaration), ""};
    return program->follower_count++;
}

/* The statements of a function that outputs a structure, of which the caller gives the name. */
static bool write_follower(const struct writer *writer, CXType type, const char *name, struct text *statements)
{
    struct writer inside = *writer;
    inside.code = statements;
    inside.loops = 0;
    inside.whole = arena_format(writer->arena, "%s->", name);
    return write_record(&inside, type, "(*__pn_structure)", inside.whole, true);
}

/* A structure by a function, which is written for the first pointer to such a one, and calls itself for lists and
 * trees; its parts have a description under each name all the same, as far as names are short. A type that cannot be
 * named has none. */
static bool follow(struct writer *writer, CXType type, const char *pointer, const char *name, int depth)
{
    struct program *program = writer->program;
    const char *type_name = source_type(writer->arena, clang_getUnqualifiedType(type));
    if (strchr(type_name, '(')) {
        write_unseen(writer);
        return true;
    }
    size_t number = find_follower(program, writer->file, type_name);
    bool is_first = number == program->follower_count, good = true;
    if (is_first)
        number = add_follower(program, writer->file, type_name);
    if (is_first || writer->pointers <= DESCRIBED_DEPTH) {
        struct text statements = {0};
        good = write_follower(writer, type, name, &statements);
        if (is_first)
            program->followers[number].definition =
                arena_format(program->arena, "%.*s\n{\n    char __pn_name[%d];\n%s}\n\n",
                             (int)strlen(program->followers[number].declaration) - 2,
                             program->followers[number].declaration, PN_OUTPUT_NAME, text_string(&statements));
        text_free(&statements);
    }
    text_format(writer->code,
                "        {\n        char __pn_element[%d];\n"
                "        pn_follow_%zu((void *)&%s[__pn_at_%d], __pn_element_name(__pn_element, %s, __pn_extent_%d[1], "
                "__pn_at_%d), __pn_extent_%d[2]);\n        }\n",
                PN_OUTPUT_NAME, number, pointer, depth, quoted(writer, name), depth, depth, depth);
    return good;
}

static enum pn_target target_of(CXType type)
{
    bool is_known = type.kind != CXType_Void && type.kind != CXType_FunctionProto &&
                    type.kind != CXType_FunctionNoProto && clang_Type_getSizeOf(type) > 0;
    if (!is_known)
        return PN_UNKNOWN;
    if (type.kind == CXType_Char_S || type.kind == CXType_Char_U)
        return PN_TEXT;
    if (is_plain(innermost_element(type)))
        return PN_NUMBERS;
    return type.kind == CXType_Record && is_flexible(type) ? PN_FLEXIBLE : PN_STRUCTURES;
}

/* What lies in memory that nobody else outputs: __pn_first is the first of its elements. */
static bool write_pointed(struct writer *writer, CXType type, const char *first, const char *name, int depth)
{
    const char *target_name = arena_format(writer->arena, "*%s", name);
    enum pn_target target = target_of(type);
    if (target == PN_TEXT || target == PN_NUMBERS) {
        text_format(writer->code,
                    "    if (__pn_extent_%d[1])\n"
                    "        __pn_output_block(%s, (const void *)&%s, __pn_extent_%d[1] * sizeof *%s, %lld);\n",
                    depth, quoted(writer, target_name), first, depth, first, floating_element(innermost_element(type)));
        describe(writer, type, target_name, target == PN_TEXT);
        return true;
    }
    writer->pointers++;
    text_format(writer->code,
                "    for (unsigned long __pn_at_%d = 0; __pn_at_%d < __pn_extent_%d[1]; __pn_at_%d++) {\n", depth,
                depth, depth, depth);
    bool good =
        type.kind == CXType_Record
            ? follow(writer, type, first, name[0] == '*' ? arena_format(writer->arena, "(%s)", name) : name, depth)
            : write_parts(writer, type, arena_format(writer->arena, "%s[__pn_at_%d]", first, depth), target_name);
    text_add(writer->code, "    }\n");
    writer->pointers--;
    return good;
}

static bool write_pointer(struct writer *writer, CXType type, const char *expression, const char *name)
{
    struct arena *arena = writer->arena;
    CXType target = clang_getCanonicalType(clang_getPointeeType(type));
    int depth = writer->depth++;
    const char *copy = arena_format(arena, "__pn_pointer_%d", depth),
               *first = arena_format(arena, "__pn_first_%d", depth);
    bool is_known = target_of(target) != PN_UNKNOWN && !writer->may_dangle;
    const char *size = is_known ? arena_format(arena, "sizeof *%s", copy) : "0";
    writer->program->outputs_pointers = true;
    text_format(writer->code,
                "    {\n    __typeof_unqual__(%s) %s = %s;\n    unsigned long __pn_extent_%d[4];\n"
                "    pn_output_pointer(%s, (const void *)&%s, %d, %s, \"%s\", __pn_extent_%d);\n"
                "    if (__pn_extent_%d[3])\n        __pn_unseen();\n",
                expression, copy, expression, depth, quoted(writer, name), copy,
                is_known ? target_of(target) : PN_UNKNOWN, size, source_type(arena, clang_getUnqualifiedType(target)),
                depth, depth);
    bool good = true;
    if (is_known) {
        text_format(writer->code, "    __typeof_unqual__(%s) %s = (void *)((char *)%s - __pn_extent_%d[0]);\n", copy,
                    first, copy, depth);
        good = write_pointed(writer, target, first, name, depth);
    }
    text_add(writer->code, "    }\n");
    writer->depth--;
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
    case CXType_Pointer:
        if (!writer->has_no_pointers)
            return write_pointer(writer, type, expression, name);
        write_bytes(writer, type, expression, name, "sizeof(void *)");
        return true;
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

void outputs_describe_element(struct program *program, CXType type, const char *name, bool is_string)
{
    struct writer writer = {.program = program, .arena = program->arena};
    describe(&writer, type, name, is_string);
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
    struct writer writer = {.program = program,
                            .code = code,
                            .arena = program->arena,
                            .may_dangle = root->may_dangle,
                            .file = root->file,
                            .is_global = root->is_global,
                            .is_variable = !root->through_pointer};
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
    text_format(&program->notes, "%s: a '%s' is not compared, it has parts that cannot be\n", root->name,
                source_type(program->arena, root->type));
}

/* All that stand in one section are const, or none. */
void outputs_add_known(const struct program *program, struct text *code, const struct known_row *row)
{
    const char *address = row->is_block ? "0" : arena_format(program->arena, "(const void *)&%s", row->variable);
    text_format(code,
                "__attribute__((used, section(\"pn_known\"))) static %sstruct __pn_known __pn_known_%s_%zu = "
                "{\"%s\", %s, sizeof %s, %d};\n",
                program->makes_blocks ? "" : "const ", row->kind, row->number, row->name, address, row->variable,
                !strcmp(row->kind, "object") + row->may_be_longer);
}

const char *outputs_of_number(struct program *program, const struct input_parameter *number, const char *expression)
{
    bool is_floating = number->kind == INPUT_FLOATING;
    input_layout_add(program->outputs, number);
    return arena_format(program->arena, is_floating ? "    %s(\"%s\", &%s, %u, %u);\n" : "    %s(\"%s\", &%s, %u);\n",
                        is_floating ? "__pn_output_floating" : "pn_output", number->name, expression,
                        number->element_size, number->element_size);
}
