/* Files and standard input of a whole program, and streams that a function is given: the bytes are the input's, with
 * labels, and models of functions that read (models/streams.c) take them from here. The file itself holds the run's
 * bytes, too, for all that is not modelled. */
#include "execute/given.h"
#include "runtime/runtime.h"
#include "trace/given.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>

void __pn_give(const char *path, const char *bytes, const unsigned *length);
const struct pn_given *__pn_given(int descriptor);
const struct pn_given *__pn_given_status(const struct stat *status);
int __pn_descriptor(FILE *stream);
int __pn_argument_number(FILE *stream);
const struct pn_given *__pn_given_argument(int number);
FILE *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const unsigned *length);
void __pn_output_written(const char *name, FILE *stream);
void __pn_set_variable(char *assignment);
void __pn_exit(const int *status);
void pn_output(const char *name, const void *pointer, unsigned long size);

static struct {
    struct pn_given given;
    dev_t device;
    ino_t number;
} table[PN_MOST_GIVEN];
static unsigned count;

void __pn_give(const char *path, const char *bytes, const unsigned *length)
{
    struct stat status;
    if (!given_put(path, bytes, *length, &status) || count == PN_MOST_GIVEN) {
        pn_lose(PN_LOSS_DATA);
        return;
    }
    table[count].given = (struct pn_given){bytes, length};
    table[count].device = status.st_dev;
    table[count++].number = status.st_ino;
}

/* ---- argument streams ----
 *
 * They stay open from run to run, where runs share a process. */

static struct argument {
    struct pn_given given;
    FILE *file;
    const char *name, *mode;
    struct stat status;
} arguments[PN_MOST_STREAMS];

static struct argument *find_argument(const FILE *file)
{
    for (unsigned i = 0; i < PN_MOST_STREAMS && file; i++)
        if (arguments[i].file == file)
            return &arguments[i];
    return NULL;
}

static bool is_for_reading(const struct argument *argument)
{
    return argument->file && !strcmp(argument->mode, "r");
}

static void empty_stream(FILE *file)
{
    __fpurge(file);
    rewind(file);
    if (ftruncate(fileno(file), 0))
        pn_lose(PN_LOSS_DATA);
}

FILE *__pn_open_stream(unsigned number, const char *name, const char *mode, const char *bytes, const unsigned *length)
{
    struct argument *argument = &arguments[number];
    int before = errno;
    if (argument->file)
        empty_stream(argument->file);
    else
        argument->file = stream_open(mode);
    argument->name = name;
    argument->mode = mode;
    argument->given = (struct pn_given){bytes, length};
    if (!argument->file || !stream_fill(argument->file, bytes, length ? *length : 0, &argument->status))
        pn_lose(PN_LOSS_DATA);
    errno = before;
    return argument->file;
}

int __pn_argument_number(FILE *stream)
{
    const struct argument *argument = find_argument(stream);
    return argument ? (int)(argument - arguments) : -1;
}

/* Of one that is written, too, the bytes are the file's. */
const struct pn_given *__pn_given_argument(int number)
{
    const struct argument *argument = &arguments[number];
    if (!strcmp(argument->mode, "r+"))
        pn_note_unmodelled(__pn_model_site);
    return is_for_reading(argument) ? &argument->given : NULL;
}

const char *pn_argument_name(const FILE *stream)
{
    const struct argument *argument = find_argument(stream);
    return argument ? argument->name : NULL;
}

/* What was written is an output by itself: pn_compare_streams(). */
void __pn_output_written(const char *name, FILE *stream)
{
    (void)name, (void)stream;
}

const struct pn_given *__pn_given_status(const struct stat *status)
{
    for (unsigned i = 0; i < PN_MOST_STREAMS; i++)
        if (is_for_reading(&arguments[i]) && arguments[i].status.st_ino == status->st_ino &&
            arguments[i].status.st_dev == status->st_dev)
            return &arguments[i].given;
    for (unsigned i = 0; i < count; i++)
        if (table[i].number == status->st_ino && table[i].device == status->st_dev) {
            pn_trace->given_used[i / 64] |= UINT64_C(1) << i % 64;
            return &table[i].given;
        }
    return NULL;
}

/* What was opened to be written to as well is the system's. */
const struct pn_given *__pn_given(int descriptor)
{
    struct stat status;
    int flags = fcntl(descriptor, F_GETFL);
    bool is_read = flags >= 0 && ((flags & O_ACCMODE) == O_RDONLY || descriptor == STDIN_FILENO);
    for (unsigned i = 0; i < PN_MOST_STREAMS; i++)
        if (arguments[i].file && fileno(arguments[i].file) == descriptor)
            return __pn_given_argument((int)i);
    const struct pn_given *given = !fstat(descriptor, &status) ? __pn_given_status(&status) : NULL;
    return is_read ? given : NULL;
}

int __pn_descriptor(FILE *stream)
{
    return fileno(stream);
}

void __pn_exit(const int *status)
{
    pn_output("exit status", status, sizeof *status);
    exit(*status);
}

void __pn_set_variable(char *assignment)
{
    putenv(assignment);
}
