/* A tokenizer of seven bytes, with the tests of characters that C programs have: most of its paths are arms of `&&` and
 * `||` that come to the same. The new version counts a number in the last place twice. */
#include "penumbra.h"

static int is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static int is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int tokenizer(const unsigned char text[7])
{
    int tokens = 0, at = 0;
    while (at < 7 && text[at]) {
        if (is_space(text[at])) {
            at++;
        } else if (is_digit(text[at])) {
            tokens += change(1, at == 6 ? 2 : 1);
            while (at < 7 && is_digit(text[at]))
                at++;
        } else if (is_letter(text[at])) {
            tokens += 10;
            while (at < 7 && (is_letter(text[at]) || is_digit(text[at])))
                at++;
        } else {
            tokens += 100;
            at++;
        }
    }
    return tokens;
}
