/* The judge: what a plain build of one version does, decision by decision. It shares nothing with src/.
 *
 * Included by a generated program that is compiled with -DJUDGE, and by the main that judge.py writes for it. Each run
 * prints
 *
 *     run                a run begins
 *     b LINE TRUTH       a branch
 *     s LINE VALUE       a switch
 *     f LINE             a division failed, and with it the run
 *     o NAME BYTES       what the run left behind, in hexadecimal */
#ifndef JUDGE_H
#define JUDGE_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BR(condition) judge_branch(__LINE__, (condition) != 0)
#define SW(value)                                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(value) judge_value = (value);                                                                       \
        printf("s %d %lld\n", __LINE__, (long long)judge_value);                                                       \
        judge_value;                                                                                                   \
    })
#define DIV(dividend, divisor) JUDGE_DIVISION(dividend, /, divisor)
#define MOD(dividend, divisor) JUDGE_DIVISION(dividend, %, divisor)
/* In variables of the type in which C divides. The check is explicit: gcc folds x / x into 1, also where x is 0. */
#define JUDGE_DIVISION(dividend, operator, divisor)                                                                    \
    __extension__({                                                                                                    \
        __auto_type judge_a = (dividend);                                                                              \
        __auto_type judge_b = (divisor);                                                                               \
        __typeof__(judge_a / judge_b) judge_x = judge_a, judge_y = judge_b;                                            \
        _Bool judge_signed = (__typeof__(judge_x))-1 < 0, judge_lowest = judge_x && judge_x == -judge_x;               \
        if (judge_y == 0 || (judge_signed && judge_lowest && judge_y == -1))                                           \
            judge_fail(__LINE__);                                                                                      \
        judge_x operator judge_y;                                                                                      \
    })

static jmp_buf judge_run;

static inline int judge_branch(int line, int truth)
{
    printf("b %d %d\n", line, truth);
    return truth;
}

static inline void judge_fail(int line)
{
    printf("f %d\n", line);
    longjmp(judge_run, 1);
}

static inline void judge_output(const char *name, const void *value, size_t size)
{
    printf("o %s ", name);
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
        if (!setjmp(judge_run))
            entries[judge_number()]();
    }
    return 0;
}

#endif
