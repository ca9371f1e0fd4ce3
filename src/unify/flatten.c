#include "unify/flatten.h"

#include "base/file.h"
#include "source/source.h"
#include "unify/compare.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 50 };

/* ---- #include directives of a translation unit ---- */

struct directive {
    const char *file; /* that it stands in */
    const char *included;
    unsigned begin;
    bool is_quoted;
};

struct directives {
    struct arena *arena;
    struct directive *list;
    size_t count, capacity;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum CXChildVisitResult add_directive(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct directives *directives = data;
    CXFile from, included;
    if (clang_getCursorKind(cursor) != CXCursor_InclusionDirective || source_is_in_system_header(cursor))
        return CXChildVisit_Continue;
    struct directive directive = {0};
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &from, NULL, NULL, &directive.begin);
    included = clang_getIncludedFile(cursor);
    if (!from || !included)
        return CXChildVisit_Continue;
    directive.file = source_string(directives->arena, clang_getFileName(from));
    directive.included = source_string(directives->arena, clang_getFileName(included));
    directives->list = array_reserve(directives->list, &directives->capacity, directives->count + 1, sizeof directive);
    directives->list[directives->count++] = directive;
    return CXChildVisit_Continue;
}

static struct directives read_directives(struct arena *arena, CXTranslationUnit unit)
{
    struct directives directives = {.arena = arena};
    clang_visitChildren(clang_getTranslationUnitCursor(unit), add_directive, &directives);
    return directives;
}

/* ---- which headers differ ---- */

static bool have_same_content(const char *one, const char *other)
{
    struct text texts[2] = {{0}, {0}};
    struct error ignored = {0};
    bool same = !strcmp(one, other) || (file_read(one, &texts[0], &ignored) && file_read(other, &texts[1], &ignored) &&
                                        !strcmp(text_string(&texts[0]), text_string(&texts[1])));
    text_free(&texts[0]), text_free(&texts[1]);
    error_clear(&ignored);
    return same;
}

static bool is_of_system(CXTranslationUnit unit, const char *path)
{
    CXFile file = clang_getFile(unit, path);
    return !file || clang_Location_isInSystemHeader(clang_getLocationForOffset(unit, file, 0));
}

static bool has_counterpart(const char *path, const struct directives *other, bool *differs)
{
    bool found = false;
    for (size_t i = 0; i < other->count; i++) {
        if (strcmp(base_name(path), base_name(other->list[i].included)))
            continue;
        found = true;
        if (have_same_content(path, other->list[i].included)) {
            *differs = false;
            return true;
        }
    }
    *differs = found;
    return found;
}

static void add_name(struct words *names, const char *name)
{
    if (!words_have(names, name))
        words_add(names, name);
}

/* A header that includes one of them is one of them. */
static void add_includers(const struct directives *directives, struct words *names)
{
    for (size_t known = SIZE_MAX; known != names->count;) {
        known = names->count;
        for (size_t i = 0; i < directives->count; i++)
            if (words_have(names, base_name(directives->list[i].included)))
                for (size_t k = 0; k < directives->count; k++)
                    if (!strcmp(directives->list[k].included, directives->list[i].file))
                        add_name(names, base_name(directives->list[i].file));
    }
}

void headers_find_differing(struct arena *arena, CXTranslationUnit old, CXTranslationUnit new, struct words *names)
{
    struct directives before = read_directives(arena, old), after = read_directives(arena, new);
    for (size_t i = 0; i < before.count; i++) {
        const char *path = before.list[i].included;
        bool differs = false;
        if (!is_of_system(old, path) && !words_have(names, base_name(path)) &&
            has_counterpart(path, &after, &differs) && differs)
            words_add(names, base_name(path));
    }
    for (size_t known = SIZE_MAX; known != names->count;) {
        known = names->count;
        add_includers(&before, names);
        add_includers(&after, names);
    }
    free(before.list), free(after.list);
}

/* ---- the text ---- */

struct flattener {
    struct arena *arena;
    const struct directives *directives;
    const struct words *names;
    bool places;
    struct text *out;
    struct origins *origins;
    struct words once; /* headers that say `#pragma once` and were written */
    const char *open[DEEPEST];
    size_t depth;
    unsigned line; /* of the output */
    struct error *error;
};

static void add(struct flattener *flattener, const char *text, size_t length)
{
    text_append(flattener->out, text, length);
    for (size_t i = 0; i < length; i++)
        flattener->line += text[i] == '\n';
}

static void add_origin(struct flattener *flattener, const char *file, unsigned line)
{
    struct origins *origins = flattener->origins;
    if (flattener->places) {
        const char *directive = arena_format(flattener->arena, "#line %u \"%s\"\n", line, file);
        add(flattener, directive, strlen(directive));
    }
    struct origin *list = arena_allocate(flattener->arena, (origins->count + 1) * sizeof *list);
    if (origins->count)
        memcpy(list, origins->list, origins->count * sizeof *list);
    list[origins->count++] = (struct origin){flattener->line, line, file};
    origins->list = list;
}

static size_t end_of_line(const struct text *text, size_t at)
{
    while (at < text->length && text->data[at] != '\n')
        at++;
    return at;
}

static const struct directive *next_directive(const struct flattener *flattener, const char *file, size_t from)
{
    const struct directive *next = NULL;
    for (size_t i = 0; i < flattener->directives->count; i++) {
        const struct directive *here = &flattener->directives->list[i];
        if (!strcmp(here->file, file) && here->begin >= from && (!next || here->begin < next->begin))
            next = here;
    }
    return next;
}

static bool is_open(const struct flattener *flattener, const char *file)
{
    for (size_t i = 0; i < flattener->depth; i++)
        if (!strcmp(flattener->open[i], file))
            return true;
    return false;
}

static bool add_file(struct flattener *flattener, const char *file);

static bool add_included(struct flattener *flattener, const char *file, const char *included, unsigned next_line)
{
    if (words_have(&flattener->once, included) || is_open(flattener, included)) {
        add(flattener, "\n", 1);
        return true;
    }
    if (flattener->depth == DEEPEST)
        return error_set(flattener->error, "%s: headers are included too deeply", included);
    add_origin(flattener, included, 1);
    if (!add_file(flattener, included))
        return false;
    add_origin(flattener, file, next_line);
    return true;
}

static unsigned line_at(const struct text *text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += text->data[i] == '\n';
    return line;
}

/* A directive that stays; in a header, the name is that of the file that was found, wherever the text is now. */
static void add_directive_text(struct flattener *flattener, const struct text *text, const struct directive *directive,
                               size_t end)
{
    char path[PATH_MAX];
    const char *line =
        arena_format(flattener->arena, "%.*s", (int)(end - directive->begin), text->data + directive->begin);
    if (flattener->depth > 1 && strchr(line, '"') && realpath(directive->included, path))
        line = arena_format(flattener->arena, "#include \"%s\"", path);
    add(flattener, line, strlen(line));
}

static bool add_text(struct flattener *flattener, const char *file, const struct text *text)
{
    size_t at = 0;
    for (const struct directive *next; (next = next_directive(flattener, file, at));) {
        size_t end = end_of_line(text, next->begin);
        if (next->begin > text->length)
            break;
        add(flattener, text->data + at, next->begin - at);
        if (!words_have(flattener->names, base_name(next->included))) {
            add_directive_text(flattener, text, next, end);
            at = end;
            continue;
        }
        at = end < text->length ? end + 1 : end;
        if (!add_included(flattener, file, next->included, line_at(text, at)))
            return false;
    }
    add(flattener, text->data + at, text->length - at);
    if (text->length && text->data[text->length - 1] != '\n')
        add(flattener, "\n", 1);
    return true;
}

static bool add_file(struct flattener *flattener, const char *file)
{
    struct text text = {0};
    if (!file_read(file, &text, flattener->error))
        return false;
    text_add(&text, "");
    flattener->open[flattener->depth++] = file;
    char *once = flattener->depth > 1 ? strstr(text.data, "#pragma once") : NULL;
    if (once) {
        words_add(&flattener->once, file);
        memset(once, ' ', strlen("#pragma once"));
    }
    bool good = add_text(flattener, file, &text);
    flattener->depth--;
    text_free(&text);
    return good;
}

bool flatten(struct arena *arena, CXTranslationUnit unit, const char *file, const struct words *names, bool places,
             struct text *text, struct origins *origins, struct error *error)
{
    struct directives directives = read_directives(arena, unit);
    struct flattener flattener = {.arena = arena,
                                  .directives = &directives,
                                  .names = names,
                                  .places = places,
                                  .out = text,
                                  .origins = origins,
                                  .line = 1,
                                  .error = error};
    bool good = add_file(&flattener, file);
    words_free(&flattener.once);
    free(directives.list);
    return good;
}
