/* Function mode: the program is a server that forks a child for each run (execute/serve.h). With an input file as its
 * argument it runs once, by hand. */
#include "execute/serve.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <unistd.h>

__attribute__((noreturn)) static void run_once(void)
{
    pn_run_program();
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc == 2)
        pn_read_input_file(argv[1]);
    else if (!serve()) {
        fprintf(stderr, "usage: %s INPUT\nINPUT is a file of lines like `x = 07 00 00 00`, one for each input.\n",
                argc > 0 ? argv[0] : "program");
        return 2;
    } else {
        dup2(STDOUT_FILENO, STDERR_FILENO); /* which nobody reads any more */
    }
    run_once();
}
