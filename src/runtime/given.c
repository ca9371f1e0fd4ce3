/* Files and standard input of a whole program: the bytes are the input's, with labels, and models of functions that
 * read (models/streams.c) take them from here. The file itself holds the run's bytes, too, for all that is not
 * modelled. */
#include "execute/given.h"
#include "runtime/runtime.h"
#include "trace/given.h"

#include <stdio.h>

void __pn_give(const char *path, const char *bytes, const unsigned *length);
const struct pn_given *__pn_given(int descriptor);
const struct pn_given *__pn_given_status(const struct stat *status);
int __pn_descriptor(FILE *stream);
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

const struct pn_given *__pn_given_status(const struct stat *status)
{
    for (unsigned i = 0; i < count; i++)
        if (table[i].number == status->st_ino && table[i].device == status->st_dev)
            return &table[i].given;
    return NULL;
}

/* What was opened to be written to as well is the system's. */
const struct pn_given *__pn_given(int descriptor)
{
    struct stat status;
    int flags = fcntl(descriptor, F_GETFL);
    bool is_read = flags >= 0 && ((flags & O_ACCMODE) == O_RDONLY || descriptor == STDIN_FILENO);
    return is_read && !fstat(descriptor, &status) ? __pn_given_status(&status) : NULL;
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
