/* One function: its edits, and the text that they make. */
#include "unify/merge.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Less than this in common, and the two are better read apart. */
static const double LEAST_LIKENESS = 0.25;

/* ---- edits ---- */

struct mark merge_mark(const struct merger *merger)
{
    struct mark mark = {
        .edit_count = merger->edit_count, .adds_statements = merger->adds_statements, .labels = merger->labels};
    memcpy(mark.patterns, merger->patterns, sizeof mark.patterns);
    return mark;
}

void merge_return_to(struct merger *merger, const struct mark *mark)
{
    merger->edit_count = mark->edit_count;
    merger->adds_statements = mark->adds_statements;
    merger->labels = mark->labels;
    memcpy(merger->patterns, mark->patterns, sizeof mark->patterns);
}

void merge_edit(struct merger *merger, size_t begin, size_t end, const char *text)
{
    merger->edits = array_reserve(merger->edits, &merger->edit_capacity, merger->edit_count + 1, sizeof *merger->edits);
    merger->edits[merger->edit_count] = (struct edit){begin, end, text, merger->edit_count};
    merger->edit_count++;
}

static int by_place(const void *one, const void *other)
{
    const struct edit *left = one, *right = other;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    if (left->end != right->end) /* what is put before something comes first */
        return left->end < right->end ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

static bool apply(struct merger *merger, struct text *out)
{
    const struct version *version = merger->new.version;
    size_t at = merger->new.piece->begin;
    if (merger->edit_count)
        qsort(merger->edits, merger->edit_count, sizeof *merger->edits, by_place);
    for (size_t i = 0; i < merger->edit_count; i++) {
        const struct edit *edit = &merger->edits[i];
        if (edit->begin < at)
            return false;
        text_append(out, version->text.data + at, edit->begin - at);
        text_add(out, edit->text);
        at = edit->end;
    }
    text_append(out, version->text.data + at, merger->new.piece->end - at);
    return true;
}

/* ---- text ---- */

static const struct token *token_of(const struct tree *tree, size_t word)
{
    return &tree->version->tokens[tree->words[word].token];
}

const char *merge_old_text(const struct merger *merger, size_t first, size_t last)
{
    struct text text = {0};
    for (size_t i = first; i < last; i++) {
        if (i > first && token_of(&merger->old, i)->begin > token_of(&merger->old, i - 1)->end)
            text_add(&text, " ");
        text_add(&text, merger->old.words[i].spelling);
    }
    const char *result = arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    return result;
}

static const char *indentation_at(struct arena *arena, const struct version *version, size_t offset)
{
    const char *text = version->text.data;
    size_t begin = offset, end;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    for (end = begin; end < offset && (text[end] == ' ' || text[end] == '\t');)
        end++;
    return arena_format(arena, "%.*s", (int)(end - begin), text + begin);
}

const char *merge_indentation(const struct merger *merger, size_t offset)
{
    return indentation_at(merger->arena, merger->new.version, offset);
}

const char *merge_deeper(const struct merger *merger, const char *indentation)
{
    bool has_tabs = memchr(merger->new.version->text.data + merger->new.piece->begin, '\t',
                           merger->new.piece->end - merger->new.piece->begin) != NULL;
    size_t step = 4;
    if (!has_tabs) { /* the first line of the body shows how the file is laid out */
        const struct node *body = merger->new.body;
        size_t outer = strlen(merge_indentation(merger, body->begin));
        size_t inner = body->count ? strlen(merge_indentation(merger, body->children[0]->begin)) : 0;
        if (inner > outer && inner - outer <= 8)
            step = inner - outer;
    }
    return arena_format(merger->arena, "%s%s", indentation, has_tabs ? "\t" : &"        "[8 - step]);
}

/* The white space and comments between two words, lines laid out anew. */
static void add_gap(const struct merger *merger, struct text *text, size_t begin, size_t end, const char *from,
                    const char *to)
{
    const char *data = merger->old.version->text.data;
    size_t known = strlen(from);
    for (size_t i = begin; i < end; i++) {
        text_append(text, data + i, 1);
        if (data[i] != '\n')
            continue;
        if (i + 1 < end + 1 && data[i + 1] == '\n')
            continue;
        size_t matched = 0;
        while (matched < known && i + 1 + matched < end && data[i + 1 + matched] == from[matched])
            matched++;
        text_add(text, to);
        i += matched;
    }
}

const char *merge_old_lines(const struct merger *merger, size_t first, size_t last, const char *indentation)
{
    if (merger->in_lines)
        return merge_old_text(merger, first, last);
    struct text text = {0};
    const char *from = indentation_at(merger->arena, merger->old.version, token_of(&merger->old, first)->begin);
    for (size_t i = first; i < last; i++) {
        if (i > first)
            add_gap(merger, &text, token_of(&merger->old, i - 1)->end, token_of(&merger->old, i)->begin, from,
                    indentation);
        text_add(&text, merger->old.words[i].spelling);
    }
    const char *result = arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    return result;
}

const char *merge_new_text(const struct merger *merger, size_t begin, size_t end)
{
    return arena_format(merger->arena, "%.*s", (int)(end - begin), merger->new.version->text.data + begin);
}

const char *merge_shift(const struct merger *merger, const char *given, const char *extra)
{
    if (merger->in_lines || strstr(given, "\\\n"))
        return given;
    struct text text = {0};
    for (const char *at = given; *at; at++) {
        text_append(&text, at, 1);
        if (*at == '\n' && at[1] != '\n' && at[1] != '#')
            text_add(&text, extra);
    }
    const char *result = arena_copy_string(merger->arena, text_string(&text));
    text_free(&text);
    return result;
}

bool merge_same(const struct merger *merger, const struct node *old, const struct node *new)
{
    return nodes_same(&merger->old, old, &merger->new, new);
}

/* ---- a function ---- */

static bool merge(struct merger *merger)
{
    const struct tree *old = &merger->old, *new = &merger->new;
    merger->obstacle = names_settle(&merger->names, merger->comparison, &merger->old, &merger->new);
    if (merger->obstacle)
        return false;
    if (words_likeness(old, old->body->first, old->body->last, new, new->body->first, new->body->last) <
        LEAST_LIKENESS) {
        merger->obstacle = "the versions have little in common";
        return false;
    }
    struct list before = tree_list(old, old->body), after = tree_list(new, new->body);
    declare_converted(merger, after.open);
    if (!merge_lists(merger, &before, &after, after.open)) {
        merger->obstacle = merger->obstacle ? merger->obstacle : "labels or declarations that cannot be told apart";
        return false;
    }
    merger->patterns[PATTERN_RENAMED] += merger->names.renamed;
    return true;
}

void merge_functions(const struct comparison *comparison, const struct piece *old, struct piece *new, bool in_lines,
                     struct unify_statistics *statistics)
{
    struct merger merger = {.arena = comparison->arena, .comparison = comparison, .in_lines = in_lines};
    struct text out = {0};
    bool good = tree_read(&merger.old, comparison->arena, comparison->old, old) &&
                tree_read(&merger.new, comparison->arena, comparison->new, new);
    if (!good)
        merger.obstacle = "a macro hides the body";
    good = good && merge(&merger) && apply(&merger, &out);
    new->obstacle = good ? NULL : merger.obstacle ? merger.obstacle : "changes that overlap";
    new->merged = good ? arena_copy_string(comparison->arena, text_string(&out)) : NULL;
    new->renamed = names_renamed(&merger.names, comparison->arena);
    for (size_t i = 0; i < PATTERN_COUNT && good; i++)
        statistics->patterns[i] += merger.patterns[i];
    text_free(&out);
    names_free(&merger.names);
    free(merger.edits);
}

bool merge_same_words(const struct merger *merger, const struct node *old, const struct node *new)
{
    if (old->count != new->count)
        return false;
    size_t i = old->first, k = new->first;
    for (size_t child = 0;; child++) {
        size_t old_end = child < old->count ? old->children[child]->first : old->last;
        size_t new_end = child < new->count ? new->children[child]->first : new->last;
        if (old_end - i != new_end - k)
            return false;
        for (; i < old_end; i++, k++)
            if (merger->old.words[i].id != merger->new.words[k].id)
                return false;
        if (child == old->count)
            return true;
        i = old->children[child]->last;
        k = new->children[child]->last;
    }
}
