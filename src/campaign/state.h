/* Between the files of a campaign: campaign.c has the order of things, stages.c one exploration, findings.c what comes
 * of it while it goes on, several.c several entries, apart.c and apart_programs.c versions that cannot be merged. */
#ifndef PENUMBRA_CAMPAIGN_STATE_H
#define PENUMBRA_CAMPAIGN_STATE_H

#include "base/set.h"
#include "campaign/campaign.h"
#include "campaign/guesses.h"
#include "campaign/interrupt.h"
#include "campaign/recording.h"
#include "campaign/results.h"
#include "prove/prove.h"

/* An input on which versions that are apart are run. */
struct apart_input {
    bool waits;              /* it was not run yet */
    size_t place;            /* in the report; SIZE_MAX when it is not there */
    const char **conditions; /* of its path, NULL-terminated */
};

/* An input of a path on which the versions do the same; see common.c. */
struct common_path {
    const uint8_t *input;
    size_t input_size;
    const char *const *conditions; /* NULL-terminated */
    bool failed;                   /* both did */
};

/* What the explorer found, by key: proven and in the report, or waiting for its turn (findings.c). */
struct taken_finding {
    size_t place;            /* in the report; SIZE_MAX while it is not there */
    struct waiting *waiting; /* NULL: it does not wait */
};

/* Findings that part the versions at one place in one way. */
struct prediction {
    enum finding_kind kind;
    uint32_t site;
    size_t proven;                 /* of them */
    struct waiting *first, **last; /* those that wait, in the order in which they came */
    size_t left;                   /* found when too many waited: only counted */
};

/* The program that is explored after the first one, if that is needed: the same with the sides exchanged, or the old
 * version's. Its builder was started while no code under test had run in this process. */
struct second_program {
    struct subject *subject;
    const char *directory;
    bool exchange, as_library;
    struct subject_build prepared;
};

/* One exploration, or several in turn. What the explorer's calls need to find. */
struct campaign {
    struct campaign_options *options;
    const struct campaign_request *request;
    struct subject subject; /* what is explored: both versions in one program or, where they are apart, the new one */
    /* The versions' own programs, with their options. Of versions that are apart, `new` is not used; of a program that
     * the user annotated, neither is. */
    struct subject old, new;
    struct subject_options old_options, new_options;
    struct subject *native_old, *native_new; /* what native programs are built of */
    struct apart_input *inputs;              /* of the versions, by key */
    size_t input_capacity;
    struct common_path *common;
    size_t common_count, common_capacity;
    const struct campaign_entry *entry; /* NULL where the command names the program */
    struct recorded recorded;           /* of its calls */
    struct checker *checker;
    struct guesses *guesses; /* NULL: none are made */
    struct prover *prover;   /* at work beside the exploration; NULL: none */
    double proof_end;        /* the latest moment until which nothing but it is waited for */
    struct proof proof;      /* what it has come to */
    struct explore_outcome outcome;
    const char *program; /* the instrumented one */
    struct set *keys;    /* of what was found, in the order of the report; of versions that are apart, inputs */
    size_t *numbers;     /* by finding of this exploration: the number of its key */
    size_t number_count, number_capacity;
    struct taken_finding *taken; /* by key */
    size_t taken_capacity;
    struct set *predicted; /* keys of predictions, by number */
    struct prediction *predictions;
    size_t prediction_capacity, waiting_count, idle_calls;
    double explored; /* when the exploration had ended; 0: it has not */
    struct report report;
    json_t *header;      /* the campaign's record */
    struct set *sources; /* paths of the files that are in the journal with their digests */
    json_t *earlier;     /* of a campaign that goes on: the records when it did (resume.h); else NULL */
    double start, next_sample;
    char scratch[256];
    const char *queries; /* the directory that they are written to; NULL: they are not */
    struct second_program second;
    struct site_table *exchanged_sites;
    struct preparation preparation;
    struct shared *shared;
    bool has_kept_test;  /* what tests are made of later is on disk (kept_test.h) */
    bool is_another_way; /* to come by the entry's inputs: only what differs there is told */
    struct ready_way {
        pid_t process;    /* 0: none */
        int to;           /* it is asked through this */
        int from;         /* and tells by this which variables cannot be inputs */
    } ready;              /* ways.h */
    bool is_plain_way;    /* of several, which are told together */
    bool has_tried_state; /* it was asked */
    bool is_refuted;      /* by that: it has told what there is to tell */
    double seconds;       /* of one of several entries: its share; 0: all of the time */
    bool inside;          /* the program is a library, and runs in the process that explores */
    size_t workers;       /* processes that may share an exploration */
    bool is_beside;       /* it explores one of several entries, others may be explored at the same time */
};

/* When the time is over. */
/* Of an entry that cannot be explored: that is its result, too. */
bool campaign_write_problem(const struct campaign *campaign, const struct campaign_entry *entry, const char *problem,
                            struct error *error);
double campaign_end(const struct campaign *campaign);
/* So long over that nothing is run natively any more, however little was: the supervisor would end the process. */
bool campaign_is_too_late(const struct campaign *campaign);
/* Whether a native run has just failed for that reason: then it is no error. */
bool campaign_was_late(const struct campaign *campaign, struct error *error);

/* Until when divergences are run that would show nothing new: not much longer than it took to find them. */
double campaign_others_end(const struct campaign *campaign);

/* The next finding of this exploration has the key of this number. */
void campaign_add_number(struct campaign *campaign, size_t number);

/* What the explorer tells; `opaque` is the campaign. */
explore_report campaign_take_finding;
explore_difference campaign_take_difference;
/* Whether a class of divergences counts as a difference, and whether such a one was found. */
bool campaign_counts(enum check_class class, enum fail_on fail_on);
bool campaign_has_failed(const struct report *report, enum fail_on fail_on);
bool campaign_has_enough(void *opaque);
/* Whether nothing more need be explored: that is all that is wanted, or the versions are proven to be the same. */
bool campaign_is_decided(void *opaque);
/* Proves one of the findings that wait, or else tries a guess. */
explore_idle campaign_idle;
/* Proves those that wait, as long as there is time; the others are counted. */
bool findings_prove_waiting(struct campaign *campaign, struct error *error);
void findings_free(struct campaign *campaign);

/* The native programs are built in the background from here: native_old and native_new have their harnesses. */
bool campaign_start_checker(struct campaign *campaign, struct error *error);
/* With which they are built and run: the old version's, and those of a new one. */
struct checker_options campaign_checker_options(const struct campaign *campaign, const struct subject *new,
                                                const char *directory);
/* Builds the instrumented program of a subject. */
bool campaign_make_program(struct campaign *campaign, struct subject *subject, const char *directory,
                           struct error *error);
/* Prepares the second program. */
bool campaign_prepare_second(struct campaign *campaign, struct subject *subject, const char *directory, bool exchange,
                             struct error *error);
/* Builds it; called in the process that explores. */
bool campaign_make_second(struct campaign *campaign, struct site_table *sites, const char **path, struct error *error);
struct explore_options campaign_explore_options(struct campaign *campaign, const struct subject *subject);
/* Explores the program that was made last; campaign->outcome is what comes of it. */
bool campaign_explore(struct campaign *campaign, struct subject *subject, const char *directory,
                      const struct explore_options *options, struct error *error);

/* Begins to prove that the versions are the same, and waits a short while: whether they are; the report says so then.
 */
bool campaign_prove(struct campaign *campaign);
/* Whether that is proven by now; after a difference was shown, never. */
bool campaign_is_proven(struct campaign *campaign);
/* The same, where the exploration has decided nothing: as long as a proof may take by itself. */
bool campaign_await_proof(struct campaign *campaign);
void campaign_stop_proof(struct campaign *campaign);
/* Whether native runs have shown a difference. */
bool campaign_has_difference(const struct campaign *campaign);

/* Builds what is explored, with the native programs in the background. */
bool campaign_build(struct campaign *campaign, struct error *error);
/* Explores partitions of the inputs of each version by itself, and compares them. */
bool partitions_explore(struct campaign *campaign, struct error *error);

/* Builds and explores a program that holds both versions. */
bool campaign_explore_program(struct campaign *campaign, struct error *error);

/* campaign->subject becomes what is around the entry. */
void campaign_take_entry(struct campaign *campaign, const struct campaign_entry *entry);
bool campaign_read(struct campaign *campaign, struct error *error);
/* Explores what was read, writes the report and shows it. */
bool campaign_finish(struct campaign *campaign, struct error *error);
enum campaign_status campaign_status(const struct campaign *campaign);
/* How many processes may be at work. */
size_t campaign_processors(const struct campaign *campaign);
/* Explores every entry of the preparation. */
bool several_explore(struct campaign *campaign, enum campaign_status *status, struct error *error);

/* Keeps a path of FINDING_COMMON for common_try(), which runs it natively where no difference was found otherwise. */
void common_take(struct campaign *campaign, const struct finding *finding);
bool common_try(struct campaign *campaign, struct error *error);

/* Reads a version's own program, as options of that version say. */
void campaign_version_options(const struct campaign *campaign, const struct units *units, const char *path,
                              struct subject_options *options);

/* Reads the old version's own program, which takes the same inputs as the new one's, or the entry is none. */
bool apart_read(struct campaign *campaign, struct error *error);
/* Explores each version by itself, and runs what leads along their paths natively on both. */
bool apart_explore(struct campaign *campaign, struct error *error);
void apart_free(struct campaign *campaign);

#endif
