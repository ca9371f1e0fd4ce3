/* Seeds are run before the partitions are explored: what is wrong with a test is to be said by its name. */
#include "explore/suite.h"
#include "explore/relevance.h"

#include <stdlib.h>
#include <string.h>

struct seed {
    const char *ends[PN_SIDE_NEW + 1];
    bool rejected, changed;
};

struct suite {
    size_t count;
    struct seed seeds[];
};

struct suite *suite_create(size_t seed_count)
{
    struct suite *suite = calloc(1, sizeof *suite + seed_count * sizeof *suite->seeds);
    suite->count = seed_count;
    return suite;
}

void suite_destroy(struct suite *suite)
{
    free(suite);
}

const char *path_end_name(const struct path *path)
{
    if (path->timed_out || path->out_of_memory)
        return "limit";
    if (path->signal || path->ending == PN_CHECK_FAILED)
        return "failure";
    return path->ending == PN_EXITED ? "exit" : "return";
}

json_t *explorer_print_input(const struct explorer *explorer, const uint8_t *input, size_t size)
{
    struct text text = {0};
    uint8_t *whole = calloc(explorer->layout->size + 1, 1);
    memcpy(whole, input, size < explorer->layout->size ? size : explorer->layout->size);
    input_print(explorer->layout, whole, &text);
    free(whole);
    json_t *string = json_string(text_string(&text));
    text_free(&text);
    return string;
}

bool suite_try(struct suite *suite, struct explorer *explorer, enum pn_side version, const struct complete_start *start)
{
    const struct dependences *dependences = explorer->sites->dependences;
    struct relevance *relevance = dependences && !dependences->unknown ? relevance_create(dependences) : NULL;
    bool good = true;
    for (size_t i = 0; i < suite->count && good && !explorer_must_stop(explorer); i++) {
        struct seed *seed = &suite->seeds[i];
        struct path *path = explorer_run(explorer, start->seeds[i], start->size);
        good = path != NULL;
        if (!good)
            break;
        seed->ends[version] = path_end_name(path);
        seed->rejected |= path->rejected || path->ending == PN_ASSUMPTION_FAILED;
        seed->changed |= !relevance || relevance_is_changed(relevance, target_trace(explorer->target));
        path_give_back(&explorer->reader, path);
    }
    relevance_destroy(relevance);
    return good;
}

json_t *suite_print(const struct suite *suite, const struct explorer *explorer, const struct complete_start *start)
{
    json_t *list = json_array();
    for (size_t i = 0; i < suite->count; i++) {
        const struct seed *seed = &suite->seeds[i];
        json_array_append_new(list, json_pack("{s:I, s:o, s:s?, s:s?, s:b, s:b}", "number", (json_int_t)i + 1, "input",
                                              explorer_print_input(explorer, start->seeds[i], start->size), "old",
                                              seed->ends[PN_SIDE_OLD], "new", seed->ends[PN_SIDE_NEW], "rejected",
                                              seed->rejected, "changed", seed->changed));
    }
    return list;
}
