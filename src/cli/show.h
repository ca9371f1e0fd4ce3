/* What a campaign has to say, on the terminal: progress, reports as text or as JSON, what could be salvaged. */
#ifndef PENUMBRA_CLI_SHOW_H
#define PENUMBRA_CLI_SHOW_H

#include "campaign/campaign.h"
#include "campaign/salvage.h"

struct show {
    bool json, statistics, quiet, progress;
    const char *reports; /* views of the document that are written beside it, `html,sarif`; NULL: none */
    bool is_entry;       /* this process explores one of several entries */
    bool progress_shown; /* a line of it stands on the terminal */
    double next_line;    /* of progress, where lines stay: when there may be one */
    FILE **texts;        /* of several entries, by number */
    FILE *to;            /* the text of the entry that this process explores; NULL: to standard output */
    long heading;        /* where that begins, behind the line that names the entry */
};

/* The view that shows; `show` must outlive it. */
struct campaign_view show_view(struct show *show);

void show_salvaged(const struct show *show, const struct salvaged *salvaged);

#endif
