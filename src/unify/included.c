#include "unify/included.h"

#include "base/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is larger is data; C text that includes something is not. */
enum { LARGEST_TEXT = 8 << 20 };

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool mentions(const struct text *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text->data; (at = memmem(at, text->length - (size_t)(at - text->data), name, length)); at++) {
        bool begins = at == text->data || !is_part_of_name(at[-1]);
        if (begins && (at + length == text->data + text->length || !is_part_of_name(at[length])))
            return true;
    }
    return false;
}

/* `#include NAME`, where a macro says what is meant. */
static bool includes_by_macro(const struct text *text)
{
    static const char word[] = "include";
    const char *end = text->data + text->length;
    for (const char *at = text->data;
         (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) && at + sizeof word < end;) {
        const char *before = at;
        at += sizeof word - 1;
        while (before > text->data && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before == text->data || before[-1] != '#' || (*at != ' ' && *at != '\t'))
            continue;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (at < end && is_part_of_name(*at))
            return true;
    }
    return false;
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool may_include(const struct text *text, const struct words *names, const char *self)
{
    if (!text->length || includes_by_macro(text))
        return text->length > 0;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], self) && mentions(text, last_part(names->list[i])))
            return true;
    return false;
}

bool included_may_be(const char *root, const struct words *files, const struct words *names)
{
    struct arena *arena = arena_create();
    bool found = false;
    for (size_t i = 0; i < files->count && !found; i++) {
        struct text text = {0};
        struct error ignored = {0};
        if (file_read(arena_format(arena, "%s/%s", root, files->list[i]), &text, &ignored) &&
            text.length <= LARGEST_TEXT)
            found = may_include(&text, names, files->list[i]);
        text_free(&text);
        error_clear(&ignored);
    }
    arena_destroy(arena);
    return found;
}

bool included_mentions(const char *path, const char *name)
{
    struct text text = {0};
    struct error ignored = {0};
    bool found = file_read(path, &text, &ignored) && text.length && mentions(&text, name);
    text_free(&text);
    error_clear(&ignored);
    return found;
}
