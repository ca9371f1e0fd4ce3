/* Reading from files and standard input that are inputs of a whole program, and from streams that a function is given:
 * bytes come from where the input lies, with their labels, and how many there are is an input, too. Where a version is
 * in a file is a variable of its own, so that each version reads at its own place. All other files are the C library's.
 */
#include "model.h"

#include "trace/given.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 64,
    PUSHED = 4,
    END_SEEN = 0x10, /* in a FILE's flags, where macros look for it */
    ERROR_SEEN = 0x20,
    FEW_BYTES = 1024, /* of which each is asked for by itself */
    LONGEST_SCAN = 4096,
};

const struct pn_given *__pn_given(int descriptor);
const struct pn_given *__pn_given_status(const struct stat *status);
int __pn_descriptor(FILE *stream);
int __pn_argument_number(FILE *stream);
const struct pn_given *__pn_given_argument(int number);
void pn_stream_state(FILE *file, long state[PN_STREAM_STATES]);

int scan_prefix(const char *text, const char *format, int is_new, va_list arguments, size_t *used);

/* What a version knows of a descriptor, or behind these of a stream that it was given. */
static struct stream {
    enum { UNKNOWN, OURS, FOREIGN, CLOSED } state;
    int pushed_count;
    const struct pn_given *given;
    size_t position;
    byte pushed[PUSHED];
} streams[DESCRIPTORS + PN_MOST_STREAMS];

/* NULL: it is no input. */
static struct stream *look_up(unsigned number)
{
    struct stream *stream = &streams[number];
    if (stream->state == UNKNOWN) {
        stream->given =
            number < DESCRIPTORS ? __pn_given((int)number) : __pn_given_argument((int)(number - DESCRIPTORS));
        stream->state = stream->given ? OURS : FOREIGN;
        stream->position = 0;
        stream->pushed_count = 0;
    }
    if (stream->state == CLOSED)
        pn_lost("a stream that is closed");
    return stream->state == OURS ? stream : NULL;
}

static struct stream *find(int descriptor)
{
    return (unsigned)descriptor < DESCRIPTORS ? look_up((unsigned)descriptor) : NULL;
}

static struct stream *find_file(FILE *file)
{
    int argument = __pn_argument_number(file);
    return argument < 0 ? find(__pn_descriptor(file)) : look_up(DESCRIPTORS + (unsigned)argument);
}

static void forget(int descriptor)
{
    if ((unsigned)descriptor < DESCRIPTORS)
        streams[descriptor].state = UNKNOWN;
}

static int next(struct stream *stream, FILE *file)
{
    if (stream->pushed_count)
        return stream->pushed[--stream->pushed_count];
    if (stream->position >= *stream->given->length) {
        if (file)
            file->_flags |= END_SEEN;
        return EOF;
    }
    return (byte)stream->given->bytes[stream->position++];
}

/* ---- characters ---- */

int __pn_real_fgetc(FILE *);
int __pn_real_getc(FILE *);
int __pn_real_ungetc(int, FILE *);
int __pn_real___uflow(FILE *);

int fgetc(FILE *file)
{
    struct stream *stream = find_file(file);
    return stream ? next(stream, file) : __pn_real_fgetc(file);
}

int getc(FILE *file)
{
    return fgetc(file);
}

int _IO_getc(FILE *file)
{
    return fgetc(file);
}

int fgetc_unlocked(FILE *file)
{
    return fgetc(file);
}

int getc_unlocked(FILE *file)
{
    return fgetc(file);
}

int getchar(void)
{
    return fgetc(stdin);
}

int getchar_unlocked(void)
{
    return fgetc(stdin);
}

/* What the macros call when nothing is in the buffer: for these files nothing ever is. */
int __uflow(FILE *file)
{
    struct stream *stream = find_file(file);
    return stream ? next(stream, file) : __pn_real___uflow(file);
}

int ungetc(int character, FILE *file)
{
    struct stream *stream = find_file(file);
    if (!stream)
        return __pn_real_ungetc(character, file);
    if (character == EOF || stream->pushed_count == PUSHED)
        return EOF;
    stream->pushed[stream->pushed_count++] = (byte)character;
    file->_flags &= ~END_SEEN;
    return (byte)character;
}

/* ---- lines ---- */

char *__pn_real_fgets(char *, int, FILE *);
ssize_t __pn_real_getdelim(char **, size_t *, int, FILE *);

char *fgets(char *line, int size, FILE *file)
{
    struct stream *stream = find_file(file);
    if (!stream)
        return __pn_real_fgets(line, size, file);
    int length = 0;
    while (length < size - 1) {
        int character = next(stream, file);
        if (character == EOF)
            break;
        line[length++] = (char)character;
        if (character == '\n')
            break;
    }
    if (size <= 0 || (length == 0 && size > 1))
        return NULL;
    line[length] = '\0';
    return line;
}

char *fgets_unlocked(char *line, int size, FILE *file)
{
    return fgets(line, size, file);
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    enum { FIRST_SIZE = 120 };
    struct stream *stream = find_file(file);
    if (!stream)
        return __pn_real_getdelim(line, size, delimiter, file);
    size_t length = 0;
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    if (!*line || !*size) {
        char *made = realloc(*line, FIRST_SIZE);
        if (!made)
            return -1;
        *line = made;
        *size = FIRST_SIZE;
    }
    for (int character = 0; character != delimiter;) {
        character = next(stream, file);
        if (character == EOF)
            break;
        if (length + 2 > *size) {
            char *grown = realloc(*line, 2 * *size);
            if (!grown)
                return -1;
            *line = grown;
            *size *= 2;
        }
        (*line)[length++] = (char)character;
    }
    (*line)[length] = '\0';
    return length ? (ssize_t)length : -1;
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return getdelim(line, size, delimiter, file);
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
    return getdelim(line, size, '\n', file);
}

/* ---- blocks ---- */

size_t __pn_real_fread(void *, size_t, size_t, FILE *);
ssize_t __pn_real_read(int, void *, size_t);
ssize_t __pn_real_pread(int, void *, size_t, off_t);
ssize_t __pn_real_readv(int, const struct iovec *, int);

/* How many of so many bytes there are from a position on. Of large files it is what it is in this run. */
static size_t count_bytes(const struct pn_given *given, size_t position, size_t most)
{
    size_t count = 0;
    while (count < most && count < FEW_BYTES && position + count < *given->length)
        count++;
    if (count < FEW_BYTES)
        return count;
    size_t left = (size_t)pn_bound((long)*given->length, "the length of a file") - position;
    return left < most ? left : most;
}

static size_t take(struct stream *stream, byte *to, size_t most)
{
    size_t count = 0;
    while (count < most && stream->pushed_count)
        to[count++] = stream->pushed[--stream->pushed_count];
    size_t more = count_bytes(stream->given, stream->position, most - count);
    memcpy(to + count, stream->given->bytes + stream->position, more);
    stream->position += more;
    return count + more;
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    struct stream *stream = find_file(file);
    if (!stream)
        return __pn_real_fread(to, size, count, file);
    size_t wanted = (size_t)pn_bound((long)(size * count), "fread");
    if (!wanted)
        return 0;
    size_t taken = take(stream, to, wanted);
    if (taken < wanted)
        file->_flags |= END_SEEN;
    return taken / size;
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file)
{
    return fread(to, size, count, file);
}

ssize_t read(int descriptor, void *to, size_t count)
{
    struct stream *stream = find(descriptor);
    if (!stream)
        return __pn_real_read(descriptor, to, count);
    return (ssize_t)take(stream, to, (size_t)pn_bound((long)count, "read"));
}

ssize_t pread(int descriptor, void *to, size_t count, off_t offset)
{
    struct stream *stream = find(descriptor);
    if (!stream)
        return __pn_real_pread(descriptor, to, count, offset);
    size_t from = (size_t)pn_bound(offset, "pread");
    count = count_bytes(stream->given, from, (size_t)pn_bound((long)count, "pread"));
    memcpy(to, stream->given->bytes + from, count);
    return (ssize_t)count;
}

ssize_t pread64(int descriptor, void *to, size_t count, off_t offset)
{
    return pread(descriptor, to, count, offset);
}

ssize_t readv(int descriptor, const struct iovec *parts, int count)
{
    struct stream *stream = find(descriptor);
    if (!stream)
        return __pn_real_readv(descriptor, parts, count);
    size_t taken = 0;
    for (int i = 0; i < count; i++) {
        size_t here = take(stream, parts[i].iov_base, parts[i].iov_len);
        taken += here;
        if (here < parts[i].iov_len)
            break;
    }
    return (ssize_t)taken;
}

/* ---- places ---- */

off_t __pn_real_lseek(int, off_t, int);
int __pn_real_fseek(FILE *, long, int);
long __pn_real_ftell(FILE *);
void __pn_real_rewind(FILE *);

static off_t move(struct stream *stream, off_t offset, int whence)
{
    off_t from = whence == SEEK_SET   ? 0
                 : whence == SEEK_CUR ? (off_t)stream->position - stream->pushed_count
                                      : (off_t)*stream->given->length;
    off_t to = pn_bound(from + offset, "the position in a file");
    if (to < 0) {
        errno = EINVAL;
        return -1;
    }
    stream->position = (size_t)to;
    stream->pushed_count = 0;
    return to;
}

off_t lseek(int descriptor, off_t offset, int whence)
{
    struct stream *stream = find(descriptor);
    return stream ? move(stream, offset, whence) : __pn_real_lseek(descriptor, offset, whence);
}

off_t lseek64(int descriptor, off_t offset, int whence)
{
    return lseek(descriptor, offset, whence);
}

/* What is written behind it is not appended. */
static void lose_place(FILE *file, const char *function)
{
    if (__pn_argument_number(file) >= 0)
        pn_lost(function);
}

int fseek(FILE *file, long offset, int whence)
{
    struct stream *stream = find_file(file);
    if (!stream) {
        lose_place(file, "fseek");
        return __pn_real_fseek(file, offset, whence);
    }
    if (move(stream, offset, whence) < 0)
        return -1;
    file->_flags &= ~END_SEEN;
    return 0;
}

int fseeko(FILE *file, off_t offset, int whence)
{
    return fseek(file, offset, whence);
}

int fseeko64(FILE *file, off_t offset, int whence)
{
    return fseek(file, offset, whence);
}

void rewind(FILE *file)
{
    struct stream *stream = find_file(file);
    if (!stream) {
        lose_place(file, "rewind");
        __pn_real_rewind(file);
        return;
    }
    move(stream, 0, SEEK_SET);
    file->_flags &= ~(END_SEEN | ERROR_SEEN);
}

long ftell(FILE *file)
{
    struct stream *stream = find_file(file);
    return stream ? (long)stream->position - stream->pushed_count : __pn_real_ftell(file);
}

off_t ftello(FILE *file)
{
    return ftell(file);
}

off_t ftello64(FILE *file)
{
    return ftell(file);
}

/* ---- what a function leaves of a stream that it was given ---- */

void pn_stream_state(FILE *file, long state[PN_STREAM_STATES])
{
    struct stream *stream = &streams[DESCRIPTORS + __pn_argument_number(file)];
    memset(state, 0, PN_STREAM_STATES * sizeof *state);
    if (stream->state == CLOSED) {
        state[PN_STREAM_CLOSED] = 1;
        return;
    }
    if (find_file(file))
        state[PN_STREAM_POSITION] = (long)stream->position - stream->pushed_count;
    state[PN_STREAM_END] = (file->_flags & END_SEEN) != 0;
    state[PN_STREAM_ERROR] = (file->_flags & ERROR_SEEN) != 0;
}

/* ---- ends and errors: in the flags, for everybody ---- */

int feof(FILE *file)
{
    return (file->_flags & END_SEEN) != 0;
}

int feof_unlocked(FILE *file)
{
    return feof(file);
}

int ferror(FILE *file)
{
    return (file->_flags & ERROR_SEEN) != 0;
}

int ferror_unlocked(FILE *file)
{
    return ferror(file);
}

void clearerr(FILE *file)
{
    file->_flags &= ~(END_SEEN | ERROR_SEEN);
}

void clearerr_unlocked(FILE *file)
{
    clearerr(file);
}

/* ---- closing ---- */

int __pn_real_close(int);
int __pn_real_fclose(FILE *);
FILE *__pn_real_freopen(const char *, const char *, FILE *);
int __pn_real_dup2(int, int);

int close(int descriptor)
{
    forget(descriptor);
    return __pn_real_close(descriptor);
}

/* One version may close what the other one goes on with: an argument stream stays open for it. */
static void close_argument(int number)
{
    struct stream *stream = &streams[DESCRIPTORS + number];
    if (stream->state == CLOSED)
        pn_lost("fclose");
    stream->state = CLOSED;
}

int fclose(FILE *file)
{
    int argument = __pn_argument_number(file);
    if (argument >= 0) {
        close_argument(argument);
        return 0;
    }
    forget(__pn_descriptor(file));
    return __pn_real_fclose(file);
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
    forget(__pn_descriptor(file));
    return __pn_real_freopen(path, mode, file);
}

int dup2(int from, int to)
{
    forget(to);
    return __pn_real_dup2(from, to);
}

/* ---- what the system knows of a file ---- */

int __pn_real_fstat(int, struct stat *);
int __pn_real_stat(const char *, struct stat *);
int __pn_real_lstat(const char *, struct stat *);
int __pn_real_fstatat(int, const char *, struct stat *, int);

static int with_length(int result, struct stat *status)
{
    const struct pn_given *given = result ? NULL : __pn_given_status(status);
    if (given)
        status->st_size = *given->length;
    return result;
}

int fstat(int descriptor, struct stat *status)
{
    return with_length(__pn_real_fstat(descriptor, status), status);
}

int stat(const char *path, struct stat *status)
{
    return with_length(__pn_real_stat(path, status), status);
}

int lstat(const char *path, struct stat *status)
{
    return with_length(__pn_real_lstat(path, status), status);
}

int fstatat(int directory, const char *path, struct stat *status, int flags)
{
    return with_length(__pn_real_fstatat(directory, path, status, flags), status);
}

void *__pn_real_mmap(void *, size_t, int, int, int, off_t);

/* A copy: nobody else writes to the file. */
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    struct stream *stream = flags & MAP_ANONYMOUS ? NULL : find(descriptor);
    if (!stream || (protection & PROT_WRITE && !(flags & MAP_PRIVATE)))
        return __pn_real_mmap(address, length, protection, flags, descriptor, offset);
    size_t wanted = (size_t)pn_bound((long)length, "mmap");
    void *memory = __pn_real_mmap(address, wanted, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED), -1, 0);
    if (memory == MAP_FAILED)
        return memory;
    memcpy(memory, stream->given->bytes + offset, count_bytes(stream->given, (size_t)offset, wanted));
    return memory;
}

/* ---- scanning ---- */

int __pn_real___isoc99_vfscanf(FILE *, const char *, va_list);

/* The text from here on, as far as it is looked at. */
static int scan_file(FILE *file, const char *format, int is_new, va_list arguments)
{
    struct stream *stream = find_file(file);
    if (!stream)
        return __pn_real___isoc99_vfscanf(file, format, arguments);
    char text[LONGEST_SCAN + 1];
    int from_pushed = stream->pushed_count;
    size_t length = take(stream, (byte *)text, LONGEST_SCAN), used = 0;
    text[length] = '\0';
    int done = scan_prefix(text, format, is_new, arguments, &used);
    stream->position -= length - (used > (size_t)from_pushed ? used : (size_t)from_pushed);
    if (used == length)
        file->_flags |= END_SEEN;
    return done;
}

#define WITH_LIST(name, is_new)                                                                                        \
    int name(FILE *file, const char *format, va_list arguments)                                                        \
    {                                                                                                                  \
        return scan_file(file, format, is_new, arguments);                                                             \
    }

#define WITH_ARGUMENTS(name, is_new)                                                                                   \
    int name(FILE *file, const char *format, ...)                                                                      \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int done = scan_file(file, format, is_new, arguments);                                                         \
        va_end(arguments);                                                                                             \
        return done;                                                                                                   \
    }

#define OF_STANDARD_INPUT(name, is_new)                                                                                \
    int name(const char *format, ...)                                                                                  \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int done = scan_file(stdin, format, is_new, arguments);                                                        \
        va_end(arguments);                                                                                             \
        return done;                                                                                                   \
    }

/* <stdio.h> may have given them other names. */
#undef vfscanf
#undef fscanf
#undef scanf
int pn_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int pn_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int pn_scanf(const char *, ...) __asm__("scanf");
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc23_vfscanf(FILE *, const char *, va_list);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int __isoc99_scanf(const char *, ...);
int __isoc23_scanf(const char *, ...);

WITH_LIST(pn_vfscanf, 0)
WITH_LIST(__isoc99_vfscanf, 0)
WITH_LIST(__isoc23_vfscanf, 1)
WITH_ARGUMENTS(pn_fscanf, 0)
WITH_ARGUMENTS(__isoc99_fscanf, 0)
WITH_ARGUMENTS(__isoc23_fscanf, 1)
OF_STANDARD_INPUT(pn_scanf, 0)
OF_STANDARD_INPUT(__isoc99_scanf, 0)
OF_STANDARD_INPUT(__isoc23_scanf, 1)
