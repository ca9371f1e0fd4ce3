#include "unify/hoist.h"

#include "source/source.h"
#include "unify/treat.h"

#include <stdlib.h>
#include <string.h>

/* One variable of a declaration inside a function. */
struct variable {
    const char *name, *type; /* the type as it is compared: canonical, without const */
    const char *declaration; /* `int x`, for the top of the function; NULL when it must stay where it is */
    size_t depth;            /* of blocks around it */
    size_t statement;        /* number of the declaration */
    size_t begin, end;       /* of its initial value; end is 0 when it has none */
    size_t at, scope_end;    /* from where to where its name means it */
};

struct statement {
    size_t begin, end;
    bool is_in_head; /* of a loop */
    bool is_hoisted;
};

/* A function's declarations, of one version. */
struct function {
    const struct version *version;
    const struct piece *piece;
    size_t body; /* offset behind the opening brace */
    struct variable *variables;
    size_t count, capacity;
    struct statement *statements;
    size_t statement_count, statement_capacity;
};

/* ---- reading ---- */

struct reader {
    struct function *function;
    size_t depth, scope_end;
    bool is_head;
};

static const struct token *token_behind(const struct version *version, size_t offset)
{
    size_t token = version_token_at(version, offset);
    return token < version->token_count ? &version->tokens[token] : NULL;
}

static bool has_directive(const struct version *version, size_t begin, size_t end)
{
    for (size_t i = version_token_at(version, begin); i < version->token_count && version->tokens[i].begin < end; i++)
        if (version->tokens[i].is_directive || version->tokens[i].is_skipped)
            return true;
    return false;
}

static bool is_declared_in(const struct function *function, CXType type)
{
    while (type.kind == CXType_Pointer || type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
        type = type.kind == CXType_Pointer ? clang_getPointeeType(type) : clang_getArrayElementType(type);
    CXCursor declaration = clang_getTypeDeclaration(type);
    if (clang_getCursorKind(declaration) == CXCursor_NoDeclFound)
        return false;
    unsigned offset;
    clang_getFileLocation(clang_getCursorLocation(declaration), NULL, NULL, NULL, &offset);
    return clang_Location_isFromMainFile(clang_getCursorLocation(declaration)) && offset >= function->piece->begin &&
           offset < function->piece->end;
}

static enum CXChildVisitResult find_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(bool *)data |= clang_isAttribute(clang_getCursorKind(cursor)) != 0;
    return CXChildVisit_Continue;
}

/* A plain variable that could as well be declared elsewhere, and assigned to. */
static const char *declaration_elsewhere(const struct function *function, CXCursor cursor, CXCursor initialiser,
                                         const char *name)
{
    struct arena *arena = function->version->arena;
    CXType type = clang_getCursorType(cursor), canonical = clang_getCanonicalType(type);
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
    bool has_attribute = false, has_value = !clang_Cursor_isNull(initialiser);
    clang_visitChildren(cursor, find_attribute, &has_attribute);
    bool is_list = has_value && clang_getCursorKind(initialiser) == CXCursor_InitListExpr;
    bool is_array = canonical.kind == CXType_ConstantArray;
    if ((storage != CX_SC_None && storage != CX_SC_Auto && storage != CX_SC_Register) || has_attribute || is_list ||
        canonical.kind == CXType_VariableArray || canonical.kind == CXType_IncompleteArray || (is_array && has_value) ||
        clang_isVolatileQualifiedType(type) || is_declared_in(function, type))
        return NULL;
    return declaration_text(arena, has_value ? clang_getUnqualifiedType(type) : type, name);
}

static void add_variable(const struct reader *reader, CXCursor cursor)
{
    struct function *function = reader->function;
    struct arena *arena = function->version->arena;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    struct variable variable = {.name = source_name(arena, cursor),
                                .type = type_without_const(arena, clang_getCursorType(cursor)),
                                .depth = reader->depth,
                                .statement = function->statement_count - 1,
                                .scope_end = reader->scope_end};
    unsigned at;
    clang_getFileLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL, &at);
    variable.at = at;
    const struct token *token = token_behind(function->version, at);
    if (!clang_Cursor_isNull(initialiser))
        cursor_range(initialiser, &variable.begin, &variable.end);
    const struct statement *statement = &function->statements[variable.statement];
    bool is_written = token && token->begin == at && token_is(function->version, token, variable.name) &&
                      (!variable.end || (variable.begin > at && variable.end < statement->end));
    if (is_written)
        variable.declaration = declaration_elsewhere(function, cursor, initialiser, variable.name);
    function->variables =
        array_reserve(function->variables, &function->capacity, function->count + 1, sizeof *function->variables);
    function->variables[function->count++] = variable;
}

/* Something else than variables is declared, a type for instance: it stays. */
static void add_other(const struct reader *reader)
{
    struct function *function = reader->function;
    function->variables =
        array_reserve(function->variables, &function->capacity, function->count + 1, sizeof *function->variables);
    function->variables[function->count++] =
        (struct variable){.name = "", .type = "", .statement = function->statement_count - 1};
}

static enum CXChildVisitResult read_declared(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        add_variable(data, cursor);
    else
        add_other(data);
    return CXChildVisit_Continue;
}

static void add_statement(const struct reader *reader, CXCursor cursor)
{
    struct function *function = reader->function;
    struct statement statement = {.is_in_head = reader->is_head};
    cursor_range(cursor, &statement.begin, &statement.end);
    function->statements = array_reserve(function->statements, &function->statement_capacity,
                                         function->statement_count + 1, sizeof *function->statements);
    function->statements[function->statement_count++] = statement;
    size_t before = function->count;
    clang_visitChildren(cursor, read_declared, (CXClientData)reader);
    const char *text = function->version->text.data;
    bool is_whole = statement.end > statement.begin && text[statement.end - 1] == ';' &&
                    !has_directive(function->version, statement.begin, statement.end);
    for (size_t i = before; i < function->count && !is_whole; i++)
        function->variables[i].declaration = NULL;
}

static enum CXChildVisitResult read_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct reader reader = *(struct reader *)data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    reader.is_head = clang_getCursorKind(parent) == CXCursor_ForStmt;
    if (kind == CXCursor_DeclStmt) {
        add_statement(&reader, cursor);
        return CXChildVisit_Continue;
    }
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_ForStmt) {
        size_t begin;
        cursor_range(cursor, &begin, &reader.scope_end);
        reader.depth++;
        if (!reader.function->body)
            reader.function->body = begin + 1;
    }
    clang_visitChildren(cursor, read_part, &reader);
    return CXChildVisit_Continue;
}

static void read_function(struct function *function, const struct version *version, const struct piece *piece)
{
    *function = (struct function){.version = version, .piece = piece};
    struct reader reader = {.function = function};
    clang_visitChildren(piece->cursor, read_part, &reader);
}

static void free_function(struct function *function)
{
    free(function->variables), free(function->statements);
}

/* ---- what moved ---- */

static const struct variable *next_named(const struct function *function, const char *name, size_t *at)
{
    for (; *at < function->count; ++*at)
        if (!strcmp(function->variables[*at].name, name))
            return &function->variables[(*at)++];
    return NULL;
}

static bool has_name(const struct function *function, const char *name)
{
    size_t at = 0;
    return next_named(function, name, &at) != NULL;
}

/* Every declaration of the name has this type; otherwise NULL. */
static const char *only_type(const struct function *function, const char *name)
{
    const char *type = NULL;
    size_t at = 0;
    for (const struct variable *found; (found = next_named(function, name, &at)); type = found->type)
        if (type && strcmp(found->type, type))
            return NULL;
    return type;
}

/* Both versions have it, with one type. */
static bool is_common(const struct function *old, const struct function *new, const char *name)
{
    const char *one = only_type(old, name), *other = only_type(new, name);
    return *name && one && other && !strcmp(one, other);
}

/* Whether something in the declaration has an initial value; `names` counts what both versions have of it. */
static bool has_values(const struct function *function, size_t statement, const struct function *other, size_t *names)
{
    bool found = false;
    *names = 0;
    for (size_t i = 0; i < function->count; i++)
        if (function->variables[i].statement == statement) {
            found |= function->variables[i].end > 0;
            *names += is_common(function, other, function->variables[i].name);
        }
    return found;
}

static bool is_same_place(const struct function *old, const struct variable *one, const struct function *new,
                          const struct variable *other)
{
    size_t before, after;
    bool values = has_values(old, one->statement, new, &before);
    values |= has_values(new, other->statement, old, &after);
    return one->depth == other->depth &&
           old->statements[one->statement].is_in_head == new->statements[other->statement].is_in_head &&
           (!values || before == after);
}

static bool has_moved(const struct function *old, const struct function *new, const char *name)
{
    if (!is_common(old, new, name))
        return false;
    size_t i = 0, k = 0;
    for (;;) {
        const struct variable *before = next_named(old, name, &i), *after = next_named(new, name, &k);
        if (!before || !after)
            return before != after;
        if (!is_same_place(old, before, new, after))
            return true;
    }
}

/* ---- whether it can be declared at the top ---- */

static bool is_parameter(const struct function *function, const char *name)
{
    for (int i = 0; i < clang_Cursor_getNumArguments(function->piece->cursor); i++)
        if (!strcmp(
                source_name(function->version->arena, clang_Cursor_getArgument(function->piece->cursor, (unsigned)i)),
                name))
            return true;
    return false;
}

/* Whether the token lies where a variable of that name is known. */
static bool is_in_scope(const struct function *function, const char *name, size_t offset)
{
    size_t at = 0, found = 0;
    for (const struct variable *variable; (variable = next_named(function, name, &at));)
        found += offset >= variable->at && offset < variable->scope_end;
    return found == 1; /* in two of them, one hides the other */
}

/* Wherever the function says the name, it means one of these variables, and no two of them live at the same time. */
static bool is_known_everywhere(const struct function *function, const char *name)
{
    const struct version *version = function->version;
    for (size_t i = function->piece->first_token; i < function->piece->end_token; i++)
        if (token_counts(&version->tokens[i]) && token_is_name(version, i) &&
            token_is(version, &version->tokens[i], name) && !is_in_scope(function, name, version->tokens[i].begin))
            return false;
    return true;
}

static bool can_be_hoisted(const struct function *function, const char *name)
{
    size_t at = 0;
    if (is_parameter(function, name) || !only_type(function, name) || !is_known_everywhere(function, name))
        return false;
    for (const struct variable *variable; (variable = next_named(function, name, &at));)
        if (!variable->declaration)
            return false;
    return true;
}

/* ---- deciding ---- */

/* All variables of a declaration go together. Adds those that others take with them; false when one of them cannot go.
 */
static bool take_neighbours(const struct function *function, const char *name, struct words *names)
{
    size_t at = 0;
    for (const struct variable *variable; (variable = next_named(function, name, &at));)
        for (size_t i = 0; i < function->count; i++) {
            const struct variable *neighbour = &function->variables[i];
            if (neighbour->statement != variable->statement)
                continue;
            if (!*neighbour->name)
                return false;
            treat_add_name(names, neighbour->name);
        }
    return true;
}

/* The name and all that must go with it, in both versions. */
static bool take_name(const struct function *functions, const char *name, struct words *hoisted)
{
    struct words names = {0};
    bool good = true;
    words_add(&names, name);
    for (size_t i = 0; i < names.count && good; i++)
        for (size_t v = 0; v < 2 && good; v++)
            good = !has_name(&functions[v], names.list[i]) ? !is_parameter(&functions[v], names.list[i])
                                                           : can_be_hoisted(&functions[v], names.list[i]) &&
                                                                 take_neighbours(&functions[v], names.list[i], &names);
    for (size_t i = 0; i < names.count && good; i++)
        treat_add_name(hoisted, names.list[i]);
    words_free(&names);
    return good;
}

/* Names to be declared at the top, in the new version's order. */
static void decide(const struct function *functions, struct words *hoisted)
{
    for (size_t i = 0; i < functions[1].count; i++) {
        const char *name = functions[1].variables[i].name;
        if (!words_have(hoisted, name) && has_moved(&functions[0], &functions[1], name))
            take_name(functions, name, hoisted);
    }
}

/* ---- rewriting ---- */

static void add_declarations(const struct function *function, const struct words *hoisted, struct text *out)
{
    for (size_t i = 0; i < hoisted->count; i++) {
        size_t at = 0;
        const struct variable *variable = next_named(function, hoisted->list[i], &at);
        if (variable)
            text_format(out, " %s;", variable->declaration);
    }
}

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

/* A label must have a statement behind it. */
static bool is_behind_label(const struct version *version, size_t offset)
{
    size_t token = version_token_at(version, offset);
    while (token > 0 && !token_counts(&version->tokens[token - 1]))
        token--;
    return token > 0 && token_is(version, &version->tokens[token - 1], ":");
}

/* Assignments instead of the declaration, in as many lines. */
static void add_assignments(const struct function *function, size_t number, struct text *out)
{
    const struct statement *statement = &function->statements[number];
    const char *data = function->version->text.data;
    size_t before = out->length, assignments = 0;
    for (size_t i = 0; i < function->count; i++) {
        const struct variable *variable = &function->variables[i];
        if (variable->statement != number || !variable->end)
            continue;
        text_format(out, "%s%s = %.*s",
                    !assignments            ? ""
                    : statement->is_in_head ? ", "
                                            : "; ",
                    variable->name, (int)(variable->end - variable->begin), data + variable->begin);
        assignments++;
    }
    if (assignments || statement->is_in_head || is_behind_label(function->version, statement->begin))
        text_add(out, ";");
    size_t lines = count_lines(data + statement->begin, statement->end - statement->begin);
    for (size_t i = out->length > before ? count_lines(out->data + before, out->length - before) : 0; i < lines; i++)
        text_add(out, "\n");
}

static bool is_hoisted(const struct function *function, size_t statement, const struct words *hoisted)
{
    for (size_t i = 0; i < function->count; i++)
        if (function->variables[i].statement == statement)
            return words_have(hoisted, function->variables[i].name);
    return false;
}

/* From `at`, up to the end of the function; returns where that is. */
static size_t rewrite(const struct function *function, const struct words *hoisted, size_t at, struct text *out)
{
    const char *data = function->version->text.data;
    text_append(out, data + at, function->body - at);
    add_declarations(function, hoisted, out);
    at = function->body;
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct statement *statement = &function->statements[i];
        if (!is_hoisted(function, i, hoisted) || statement->begin < at)
            continue;
        text_append(out, data + at, statement->begin - at);
        add_assignments(function, i, out);
        at = statement->end;
    }
    text_append(out, data + at, function->piece->end - at);
    return function->piece->end;
}

/* ---- both versions ---- */

struct edit {
    struct function function;
    struct words hoisted;
};

static void write_version(const struct version *version, const struct edit *edits, size_t count, bool is_old,
                          struct text *out)
{
    size_t at = 0;
    for (size_t i = 0; i < version->piece_count; i++)
        for (size_t k = 0; k < count; k++)
            if (edits[2 * k + !is_old].function.piece == &version->pieces[i])
                at = rewrite(&edits[2 * k + !is_old].function, &edits[2 * k].hoisted, at, out);
    text_append(out, version->text.data + at, version->text.length - at);
}

static bool is_candidate(const struct piece *old, const struct piece *new)
{
    return old && new->kind == PIECE_FUNCTION &&strcmp(old->tokens, new->tokens);
}

void hoist_declarations(const struct version *old, const struct version *new, struct text texts[2], struct words *names)
{
    struct edit *edits = calloc(2 * (new->piece_count + 1), sizeof *edits);
    size_t count = 0;
    for (size_t i = 0; i < new->piece_count; i++) {
        const struct piece *piece = &new->pieces[i], *before = version_piece(old, PIECE_FUNCTION, piece->name, 0);
        if (!is_candidate(before, piece))
            continue;
        struct function functions[2];
        struct words hoisted = {0};
        read_function(&functions[0], old, before);
        read_function(&functions[1], new, piece);
        decide(functions, &hoisted);
        if (hoisted.count) {
            words_add(names, piece->name);
            edits[2 * count] = (struct edit){functions[0], hoisted};
            edits[2 * count++ + 1].function = functions[1];
        } else {
            free_function(&functions[0]), free_function(&functions[1]);
        }
    }
    if (count) {
        write_version(old, edits, count, true, &texts[0]);
        write_version(new, edits, count, false, &texts[1]);
    }
    for (size_t i = 0; i < 2 * count; i++) {
        free_function(&edits[i].function);
        words_free(&edits[i].hoisted);
    }
    free(edits);
}
