/* penumbra-cc: `penumbra cc` as a program of its own, since build systems want a compiler whose name is one word, and
 * start it often: it loads neither LLVM nor Z3. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cli_cc(argc, argv);
}
