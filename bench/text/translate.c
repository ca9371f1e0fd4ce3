/* Letters become capitals and repeated blanks one, as tr does it: by a table. */
#include "text.h"

static unsigned char map[256], result[TEXT];

int main(void)
{
    size_t length = 0;
    int last = -1;
    make_text();
    for (int i = 0; i < 256; i++)
        map[i] = (unsigned char)(i >= 'a' && i <= 'z' ? i - 32 : i);
    for (size_t i = 0; i < TEXT; i++) {
        int c = map[text[i]];
        if (c == ' ' && last == ' ')
            continue;
        result[length++] = (unsigned char)c;
        last = c;
    }
    printf("%zu %d\n", length, result[length / 2]);
}
