#include "build/outputs.h"

#include "build/source.h"

#include <stdio.h>
#include <string.h>

enum {
    UNROLLED_ELEMENTS = 32, /* arrays of structures up to this length name each element; longer ones are looped over */
    LONG_DOUBLE_BYTES = 10, /* the rest of the sixteen is padding */
    DEEPEST_LOOP = 16,
};

struct writer {
    struct text *code;
    struct arena *arena;
    int loops; /* how many are open */
};

static bool write_parts(struct writer *writer, CXType type, const char *expression, const char *name);

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

/* The size of the floating-point numbers that the type consists of; 0: it consists of something else. */
static long long floating_element(CXType type)
{
    if (type.kind == CXType_Complex || type.kind == CXType_Vector || type.kind == CXType_ExtVector)
        type = clang_getCanonicalType(clang_getElementType(type));
    return type.kind == CXType_Float || type.kind == CXType_Double ? clang_Type_getSizeOf(type) : 0;
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

static void write_bit_field(struct writer *writer, CXType type, const char *expression, const char *name)
{
    bool is_unsigned = type.kind >= CXType_Bool && type.kind <= CXType_UInt128;
    text_format(writer->code, "    {\n        %slong long __pn_bits = %s;\n", is_unsigned ? "unsigned " : "",
                expression);
    text_format(writer->code, "        pn_output(\"%s\", &__pn_bits, sizeof __pn_bits);\n    }\n", name);
}

struct fields {
    struct writer *writer;
    const char *expression, *name;
    bool good;
};

static bool write_field(struct fields *fields, CXCursor field)
{
    struct arena *arena = fields->writer->arena;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    const char *field_name = source_name(arena, field);
    bool is_anonymous_record = type.kind == CXType_Record && (!*field_name || strchr(field_name, ' '));
    if (is_anonymous_record) /* its members are the outer one's */
        return write_parts(fields->writer, type, fields->expression, fields->name);
    if (!*field_name || type.kind == CXType_IncompleteArray)
        return true;
    const char *expression = arena_format(arena, "%s.%s", fields->expression, field_name);
    const char *name = arena_format(arena, "%s.%s", fields->name, field_name);
    if (!clang_Cursor_isBitField(field))
        return write_parts(fields->writer, type, expression, name);
    write_bit_field(fields->writer, type, expression, name);
    return true;
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    struct fields *fields = data;
    fields->good = write_field(fields, field);
    return fields->good ? CXVisit_Continue : CXVisit_Break;
}

struct largest {
    CXCursor member;
    long long size;
};

static enum CXVisitorResult visit_member(CXCursor member, CXClientData data)
{
    struct largest *largest = data;
    long long size = clang_Type_getSizeOf(clang_getCursorType(member));
    if (size > largest->size)
        *largest = (struct largest){member, size};
    return CXVisit_Continue;
}

/* The bytes of a union are those of its largest member, once no member holds pointers. */
static bool write_union(struct fields *fields, CXType type)
{
    size_t length = fields->writer->code->length;
    clang_Type_visitFields(type, visit_field, fields);
    if (!fields->good)
        return false;
    cut(fields->writer->code, length);
    struct largest largest = {clang_getNullCursor(), 0};
    clang_Type_visitFields(type, visit_member, &largest);
    return largest.size == 0 || write_field(fields, largest.member);
}

static bool write_record(struct writer *writer, CXType type, const char *expression, const char *name)
{
    struct fields fields = {writer, expression, name, true};
    CXCursor declaration = clang_getTypeDeclaration(type);
    if (clang_Type_getSizeOf(type) < 0)
        return false;
    if (clang_getCursorKind(declaration) == CXCursor_UnionDecl)
        return write_union(&fields, type);
    clang_Type_visitFields(type, visit_field, &fields);
    return fields.good;
}

static bool write_parts(struct writer *writer, CXType type, const char *expression, const char *name)
{
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Atomic)
        type = clang_getCanonicalType(clang_Type_getValueType(type));
    long long element = floating_element(innermost_element(type));
    if (element) {
        text_format(writer->code, "    __pn_output_floating(\"%s\", (const void *)&%s, sizeof %s, %lld);\n", name,
                    expression, expression, element);
        return true;
    }
    if (is_plain(innermost_element(type))) {
        text_format(writer->code, "    pn_output(\"%s\", (const void *)&%s, sizeof %s);\n", name, expression,
                    expression);
        return true;
    }
    switch (type.kind) {
    case CXType_LongDouble:
        text_format(writer->code, "    pn_output(\"%s\", (const void *)&%s, %d);\n", name, expression,
                    LONG_DOUBLE_BYTES);
        return true;
    case CXType_ConstantArray: return write_array(writer, type, expression, name);
    case CXType_Record: return write_record(writer, type, expression, name);
    default: return false;
    }
}

bool outputs_write(struct text *code, struct arena *arena, CXType type, const char *expression, const char *name)
{
    struct writer writer = {code, arena, 0};
    size_t length = code->length;
    if (write_parts(&writer, type, expression, name))
        return true;
    cut(code, length);
    return false;
}
