/* Function mode: the program is a server that forks a child for each run. The explorer writes one byte to ask for a
 * run; the answer is the child's process id at once, and its wait status when it has ended. With an input file as its
 * argument it runs once, by hand. */
#include "runtime/runtime.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool answer(int32_t value)
{
    return write(PN_ANSWER_DESCRIPTOR, &value, sizeof value) == sizeof value;
}

__attribute__((noreturn)) static void run_once(void)
{
    pn_run_program();
    fflush(stdout);
    _exit(0);
}

__attribute__((noreturn)) static void run_child(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(PN_COMMAND_DESCRIPTOR);
    close(PN_ANSWER_DESCRIPTOR);
    run_once();
}

int main(int argc, char **argv)
{
    char command;
    if (argc == 2) {
        pn_read_input_file(argv[1]);
        run_once();
    }
    if (!answer(0)) {
        fprintf(stderr, "usage: %s INPUT\nINPUT is a file of lines like `x = 07 00 00 00`, one for each input.\n",
                argc > 0 ? argv[0] : "program");
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
