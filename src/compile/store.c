#include "compile/store.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Directories are named by the first letters of a digest. */
enum { PREFIX_LETTERS = 2, STALE_SECONDS = 3600, USUAL_MEGABYTES = 1000 };
static const double KEPT_SHARE = 0.8; /* of the size, when something is removed: it is not done all the time */
static const char BEGINNING[] = "penumbra cache 1\n";

static char directory[PATH_MAX]; /* "" while there is none */

/* ---- where it is ---- */

static bool find_directory(char path[static PATH_MAX])
{
    const char *own = getenv("PENUMBRA_CACHE"), *general = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (own && *own)
        length = snprintf(path, PATH_MAX, "%s", own);
    else if (general && *general == '/')
        length = snprintf(path, PATH_MAX, "%s/penumbra", general);
    else if (home && *home == '/')
        length = snprintf(path, PATH_MAX, "%s/.cache/penumbra", home);
    return length > 0 && length < PATH_MAX - 2 * DIGEST_LETTERS; /* with room for the names inside */
}

/* What comes from the cache is run: nobody else may put something there. */
static bool is_own(const char *path)
{
    struct stat status;
    return !stat(path, &status) && status.st_uid == geteuid() && !(status.st_mode & S_IWOTH);
}

void store_open(void)
{
    struct error error = {0};
    char path[PATH_MAX];
    if (!find_directory(path))
        return;
    if (!file_make_directory(path, &error) || !realpath(path, directory) || access(directory, R_OK | W_OK | X_OK)) {
        log_line(LOG_INFO, "no cache: %s", error.message ? error.message : path);
        *directory = '\0';
    } else if (!is_own(directory)) {
        log_line(LOG_WARNING, "no cache: others may write into %s", directory);
        *directory = '\0';
    }
    error_clear(&error);
}

bool store_is_open(void)
{
    return *directory;
}

const char *store_directory(void)
{
    return store_is_open() ? directory : NULL;
}

static void path_of(const struct digest *key, char path[static PATH_MAX + 2 * DIGEST_LETTERS])
{
    char letters[DIGEST_LETTERS + 1];
    digest_print(key, letters);
    snprintf(path, PATH_MAX + 2 * DIGEST_LETTERS, "%s/%.*s/%s", directory, PREFIX_LETTERS, letters,
             letters + PREFIX_LETTERS);
}

/* ---- entries ---- */

enum { HEAD_BYTES = sizeof BEGINNING - 1 + DIGEST_BYTES };

/* The content's digest is bound to the key: an entry under another's name is none. */
static struct digest seal(const struct digest *key, const char *content, size_t length)
{
    struct digester digester;
    digester_open(&digester, "cache entry");
    digester_add_digest(&digester, key);
    digester_add(&digester, content, length);
    return digester_close(&digester);
}

static bool is_whole(const struct digest *key, const struct text *entry)
{
    struct digest written, found;
    if (entry->length < HEAD_BYTES || memcmp(text_string(entry), BEGINNING, sizeof BEGINNING - 1))
        return false;
    memcpy(written.bytes, entry->data + sizeof BEGINNING - 1, DIGEST_BYTES);
    found = seal(key, entry->data + HEAD_BYTES, entry->length - HEAD_BYTES);
    return digest_equal(&written, &found);
}

bool store_get(const struct digest *key, struct text *content)
{
    char path[PATH_MAX + 2 * DIGEST_LETTERS];
    struct text entry = {0};
    struct error ignored = {0};
    if (!store_is_open())
        return false;
    path_of(key, path);
    bool is_there = file_read(path, &entry, &ignored), good = is_there && is_whole(key, &entry);
    if (good) {
        text_append(content, entry.data + HEAD_BYTES, entry.length - HEAD_BYTES);
        utimensat(AT_FDCWD, path, NULL, 0); /* it was used */
    } else if (is_there) {
        log_line(LOG_WARNING, "a damaged cache entry is ignored: %s", path);
        unlink(path);
    }
    error_clear(&ignored);
    text_free(&entry);
    return good;
}

/* When something was added last, and when it was last looked whether there is too much. */
static void stamp(const char *name)
{
    char path[PATH_MAX + DIGEST_LETTERS];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    futimens(file, NULL);
    close(file);
}

void store_put(const struct digest *key, const char *content, size_t length)
{
    char path[PATH_MAX + 2 * DIGEST_LETTERS];
    struct error error = {0};
    if (!store_is_open())
        return;
    path_of(key, path);
    struct digest sum = seal(key, content, length);
    struct text entry = {0};
    text_add(&entry, BEGINNING);
    text_append(&entry, (const char *)sum.bytes, sizeof sum.bytes);
    text_append(&entry, content, length);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    bool good = file_make_directory(path, &error);
    *slash = '/';
    if (good && file_write(path, text_string(&entry), entry.length, &error))
        stamp("changed");
    else
        log_line(LOG_INFO, "nothing is added to the cache: %s", error.message ? error.message : "");
    text_free(&entry);
    error_clear(&error);
}

/* ---- its size ---- */

struct entry {
    char name[DIGEST_LETTERS + 16]; /* below the directory */
    struct timespec used;
    off_t size;
};

struct entries {
    struct entry *list;
    size_t count, capacity;
    off_t size;
};

static void list_entries(struct entries *entries, const char *prefix)
{
    char path[PATH_MAX + DIGEST_LETTERS];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", directory, prefix);
    DIR *files = opendir(path);
    for (struct dirent *file; files && (file = readdir(files));) {
        struct entry entry;
        int length = snprintf(entry.name, sizeof entry.name, "%s/%s", prefix, file->d_name);
        if (*file->d_name == '.' || length >= (int)sizeof entry.name ||
            fstatat(dirfd(files), file->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
            continue;
        entry.used = status.st_mtim;
        entry.size = status.st_size;
        /* what a run that was killed had not renamed yet */
        if (strlen(file->d_name) != DIGEST_LETTERS - PREFIX_LETTERS && status.st_mtime + STALE_SECONDS < time(NULL))
            unlinkat(dirfd(files), file->d_name, 0);
        entries->list = array_reserve(entries->list, &entries->capacity, entries->count + 1, sizeof *entries->list);
        entries->list[entries->count++] = entry;
        entries->size += entry.size;
    }
    if (files)
        closedir(files);
}

static int by_use(const void *one, const void *other)
{
    const struct timespec *first = &((const struct entry *)one)->used, *second = &((const struct entry *)other)->used;
    if (first->tv_sec != second->tv_sec)
        return first->tv_sec < second->tv_sec ? -1 : 1;
    return (first->tv_nsec > second->tv_nsec) - (first->tv_nsec < second->tv_nsec);
}

static off_t most_bytes(void)
{
    const char *given = getenv("PENUMBRA_CACHE_SIZE");
    double megabytes = given ? strtod(given, NULL) : 0;
    return (off_t)((megabytes > 0 ? megabytes : USUAL_MEGABYTES) * 1e6);
}

static bool was_changed(void)
{
    char path[PATH_MAX + DIGEST_LETTERS];
    struct stat changed, trimmed;
    snprintf(path, sizeof path, "%s/changed", directory);
    if (stat(path, &changed))
        return false;
    snprintf(path, sizeof path, "%s/trimmed", directory);
    return stat(path, &trimmed) || trimmed.st_mtim.tv_sec < changed.st_mtim.tv_sec ||
           (trimmed.st_mtim.tv_sec == changed.st_mtim.tv_sec && trimmed.st_mtim.tv_nsec <= changed.st_mtim.tv_nsec);
}

void store_trim(void)
{
    struct entries entries = {0};
    char path[PATH_MAX + DIGEST_LETTERS + 16];
    off_t most = most_bytes();
    if (!store_is_open() || !was_changed())
        return;
    stamp("trimmed");
    for (unsigned i = 0; i < 1 << 4 * PREFIX_LETTERS; i++) {
        char prefix[16];
        snprintf(prefix, sizeof prefix, "%0*x", PREFIX_LETTERS, i);
        list_entries(&entries, prefix);
    }
    if (entries.size > most) {
        qsort(entries.list, entries.count, sizeof *entries.list, by_use);
        for (size_t i = 0; i < entries.count && (double)entries.size > (double)most * KEPT_SHARE; i++) {
            snprintf(path, sizeof path, "%s/%s", directory, entries.list[i].name);
            if (!unlink(path))
                entries.size -= entries.list[i].size;
        }
        log_line(LOG_INFO, "the cache was too large: %.1f MB are kept", (double)entries.size / 1e6);
    }
    free(entries.list);
}
