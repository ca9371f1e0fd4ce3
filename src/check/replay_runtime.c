/* Linked into the native programs: main(), and what a program under test calls, on top of libc alone.
 *
 * `old INPUT` runs the old version on the input file: lines `name = 07 00 00 00  # 7`, as many as there are inputs.
 * What the checker compares beside the program's own output goes to a descriptor of its own, and to standard output
 * where there is none.
 *
 * `old --serve` is how the checker starts it: as a server (execute/serve.h), so that the sanitizer's start is paid for
 * once. The input is handed over, and the child does with it what `old INPUT` does. */
#include "check/replay_failures.h"
#include "check/replay_leaks.h"
#include "check/replay_statics.h"
#include "check/replay_streams.h"
#include "execute/given.h"
#include "execute/serve.h"
#include "trace/floating.h"
#include "trace/input_line.h"
#include "trace/known.h"
#include "trace/trace.h"
#include "trace/uninitialised.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ASSUMPTION_STATUS = 77, USAGE_STATUS = 64, NAME_LENGTH = sizeof((struct pn_input_region *)0)->name - 1 };
enum { ROOM = 1 << 28 }; /* bytes of address space: for the input's text, and for its lines */

void __pn_harness(void);
void pn_symbolic(void *pointer, unsigned long size, const char *name);
void pn_assume(int condition);
void pn_output(const char *name, const void *pointer, unsigned long size);
void pn_pointer(void *pointer, void *object, const char *name);
void pn_output_pointer(const char *name, const void *pointer, unsigned target, unsigned long element, const char *type,
                       struct pn_extent *extent);
void __pn_output_block(const char *name, const void *pointer, unsigned long size, unsigned long element);
const char *__pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long index);
int __pn_holds_pointers(const void *bytes, unsigned long size);
void __pn_entry_returned(void);
int __pn_is_there(const void *pointer);
void *__pn_make_block(unsigned long size);
void *__pn_find_static(const char *symbol);
int __pn_is_kept(const char *name, const void *pointer);
int __pn_is_new(const char *file, int line);
int __pn_called(unsigned long callback, const char *name);
void __pn_called_with(const void *argument, unsigned long size);
unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more);
void __pn_output_place(const char *name, const void *pointer, const unsigned long *length);
void __pn_output_passed(const char *name, const void *kept, unsigned long size, const unsigned long *length);
void *__asan_region_is_poisoned(void *start, size_t size) __attribute__((weak));
void __pn_unseen(void);
void __sanitizer_malloc_hook(const volatile void *start, size_t size);
const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after);
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));
const char *__asan_locate_address(void *address, char *name, size_t name_size, void **region_address,
                                  size_t *region_size) __attribute__((weak));
void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* For programs that are linked without the compiler's start files. */
__attribute__((weak, visibility("hidden"))) void *__dso_handle = NULL;

/* The input's lines. They are kept outside the heap, which is the program's; and to set the sanitizer's heap up takes
 * longer than most runs. */
static struct pn_input_line *lines;
static size_t line_count;
static char *input_text;

/* Where outputs go: a stream of their own that the checker reads; by hand, standard output. */
static FILE *results;

static void *reserve(void)
{
    void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED)
        return room;
    perror("no memory for the input");
    exit(USAGE_STATUS);
}

static _Noreturn void refuse_input(void)
{
    if (replay_shared)
        replay_shared->report.input_is_bad = 1;
    exit(USAGE_STATUS);
}

/* The content of the file, or without a path of what the checker hands over; and a zero behind it. */
static char *read_text(const char *path, size_t *length)
{
    char *text = input_text;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : SERVE_INPUT;
    ssize_t count = -1;
    *length = 0;
    while (file >= 0 && (count = pread(file, text + *length, ROOM - 1 - *length, (off_t)*length)) > 0)
        *length += (size_t)count;
    if (count < 0) {
        perror(path ? path : "input");
        refuse_input();
    }
    close(file);
    return text;
}

static void read_input(const char *path)
{
    size_t length;
    char *text = read_text(path, &length), *end = text + length;
    for (int number = 1; text < end; number++) {
        char *line = text, *line_end = memchr(text, '\n', (size_t)(end - text));
        text = line_end ? line_end + 1 : end;
        if (line_end)
            *line_end = '\0';
        if (pn_input_line_is_empty(line))
            continue;
        if (!pn_input_line_read(line, &lines[line_count++])) {
            fprintf(stderr, "%s%sline %d: expected a line like `x = 07 00 00 00`\n", path ? path : "", path ? ": " : "",
                    number);
            refuse_input();
        }
    }
}

void pn_symbolic(void *pointer, unsigned long size, const char *name)
{
    for (size_t i = line_count; i-- > 0;) /* the last line of a name counts */
        if (strncmp(lines[i].name, name, NAME_LENGTH) == 0) {
            memcpy(pointer, lines[i].bytes, size < lines[i].size ? size : lines[i].size);
            return;
        }
}

/* Whether the change at that place is the new version's: a program of both is asked which of its changes matter. */
int __pn_is_new(const char *file, int line)
{
    static const char *latest_file;
    static int latest_line, latest;
    char name[NAME_LENGTH + 1];
    unsigned char chosen = 0;
    if (file == latest_file && line == latest_line)
        return latest;
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%s:%d", slash ? slash + 1 : file, line);
    pn_symbolic(&chosen, sizeof chosen, name);
    latest_file = file, latest_line = line, latest = chosen;
    return chosen;
}

/* What automatic variables and blocks hold that nobody has written. */
unsigned char __pn_fresh[PN_FRESH_BLOCK] __attribute__((aligned(8)));

static void make_fresh_bytes(void)
{
    pn_symbolic(__pn_fresh, PN_FRESH_SIZE, PN_UNINITIALISED);
    for (size_t i = PN_FRESH_SIZE; i < sizeof __pn_fresh; i++)
        __pn_fresh[i] = __pn_fresh[i - PN_FRESH_SIZE];
}

/* What calloc() has to clear is cleared after that, but for large blocks, which have the sanitizer's own filling. */
void __sanitizer_malloc_hook(const volatile void *start, size_t size)
{
    for (size_t i = 0; i < size && size <= PN_MOST_FRESH; i++)
        ((volatile unsigned char *)(uintptr_t)start)[i] = __pn_fresh[i % PN_FRESH_SIZE];
    leak_add((uint64_t)(uintptr_t)start, size);
}

/* ---- what a whole program is started with ---- */

void __pn_give(const char *path, const char *bytes, const unsigned *length)
{
    struct stat status;
    if (given_put(path, bytes, *length, &status))
        return;
    fprintf(stderr, "penumbra: %s cannot be written\n", path ? path : "standard input");
    refuse_input();
}

void __pn_set_variable(char *assignment)
{
    putenv(assignment);
}

void pn_assume(int condition)
{
    if (condition)
        return;
    fflush(stdout);
    fprintf(stderr, "penumbra: the input does not fulfil an assumption of the program\n");
    if (replay_shared)
        replay_shared->report.assumption_failed = 1;
    _exit(ASSUMPTION_STATUS);
}

void pn_output(const char *name, const void *pointer, unsigned long size)
{
    fprintf(results, "%s =", name);
    for (unsigned long i = 0; i < size; i++)
        fprintf(results, " %02x", ((const unsigned char *)pointer)[i]);
    if (size == 1 || size == 2 || size == 4 || size == 8) {
        long long value = 0;
        memcpy(&value, pointer, size);
        int shift = (int)(64 - 8 * size);
        fprintf(results, "  # %lld", (long long)((unsigned long long)value << shift) >> shift);
    }
    putc('\n', results);
}

/* Before anything else is printed, which could change it. */
void __pn_entry_returned(void)
{
    int value = errno;
    if (value)
        pn_output("errno", &value, sizeof value);
}

void pn_pointer(void *pointer, void *object, const char *name)
{
    unsigned char is_null = 0;
    pn_symbolic(&is_null, 1, name);
    void *value = is_null ? NULL : object;
    memcpy(pointer, &value, sizeof value);
}

extern const char __executable_start[], __data_start[], end[];

static bool is_between(uint64_t address, const char *from, const char *to)
{
    return address >= (uint64_t)(uintptr_t)from && address < (uint64_t)(uintptr_t)to;
}

/* A variable reaches as far as no redzone is met. (The sanitizer's own answer may be a variable beside it.) */
static void find_variable(uint64_t address, struct pn_block *block)
{
    enum { LARGEST = 1 << 20 };
    uint64_t first = address, last = address;
    if (!__asan_address_is_poisoned || __asan_address_is_poisoned((void *)(uintptr_t)address))
        return;
    while (address - first < LARGEST && is_between(first - 1, __executable_start, end) &&
           !__asan_address_is_poisoned((void *)(uintptr_t)(first - 1)))
        first--;
    while (last - address < LARGEST && is_between(last + 1, __executable_start, end) &&
           !__asan_address_is_poisoned((void *)(uintptr_t)(last + 1)))
        last++;
    if (address - first == LARGEST || last - address == LARGEST)
        return;
    block->base = first;
    block->size = last + 1 - first;
    block->is_readable = true;
    block->is_constant = address < (uint64_t)(uintptr_t)__data_start;
}

/* As far as the sanitizer knows. A variable of a function that has returned is not there any more. */
static struct pn_block block_at(uint64_t address)
{
    struct pn_block block = {.base = address};
    char name[64];
    void *base;
    size_t size;
    if (is_between(address, __executable_start, end))
        find_variable(address, &block);
    if (block.size || !__asan_locate_address || !address)
        return block;
    const char *kind = __asan_locate_address((void *)(uintptr_t)address, name, sizeof name, &base, &size);
    if (!kind || strcmp(kind, "heap") != 0 || address - (uint64_t)(uintptr_t)base > size)
        return block;
    block.base = (uint64_t)(uintptr_t)base;
    block.size = size;
    block.is_readable = !size || !__asan_address_is_poisoned(base);
    return block;
}

static struct pn_extent output_elsewhere(const char *name, uint64_t address, enum pn_target target,
                                         unsigned long element, const char *type)
{
    static struct pn_visits visits;
    struct pn_extent none = {0};
    struct pn_block block = block_at(address);
    if (block.is_constant && target == PN_UNKNOWN) /* a function, most likely: in each version it lies elsewhere */
        block = (struct pn_block){.base = address};
    if (block.is_constant && block.is_readable && target == PN_TEXT) {
        fprintf(results, "%s = constant\n", name);
        return pn_extent_of(&block, address, target, element);
    }
    unsigned number = pn_elsewhere_number(&replay_elsewhere, block.base);
    unsigned long offset = (unsigned long)(address - block.base);
    fprintf(results, offset ? "%s = memory %u + %lu" : "%s = memory %u", name, number, offset);
    if (block.size)
        fprintf(results, block.is_readable ? " of %lu bytes" : ", freed", (unsigned long)block.size);
    putc('\n', results);
    if (!block.is_readable)
        return none;
    struct pn_extent extent = pn_extent_of(&block, address, target, element);
    return pn_visit(&visits, number, offset - extent.before, type, &extent) ? extent : none;
}

void pn_output_pointer(const char *name, const void *pointer, unsigned target, unsigned long element, const char *type,
                       struct pn_extent *extent)
{
    const unsigned char *value;
    memcpy(&value, pointer, sizeof value);
    uint64_t address = (uint64_t)(uintptr_t)value;
    const struct pn_known *known = pn_known_at(address);
    *extent = (struct pn_extent){0};
    if (!value) {
        fprintf(results, "%s = NULL\n", name);
    } else if (!known) {
        *extent = output_elsewhere(name, address, target, element, type);
    } else {
        unsigned long offset = (unsigned long)(address - (uint64_t)(uintptr_t)known->object);
        fprintf(results, offset ? "%s = %s + %lu\n" : "%s = %s\n", name, known->name, offset);
    }
}

static bool is_pointer(uint64_t value)
{
    return value && (is_between(value, __executable_start, end) || pn_known_at(value) || block_at(value).size);
}

/* Whether it leads to a block that has not been freed. */
int __pn_is_there(const void *pointer)
{
    uint64_t address;
    memcpy(&address, pointer, sizeof address);
    return address && block_at(address).is_readable;
}

void *__pn_make_block(unsigned long size)
{
    return calloc(1, size ? size : 1);
}

int __pn_is_kept(const char *name, const void *pointer)
{
    static const char freed = 1;
    if (!__asan_locate_address || __pn_is_there(pointer)) /* only the sanitizer knows */
        return 1;
    pn_output(name, &freed, sizeof freed);
    return 0;
}

int __pn_holds_pointers(const void *bytes, unsigned long size)
{
    uint64_t value;
    for (unsigned long i = 0; i + sizeof value <= size; i += sizeof value) {
        memcpy(&value, (const char *)bytes + i, sizeof value);
        if (is_pointer(value))
            return 1;
    }
    return 0;
}

/* Bytes of which it is not known what they are. Pointers among them are no numbers: where a block lies depends on which
 * others were allocated before. */
static void output_raw(const char *name, const unsigned char *bytes, unsigned long size)
{
    fprintf(results, "%s =", name);
    for (unsigned long i = 0; i < size; i++) {
        uint64_t value = 0;
        if ((uintptr_t)(bytes + i) % sizeof value == 0 && i + sizeof value <= size)
            memcpy(&value, bytes + i, sizeof value);
        if (is_pointer(value)) {
            fprintf(results, " pointer");
            i += sizeof value - 1;
        } else {
            fprintf(results, " %02x", bytes[i]);
        }
    }
    putc('\n', results);
}

void __pn_output_block(const char *name, const void *pointer, unsigned long size, unsigned long element)
{
    const void *bytes;
    memcpy(&bytes, pointer, sizeof bytes);
    size = size < PN_MOST_BYTES ? size : PN_MOST_BYTES;
    if (element)
        __pn_output_floating(name, bytes, size, element);
    else if (__pn_holds_pointers(bytes, (uintptr_t)bytes % sizeof(void *) ? 0 : size))
        output_raw(name, bytes, size);
    else
        pn_output(name, bytes, size);
}

/* `count in next() = 05 00 00 00`; of several of that name, with a number. Constants are none. */
/* Found once: children of a server have the same. */
static struct replay_static statics[MOST_STATICS];
static size_t static_count;

static void output_statics(void)
{
    for (size_t i = 0; i < static_count; i++) {
        char name[PN_OUTPUT_NAME];
        struct pn_block block = {0};
        if (is_between(statics[i].address, __data_start, end))
            find_variable(statics[i].address, &block);
        if (!block.size || block.base != statics[i].address || block.size > PN_MOST_BYTES)
            continue;
        int function = (int)strcspn(statics[i].name, ".");
        snprintf(name, sizeof name, "%s in %.*s()", statics[i].name + function + 1, function, statics[i].name);
        output_raw(name, (const unsigned char *)(uintptr_t)block.base,
                   block.size < statics[i].size ? block.size : statics[i].size);
    }
}

/* What no code has that can be reached may not be there: then it is of no account what is done to it. */
void *__pn_find_static(const char *symbol)
{
    for (size_t i = 0; i < static_count; i++)
        if (!strcmp(statics[i].name, symbol))
            return (void *)(uintptr_t)statics[i].address;
    return reserve();
}

const char *__pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long index)
{
    return pn_element_name(buffer, pointer, count, index);
}

/* ---- what a callback was given ---- */

int __pn_called(unsigned long callback, const char *name)
{
    (void)callback;
    int before = errno;
    printf("%s() is called\n", name);
    errno = before;
    return 0;
}

void __pn_called_with(const void *argument, unsigned long size)
{
    int before = errno;
    printf("with");
    for (unsigned long i = 0; i < size; i++)
        printf(" %02x", ((const unsigned char *)argument)[i]);
    putchar('\n');
    errno = before;
}

static bool is_mapped(uint64_t address)
{
    int before = errno;
    bool mapped = msync((void *)(uintptr_t)(address & ~UINT64_C(4095)), 4096, MS_ASYNC) == 0;
    errno = before;
    return mapped;
}

/* What the sanitizer does not object to. */
unsigned long __pn_readable(const void *pointer, unsigned long most, unsigned long *more)
{
    char *from;
    memcpy(&from, pointer, sizeof from);
    *more = 0;
    if (!from || !__asan_region_is_poisoned || !is_mapped((uint64_t)(uintptr_t)from))
        return 0;
    char *end_of_it = __asan_region_is_poisoned(from, most);
    return end_of_it ? (unsigned long)(end_of_it - from) : most;
}

void __pn_output_place(const char *name, const void *pointer, const unsigned long *length)
{
    const unsigned char *value;
    memcpy(&value, pointer, sizeof value);
    const struct pn_known *known = pn_known_at((uint64_t)(uintptr_t)value);
    if (value && known)
        fprintf(results, "%s = %s + %lu\n", name, known->name,
                (unsigned long)(value - (const unsigned char *)known->object));
    else if (value && length)
        fprintf(results, "%s = memory of %lu bytes\n", name, *length);
    else
        fprintf(results, "%s = %s\n", name, value ? "memory" : "NULL");
}

void __pn_output_passed(const char *name, const void *kept, unsigned long size, const unsigned long *length)
{
    if (*length)
        pn_output(name, kept, *length < size ? *length : size);
}

const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after)
{
    return pn_join_name(buffer, before, whole, after);
}

void __pn_unseen(void)
{
}

/* The shortest text that reads back to the same number. */
static void print_number(uint64_t bits, unsigned width)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, pn_float_number(bits, width));
        double read = strtod(text, NULL);
        if (pn_float_bits(read, width) == bits)
            break;
    }
    fprintf(results, "%s", text);
}

/* `return = 00 00 00 00 00 00 f8 3f  # double 1.5`. A NaN is printed as the one NaN: they all compare the same. */
void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element)
{
    enum { MOST_SHOWN = 8 };
    unsigned width = (unsigned)element * 8;
    fprintf(results, "%s =", name);
    for (unsigned long i = 0; i < size; i += element) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)pointer + i, element);
        if (pn_float_is_nan(bits, width))
            bits = pn_float_nan(width);
        for (unsigned long k = 0; k < element; k++)
            fprintf(results, " %02x", (unsigned)(bits >> 8 * k) & 0xff);
    }
    fprintf(results, "  # %s", element == 4 ? "float" : "double");
    for (unsigned long i = 0; i < size && i < MOST_SHOWN * element; i += element) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)pointer + i, element);
        putc(' ', results);
        print_number(pn_float_is_nan(bits, width) ? pn_float_nan(width) : bits, width);
    }
    fprintf(results, size > MOST_SHOWN * element ? " ...\n" : "\n");
}

/* Names the program that turns addresses into lines only where it exists. No libc call that could be intercepted: the
 * sanitizer is still starting. */
const char *__asan_default_options(void)
{
#define OPTIONS                                                                                                        \
    "detect_leaks=0:handle_abort=1:allocator_may_return_null=1:print_legend=0:verify_asan_link_order=0:"               \
    "max_malloc_fill_size=1048576"
#define SYMBOLIZER "/usr/lib/llvm-19/bin/llvm-symbolizer"
    if (syscall(SYS_access, SYMBOLIZER, X_OK) == 0)
        return OPTIONS ":external_symbolizer_path=" SYMBOLIZER;
    return OPTIONS;
}

const char *__ubsan_default_options(void)
{
    return "halt_on_error=0:print_stacktrace=0:report_error_type=0";
}

/* The sanitizer's versions of these functions look at what is read, but give -1, 0 or 1. The C library gives the
 * difference of the bytes, and so do traces. */
#define SANITIZED(function) extern __typeof__(function) __interceptor_##function
SANITIZED(memcmp);
SANITIZED(bcmp);
SANITIZED(strcmp);
SANITIZED(strncmp);
SANITIZED(strcasecmp);
SANITIZED(strncasecmp);

static int as_it_is(int character)
{
    return character;
}

static int in_lower_case(int character)
{
    return character >= 'A' && character <= 'Z' ? character + 32 : character;
}

/* `sign` is what the sanitizer's function says: where that is 0 there is no difference to be found. */
static int difference(int sign, const void *one, const void *other, int (*as)(int))
{
    const unsigned char *a = one, *b = other;
    if (!sign)
        return 0;
    while (as(*a) == as(*b))
        a++, b++;
    return as(*a) - as(*b);
}

int memcmp(const void *one, const void *other, size_t count)
{
    return difference(__interceptor_memcmp(one, other, count), one, other, as_it_is);
}

int bcmp(const void *one, const void *other, size_t count)
{
    return difference(__interceptor_bcmp(one, other, count), one, other, as_it_is);
}

int strcmp(const char *one, const char *other)
{
    return difference(__interceptor_strcmp(one, other), one, other, as_it_is);
}

int strncmp(const char *one, const char *other, size_t limit)
{
    return difference(__interceptor_strncmp(one, other, limit), one, other, as_it_is);
}

int strcasecmp(const char *one, const char *other)
{
    return difference(__interceptor_strcasecmp(one, other), one, other, in_lower_case);
}

int strncasecmp(const char *one, const char *other, size_t limit)
{
    return difference(__interceptor_strncasecmp(one, other, limit), one, other, in_lower_case);
}

static ssize_t write_results(void *mapping, const char *bytes, size_t length)
{
    struct serve_results *shared = mapping;
    uint64_t room = SERVE_RESULTS_BYTES - sizeof *shared;
    if (shared->length <= room && length <= room - shared->length) {
        memcpy(shared->bytes + shared->length, bytes, length);
        shared->length += length;
    }
    return (ssize_t)length;
}

static FILE *open_results(void)
{
    static char buffer[BUFSIZ];
    if (!replay_shared)
        return replay_results ? replay_results : stdout;
    FILE *stream = fopencookie(replay_shared, "w", (cookie_io_functions_t){.write = write_results});
    if (!stream)
        return stdout;
    setvbuf(stream, buffer, _IOLBF, sizeof buffer);
    return stream;
}

/* Old and new are one program to those who ask for its name, or their messages would differ. Constant: data of ours
 * would lie between the program's guard and its variables. */
static void take_common_name(void)
{
    static const char name[] = "program";
    program_invocation_name = program_invocation_short_name = (char *)name;
}

/* What is the same in all runs, once for all that are served. */
static void prepare(void)
{
    /* So that a crash loses nothing that was printed before it. */
    static char buffer[BUFSIZ];
    static_count = replay_find_statics(statics, (uint64_t)(uintptr_t)__executable_start);
    setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
    input_text = reserve();
    lines = reserve();
    replay_watch_signals();
    results = open_results();
    take_common_name();
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s INPUT\nINPUT is a file of lines like `x = 07 00 00 00`, one for each input.\n",
                argc > 0 ? argv[0] : "program");
        return USAGE_STATUS;
    }
    prepare();
    bool is_served = strcmp(argv[1], SERVE_ARGUMENT) == 0 && serve();
    read_input(is_served ? NULL : argv[1]);
    make_fresh_bytes();
    errno = 0;
    __pn_harness();
    output_statics();
    return 0;
}
