#include "execute/left.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MOST_SHOWN = 256, MOST_COPIED_FILES = 2000, MOST_COPIED_BYTES = 16 << 20, DEEPEST = 128 };

/* ---- names in a directory ---- */

struct names {
    char **list;
    size_t count, capacity;
};

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 16;
        char **list = realloc(names->list, capacity * sizeof *list);
        if (!list)
            return false;
        names->list = list;
        names->capacity = capacity;
    }
    return (names->list[names->count++] = strdup(name));
}

/* Sorted, without `.` and `..`. A directory that cannot be read has none. */
static struct names names_in(int directory)
{
    struct names names = {0};
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = again >= 0 ? fdopendir(again) : NULL;
    if (!stream && again >= 0)
        close(again);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !add_name(&names, entry->d_name))
            break;
    if (stream)
        closedir(stream);
    if (names.count)
        qsort(names.list, names.count, sizeof *names.list, compare_names);
    return names;
}

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static bool has_name(const struct names *names, const char *name)
{
    return names->count && bsearch(&name, names->list, names->count, sizeof *names->list, compare_names);
}

static int open_directory(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* ---- files ---- */

static bool is_whiteout(const struct stat *status)
{
    return S_ISCHR(status->st_mode) && status->st_rdev == makedev(0, 0);
}

static bool same_content(int one_directory, int other_directory, const char *name)
{
    int one = openat(one_directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int other = openat(other_directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool same = one >= 0 && other >= 0;
    char a[16384], b[16384];
    while (same) {
        ssize_t count = read(one, a, sizeof a);
        same = count == read(other, b, sizeof b) && count >= 0 && memcmp(a, b, (size_t)count) == 0;
        if (count <= 0)
            break;
    }
    if (one >= 0)
        close(one);
    if (other >= 0)
        close(other);
    return same;
}

static bool same_link(int one_directory, int other_directory, const char *name)
{
    char a[4096], b[4096];
    ssize_t one = readlinkat(one_directory, name, a, sizeof a), other = readlinkat(other_directory, name, b, sizeof b);
    return one >= 0 && one == other && memcmp(a, b, (size_t)one) == 0;
}

/* Whether it is what it was. Times are nobody's output. */
static bool is_unchanged(int directory, int original, const char *name, const struct stat *status)
{
    struct stat before;
    if (original < 0 || fstatat(original, name, &before, AT_SYMLINK_NOFOLLOW) || before.st_mode != status->st_mode)
        return false;
    if (S_ISREG(status->st_mode))
        return before.st_size == status->st_size && same_content(directory, original, name);
    return S_ISLNK(status->st_mode) ? same_link(directory, original, name) : true;
}

/* ---- lines ---- */

struct listing {
    struct text *lines;
    size_t most;
    uint64_t rest; /* of what is beyond; 0: nothing */
};

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static const uint64_t first_hash = UINT64_C(0xcbf29ce484222325);

static void add_line(struct listing *listing, struct text *line)
{
    text_add(line, "\n");
    if (!listing->rest && listing->lines->length + line->length <= listing->most)
        text_append(listing->lines, text_string(line), line->length);
    else
        listing->rest = hash_bytes(listing->rest ? listing->rest : first_hash, text_string(line), line->length) | 1;
    text_free(line);
}

/* Between quotes, and on one line, whatever bytes they are. */
static void add_quoted(struct text *line, const char *bytes, size_t length)
{
    text_add(line, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '\n')
            text_add(line, "\\n");
        else if (byte == '"' || byte == '\\')
            text_format(line, "\\%c", byte);
        else if (byte < ' ' || byte > '~')
            text_format(line, "\\x%02x", byte);
        else
            text_append(line, bytes + i, 1);
    }
    text_add(line, "\"");
}

/* Names are shown as they are, where they are names that people use. */
static void add_path(struct text *line, const char *path)
{
    for (const char *at = path; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127 || (*at == ' ' && at[1] == '='))
            text_format(line, "\\x%02x", (unsigned char)*at);
        else
            text_append(line, at, 1);
}

/* The beginning of the content, and a number that stands for the rest where it is long. */
static void add_content(struct text *line, int directory, const char *name)
{
    char buffer[16384];
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    ssize_t count = file >= 0 ? read(file, buffer, MOST_SHOWN) : -1;
    uint64_t hash = first_hash;
    if (count > 0) {
        text_add(line, ": ");
        add_quoted(line, buffer, (size_t)count);
    }
    bool is_long = false;
    while (count > 0 && (count = read(file, buffer, sizeof buffer)) > 0) {
        hash = hash_bytes(hash, buffer, (size_t)count);
        is_long = true;
    }
    if (is_long)
        text_format(line, " and more (%016llx)", (unsigned long long)hash);
    if (file >= 0)
        close(file);
}

static void describe(struct listing *listing, int directory, const char *name, const char *path,
                     const struct stat *status)
{
    struct text line = {0};
    char target[4096];
    unsigned mode = status->st_mode & 07777;
    add_path(&line, path);
    if (S_ISDIR(status->st_mode)) {
        text_format(&line, " = directory %04o", mode);
    } else if (S_ISLNK(status->st_mode)) {
        ssize_t length = readlinkat(directory, name, target, sizeof target);
        text_add(&line, " = link to ");
        add_quoted(&line, target, length > 0 ? (size_t)length : 0);
    } else if (S_ISREG(status->st_mode)) {
        text_format(&line, " = file %04o, %lld bytes", mode, (long long)status->st_size);
        add_content(&line, directory, name);
    } else {
        text_format(&line, " = %s %04o",
                    S_ISFIFO(status->st_mode)   ? "pipe"
                    : S_ISSOCK(status->st_mode) ? "socket"
                                                : "device",
                    mode);
    }
    add_line(listing, &line);
}

static void describe_removed(struct listing *listing, const char *path)
{
    struct text line = {0};
    add_path(&line, path);
    text_add(&line, " = removed");
    add_line(listing, &line);
}

/* ---- walking ---- */

struct walk {
    const struct place *place;
    struct listing listing;
    int depth;
};

/* Directories that are only the way to another place. */
static bool is_skeleton(const struct place *place, const char *path)
{
    size_t name_length = strlen(place->name), length;
    if (!place->skeleton || strlen(path) <= name_length)
        return false;
    path += name_length + 1;
    length = strlen(path);
    return strncmp(place->skeleton, path, length) == 0 && (place->skeleton[length] == '/' || !place->skeleton[length]);
}

static void walk_directory(struct walk *walk, int directory, int original, const char *path);

static void walk_into(struct walk *walk, int parent, int parent_original, const char *name, const char *path)
{
    int directory = open_directory(parent, name);
    int original = parent_original < 0 ? -1 : open_directory(parent_original, name);
    if (directory >= 0 && walk->depth < DEEPEST) {
        walk->depth++;
        walk_directory(walk, directory, original, path);
        walk->depth--;
    }
    if (directory >= 0)
        close(directory);
    if (original >= 0)
        close(original);
}

static void walk_entry(struct walk *walk, int directory, int original, const char *name, const char *parent_path)
{
    struct stat status, before;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", parent_path, name);
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW))
        return;
    if (walk->place->is_layer && is_whiteout(&status)) {
        if (original >= 0 && !fstatat(original, name, &before, AT_SYMLINK_NOFOLLOW))
            describe_removed(&walk->listing, path);
        return;
    }
    if (!is_skeleton(walk->place, path) && !is_unchanged(directory, original, name, &status))
        describe(&walk->listing, directory, name, path, &status);
    if (S_ISDIR(status.st_mode))
        walk_into(walk, directory, original, name, path);
}

/* In a copy, what is not there was removed. */
static void walk_removed(struct walk *walk, const struct names *names, int original, const char *path)
{
    struct names before = names_in(original);
    for (size_t i = 0; i < before.count; i++)
        if (!has_name(names, before.list[i])) {
            char removed[4096];
            snprintf(removed, sizeof removed, "%s/%s", path, before.list[i]);
            describe_removed(&walk->listing, removed);
        }
    names_free(&before);
}

static void walk_directory(struct walk *walk, int directory, int original, const char *path)
{
    struct names names = names_in(directory);
    for (size_t i = 0; i < names.count; i++)
        walk_entry(walk, directory, original, names.list[i], path);
    if (!walk->place->is_layer && original >= 0)
        walk_removed(walk, &names, original, path);
    names_free(&names);
}

void place_list(const struct place *place, size_t most, struct text *lines)
{
    struct walk walk = {.place = place, .listing = {.lines = lines, .most = most}};
    if (place_has_other_mode(place)) {
        struct stat status;
        if (!fstat(place->root, &status))
            describe(&walk.listing, place->root, ".", place->name, &status);
    }
    walk_directory(&walk, place->root, place->original, place->name);
    if (walk.listing.rest)
        text_format(lines, "%s/... = more (%016llx)\n", place->name, (unsigned long long)walk.listing.rest);
}

void place_note(struct place *place)
{
    fstat(place->root, &place->before);
}

bool place_has_other_mode(const struct place *place)
{
    struct stat status;
    return fstat(place->root, &status) || status.st_mode != place->before.st_mode;
}

static bool has_content(const struct place *place)
{
    struct names names = names_in(place->root);
    bool has_more = names.count > (place->skeleton && *place->skeleton ? 1 : 0);
    names_free(&names);
    return has_more;
}

bool place_is_used(const struct place *place)
{
    return has_content(place) || place_has_other_mode(place);
}

/* ---- emptying and copying ---- */

/* Directories can lie in each other deeper than we can follow with a descriptor for each: from some depth on they are
 * moved up to the root, where their turn comes later. */
static void empty(int root, int directory, int depth);

static void remove_entry(int root, int directory, const char *name, int depth)
{
    static unsigned moved;
    if (!unlinkat(directory, name, 0) || errno == ENOENT)
        return;
    fchmodat(directory, name, 0700, 0); /* nothing that was made there keeps us out */
    char other[32];
    snprintf(other, sizeof other, "moved-%u", moved++);
    if (depth >= DEEPEST && !renameat(directory, name, root, other))
        return;
    int below = open_directory(directory, name);
    if (below >= 0) {
        empty(root, below, depth + 1);
        close(below);
    }
    unlinkat(directory, name, AT_REMOVEDIR);
}

static void empty(int root, int directory, int depth)
{
    struct names names = names_in(directory);
    for (size_t i = 0; i < names.count; i++)
        remove_entry(root, directory, names.list[i], depth);
    names_free(&names);
}

void place_empty(const struct place *place)
{
    enum { MOST_ROUNDS = 1000 };
    fchmod(place->root, 0700);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        empty(place->root, place->root, 0);
        if (!has_content(place))
            break;
    }
    fchmod(place->root, place->before.st_mode & 07777);
}

bool place_undo(const struct place *place, const char *shown)
{
    struct stat status;
    struct names names = names_in(place->root);
    int directory = open(shown, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = directory >= 0 && !place_has_other_mode(place);
    for (size_t i = 0; i < names.count && good; i++)
        good = fstatat(place->original, names.list[i], &status, AT_SYMLINK_NOFOLLOW) && errno == ENOENT;
    for (size_t i = 0; i < names.count && good; i++)
        remove_entry(directory, directory, names.list[i], 0);
    names_free(&names);
    if (directory >= 0)
        close(directory);
    return good && !has_content(place);
}

struct copying {
    size_t files, bytes;
    int depth;
};

static bool copy_file(struct copying *copying, int from, int to, const char *name, const struct stat *status)
{
    char buffer[16384];
    int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    int copy = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t count = 0;
    bool fits = true;
    while (source >= 0 && copy >= 0 && fits && (count = read(source, buffer, sizeof buffer)) > 0) {
        copying->bytes += (size_t)count;
        fits = copying->bytes <= MOST_COPIED_BYTES && write(copy, buffer, (size_t)count) == count;
    }
    if (copy >= 0) {
        fchmod(copy, source >= 0 ? status->st_mode & 07777 : 0);
        close(copy);
    }
    if (source >= 0)
        close(source);
    return fits;
}

static bool copy_directory(struct copying *copying, int from, int to);

static bool copy_below(struct copying *copying, int from, int to, const char *name, const struct stat *status)
{
    if (mkdirat(to, name, 0700))
        return false;
    int source = open_directory(from, name), copy = open_directory(to, name);
    bool good = copy >= 0 && (source < 0 || copy_directory(copying, source, copy));
    if (copy >= 0) {
        fchmod(copy, status->st_mode & 07777);
        close(copy);
    }
    if (source >= 0)
        close(source);
    return good;
}

static bool copy_entry(struct copying *copying, int from, int to, const char *name)
{
    struct stat status;
    char target[4096];
    if (++copying->files > MOST_COPIED_FILES)
        return false;
    if (fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW))
        return true;
    if (S_ISREG(status.st_mode))
        return copy_file(copying, from, to, name, &status);
    if (S_ISDIR(status.st_mode))
        return copy_below(copying, from, to, name, &status);
    if (!S_ISLNK(status.st_mode))
        return true; /* pipes, sockets and devices lead out */
    ssize_t length = readlinkat(from, name, target, sizeof target - 1);
    if (length < 0)
        return true;
    target[length] = '\0';
    return !symlinkat(target, to, name);
}

static bool copy_directory(struct copying *copying, int from, int to)
{
    struct names names = names_in(from);
    bool good = ++copying->depth < DEEPEST;
    for (size_t i = 0; i < names.count && good; i++)
        good = copy_entry(copying, from, to, names.list[i]);
    names_free(&names);
    copying->depth--;
    return good;
}

bool place_copy(const struct place *place)
{
    struct copying copying = {0};
    if (copy_directory(&copying, place->original, place->root))
        return true;
    empty(place->root, place->root, 0);
    return false;
}
