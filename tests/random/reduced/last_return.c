/* A return in one-sided code at the very end of a void function leaves it early, although nothing follows; where both
 * versions return, they go on together.
 * globals: g
 * inputs: 0 0; 0 5; 5 0; 5 5 */
#include "dialect.h"

int g;

void f(int x, int y)
{
    if (BR(x > 3)) {
        if (execute(OLD)) { BEGIN
            g = 1;
            JOIN(1) return;
        } else { BEGIN
            JOIN(1) return;
        }
    }
    if (execute(OLD)) { BEGIN
        if (BR(y > 3)) {
            LEAVE(1) return;
        }
        g = y;
    END }
}
