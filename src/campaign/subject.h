/* A subject is a program to be explored, and the inputs that it is explored from: the options that name them, and
 * everything from the source text to an instrumented program that is ready to run. */
#ifndef PENUMBRA_CAMPAIGN_SUBJECT_H
#define PENUMBRA_CAMPAIGN_SUBJECT_H

#include "base/error.h"
#include "base/words.h"
#include "build/build.h"
#include "execute/world.h"
#include "explore/target.h"
#include "input/recorded.h"
#include "source/program.h"

/* What becomes of signed overflow: it wraps around, or inputs that overflow are of no interest. */
enum overflow { OVERFLOW_WRAPS, OVERFLOW_ASSUMED_NONE };

struct subject_options {
    struct words files, seeds, ranges, sizes, globals, stubs, links, assumptions, nulls, not_nulls, zeros, unterminated;
    double depth;          /* of pointers that are followed; 0: not given */
    size_t usual_elements; /* as in struct program_request, like the next two */
    size_t string_elements;
    struct words string_sizes;
    const struct recorded_inputs *recorded; /* seeds beside those that the user gave; or NULL */
    bool all_null, none_null, none_terminated, distinct, made_by_library, called_twice, all_globals, long_numbers,
        leaks, allocations_fail, allocations_succeed;
    const struct units *made;                    /* instead of the files: the program made from them; or NULL */
    const char *const *origins;                  /* the two versions that it was made from */
    struct words uncompared, uncompared_members; /* variables and members of structures that are no output */
    const char *limits;                          /* lines for the report's notes; may be NULL */
    const struct conversions *conversions;       /* as in struct program_request */
    const struct words *common;                  /* as in struct program_request; NULL: all */
    const char *unreadable;                      /* as in struct program_request */
    bool is_one_version;                         /* what the user names may be the other one's, */
    bool sorts_members;                          /* as in struct program_request, like the next two */
    bool has_own_choices;
    const struct input_layout *also;
    const struct program *other_version; /* which says how the entry's parameters are called, if it is there */
    /* A whole program: how it is started, as in struct invocation_request. */
    bool is_program;
    bool is_linked; /* as in struct program_request */
    struct words arguments, symbolic_files, variables, concrete;
    const char *input, *directory, *root, *seed_directory;
    double growth;
    const char *entry, *cflags;
    const char *entry_path; /* of made files, the one that it is in; NULL: whichever defines it */
    enum overflow overflow;
    bool fold, no_fold;     /* as in struct build_request; the user does not want it */
    double float_tolerance; /* 0: none */
    double run_seconds;
    double memory_megabytes;
    double most_selected;     /* elements */
    bool no_sandbox;          /* programs under test run with the user's own rights */
    enum world_level sandbox; /* the best level to be used */
    struct world world;
};

void subject_options_free(struct subject_options *options);

struct subject {
    const struct subject_options *options;
    struct units units;            /* of the files that the user named */
    struct invocation *invocation; /* of a whole program, else NULL */
    struct program_request request;
    struct program program;
    const char **harness; /* by file */
    struct site_table *sites;
    struct target *target;
    uint8_t **seeds;
    size_t seed_count, seed_size;
    size_t recorded_count; /* of the seeds: the last ones */
    struct input_range *ranges;
    size_t range_count;
    const char *version; /* "OLD" or "NEW": what is explored is this version of it alone; NULL elsewhere */
    bool dependences;    /* with what depends on what in it */
    struct words values; /* the texts of seeds and ranges */
};

/* Reads and checks source, seeds and ranges; nothing is written. */
bool subject_read(struct subject *subject, const struct subject_options *options, struct error *error);
/* Reads a version's own program, which is only run natively: seeds and ranges are those of the program that is
 * explored.
 */
bool subject_read_program(struct subject *subject, const struct subject_options *options, struct error *error);
/* Makes the world of programs under test, which a whole program says more of (else NULL); what is kept for it lies
 * below `directory`. */
bool subject_make_world(struct subject_options *given, const struct invocation *invocation, const char *directory,
                        struct error *error);
/* Writes the harness into `directory`. */
bool subject_write_harness(struct subject *subject, const char *directory, struct error *error);
/* A program that is built beside other work. */
struct subject_build {
    struct build_request request;
    struct build *build;
};
/* Starts to build the program of one version there ("OLD" or "NEW"). */
bool subject_start_version(struct subject *subject, const char *directory, const char *version,
                           struct subject_build *started, struct error *error);
/* Waits for it, and starts the program. */
struct target *subject_finish_version(struct subject *subject, struct subject_build *started, struct site_table *sites,
                                      struct error *error);
/* What subject_make() would make with all checks, when subject_make_prepared() asks for it. */
bool subject_prepare(struct subject *subject, const char *directory, bool exchange, bool as_library,
                     struct subject_build *prepared, struct error *error);
bool subject_make_prepared(struct subject_build *prepared, struct site_table *sites, const char **path,
                           struct error *error);
/* Builds the instrumented program there and starts it. */
struct target *subject_build(struct subject *subject, const char *directory, struct site_table *sites,
                             struct error *error);
struct target_limits subject_limits(const struct subject *subject);
/* Builds it without starting it; with `exchange` the old version runs natively, the new one beside it; with
 * `all_checks` accesses are checked even where nothing is symbolic. With
 * `as_library` the path is that of a library, if a run can be undone (sites->lasting is NULL then). */
bool subject_make(struct subject *subject, const char *directory, bool exchange, bool all_checks, bool as_library,
                  struct site_table *sites, const char **path, struct error *error);
/* The executable after all, of what subject_make() built as a library. NULL on an error. */
const char *subject_make_executable(struct subject *subject, const char *directory, struct error *error);
void subject_free(struct subject *subject);

#endif
