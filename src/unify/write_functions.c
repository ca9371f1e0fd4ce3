/* Changed functions: copies of both versions behind a wrapper, or what stands before one definition with both in it. */
#include "unify/writer.h"

#include "source/source.h"

#include <string.h>

/* ---- a changed function ---- */

/* The definition under another name, known in this file only. */
void writer_add_copy(struct writer *writer, const struct version *version, const struct piece *piece,
                     const char *suffix)
{
    unsigned name;
    clang_getFileLocation(clang_getCursorLocation(piece->cursor), NULL, NULL, NULL, &name);
    writer_add_place(writer, version, piece->line);
    bool is_seen = piece->treatment == SPLIT; /* other files may call it, too */
    if (clang_Cursor_getStorageClass(piece->cursor) != CX_SC_Static && !is_seen)
        text_add(writer->out, "static ");
    size_t at = piece->begin;
    for (size_t i = piece->first_token; version->tokens[i].begin < name; i++) {
        if (is_seen || !token_is(version, &version->tokens[i], "extern"))
            continue;
        writer_add_text(writer, version, at, version->tokens[i].begin);
        at = version->tokens[i].end;
    }
    writer_add_text(writer, version, at, name);
    text_format(writer->out, "%s%s", piece->name, suffix);
    writer_add_text(writer, version, name + strlen(piece->name), piece->end);
    writer_begin_line(writer);
}

static void add_arguments(struct writer *writer, const struct piece *function)
{
    for (int i = 0; i < clang_Cursor_getNumArguments(function->cursor); i++)
        text_format(writer->out, "%s%s", i ? ", " : "",
                    source_name(writer->comparison->arena, clang_Cursor_getArgument(function->cursor, (unsigned)i)));
}

static void add_copy_call(struct writer *writer, const struct piece *function, const char *suffix)
{
    text_format(writer->out, "%s%s(", function->name, suffix);
    add_arguments(writer, function);
    text_add(writer->out, ")");
}

/* In one line, so that the call's place is the function's. */
void writer_add_wrapper(struct writer *writer, const struct version *version, const struct piece *function)
{
    bool is_void = clang_getCanonicalType(clang_getCursorResultType(function->cursor)).kind == CXType_Void;
    writer_add_place(writer, version, function->line);
    text_format(writer->out, "%s { %s", function_header(version, function),
                is_void ? "if (pn_execute(PN_OLD)) " : "return pn_change(");
    add_copy_call(writer, function, "__old");
    text_add(writer->out, is_void ? "; else " : ", ");
    add_copy_call(writer, function, "__new");
    text_add(writer->out, is_void ? "; }\n" : "); }\n");
}

/* ---- a function with both versions in it ---- */

/* What the old version's name is called in a merged function; NULL: what it is called anywhere. */
static const char *find_renamed(const char *const *renamed, const char *name)
{
    for (size_t i = 0; renamed[i]; i += 2)
        if (!strcmp(renamed[i], name))
            return renamed[i + 1];
    return NULL;
}

/* What an old word of a macro is called in a merged function. */
static const char *old_word(const struct comparison *comparison, const char *const *renamed, size_t token)
{
    const struct version *old = comparison->old;
    const char *text = token_text(old, &old->tokens[token]);
    if (!token_is_name(old, token))
        return text;
    const char *other = find_renamed(renamed, text);
    if (other)
        return other;
    return words_have(&comparison->differing, text) ? arena_format(comparison->arena, "%s__old", text) : text;
}

static const char *old_definition(const struct comparison *comparison, const struct macro *macro,
                                  const char *const *renamed)
{
    const struct version *old = comparison->old;
    struct text text = {0};
    for (size_t i = macro->first_token; i < macro->end_token; i++) {
        const struct token *token = &old->tokens[i];
        if (i > macro->first_token)
            text_append(&text, old->text.data + token[-1].end, token->begin - token[-1].end);
        text_add(&text, old_word(comparison, renamed, i));
    }
    const char *result = arena_copy_string(comparison->arena, text_string(&text));
    text_free(&text);
    return result;
}

/* Whether the text so far defines the macro like this; what it defines otherwise is forgotten. */
static bool is_defined_so(struct writer *writer, const char *name, const char *definition)
{
    for (size_t i = writer->old_macros.count; i-- > 0;) {
        if (strcmp(writer->old_macros.list[i], name))
            continue;
        if (!strcmp(writer->old_definitions.list[i], definition))
            return true;
        writer_begin_line(writer);
        text_format(writer->out, "#undef %s__old\n", name);
        return false;
    }
    return false;
}

/* What the old version has of a macro, as NAME__old; the names in it that differ are old ones, too, and variables of
 * the function have the names that they have there. */
static void define_old_macro(struct writer *writer, const char *name, const char *const *renamed, struct words *seen)
{
    const struct comparison *comparison = writer->comparison;
    const struct version *old = comparison->old;
    const struct macro *macro = version_macro(old, name);
    bool is_another = words_have(&comparison->differing, name) || find_renamed(renamed, name);
    if (!macro || !is_another || words_have(seen, name))
        return;
    words_add(seen, name);
    for (size_t i = macro->first_token + 1; i < macro->end_token; i++)
        if (token_is_name(old, i))
            define_old_macro(writer, token_text(old, &old->tokens[i]), renamed, seen);
    const char *definition = old_definition(comparison, macro, renamed);
    if (is_defined_so(writer, name, definition))
        return;
    words_add(&writer->old_macros, name);
    words_add(&writer->old_definitions, definition);
    writer_begin_line(writer);
    text_format(writer->out, "#define %s\n", definition);
}

static bool mentions_name(const struct version *version, const struct piece *piece, const char *name)
{
    for (size_t i = piece->first_token; i < piece->end_token; i++)
        if (token_is_name(version, i) && token_is(version, &version->tokens[i], name))
            return true;
    return false;
}

/* What the old version's part of the function needs to know. Nothing is written when it needs nothing. */
void writer_add_prelude(struct writer *writer, const struct piece *old)
{
    const struct version *new = writer->comparison->new;
    size_t before = writer->out->length, begin = writer->place_begin, end = writer->place_end;
    struct words names = {0};
    names_mentioned(writer->comparison->old, old->first_token, old->end_token, &names);
    writer_begin_old_meanings(writer, &names);
    size_t prepared = writer->out->length;
    struct words unknown = {0};
    for (size_t i = 0; i < names.count; i++)
        if (!mentions_name(new, old->other, names.list[i]) || words_have(&writer->comparison->split, names.list[i]))
            words_add(&unknown, names.list[i]);
    writer_declare_ahead(writer, old, &unknown);
    words_free(&unknown);
    if (writer->out->length > prepared) {
        writer_end_old_meanings(writer, &names);
    } else {
        writer->out->length = before;
        writer->place_begin = begin, writer->place_end = end;
    }
    const struct version *version = writer->comparison->old;
    struct words seen = {0};
    for (size_t i = old->first_token; i < old->end_token; i++)
        if (token_counts(&version->tokens[i]) && token_is_name(version, i))
            define_old_macro(writer, token_text(version, &version->tokens[i]), old->other->renamed, &seen);
    words_free(&names), words_free(&seen);
}
