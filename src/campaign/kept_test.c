#include "campaign/kept_test.h"
#include "base/file.h"
#include "campaign/state.h"

#include <stdlib.h>
#include <string.h>

static const char *version_path(const struct subject *subject, size_t unit)
{
    return unit < subject->request.unit_count ? subject->program.paths[unit] : "";
}

static json_t *describe_unit(const struct campaign *campaign, size_t number)
{
    const struct subject *new = campaign->native_new, *old = campaign->native_old;
    const struct unit *unit = &new->request.units[number];
    const char *path = version_path(new, number);
    return json_pack("{s:s, s:s, s:s, s:s}", "name", program_file_name(&new->program, path), "source", path,
                     "old_source", version_path(old, number), "cflags", unit->cflags ? unit->cflags : "");
}

static json_t *describe(const struct campaign *campaign)
{
    const struct subject *new = campaign->native_new;
    json_t *units = json_array(), *links = json_array();
    for (size_t i = 0; i < new->request.unit_count; i++)
        json_array_append_new(units, describe_unit(campaign, i));
    for (const char *const *link = new->program.links; link && *link; link++)
        json_array_append_new(links, json_string(*link));
    return json_pack("{s:s, s:b, s:o, s:o}", "entry", new->program.entry, "annotated",
                     campaign->native_old == &campaign->subject && !campaign->report.apart, "units", units, "links",
                     links);
}

static bool copy_harness(const char *from, const char *to, struct error *error)
{
    struct text content = {0};
    bool good = file_read(from, &content, error) && file_write(to, text_string(&content), content.length, error);
    text_free(&content);
    return good;
}

bool kept_test_write(const struct campaign *campaign, struct error *error)
{
    const struct report *report = &campaign->report;
    const struct subject *new = campaign->native_new;
    const char *directory = arena_format(report->arena, "%s/" KEPT_TEST_DIRECTORY, report->directory);
    if (!report_is_different(report) || !new || !new->harness)
        return true;
    bool good = file_make_directory(directory, error);
    for (size_t i = 0; i < new->request.unit_count &&good; i++)
        good = copy_harness(new->harness[i], arena_format(report->arena, "%s/unit-%zu.c", directory, i), error);
    json_t *description = describe(campaign);
    char *json = json_dumps(description, JSON_INDENT(2));
    good = good && file_write(arena_format(report->arena, "%s/build.json", directory), json, strlen(json), error);
    free(json);
    json_decref(description);
    return good;
}
