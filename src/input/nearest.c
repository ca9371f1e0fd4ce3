#include "input/input.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 127 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, taken out or replaced; the case of letters does not count. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t length_a = least(strlen(a), LONGEST_NAME), length_b = least(strlen(b), LONGEST_NAME);
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= length_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            bool equal = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t replaced = diagonal + !equal;
            diagonal = row[j];
            row[j] = least(replaced, least(row[j - 1], diagonal) + 1);
        }
    }
    return row[length_b];
}

/* Smaller is nearer; SIZE_MAX: not near at all. A name that contains the other is near, however much longer. */
static size_t distance(const char *name, const char *candidate)
{
    size_t edits = edit_distance(name, candidate), length = least(strlen(name), LONGEST_NAME);
    if (edits <= (length + 2) / 3 && edits < length)
        return edits;
    if (length >= 3 && strstr(candidate, name))
        return length;
    if (strlen(candidate) >= 3 && strstr(name, candidate))
        return length;
    return SIZE_MAX;
}

size_t nearest_names(const char *name, const char *const candidates[], size_t count, const char *result[],
                     size_t capacity)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t rank = distance(name, candidates[i]);
        if (rank == SIZE_MAX)
            continue;
        size_t place = found;
        while (place > 0 && distance(name, result[place - 1]) > rank)
            place--;
        if (place >= capacity)
            continue;
        if (found < capacity)
            found++;
        memmove(&result[place + 1], &result[place], (found - place - 1) * sizeof *result);
        result[place] = candidates[i];
    }
    return found;
}

const char *nearest_name(const char *name, const char *const candidates[], size_t count)
{
    const char *nearest = NULL;
    return nearest_names(name, candidates, count, &nearest, 1) ? nearest : NULL;
}
