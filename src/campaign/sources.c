#include "campaign/sources.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/places.h"
#include "campaign/journal.h"
#include "source/pool.h"

struct gathered {
    const struct campaign *campaign;
    json_t *digests; /* by path; those of temporary directories have fixed names (base/places.h) */
};

static bool make_digest(const char *path, char letters[static DIGEST_LETTERS + 1])
{
    struct text content = {0};
    struct error ignored = {0};
    bool good = file_read(path, &content, &ignored);
    struct digest digest = digest_of(text_string(&content), content.length);
    digest_print(&digest, letters);
    text_free(&content);
    error_clear(&ignored);
    return good;
}

static void add(void *context, const char *path)
{
    const struct gathered *gathered = context;
    char letters[DIGEST_LETTERS + 1];
    const char *results = gathered->campaign->shared->directory;
    size_t length = strlen(results);
    bool is_made = !strncmp(path, results, length) && path[length] == '/';
    if (is_made || !set_add(gathered->campaign->sources, path, strlen(path)) || !make_digest(path, letters))
        return;
    json_object_set_new(gathered->digests, places_hide(gathered->campaign->report.arena, path), json_string(letters));
}

static void add_units(struct gathered *gathered, const struct units *units)
{
    for (size_t i = 0; i < units->count; i++)
        add(gathered, units->list[i].file);
}

bool sources_add(const struct campaign *campaign, struct error *error)
{
    struct gathered gathered = {campaign, json_object()};
    pool_visit_files(add, &gathered);
    for (size_t i = 0; i < campaign->preparation.count; i++) {
        const struct campaign_entry *entry = &campaign->preparation.entries[i];
        add_units(&gathered, &entry->units);
        add_units(&gathered, &entry->old);
        add_units(&gathered, &entry->new);
    }
    return journal_add_sources(campaign->report.journal, gathered.digests, error);
}

bool sources_check(const struct campaign *campaign, struct error *error)
{
    json_t *sources = journal_sources(campaign->report.journal, error), *digest;
    const char *path, *changed = NULL;
    json_object_foreach (sources, path, digest) {
        char letters[DIGEST_LETTERS + 1];
        const char *real = places_show(campaign->report.arena, path);
        if (!make_digest(real, letters) || strcmp(letters, json_string_value(digest)))
            changed = real;
    }
    bool good = sources && (!changed || error_set(error,
                                                  "%s has changed since the campaign in %s began: what it has found is "
                                                  "not of these sources. Begin another one",
                                                  changed, campaign->report.directory));
    json_decref(sources);
    return good;
}
