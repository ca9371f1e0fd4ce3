/* Prints selected bytes or fields of each line: lists of ranges, open and closed, and an output delimiter. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
    size_t low, high;
};

static struct range *ranges;
static size_t range_count, range_capacity;
static size_t largest;           /* position that a closed range, or the beginning of an open one, names */
static size_t open_from;         /* everything from here on is printed; 0: nothing of that kind */
static unsigned char *selected;  /* a bit for each position up to the largest */
static size_t *begins;           /* where a range begins: the output delimiter comes before it */
static size_t begin_count;
static const char *output_delimiter;
static char delimiter = '\t';
static bool by_fields, only_delimited;

static void fail(const char *message)
{
    fprintf(stderr, "cut: %s\n", message);
    exit(1);
}

static void add_range(size_t low, size_t high)
{
    if (range_count == range_capacity) {
        range_capacity = range_capacity ? 2 * range_capacity : 4;
        ranges = realloc(ranges, range_capacity * sizeof *ranges);
        if (!ranges)
            fail("memory exhausted");
    }
    ranges[range_count].low = low;
    ranges[range_count].high = high;
    range_count++;
}

static const char *read_number(const char *text, size_t *number)
{
    *number = 0;
    while (*text >= '0' && *text <= '9') {
        *number = *number * 10 + (size_t)(*text - '0');
        if (*number > 100000)
            fail("number too large");
        text++;
    }
    return text;
}

static void take_range(size_t low, size_t high, bool has_dash)
{
    if (!has_dash) {
        if (low == 0)
            fail("positions are numbered from 1");
        add_range(low, low);
        return;
    }
    if (low == 0)
        low = 1;
    if (high == 0) {
        if (open_from == 0 || low < open_from)
            open_from = low;
        return;
    }
    if (high < low)
        fail("invalid decreasing range");
    add_range(low, high);
}

static void read_list(const char *text)
{
    while (*text) {
        size_t low, high = 0;
        bool has_dash = false;
        text = read_number(text, &low);
        if (*text == '-') {
            has_dash = true;
            text = read_number(text + 1, &high);
        }
        if (*text == ',')
            text++;
        else if (*text)
            fail("invalid list");
        take_range(low, high, has_dash);
    }
}

static void set_bit(unsigned char *bits, size_t position)
{
    bits[position / 8] |= (unsigned char)(1u << position % 8);
}

static void add_begin(size_t position)
{
    begins = realloc(begins, (begin_count + 1) * sizeof *begins);
    if (!begins)
        fail("memory exhausted");
    begins[begin_count++] = position;
}

static bool has_bit(const unsigned char *bits, size_t position)
{
    return bits[position / 8] >> position % 8 & 1;
}

static void mark_ranges(void)
{
    for (size_t i = 0; i < range_count; i++)
        if (ranges[i].high > largest)
            largest = ranges[i].high;
    if (open_from > largest)
        largest = open_from;
    selected = calloc(largest / 8 + 1, 1);
    if (!selected)
        fail("memory exhausted");
    for (size_t i = 0; i < range_count; i++) {
        for (size_t k = ranges[i].low; k <= ranges[i].high; k++)
            set_bit(selected, k);
        if (output_delimiter)
            add_begin(ranges[i].low);
    }
    if (output_delimiter && open_from && !has_bit(selected, open_from))
        add_begin(open_from);
}

static bool is_selected(size_t position)
{
    if (open_from && position >= open_from)
        return true;
    return position <= largest && has_bit(selected, position);
}

static bool is_begin(size_t position)
{
    for (size_t i = 0; i < begin_count; i++)
        if (begins[i] == position)
            return true;
    return false;
}

static void cut_bytes(FILE *file)
{
    size_t position = 0;
    bool has_printed = false;
    int byte;
    while ((byte = getc(file)) != EOF) {
        if (byte == '\n') {
            putchar('\n');
            position = 0;
            has_printed = false;
            continue;
        }
        position++;
        if (!is_selected(position))
            continue;
        if (has_printed && output_delimiter && is_begin(position))
            fputs(output_delimiter, stdout);
        putchar(byte);
        has_printed = true;
    }
    if (position)
        putchar('\n');
}

static void print_fields(const char *line)
{
    size_t field = 1;
    bool has_printed = false;
    if (!strchr(line, delimiter)) {
        if (!only_delimited)
            puts(line);
        return;
    }
    while (line) {
        const char *end = strchr(line, delimiter);
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (is_selected(field)) {
            if (has_printed && output_delimiter)
                fputs(output_delimiter, stdout);
            else if (has_printed)
                putchar(delimiter);
            fwrite(line, 1, length, stdout);
            has_printed = true;
        }
        line = end ? end + 1 : NULL;
        field++;
    }
    putchar('\n');
}

static void cut_fields(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        print_fields(line);
    }
    free(line);
}

static void cut_file(const char *name)
{
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    if (!file) {
        fprintf(stderr, "cut: %s: %s\n", name, strerror(errno));
        exit(1);
    }
    if (by_fields)
        cut_fields(file);
    else
        cut_bytes(file);
    if (file != stdin)
        fclose(file);
}

static void read_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"bytes", required_argument, NULL, 'b'},      {"characters", required_argument, NULL, 'c'},
        {"delimiter", required_argument, NULL, 'd'},  {"fields", required_argument, NULL, 'f'},
        {"only-delimited", no_argument, NULL, 's'},   {"output-delimiter", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},             {NULL, 0, NULL, 0},
    };
    const char *list = NULL;
    int option;
    while ((option = getopt_long(argc, argv, "b:c:d:f:s", options, NULL)) != -1) {
        switch (option) {
        case 'b':
        case 'c': list = optarg; break;
        case 'f':
            list = optarg;
            by_fields = true;
            break;
        case 'd':
            if (optarg[0] && optarg[1])
                fail("the delimiter must be a single character");
            delimiter = optarg[0];
            break;
        case 's': only_delimited = true; break;
        case 'o': output_delimiter = optarg; break;
        case 'h': puts("usage: cut -b LIST | -f LIST [FILE]..."); exit(0);
        default: exit(1);
        }
    }
    if (!list)
        fail("you must specify a list of bytes or fields");
    read_list(list);
    if (range_count == 0 && open_from == 0)
        fail("missing list");
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    mark_ranges();
    if (optind == argc)
        cut_file("-");
    for (int i = optind; i < argc; i++)
        cut_file(argv[i]);
    return 0;
}
