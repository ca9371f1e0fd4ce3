#include "project/checkout.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/log.h"
#include "base/paths.h"
#include "base/words.h"
#include "compile/store.h"
#include "project/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KEPT = 16 /* built trees in the cache */, SHOWN_LINES = 12 /* of a log */ };

/* A tree on its way. */
struct work {
    struct checkout *checkout;
    const char *place; /* the directory with `tree`, `log` and `done` */
    int lock;          /* nobody else builds here meanwhile */
    struct command *command;
    double start;
};

/* ---- what is in a tree ---- */

static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static bool digest_file(struct digester *digester, const char *path, const struct stat *status, struct error *error)
{
    char target[PATH_MAX];
    struct text text = {0};
    ssize_t length = S_ISLNK(status->st_mode) ? readlink(path, target, sizeof target) : -1;
    digester_add_number(digester, status->st_mode);
    if (length >= 0)
        digester_add(digester, target, (size_t)length);
    if (!S_ISREG(status->st_mode))
        return true;
    bool good = file_read(path, &text, error);
    if (good)
        digester_add(digester, text_string(&text), text.length);
    text_free(&text);
    return good;
}

/* Git's own files say nothing of the tree, and change all the time. */
static bool digest_tree(struct digester *digester, const char *root, struct arena *arena, struct error *error)
{
    struct dirent **entries = NULL;
    int count = scandir(root, &entries, NULL, by_name);
    bool good = count >= 0 || error_set(error, "cannot read %s: %s", root, strerror(errno));
    for (int i = 0; i < count; i++) {
        struct stat status;
        const char *name = entries[i]->d_name, *path = arena_format(arena, "%s/%s", root, name);
        bool is_left_out = !strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, ".git");
        if (good && !is_left_out && !lstat(path, &status)) {
            digester_add_string(digester, name);
            good = S_ISDIR(status.st_mode) ? digest_tree(digester, path, arena, error)
                                           : digest_file(digester, path, &status, error);
            digester_add_string(digester, "/");
        }
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* ---- where it is built ---- */

static const char *compiler_path(struct arena *arena)
{
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(executable, '/');
    return arena_format(arena, "%.*s/penumbra-cc", slash ? (int)(slash - executable) : 0, executable);
}

/* What another compiler of ours, or another recorder, has built is not taken. */
static bool digest_compiler(struct digester *digester, struct arena *arena, struct error *error)
{
    char support[4096];
    struct text bytes = {0};
    bool good = paths_support_directory(support, error) && file_read(compiler_path(arena), &bytes, error) &&
                file_read(arena_format(arena, "%s/recorder.o", support), &bytes, error);
    if (good)
        digester_add(digester, text_string(&bytes), bytes.length);
    text_free(&bytes);
    return good;
}

static bool choose_place(struct work *work, const char *command, const char *scratch, size_t number,
                         struct arena *arena, struct error *error)
{
    struct digester digester;
    char letters[DIGEST_LETTERS + 1];
    const char *cache = store_directory();
    if (!cache) {
        work->place = arena_format(arena, "%s/build-%zu", scratch, number);
        return true;
    }
    digester_open(&digester, "built tree " PENUMBRA_VERSION_STRING);
    digester_add_string(&digester, command);
    if (!digest_compiler(&digester, arena, error) || !digest_tree(&digester, work->checkout->source, arena, error))
        return false;
    struct digest digest = digester_close(&digester);
    digest_print(&digest, letters);
    letters[24] = '\0'; /* some build systems dislike long paths */
    work->place = arena_format(arena, "%s/builds/%s", cache, letters);
    return true;
}

static bool is_done(const struct work *work, struct arena *arena)
{
    struct stat status;
    if (stat(arena_format(arena, "%s/done", work->place), &status))
        return false;
    work->checkout->done = status.st_mtim;
    return true;
}

/* What was not used for the longest time goes first; a tree that somebody builds or uses has its lock taken. */
static void drop_oldest(const char *directory, struct arena *arena)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, NULL, by_name);
    size_t kept = 0;
    const char *oldest = NULL;
    time_t last = 0;
    for (int i = 0; i < count; i++) {
        struct stat status;
        const char *place = arena_format(arena, "%s/%s", directory, entries[i]->d_name);
        if (!stat(arena_format(arena, "%s/used", place), &status)) {
            kept++;
            if (!oldest || status.st_mtime < last)
                oldest = place, last = status.st_mtime;
        }
        free(entries[i]);
    }
    free(entries);
    if (kept <= MOST_KEPT)
        return;
    int lock = open(arena_format(arena, "%s/lock", oldest), O_RDWR | O_CLOEXEC);
    if (lock >= 0 && !flock(lock, LOCK_EX | LOCK_NB))
        file_remove_tree(oldest);
    if (lock >= 0)
        close(lock);
}

static bool stamp(const char *path, struct error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool good = file >= 0 && !futimens(file, NULL);
    if (file >= 0)
        close(file);
    return good || error_set(error, "cannot write %s: %s", path, strerror(errno));
}

/* ---- building ---- */

const char *const *checkout_environment(const char *directory, struct arena *arena, struct error *error)
{
    static const char *const names[] = {"cc",
                                        "gcc",
                                        "clang",
                                        "c99",
                                        "gcc-12",
                                        "gcc-13",
                                        "gcc-14",
                                        "clang-14",
                                        "x86_64-linux-gnu-gcc",
                                        "aarch64-linux-gnu-gcc"};
    const char *path = getenv("PATH"), *compiler = compiler_path(arena);
    const char *links = arena_format(arena, "%s/compilers", directory);
    if (access(compiler, X_OK)) {
        error_set(error, "cannot run %s: is Penumbra installed as a whole?", compiler);
        return NULL;
    }
    if (!file_make_directory(links, error))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (symlink(compiler, arena_format(arena, "%s/%s", links, names[i])) && errno != EEXIST) {
            error_set(error, "cannot write %s: %s", links, strerror(errno));
            return NULL;
        }
    const char **list = arena_allocate(arena, 3 * sizeof *list);
    list[0] = arena_format(arena, "CC=%s", compiler);
    list[1] = arena_format(arena, "PATH=%s:%s", links, path ? path : "/usr/bin:/bin");
    return list;
}

static bool open_work(struct work *work, struct arena *arena, struct error *error)
{
    const char *path = arena_format(arena, "%s/lock", work->place);
    if (!file_make_directory(work->place, error))
        return false;
    work->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (work->lock < 0 || flock(work->lock, LOCK_EX))
        return error_set(error, "cannot lock %s: %s", path, strerror(errno));
    work->checkout->root = arena_format(arena, "%s/tree", work->place);
    work->checkout->log = arena_format(arena, "%s/log", work->place);
    work->checkout->is_kept = is_done(work, arena);
    return true;
}

static bool start_build(struct work *work, const char *command, struct arena *arena, struct error *error)
{
    const struct checkout *checkout = work->checkout;
    const char *const *environment = checkout_environment(work->place, arena, error);
    work->start = clock_seconds();
    log_line(LOG_INFO, "building %s in %s", checkout->name, checkout->root);
    file_remove_tree(checkout->root);
    if (!environment || !file_copy_tree(checkout->source, checkout->root, error))
        return false;
    work->command = command_start(command, checkout->root, checkout->log, environment, 0, error);
    return work->command != NULL;
}

/* The last lines of a log, indented. */
static const char *end_of_log(const char *path, struct arena *arena)
{
    struct text text = {0};
    struct error ignored = {0};
    file_read(path, &text, &ignored);
    error_clear(&ignored);
    const char *all = text_string(&text), *at = all + text.length;
    for (size_t lines = 0; at > all && lines <= SHOWN_LINES; lines += *--at == '\n')
        ;
    struct text shown = {0};
    for (at += *at == '\n'; *at;) {
        size_t length = strcspn(at, "\n");
        text_format(&shown, "\n    %.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    const char *result = arena_copy_string(arena, text_string(&shown));
    text_free(&text), text_free(&shown);
    return result;
}

static bool finish_build(struct work *work, struct arena *arena, struct error *error)
{
    const char *done = arena_format(arena, "%s/done", work->place);
    bool good = command_finish(work->command).exit_status == 0;
    work->checkout->seconds = clock_seconds() - work->start;
    if (!good)
        return error_set(error, "the build of %s failed; its last lines, of %s:%s", work->checkout->name,
                         work->checkout->log, end_of_log(work->checkout->log, arena));
    return stamp(done, error) && is_done(work, arena);
}

static bool open_and_start(struct work *work, const char *command, struct arena *arena, struct error *error)
{
    return open_work(work, arena, error) && (work->checkout->is_kept || start_build(work, command, arena, error));
}

/* Beside each other; locked in the order of their names, so that two runs never wait for each other. */
static bool build_works(struct work *works, size_t count, const char *command, struct arena *arena, struct error *error)
{
    size_t first = count > 1 && strcmp(works[0].place, works[1].place) > 0;
    bool good = true;
    for (size_t n = 0; n < count && good; n++)
        good = open_and_start(&works[n ^ first], command, arena, error);
    for (size_t i = 0; i < count; i++)
        if (works[i].command)
            good &= finish_build(&works[i], arena, error);
    for (size_t i = 0; i < count; i++) {
        if (good)
            good = stamp(arena_format(arena, "%s/used", works[i].place), error);
        if (works[i].lock >= 0)
            close(works[i].lock);
    }
    return good;
}

bool checkouts_build(struct checkout *checkouts, const char *command, const char *scratch, struct arena *arena,
                     struct error *error)
{
    struct work works[2] = {{.checkout = &checkouts[0], .lock = -1}, {.checkout = &checkouts[1], .lock = -1}};
    for (size_t i = 0; i < 2; i++)
        if (!choose_place(&works[i], command, scratch, i, arena, error))
            return false;
    bool is_one = !strcmp(works[0].place, works[1].place);
    if (!build_works(works, is_one ? 1 : 2, command, arena, error))
        return false;
    if (is_one) {
        struct checkout same = checkouts[0];
        same.source = checkouts[1].source;
        same.name = checkouts[1].name;
        checkouts[1] = same;
    }
    if (store_directory())
        drop_oldest(arena_format(arena, "%s/builds", store_directory()), arena);
    return true;
}

const char *checkout_starts(const struct checkout *checkout, const char *command, const char *program,
                            struct arena *arena)
{
    struct digester digester;
    char letters[DIGEST_LETTERS + 1];
    digester_open(&digester, "starts");
    digester_add_string(&digester, command);
    digester_add_string(&digester, program);
    struct digest digest = digester_close(&digester);
    digest_print(&digest, letters);
    return arena_format(arena, "%s/../starts-%.16s", checkout->root, letters);
}
