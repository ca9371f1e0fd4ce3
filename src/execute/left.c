#include "execute/left.h"
#include "base/hash.h"
#include "execute/directory.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MOST_SHOWN = 256, DEEPEST = 128 };

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

static void add_line(struct listing *listing, struct text *line)
{
    text_add(line, "\n");
    if (!listing->rest && listing->lines->length + line->length <= listing->most)
        text_append(listing->lines, text_string(line), line->length);
    else
        listing->rest = hash_bytes(listing->rest ? listing->rest : HASH_START, text_string(line), line->length) | 1;
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
    uint64_t hash = HASH_START;
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
    int directory = directory_open(parent, name);
    int original = parent_original < 0 ? -1 : directory_open(parent_original, name);
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
static void walk_removed(struct walk *walk, const struct directory_names *names, int original, const char *path)
{
    struct directory_names before = directory_read(original);
    for (size_t i = 0; i < before.count; i++)
        if (!directory_has(names, before.list[i])) {
            char removed[4096];
            snprintf(removed, sizeof removed, "%s/%s", path, before.list[i]);
            describe_removed(&walk->listing, removed);
        }
    directory_names_free(&before);
}

static void walk_directory(struct walk *walk, int directory, int original, const char *path)
{
    struct directory_names names = directory_read(directory);
    for (size_t i = 0; i < names.count; i++)
        walk_entry(walk, directory, original, names.list[i], path);
    if (!walk->place->is_layer && original >= 0)
        walk_removed(walk, &names, original, path);
    directory_names_free(&names);
}

void left_list(const struct place *place, size_t most, struct text *lines)
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
