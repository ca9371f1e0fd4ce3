/* Writing both versions into one text. An old declaration that stays itself is read with the old version's meaning of
 * every name in it:
 *
 *     #pragma push_macro("LIMIT")      the new version has another LIMIT
 *     #undef LIMIT
 *     #define LIMIT 10
 *     #line 12 "old.c"
 *     static int f__old(int x) ...
 *     #pragma pop_macro("LIMIT")
 */
#include "unify/write.h"
#include "unify/writer.h"

#include <string.h>

/* ---- included files ---- */

static bool includes(const struct version *version, const struct inclusion *wanted)
{
    for (size_t i = 0; i < version->inclusion_count; i++)
        if (!strcmp(version->inclusions[i].tokens, wanted->tokens))
            return true;
    return false;
}

static bool has_old_inclusions(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->old->inclusion_count; i++)
        if (!includes(comparison->new, &comparison->old->inclusions[i]))
            return true;
    return false;
}

static void add_old_inclusions(struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    for (size_t i = 0; i < comparison->old->inclusion_count; i++) {
        const struct inclusion *inclusion = &comparison->old->inclusions[i];
        if (includes(comparison->new, inclusion))
            continue;
        writer_add_place(writer, comparison->old, inclusion->line);
        if (inclusion->name_end)
            text_format(writer->out, "#include \"%s\"\n", inclusion->path);
        else
            text_format(writer->out, "%s\n", inclusion->text);
    }
}

/* ---- the whole text ---- */

/* Where something can be put before a piece: comments that stand right before it stay with it. */
static size_t place_before(const struct version *version, const struct piece *piece)
{
    size_t token = piece->first_token;
    for (; token > 0; token--) {
        const struct token *before = &version->tokens[token - 1];
        bool is_alone = token < 2 || version->tokens[token - 2].line < before->line;
        if (!before->is_comment || before->is_directive || !is_alone)
            break;
    }
    return token < version->token_count ? version->tokens[token].begin : version->text.length;
}

/* Returns where the new text goes on behind the piece. */
static size_t add_new_piece(struct writer *writer, const struct piece *piece)
{
    const struct version *new = writer->comparison->new;
    switch (piece->treatment) {
    case MERGED: text_add(writer->out, piece->merged); break;
    case WRAPPED:
        if (function_calls_itself(new, piece))
            writer_declare_function(writer, new, piece);
        writer_add_old_piece(writer, piece->other);
        writer_add_copy(writer, new, piece, "__new");
        writer_add_wrapper(writer, new, piece);
        return writer_resume(writer, piece->end);
    case SPLIT:
        writer_add_old_piece(writer, piece->other);
        writer_resume(writer, piece->begin);
        writer_add_text(writer, new, piece->begin, piece->end);
        break;
    case INITIALISED:
        writer_add_text(writer, new, piece->begin, piece->end);
        writer_add_old_value(writer, piece->other);
        return writer_resume(writer, piece->end);
    case RESIZED: return writer_add_resized(writer, piece);
    case TOGETHER:
        writer_add_text(writer, new, piece->begin, piece->end);
        writer_add_old_variables(writer, piece->other);
        return writer_resume(writer, piece->end);
    case RENUMBERED:
        writer_add_text(writer, new, piece->begin, piece->end);
        writer_begin_line(writer);
        text_format(writer->out, "%s\n", piece->merged);
        return writer_resume(writer, piece->end);
    case WIDENED: text_add(writer->out, piece->merged); return writer_resume(writer, piece->end);
    case COPIED:
        writer_add_text(writer, new, piece->begin, piece->end);
        writer_add_old_variable(writer, piece->other);
        return writer_resume(writer, piece->end);
    default: writer_add_text(writer, new, piece->begin, piece->end); break;
    }
    return piece->end;
}

static void add_head(struct writer *writer)
{
    const struct version *new = writer->comparison->new;
    bool includes_ours = strstr(text_string(&new->text), "penumbra.h") != NULL;
    text_format(writer->out,
                "/* Two versions in one program: %s and %s. Compile with\n"
                " * -DPENUMBRA_VERSION=OLD or -DPENUMBRA_VERSION=NEW, or give it to penumbra run. */\n",
                writer->comparison->old->shown, new->shown);
    if (!includes_ours)
        text_add(writer->out, "#define PENUMBRA_NO_SHORT_NAMES\n");
    text_add(writer->out, "#include <penumbra.h>\n");
    writer_add_place(writer, new, 1);
}

void write_unified(const struct comparison *comparison, const struct layout *layout, struct text *out)
{
    const struct version *new = comparison->new;
    struct writer writer = {.comparison = comparison, .layout = layout, .out = out};
    size_t at = 0;
    add_head(&writer);
    for (size_t i = 0; i < new->piece_count; i++) {
        const struct piece *piece = &new->pieces[i];
        bool adds_inclusions = i == 0 && has_old_inclusions(comparison);
        if (adds_inclusions || writer_has_old_pieces(&writer, i) || piece->treatment == MERGED) {
            size_t place = place_before(new, piece);
            writer_add_text(&writer, new, at, place);
            size_t before = writer.out->length;
            if (adds_inclusions)
                add_old_inclusions(&writer);
            writer_add_old_pieces(&writer, i);
            if (piece->treatment == MERGED)
                writer_add_prelude(&writer, piece->other);
            at = writer.out->length > before ? writer_resume(&writer, place) : place;
        }
        writer_add_text(&writer, new, at, piece->begin);
        at = add_new_piece(&writer, piece);
        writer_declare(&writer, piece->name);
    }
    writer_add_text(&writer, new, at, new->text.length);
    writer_begin_line(&writer);
    writer_add_old_pieces(&writer, new->piece_count);
    words_free(&writer.declared), words_free(&writer.old_macros);
    words_free(&writer.old_definitions);
}
