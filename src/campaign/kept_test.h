/* What `penumbra export` needs later to make a test of a result: the harness of the new version and how it is built, in
 * `test/` of the results. */
#ifndef PENUMBRA_CAMPAIGN_KEPT_TEST_H
#define PENUMBRA_CAMPAIGN_KEPT_TEST_H

#include "base/error.h"

#define KEPT_TEST_DIRECTORY "test"

struct campaign;

/* Where there is a difference to make a test of. */
bool kept_test_write(const struct campaign *campaign, struct error *error);

#endif
