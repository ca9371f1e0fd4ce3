/* Prints numbers from FIRST to LAST, by INCREMENT, with a format and a separator; -w makes them equally wide. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *separator = "\n";
static const char *format;
static bool equal_width;

static void fail(const char *message, const char *word)
{
    fprintf(stderr, "seq: %s: '%s'\n", message, word);
    exit(1);
}

static double read_number(const char *word)
{
    char *end;
    double number = strtod(word, &end);
    if (end == word || *end)
        fail("invalid floating point argument", word);
    return number;
}

/* One directive, and no other. */
static const char *check_format(const char *text)
{
    size_t at = 0, directives = 0;
    while (text[at]) {
        if (text[at] != '%') {
            at++;
            continue;
        }
        if (text[at + 1] == '%') {
            at += 2;
            continue;
        }
        at++;
        at += strspn(text + at, "-+#0 ");
        at += strspn(text + at, "0123456789");
        if (text[at] == '.')
            at += 1 + strspn(text + at + 1, "0123456789");
        if (!text[at] || !strchr("efgaEFGA", text[at]))
            fail("unknown directive in format", text);
        at++;
        directives++;
    }
    if (directives == 0)
        fail("format has no directive", text);
    if (directives > 1)
        fail("format has too many directives", text);
    return text;
}

static int decimals_of(const char *word)
{
    const char *point = strchr(word, '.');
    return point ? (int)strlen(point + 1) : 0;
}

/* A format that shows each number with as many decimals as are given, and equally wide. */
static const char *make_format(char *buffer, size_t size, char **words, int count)
{
    int decimals = 0, width = 0;
    for (int i = 0; i < count; i++) {
        int here = decimals_of(words[i]), length = (int)strlen(words[i]);
        if (i + 1 < count && here > decimals)
            decimals = here;
        if (i != 1 || count < 3)
            width = length > width ? length : width;
    }
    if (count == 1)
        decimals = decimals_of(words[0]);
    snprintf(buffer, size, "%%0%d.%df", width, decimals);
    return buffer;
}

int main(int argc, char **argv)
{
    double first = 1, increment = 1, last;
    char buffer[32];
    int option;
    while ((option = getopt(argc, argv, "+f:s:w")) != -1) {
        switch (option) {
        case 'f': format = check_format(optarg); break;
        case 's': separator = optarg; break;
        case 'w': equal_width = true; break;
        default: return 1;
        }
    }
    int count = argc - optind;
    char **words = argv + optind;
    if (count < 1 || count > 3)
        fail(count < 1 ? "missing operand" : "extra operand", count < 1 ? "" : words[3]);
    last = read_number(words[count - 1]);
    if (count > 1)
        first = read_number(words[0]);
    if (count > 2)
        increment = read_number(words[1]);
    if (increment == 0)
        fail("invalid Zero increment value", words[1]);
    if (!format)
        format = equal_width ? make_format(buffer, sizeof buffer, words, count) : "%g";
    for (int i = 0; i < 40; i++) {
        double number = first + i * increment;
        if (increment > 0 ? number > last : number < last)
            break;
        if (i)
            fputs(separator, stdout);
        printf(format, number);
    }
    putchar('\n');
    return 0;
}
