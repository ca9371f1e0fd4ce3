/* The old version's own declarations in the new version's text. */
#include "unify/writer.h"

#include "source/source.h"
#include "unify/treat.h"

#include <string.h>

/* ---- an old piece ---- */

static void words_remove(struct words *words, const char *word)
{
    size_t kept = 0;
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], word))
            words->list[kept++] = words->list[i];
    words->count = kept;
}

void writer_add_old_piece(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    struct words names = {0};
    names_mentioned(old, piece->first_token, piece->end_token, &names);
    bool is_renamed = piece->treatment == SPLIT && piece->kind == PIECE_FUNCTION && !function_calls_itself(old, piece);
    if (is_renamed) /* its own name is written out */
        words_remove(&names, piece->name);
    writer_begin_old_meanings(writer, &names);
    writer_declare_ahead(writer, piece, &names);
    if (is_renamed)
        writer_declare(writer, writer_unified_name(writer, piece->name));
    if (piece->treatment == WRAPPED || is_renamed) {
        writer_add_copy(writer, old, piece, "__old");
    } else {
        writer_add_place(writer, old, piece->line);
        writer_add_text(writer, old, piece->begin, piece->end);
        writer_begin_line(writer);
        writer_declare(writer, writer_unified_name(writer, piece->name));
    }
    writer_end_old_meanings(writer, &names);
    words_free(&names);
}

/* The old variable, whole, under a name of its own. */
void writer_add_old_variable(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    struct words names = {0};
    names_mentioned(old, piece->first_token, piece->end_token, &names);
    writer_begin_old_meanings(writer, &names);
    writer_add_copy(writer, old, piece, "__old");
    writer_end_old_meanings(writer, &names);
    writer_add_place(writer, writer->comparison->new, piece->other->line);
    text_format(writer->out, "pn_global_copy(%s, %s__old);\n", piece->name, piece->name);
    words_free(&names);
}

void writer_add_old_value(struct writer *writer, const struct piece *piece)
{
    const struct version *old = writer->comparison->old;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(piece->cursor);
    struct words names = {0};
    size_t begin = 0, end = 0;
    if (!clang_Cursor_isNull(initialiser)) {
        cursor_range(initialiser, &begin, &end);
        names_mentioned(old, piece->first_token, piece->end_token, &names);
    }
    writer_begin_old_meanings(writer, &names);
    writer_add_place(writer, writer->comparison->new, piece->other->line);
    text_format(writer->out, "pn_global(%s, (", piece->name);
    if (end > begin)
        text_append(writer->out, old->text.data + begin, end - begin);
    else
        text_add(writer->out, "0");
    text_add(writer->out, "));\n");
    writer_end_old_meanings(writer, &names);
    words_free(&names);
}

static const char *cursor_text(const struct version *version, CXCursor cursor)
{
    size_t begin, end;
    cursor_range(cursor, &begin, &end);
    return arena_format(version->arena, "%.*s", (int)(end - begin), version->text.data + begin);
}

/* Several variables: those that the new version has not, and the old values of the others. */
void writer_add_old_variables(struct writer *writer, const struct piece *piece)
{
    const struct comparison *comparison = writer->comparison;
    struct words names = {0};
    names_mentioned(comparison->old, piece->first_token, piece->end_token, &names);
    writer_begin_old_meanings(writer, &names);
    for (size_t i = 0; i < piece->name_count; i++) {
        CXCursor variable = piece->cursors[i], initialiser = clang_Cursor_getVarDeclInitializer(variable);
        const char *name = source_name(comparison->arena, variable), *value = "0";
        bool is_kept = false, is_same = false;
        if (!clang_Cursor_isNull(initialiser))
            value = cursor_text(comparison->old, initialiser);
        for (size_t k = 0; k < piece->other->name_count; k++) {
            CXCursor other = piece->other->cursors[k], same = clang_Cursor_getVarDeclInitializer(other);
            if (strcmp(source_name(comparison->arena, other), name))
                continue;
            is_kept = true;
            is_same = !strcmp(value, clang_Cursor_isNull(same) ? "0" : cursor_text(comparison->new, same)) &&
                      !words_have(&comparison->differing, value);
        }
        if (is_same)
            continue;
        writer_add_place(writer, comparison->new, piece->other->line);
        if (is_kept)
            text_format(writer->out, "pn_global(%s, (%s));\n", name, value);
        else
            text_format(writer->out, "%s%s%s%s;\n",
                        clang_Cursor_getStorageClass(variable) == CX_SC_Static ? "static " : "",
                        declaration_text(comparison->arena, clang_getCursorType(variable), name),
                        clang_Cursor_isNull(initialiser) ? "" : " = ", clang_Cursor_isNull(initialiser) ? "" : value);
        writer_declare(writer, name);
    }
    writer_end_old_meanings(writer, &names);
    words_free(&names);
}

/* `int a[pn_size(2, 3)];  pn_global_bounds(a, 2, 3);` */
size_t writer_add_resized(struct writer *writer, const struct piece *piece)
{
    const struct version *new = writer->comparison->new;
    unsigned name_at;
    clang_getFileLocation(clang_getCursorLocation(piece->cursor), NULL, NULL, NULL, &name_at);
    size_t open = version_token_at(new, name_at) + 1, close = open;
    while (close < piece->end_token && !token_is(new, &new->tokens[close], "]"))
        close++;
    long long before = clang_getArraySize(clang_getCursorType(piece->other->cursor));
    long long after = clang_getArraySize(clang_getCursorType(piece->cursor));
    writer_add_text(writer, new, piece->begin, new->tokens[open].end);
    text_format(writer->out, "pn_size(%lld, %lld)", before, after);
    writer_add_text(writer, new, new->tokens[close].begin, piece->end);
    writer_add_place(writer, new, piece->line);
    text_format(writer->out, "pn_global_bounds(%s, %lld, %lld);\n", piece->name, before, after);
    return writer_resume(writer, piece->end);
}

/* Whether the old version's own declaration is to be seen: the new text does not say the same. */
static bool is_wanted(const struct writer *writer, const struct piece *old)
{
    const struct comparison *comparison = writer->comparison;
    if (old->kind == PIECE_DECLARATION && old->obstacle)
        return false;
    if (old->kind == PIECE_DECLARATION) {
        if (words_have(&comparison->split, old->name))
            return true;
        return !old->other && *old->name && !version_definition(comparison->new, old->name) &&
               !version_piece(comparison->new, PIECE_DECLARATION, old->name, 0);
    }
    return old->kind != PIECE_OTHER && old->treatment == ONE_VERSION;
}

/* Those whose place is before the new version's piece number `before`: they follow a piece that comes earlier. */
bool writer_has_old_pieces(const struct writer *writer, size_t before)
{
    const struct comparison *comparison = writer->comparison;
    size_t place = 0;
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *piece = &comparison->old->pieces[i];
        if (is_wanted(writer, piece) && place == before)
            return true;
        if (piece->other)
            place = (size_t)(piece->other - comparison->new->pieces) + 1;
    }
    return false;
}

void writer_add_old_pieces(struct writer *writer, size_t before)
{
    const struct comparison *comparison = writer->comparison;
    size_t place = 0;
    for (size_t i = 0; i < comparison->old->piece_count; i++) {
        const struct piece *piece = &comparison->old->pieces[i];
        if (is_wanted(writer, piece) && place == before)
            writer_add_old_piece(writer, piece);
        if (piece->other)
            place = (size_t)(piece->other - comparison->new->pieces) + 1;
    }
}
