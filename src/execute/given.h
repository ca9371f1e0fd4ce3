/* What a whole program is given when it is started: files and standard input with the bytes of the run's input.
 * Included by what is linked into programs under test, natively or instrumented, on top of libc alone. */
#ifndef PENUMBRA_EXECUTE_GIVEN_H
#define PENUMBRA_EXECUTE_GIVEN_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the file holds these bytes already, as it does where a run keeps what the seed has. */
static inline bool given_is_there(int file, const char *bytes, size_t length, const struct stat *status)
{
    char part[4096];
    if ((size_t)status->st_size != length)
        return false;
    for (size_t at = 0; at < length;) {
        ssize_t count = pread(file, part, sizeof part < length - at ? sizeof part : length - at, (off_t)at);
        if (count <= 0 || memcmp(part, bytes + at, (size_t)count) != 0)
            return false;
        at += (size_t)count;
    }
    return true;
}

static inline bool given_write(int file, const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t count = write(file, bytes + at, length - at);
        if (count <= 0)
            return false;
        at += (size_t)count;
    }
    return true;
}

/* A file that may not be written keeps its rights, and every file its time: nothing else of it changes. */
static inline bool given_replace(const char *path, const char *bytes, size_t length, const struct stat *status)
{
    if (!(status->st_mode & S_IWUSR) && chmod(path, status->st_mode | S_IWUSR))
        return false;
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool good = file >= 0 && given_write(file, bytes, length);
    const struct timespec times[2] = {status->st_atim, status->st_mtim};
    if (file >= 0) {
        futimens(file, times);
        close(file);
    }
    if (!(status->st_mode & S_IWUSR))
        chmod(path, status->st_mode);
    return good;
}

/* Makes the file have these bytes. `status` says which file it is. */
static inline bool given_put_file(const char *path, const char *bytes, size_t length, struct stat *status)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        bool good = file >= 0 && given_write(file, bytes, length) && !fstat(file, status);
        if (file >= 0)
            close(file);
        return good;
    }
    bool good = !fstat(file, status);
    bool is_there = good && given_is_there(file, bytes, length, status);
    close(file);
    /* written to, a file of the layer below becomes another one */
    return good && (is_there || (given_replace(path, bytes, length, status) && !stat(path, status)));
}

/* Standard input is a file without a name. */
static inline bool given_put_stream(const char *bytes, size_t length, struct stat *status)
{
    int file = memfd_create("stdin", 0);
    bool good = file >= 0 && given_write(file, bytes, length) && lseek(file, 0, SEEK_SET) == 0 &&
                !fstat(file, status) && dup2(file, STDIN_FILENO) == STDIN_FILENO;
    if (file > STDIN_FILENO)
        close(file);
    return good;
}

/* A stream for a function that takes one: memory behind a descriptor. "r" cannot be written to, nor "w" be read. */
static inline FILE *stream_open(const char *mode)
{
    int file = memfd_create("stream", MFD_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, mode) : NULL;
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

/* From an empty one on. */
static inline bool stream_fill(FILE *stream, const char *bytes, size_t length, struct stat *status)
{
    int file = fileno(stream);
    return given_write(file, bytes, length) && lseek(file, 0, SEEK_SET) == 0 && !fstat(file, status);
}

/* A file, or without a path standard input. */
static inline bool given_put(const char *path, const char *bytes, size_t length, struct stat *status)
{
    return path ? given_put_file(path, bytes, length, status) : given_put_stream(bytes, length, status);
}

#endif
