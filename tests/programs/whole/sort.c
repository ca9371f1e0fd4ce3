/* Sorts lines: -n by numbers, -r in reverse, -u without repetitions, -k FIELD by a field. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool numeric, reverse, unique;
static unsigned long key = 0;
static char **lines;
static size_t count, capacity;

static const char *key_of(const char *line)
{
    for (unsigned long i = 1; i < key; i++) {
        while (*line == ' ')
            line++;
        while (*line && *line != ' ')
            line++;
    }
    while (*line == ' ' && key)
        line++;
    return line;
}

static int compare_numbers(const char *one, const char *other)
{
    long a = strtol(one, NULL, 10), b = strtol(other, NULL, 10);
    return (a > b) - (a < b);
}

static int compare(const void *one, const void *other)
{
    const char *a = key_of(*(char *const *)one), *b = key_of(*(char *const *)other);
    int order = numeric ? compare_numbers(a, b) : strcmp(a, b);
    return reverse ? -order : order;
}

static void read_lines(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, file)) > 0) {
        if (line[length - 1] == '\n')
            line[--length] = '\0';
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 4;
            lines = realloc(lines, capacity * sizeof *lines);
        }
        lines[count] = malloc((size_t)length + 1);
        memcpy(lines[count++], line, (size_t)length + 1);
    }
    free(line);
}

static void print_lines(void)
{
    for (size_t i = 0; i < count; i++) {
        if (unique && i > 0 && compare(&lines[i - 1], &lines[i]) == 0)
            continue;
        puts(lines[i]);
    }
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "nruk:")) != -1) {
        switch (option) {
        case 'n': numeric = true; break;
        case 'r': reverse = true; break;
        case 'u': unique = true; break;
        case 'k':
            key = strtoul(optarg, NULL, 10);
            if (key == 0) {
                fprintf(stderr, "sort: field number is zero\n");
                return 2;
            }
            break;
        default: return 2;
        }
    }
    if (optind == argc)
        read_lines(stdin);
    for (int i = optind; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file) {
            perror(argv[i]);
            return 2;
        }
        read_lines(file);
        fclose(file);
    }
    qsort(lines, count, sizeof *lines, compare);
    print_lines();
    return 0;
}
