/* Copies a file to another, or into a directory: -p keeps the mode, -n replaces nothing, -m MODE sets it. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool keep_mode, no_clobber, has_mode;
static unsigned mode;

static int fail(const char *what, const char *name)
{
    fprintf(stderr, "cp: cannot %s '%s': %s\n", what, name, strerror(errno));
    return 1;
}

static bool read_mode(const char *text)
{
    mode = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '7')
            return false;
        mode = mode * 8 + (unsigned)(*text - '0');
    }
    return mode <= 0777;
}

static int copy(int from, int to)
{
    char buffer[256];
    ssize_t count;
    while ((count = read(from, buffer, sizeof buffer)) > 0)
        if (write(to, buffer, (size_t)count) != count)
            return -1;
    return (int)count;
}

static int copy_file(const char *from_name, const char *to_name)
{
    struct stat from_status, to_status;
    int from = open(from_name, O_RDONLY);
    if (from < 0 || fstat(from, &from_status))
        return fail("open", from_name);
    if (!stat(to_name, &to_status)) {
        if (from_status.st_ino == to_status.st_ino && from_status.st_dev == to_status.st_dev) {
            fprintf(stderr, "cp: '%s' and '%s' are the same file\n", from_name, to_name);
            return 1;
        }
        if (no_clobber)
            return 0;
    }
    int to = open(to_name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (to < 0)
        return fail("create", to_name);
    if (copy(from, to))
        return fail("write", to_name);
    if (has_mode)
        fchmod(to, mode);
    else if (keep_mode)
        fchmod(to, from_status.st_mode & 0777);
    close(to);
    close(from);
    return 0;
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "pnm:")) != -1) {
        switch (option) {
        case 'p': keep_mode = true; break;
        case 'n': no_clobber = true; break;
        case 'm':
            has_mode = true;
            if (!read_mode(optarg)) {
                fprintf(stderr, "cp: invalid mode: '%s'\n", optarg);
                return 1;
            }
            break;
        default: return 1;
        }
    }
    if (argc - optind != 2) {
        fprintf(stderr, "usage: cp [-pn] [-m MODE] FROM TO\n");
        return 1;
    }
    const char *to = argv[optind + 1];
    struct stat status;
    char path[256];
    if (!stat(to, &status) && S_ISDIR(status.st_mode)) {
        if (strlen(to) + strlen(argv[optind]) + 2 > sizeof path)
            return 1;
        sprintf(path, "%s/%s", to, argv[optind]);
        to = path;
    }
    return copy_file(argv[optind], to);
}
