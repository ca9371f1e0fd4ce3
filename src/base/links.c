/* Links by their names. Programs are linked with the C library and its mathematical part anyway. */
#include "base/links.h"

#include "base/text.h"

#include <string.h>

const char *link_argument(struct arena *arena, const char *link)
{
    bool is_library_name = link[0] != '-' && !strpbrk(link, "/.");
    return is_library_name ? arena_format(arena, "-l%s", link) : link;
}

static bool is_c_library(const char *link)
{
    static const char *const parts[] = {"c", "dl", "m", "pthread", "rt", "util"};
    if (text_begins_with(link, "-L") || text_begins_with(link, "-Wl,--") || !strcmp(link, "-pthread"))
        return true;
    if (strpbrk(link, "/."))
        return false;
    const char *name = text_begins_with(link, "-l") ? link + 2 : link;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(name, parts[i]))
            return true;
    return false;
}

bool links_are_c_library(const char *const links[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_c_library(links[i]))
            return false;
    return true;
}
