/* The two versions as a project has them: trees that are built, or were built before, with `penumbra cc`; the program
 * in them that is looked at; the starts of it that its test suite makes. Everything that is the same whatever is
 * explored afterwards, and that has no limit of time but the user's patience. */
#ifndef PENUMBRA_CAMPAIGN_PROJECT_H
#define PENUMBRA_CAMPAIGN_PROJECT_H

#include "campaign/entry.h"
#include "campaign/recording.h"
#include "campaign/subject.h"
#include "campaign/versions.h"
#include "project/built.h"
#include "project/checkout.h"

struct project_request {
    struct versions_request versions;
    const char *build;   /* a shell command; NULL: nothing is built */
    const char *program; /* below the trees; NULL: whichever it is */
    const char *test;    /* a shell command that starts the program; NULL: none */
    double test_seconds; /* limit for it */
    bool functions;      /* are explored, whatever there is to start */
    double invocation;   /* only the start of this number; 0: all */
    /* Told what is going on, for people; NULL: nobody is. */
    void (*tell)(const char *line);
};

struct project {
    struct arena *arena;
    struct versions versions;
    struct checkout checkouts[2];
    struct built built[2];                   /* of trees without records: empty */
    const struct built_program *programs[2]; /* NULL: the whole tree */
    const json_t *units[2];                  /* what counts of each tree; NULL where nothing was recorded */
    const char *starts;                      /* the directory of what the test suite has started; or NULL */
    void (*tell)(const char *line);          /* the request's */
    size_t invocation;                       /* the only start that counts; 0: all do */
    bool records_calls;                      /* starts are for seeds of functions */
    const char *started;                     /* the program whose starts are recorded; NULL: all that were built */
    struct recording *recording;             /* the programs that were started; NULL: none was */
};

/* Adds libraries to the options, and with a test suite makes it a whole program that is explored. To be closed whatever
 * it returns. */
bool project_open(struct project *project, const struct project_request *request, struct subject_options *options,
                  struct error *error);

/* With a test suite, and functions to be explored: preparation->recording are the programs in which their calls can be
 * recorded. Of whole programs: copies what it has started to `directory`/starts, finds out what of it reaches a change,
 * and chooses the seeds, which are then in preparation->seed_directory. */
bool project_choose_seeds(struct project *project, const struct subject_options *options, double seconds,
                          const char *directory, struct arena *arena, struct preparation *preparation,
                          struct error *error);
void project_close(struct project *project);

/* ---- between the parts: project_starts.c ---- */

void project_tell(const struct project *project, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs the tests, unless that was done before. */
bool project_record_starts(struct project *project, const struct project_request *request, struct error *error);

#endif
