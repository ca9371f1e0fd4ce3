/* Ctrl-C, and other signals that ask for an end, are for all that is still to be done, native runs too: what was proven
 * is kept. */
#ifndef PENUMBRA_CAMPAIGN_INTERRUPT_H
#define PENUMBRA_CAMPAIGN_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

void interrupt_listen(void);
bool interrupt_came(void);
/* The same, for whoever cannot call. */
volatile sig_atomic_t *interrupt_flag(void);
/* Signals are passed on to the process in each of these slots; 0: to none. */
enum { INTERRUPT_MOST = 64 };
void interrupt_pass_to(size_t slot, pid_t process);

#endif
