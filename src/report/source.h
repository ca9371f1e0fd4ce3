/* The lines of both versions where they part, with what happens there in each. */
#ifndef PENUMBRA_REPORT_SOURCE_H
#define PENUMBRA_REPORT_SOURCE_H

#include "report/report.h"

/* Of each group's witness, as `source` of docs/json.md; the files must still be there. */
void source_add(struct report *report);
void source_free(struct report *report);

#endif
