/* Dependences as bytes: they are kept beside the object that they belong to. */
#include "depend/dependences.h"

#include <string.h>

/* One array of the struct, and where its length is. */
struct field {
    size_t at, count_at, size;
};

#define FIELD(array, count)                                                                                            \
    {offsetof(struct dependences, array), offsetof(struct dependences, count), sizeof *((struct dependences *)0)->array}

static const struct field fields[] = {
    FIELD(nodes, node_count),         FIELD(blocks, block_count), FIELD(functions, function_count),
    FIELD(criteria, criterion_count), FIELD(sites, site_count),   FIELD(links, link_count),
};

void dependences_write(const struct dependences *dependences, struct text *text)
{
    const char *unknown = dependences->unknown ? dependences->unknown : "";
    text_append(text, (const char *)dependences, sizeof *dependences);
    text_append(text, unknown, strlen(unknown) + 1);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint32_t count;
        const char *array;
        memcpy(&count, (const char *)dependences + fields[i].count_at, sizeof count);
        memcpy(&array, (const char *)dependences + fields[i].at, sizeof array);
        if (count)
            text_append(text, array, count * fields[i].size);
    }
}

static bool read_array(struct arena *arena, struct dependences *into, const struct field *field, const char *bytes,
                       size_t length, size_t *used)
{
    uint32_t count;
    memcpy(&count, (const char *)into + field->count_at, sizeof count);
    if (count > (length - *used) / field->size)
        return false;
    char *array = arena_allocate(arena, count * field->size + 1);
    memcpy(array, bytes + *used, count * field->size);
    memcpy((char *)into + field->at, &array, sizeof array);
    *used += count * field->size;
    return true;
}

struct dependences *dependences_read(struct arena *arena, const char *bytes, size_t length, size_t *used)
{
    struct dependences *into = arena_allocate(arena, sizeof *into);
    if (length < sizeof *into)
        return NULL;
    memcpy(into, bytes, sizeof *into);
    const char *unknown = bytes + sizeof *into, *end = memchr(unknown, 0, length - sizeof *into);
    if (!end)
        return NULL;
    into->unknown = end > unknown ? arena_copy_string(arena, unknown) : NULL;
    *used = (size_t)(end + 1 - bytes);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!read_array(arena, into, &fields[i], bytes, length, used))
            return NULL;
    return into;
}
