/* Encodes or decodes (-d) Base64; -w WIDTH breaks lines, -i ignores what is none of it. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static unsigned long width = 76, column;

static void put(char character)
{
    if (width && column == width) {
        putchar('\n');
        column = 0;
    }
    putchar(character);
    column++;
}

static void encode(FILE *file)
{
    unsigned char group[3];
    size_t count;
    while ((count = fread(group, 1, 3, file)) > 0) {
        unsigned value = (unsigned)group[0] << 16 | (count > 1 ? (unsigned)group[1] << 8 : 0) | (count > 2 ? group[2] : 0);
        put(letters[value >> 18]);
        put(letters[value >> 12 & 63]);
        put(count > 1 ? letters[value >> 6 & 63] : '=');
        put(count > 2 ? letters[value & 63] : '=');
    }
    if (width && column)
        putchar('\n');
}

static int value_of(int character)
{
    if (character >= 'A' && character <= 'Z')
        return character - 'A';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 26;
    if (character >= '0' && character <= '9')
        return character - '0' + 52;
    return character == '+' ? 62 : character == '/' ? 63 : -1;
}

static int decode(FILE *file, bool ignore)
{
    unsigned bits = 0;
    int count = 0, padding = 0, character;
    while ((character = getc(file)) != EOF) {
        int value = value_of(character);
        if (character == '\n')
            continue;
        if (character == '=') {
            padding++;
            bits <<= 6;
            count++;
        } else if (value < 0) {
            if (ignore)
                continue;
            fprintf(stderr, "base64: invalid input\n");
            return 1;
        } else if (padding) {
            fprintf(stderr, "base64: invalid input\n");
            return 1;
        } else {
            bits = bits << 6 | (unsigned)value;
            count++;
        }
        if (count == 4) {
            if (padding > 2) {
                fprintf(stderr, "base64: invalid input\n");
                return 1;
            }
            putchar((int)(bits >> 16 & 255));
            if (padding < 2)
                putchar((int)(bits >> 8 & 255));
            if (padding < 1)
                putchar((int)(bits & 255));
            bits = 0;
            count = 0;
            padding = 0;
        }
    }
    if (count) {
        fprintf(stderr, "base64: invalid input\n");
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    bool decodes = false, ignores = false;
    int option;
    while ((option = getopt(argc, argv, "diw:")) != -1) {
        switch (option) {
        case 'd': decodes = true; break;
        case 'i': ignores = true; break;
        case 'w': width = strtoul(optarg, NULL, 10); break;
        default: return 1;
        }
    }
    FILE *file = optind < argc ? fopen(argv[optind], "r") : stdin;
    if (!file) {
        perror(argv[optind]);
        return 1;
    }
    if (decodes)
        return decode(file, ignores);
    encode(file);
    return 0;
}
