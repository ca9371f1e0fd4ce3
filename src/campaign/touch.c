#include "campaign/touch.h"

#include "base/clock.h"
#include "base/file.h"
#include "campaign/native_start.h"
#include "recorder/touch.h"

#include <stdlib.h>
#include <unistd.h>

static bool build(const struct native_start *native, const struct touch_request *request, struct error *error)
{
    static const char *const flags[] = {"-DPENUMBRA_MARKS", "-DPENUMBRA_VERSION=NEW", NULL};
    const struct units *units = &request->entry->units;
    const char **objects = arena_allocate(native->arena, (units->count + 1) * sizeof *objects);
    bool good = native_start_compile(native, units->list, units->count, flags, objects, error) &&
                native_start_link(native, objects, units->count, request->links, error);
    for (size_t i = 0; i < units->count; i++)
        unlink(objects[i]);
    return good;
}

static bool run_all(const struct native_start *native, const struct touch_request *request, struct starts *starts,
                    struct error *error)
{
    double end = clock_seconds() + request->seconds;
    for (size_t i = 0; i < starts->count && clock_seconds() < end; i++) {
        struct start_record *start = &starts->list[i];
        int shared = native_start_run(native, start, error);
        char mark = 0;
        if (shared < 0)
            return false;
        start->touches = pread(shared, &mark, 1, TOUCH_MARK) == 1 && mark;
        close(shared);
        if (start->touches && !file_write(arena_format(native->arena, "%s/touches", start->folder), "", 0, error))
            return false;
    }
    return true;
}

bool touch_find(const struct touch_request *request, struct starts *starts, struct error *error)
{
    struct native_start native = {.arena = starts->arena,
                                  .directory = request->directory,
                                  .runtime = "touch.o",
                                  .input = TOUCH_INPUT,
                                  .run_seconds = request->run_seconds,
                                  .memory_bytes = request->memory_bytes};
    if (!native_start_open(&native, request->sandbox, "touch", error))
        return false;
    bool good = build(&native, request, error) && run_all(&native, request, starts, error);
    unlink(native.executable);
    return good;
}
