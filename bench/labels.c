/* Added to a program of bench/programs: an input that the program does not look at. From its start there are labels. */
#include <penumbra.h>

static int unrelated;

__attribute__((constructor)) static void make_labels(void)
{
    pn_symbolic(&unrelated, sizeof unrelated, "unrelated");
    unrelated++;
}
