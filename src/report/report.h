/* What was found, in the forms in which people and programs read it. The report's data is gathered by the caller while
 * it explores; this module only shows it. */
#ifndef PENUMBRA_REPORT_REPORT_H
#define PENUMBRA_REPORT_REPORT_H

#include "check/check.h"
#include "explore/explore.h"
#include "input/input.h"
#include "report/limits.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct report_divergence {
    unsigned number;
    enum finding_kind kind;
    const char *phase;
    const char *file; /* where the versions part */
    const char *path; /* of that file, while the campaign goes on */
    unsigned line, column;
    const char *called; /* the library function in which they do; "" elsewhere */
    uint8_t *input;     /* layout->size bytes, of which input_size are known */
    size_t input_size;
    const char **path_condition; /* NULL-terminated, each readable by a person */
    const char *differs;         /* complete mode: where on this path the versions behave differently, as C */
    bool can_differ;             /* it holds for some input, */
    bool tried;                  /* and one of those was run natively */
    const char *input_path;      /* the input on disk; NULL: it has no folder */
    const char *repro;           /* a command to paste; NULL as well */
    bool is_flagged;             /* it was asked what UndefinedBehaviorSanitizer says */
    bool fails_allocation;       /* of its input: one fails */
    const char *cause_file;      /* of a witness: the change that makes the difference without any other, in the new */
    unsigned cause_line;         /* version's text; NULL where that is not known */
    size_t group, rank;          /* of report.groups, when these are made; how many come before it there */
    struct report_divergence
        *small; /* of a witness: what is shown for it, easier to read; NULL: it is as it was found */
    struct check_verdict verdict;
};

/* What a later version that is known to be right does where the versions differ. */
enum report_fixed { FIXED_NOT_ASKED, FIXED_TAKES_IT_BACK, FIXED_KEEPS_IT, FIXED_UNKNOWN };

/* Divergences that show one change of behaviour (groups.h). */
struct report_group {
    enum check_class class;
    size_t count;     /* all that were run natively */
    size_t unproven;  /* found where its witness was, and not run */
    size_t witness;   /* of report.divergences: the one that is shown */
    bool is_accepted; /* as intended: it is not shown, and does not count */
    enum report_fixed fixed;
    json_t *source; /* the lines where the versions part (source.h); NULL while nobody has looked */
};

/* Findings that were not run natively, by the place and the way in which the versions part there. */
struct report_unproven {
    enum finding_kind kind;
    const char *file;
    unsigned line, column;
    size_t count;
};

/* About outputs, errors and termination, not about paths. */
enum verdict { VERDICT_DIFFERENT, VERDICT_EQUIVALENT, VERDICT_NO_DIFFERENCE_FOUND, VERDICT_NOT_EXPLORED };

struct report {
    struct arena *arena; /* owns strings and divergences */
    struct set *texts;   /* conditions of divergences, each once */
    const char *const *files;
    size_t file_count;
    const char *entry, *place; /* the function, as --entry takes it, and its file */
    const char *directory;
    const char *journal; /* the file that records of results are added to */
    const char *way;     /* of several ways to the entry's inputs, another than the plain one; else NULL */
    enum explore_mode mode;
    double float_tolerance; /* with which outputs were compared; 0: none */
    const struct input_layout *layout;
    const struct input_layout *outputs; /* types of outputs, by name; may be NULL */
    const char *const *pointers;        /* among the inputs, those that are never NULL */
    const char *const *callbacks;       /* functions that were made for pointers among the inputs */
    size_t callback_count;
    size_t object_count; /* made for pointers among the inputs */
    size_t pointer_count;
    const char *notes; /* lines */
    const char *sizes; /* lines: what pointers lead to, where nobody said how much there is */
    enum {
        INITIAL_VALUES,  /* of variables that are no inputs are all that was explored */
        OTHERS_AWAITED,  /* whether others show a difference is to be asked */
        OTHERS_EXPLORED, /* with no difference, to the end */
    } values;
    bool has_state;            /* every variable that can be an input is one */
    struct words never_inputs; /* variables that cannot be, as an exploration of others has found */
    bool is_proven;            /* the optimiser makes the same of both versions: runs, if any, decide nothing */
    bool needs_stack;          /* only if the stack is enough for recursions that are loops in the other version */
    const char *apart;         /* why the versions were explored apart; NULL where they were explored together */
    struct report_divergence *divergences;
    size_t count, capacity;
    unsigned last_number; /* of a divergence */
    /* Told of the first difference of each group, when it is on disk; NULL: nobody is. */
    void (*tell)(void *context, const struct report *report, const struct report_divergence *divergence);
    void *tell_context;
    size_t told;                 /* how many there were */
    bool has_difference;         /* one of them is a difference of behaviour: as far as is known while exploring */
    bool all;                    /* every divergence is shown and has a folder, not only one of each group */
    const json_t *patch;         /* of docs/json.md; NULL where there is none */
    struct report_group *groups; /* most serious first */
    size_t group_count, group_capacity;
    const char *fixed_problem; /* why the version of --fixed was not run; NULL where it was, or none was given */
    json_t *group_objects; /* the groups as the document has them, in their order; NULL until report_make_groups() */
    struct set *shown;     /* keys of the groups whose first divergence is on disk */
    struct set *kept;      /* of a campaign that goes on: keys of those that were on disk when it began; or NULL */
    struct report_unproven *left;
    size_t left_count, left_capacity;
    const struct site_table *sites;  /* of the program that was explored; NULL where there was none */
    bool inside;                     /* the program ran inside the process that explored */
    const char *sandbox;             /* how programs under test were confined; NULL where nothing was run */
    bool is_weakly_confined;         /* worse than was asked for */
    size_t native_runs;              /* inputs that were guessed and run on both versions */
    size_t unproven;                 /* found, and not run natively */
    size_t unseen_failures;          /* runs that failed, and did not natively */
    bool unconfirmed;                /* no time was left to look for failures that sanitizers miss */
    const char *recorded_notes;      /* lines about the next; NULL where there are none */
    json_t *recorded;                /* calls of the entry, and the seeds that they made; NULL where nobody looked */
    json_t *semantic_changes;        /* of docs/json.md, NULL where partitions were not explored */
    json_t *pair_counts;             /* how many pairs of partitions there were, and what of them is known */
    json_t *seeds;                   /* what each does in each version, NULL where partitions were not explored */
    json_t *unexecuted_changes;      /* places of changes that no run has executed; or NULL */
    bool has_no_changes;             /* no changed statement is left that a run could execute */
    bool has_no_output;              /* every run of a version fails, or does not end */
    size_t unconfirmed_changes;      /* of them, that native runs do not show */
    const char *dependences_unknown; /* why every branch counted as relevant; NULL where that was not so */
    size_t unrun;                    /* inputs of versions that are apart: paths were compared, and these left */
    const struct explore_statistics *statistics;
    const struct solve_statistics *solver;
    double seconds, seconds_to_first; /* to_first: negative when nothing was confirmed */
    /* What report_conclude() makes of all this. */
    enum verdict verdict;
    struct limits limits;
    struct assumptions assumptions;
};

/* When nothing is to be found any more: the limits, the assumptions and the verdict, once for all forms. */
void report_conclude(struct report *report);
void report_free(struct report *report);               /* what it made */
bool report_is_different(const struct report *report); /* known while exploring already */
const char *verdict_name(enum verdict verdict);        /* "different", ... */
/* Whether the exploration came to what it was for: it was not interrupted, and reached a change where there is one to
 * be reached. */
bool report_is_done(const struct report *report);
/* Of a whole program, not of a function. */
bool report_is_program(const struct report *report);
bool report_has_global_inputs(const struct report *report);
#define REPORT_STATE_TEXT                                                                                              \
    "global variables are inputs here: whether the program ever leaves these values in them was not checked"
size_t report_count_class(const struct report *report, enum check_class class);
/* Most serious first. */
void report_sort(struct report *report);
void report_print(const struct report *report, FILE *to, bool colours);
/* `states 20 paths 8 ...`: one line that a table can be made of; docs/counting.md says what is counted. */
void report_print_statistics(const struct report *report, FILE *to);

/* As records, of which documents are made (document.h); each is a new reference. */
json_t *report_divergence_record(const struct report *report, const struct report_divergence *divergence);
json_t *report_entry_record(const struct report *report, int exit_status);
json_t *report_no_counts(void);                         /* all are zero */
const char *report_fixed_name(enum report_fixed fixed); /* "taken-back", ... */
/* Makes the groups' objects, when nothing changes any more. */
void report_make_groups(struct report *report);

#endif
