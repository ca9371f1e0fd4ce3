/* Linked into a native program that is made to tell whether a start reaches a change: pn_change() and pn_execute() call
 * __pn_mark() there (penumbra.h, PENUMBRA_MARKS). Standard input is what the tool has put into the file that both
 * share. */
#include "recorder/touch.h"

#include "execute/serve.h"

#include <sys/mman.h>

static volatile char *mark;

__attribute__((constructor)) static void open_shared(void)
{
    void *shared = mmap(NULL, TOUCH_INPUT, PROT_READ | PROT_WRITE, MAP_SHARED, SERVE_TRACE, 0);
    if (shared == MAP_FAILED)
        return;
    mark = shared;
    lseek(SERVE_TRACE, TOUCH_INPUT, SEEK_SET);
    dup2(SERVE_TRACE, STDIN_FILENO);
}

void __pn_mark(void);
void __pn_mark(void)
{
    if (mark)
        mark[TOUCH_MARK] = 1;
}
