#include "campaign/interrupt.h"

static volatile sig_atomic_t interrupted;
static volatile pid_t also;

static void note(int number)
{
    interrupted = 1;
    if (also)
        kill(also, number);
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

void interrupt_pass_to(pid_t process)
{
    also = process;
}
