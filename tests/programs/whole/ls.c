/* Lists a directory in columns: -a hidden entries too, -1 one a line, -F a sign behind each, -w WIDTH or $COLUMNS. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool all, one_a_line, signs;
static unsigned width = 80;
static char *names[64];
static size_t count;

static int compare(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static char sign_of(const char *directory, const char *name)
{
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (lstat(path, &status))
        return '\0';
    return S_ISDIR(status.st_mode) ? '/' : S_ISLNK(status.st_mode) ? '@' : status.st_mode & 0111 ? '*' : '\0';
}

static bool read_names(const char *directory)
{
    DIR *stream = opendir(directory);
    if (!stream)
        return false;
    for (struct dirent *entry; (entry = readdir(stream)) && count < 64;) {
        if (entry->d_name[0] == '.' && !all)
            continue;
        char *name = malloc(strlen(entry->d_name) + 2);
        sprintf(name, "%s", entry->d_name);
        if (signs) {
            char sign[2] = {sign_of(directory, name), '\0'};
            strcat(name, sign);
        }
        names[count++] = name;
    }
    closedir(stream);
    qsort(names, count, sizeof *names, compare);
    return true;
}

static bool read_width(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value == 0 || value > 1000)
        return false;
    width = (unsigned)value;
    return true;
}

static void print_all(void)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = strlen(names[i]) > longest ? strlen(names[i]) : longest;
    size_t columns = one_a_line ? 1 : width / (longest + 2);
    columns = columns ? columns : 1;
    for (size_t i = 0; i < count; i++) {
        bool is_last = (i + 1) % columns == 0 || i + 1 == count;
        fputs(names[i], stdout);
        for (size_t k = strlen(names[i]); !is_last && k < longest + 2; k++)
            putchar(' ');
        if (is_last)
            putchar('\n');
    }
}

int main(int argc, char **argv)
{
    const char *columns = getenv("COLUMNS");
    int option;
    if (columns && !read_width(columns))
        fprintf(stderr, "ls: ignoring invalid width in COLUMNS: '%s'\n", columns);
    while ((option = getopt(argc, argv, "a1Fw:")) != -1) {
        switch (option) {
        case 'a': all = true; break;
        case '1': one_a_line = true; break;
        case 'F': signs = true; break;
        case 'w':
            if (!read_width(optarg)) {
                fprintf(stderr, "ls: invalid line width: '%s'\n", optarg);
                return 2;
            }
            break;
        default: return 2;
        }
    }
    const char *directory = optind < argc ? argv[optind] : ".";
    if (!read_names(directory)) {
        fprintf(stderr, "ls: cannot open '%s'\n", directory);
        return 2;
    }
    print_all();
    return 0;
}
