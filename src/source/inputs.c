/* Taking types apart. */
#include "source/inputs.h"

#include "source/elements.h"
#include "source/make.h"
#include "source/padding.h"
#include "source/pointer_tests.h"
#include "source/unread.h"
#include "trace/trace.h"

#include <string.h>

enum { LONGEST_NAME = sizeof((struct pn_input_region *)0)->name - 1 };

#define REMEDY "Give an entry of your own that takes other inputs and makes it from them"

/* ---- what cannot be made ---- */

bool make_refuse(struct maker *maker, const struct spot *spot, const char *why)
{
    const struct input_root *root = maker->root;
    const char *what = root->is_global ? "global" : "parameter";
    const char *type = source_type(maker->program->arena, spot->type);
    maker->refused = type;
    if (strcmp(spot->name, root->name) == 0)
        return error_set(maker->error, "%s: %s '%s' has type '%s', which cannot be an input%s%s. " REMEDY ".",
                         root->place, what, root->name, type, *why ? ": " : " yet", why);
    return error_set(maker->error,
                     "%s: %s '%s' cannot be an input: '%s' stands in the way, it has type '%s'%s%s. --zero=%s leaves "
                     "it zero. " REMEDY ".",
                     root->place, what, root->name, spot->name, type, *why ? ": " : "", why, spot->name);
}

bool make_is_opaque(struct maker *maker, const struct spot *spot, CXType type)
{
    static const char *const tags[] = {"_IO_FILE", "__va_list_tag", "__jmp_buf_tag", "__dirstream"};
    if (type.kind != CXType_Record)
        return false;
    const char *tag = source_name(maker->program->arena, clang_getTypeDeclaration(type));
    bool is_library = strncmp(tag, "pthread_", 8) == 0;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        is_library |= strcmp(tag, tags[i]) == 0;
    if (is_library)
        make_refuse(maker, spot, "only the C library can make one");
    else if (clang_Type_getSizeOf(type) < 0)
        make_refuse(maker, spot, "the files do not say what that is made of");
    else
        return false;
    return true;
}

/* ---- pieces ---- */

static bool is_too_big(const struct program *program, const struct input_parameter *piece)
{
    return piece->element_count > PN_INPUT_BYTES ||
           program->layout->size + piece->element_count * piece->element_size > PN_INPUT_BYTES;
}

bool make_piece(struct maker *maker, const struct spot *spot, struct input_parameter *piece)
{
    struct program *program = maker->program;
    const char *place = maker->root->place, *what = maker->root->is_global ? "global" : "parameter";
    piece->is_global = maker->root->is_global;
    piece->under = spot->under;
    if (strlen(piece->name) > LONGEST_NAME)
        return error_set(maker->error, "%s: the name '%s' is too long for an input; --zero=%s leaves it out", place,
                         piece->name, spot->name);
    if (is_too_big(program, piece))
        return error_set(maker->error, "%s: %s '%s' is too big: all inputs together may have %d bytes%s", place, what,
                         piece->name, PN_INPUT_BYTES, piece->is_pointer ? ", make it smaller with --size" : "");
    if (program->layout->count >= PN_INPUT_REGIONS)
        return error_set(maker->error,
                         "%s: %s '%s' has too many parts: all inputs together may have %d; --depth N follows fewer "
                         "pointers, --zero=NAME leaves something out",
                         place, what, maker->root->name, PN_INPUT_REGIONS);
    input_layout_add(program->layout, piece);
    return true;
}

void make_symbolic(struct maker *maker, const struct input_parameter *piece, const char *address)
{
    struct text *code = &maker->made->statements;
    if (!piece->element_count)
        return;
    text_format(code, "    pn_symbolic((void *)%s, %zu, \"%s\");\n", address,
                piece->element_size * piece->element_count, piece->name);
    text_format(&maker->made->record, "    __pn_record((const void *)%s, %zu, \"%s\");\n", address,
                piece->element_size * piece->element_count, piece->name);
    if (piece->kind != INPUT_BOOL)
        return;
    if (piece->is_array)
        text_format(code, "    { for (unsigned long __pn_index = 0; __pn_index < %zu; __pn_index++)\n    ",
                    piece->element_count); /* the block is the variable's, also in C90 */
    text_format(code, "    pn_assume(((unsigned char *)%s)[%s] <= 1);%s\n", address,
                piece->is_array ? "__pn_index" : "0", piece->is_array ? " }" : "");
}

bool make_alternative(struct maker *maker, const struct spot *spot, const char *name, const char *variable,
                      const struct input_constant constants[], size_t count)
{
    struct input_parameter piece = {.name = name,
                                    .type = "unsigned char",
                                    .kind = INPUT_UNSIGNED,
                                    .element_size = 1,
                                    .element_count = 1,
                                    .constants = constants,
                                    .constant_count = count};
    text_format(&maker->made->declarations, "static unsigned char %s;\n", variable);
    if (!make_piece(maker, spot, &piece))
        return false;
    make_symbolic(maker, &piece, arena_format(maker->program->arena, "&%s", variable));
    text_format(&maker->made->statements, "    pn_assume(%s < %zu);\n", variable, count);
    return true;
}

static bool make_numbers(struct maker *maker, const struct spot *spot)
{
    struct arena *arena = maker->program->arena;
    size_t count;
    CXType element = element_of_arrays(spot->type, &count);
    struct input_parameter piece = {.name = spot->name, .type = source_type(arena, spot->type), .element_count = count};
    if (!element_describe(arena, element, &piece))
        return make_refuse(maker, spot, "");
    piece.is_array = clang_getCanonicalType(spot->type).kind == CXType_ConstantArray;
    if (!make_piece(maker, spot, &piece))
        return false;
    make_symbolic(maker, &piece, arena_format(arena, "&%s", spot->expression));
    return true;
}

/* ---- structures ---- */

/* Only an assignment finds the bits. */
static bool make_bit_field(struct maker *maker, const struct spot *spot, CXCursor field)
{
    struct arena *arena = maker->program->arena;
    struct input_parameter piece = {.name = spot->name, .type = source_type(arena, spot->type), .element_count = 1};
    if (clang_isConstQualifiedType(clang_getCanonicalType(spot->type)))
        return make_refuse(maker, spot, "a const bit-field");
    if (!element_describe_bits(arena, field, &piece))
        return make_refuse(maker, spot, "");
    if (!make_piece(maker, spot, &piece))
        return false;
    text_format(&maker->made->statements, "    {\n    %s __pn_bits = 0;\n", element_type(&piece));
    text_format(&maker->made->record, "    {\n    %s __pn_bits = %s;\n", element_type(&piece), spot->expression);
    make_symbolic(maker, &piece, "&__pn_bits");
    text_format(&maker->made->statements, "    %s = __pn_bits;\n    }\n", spot->expression);
    text_add(&maker->made->record, "    }\n");
    return true;
}

bool make_stays_zero(struct maker *maker, const char *name)
{
    const struct program_request *request = maker->program->request;
    option_names_add(&maker->program->members, name);
    return names_want(request->zeros, request->zero_count, name);
}

struct make_mark make_mark_of(const struct maker *maker)
{
    const struct made_input *made = maker->made;
    return (struct make_mark){.pieces = maker->program->layout->count,
                              .declarations = made->declarations.length,
                              .statements = made->statements.length,
                              .record = made->record.length,
                              .outputs = made->outputs.length,
                              .left = made->left.length,
                              .ends = made->ends.length,
                              .notes = maker->program->notes.length,
                              .sizes = maker->program->sizes.length,
                              .never_null = maker->program->never_null.count,
                              .pointer_inputs = maker->program->pointer_input_count};
}

/* What was made since then goes. */
static void drop_since(struct maker *maker, const struct make_mark *from)
{
    struct made_input *made = maker->made;
    error_clear(maker->error);
    input_layout_truncate(maker->program->layout, from->pieces);
    text_truncate(&made->declarations, from->declarations);
    text_truncate(&made->statements, from->statements);
    text_truncate(&made->record, from->record);
    text_truncate(&made->outputs, from->outputs);
    text_truncate(&made->left, from->left);
    text_truncate(&made->ends, from->ends);
    text_truncate(&maker->program->notes, from->notes);
    text_truncate(&maker->program->sizes, from->sizes);
    maker->program->never_null.count = from->never_null;
    maker->program->pointer_input_count = from->pointer_inputs;
}

bool make_leave_out(struct maker *maker, const char *name, const struct make_mark *from)
{
    if (!maker->root->is_optional && !maker->refused)
        return false;
    drop_since(maker, from);
    if (maker->root->is_optional)
        text_format(&maker->program->notes, "%s keeps its initial value\n", name);
    else if (!maker->left_count++)
        maker->left = arena_format(maker->program->arena, "%s, of type '%s'", name, maker->refused);
    maker->refused = NULL;
    return true;
}

static bool is_spared(const struct maker *maker, const struct spot *spot)
{
    enum { MOST_BYTES = 64 /* of a name, say */ };
    CXType type = clang_getCanonicalType(spot->type);
    if (maker->sparing == ALL)
        return false;
    if (type.kind == CXType_Pointer)
        return maker->sparing == NUMBERS || spot->depth;
    return type.kind == CXType_IncompleteArray ||
           (type.kind == CXType_ConstantArray && clang_Type_getSizeOf(type) > MOST_BYTES);
}

static bool make_member(struct maker *maker, const struct spot *whole, CXCursor field)
{
    struct arena *arena = maker->program->arena;
    const char *name = source_name(arena, field);
    struct spot spot = *whole;
    spot.type = clang_getCursorType(field);
    CXType type = clang_getCanonicalType(spot.type);
    spot.is_anonymous = type.kind == CXType_Record && (!*name || strchr(name, ' '));
    if (spot.is_anonymous) /* its members are the outer one's */
        return make(maker, &spot);
    if (!*name)
        return true; /* a bit-field that is there for its width only */
    spot.expression = arena_format(arena, "%s.%s", whole->expression, name);
    spot.name = arena_format(arena, whole->through_pointer ? "%s->%s" : "%s.%s", whole->name, name);
    spot.place = pointer_place(arena, field);
    spot.through_pointer = false;
    if (make_stays_zero(maker, spot.name) || is_spared(maker, &spot))
        return true;
    struct make_mark mark = make_mark_of(maker);
    bool good;
    if (clang_Cursor_isBitField(field))
        good = make_bit_field(maker, &spot, field);
    else if (type.kind == CXType_IncompleteArray)
        good = !whole->through_pointer || make_flexible(maker, &spot);
    else
        good = make(maker, &spot);
    return good || make_leave_out(maker, spot.name, &mark);
}

struct members {
    struct maker *maker;
    const struct spot *spot;
    bool good;
};

static enum CXVisitorResult visit_member(CXCursor field, CXClientData data)
{
    struct members *members = data;
    members->good = make_member(members->maker, members->spot, field);
    return members->good ? CXVisit_Continue : CXVisit_Break;
}

struct largest {
    CXCursor member;
    long long size;
};

static enum CXVisitorResult visit_largest(CXCursor member, CXClientData data)
{
    struct largest *largest = data;
    long long size = clang_Type_getSizeOf(clang_getCursorType(member));
    if (size > largest->size)
        *largest = (struct largest){member, size};
    return CXVisit_Continue;
}

/* Numbers cover every value that the union's bytes can have; anything else may not, and that is said. */
static bool make_union(struct maker *maker, const struct spot *spot, CXType type)
{
    struct program *program = maker->program;
    struct largest largest = {clang_getNullCursor(), 0};
    clang_Type_visitFields(type, visit_largest, &largest);
    if (!largest.size)
        return true;
    if (!make_holds_numbers(maker, clang_getCursorType(largest.member)))
        text_format(&program->notes, "%s: of the union '%s', only '%s' is made, its largest member\n", spot->name,
                    source_type(program->arena, spot->type), source_name(program->arena, largest.member));
    return make_member(maker, spot, largest.member);
}

static bool make_record(struct maker *maker, const struct spot *spot, CXType type)
{
    if (make_is_opaque(maker, spot, type))
        return false;
    if (clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl)
        return make_union(maker, spot, type);
    struct members members = {maker, spot, true};
    if (!maker->program->request->sorts_members)
        clang_Type_visitFields(type, visit_member, &members);
    else
        source_visit_sorted_fields(maker->program->arena, type, visit_member, &members);
    return members.good && make_padding(maker, spot, type);
}

/* ---- all of them ---- */

bool make_holds_numbers(struct maker *maker, CXType type)
{
    struct input_parameter ignored = {.type = ""};
    size_t count;
    return element_describe(maker->program->arena, element_of_arrays(type, &count), &ignored);
}

const char *make_operand(struct maker *maker, const char *name)
{
    return name[0] == '*' ? arena_format(maker->program->arena, "(%s)", name) : name;
}

bool make_elements(struct maker *maker, const struct spot *spot, CXType element, size_t count)
{
    struct arena *arena = maker->program->arena;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        struct spot at = *spot;
        at.type = element;
        at.expression = arena_format(arena, "%s[%zu]", spot->expression, i);
        at.name = arena_format(arena, "%s[%zu]", make_operand(maker, spot->name), i);
        at.place = pointer_place_behind(arena, spot->place);
        at.through_pointer = at.is_anonymous = false;
        struct make_mark mark = make_mark_of(maker);
        good = make_stays_zero(maker, at.name) || make(maker, &at) || make_leave_out(maker, at.name, &mark);
    }
    return good;
}

bool make(struct maker *maker, const struct spot *spot)
{
    CXType type = clang_getCanonicalType(spot->type);
    switch (type.kind) {
    case CXType_Pointer: return make_pointer(maker, spot, clang_getPointeeType(type));
    case CXType_Record: return make_record(maker, spot, type);
    case CXType_ConstantArray:
        if (!make_holds_numbers(maker, type))
            return make_elements(maker, spot, clang_getArrayElementType(type), (size_t)clang_getArraySize(type));
        return make_numbers(maker, spot);
    default: return make_numbers(maker, spot);
    }
}

static void note_depth(const struct maker *maker)
{
    struct text *notes = &maker->program->notes;
    if (!maker->cut || maker->program->request->depth)
        return;
    text_add(notes, maker->cut);
    if (maker->cut_count > 1)
        text_format(notes, " and %zu more", maker->cut_count - 1);
    text_format(notes, ": NULL, behind %u other pointer%s (--depth N follows more)\n", maker->depth,
                maker->depth == 1 ? "" : "s");
}

static void note_left(const struct maker *maker)
{
    struct program *program = maker->program;
    if (!maker->left || parameter_is_unread(maker->root->declaration))
        return;
    program->has_parts_left_out = true;
    text_add(&program->notes, maker->left);
    if (maker->left_count > 1)
        text_format(&program->notes, " and %zu more", maker->left_count - 1);
    text_format(&program->notes, ": %s, since that cannot be an input\n",
                maker->root->is_global ? "as the program begins" : "zero");
}

/* More than anybody would look at, of one variable: tables and buffers that the program fills itself. */
enum { MOST_PIECES = 256, MOST_BYTES = 4096 };

static bool is_much(const struct input_layout *layout, const struct make_mark *from)
{
    return layout->count > from->pieces && (layout->count - from->pieces > MOST_PIECES ||
                                            layout->size - layout->parameters[from->pieces].offset > MOST_BYTES);
}

static bool make_root(struct maker *maker)
{
    const struct input_root *root = maker->root;
    struct spot spot = {.type = root->type,
                        .expression = root->expression,
                        .name = root->name,
                        .place = pointer_place(maker->program->arena, root->declaration)};
    CXType type = clang_getCanonicalType(root->type);
    bool is_unbounded = type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray;
    if (root->is_global || (type.kind != CXType_ConstantArray && !is_unbounded))
        return make(maker, &spot);
    spot.rows = is_unbounded ? 0 : (size_t)clang_getArraySize(type);
    return make_pointer(maker, &spot, clang_getArrayElementType(type));
}

/* A program that keeps all of its state in one structure has buffers and tables in it, too. */
static bool is_large_structure(const struct input_root *root)
{
    CXType type = clang_getCanonicalType(root->type);
    return root->is_optional && type.kind == CXType_Record && clang_Type_getSizeOf(type) > MOST_BYTES;
}

static void note_sparing(const struct maker *maker)
{
    static const char *const notes[] = {
        [WITHOUT_MUCH] = "its large arrays, and what lies behind two pointers, keep their initial values",
        [NUMBERS] = "its pointers and large arrays keep their initial values"};
    if (maker->sparing != ALL)
        text_format(&maker->program->notes, "%s: %s\n", maker->root->name, notes[maker->sparing]);
}

/* As far as pointers are followed from what has this name. */
static unsigned depth_of(const struct program *program, const char *name)
{
    const struct program *like = program->request->named_like;
    for (size_t i = 0; like && i < like->shallow_count; i++)
        if (!strcmp(like->shallow[i].name, name))
            return like->shallow[i].depth;
    return program->request->depth ? program->request->depth : DEFAULT_DEPTH;
}

static void note_shallow(const struct maker *maker)
{
    struct program *program = maker->program;
    program->shallow = array_reserve(program->shallow, &program->shallow_capacity, program->shallow_count + 1,
                                     sizeof *program->shallow);
    program->shallow[program->shallow_count++] = (struct shallow_root){maker->root->name, maker->depth};
}

/* So much of it as is not too much, where it may be left out. */
static bool make_enough(struct maker *maker, const struct make_mark *from)
{
    const struct input_root *root = maker->root;
    bool is_structure = clang_getCanonicalType(root->type).kind == CXType_Record, good = false, is_too_much = true;
    const struct maker fresh = *maker;
    for (enum sparing sparing = is_large_structure(root) ? WITHOUT_MUCH : ALL; sparing <= NUMBERS && is_too_much;
         sparing++) {
        drop_since(maker, from);
        *maker = fresh;
        maker->sparing = sparing;
        good = make_root(maker);
        is_too_much = root->is_optional && is_structure && (!good || is_much(maker->program->layout, from));
    }
    return good;
}

/* A structure that leads to others, as they lead to more: what builds, runs and solves grows with all of its parts. */
static bool has_many_parts(const struct maker *maker, const struct make_mark *from)
{
    enum { MANY_PARTS = 512 };
    return maker->program->layout->count - from->pieces > MANY_PARTS;
}

bool inputs_make(struct program *program, const struct input_root *root, struct made_input *made, struct error *error)
{
    const struct program_request *request = program->request;
    struct maker maker = {
        .program = program, .root = root, .made = made, .error = error, .depth = depth_of(program, root->name)};
    const struct make_mark mark = make_mark_of(&maker);
    if (make_stays_zero(&maker, root->name))
        return true;
    bool may_be_shallow = !root->is_optional && !request->depth && !request->named_like;
    bool good = make_enough(&maker, &mark);
    while (may_be_shallow && maker.depth > 1 && has_many_parts(&maker, &mark)) {
        maker =
            (struct maker){.program = program, .root = root, .made = made, .error = error, .depth = maker.depth - 1};
        good = make_enough(&maker, &mark);
    }
    if (may_be_shallow && maker.depth < DEFAULT_DEPTH)
        note_shallow(&maker);
    note_depth(&maker);
    note_left(&maker);
    note_sparing(&maker);
    if (!good && !root->is_optional)
        return false;
    if (!good || (root->is_optional && is_much(program->layout, &mark)))
        return make_leave_out(&maker, root->name, &mark);
    if (parameter_is_unread(root->declaration)) { /* any other choice would be as good */
        text_truncate(&program->notes, mark.notes);
        text_truncate(&program->sizes, mark.sizes);
    }
    return true;
}

bool inputs_make_number(struct program *program, const struct input_root *root, const struct input_parameter *number,
                        struct made_input *made, struct error *error)
{
    struct maker maker = {.program = program, .root = root, .made = made, .error = error};
    struct spot spot = {.type = root->type, .expression = root->expression, .name = root->name};
    struct input_parameter piece = *number;
    piece.name = root->name;
    if (make_stays_zero(&maker, root->name))
        return true;
    if (!make_piece(&maker, &spot, &piece))
        return false;
    make_symbolic(&maker, &piece, arena_format(program->arena, "&%s", root->expression));
    return true;
}

bool inputs_check_names(struct program *program, struct error *error)
{
    const struct program_request *request = program->request;
    return option_names_check(&program->pointers, "null", "pointer", request->nulls, request->null_count, error) &&
           option_names_check(&program->pointers, "no-null", "pointer", request->not_nulls, request->not_null_count,
                              error) &&
           option_names_check(&program->strings, "no-terminate", "string", request->unterminated,
                              request->unterminated_count, error) &&
           option_names_check(&program->members, "zero", "input", request->zeros, request->zero_count, error);
}
