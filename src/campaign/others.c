#include "campaign/others.h"
#include "base/file.h"
#include "report/document.h"
#include "report/groups.h"

enum { MOST_BYTES = 2000000 };

static void add_line(const struct report *report, const struct report_divergence *divergence, struct text *text)
{
    const json_t *group = json_array_get(report->group_objects, divergence->group);
    text_format(text, "%u %s %s ", divergence->number, check_class_name(divergence->verdict.class),
                document_string(group, "id"));
    input_print(report->layout, divergence->input, text);
    text_add(text, "\n");
}

bool others_write(const struct report *report, struct error *error)
{
    struct text text = {0};
    size_t left_out = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (groups_are_listed(report, i))
            continue;
        if (text.length < MOST_BYTES)
            add_line(report, &report->divergences[i], &text);
        else
            left_out++;
    }
    if (left_out)
        text_format(&text, "# and %zu more (--all lists every one)\n", left_out);
    bool good = !text.length || file_write(arena_format(report->arena, "%s/" OTHERS_NAME, report->directory),
                                           text_string(&text), text.length, error);
    text_free(&text);
    return good;
}
