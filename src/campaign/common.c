/* Paths on which the versions do the same, as the trace has it. That is only said when native runs do not contradict:
 * where nothing else shows a difference, an input of some of these paths is run on both. */
#include "campaign/state.h"

#include <stdlib.h>
#include <string.h>

void common_take(struct campaign *campaign, const struct finding *finding)
{
    struct arena *arena = campaign->report.arena;
    uint8_t *input = arena_allocate(arena, finding->input_size + 1);
    memcpy(input, finding->input, finding->input_size);
    campaign->common = array_reserve(campaign->common, &campaign->common_capacity, campaign->common_count + 1,
                                     sizeof *campaign->common);
    campaign->common[campaign->common_count++] = (struct common_path){
        input, finding->input_size, arena_copy_strings(arena, finding->conditions), finding->failed};
}

bool common_try(struct campaign *campaign, struct error *error)
{
    struct report *report = &campaign->report;
    bool good = true;
    for (size_t i = 0; i < campaign->common_count && good && !interrupt_came(); i++) {
        const struct common_path *path = &campaign->common[i];
        if (report_is_different(report))
            break;
        struct finding finding = {.kind = FINDING_COMMON,
                                  .phase = "complete",
                                  .input = path->input,
                                  .input_size = path->input_size,
                                  .conditions = path->conditions,
                                  .failed = path->failed};
        good = results_add_if_contradicted(report, &campaign->subject, campaign->checker, &finding, error);
    }
    return good;
}
