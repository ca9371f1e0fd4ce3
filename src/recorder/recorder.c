/* Linked into every program that `penumbra cc` links: keeps how the program was started, so that a test suite's starts
 * can be seeds. It sleeps unless the environment has
 *
 *     PENUMBRA_STARTS=DIRECTORY   where starts go, each in a folder of its own, numbered in their order
 *     PENUMBRA_STARTS_OF=NAME     only those of the program of this name
 *
 * A folder is a seed as --seeds takes it: `args`, `stdin`, `cwd/`, `files` (those of cwd/ that arguments name), `base`
 * (the working directory itself, where it has too many files to keep them all), and besides `program`, `directory` and
 * `environment`. It is called .NUMBER until all but standard input is in it.
 * Standard input that is a pipe is kept by a process that passes it on, so that nothing waits for its end.
 *
 * Nothing here may disturb the program: every failure means that this start is not recorded. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_STARTS = 5000,
    LARGEST_FILE = 64 << 10, /* as large as a channel may be: what is larger is not kept */
    FEW_FILES = 16,          /* a directory with so few was made for this start: all of them are kept */
    CHUNK = 64 << 10,
};

struct start {
    char folder[PATH_MAX]; /* .NUMBER while it is being written */
    char final[PATH_MAX];
    bool has_base;
};

static const char *variable(char **environment, const char *name)
{
    size_t length = strlen(name);
    for (; *environment; environment++)
        if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* libtool starts lt-NAME while NAME is not installed. */
static bool is_wanted(const char *program, const char *name)
{
    const char *own = last_part(program);
    return !name || !*name || !strcmp(own, name) || (!strncmp(own, "lt-", 3) && !strcmp(own + 3, name));
}

/* ---- files ---- */

static int create(const struct start *start, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", start->folder, name) >= (int)sizeof path)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

static bool write_all(int descriptor, const char *bytes, size_t length)
{
    while (length) {
        ssize_t done = write(descriptor, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done, length -= (size_t)done;
    }
    return true;
}

static void write_line(const struct start *start, const char *name, const char *line)
{
    int descriptor = create(start, name);
    if (descriptor < 0)
        return;
    write_all(descriptor, line, strlen(line));
    write_all(descriptor, "\n", 1);
    close(descriptor);
}

/* From the place where `from` is, which does not move. */
static void copy(int from, off_t at, int to)
{
    char bytes[4096];
    ssize_t count;
    while ((count = pread(from, bytes, sizeof bytes, at)) > 0 && write_all(to, bytes, (size_t)count))
        at += count;
}

static bool is_kept(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size <= LARGEST_FILE;
}

/* Makes the directories above the file, which begin behind `root`. */
static void make_directories(char *path, size_t root)
{
    for (char *slash = path + root; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

/* Keeps the file as `name` of the working directory. */
static void keep_file(const struct start *start, const char *path, const char *name)
{
    char kept[PATH_MAX];
    int length = snprintf(kept, sizeof kept, "%s/cwd/%s", start->folder, name);
    if (length >= (int)sizeof kept)
        return;
    make_directories(kept, strlen(start->folder) + 4);
    int from = open(path, O_RDONLY | O_CLOEXEC),
        to = from < 0 ? -1 : open(kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to >= 0)
        copy(from, 0, to);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* Makes a directory of the working directory, with nothing in it. */
static void keep_empty(const struct start *start, const char *name, size_t length)
{
    char kept[PATH_MAX];
    if (snprintf(kept, sizeof kept, "%s/cwd/%.*s/", start->folder, (int)length, name) < (int)sizeof kept)
        make_directories(kept, strlen(start->folder) + 4);
}

/* ---- arguments ---- */

static void write_quoted(FILE *file, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\'')
            fputs("'\\''", file);
        else
            fputc(word[i], file);
}

/* Whether the path stays below the working directory as it is written. */
static bool is_below(const char *path)
{
    return *path != '/' && strncmp(path, "../", 3) && !strstr(path, "/../");
}

/* A file may be to be written: the directory that it is in must be there. */
static void keep_place(const struct start *start, const char *path)
{
    char place[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash || !is_below(path) ||
        snprintf(place, sizeof place, "%.*s", (int)(slash - path), path) >= (int)sizeof place)
        return;
    if (is_directory(place))
        keep_empty(start, place, strlen(place));
}

/* The file that an argument names, by itself or behind a `=`, is kept; one that lies elsewhere gets a name in the
 * working directory, and the argument with it, unless that directory is used as it is. */
static void write_argument(FILE *file, FILE *named, const struct start *start, const char *argument)
{
    const char *equals = strchr(argument, '='), *path = is_kept(argument) ? argument : equals ? equals + 1 : argument;
    const char *name = path;
    if (*path && is_kept(path) && (is_below(path) || !start->has_base)) {
        name = is_below(path) ? path : last_part(path);
        keep_file(start, path, name);
        fprintf(named, "%s\n", name);
    }
    keep_place(start, path);
    fputc('\'', file);
    write_quoted(file, argument, (size_t)(path - argument));
    write_quoted(file, name, strlen(name));
    fputs("'\n", file);
}

static FILE *create_stream(const struct start *start, const char *name)
{
    int descriptor = create(start, name);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

static bool write_arguments(const struct start *start, int count, char **arguments)
{
    FILE *file = create_stream(start, "args"), *named = create_stream(start, "files");
    for (int i = 1; i < count && file && named; i++)
        write_argument(file, named, start, arguments[i]);
    bool good = file && named;
    good &= !file || !fclose(file);
    good &= !named || !fclose(named);
    return good;
}

static void write_environment(const struct start *start, char **environment)
{
    int descriptor = create(start, "environment");
    for (; descriptor >= 0 && *environment; environment++) {
        if (strchr(*environment, '\n') || !strncmp(*environment, "PENUMBRA_", 9))
            continue;
        write_all(descriptor, *environment, strlen(*environment));
        write_all(descriptor, "\n", 1);
    }
    if (descriptor >= 0)
        close(descriptor);
}

/* ---- the working directory ---- */

static size_t count_files(const char *path)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory && count <= FEW_FILES && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

static void keep_directory(const struct start *start)
{
    char kept[PATH_MAX];
    if (snprintf(kept, sizeof kept, "%s/cwd", start->folder) < (int)sizeof kept)
        mkdir(kept, 0777);
    if (start->has_base)
        return;
    DIR *directory = opendir(".");
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (*name != '.' && is_directory(name))
            keep_empty(start, name, strlen(name));
        else if (*name != '.' && is_kept(name) && access(name, X_OK))
            keep_file(start, name, name);
    }
    if (directory)
        closedir(directory);
}

/* ---- standard input ---- */

/* Until the input ends, or nobody reads any more. */
static void pass_on(int from, int to, int log)
{
    static char bytes[CHUNK];
    size_t kept = 0;
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        struct pollfd both[] = {{.fd = from, .events = POLLIN}, {.fd = to}};
        if (poll(both, 2, -1) < 0 && errno != EINTR)
            return;
        if (both[1].revents & (POLLERR | POLLHUP))
            return;
        if (!(both[0].revents & (POLLIN | POLLHUP | POLLERR)))
            continue;
        ssize_t count = read(from, bytes, sizeof bytes);
        if (count <= 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        if (kept <= LARGEST_FILE) /* one byte too many says that it is too large */
            write_all(log, bytes, (size_t)count);
        kept += (size_t)count;
        if (!write_all(to, bytes, (size_t)count))
            return;
    }
}

/* All but three descriptors are closed: somebody may wait for the end of the others. */
static _Noreturn void be_passer(int from, int to, int log)
{
    int highest = (int)sysconf(_SC_OPEN_MAX), own[] = {from, to, log};
    for (int i = 0; i < 3; i++)
        own[i] = fcntl(own[i], F_DUPFD, 100);
    for (int i = 0; i < (highest < 4096 ? highest : 4096); i++)
        if (i != own[0] && i != own[1] && i != own[2])
            close(i);
    pass_on(own[0], own[1], own[2]);
    _exit(0);
}

/* The passer is no child of the program, which may wait for its children. */
static void pass_input(int log)
{
    int ends[2];
    if (pipe(ends))
        return;
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        if (fork())
            _exit(0);
        be_passer(STDIN_FILENO, ends[1], log);
    }
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
        dup2(ends[0], STDIN_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
}

static void keep_input(const struct start *start)
{
    struct stat status;
    if (fstat(STDIN_FILENO, &status) || S_ISCHR(status.st_mode) || S_ISDIR(status.st_mode))
        return;
    int log = create(start, "stdin");
    if (log < 0)
        return;
    if (S_ISREG(status.st_mode))
        copy(STDIN_FILENO, lseek(STDIN_FILENO, 0, SEEK_CUR), log);
    else
        pass_input(log);
    close(log);
}

/* ---- a start ---- */

/* The number of this start among all: a file that grows by a byte with each of them. */
static long take_number(const char *directory)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/.count", directory) >= (int)sizeof path)
        return -1;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    long number = descriptor >= 0 && write(descriptor, "x", 1) == 1 ? (long)lseek(descriptor, 0, SEEK_CUR) : -1;
    if (descriptor >= 0)
        close(descriptor);
    return number;
}

static bool open_start(struct start *start, const char *directory)
{
    long number = take_number(directory);
    return number > 0 && number <= MOST_STARTS &&
           snprintf(start->folder, sizeof start->folder, "%s/.%05ld", directory, number) < PATH_MAX &&
           snprintf(start->final, sizeof start->final, "%s/%05ld", directory, number) < PATH_MAX &&
           !mkdir(start->folder, 0777);
}

static void record(const char *directory, const char *program, int count, char **arguments, char **environment)
{
    struct start start;
    char here[PATH_MAX];
    if (!open_start(&start, directory))
        return;
    const char *working = getcwd(here, sizeof here) ? here : "";
    start.has_base = *working == '/' && count_files(".") > FEW_FILES;
    write_line(&start, "program", program);
    write_line(&start, "directory", working);
    if (start.has_base)
        write_line(&start, "base", working);
    write_environment(&start, environment);
    keep_directory(&start);
    if (!write_arguments(&start, count, arguments))
        return;
    keep_input(&start);
    rename(start.folder, start.final);
}

__attribute__((constructor)) static void wake(int count, char **arguments, char **environment)
{
    char program[PATH_MAX];
    const char *directory = environment ? variable(environment, "PENUMBRA_STARTS") : NULL;
    if (!directory || *directory != '/')
        return;
    int error = errno;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    if (length > 0 && is_wanted(program, variable(environment, "PENUMBRA_STARTS_OF")))
        record(directory, program, count, arguments, environment);
    errno = error;
}
