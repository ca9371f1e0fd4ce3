#include "base/places.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/.penumbra/"
enum { MOST_PLACES = 8, LONGEST_NAME = 64 };

static struct place {
    char fixed[LONGEST_NAME], real[PATH_MAX];
    char given[PATH_MAX]; /* the same by way of links; "" where that is the real path, or relative */
} places[MOST_PLACES];
static size_t place_count;

void places_add(const char *name, const char *directory)
{
    struct place place;
    int length = snprintf(place.fixed, sizeof place.fixed, ROOT "%s", name);
    if (length >= (int)sizeof place.fixed || !realpath(directory, place.real))
        return; /* it keeps its real name: another run compiles it anew */
    bool is_other = *directory == '/' && strcmp(directory, place.real) && strlen(directory) < sizeof place.given;
    snprintf(place.given, sizeof place.given, "%s", is_other ? directory : "");
    size_t index = 0;
    while (index < place_count && strcmp(places[index].fixed, place.fixed))
        index++;
    if (index == MOST_PLACES)
        return;
    places[index] = place;
    place_count += index == place_count;
}

size_t places_count(void)
{
    return place_count;
}

void places_get(size_t index, const char **fixed, const char **real)
{
    *fixed = places[index].fixed;
    *real = places[index].real;
}

bool places_is_fixed(const char *path)
{
    return !strncmp(path, ROOT, strlen(ROOT));
}

/* The length of the name, if it stands there and ends with a component of the path. */
static size_t length_at(const char *text, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text, name, length) || (text[length] && !strchr("/\"'=:, \n", text[length])) ? 0 : length;
}

/* The place whose name begins here; of several, the innermost. */
static const struct place *place_at(const char *text, bool fixed, size_t *length)
{
    const struct place *found = NULL;
    *length = 0;
    for (size_t i = 0; i < place_count; i++) {
        const char *const names[] = {fixed ? places[i].fixed : places[i].real, fixed ? "" : places[i].given};
        for (size_t k = 0; k < 2; k++)
            if (length_at(text, names[k]) > *length) {
                found = &places[i];
                *length = length_at(text, names[k]);
            }
    }
    return found;
}

static const char *rename_all(struct arena *arena, const char *text, bool fixed)
{
    struct text renamed = {0};
    const char *kept = text;
    for (const char *at = strchr(text, '/'); at; at = strchr(at, '/')) {
        size_t length;
        const struct place *place = place_at(at, fixed, &length);
        if (!place) {
            at++;
            continue;
        }
        text_append(&renamed, kept, (size_t)(at - kept));
        text_add(&renamed, fixed ? place->real : place->fixed);
        at = kept = at + length;
    }
    if (kept == text)
        return text;
    text_add(&renamed, kept);
    const char *copy = arena_copy_string(arena, text_string(&renamed));
    text_free(&renamed);
    return copy;
}

const char *places_hide(struct arena *arena, const char *text)
{
    return rename_all(arena, text, false);
}

const char *places_show(struct arena *arena, const char *text)
{
    return rename_all(arena, text, true);
}
