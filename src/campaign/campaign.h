/* A campaign: what is explored, found and proven, with which limits. It reads no command line and prints nothing: its
 * options are a struct, what is to be seen while it goes on is told to a view, and what comes of it is a status and a
 * report in the results directory. Everything that it does happens in the process that calls it and those it starts. */
#ifndef PENUMBRA_CAMPAIGN_CAMPAIGN_H
#define PENUMBRA_CAMPAIGN_CAMPAIGN_H

#include "campaign/entry.h"
#include "campaign/subject.h"
#include "campaign/supervise.h"
#include "explore/explore.h"
#include "report/report.h"

/* Which findings count as differences when the status is chosen. */
enum fail_on { FAIL_ON_REGRESSION, FAIL_ON_OUTPUT, FAIL_ON_ANY, FAIL_ON_DIFFERENCE };

struct campaign_options {
    struct subject_options subject;
    enum explore_mode mode;
    enum fail_on fail_on;
    enum explore_order order;
    enum partition_kind partitions;
    double seconds, memory_all_megabytes, solver_seconds, maximum_paths, maximum_depth, maximum_loop, maximum_values,
        native_runs;
    double jobs;          /* processes that explore at the same time; 0: as the machine has processors and memory */
    const char *out;      /* the results directory; numbered when it is taken */
    const char *resume;   /* the results directory of a campaign that goes on; NULL: it is a new one */
    const json_t *asked;  /* what the journal says of a new one, so that it can go on */
    const char *accepted; /* the file with what was accepted as intended */
    bool has_time;        /* the user has set it */
    bool first;           /* ends where a difference was shown */
    bool all;             /* proves and keeps every divergence, not only one of each group */
    bool no_proofs;       /* everything is explored, also where it can be proven to be the same */
    bool strict, undirected, process_per_run, only_z3, dump_queries;
};

/* What came of it. The exit status of the tool, and of a process that explores one of several entries. */
enum campaign_status {
    CAMPAIGN_NOTHING = 0,   /* was found */
    CAMPAIGN_DIFFERENT = 1, /* differences were found */
    CAMPAIGN_ERROR = 2,     /* wrong options, or what cannot be read or built */
    CAMPAIGN_NOT_DONE = 3,  /* interrupted, or no change was reached */
};

/* Told of what is to be seen, in this order; every call may be NULL. */
struct campaign_view {
    void *context;
    /* A line while exploring; NULL: it is over, the line is to go. */
    void (*progress)(void *context, const char *line);
    /* The first difference of a group, proven and on disk. */
    void (*found)(void *context, const struct report *report, const struct report_divergence *divergence);
    void (*several)(void *context, const struct preparation *preparation);
    /* One of several entries: before its process starts, in that process, and after its end. What that has to show is
     * shown then, since others may be at work; ends are told in the order of the entries. */
    void (*begin)(void *context, size_t number);
    void (*entry)(void *context, const struct campaign_entry *entry);
    void (*end)(void *context, size_t number);
    void (*identical)(void *context, const char *old, const char *new);
    /* Documents are those of report/document.h. */
    void (*report)(void *context, const struct report *report, const json_t *document);
    void (*results)(void *context, const json_t *document); /* of several entries */
};

/* Makes the program from the given files, in the results directory. */
typedef bool campaign_prepare(void *input, const struct subject_options *options, struct arena *arena,
                              const char *directory, struct preparation *preparation, struct error *error);

struct campaign_request {
    struct campaign_options *options;
    campaign_prepare *prepare; /* NULL where the files are the program */
    void *input;               /* for it */
    const struct campaign_view *view;
};

/* Where the results are is in `shared` as soon as they are somewhere. With CAMPAIGN_ERROR, and where none of several
 * entries could be explored, `error` has a message. */
enum campaign_status campaign_run(const struct campaign_request *request, struct shared *shared, struct error *error);

#endif
