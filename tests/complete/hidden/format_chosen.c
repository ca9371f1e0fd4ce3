/* The format differs in what the C library is told about a number. */
#include <penumbra.h>
#include <stdio.h>
int f(int size)
{
    char text[32];
    int length = sprintf(text, change(size >= 1000, size > 1000) ? "%.0f" : "%.1f", size / 4.0);
    return length + sprintf(text, "%*.1f", change(size & 1, size & 3), 2.0);
}
