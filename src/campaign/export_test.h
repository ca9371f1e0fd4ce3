/* Between the files of the exporter: export.c has tests of functions and all that they share, export_program.c those of
 * whole programs. */
#ifndef PENUMBRA_CAMPAIGN_EXPORT_TEST_H
#define PENUMBRA_CAMPAIGN_EXPORT_TEST_H

#include "base/arena.h"
#include "campaign/export.h"

/* One test. */
struct test {
    const struct export_request *request;
    const json_t *group;
    json_t *build; /* test/build.json of the entry */
    const char *entry_directory, *name, *expected_version;
    struct arena *arena;
};

const json_t *test_run_of(const json_t *group, const char *version);
/* A file in the folder of the witness. */
const char *test_witness_file(const struct test *test, const char *name);

/* Whether it is one of a whole program: a script, which is given the program. */
bool program_test_is_one(const struct test *test);
/* Why no test can be made of it, or NULL. */
const char *program_test_obstacle(const struct test *test);
bool program_test_write(const struct test *test, struct error *error);
/* How the program is built, and the test run, in the script or the CMakeLists.txt of all tests. */
void program_test_add_build(const struct test *test, struct text *list);
void program_test_add_to_list(const struct test *test, struct text *list);

#endif
