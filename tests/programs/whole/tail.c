/* Prints the last lines or bytes of files, or everything from a line or byte on. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool by_bytes, from_start, quiet;
static unsigned long number = 10;

static void fail(const char *name)
{
    fprintf(stderr, "tail: %s: %s\n", name, strerror(errno));
    exit(1);
}

static void copy_rest(int file)
{
    char buffer[512];
    ssize_t count;
    while ((count = read(file, buffer, sizeof buffer)) > 0)
        fwrite(buffer, 1, (size_t)count, stdout);
}

static void skip_bytes(int file, unsigned long count)
{
    char buffer[64];
    while (count > 0) {
        ssize_t got = read(file, buffer, count < sizeof buffer ? count : sizeof buffer);
        if (got <= 0)
            break;
        count -= (unsigned long)got;
    }
}

static void skip_lines(int file, unsigned long count)
{
    char byte;
    while (count > 0 && read(file, &byte, 1) == 1)
        if (byte == '\n')
            count--;
}

/* Everything is kept: files are small. */
static char *read_all(int file, size_t *length)
{
    size_t capacity = 256;
    char *text = malloc(capacity);
    *length = 0;
    for (;;) {
        if (*length == capacity)
            text = realloc(text, capacity *= 2);
        ssize_t count = read(file, text + *length, capacity - *length);
        if (count <= 0)
            return text;
        *length += (size_t)count;
    }
}

static void print_last(int file)
{
    size_t length, start;
    char *text = read_all(file, &length);
    start = length;
    if (by_bytes) {
        start = number < length ? length - number : 0;
    } else {
        unsigned long lines = 0;
        if (start > 0 && text[start - 1] == '\n')
            start--;
        while (start > 0) {
            if (text[start - 1] == '\n' && ++lines == number)
                break;
            start--;
        }
        if (number == 0)
            start = length;
    }
    fwrite(text + start, 1, length - start, stdout);
    free(text);
}

static void tail_file(const char *name, bool has_header)
{
    int file = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
    if (file < 0)
        fail(name);
    if (has_header && !quiet)
        printf("==> %s <==\n", name);
    if (!from_start) {
        print_last(file);
    } else {
        if (by_bytes)
            skip_bytes(file, number ? number - 1 : 0);
        else
            skip_lines(file, number ? number - 1 : 0);
        copy_rest(file);
    }
    if (file != STDIN_FILENO)
        close(file);
}

static void take_number(const char *word)
{
    char *end;
    from_start = *word == '+';
    if (*word == '+' || *word == '-')
        word++;
    number = strtoul(word, &end, 10);
    if (end == word || *end) {
        fprintf(stderr, "tail: invalid number: '%s'\n", word);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "c:n:q")) != -1) {
        switch (option) {
        case 'c': by_bytes = true; take_number(optarg); break;
        case 'n': by_bytes = false; take_number(optarg); break;
        case 'q': quiet = true; break;
        default: return 1;
        }
    }
    if (optind == argc)
        tail_file("-", false);
    for (int i = optind; i < argc; i++)
        tail_file(argv[i], argc - optind > 1);
    return 0;
}
