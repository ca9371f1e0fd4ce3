#include "campaign/interrupt.h"

static volatile sig_atomic_t interrupted;
static volatile pid_t others[INTERRUPT_MOST];

static void note(int number)
{
    interrupted = 1;
    for (size_t i = 0; i < INTERRUPT_MOST; i++)
        if (others[i])
            kill(others[i], number);
}

void interrupt_listen(void)
{
    signal(SIGINT, note);
    signal(SIGTERM, note);
    signal(SIGHUP, note);
}

bool interrupt_came(void)
{
    return interrupted;
}

volatile sig_atomic_t *interrupt_flag(void)
{
    return &interrupted;
}

void interrupt_pass_to(size_t slot, pid_t process)
{
    others[slot] = process;
    if (process && interrupted) /* before it was known */
        kill(process, SIGTERM);
}
