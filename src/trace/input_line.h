/* A line of an input file, `name = 07 00 00 00  # 7`: read by the native programs and by the runtime, which share no
 * object. */
#ifndef PENUMBRA_TRACE_INPUT_LINE_H
#define PENUMBRA_TRACE_INPUT_LINE_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct pn_input_line {
    char *name;
    unsigned char *bytes;
    unsigned long size;
};

static inline int pn_hexadecimal_digit(int character)
{
    return isdigit(character) ? character - '0' : tolower(character) - 'a' + 10;
}

static inline bool pn_input_line_is_empty(const char *text)
{
    return text[0] == '#' || text[strspn(text, " \t\r\n")] == '\0';
}

/* Splits the text in place; the bytes overwrite their own digits. */
static inline bool pn_input_line_read(char *text, struct pn_input_line *line)
{
    char *equals = strstr(text, " = ");
    if (!equals)
        return false;
    *equals = '\0';
    *line = (struct pn_input_line){.name = text, .bytes = (unsigned char *)equals + 1};
    const unsigned char *at = (unsigned char *)equals + 3;
    for (;;) {
        while (isspace(*at))
            at++;
        if (*at == '\0' || *at == '#')
            return true;
        if (!isxdigit(at[0]) || !isxdigit(at[1]))
            return false;
        line->bytes[line->size++] = (unsigned char)(pn_hexadecimal_digit(at[0]) << 4 | pn_hexadecimal_digit(at[1]));
        at += 2;
    }
}

#endif
