/* Confirmation by our own checks. */
#include "check/own.h"

#include <stdio.h>

bool own_check(struct target *target, const struct site_table *sites, const struct program *program,
               struct input_layout *layout, const uint8_t *input, size_t size, enum pn_side side,
               struct check_verdict *verdict, struct error *error)
{
    struct run run;
    if (!target_run(target, layout, input, size, &run, error))
        return false;
    if (run.trace->ending != PN_CHECK_FAILED || !run.trace->event_count)
        return true;
    const struct pn_event *last = &pn_trace_events(run.trace)[run.trace->event_count - 1];
    const struct site *site = site_table_get(sites, last->site);
    if (site->in_model && last->value)
        site = site_table_get(sites, (uint32_t)last->value);
    char location[256];
    snprintf(location, sizeof location, "%s:%u:%u%s%s%s", program_file_name(program, site->file), site->line,
             site->column, site->calls_model ? " in " : "", site->calls_model ? site->what : "",
             site->calls_model ? "()" : "");
    check_note_failure(verdict, side, (enum pn_check)last->part, location);
    return true;
}
