#include "source/option_names.h"

#include "input/input.h"

#include <stdlib.h>

void option_names_add(struct option_names *names, const char *name)
{
    names->list = array_reserve(names->list, &names->capacity, names->count + 1, sizeof *names->list);
    names->list[names->count++] = name;
}

void option_names_free(struct option_names *names)
{
    free(names->list);
    *names = (struct option_names){0};
}

bool option_names_have(const struct option_names *names, const char *wanted)
{
    for (size_t i = 0; i < names->count; i++)
        if (input_name_matches(wanted, names->list[i]))
            return true;
    return false;
}

bool names_want(const char *const *wanted, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (input_name_matches(wanted[i], name))
            return true;
    return false;
}

bool option_names_check(const struct option_names *names, const char *option, const char *kind,
                        const char *const *wanted, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (option_names_have(names, wanted[i]))
            continue;
        const char *nearest = nearest_name(wanted[i], names->list, names->count);
        if (nearest)
            return error_set(error, "--%s=%s: no %s is called '%s'; did you mean '%s'?", option, wanted[i], kind,
                             wanted[i], nearest);
        if (!names->count)
            return error_set(error, "--%s=%s: there is no %s", option, wanted[i], kind);
        return error_set(error, "--%s=%s: no %s is called '%s'; there is '%s'", option, wanted[i], kind, wanted[i],
                         names->list[0]);
    }
    return true;
}
