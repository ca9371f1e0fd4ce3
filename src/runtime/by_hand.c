/* A program that a person starts: `old-checked INPUT` runs one version on the input file, and says so when one of our
 * own checks fails. */
#include "runtime/runtime.h"
#include "trace/input_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FAILED_STATUS = 1, USAGE_STATUS = 64 };

/* By site, "file.c:8:20": only programs that are made to be run by hand have the table. */
extern const char *const __start_pn_places[] __attribute__((weak));
extern const char *const __stop_pn_places[] __attribute__((weak));

static bool by_hand;

static void add_region(const struct pn_input_line *line)
{
    if (pn_trace->input_region_count >= PN_INPUT_REGIONS || line->size > PN_INPUT_BYTES - pn_trace->input_size)
        return;
    struct pn_input_region *region = &pn_trace->input_regions[pn_trace->input_region_count++];
    strncpy(region->name, line->name, sizeof region->name - 1);
    region->offset = pn_trace->input_size;
    region->size = (uint32_t)line->size;
    memcpy(pn_trace->input + region->offset, line->bytes, line->size);
    pn_trace->input_size += region->size;
}

void pn_read_input_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        perror(path);
        exit(USAGE_STATUS);
    }
    char *text = NULL;
    size_t capacity = 0;
    struct pn_input_line line;
    for (int number = 1; getline(&text, &capacity, file) >= 0; number++) {
        if (pn_input_line_is_empty(text))
            continue;
        if (!pn_input_line_read(text, &line)) {
            fprintf(stderr, "%s:%d: expected a line like `x = 07 00 00 00`\n", path, number);
            exit(USAGE_STATUS);
        }
        add_region(&line);
    }
    free(text);
    fclose(file);
    by_hand = true;
}

void pn_tell_failure(void)
{
    if (!by_hand)
        return;
    const struct pn_event *last = &pn_trace_events(pn_trace)[pn_trace->event_count - 1];
    uint64_t count = (uint64_t)(__stop_pn_places - __start_pn_places);
    const char *place = last->site < count ? __start_pn_places[last->site] : "?";
    if (!*place && last->value < count) /* in a model of a library function */
        place = __start_pn_places[last->value];
    fflush(stdout);
    fprintf(stderr, "penumbra: %s at %s\n", pn_check_name(last->part), place);
    _exit(FAILED_STATUS);
}
