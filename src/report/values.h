/* Outputs as a person reads them: bytes of any kind, in lines, of which those with values are known. */
#ifndef PENUMBRA_REPORT_VALUES_H
#define PENUMBRA_REPORT_VALUES_H

#include "report/report.h"

/* Appends what a program printed, with bytes that are no text as `\x00`: a terminal would not show them, or obey them.
 */
void report_add_readable(const struct text *bytes, struct text *text);

/* Whether it is one of the text's lines. */
bool report_has_line(const char *text, const char *line, size_t length);

/* Appends a line of a native run's output, `x = 07 00 00 00  # 7`, with its value as what its type is: `x = 7`. Of an
 * array that `other`, all of the other version's output, has too, only elements that differ are shown. A line that is
 * none of these is appended as it is. */
void report_add_line(const struct report *report, const char *line, size_t length, const char *other,
                     struct text *text);

/* Appends a line for each output that differs in the same way in all divergences in which both versions came to their
 * end, if there are several: such as a variable with another initial value. */
void report_add_common(const struct report *report, struct text *text);

#endif
