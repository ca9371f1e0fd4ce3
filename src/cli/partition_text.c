#include "cli/partition_text.h"
#include "base/arena.h"
#include "report/conditions.h"

#include <stdio.h>
#include <string.h>

const char *object_string(const json_t *object, const char *key)
{
    const char *string = json_string_value(json_object_get(object, key));
    return string ? string : "";
}

void add_conditions(const json_t *list, struct text *text)
{
    struct arena *arena = arena_create();
    size_t count = json_array_size(list);
    const char **all = arena_allocate(arena, (count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = json_string_value(json_array_get(list, i));
    all[count] = NULL;
    const char *const *reduced = conditions_reduce(all, arena);
    text_format(text, "%s", *reduced ? "" : "always");
    for (size_t i = 0; reduced[i]; i++) {
        bool is_loose = (i || reduced[1]) && condition_is_loose(reduced[i]);
        text_format(text, "%s%s%s%s", i ? " && " : "", is_loose ? "(" : "", reduced[i], is_loose ? ")" : "");
    }
    arena_destroy(arena);
}

/* Pieces of a text are put together: "ab" and "c" are "abc". */
static void add_value(const json_t *pieces, struct text *text)
{
    size_t i;
    json_t *piece;
    bool is_open = false; /* a text whose quote is still to come */
    json_array_foreach (pieces, i, piece) {
        const char *string = json_string_value(piece);
        size_t length = strlen(string);
        bool is_text = length >= 2 && *string == '"';
        if (is_open && !is_text)
            text_format(text, "\"");
        if (i && !(is_open && is_text))
            text_format(text, " ");
        if (is_text)
            text_format(text, "%.*s", (int)(length - 1 - is_open), string + is_open);
        else
            text_format(text, "%s", string);
        is_open = is_text;
    }
    text_format(text, "%s", is_open ? "\"" : "");
}

static const json_t *find_output(const json_t *outputs, const char *name)
{
    size_t i;
    json_t *output;
    json_array_foreach (outputs, i, output) {
        if (!strcmp(object_string(output, "name"), name))
            return output;
    }
    return NULL;
}

void add_outcome(const char *ends, long long status, const json_t *outputs, const json_t *others, struct text *text)
{
    size_t i;
    json_t *output;
    const char *separator = "";
    bool exits = !strcmp(ends, "exit");
    if (exits && !find_output(outputs, "exit status")) /* that of a whole program is an output */
        text_format(text, "exit(%lld)", status), separator = "; ";
    else if (!exits && strcmp(ends, "return") != 0)
        text_format(text, "%s", strcmp(ends, "failure") ? "is stopped at a limit" : "fails"), separator = "; ";
    json_array_foreach (outputs, i, output) {
        const json_t *other = find_output(others, object_string(output, "name"));
        if (other && json_equal(json_object_get(other, "value"), json_object_get(output, "value")))
            continue;
        text_format(text, "%s%s = ", separator, object_string(output, "name"));
        add_value(json_object_get(output, "value"), text);
        separator = ", ";
    }
    if (!*separator)
        text_add(text, exits ? "exits" : "returns");
}

void print_cut(const char *before, const struct text *text, size_t most)
{
    const char *string = text_string(text);
    bool is_long = strlen(string) > most;
    printf("%s%.*s%s\n", before, (int)(is_long ? most : strlen(string)), string, is_long ? " ..." : "");
}
