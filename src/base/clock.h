/* Times in seconds. */
#ifndef PENUMBRA_BASE_CLOCK_H
#define PENUMBRA_BASE_CLOCK_H

#include <stdbool.h>

/* Since some moment in the past; never goes back. */
double clock_seconds(void);
/* Whether that moment has come; 0 never does. */
bool clock_has_passed(double moment);
/* The same, up to ten milliseconds late, and read in a few nanoseconds. */
double clock_rough_seconds(void);
/* Processor time that this process has used. */
double clock_cpu_seconds(void);

#endif
