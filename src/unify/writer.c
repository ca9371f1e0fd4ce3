/* What every part of the writer needs: text with its place, the old meaning of names, declarations ahead. */
#include "unify/writer.h"

#include "source/source.h"

#include <ctype.h>
#include <string.h>

/* ---- pieces of text ---- */

void writer_begin_line(struct writer *writer)
{
    if (writer->out->length && writer->out->data[writer->out->length - 1] != '\n')
        text_add(writer->out, "\n");
}

void writer_add_place(struct writer *writer, const struct version *version, unsigned line)
{
    writer_begin_line(writer);
    if (!writer->layout->places)
        return;
    if (writer->place_end && writer->place_end == writer->out->length)
        writer->out->length = writer->place_begin;
    const char *file = version_origin(version, &line);
    writer->place_begin = writer->out->length;
    text_format(writer->out, "#line %u \"", line);
    for (const char *at = file; *at; at++)
        text_format(writer->out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    text_add(writer->out, "\"\n");
    writer->place_end = writer->out->length;
}

/* The text from `begin` to `end`; files in quotes are included by their own paths, from wherever the result is. */
void writer_add_text(struct writer *writer, const struct version *version, size_t begin, size_t end)
{
    for (size_t i = 0; i < version->inclusion_count; i++) {
        const struct inclusion *inclusion = &version->inclusions[i];
        bool is_found = version == writer->comparison->new && writer->layout->keep_inclusions;
        if (is_found || !inclusion->name_end || inclusion->name_begin < begin || inclusion->name_end > end)
            continue;
        text_append(writer->out, version->text.data + begin, inclusion->name_begin - begin);
        text_format(writer->out, "\"%s\"", inclusion->path);
        begin = inclusion->name_end;
    }
    text_append(writer->out, version->text.data + begin, end - begin);
}

/* Back to the new version's text at the offset. */
size_t writer_resume(struct writer *writer, size_t at)
{
    const struct version *new = writer->comparison->new;
    unsigned line = 1;
    for (size_t i = 0; i < at && writer->layout->places; i++)
        line += new->text.data[i] == '\n';
    if (at < new->text.length &&new->text.data[at] == '\n')
        at++, line++;
    writer_add_place(writer, new, line);
    return at;
}

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *body = data;
    if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
        *body = cursor;
    return CXChildVisit_Continue;
}

static size_t body_of(const struct piece *function)
{
    CXCursor body = clang_getNullCursor();
    size_t begin = function->end, end;
    clang_visitChildren(function->cursor, find_body, &body);
    if (!clang_Cursor_isNull(body))
        cursor_range(body, &begin, &end);
    return begin;
}

/* What stands before a function's body. */
const char *function_header(const struct version *version, const struct piece *function)
{
    size_t end = body_of(function);
    while (end > function->begin && isspace((unsigned char)version->text.data[end - 1]))
        end--;
    return arena_format(version->arena, "%.*s", (int)(end - function->begin), version->text.data + function->begin);
}

static bool is_declared(const struct writer *writer, const char *name)
{
    return words_have(&writer->declared, name);
}

void writer_declare(struct writer *writer, const char *name)
{
    if (*name && !is_declared(writer, name))
        words_add(&writer->declared, name);
}

/* ---- what the names in an old piece mean ---- */

/* The names that the tokens mention, and those that the old version's macros among them mention. */
void names_mentioned(const struct version *version, size_t first, size_t end, struct words *names)
{
    size_t before = names->count;
    for (size_t i = first; i < end; i++)
        if (token_is_name(version, i)) {
            const char *name = token_text(version, &version->tokens[i]);
            if (!words_have(names, name))
                words_add(names, name);
        }
    size_t after = names->count;
    for (size_t i = before; i < after; i++) {
        const struct macro *macro = version_macro(version, names->list[i]);
        if (macro)
            names_mentioned(version, macro->first_token + 1, macro->end_token, names);
    }
}

/* Whether the name must be given its old meaning; `definition` is that meaning, NULL where the old version has none. */
static bool old_meaning(const struct writer *writer, const char *name, const char **definition)
{
    const struct comparison *comparison = writer->comparison;
    const struct macro *old = version_macro(comparison->old, name), *new = version_macro(comparison->new, name);
    bool is_split = words_have(&comparison->split, name);
    *definition = is_split              ? arena_format(comparison->arena, "%s %s__old", name, name)
                  : old && old->differs ? old->definition
                                        : NULL;
    return *definition || (new && new->differs);
}

void writer_begin_old_meanings(struct writer *writer, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *definition;
        if (!old_meaning(writer, names->list[i], &definition))
            continue;
        writer_begin_line(writer);
        text_format(writer->out, "#pragma push_macro(\"%s\")\n#undef %s\n", names->list[i], names->list[i]);
        if (definition)
            text_format(writer->out, "#define %s\n", definition);
    }
}

void writer_end_old_meanings(struct writer *writer, const struct words *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *definition;
        if (!old_meaning(writer, names->list[i], &definition))
            continue;
        writer_begin_line(writer);
        text_format(writer->out, "#pragma pop_macro(\"%s\")\n", names->list[i]);
    }
}

/* ---- declarations ahead ---- */

/* The name that something of the old version has in the unified text. */
const char *writer_unified_name(const struct writer *writer, const char *name)
{
    bool is_split = words_have(&writer->comparison->split, name);
    return is_split ? arena_format(writer->comparison->arena, "%s__old", name) : name;
}

void writer_declare_function(struct writer *writer, const struct version *version, const struct piece *function)
{
    const char *name =
        version == writer->comparison->old ? writer_unified_name(writer, function->name) : function->name;
    if (is_declared(writer, name))
        return;
    writer_add_place(writer, version, function->line);
    CXType type = clang_getCursorType(function->cursor);
    const char *result = source_type(version->arena, clang_getResultType(type));
    if (strchr(function_header(version, function), ';') &&
        !strchr(result, '(')) /* its parameters' types come behind its head */
        text_format(writer->out, "%s%s %s();\n",
                    clang_Cursor_getStorageClass(function->cursor) == CX_SC_Static ? "static " : "", result,
                    function->name);
    else
        text_format(writer->out, "%s;\n", function_header(version, function));
    writer_declare(writer, name);
}

/* A tentative definition, where the variable's own comes later. */
static void declare_variable(struct writer *writer, const struct piece *variable)
{
    const struct version *old = writer->comparison->old;
    size_t end = variable->end - 1, begin, initialiser_end;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(variable->cursor);
    if (is_declared(writer, writer_unified_name(writer, variable->name)) || variable->name_count > 1)
        return;
    if (!clang_Cursor_isNull(initialiser)) {
        cursor_range(initialiser, &begin, &initialiser_end);
        for (end = begin; end > variable->begin && old->text.data[end - 1] != '=';)
            end--;
        end -= end > variable->begin;
    }
    writer_add_place(writer, old, variable->line);
    text_format(writer->out, "%.*s;\n", (int)(end - variable->begin), old->text.data + variable->begin);
    writer_declare(writer, writer_unified_name(writer, variable->name));
}

bool function_calls_itself(const struct version *version, const struct piece *function)
{
    size_t count = 0;
    for (size_t i = function->first_token; i < function->end_token; i++)
        count += token_is_name(version, i) && token_is(version, &version->tokens[i], function->name);
    return count > 1;
}

/* What an old piece mentions and the new version's order has only later. */
void writer_declare_ahead(struct writer *writer, const struct piece *piece, const struct words *names)
{
    const struct version *old = writer->comparison->old;
    for (size_t i = 0; i < names->count; i++) {
        const struct piece *used = version_definition(old, names->list[i]);
        if (!used || (used == piece && (piece->treatment != WRAPPED || !function_calls_itself(old, piece))))
            continue;
        if (used->kind == PIECE_FUNCTION)
            writer_declare_function(writer, old, used);
        else if (used->kind == PIECE_VARIABLE && used < piece)
            declare_variable(writer, used);
    }
}
