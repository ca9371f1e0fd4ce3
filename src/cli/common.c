/* Paths on which the versions do the same, as the trace has it. That is only said when native runs do not contradict:
 * where nothing else shows a difference, an input of some of these paths is run on both. */
#include "cli/context.h"

#include <stdlib.h>
#include <string.h>

void common_take(struct context *context, const struct finding *finding)
{
    struct arena *arena = context->report.arena;
    uint8_t *input = arena_allocate(arena, finding->input_size + 1);
    memcpy(input, finding->input, finding->input_size);
    context->common =
        array_reserve(context->common, &context->common_capacity, context->common_count + 1, sizeof *context->common);
    context->common[context->common_count++] = (struct common_path){
        input, finding->input_size, arena_copy_strings(arena, finding->conditions), finding->failed};
}

bool common_try(struct context *context, struct error *error)
{
    struct report *report = &context->report;
    bool good = true;
    for (size_t i = 0; i < context->common_count && good && !context_is_interrupted(); i++) {
        const struct common_path *path = &context->common[i];
        if (report_is_different(report))
            break;
        struct finding finding = {.kind = FINDING_COMMON,
                                  .phase = "complete",
                                  .input = path->input,
                                  .input_size = path->input_size,
                                  .conditions = path->conditions,
                                  .failed = path->failed};
        good = results_add_if_contradicted(report, &context->campaign, context->checker, &finding, error);
    }
    return good;
}
