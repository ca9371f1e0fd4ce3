/* The proof: native old and new builds of the original sources, run on an input, and what that means.
 *
 * The builds are clang's at -O0, so that no access, division or call that the source has is optimised away. Old and new
 * with AddressSanitizer (and -fwrapv, as the trace has it) decide the class; old and new with
 * UndefinedBehaviorSanitizer only add the flag "needs signed overflow" (or another undefined behaviour). */
#ifndef PENUMBRA_CHECK_CHECK_H
#define PENUMBRA_CHECK_CHECK_H

#include "base/error.h"
#include "base/text.h"
#include "execute/world.h"
#include "source/program.h"
#include "trace/trace.h"

#include <stdbool.h>

/* By what was observed, not by what was predicted. */
enum check_class {
    CHECK_REGRESSION,   /* an error only in the new version */
    CHECK_FIX,          /* an error only in the old version */
    CHECK_OUTPUT,       /* different output or exit status, no error (or both fail, in different ways) */
    CHECK_LEAK,         /* the same output, but not as much memory is lost */
    CHECK_SILENT,       /* the same output */
    CHECK_BOTH_FAIL,    /* both fail alike */
    CHECK_UNREPRODUCED, /* the native runs contradict the trace: a defect of ours */
};

/* Whether users of the program can see it: another output, or another failure. */
bool check_class_is_difference(enum check_class class);
const char *check_class_name(enum check_class class); /* "regression", "fix", "output", "silent", "both-fail", ... */

/* What one native run did. */
struct check_observation {
    bool failed;            /* crash, sanitizer report, abort, assertion, time or memory limit */
    bool passed_limit;      /* of time or memory */
    bool timed_out;         /* of time */
    bool out_of_stack;      /* it called itself too often */
    bool left_object;       /* it accessed memory outside of an object, not near NULL, and none that was freed; or it
                               copied what overlaps by a function that must not */
    bool by_own_check;      /* the failure is known from Penumbra's object checks: the sanitizer did not see it */
    bool assumption_failed; /* pn_assume(): the input is none of interest */
    char failure[128];      /* "global-buffer-overflow", "assertion", "division by zero (SIGFPE)", "time limit", "" */
    char location[256];     /* "file.c:8:20" of the failure where the sanitizer tells */
    struct text output;   /* what the program printed, then a line for each pn_output(), `name = 07 00 00 00  # 7`, then
                             what it left behind; channel.h tells these apart */
    size_t printed, left; /* how many bytes of it the program printed, and has left behind */
    struct text errors;   /* its standard error, with the sanitizer's report */
    uint64_t leaked_blocks, leaked_bytes; /* that nothing leads to any more; 0 where that was not asked for */
    int exit_status;                      /* -1 when a signal or a limit ended it */
    bool signed_overflow;                 /* in programs with UndefinedBehaviorSanitizer; so is: */
    char undefined[128];                  /* the first other undefined behaviour, with its place; "" when none */
};

struct check_verdict {
    enum check_class class;
    bool signed_overflow;   /* in either version: UBSan says so */
    char undefined[128];    /* the first other undefined behaviour UBSan names, with its place; "" when none */
    double float_tolerance; /* with which it was judged; 0: none */
    struct check_observation old_run, new_run;
};
/* The flags as every report shows them: false and "" while check_add_flags() has not run. */
bool check_signed_overflow(const struct check_verdict *verdict);
const char *check_undefined(const struct check_verdict *verdict);
void check_verdict_free(struct check_verdict *verdict);

/* Takes out of two observations what is not the same when a version is run again, addresses or the time of day: lines
 * that were printed by their number, outputs by their name. */
void check_ignore_varying(struct check_observation *run, const struct check_observation *again,
                          struct check_observation *other);

/* The class of the two observations; floating-point outputs within the tolerance are the same. */
enum check_class check_classify(const struct check_observation *old_run, const struct check_observation *new_run,
                                double tolerance);

/* Adds a failure that the sanitizers missed and another build with Penumbra's object checks confirmed, and classifies
 * again. A failure that was seen natively stays. `location` may be NULL. */
void check_note_failure(struct check_verdict *verdict, enum pn_side side, enum pn_check why, const char *location);

/* The four native programs. Those that decide the class are built in the background from check_start() on, so that
 * exploration need not wait, the others from the first difference on; the first replay waits for those it needs, and
 * starts them as servers: about a millisecond for a run. A program that
 * cannot serve is started for each run. */
struct checker;

struct checker_options {
    double run_seconds;         /* per native run */
    double latest;              /* no run goes on beyond that moment (clock.h); 0: as long as it may */
    size_t run_memory_bytes;    /* resident */
    const char *const *harness; /* harness files, as written by harness_write() */
    /* Where the old version is a program of its own, which takes the same inputs; NULL where one program holds both. */
    const struct program *old_program;
    const char *const *old_harness;
    const struct world *world;
    double float_tolerance; /* of floating-point outputs; 0: none */
    const char *directory;  /* where the native programs go: directory/old, directory/new, ... */
};

/* The programs and the harness files must outlive the checker. */
struct checker *check_start(const struct program *program, const struct checker_options *options, struct error *error);
/* Runs all native programs on the input file: check_replay(), then check_add_flags(). False when a build failed (the
 * compiler's message), or a program could not be run at all. */
bool check_input(struct checker *checker, const char *input_path, struct check_verdict *verdict, struct error *error);
/* Runs old and new with AddressSanitizer and classifies. */
bool check_replay(struct checker *checker, const char *input_path, struct check_verdict *verdict, struct error *error);
/* The same without a file, for inputs that most likely show nothing: `text` is what the file would hold, `seconds` the
 * limit for each run. */
bool check_try(struct checker *checker, const struct text *text, double seconds, struct check_verdict *verdict,
               struct error *error);
/* The same, without asking whether outputs that differ would differ from run to run: for one of many inputs that show
 * what is known. */
bool check_try_once(struct checker *checker, const struct text *text, struct check_verdict *verdict,
                    struct error *error);
/* Only what UndefinedBehaviorSanitizer says. */
bool check_try_flags(struct checker *checker, const struct text *text, struct check_verdict *verdict,
                     struct error *error);
/* Whether that moment has come: runs fail from then on, which says nothing about the versions. */
bool check_is_late(const struct checker *checker);
/* Whether a replay need not wait for a build. */
bool check_is_ready(struct checker *checker);
/* Adds what UndefinedBehaviorSanitizer says. */
bool check_add_flags(struct checker *checker, const char *input_path, struct check_verdict *verdict,
                     struct error *error);
/* The native program of PN_SIDE_OLD or PN_SIDE_NEW: `PATH INPUT` is what a person pastes to see it happen. */
const char *check_executable(const struct checker *checker, enum pn_side side);
/* Ends builds that are still going on, and the servers that ran the programs. The programs that were built stay. */
void check_stop(struct checker *checker);

#endif
