/* A number of ten characters, as atoi() reads it. In the new version a plus sign is no sign. */
#include "penumbra.h"

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int decimal(const char text[10])
{
    int at = 0, value = 0, is_negative = 0;
    while (at < 10 && is_space(text[at]))
        at++;
    if (at < 10 && (text[at] == '-' || (change(1, 0) && text[at] == '+')))
        is_negative = text[at++] == '-';
    while (at < 10 && text[at] >= '0' && text[at] <= '9')
        value = value * 10 + (text[at++] - '0');
    return is_negative ? -value : value;
}
