#include "campaign/salvage.h"

#include "campaign/campaign.h"
#include "campaign/journal.h"
#include "report/document.h"

#include <stdio.h>
#include <string.h>

static void write_reason(const struct supervised *supervised, char why[128])
{
    static const char *const reasons[] = {[WORKER_OUT_OF_TIME] = "time limit reached (raise --time)",
                                          [WORKER_OUT_OF_MEMORY] = "memory limit reached (raise --memory-all)",
                                          [WORKER_INTERRUPTED] = "interrupted"};
    const char *name = sigabbrev_np(supervised->status);
    if (supervised->end == WORKER_CRASHED)
        snprintf(why, 128, "ended by signal %d, SIG%s: a defect of penumbra, please report it", supervised->status,
                 name ? name : "?");
    else
        snprintf(why, 128, "%s", reasons[supervised->end]);
}

static const char *kind(enum worker_end end)
{
    static const char *const kinds[] = {[WORKER_OUT_OF_TIME] = "time",
                                        [WORKER_OUT_OF_MEMORY] = "memory",
                                        [WORKER_INTERRUPTED] = "interrupted",
                                        [WORKER_CRASHED] = "crashed"};
    return kinds[end];
}

bool salvage(const struct supervised *supervised, struct salvaged *salvaged, struct error *error)
{
    const char *directory = supervised->shared.directory;
    *salvaged = (struct salvaged){.exit_status = CAMPAIGN_NOT_DONE};
    write_reason(supervised, salvaged->why);
    if (!*directory)
        return true;
    struct text path = {0};
    text_format(&path, "%s/" JOURNAL_NAME, directory);
    struct document_end end = {salvaged->exit_status, kind(supervised->end), salvaged->why};
    salvaged->document = journal_make_document(text_string(&path), &end, error);
    text_free(&path);
    if (!salvaged->document)
        return false;
    if (!strcmp(document_string(salvaged->document, "verdict"), verdict_name(VERDICT_DIFFERENT))) {
        salvaged->exit_status = CAMPAIGN_DIFFERENT;
        json_object_set_new(salvaged->document, "exit_status", json_integer(CAMPAIGN_DIFFERENT));
    }
    return journal_write_report(directory, salvaged->document, error);
}

void salvaged_free(struct salvaged *salvaged)
{
    json_decref(salvaged->document);
}
