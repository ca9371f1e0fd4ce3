/* Function mode: the program is a server that forks a child for each run. The explorer writes one byte to ask for a run;
 * the answer is the child's process id at once, and its wait status when it has ended. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

void __pn_harness(void);

static bool answer(int32_t value)
{
    return write(PN_ANSWER_DESCRIPTOR, &value, sizeof value) == sizeof value;
}

__attribute__((noreturn)) static void run_child(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(PN_COMMAND_DESCRIPTOR);
    close(PN_ANSWER_DESCRIPTOR);
    __pn_harness();
    pn_trace->ending = PN_COMPLETED;
    fflush(stdout);
    _exit(0);
}

int main(void)
{
    char command;
    if (!answer(0)) {
        fprintf(stderr, "This program is run by penumbra.\n");
        return 2;
    }
    while (read(PN_COMMAND_DESCRIPTOR, &command, 1) == 1) {
        pid_t child = fork();
        if (child == 0)
            run_child();
        int status = 0;
        if (child < 0 || !answer(child) || waitpid(child, &status, 0) != child || !answer(status))
            return 2;
    }
    return 0;
}
