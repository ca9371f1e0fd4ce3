/* A division in code that only the new version has, by what depends on nothing: it fails in the new version alone.
 * globals: zero
 * inputs: 0; 5 */
#include "dialect.h"

int zero;

int f(int z)
{
    int r = 1;
    if (execute(NEW)) { BEGIN
        if (BR(z > 3)) {
            r = DIV(7, zero);
        }
    END }
    return r;
}
