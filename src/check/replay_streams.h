/* Streams that a function is given, in the native programs: what is left of them is compared. The entry may have closed
 * one, so that nothing but a second descriptor is sure to be there. */
#ifndef PENUMBRA_CHECK_REPLAY_STREAMS_H
#define PENUMBRA_CHECK_REPLAY_STREAMS_H

#include "execute/given.h"
#include "trace/given.h"

#include <errno.h>
#include <stdio.h>

FILE *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const unsigned *length);
void pn_stream_state(FILE *file, long state[PN_STREAM_STATES]);
void __pn_output_written(const char *name, FILE *stream);
void pn_output(const char *name, const void *pointer, unsigned long size);

enum { LOWEST_COPY = 200 /* a descriptor that no program counts on */ };

static struct replay_stream {
    FILE *file;
    int descriptor; /* the stream's own */
    int copy;
    struct stat status;
} replay_streams[PN_MOST_STREAMS];

static struct replay_stream *find_replay_stream(const FILE *file)
{
    struct replay_stream *stream = replay_streams;
    while (stream->file != file)
        stream++;
    return stream;
}

/* Another file may have its descriptor by now. */
static bool is_closed(const struct replay_stream *stream)
{
    struct stat status;
    return fstat(stream->descriptor, &status) || status.st_ino != stream->status.st_ino ||
           status.st_dev != stream->status.st_dev;
}

FILE *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const unsigned *length)
{
    struct replay_stream *stream = &replay_streams[number];
    int before = errno;
    stream->file = stream_open(mode);
    stream->descriptor = stream->file ? fileno(stream->file) : -1;
    stream->copy = stream->file ? fcntl(stream->descriptor, F_DUPFD_CLOEXEC, LOWEST_COPY) : -1;
    if (stream->copy < 0 || !stream_fill(stream->file, bytes, length ? *length : 0, &stream->status)) {
        fprintf(stderr, "penumbra: the stream '%s' cannot be made\n", name);
        exit(64);
    }
    errno = before;
    return stream->file;
}

void pn_stream_state(FILE *file, long state[PN_STREAM_STATES])
{
    struct replay_stream *stream = find_replay_stream(file);
    memset(state, 0, PN_STREAM_STATES * sizeof *state);
    state[PN_STREAM_CLOSED] = is_closed(stream);
    if (state[PN_STREAM_CLOSED])
        return;
    state[PN_STREAM_POSITION] = ftell(file);
    state[PN_STREAM_END] = feof(file) != 0;
    state[PN_STREAM_ERROR] = ferror(file) != 0;
}

void __pn_output_written(const char *name, FILE *file)
{
    enum { MOST = 1 << 20 };
    static unsigned char bytes[MOST];
    fflush(NULL);
    ssize_t length = pread(find_replay_stream(file)->copy, bytes, sizeof bytes, 0);
    pn_output(name, bytes, length > 0 ? (unsigned long)length : 0);
}

#endif
