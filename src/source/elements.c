#include "source/elements.h"

#include "source/source.h"

#include <stdlib.h>
#include <string.h>

static bool is_character(enum CXTypeKind kind)
{
    return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_Char_U || kind == CXType_UChar;
}

static bool is_signed_integer(enum CXTypeKind kind)
{
    return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_WChar ||
           (kind >= CXType_Short && kind <= CXType_LongLong);
}

static bool is_unsigned_integer(enum CXTypeKind kind)
{
    return kind >= CXType_Bool && kind <= CXType_ULongLong;
}

static void describe_constants(struct arena *arena, CXCursor enumeration, struct input_parameter *parameter)
{
    size_t count;
    const CXCursor *cursors = source_constants(arena, enumeration, &count);
    struct input_constant *constants = arena_allocate(arena, (count + 1) * sizeof *constants);
    for (size_t i = 0; i < count; i++)
        constants[i] = (struct input_constant){source_name(arena, cursors[i]),
                                               parameter->is_signed
                                                   ? (__int128)clang_getEnumConstantDeclValue(cursors[i])
                                                   : (__int128)clang_getEnumConstantDeclUnsignedValue(cursors[i])};
    parameter->constants = constants;
    parameter->constant_count = count;
}

bool element_describe(struct arena *arena, CXType type, struct input_parameter *parameter)
{
    CXCursor enumeration = clang_getNullCursor();
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_Atomic)
        type = clang_getCanonicalType(clang_Type_getValueType(type));
    if (type.kind == CXType_Enum) {
        enumeration = clang_getTypeDeclaration(type);
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(enumeration));
    }
    long long size = clang_Type_getSizeOf(type);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    bool is_floating = type.kind == CXType_Float || type.kind == CXType_Double;
    if (!is_signed_integer(type.kind) && !is_unsigned_integer(type.kind) && !is_floating)
        return false;
    parameter->element_size = (unsigned)size;
    parameter->is_signed = is_signed_integer(type.kind);
    parameter->kind = parameter->is_signed ? INPUT_SIGNED : INPUT_UNSIGNED;
    if (is_floating)
        parameter->kind = INPUT_FLOATING;
    else if (type.kind == CXType_Bool)
        parameter->kind = INPUT_BOOL;
    else if (is_character(type.kind) && !strstr(parameter->type, "int8_t"))
        parameter->kind = INPUT_CHARACTER;
    if (!clang_Cursor_isNull(enumeration))
        describe_constants(arena, enumeration, parameter);
    return true;
}

bool element_describe_bits(struct arena *arena, CXCursor field, struct input_parameter *parameter)
{
    if (!element_describe(arena, clang_getCursorType(field), parameter))
        return false;
    int bits = clang_getFieldDeclBitWidth(field);
    parameter->bits = (unsigned)bits;
    parameter->element_size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    if (parameter->kind == INPUT_CHARACTER)
        parameter->kind = parameter->is_signed ? INPUT_SIGNED : INPUT_UNSIGNED;
    return true;
}

CXType element_of_arrays(CXType type, size_t *count)
{
    *count = 1;
    for (type = clang_getCanonicalType(type); type.kind == CXType_ConstantArray;
         type = clang_getCanonicalType(clang_getArrayElementType(type)))
        *count *= (size_t)clang_getArraySize(type);
    return type;
}

bool element_is_text(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_Char_S || kind == CXType_Char_U;
}

const char *element_type(const struct input_parameter *parameter)
{
    static const char *const types[2][4] = {{"unsigned char", "unsigned short", "unsigned int", "unsigned long"},
                                            {"signed char", "short", "int", "long"}};
    if (parameter->kind == INPUT_BOOL)
        return "_Bool";
    unsigned size = parameter->element_size;
    if (parameter->kind == INPUT_FLOATING)
        return size == 4 ? "float" : "double";
    return types[parameter->is_signed][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}
