/* A summary for the comment of a pull request. */
#include "report/views.h"

#include <string.h>

enum { GROUPS_SHOWN = 10, LIMITS_SHOWN = 8 };

/* As code within a line of a table. */
static void add_code(const char *string, struct text *text)
{
    text_add(text, "<code>");
    for (; *string; string++)
        if (strchr("<>&|`*_\\[]", *string))
            text_format(text, "&#%d;", (unsigned char)*string);
        else if (*string == '\n')
            text_add(text, " ");
        else
            text_append(text, string, 1);
    text_add(text, "</code>");
}

static void add_row(const json_t *group, struct text *text)
{
    struct text place = {0};
    view_add_place(group, &place);
    text_format(text, "| **%s** | ", view_string(group, "class"));
    add_code(text_string(&place), text);
    text_format(text, " | %zu | ", view_count(group));
    add_code(view_string(group, "input"), text);
    text_add(text, " |\n");
    text_free(&place);
}

/* Longer than any run of backticks within it, a fence is safe; outputs may have any bytes. */
static void add_block(const char *language, const char *content, struct text *text)
{
    text_format(text, "~~~~~~%s\n%s~~~~~~\n\n", language, content);
}

static void add_source(const json_t *group, struct text *text)
{
    size_t i;
    json_t *line;
    json_array_foreach (json_object_get(group, "source"), i, line) {
        const char *outcome = view_string(line, "outcome");
        text_format(text, "%s%s", strcmp(view_string(line, "version"), "old") ? "+" : "-", view_string(line, "text"));
        text_format(text, *outcome ? "   // %s\n" : "\n", outcome);
    }
}

static void add_details(const json_t *group, struct text *text)
{
    const json_t *witness = json_object_get(group, "witness"), *old_run = json_object_get(witness, "old"),
                 *new_run = json_object_get(witness, "new");
    struct text block = {0};
    text_format(text, "<details><summary>%s at ", view_string(group, "class"));
    view_add_place(group, text);
    text_format(text, ": %s</summary>\n\n", view_class_sentence(view_string(group, "class")));
    add_source(group, &block);
    if (block.length)
        add_block("diff", text_string(&block), text);
    text_truncate(&block, 0);
    view_add_output(old_run, new_run, "- ", &block);
    view_add_output(new_run, old_run, "+ ", &block);
    add_block("diff", text_string(&block), text);
    text_add(text, "</details>\n\n");
    text_free(&block);
}

/* What is no difference of behaviour. */
static bool is_only_counted(const json_t *group)
{
    const char *class = view_string(group, "class");
    return !strcmp(class, "silent") || !strcmp(class, "both-fail");
}

static void add_groups(const json_t *groups, struct text *text)
{
    size_t i, shown = 0, counted = 0, accepted = 0;
    json_t *group;
    text_add(text, "| | where the versions part | inputs | smallest input |\n|---|---|---|---|\n");
    json_array_foreach (groups, i, group) {
        bool is_accepted = json_is_true(json_object_get(group, "accepted"));
        counted += is_only_counted(group) ? view_count(group) : 0;
        accepted += is_accepted;
        if (!is_only_counted(group) && !is_accepted && shown++ < GROUPS_SHOWN)
            add_row(group, text);
    }
    if (shown > GROUPS_SHOWN)
        text_format(text, "\n... and %zu more.\n", shown - GROUPS_SHOWN);
    if (accepted)
        text_format(text, "\n%zu accepted as intended.\n", accepted);
    if (counted)
        text_format(text, "\n%zu silent: another path, the same output or failure.\n", counted);
    text_add(text, "\n");
    shown = 0;
    json_array_foreach (groups, i, group) {
        if (!is_only_counted(group) && !json_is_true(json_object_get(group, "accepted")) && shown++ < GROUPS_SHOWN)
            add_details(group, text);
    }
}

void view_markdown(const json_t *document, struct text *text)
{
    size_t i;
    json_t *limit, *groups = json_object_get(document, "groups"), *limits = json_object_get(document, "limits");
    text_format(text, "## Penumbra: %s\n\n", view_string(document, "verdict"));
    if (json_array_size(groups))
        add_groups(groups, text);
    json_array_foreach (limits, i, limit) {
        if (i < LIMITS_SHOWN)
            text_format(text, "- %s\n", view_string(limit, "text"));
    }
    if (json_array_size(limits) > LIMITS_SHOWN)
        text_format(text, "- ... and %zu more limits\n", json_array_size(limits) - LIMITS_SHOWN);
}
