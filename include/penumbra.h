/* penumbra.h: what a program under test may include.
 *
 * A unified program holds two versions of itself. `change(old, new)` is `old` in the old version and `new` in the new
 * one; code under `if (execute(OLD))` or `if (execute(NEW))` belongs to one version only.
 *
 *   cc -DPENUMBRA_VERSION=OLD program.c     the plain old program, with any C compiler and nothing else
 *   cc -DPENUMBRA_VERSION=NEW program.c     the plain new program
 *   penumbra run program.c --entry f        both at once, looking for inputs on which they differ
 *
 * Where C wants a constant, change() cannot stand:
 *
 *   int limit = 20;  pn_global(limit, 10);        a global's initial value; the initialiser is the new version's
 *   int list[] = {1, 3};  pn_global_copy(list, old_list);  the same for arrays and structs, from another variable
 *   char name[pn_size(8, 16)];                    an array's size: the larger one when both versions are in the
 * program, pn_bounds(name, 8, 16);                       with each version's own bounds (pn_global_bounds() for a
 * global)
 *
 * A changed case label becomes two switches under execute().
 *
 * The type of change(old, new) is that of `1 ? old : new`, in the plain builds too, so that all builds agree.
 * Define PENUMBRA_NO_SHORT_NAMES where `change`, `execute`, `OLD` or `NEW` mean something else in your program; the
 * names that begin with pn_ are always there. */
#ifndef PENUMBRA_H
#define PENUMBRA_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef PENUMBRA_EXCHANGE /* the old version runs natively and the new one beside it */
#define PN_OLD 2
#define PN_NEW 1
#else
#define PN_OLD 1
#define PN_NEW 2
#endif

#define PN_VERSION_OLD PN_OLD
#define PN_VERSION_NEW PN_NEW
#define PN_VERSION_MIXED 3 /* each change for itself is the old one or the new one: Penumbra asks which one matters */
#define PN_VERSION_NAMED_(name) PN_VERSION_##name
#define PN_VERSION_NAMED(name) PN_VERSION_NAMED_(name)

#if defined(PENUMBRA_VERSION)
#define PN_VERSION PN_VERSION_NAMED(PENUMBRA_VERSION)
#if PN_VERSION != PN_OLD && PN_VERSION != PN_NEW && !(PN_VERSION == PN_VERSION_MIXED && defined(PENUMBRA_REPLAY))
#error "PENUMBRA_VERSION must be OLD or NEW"
#endif
#endif

#if defined(PN_VERSION)

#if PN_VERSION == PN_OLD
#define pn_chosen_(old_value, new_value) (1 ? (old_value) : (new_value))
#else
#define pn_chosen_(old_value, new_value) (0 ? (old_value) : (new_value))
#endif
#if PN_VERSION == PN_VERSION_MIXED
int __pn_is_new(const char *file, int line);
#define pn_change(old_value, new_value)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(1 ? (old_value) : (new_value)) pn_value_;                                                           \
        if (__pn_is_new(__FILE__, __LINE__))                                                                           \
            pn_value_ = (new_value);                                                                                   \
        else                                                                                                           \
            pn_value_ = (old_value);                                                                                   \
        pn_value_;                                                                                                     \
    })
#define pn_execute(version) ((__pn_is_new(__FILE__, __LINE__) ? PN_NEW : PN_OLD) == (version))
#elif defined(                                                                                                         \
    PENUMBRA_MARKS) /* tells where the versions differ: the instrumenter, or a program that reports what it reaches    \
                     */
void __pn_mark(void);
#define pn_change(old_value, new_value)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(1 ? (old_value) : (new_value)) pn_value_ = (__pn_mark(), pn_chosen_(old_value, new_value));         \
        pn_value_;                                                                                                     \
    })
#define pn_execute(version) (__pn_mark(), PN_VERSION == (version))
#define pn_bounds(array, old_size, new_size) __pn_mark()
#define pn_mark_named_(number) __attribute__((used, section("pn_marks"))) static const char pn_marked_##number = 1
#define pn_mark_numbered_(number) pn_mark_named_(number)
#define pn_mark_start_ pn_mark_numbered_(__COUNTER__);
#elif defined(PENUMBRA_REPLAY) /* through a variable: folded constants would hide failures such as 10 / change(0, n)   \
                                */
#define pn_change(old_value, new_value)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(1 ? (old_value) : (new_value)) pn_value_ = pn_chosen_(old_value, new_value);                        \
        pn_value_;                                                                                                     \
    })
#else
#define pn_change(old_value, new_value) pn_chosen_(old_value, new_value)
#endif
#ifndef PENUMBRA_MARKS
#ifndef pn_execute
#define pn_execute(version) (PN_VERSION == (version))
#endif
#define pn_bounds(array, old_size, new_size) ((void)0)
#define pn_mark_start_
#endif
#if PN_VERSION == PN_VERSION_MIXED
#define pn_size(old_size, new_size) ((old_size) > (new_size) ? (old_size) : (new_size))
#else
#define pn_size(old_size, new_size) (PN_VERSION == PN_OLD ? (old_size) : (new_size))
#endif
#if PN_VERSION == PN_OLD
#define pn_global(variable, old_value) pn_mark_start_ pn_at_start_(variable = (old_value))
#define pn_global_copy(variable, old_variable)                                                                         \
    pn_mark_start_ pn_at_start_(__builtin_memcpy(&variable, &old_variable, sizeof variable))
#else
#define pn_global(variable, old_value) pn_mark_start_ struct pn_unused_
#define pn_global_copy(variable, old_variable) pn_mark_start_ struct pn_unused_
#endif
#define pn_global_bounds(array, old_size, new_size) pn_mark_start_ struct pn_unused_

#elif defined(__PENUMBRA__)

/* The instrumenter knows this by name: what it guards is computed for one version only. */
int __pn_execute(int version);

#define pn_change(old_value, new_value)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(1 ? (old_value) : (new_value)) pn_value_;                                                           \
        if (__pn_execute(PN_OLD))                                                                                      \
            pn_value_ = (old_value);                                                                                   \
        if (__pn_execute(PN_NEW))                                                                                      \
            pn_value_ = (new_value);                                                                                   \
        pn_value_;                                                                                                     \
    })
#define pn_execute(version) __pn_execute(version)

void __pn_bounds(void *array, unsigned long size, unsigned long old_size, unsigned long new_size);

#define pn_size(old_size, new_size) ((old_size) > (new_size) ? (old_size) : (new_size))
#ifdef PENUMBRA_EXCHANGE
#define pn_bounds(array, old_size, new_size)                                                                           \
    __pn_bounds(array, sizeof(array), (new_size) * sizeof *(array), (old_size) * sizeof *(array))
#else
#define pn_bounds(array, old_size, new_size)                                                                           \
    __pn_bounds(array, sizeof(array), (old_size) * sizeof *(array), (new_size) * sizeof *(array))
#endif
#define pn_global(variable, old_value) pn_at_start_(if (__pn_execute(PN_OLD)) variable = (old_value))
#define pn_global_copy(variable, old_variable)                                                                         \
    pn_at_start_(if (__pn_execute(PN_OLD)) __builtin_memcpy(&variable, &old_variable, sizeof variable))
#define pn_global_bounds(array, old_size, new_size) pn_at_start_(pn_bounds(array, old_size, new_size))

#else
#error "compile with -DPENUMBRA_VERSION=OLD or -DPENUMBRA_VERSION=NEW, or with penumbra"
#endif

#if defined(PN_VERSION) && !defined(PENUMBRA_MARKS)
#define pn_at_start_named_(number, statement)                                                                          \
    __attribute__((constructor)) static void pn_start_##number(void)                                                   \
    {                                                                                                                  \
        statement;                                                                                                     \
    }                                                                                                                  \
    struct pn_unused_
#else /* at the beginning of each run, before the entry */
#define pn_at_start_named_(number, statement)                                                                          \
    static void pn_start_##number(void)                                                                                \
    {                                                                                                                  \
        statement;                                                                                                     \
    }                                                                                                                  \
    __attribute__((used, section("pn_start"))) static void (*const pn_start_of_##number)(void) = pn_start_##number
#endif
#define pn_at_start_(statement) pn_at_start_numbered_(__COUNTER__, statement)
#define pn_at_start_numbered_(number, statement) pn_at_start_named_(number, statement)

#ifndef PENUMBRA_NO_SHORT_NAMES
#define change(old_value, new_value) pn_change(old_value, new_value)
#define execute(version) pn_execute(PN_VERSION_NAMED(version))
#endif

#if defined(__PENUMBRA__) || defined(PENUMBRA_REPLAY)
/* Makes `size` bytes at `pointer` an input of the run, known as `name`. */
void pn_symbolic(void *pointer, unsigned long size, const char *name);
/* Inputs for which the condition does not hold are of no interest. */
void pn_assume(int condition);
/* Adds `size` bytes at `pointer` to what the two versions are compared by. */
void pn_output(const char *name, const void *pointer, unsigned long size);
#else
/* A plain build runs without any runtime: inputs keep the value they have, nothing is compared. */
static __inline__ void pn_symbolic(void *pointer, unsigned long size, const char *name)
{
    (void)pointer, (void)size, (void)name;
}
static __inline__ void pn_assume(int condition)
{
    (void)condition;
}
static __inline__ void pn_output(const char *name, const void *pointer, unsigned long size)
{
    (void)name, (void)pointer, (void)size;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
