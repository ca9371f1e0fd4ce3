/* Dumps a file: -t x1|x2|o1|d1|c, -A d|o|x|n for addresses, -j SKIP, -N COUNT, -v also repeated lines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 16 };

static char type = 'o', address = 'o';
static unsigned size = 2;
static unsigned long skip, limit = 0xffffffff;
static bool all_lines;

static bool read_type(const char *text)
{
    if (!*text || !strchr("xodc", *text))
        return false;
    type = *text++;
    size = type == 'c' ? 1 : 2;
    if (*text) {
        if (type == 'c' || (*text != '1' && *text != '2') || text[1])
            return false;
        size = (unsigned)(*text - '0');
    }
    return true;
}

static void print_address(unsigned long at)
{
    if (address == 'n')
        return;
    printf(address == 'd' ? "%07lu" : address == 'x' ? "%06lx" : "%07lo", at);
}

static void print_character(unsigned char byte)
{
    static const char names[] = "\\0\\a\\b\\t\\n\\v\\f\\r";
    if (byte == 0)
        printf("  %.2s", names);
    else if (byte >= 7 && byte <= 13)
        printf("  %.2s", names + 2 * (byte - 6));
    else if (byte >= 32 && byte < 127)
        printf("   %c", byte);
    else
        printf(" %03o", byte);
}

static void print_line(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += size) {
        unsigned value = bytes[i];
        if (size == 2 && i + 1 < count)
            value |= (unsigned)bytes[i + 1] << 8;
        if (type == 'c')
            print_character(bytes[i]);
        else if (type == 'x')
            printf(size == 1 ? " %02x" : " %04x", value);
        else if (type == 'd')
            printf(size == 1 ? " %4d" : " %6d", size == 1 ? (int)(signed char)value : (int)(short)value);
        else
            printf(size == 1 ? " %03o" : " %06o", value);
    }
    putchar('\n');
}

static void dump(FILE *file)
{
    unsigned char line[WIDTH], last[WIDTH];
    unsigned long at = 0;
    bool has_last = false, has_star = false;
    while (skip > 0 && getc(file) != EOF)
        skip--, at++;
    while (limit > 0) {
        size_t wanted = limit < WIDTH ? limit : WIDTH;
        size_t count = fread(line, 1, wanted, file);
        if (count == 0)
            break;
        if (count == WIDTH && has_last && !all_lines && memcmp(line, last, WIDTH) == 0) {
            if (!has_star)
                puts("*");
            has_star = true;
        } else {
            has_star = false;
            print_address(at);
            print_line(line, count);
        }
        memcpy(last, line, count);
        has_last = count == WIDTH;
        at += count;
        limit -= count;
    }
    print_address(at);
    if (address != 'n')
        putchar('\n');
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "A:t:j:N:v")) != -1) {
        switch (option) {
        case 'A':
            address = *optarg;
            if (!address || !strchr("doxn", address) || optarg[1]) {
                fprintf(stderr, "od: invalid output address radix '%s'\n", optarg);
                return 1;
            }
            break;
        case 't':
            if (!read_type(optarg)) {
                fprintf(stderr, "od: invalid type string '%s'\n", optarg);
                return 1;
            }
            break;
        case 'j': skip = strtoul(optarg, NULL, 0); break;
        case 'N': limit = strtoul(optarg, NULL, 0); break;
        case 'v': all_lines = true; break;
        default: return 1;
        }
    }
    FILE *file = optind < argc ? fopen(argv[optind], "r") : stdin;
    if (!file) {
        perror(argv[optind]);
        return 1;
    }
    dump(file);
    return 0;
}
