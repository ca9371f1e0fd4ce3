/* Lines, words and bytes, as wc counts them. */
#include "text.h"

int main(void)
{
    unsigned long lines = 0, words = 0;
    bool is_in_word = false;
    make_text();
    for (size_t i = 0; i < TEXT; i++) {
        int c = text[i];
        lines += c == '\n';
        if (c == ' ' || c == '\n' || c == '\t') {
            is_in_word = false;
        } else if (!is_in_word) {
            is_in_word = true;
            words++;
        }
    }
    printf("%lu %lu %d\n", lines, words, TEXT);
}
