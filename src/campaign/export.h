/* Tests that a project can keep, made of results: each is a C file that holds the input and what is expected, calls the
 * version that it is compiled with, and passes or fails. They need a C compiler with AddressSanitizer, and no Penumbra.
 * Those of whole programs are shell scripts, which are given a program. */
#ifndef PENUMBRA_CAMPAIGN_EXPORT_H
#define PENUMBRA_CAMPAIGN_EXPORT_H

#include "base/error.h"
#include "base/text.h"

#include <jansson.h>

enum export_format { EXPORT_C, EXPORT_SH, EXPORT_CTEST, EXPORT_CHECK, EXPORT_CMOCKA };
#define EXPORT_FORMATS "c|sh|ctest|check|cmocka"

/* Whose behaviour passes. By default that of the version that does not fail: the old one's, and a fix's new one's. */
enum export_expect { EXPORT_EXPECT_USUAL, EXPORT_EXPECT_OLD, EXPORT_EXPECT_NEW };

struct export_request {
    const char *results;   /* the directory that is exported */
    const char *directory; /* where tests go: a new one */
    bool only_missing;     /* only semantic changes that no seed shows */
    const char *only;      /* the id or number of a group; NULL: all */
    enum export_format format;
    enum export_expect expect;
};

/* `skipped` has a line for each group that no test can be made of, with the reason. */
bool export_tests(const struct export_request *request, size_t *count, struct text *skipped, struct error *error);

#endif
