/* Linked into the native programs: main(), and what a program under test calls, on top of libc alone.
 *
 * `old INPUT` runs the old version on the input file: lines `name = 07 00 00 00  # 7`, as many as there are inputs.
 * What the checker compares beside the program's own output goes to a descriptor of its own, and to standard output
 * where there is none.
 *
 * `old --serve` is how the checker starts it: as a server (base/process.h), so that the sanitizer's start is paid for
 * once. A command is the path of an input file, and the child does with it what `old INPUT` does. */
#include "base/process.h"
#include "check/serve.h"
#include "trace/floating.h"
#include "trace/input_line.h"
#include "trace/known.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASSUMPTION_STATUS = 77, USAGE_STATUS = 64, NAME_LENGTH = sizeof((struct pn_input_region *)0)->name - 1 };
enum { ROOM = 1 << 28 }; /* bytes of address space: for the input's text, and for its lines */

void __pn_harness(void);
void pn_symbolic(void *pointer, unsigned long size, const char *name);
void pn_assume(int condition);
void pn_output(const char *name, const void *pointer, unsigned long size);
void pn_pointer(void *pointer, void *object, const char *name);
int pn_output_pointer(const char *name, const void *pointer);
void __pn_unseen(void);
const char *__pn_join_name(char *buffer, const char *before, const char *whole, const char *after);
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));
void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* For programs that are linked without the compiler's start files. */
__attribute__((weak, visibility("hidden"))) void *__dso_handle = NULL;

/* The input's lines. They are kept outside the heap, which is the program's; and to set the sanitizer's heap up takes
 * longer than most runs. */
static struct pn_input_line *lines;
static size_t line_count;

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

/* The file's content, and a zero behind it. */
static char *read_text(const char *path, size_t *length)
{
    char *text = reserve();
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = -1;
    *length = 0;
    while (file >= 0 && (count = read(file, text + *length, ROOM - 1 - *length)) > 0)
        *length += (size_t)count;
    if (count < 0) {
        perror(path);
        exit(USAGE_STATUS);
    }
    close(file);
    return text;
}

static void read_input(const char *path)
{
    size_t length;
    char *text = read_text(path, &length), *end = text + length;
    lines = reserve();
    for (int number = 1; text < end; number++) {
        char *line = text, *line_end = memchr(text, '\n', (size_t)(end - text));
        text = line_end ? line_end + 1 : end;
        if (line_end)
            *line_end = '\0';
        if (pn_input_line_is_empty(line))
            continue;
        if (!pn_input_line_read(line, &lines[line_count++])) {
            fprintf(stderr, "%s:%d: expected a line like `x = 07 00 00 00`\n", path, number);
            exit(USAGE_STATUS);
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

void pn_assume(int condition)
{
    if (condition)
        return;
    fflush(stdout);
    fprintf(stderr, "penumbra: the input does not fulfil an assumption of the program\n");
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

void pn_pointer(void *pointer, void *object, const char *name)
{
    unsigned char is_null = 0;
    pn_symbolic(&is_null, 1, name);
    void *value = is_null ? NULL : object;
    memcpy(pointer, &value, sizeof value);
}

/* Whether the memory is to be followed from here. */
int pn_output_pointer(const char *name, const void *pointer)
{
    static struct pn_elsewhere elsewhere;
    const unsigned char *value;
    memcpy(&value, pointer, sizeof value);
    uint64_t address = (uint64_t)(uintptr_t)value;
    const struct pn_known *known = pn_known_at(address);
    bool is_new = false;
    if (!value)
        fprintf(results, "%s = NULL\n", name);
    else if (!known)
        fprintf(results, "%s = memory %u\n", name, pn_elsewhere_number(&elsewhere, address, &is_new));
    if (!value || !known)
        return is_new && !(__asan_address_is_poisoned && __asan_address_is_poisoned(value));
    unsigned long offset = (unsigned long)(address - (uint64_t)(uintptr_t)known->object);
    fprintf(results, offset ? "%s = %s + %lu\n" : "%s = %s\n", name, known->name, offset);
    return 0;
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
#define OPTIONS "detect_leaks=0:handle_abort=1:allocator_may_return_null=1:print_legend=0:verify_asan_link_order=0"
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

static bool answer(int32_t value)
{
    return write(PROCESS_CHANNEL, &value, sizeof value) == sizeof value;
}

/* The wait status of a child that stays unreaped. What it started and left running ends with it. */
static int32_t await_end(pid_t child)
{
    siginfo_t ending = {0};
    if (waitid(P_PID, (id_t)child, &ending, WEXITED | WNOWAIT) != 0)
        _exit(1);
    kill(-child, SIGKILL);
    return ending.si_code == CLD_EXITED ? W_EXITCODE(ending.si_status, 0) : W_EXITCODE(0, ending.si_status);
}

/* Returns in each child, with the path of its input. NULL: there is nobody to serve. */
static const char *serve(void)
{
    static char path[PATH_MAX];
    pid_t child = 0;
    if (!answer(0))
        return NULL;
    for (;;) {
        ssize_t length = read(PROCESS_CHANNEL, path, sizeof path - 1);
        if (child > 0)
            waitpid(child, NULL, 0);
        if (length <= 0)
            _exit(0);
        path[length] = '\0';
        child = _Fork(); /* none of the handlers by which the sanitizer cleans up after other threads: there are none */
        if (child == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(PROCESS_CHANNEL);
            return path;
        }
        setpgid(child, child); /* whoever comes first */
        if (child < 0 || !answer(child) || !answer(await_end(child)))
            _exit(1);
    }
}

static FILE *open_results(void)
{
    static char buffer[BUFSIZ];
    FILE *stream = fcntl(PROCESS_RESULTS, F_GETFD) < 0 ? NULL : fdopen(PROCESS_RESULTS, "w");
    if (stream)
        setvbuf(stream, buffer, _IOLBF, sizeof buffer);
    return stream ? stream : stdout;
}

/* Old and new are one program to those who ask for its name, or their messages would differ. Constant: data of ours
 * would lie between the program's guard and its variables. */
static void take_common_name(void)
{
    static const char name[] = "program";
    program_invocation_name = program_invocation_short_name = (char *)name;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s INPUT\nINPUT is a file of lines like `x = 07 00 00 00`, one for each input.\n",
                argc > 0 ? argv[0] : "program");
        return USAGE_STATUS;
    }
    const char *served = strcmp(argv[1], SERVE_ARGUMENT) == 0 ? serve() : NULL;
    read_input(served ? served : argv[1]);
    /* So that a crash loses nothing that was printed before it. */
    static char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
    results = open_results();
    take_common_name();
    errno = 0;
    __pn_harness();
    return 0;
}
