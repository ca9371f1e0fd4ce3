/* Linked into a native program that is made to record the calls of a function: what source/recording.c writes calls
 * this. A record is made here, and put into the file that is shared with the tool when it is whole. Memory that the
 * program points to is read by the kernel, which knows what is mapped: a bad pointer ends a copy, and nothing else. */
#include "recorder/calls.h"

#include "execute/serve.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>

enum { PAGE = 4096 };

static struct calls_header *header;
static unsigned char record[CALLS_RECORD];
static uint32_t length;
static int is_busy, kept_error;

__attribute__((constructor)) static void open_shared(void)
{
    void *shared = mmap(NULL, CALLS_INPUT, PROT_READ | PROT_WRITE, MAP_SHARED, SERVE_TRACE, 0);
    if (shared == MAP_FAILED)
        return;
    header = shared;
    header->has_started = 1;
    lseek(SERVE_TRACE, CALLS_INPUT, SEEK_SET);
    dup2(SERVE_TRACE, STDIN_FILENO);
}

int __pn_record_begin(void);
void __pn_record(const void *bytes, unsigned long size, const char *name);
void __pn_reach(void *object, unsigned long size, const void *from);
void __pn_record_end(void);

/* Whether this call is to be recorded: early ones, and some of many. Of two threads one is. */
int __pn_record_begin(void)
{
    if (!header)
        return 0;
    uint32_t number = __atomic_add_fetch(&header->calls, 1, __ATOMIC_RELAXED);
    if ((number > CALLS_FIRST && (number & (number - 1))) || __atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE))
        return 0;
    kept_error = errno;
    length = sizeof length;
    return 1;
}

void __pn_record(const void *bytes, unsigned long size, const char *name)
{
    struct calls_part part = {(uint32_t)strlen(name) + 1, (uint32_t)size};
    if (length > sizeof record || size > sizeof record || length + sizeof part + part.name + size > sizeof record) {
        length = sizeof record + 1;
        return;
    }
    memcpy(record + length, &part, sizeof part);
    memcpy(record + length + sizeof part, name, part.name);
    memcpy(record + length + sizeof part + part.name, bytes, size);
    length += (uint32_t)(sizeof part + part.name + size);
}

/* Copies as much as can be read, page by page; the rest of the object becomes zero. */
void __pn_reach(void *object, unsigned long size, const void *from)
{
    unsigned long done = 0;
    while (done < size) {
        uintptr_t at = (uintptr_t)from + done;
        size_t left = size - done, step = PAGE - at % PAGE;
        struct iovec to = {(char *)object + done, step < left ? step : left}, source = {(void *)at, to.iov_len};
        ssize_t count = process_vm_readv(getpid(), &to, 1, &source, 1, 0);
        if (count <= 0)
            break;
        done += (unsigned long)count;
    }
    memset((char *)object + done, 0, size - done);
}

/* The length is written last: whoever reads a record that was not finished finds none. */
void __pn_record_end(void)
{
    if (length <= sizeof record) {
        uint32_t place = __atomic_fetch_add(&header->used, CALLS_ROOM(length), __ATOMIC_RELAXED);
        if (place < CALLS_BYTES && CALLS_ROOM(length) <= CALLS_BYTES - place) {
            uint32_t *shared = (uint32_t *)(header + 1) + place / sizeof length;
            memcpy(shared + 1, record + sizeof length, length - sizeof length);
            __atomic_store_n(shared, length, __ATOMIC_RELEASE);
        }
    }
    errno = kept_error;
    __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
}
