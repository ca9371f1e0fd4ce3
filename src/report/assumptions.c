/* The domain of a verdict: the inputs that were explored, and the world in which they were. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

struct collector {
    const struct report *report;
    struct arena *arena;
    struct assumptions *assumptions;
};

static void add(struct collector *collector, const char *kind, const char *name, const char *text)
{
    struct assumptions *list = collector->assumptions;
    list->list = array_reserve(list->list, &list->capacity, list->count + 1, sizeof *list->list);
    list->list[list->count++] = (struct assumption){kind, name, text};
}

static void add_sizes(struct collector *collector)
{
    const struct input_layout *layout = collector->report->layout;
    for (size_t i = 0; layout && i < layout->count; i++) {
        const struct input_parameter *piece = &layout->parameters[i];
        if (!piece->is_pointer)
            continue;
        add(collector, "size", piece->name,
            piece->is_stream
                ? arena_format(collector->arena, "%s is a stream of at most %zu bytes, of which any can be read",
                               piece->name, piece->element_count)
            : piece->is_string ? arena_format(collector->arena, "%s is a string of at most %zu characters", piece->name,
                                              piece->element_count)
                               : arena_format(collector->arena, "%s points to %zu element%s", piece->name,
                                              piece->element_count, piece->element_count == 1 ? "" : "s"));
    }
}

/* Where pointers lead: each to an object of its own, but for the overlaps that are inputs (source/overlaps.h). */
static void add_places(struct collector *collector)
{
    const struct report *report = collector->report;
    struct text overlaps = {0};
    for (size_t i = 0; report->layout && i < report->layout->count; i++) {
        const struct input_parameter *piece = &report->layout->parameters[i];
        if (piece->is_overlap)
            text_format(&overlaps, "%s%s", overlaps.length ? ", " : "", piece->name);
    }
    const char *text = "the pointer leads to an object of its own, which is aligned and no variable of the program";
    if (report->object_count > 1)
        text = arena_format(
            collector->arena,
            "pointers lead to distinct objects that do not overlap%s%s; they are aligned, and no variables "
            "of the program",
            overlaps.length ? ", but for " : "", text_string(&overlaps));
    add(collector, "distinct", "", text);
    text_free(&overlaps);
}

static void add_pointers(struct collector *collector)
{
    const struct report *report = collector->report;
    for (size_t i = 0; i < report->pointer_count; i++)
        add(collector, "not-null", report->pointers[i],
            arena_format(collector->arena, "%s is not NULL (--null=%s tries NULL)", report->pointers[i],
                         report->pointers[i]));
    if (report->object_count)
        add_places(collector);
}

/* docs/proofs.md */
static void add_proof(struct collector *collector)
{
    add(collector, "optimised-ir", "",
        "LLVM's optimiser, and Z3 where what it makes of both versions does not look the same, are right: every "
        "access, "
        "division and shift that could fail is part of what was compared");
    add(collector, "resources", "", "time, memory and stack are enough");
    if (collector->report->needs_stack)
        add(collector, "stack", "",
            "a recursion that is a loop in the other version does not use up the stack, however deep it gets");
}

bool report_has_global_inputs(const struct report *report)
{
    for (size_t i = 0; report->layout && i < report->layout->count; i++)
        if (report->layout->parameters[i].is_global)
            return true;
    return false;
}

static const char *allocation_text(const struct report *report)
{
    if (report->layout && input_layout_fails_allocations(report->layout))
        return "of the first 255 memory allocations of a run at most one fails, and none of the later ones";
    return report_is_program(report) ? "memory allocation fails only where it is larger than --memory at once"
                                     : "memory allocation never fails";
}

void assumptions_collect(const struct report *report, struct arena *arena, struct assumptions *assumptions)
{
    struct collector collector = {report, arena, assumptions};
    const struct site_table *sites = report->sites;
    if (report->is_proven) {
        add_proof(&collector);
        return;
    }
    add_pointers(&collector);
    add_sizes(&collector);
    /* a whole program begins with the initial values */
    for (size_t i = 0; sites && i < sites->assumed.count && !report_is_program(report); i++)
        add(&collector, "initial-value", sites->assumed.list[i],
            arena_format(arena, "%s keeps its initial value until the entry is called%s", sites->assumed.list[i],
                         report->values == OTHERS_EXPLORED ? "; no other value shows a difference" : ""));
    if (report_has_global_inputs(report))
        add(&collector, "state", "", REPORT_STATE_TEXT);
    if (sites && sites->allocates)
        add(&collector, "allocation", "", allocation_text(report));
    if (sites && sites->prints)
        add(&collector, "output", "", "writing to streams never fails");
    if (sites && sites->exits)
        add(&collector, "exit", "",
            "where the program exits, what is left in variables is seen by no destructor and no function that atexit() "
            "knows");
    if (sites && sites->stops)
        add(&collector, "output", "", "what was printed before _exit() arrives: it is in no buffer");
    if (sites && sites->synchronises)
        add(&collector, "threads", "", "no other thread looks at memory meanwhile, or changes it");
    if (sites && sites->has_locale)
        add(&collector, "locale", "", "the locale is \"C\"");
    if (sites && sites->may_overflow)
        add(&collector, "overflow", "",
            "signed integers wrap around where C leaves an overflow undefined (--overflow assume-none leaves such "
            "inputs "
            "out)");
    if (sites && sites->rounds)
        add(&collector, "floating-environment", "",
            "floating point is rounded to nearest, and which of its exceptions were raised is not compared");
    for (size_t i = 0; i < report->callback_count; i++)
        add(&collector, "callback", report->callbacks[i],
            arena_format(arena, "%s() changes nothing, it only returns something", report->callbacks[i]));
}

void assumptions_free(struct assumptions *assumptions)
{
    free(assumptions->list);
    *assumptions = (struct assumptions){0};
}
