/* The judge: what a plain build of one version does, decision by decision. It shares nothing with src/.
 *
 * Included by a program in the dialect of dialect.h that is compiled with -DJUDGE, and by the main that judge.py writes
 * for it. Each run prints lines `WHAT ALONE LINE VALUE`, ALONE being 1 in code that only one version has:
 *
 *     run                   a run begins
 *     branch ALONE LINE 1   a branch, and its truth
 *     switch ALONE LINE 3   a switch, and its value
 *     target ALONE LINE 2   a call through a pointer, and which function it is
 *     outside ALONE LINE 0  a call that leaves the program
 *     mark 0 LINE 0         change() or execute(): code of one version follows, if that version has any there
 *     leave 1 LINE 0        one version leaves its own code early
 *     fail ALONE LINE 0     something failed, and with it the run; the value says what: see enum judge_failure
 *     output NAME BYTES     what the run left behind, in hexadecimal */
#ifndef JUDGE_H
#define JUDGE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum judge_failure { JUDGE_DIVISION, JUDGE_ACCESS, JUDGE_END };

static jmp_buf judge_run;
static int judge_depth; /* how many pieces of one-sided code are open */

#ifdef JUDGE_LOG /* a header with another judge_log() */
#include JUDGE_LOG
#else
static inline void judge_log(const char *what, int line, long long value)
{
    printf("%s %d %d %lld\n", what, judge_depth > 0, line, value);
}
#endif

static inline int judge_branch(int line, int truth)
{
    judge_log("branch", line, truth);
    return truth;
}

static inline void judge_fail(int line, enum judge_failure why)
{
    judge_log("fail", line, why);
    longjmp(judge_run, 1);
}

static inline void *judge_pointer(int line, const void *pointer)
{
    if (!pointer)
        judge_fail(line, JUDGE_ACCESS);
    return (void *)pointer;
}

static inline long long judge_index(int line, long long index, long long count)
{
    if (index < 0 || index >= count)
        judge_fail(line, JUDGE_ACCESS);
    return index;
}

static inline void judge_mark(int line)
{
    if (judge_depth == 0)
        judge_log("mark", line, 0);
}

static inline void judge_leave(int line, int levels)
{
    if (levels > 0 && judge_depth == levels)
        judge_log("leave", line, 0);
    judge_depth -= levels;
}

#define BR(condition) judge_branch(__LINE__, (condition) != 0)
#define SW(value)                                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(value) judge_value = (value);                                                                       \
        judge_log("switch", __LINE__, (long long)judge_value);                                                         \
        judge_value;                                                                                                   \
    })
#define CALL(function)                                                                                                 \
    __extension__({                                                                                                    \
        __typeof__(&*(function)) judge_function = (function);                                                          \
        int judge_number_of = 0;                                                                                       \
        while (functions[judge_number_of] != judge_function)                                                           \
            judge_number_of++;                                                                                         \
        judge_log("target", __LINE__, judge_number_of);                                                                \
        judge_function;                                                                                                \
    })
#define OUTSIDE(call) (judge_log("outside", __LINE__, 0), (call))
#define DIV(dividend, divisor) JUDGE_DIVIDE(dividend, /, divisor)
#define MOD(dividend, divisor) JUDGE_DIVIDE(dividend, %, divisor)
/* In variables of the type in which C divides. The check is explicit: gcc folds x / x into 1, also where x is 0. */
#define JUDGE_DIVIDE(dividend, operator, divisor)                                                                      \
    __extension__({                                                                                                    \
        __auto_type judge_a = (dividend);                                                                              \
        __auto_type judge_b = (divisor);                                                                               \
        __typeof__(judge_a / judge_b) judge_x = judge_a, judge_y = judge_b;                                            \
        _Bool judge_signed = (__typeof__(judge_x))-1 < 0, judge_lowest = judge_x && judge_x == -judge_x;               \
        if (judge_y == 0 || (judge_signed && judge_lowest && judge_y == -1))                                           \
            judge_fail(__LINE__, JUDGE_DIVISION);                                                                      \
        judge_x operator judge_y;                                                                                      \
    })
#define AT(array, index, count) ((array)[judge_index(__LINE__, index, count)])
#define DEREF(pointer) (*(__typeof__(pointer))judge_pointer(__LINE__, pointer))
#define ASSERT(condition)                                                                                              \
    do {                                                                                                               \
        if (!BR(condition))                                                                                            \
            judge_fail(__LINE__, JUDGE_END);                                                                           \
    } while (0)
#define FAIL judge_fail(__LINE__, JUDGE_END)

#undef change
#define change(old_value, new_value)                                                                                   \
    __extension__({                                                                                                    \
        judge_mark(__LINE__);                                                                                          \
        judge_depth++;                                                                                                 \
        __typeof__(pn_change(old_value, new_value)) judge_chosen = pn_change(old_value, new_value);                    \
        judge_depth--;                                                                                                 \
        judge_chosen;                                                                                                  \
    })
#undef execute
#define execute(version) (judge_mark(__LINE__), pn_execute(PN_VERSION_NAMED(version)))
#define BEGIN judge_depth++;
#define END judge_depth--;
#define LEAVE(levels) judge_leave(__LINE__, levels);
#define LEAVE_WITH(levels, value)                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(value) judge_result = (value);                                                                      \
        judge_leave(__LINE__, levels);                                                                                 \
        judge_result;                                                                                                  \
    })
#define JOIN(levels) judge_depth -= levels;
#define JOIN_WITH(levels, value)                                                                                       \
    __extension__({                                                                                                    \
        __typeof__(value) judge_result = (value);                                                                      \
        judge_depth -= levels;                                                                                         \
        judge_result;                                                                                                  \
    })

static inline void judge_output(const char *name, const void *value, size_t size)
{
    printf("output %s ", name);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)value)[i]);
    printf("\n");
}

/* The next number of the input; its sign and size are the caller's business. */
static inline unsigned long long judge_number(void)
{
    char text[64];
    if (scanf("%63s", text) != 1)
        exit(3);
    return strtoull(text, NULL, 10);
}

struct judge_global {
    void *address;
    size_t size;
    void *start_value;
};

/* Reads `COUNT`, then for each run the entry's number and its arguments. The globals start anew with every run. */
static inline int judge_main(void (*const entries[])(void), struct judge_global *globals)
{
    for (struct judge_global *global = globals; global->address; global++) {
        global->start_value = malloc(global->size);
        memcpy(global->start_value, global->address, global->size);
    }
    for (unsigned long long runs = judge_number(); runs > 0; runs--) {
        for (struct judge_global *global = globals; global->address; global++)
            memcpy(global->address, global->start_value, global->size);
        printf("run\n");
        judge_depth = 0;
        if (!setjmp(judge_run))
            entries[judge_number()]();
    }
    return 0;
}

#endif
