#include "campaign/kept_test.h"
#include "base/file.h"
#include "campaign/state.h"
#include "input/invocation.h"
#include "report/document.h"

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

static json_t *describe_channel(const struct input_channel *channel)
{
    static const char *const kinds[] = {[INPUT_CHANNEL_ARGUMENT] = KEPT_ARGUMENT,
                                        [INPUT_CHANNEL_STREAM] = KEPT_STREAM,
                                        [INPUT_CHANNEL_FILE] = KEPT_FILE,
                                        [INPUT_CHANNEL_VARIABLE] = KEPT_VARIABLE};
    return json_pack("{s:s, s:s, s:s, s:s}", "kind", kinds[channel->kind], "name", channel->name, "length",
                     channel->length ? channel->length : "", "path", channel->path ? channel->path : "");
}

/* How a whole program is started, whatever its inputs are; bytes are in hexadecimal. */
static json_t *describe_invocation(const struct invocation *invocation)
{
    json_t *channels = json_array(), *fixed = json_array();
    for (size_t i = 0; i < invocation->count; i++)
        json_array_append_new(channels, describe_channel(&invocation->channels[i]));
    for (size_t i = 0; invocation->fixed && invocation->fixed[i]; i++)
        json_array_append_new(
            fixed, document_hexadecimal((const uint8_t *)invocation->fixed[i], strlen(invocation->fixed[i])));
    return json_pack("{s:o, s:o, s:o, s:s, s:b}", "channels", channels, "fixed", fixed, "input",
                     document_hexadecimal((const uint8_t *)invocation->fixed_input, invocation->fixed_input_length),
                     "directory", invocation->directory ? invocation->directory : "", "own_root",
                     invocation->root != NULL);
}

static json_t *describe(const struct campaign *campaign)
{
    const struct subject *new = campaign->native_new;
    json_t *units = json_array(), *links = json_array();
    for (size_t i = 0; i < new->request.unit_count; i++)
        json_array_append_new(units, describe_unit(campaign, i));
    for (const char *const *link = new->program.links; link &&*link; link++)
        json_array_append_new(links, json_string(*link));
    json_t *description = json_pack("{s:s, s:b, s:o, s:o}", "entry", new->program.entry, "annotated",
                                    campaign->native_old == &campaign->subject && !campaign->report.apart, "units",
                                    units, "links", links);
    if (campaign->subject.invocation)
        json_object_set_new(description, "invocation", describe_invocation(campaign->subject.invocation));
    return description;
}

static bool copy_harness(const char *from, const char *to, struct error *error)
{
    struct text content = {0};
    bool good = file_read(from, &content, error) && file_write(to, text_string(&content), content.length, error);
    text_free(&content);
    return good;
}

bool kept_test_write(struct campaign *campaign, struct error *error)
{
    const struct report *report = &campaign->report;
    const struct subject *new = campaign->native_new;
    const char *directory = arena_format(report->arena, "%s/" KEPT_TEST_DIRECTORY, report->directory);
    if (campaign->has_kept_test || !new || !new->harness)
        return true;
    campaign->has_kept_test = true;
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
