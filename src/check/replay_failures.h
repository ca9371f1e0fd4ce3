/* How a native program tells of its failures: by a record in shared memory (struct serve_report), filled in through the
 * sanitizers' own interface when they find something. What they write for people is not read. */
#ifndef PENUMBRA_CHECK_REPLAY_FAILURES_H
#define PENUMBRA_CHECK_REPLAY_FAILURES_H

#include "execute/serve.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

extern const char __executable_start[], end[];
const char *__asan_get_report_description(void) __attribute__((weak));
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line,
                                     unsigned *column, char **address) __attribute__((weak));
void __asan_on_error(void);
void __ubsan_on_report(void);

/* NULL where nobody asks: the program is run by hand. */
static struct serve_results *replay_shared;
/* Where outputs go, if that is set (replay_test.c); by hand, it is standard output. */
static FILE *replay_results;

/* Before constructors of the program's own. */
__attribute__((constructor(101))) static void replay_share(void)
{
    void *mapping = mmap(NULL, SERVE_RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, SERVE_RESULTS, 0);
    if (mapping == MAP_FAILED)
        return;
    close(SERVE_RESULTS); /* or the program could write to it */
    replay_shared = mapping;
    replay_shared->report.has_started = 1;
}

static inline void replay_copy(char *to, size_t size, const char *from)
{
    size_t length = from ? strnlen(from, size - 1) : 0;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* ---- where ---- */

/* The library that walks stacks comes with the sanitizer's; the program is not linked with it. */
static uintptr_t (*replay_frame_address)(struct _Unwind_Context *, int *);

static _Unwind_Reason_Code replay_take_frame(struct _Unwind_Context *context, void *unused)
{
    struct serve_report *report = &replay_shared->report;
    int is_signal = 0;
    uint64_t address = replay_frame_address(context, &is_signal);
    (void)unused;
    if (address < (uint64_t)(uintptr_t)__executable_start || address >= (uint64_t)(uintptr_t)end)
        return _URC_NO_REASON;
    /* what follows a call may be another line's */
    report->frames[report->frame_count++] = address - (uint64_t)(uintptr_t)__executable_start - (is_signal ? 0 : 1);
    return report->frame_count < SERVE_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static inline void replay_take_stack(void)
{
    _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);
    *(void **)&walk = dlsym(RTLD_DEFAULT, "_Unwind_Backtrace");
    *(void **)&replay_frame_address = dlsym(RTLD_DEFAULT, "_Unwind_GetIPInfo");
    replay_shared->report.frame_count = 0;
    if (walk && replay_frame_address)
        walk(replay_take_frame, NULL);
}

/* ---- what ---- */

void __asan_on_error(void)
{
    if (!replay_shared || !__asan_get_report_description)
        return;
    struct serve_report *report = &replay_shared->report;
    replay_copy(report->failure, sizeof report->failure, __asan_get_report_description());
    replay_take_stack();
}

void __ubsan_on_report(void)
{
    const char *kind, *message, *file;
    unsigned line, column;
    char *address;
    if (!replay_shared || !__ubsan_get_current_report_data)
        return;
    struct serve_report *report = &replay_shared->report;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    if (!strcmp(kind, "signed-integer-overflow")) {
        report->signed_overflow = 1;
    } else if (!report->undefined[0]) {
        replay_copy(report->undefined, sizeof report->undefined, message);
        replay_copy(report->undefined_file, sizeof report->undefined_file, file);
        report->undefined_line = line;
        report->undefined_column = column;
    }
}

/* In place of the C library's, with its words. */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fflush(NULL);
    fprintf(stderr, "%s: %s:%u: %s%sAssertion `%s' failed.\n", program_invocation_short_name, file, line,
            function ? function : "", function ? ": " : "", assertion);
    fflush(stderr);
    if (replay_shared) {
        struct serve_report *report = &replay_shared->report;
        replay_copy(report->assertion_file, sizeof report->assertion_file, file);
        report->assertion_line = line;
    }
    abort();
}

/* ---- signals ---- */

static const int replay_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
enum { REPLAY_SIGNALS = sizeof replay_signals / sizeof *replay_signals };
static struct sigaction replay_actions[REPLAY_SIGNALS]; /* the sanitizer's */

/* The operand of the instruction `div` or `idiv` that has failed, by its encoding: a register, or memory at a register
 * plus a constant. False when it is none that compilers make of plain C. */
static inline bool replay_read_divisor(const ucontext_t *context, uint64_t *divisor)
{
    static const int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    const greg_t *values = context->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)(uintptr_t)values[REG_RIP];
    bool is_short = *code == 0x66;
    code += is_short;
    unsigned rex = (*code & 0xf0) == 0x40 ? *code++ : 0;
    unsigned size = *code == 0xf6 ? 1 : is_short ? 2 : rex & 8 ? 8 : 4;
    if (*code != 0xf6 && *code != 0xf7)
        return false;
    unsigned form = code[1] >> 6, operand = (code[1] & 7) | (rex & 1) << 3;
    uint64_t value = (uint64_t)values[registers[operand]];
    if (form != 3) {
        int32_t offset = 0;
        if ((code[1] & 7) == 4 || (form == 0 && (code[1] & 7) == 5))
            return false;
        if (form == 1)
            offset = (signed char)code[2];
        else if (form == 2)
            memcpy(&offset, code + 2, sizeof offset);
        value += (uint64_t)(int64_t)offset;
        memcpy(&value, (const void *)(uintptr_t)value, size);
    }
    *divisor = size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
    return true;
}

/* Notes which one it is (the sanitizer calls them all "signal"), and leaves the rest to the sanitizer. */
static void replay_take_signal(int signal, siginfo_t *info, void *context)
{
    uint64_t divisor;
    size_t number = 0;
    while (replay_signals[number] != signal)
        number++;
    if (replay_shared) {
        replay_shared->report.signal = signal;
        /* the processor has one signal for a divisor of zero and a quotient that does not fit */
        replay_shared->report.quotient_overflow =
            signal == SIGFPE && info->si_code > 0 && replay_read_divisor(context, &divisor) && divisor;
    }
    if (replay_actions[number].sa_flags & SA_SIGINFO) {
        replay_actions[number].sa_sigaction(signal, info, context);
        return;
    }
    sigaction(signal, &replay_actions[number], NULL);
    raise(signal);
}

static inline void replay_watch_signals(void)
{
    struct sigaction action = {.sa_sigaction = replay_take_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < REPLAY_SIGNALS; i++)
        sigaction(replay_signals[i], &action, &replay_actions[i]);
}

#endif
