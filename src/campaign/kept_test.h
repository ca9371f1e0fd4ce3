/* What `penumbra export` needs later to make a test of a result: the harness of the new version and how it is built, in
 * `test/` of the results. */
#ifndef PENUMBRA_CAMPAIGN_KEPT_TEST_H
#define PENUMBRA_CAMPAIGN_KEPT_TEST_H

#include "base/error.h"

#define KEPT_TEST_DIRECTORY "test"

/* What a whole program is started with, by the kind of its channels. */
#define KEPT_ARGUMENT "argument"
#define KEPT_STREAM "stream"
#define KEPT_FILE "file"
#define KEPT_VARIABLE "variable"

struct campaign;

/* When there is a difference to make a test of; once. */
bool kept_test_write(struct campaign *campaign, struct error *error);

#endif
