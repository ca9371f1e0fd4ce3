/* root finding: Newton's square root; the new version stops a step earlier where it is exact */
/*@ equal --range x=1..100 --max-loop 20 --time 20 */
#include <penumbra.h>

double f(double x)
{
    double guess = x > 10 ? 6 : 2;
    for (int i = 0; i < 4; i++) {
        if (execute(NEW)) {
            if (guess * guess == x)
                break;
        }
        guess = 0.5 * (guess + x / guess);
    }
    return guess > 0;
}
