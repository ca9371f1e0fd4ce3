#include "source/statics.h"

#include "source/globals.h"
#include "source/inputs.h"

#include <stdlib.h>
#include <string.h>

/* A static variable in a function. */
struct found {
    const char *name; /* `count in next()`, the same of both versions' own */
    const char *symbol;
    size_t file;
    CXCursor cursor;
    bool is_old, is_new; /* one version's own, by what unify has called it */
};

struct search {
    struct program *program;
    CXCursor function;
    size_t file;
    struct found *list;
    size_t count, capacity;
};

/* ---- finding them ---- */

/* The name without the ending that unify gives to one version's own. */
static const char *without_ending(struct arena *arena, const char *name, const char *ending, bool *has_it)
{
    size_t length = strlen(name), end = strlen(ending);
    if (length <= end || strcmp(name + length - end, ending) != 0)
        return name;
    *has_it = true;
    return arena_format(arena, "%.*s", (int)(length - end), name);
}

static void add_found(struct search *search, CXCursor cursor)
{
    struct arena *arena = search->program->arena;
    const char *function = source_name(arena, search->function), *variable = source_name(arena, cursor);
    struct found found = {.file = search->file, .cursor = cursor};
    found.symbol = arena_format(arena, "%s.%s", function, variable);
    function = without_ending(arena, function, "__old", &found.is_old);
    function = without_ending(arena, function, "__new", &found.is_new);
    variable = without_ending(arena, variable, "__old", &found.is_old);
    found.name = arena_format(arena, "%s in %s()", variable, function);
    search->list = array_reserve(search->list, &search->capacity, search->count + 1, sizeof *search->list);
    search->list[search->count++] = found;
}

static enum CXChildVisitResult visit_local(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) == CX_SC_Static)
        add_found(search, cursor);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *search = data;
    search->function = cursor;
    if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) &&
        !source_is_in_system_header(cursor))
        clang_visitChildren(cursor, visit_local, search);
    return CXChildVisit_Continue;
}

/* ---- which of them can be inputs ---- */

static bool is_in_function(CXCursor declaration)
{
    enum CXCursorKind kind = clang_getCursorKind(clang_getCursorSemanticParent(declaration));
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CompoundStmt;
}

/* Whether a declaration at file scope can name the type. */
static bool can_be_named(CXType type)
{
    while (type.kind == CXType_ConstantArray || type.kind == CXType_Pointer) {
        bool is_array = type.kind == CXType_ConstantArray;
        type = is_array ? clang_getArrayElementType(type) : clang_getPointeeType(type);
    }
    CXCursor declared = clang_getTypeDeclaration(type);
    CXCursor canonical = clang_getTypeDeclaration(clang_getCanonicalType(type));
    return !is_in_function(declared) && !is_in_function(canonical) &&
           (!clang_Cursor_isAnonymous(canonical) || !clang_equalCursors(declared, canonical));
}

static bool is_fit(const struct search *search, const struct found *found)
{
    CXType type = clang_getCursorType(found->cursor);
    const char *function =
        source_name(search->program->arena, clang_getCursorSemanticParent(found->cursor)); /* main has another symbol */
    return clang_getCursorTLSKind(found->cursor) == CXTLS_None && clang_Type_getSizeOf(type) > 0 &&
           !globals_is_constant(type) && can_be_named(type) && strcmp(function, "main") != 0;
}

static bool is_left_out(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->request->uncompared_count; i++)
        if (!strcmp(program->request->uncompared[i], name))
            return true;
    return false;
}

bool program_has_static(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->static_count; i++)
        if (!strcmp(program->statics[i].name, name))
            return true;
    return false;
}

/* Whether something may have changed it before the call; of a version's own program, whether the other one has it. */
static bool is_state(const struct program *program, const struct found *found)
{
    const struct program *other = program->request->named_like;
    if (other)
        return program_has_static(other, found->name);
    return !is_left_out(program, found->name) &&
           words_have(&program->state, source_string(program->arena, clang_getCursorUSR(found->cursor)));
}

/* The old version's own; NULL: both have the same one. False where it is not known which is which: several have the
 * name, or one version has none. */
static bool find_partner(const struct search *search, const struct found *found, const struct found **partner)
{
    bool is_alone = true;
    *partner = NULL;
    for (size_t i = 0; i < search->count; i++) {
        const struct found *other = &search->list[i];
        if (other == found || strcmp(other->name, found->name) != 0)
            continue;
        is_alone &= other->is_old && !*partner;
        *partner = other;
    }
    if (!*partner)
        return search->program->request->named_like || !found->is_new;
    return is_alone && is_fit(search, *partner) && (*partner)->file == found->file &&
           clang_equalTypes(clang_getCanonicalType(clang_getCursorType(found->cursor)),
                            clang_getCanonicalType(clang_getCursorType((*partner)->cursor)));
}

/* ---- making them ---- */

static const char *place_of(const struct program *program, const struct found *found)
{
    return arena_format(program->arena, "__pn_find_static(\"%s\")", found->symbol);
}

static bool make_input(struct program *program, const struct found *found, const struct found *partner,
                       struct error *error)
{
    struct program_static *made = &program->statics[program->static_count];
    *made = (struct program_static){.name = found->name, .file = found->file};
    struct input_root root = {
        .type = clang_getCursorType(found->cursor),
        .name = found->name,
        .expression =
            arena_format(program->arena, "(*(__typeof__(%s) *)%s)",
                         source_type(program->arena, clang_getCursorType(found->cursor)), place_of(program, found)),
        .place = source_place(program->arena, found->cursor),
        .is_global = true,
        .file = found->file,
        .declaration = found->cursor,
        .is_optional = true,
    };
    size_t before = program->layout->count;
    bool good = inputs_make(program, &root, &made->made, error);
    if (good && partner && program->layout->count > before)
        text_format(&made->made.statements, "    __builtin_memcpy(%s, %s, %lld);\n", place_of(program, partner),
                    place_of(program, found), clang_Type_getSizeOf(root.type));
    program->static_count++;
    return good;
}

static bool make_inputs(struct search *search, struct error *error)
{
    struct program *program = search->program;
    bool good = true;
    program->statics = arena_allocate(program->arena, (search->count + 1) * sizeof *program->statics);
    for (size_t i = 0; i < search->count && good; i++) {
        const struct found *found = &search->list[i], *partner;
        bool is_old = found->is_old && !program->request->named_like;
        if (!is_old && is_state(program, found) && is_fit(search, found) && find_partner(search, found, &partner))
            good = make_input(program, found, partner, error);
    }
    return good;
}

static void make_errno(struct program *program)
{
    const struct program *other = program->request->named_like;
    program->errno_is_input = other ? other->errno_is_input : program->uses_errno;
    if (program->errno_is_input)
        input_layout_add(program->layout, &(struct input_parameter){.name = "errno",
                                                                    .type = "int",
                                                                    .kind = INPUT_SIGNED,
                                                                    .is_signed = true,
                                                                    .is_global = true,
                                                                    .element_size = sizeof(int),
                                                                    .element_count = 1});
}

void statics_add_errno(const struct program *program, struct text *code)
{
    if (program->errno_is_input)
        text_format(code, "    pn_symbolic(__errno_location(), %zu, \"errno\");\n", sizeof(int));
}

bool statics_read(struct program *program, const struct sources *sources, struct error *error)
{
    struct search search = {.program = program};
    if (!program->request->all_globals || program->main_type)
        return true;
    for (search.file = 0; search.file < sources->count; search.file++)
        clang_visitChildren(clang_getTranslationUnitCursor(sources->units[search.file]), visit_function, &search);
    bool good = make_inputs(&search, error);
    free(search.list);
    if (good)
        make_errno(program);
    return good;
}
