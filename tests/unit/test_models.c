/* Every model against the function of the C library that it stands in for, on random inputs. The models are compiled
 * natively, with sanitizers and as model_NAME (see the Makefile); the strings are blocks of exactly their size, so that
 * a read beyond the end is found. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include <cmocka.h>

enum { ROUNDS = 20000, LONGEST = 40 };

/* The C library's own function, not the one that the sanitizer puts before it. */
static void *real(const char *name)
{
    static void *library;
    if (!library)
        library = dlopen("libc.so.6", RTLD_LAZY);
    void *function = dlsym(library, name);
    if (!function)
        fail_msg("the C library has no %s()", name);
    return function;
}

#define REAL(name) ((__typeof__(&name))real(#name))
#define MODEL(name) extern __typeof__(name) model_##name

/* Nothing is plain here: the models do the work themselves. */
int pn_plain_text(const void *text, size_t limit);
int pn_plain_bytes(const void *bytes, size_t count);
long pn_bound(long value, const char *function);

int pn_plain_text(const void *text, size_t limit)
{
    (void)text, (void)limit;
    return 0;
}

int pn_plain_bytes(const void *bytes, size_t count)
{
    (void)bytes, (void)count;
    return 0;
}

void pn_exit(const int *status);

void pn_exit(const int *status)
{
    (void)status;
}

/* No file is an input here. */
const void *__pn_given(int descriptor);
const void *__pn_given_status(const void *status);
int __pn_descriptor(FILE *stream);
int __pn_argument_number(FILE *stream);
const void *__pn_given_argument(int number);

const void *__pn_given(int descriptor)
{
    (void)descriptor;
    return NULL;
}

const void *__pn_given_status(const void *status)
{
    (void)status;
    return NULL;
}

int __pn_argument_number(FILE *stream)
{
    (void)stream;
    return -1;
}

const void *__pn_given_argument(int number)
{
    (void)number;
    return NULL;
}

int __pn_descriptor(FILE *stream)
{
    return fileno(stream);
}

void pn_lost(const char *function);
void pn_look_at(const void *bytes, size_t count);
int pn_no_labels(void);
void pn_write(FILE *stream, const void *bytes, size_t count);
void pn_write_together(FILE *stream);

void pn_write(FILE *stream, const void *bytes, size_t count)
{
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
}

void pn_write_together(FILE *stream)
{
    (void)stream;
    fail_msg("nothing is written without the models' knowledge here");
}

int pn_no_labels(void)
{
    return 0;
}

void pn_look_at(const void *bytes, size_t count)
{
    (void)bytes, (void)count; /* no label here says what is a pointer */
}

void pn_lost(const char *function)
{
    (void)function;
}

long pn_bound(long value, const char *function)
{
    (void)function;
    return value;
}

/* ---- random inputs ---- */

static uint64_t state = 1;

static uint64_t next_number(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return state >> 33;
}

static size_t below(size_t limit)
{
    return next_number() % limit;
}

static char *kept[8]; /* freed before the next round */
static size_t kept_count;

static char *keep(char *block)
{
    assert_true(kept_count < sizeof kept / sizeof *kept);
    return kept[kept_count++] = block;
}

static void forget(void)
{
    while (kept_count)
        free(kept[--kept_count]);
}

static char *bytes_of(const char *alphabet, size_t count, bool terminated)
{
    char *block = keep(malloc(count + terminated + !count));
    size_t letters = strlen(alphabet);
    for (size_t i = 0; i < count; i++)
        block[i] = letters ? alphabet[below(letters)] : (char)next_number();
    if (terminated)
        block[count] = '\0';
    return block;
}

/* A string over few letters, or over all. */
static char *string_of(size_t longest)
{
    static const char *const alphabets[] = {"ab", "aAbB", "abc ,;", "aA\xc4\xe4\xff"};
    char *string = bytes_of(alphabets[below(4)], below(longest + 1), true);
    for (char *at = string; below(16) == 0 && *at; at++)
        *at = (char)(1 + below(255));
    return string;
}

static char *copy_of(const char *string)
{
    return keep(strdup(string));
}

/* ---- strings ---- */

MODEL(strlen);
MODEL(strnlen);

static void test_lengths(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *string = string_of(LONGEST);
        size_t limit = below(LONGEST + 5);
        assert_int_equal(model_strlen(string), strlen(string));
        assert_int_equal(model_strnlen(string, limit), REAL(strnlen)(string, limit));
        char *open = bytes_of("ab", limit, false);
        assert_int_equal(model_strnlen(open, limit), limit);
    }
}

MODEL(strcmp);
MODEL(strncmp);
MODEL(strcoll);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(memcmp);
MODEL(bcmp);

static void test_comparisons(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *one = string_of(LONGEST), *other = below(2) ? string_of(LONGEST) : copy_of(one);
        if (*other && below(3) == 0)
            other[below(strlen(other))] ^= 32;
        size_t limit = below(LONGEST + 5);
        assert_int_equal(model_strcmp(one, other), REAL(strcmp)(one, other));
        assert_int_equal(model_strcoll(one, other), REAL(strcoll)(one, other));
        assert_int_equal(model_strncmp(one, other, limit), REAL(strncmp)(one, other, limit));
        assert_int_equal(model_strcasecmp(one, other), REAL(strcasecmp)(one, other));
        assert_int_equal(model_strncasecmp(one, other, limit), REAL(strncasecmp)(one, other, limit));
    }
    for (int i = 0; i < ROUNDS; i++, forget()) {
        size_t count = below(i % 50 ? 20 : 200);
        char *one = bytes_of("ab", count, false), *other = bytes_of("ab", count, false);
        if (below(2))
            memcpy(other, one, count);
        if (count && below(2))
            other[below(count)] = (char)next_number();
        assert_int_equal(model_memcmp(one, other, count), REAL(memcmp)(one, other, count));
        assert_int_equal(model_bcmp(one, other, count), REAL(bcmp)(one, other, count));
    }
}

MODEL(memchr);
MODEL(memrchr);
MODEL(rawmemchr);
MODEL(strchr);
MODEL(strrchr);
MODEL(strchrnul);
MODEL(strstr);
MODEL(strcasestr);
MODEL(memmem);

static void test_searches(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *string = string_of(LONGEST), *wanted = string_of(4);
        int letter = below(8) ? "abcAB;"[below(6)] : (int)below(512) - 128;
        assert_ptr_equal(model_strchr(string, letter), REAL(strchr)(string, letter));
        assert_ptr_equal(model_strrchr(string, letter), REAL(strrchr)(string, letter));
        assert_ptr_equal(model_strchrnul(string, letter), REAL(strchrnul)(string, letter));
        assert_ptr_equal(model_strstr(string, wanted), REAL(strstr)(string, wanted));
        assert_ptr_equal(model_strcasestr(string, wanted), REAL(strcasestr)(string, wanted));
        assert_ptr_equal(model_rawmemchr(string, 0), REAL(rawmemchr)(string, 0));
        size_t count = below(LONGEST), length = below(5);
        char *bytes = bytes_of("ab", count, false), *part = bytes_of("ab", length, false);
        assert_ptr_equal(model_memchr(bytes, letter, count), REAL(memchr)(bytes, letter, count));
        assert_ptr_equal(model_memrchr(bytes, letter, count), REAL(memrchr)(bytes, letter, count));
        assert_ptr_equal(model_memmem(bytes, count, part, length), REAL(memmem)(bytes, count, part, length));
    }
}

MODEL(strspn);
MODEL(strcspn);
MODEL(strpbrk);
MODEL(strtok);
MODEL(strtok_r);
MODEL(strsep);

static void same_place(const char *one, const char *start, const char *other, const char *other_start)
{
    assert_int_equal(one != NULL, other != NULL);
    if (one)
        assert_int_equal(one - start, other - other_start);
}

static void test_sets(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *string = string_of(LONGEST), *set = string_of(4), *same = copy_of(string);
        char *rest = NULL, *same_rest = NULL, *token, *same_token;
        assert_int_equal(model_strspn(string, set), REAL(strspn)(string, set));
        assert_int_equal(model_strcspn(string, set), REAL(strcspn)(string, set));
        assert_ptr_equal(model_strpbrk(string, set), REAL(strpbrk)(string, set));
        size_t size = strlen(string) + 1;
        char *from = string, *same_from = same;
        int kind = (int)below(3);
        if (kind == 2)
            rest = string, same_rest = same;
        do {
            token = kind == 0   ? model_strtok_r(from, set, &rest)
                    : kind == 1 ? model_strtok(from, set)
                                : model_strsep(&rest, set);
            same_token = kind == 0   ? REAL(strtok_r)(same_from, set, &same_rest)
                         : kind == 1 ? REAL(strtok)(same_from, set)
                                     : REAL(strsep)(&same_rest, set);
            from = same_from = NULL;
            same_place(token, string, same_token, same);
            same_place(rest, string, same_rest, same);
            assert_memory_equal(string, same, size);
        } while (token);
    }
}

MODEL(strcpy);
MODEL(stpcpy);
MODEL(strncpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(mempcpy);
MODEL(memccpy);
MODEL(strxfrm);
MODEL(strdup);
MODEL(strndup);
MODEL(memfrob);
MODEL(bcopy);
MODEL(bzero);
size_t model_strlcpy(char *to, const char *from, size_t size);
size_t model_strlcat(char *to, const char *from, size_t size);

/* The same call into two buffers, and then the same bytes in both. */
#define IN_BOTH(name, from, ...)                                                                                       \
    do {                                                                                                               \
        char *one = (char *)model_##name(to, from, ##__VA_ARGS__);                                                     \
        char *other = (char *)REAL(name)(same, from, ##__VA_ARGS__);                                                   \
        same_place(one, to, other, same);                                                                              \
        assert_memory_equal(to, same, sizeof to);                                                                      \
    } while (0)

static void test_copies(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS / 2; i++, forget()) {
        char to[3 * LONGEST], same[3 * LONGEST], *from = string_of(LONGEST);
        size_t limit = below(LONGEST + 5), length = strlen(from), count = below(length + 1);
        memset(to, 'x', sizeof to);
        to[below(LONGEST)] = '\0';
        memcpy(same, to, sizeof to);
        switch (below(10)) {
        case 0: IN_BOTH(strcpy, from); break;
        case 1: IN_BOTH(stpcpy, from); break;
        case 2: IN_BOTH(strncpy, from, limit); break;
        case 3: IN_BOTH(stpncpy, from, limit); break;
        case 4: IN_BOTH(strcat, from); break;
        case 5: IN_BOTH(strncat, from, limit); break;
        case 6: IN_BOTH(mempcpy, from, count); break;
        case 7: IN_BOTH(memccpy, from, 'b', count); break;
        case 8:
            assert_int_equal(model_strxfrm(to, from, limit), REAL(strxfrm)(same, from, limit));
            assert_memory_equal(to, same, sizeof to);
            break;
        default:
            model_bcopy(from, to, count), memmove(same, from, count);
            model_memfrob(to + 1, count), REAL(memfrob)(same + 1, count);
            model_bzero(to + count, 3), memset(same + count, 0, 3);
            assert_memory_equal(to, same, sizeof to);
        }
        char *one = keep(model_strdup(from)), *other = keep(model_strndup(from, limit));
        assert_string_equal(one, from);
        assert_int_equal(strlen(other), strnlen(from, limit));
        assert_memory_equal(other, from, strlen(other));
    }
}

/* Newer C libraries have them, this one need not. */
static void test_cut_copies(void **unused)
{
    (void)unused;
    char to[8] = "abc";
    assert_int_equal(model_strlcpy(to, "0123456789", sizeof to), 10);
    assert_string_equal(to, "0123456");
    assert_int_equal(model_strlcpy(to, "xy", sizeof to), 2);
    assert_int_equal(model_strlcat(to, "z", sizeof to), 3);
    assert_string_equal(to, "xyz");
    assert_int_equal(model_strlcat(to, "012345", sizeof to), 9);
    assert_string_equal(to, "xyz0123");
    assert_int_equal(model_strlcpy(to, "ab", 0), 2);
    assert_int_equal(model_strlcat(to, "ab", 3), 5);
}

/* ---- characters and numbers ---- */

#define KINDS(X)                                                                                                       \
    X(isupper)                                                                                                         \
    X(islower)                                                                                                         \
    X(isalpha)                                                                                                         \
    X(isdigit)                                                                                                         \
    X(isxdigit)                                                                                                        \
    X(isspace)                                                                                                         \
    X(isprint) X(isgraph) X(isblank) X(iscntrl) X(ispunct) X(isalnum) X(isascii) X(toascii) X(tolower) X(toupper)
#undef isascii
#undef toascii
#undef tolower
#undef toupper
#define DECLARE_KIND(name) int model_##name(int);
KINDS(DECLARE_KIND)
extern __typeof__(__ctype_b_loc) model___ctype_b_loc;
extern __typeof__(__ctype_tolower_loc) model___ctype_tolower_loc;
extern __typeof__(__ctype_toupper_loc) model___ctype_toupper_loc;

static void test_characters(void **unused)
{
    (void)unused;
    for (int c = -128; c < 256; c++) {
#define CHECK_KIND(name) assert_int_equal(model_##name(c), ((int (*)(int))real(#name))(c));
        KINDS(CHECK_KIND)
        assert_int_equal((*model___ctype_b_loc())[c], (*__ctype_b_loc())[c]);
        assert_int_equal((*model___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c]);
        assert_int_equal((*model___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c]);
    }
    for (int i = 0; i < ROUNDS; i++) {
        int c = (int)next_number();
        assert_int_equal(model_tolower(c), REAL(tolower)(c));
        assert_int_equal(model_toupper(c), REAL(toupper)(c));
        assert_int_equal(model_isascii(c), REAL(isascii)(c));
    }
}

MODEL(strtol);
MODEL(strtoul);
MODEL(strtoll);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
MODEL(atoi);
MODEL(atol);
MODEL(atoll);
long model___isoc23_strtol(const char *text, char **end, int base);
long model___isoc23_strtoll(const char *text, char **end, int base);
long model___isoc23_strtoimax(const char *text, char **end, int base);
unsigned long model___isoc23_strtoul(const char *text, char **end, int base);
unsigned long model___isoc23_strtoull(const char *text, char **end, int base);
unsigned long model___isoc23_strtoumax(const char *text, char **end, int base);
int *__errno_location(void);

static char *number_text(void)
{
    static const char *const beginnings[] = {"", "", "", " ", "\t\n ", "0", "0x", "0X", "00", "0b"};
    static const char *const alphabets[] = {"01", "0123456789", "0123456789abcdefABCDEFxz", "9", "19 -"};
    static const char *const edges[] = {"9223372036854775807",  "9223372036854775808",  "-9223372036854775808",
                                        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                                        "7fffffffffffffff",     "8000000000000000",     "ffffffffffffffff",
                                        "10000000000000000",    "2147483648",           "-2147483649"};
    if (below(8) == 0)
        return copy_of(edges[below(12)]);
    char text[128];
    snprintf(text, sizeof text, "%s%s%s%s", beginnings[below(5)],
             below(3)   ? ""
             : below(2) ? "-"
                        : "+",
             beginnings[below(10)], bytes_of(alphabets[below(5)], below(below(10) ? 12 : 70), true));
    return copy_of(text);
}

#define READ(name, base)                                                                                               \
    do {                                                                                                               \
        char *end = "unset", *same_end = end;                                                                          \
        errno = 0;                                                                                                     \
        __typeof__(model_##name("", NULL, 0)) value = model_##name(text, &end, base);                                  \
        int error = errno;                                                                                             \
        errno = 0;                                                                                                     \
        __typeof__(value) same = ((__typeof__(&model_##name))real(#name))(text, &same_end, base);                      \
        assert_int_equal(value, same);                                                                                 \
        assert_ptr_equal(end, same_end);                                                                               \
        assert_int_equal(error, errno);                                                                                \
        assert_int_equal(model_##name(text, NULL, base), same);                                                        \
    } while (0)

static void test_numbers(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS * 4; i++, forget()) {
        char *text = number_text();
        int base = below(3) == 0 ? 10 : below(3) == 0 ? 0 : below(2) ? 16 : (int)below(39) - 1;
        READ(strtol, base);
        READ(strtoul, base);
        READ(strtoll, base);
        READ(strtoull, base);
        READ(strtoimax, base);
        READ(strtoumax, base);
        assert_int_equal(model_atoi(text), REAL(atoi)(text));
        assert_int_equal(model_atol(text), REAL(atol)(text));
        assert_int_equal(model_atoll(text), REAL(atoll)(text));
    }
    for (int i = 0; i < ROUNDS * 4 && dlsym(RTLD_NEXT, "__isoc23_strtol"); i++, forget()) {
        char *text = number_text();
        int base = below(2) ? 0 : below(2) ? 2 : (int)below(39) - 1;
        READ(__isoc23_strtol, base);
        READ(__isoc23_strtoul, base);
        READ(__isoc23_strtoll, base);
        READ(__isoc23_strtoull, base);
        READ(__isoc23_strtoimax, base);
        READ(__isoc23_strtoumax, base);
    }
    assert_int_equal(model___isoc23_strtol("0b101", NULL, 0), 5);
    assert_int_equal(model___isoc23_strtol("0b2", NULL, 0), 0);
    assert_int_equal(model___isoc23_strtol("-0B11x", NULL, 2), -3);
}

MODEL(strtod);
MODEL(strtof);
MODEL(strtold);
MODEL(atof);

static void test_floats(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"inf",     "-Infinity", "nan",    "nan(0x12)", "0x1.8p3", "1e",
                                        "1e+",     ".",         "-.5e2x", "1e999",     "1e-999",  "0x",
                                        "  +3.25", "",          "-",      "infinit",   "1_000",   "nan(!)"};
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *text = below(2) ? bytes_of("0123456789.e-+", below(12), true) : copy_of(texts[below(18)]);
        char *end, *same_end;
        errno = 0;
        double value = model_strtod(text, &end);
        int error = errno;
        errno = 0;
        double same = REAL(strtod)(text, &same_end);
        assert_memory_equal(&value, &same, sizeof value);
        assert_ptr_equal(end, same_end);
        assert_int_equal(error, errno);
        float narrow = model_strtof(text, &end), same_narrow = REAL(strtof)(text, &same_end);
        assert_memory_equal(&narrow, &same_narrow, sizeof narrow);
        long double wide = model_strtold(text, &end), same_wide = REAL(strtold)(text, &same_end);
        assert_true(wide == same_wide || (wide != wide && same_wide != same_wide));
        assert_ptr_equal(end, same_end);
        value = model_atof(text);
        assert_memory_equal(&value, &same, sizeof value);
    }
}

#undef abs
MODEL(abs);
MODEL(labs);
MODEL(llabs);
MODEL(imaxabs);
MODEL(div);
MODEL(ldiv);
MODEL(lldiv);
MODEL(imaxdiv);
MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);

static void test_integers(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        long wide = (long)(next_number() << 33 ^ next_number() << 11 ^ next_number()) >> below(64);
        int narrow = (int)wide, by = (int)next_number() >> below(31);
        by = by == 0 || by == -1 ? 7 : by;
        assert_int_equal(model_abs(narrow), REAL(abs)(narrow));
        assert_int_equal(model_labs(wide), REAL(labs)(wide));
        assert_int_equal(model_llabs(wide), REAL(llabs)(wide));
        assert_int_equal(model_imaxabs(wide), REAL(imaxabs)(wide));
        div_t quotient = model_div(narrow, by), same = REAL(div)(narrow, by);
        assert_true(quotient.quot == same.quot && quotient.rem == same.rem);
        ldiv_t wide_quotient = model_ldiv(wide, by), wide_same = REAL(ldiv)(wide, by);
        assert_true(wide_quotient.quot == wide_same.quot && wide_quotient.rem == wide_same.rem);
        assert_int_equal(model_lldiv(wide, by).rem, wide_same.rem);
        assert_int_equal(model_imaxdiv(wide, by).quot, wide_same.quot);
        assert_int_equal(model_ffs(narrow), REAL(ffs)(narrow));
        assert_int_equal(model_ffsl(wide), REAL(ffsl)(wide));
        assert_int_equal(model_ffsll(wide), REAL(ffsll)(wide));
    }
    assert_int_equal(model_ffs(0), 0);
    assert_int_equal(model_ffsll(INT64_MIN), 64);
}

/* ---- sorting, random numbers ---- */

MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);

static int compare_first(const void *one, const void *other)
{
    return *(const signed char *)one - *(const signed char *)other;
}

static int compare_with(const void *one, const void *other, void *sign)
{
    return compare_first(one, other) * *(int *)sign;
}

static void test_sorting(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS / 4; i++, forget()) {
        size_t size = 1 + below(40), count = below(30);
        char *elements = bytes_of("", size * count, false), *same = keep(malloc(size * count + 1));
        for (size_t j = 0; j < count; j++)
            elements[j * size] = (char)below(10);
        memcpy(same, elements, size * count);
        int sign = below(2) ? 1 : -1;
        model_qsort_r(elements, count, size, compare_with, &sign);
        REAL(qsort_r)(same, count, size, compare_with, &sign);
        assert_memory_equal(elements, same, size * count);
        model_qsort(elements, count, size, compare_first);
        REAL(qsort)(same, count, size, compare_first);
        assert_memory_equal(elements, same, size * count);
        signed char key = (signed char)below(12);
        assert_ptr_equal(model_bsearch(&key, elements, count, size, compare_first),
                         REAL(bsearch)(&key, elements, count, size, compare_first));
    }
}

MODEL(rand);
MODEL(srand);
MODEL(random);
MODEL(srandom);
MODEL(rand_r);

static void test_random(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++)
        assert_int_equal(model_rand(), REAL(rand)()); /* as they start */
    for (int seed = 0; seed < 300; seed++) {
        unsigned number = seed < 3 ? (unsigned)seed : (unsigned)next_number() * 3, same_number = number;
        if (seed % 2)
            model_srand(number), REAL(srand)(number);
        else
            model_srandom(number), REAL(srandom)(number);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(model_rand(), REAL(rand)());
            assert_int_equal(model_random(), REAL(random)());
            assert_int_equal(model_rand_r(&number), REAL(rand_r)(&same_number));
            assert_int_equal(number, same_number);
        }
    }
}

/* ---- wide characters ---- */

MODEL(wcslen);
MODEL(wcsnlen);
MODEL(wcscmp);
MODEL(wcsncmp);
MODEL(wcscoll);
MODEL(wmemcmp);
MODEL(wmemchr);
MODEL(wcschr);
MODEL(wcsrchr);
MODEL(wcsstr);
MODEL(wmemcpy);
MODEL(wmemmove);
MODEL(wmemset);
MODEL(wcscpy);
MODEL(wcsncpy);
MODEL(wcscat);
MODEL(wcsncat);

static wchar_t *wide_of(size_t longest)
{
    size_t length = below(longest + 1);
    wchar_t *string = (wchar_t *)keep(malloc((length + 1) * sizeof *string));
    for (size_t i = 0; i < length; i++)
        string[i] = below(20) ? L'a' + (wchar_t)below(2) : (wchar_t)(below(2) ? -5 : 0x12345);
    string[length] = 0;
    return string;
}

/* glibc's own differ from processor to processor in what they return beside the sign. */
static int sign_of(int value)
{
    return (value > 0) - (value < 0);
}

static void test_wide(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        wchar_t *one = wide_of(12), *other = wide_of(3), to[64], same[64];
        size_t limit = below(15), common = wcslen(other) < wcslen(one) ? wcslen(other) : wcslen(one);
        assert_int_equal(model_wcslen(one), REAL(wcslen)(one));
        assert_int_equal(model_wcsnlen(one, limit), REAL(wcsnlen)(one, limit));
        assert_int_equal(model_wcscmp(one, other), sign_of(REAL(wcscmp)(one, other)));
        assert_int_equal(model_wcscoll(one, one), 0);
        assert_int_equal(model_wcsncmp(one, other, limit), sign_of(REAL(wcsncmp)(one, other, limit)));
        assert_int_equal(model_wmemcmp(one, other, common), sign_of(REAL(wmemcmp)(one, other, common)));
        assert_ptr_equal(model_wmemchr(one, L'b', common), REAL(wmemchr)(one, L'b', common));
        assert_ptr_equal(model_wcschr(one, L'b'), REAL(wcschr)(one, L'b'));
        assert_ptr_equal(model_wcsrchr(one, L'b'), REAL(wcsrchr)(one, L'b'));
        assert_ptr_equal(model_wcsstr(one, other), REAL(wcsstr)(one, other));
        wmemset(same, L'x', 64);
        assert_ptr_equal(model_wmemset(to, L'x', 64), to);
        assert_ptr_equal(model_wcscpy(to, one), to), wcscpy(same, one);
        assert_ptr_equal(model_wcscat(to, other), to), wcscat(same, other);
        assert_ptr_equal(model_wcsncat(to, other, limit), to), wcsncat(same, other, limit);
        assert_ptr_equal(model_wcsncpy(to + 30, one, limit), to + 30), wcsncpy(same + 30, one, limit);
        assert_ptr_equal(model_wmemcpy(to + 50, one, common), to + 50), wmemcpy(same + 50, one, common);
        assert_ptr_equal(model_wmemmove(to + 51, to + 50, 4), to + 51), wmemmove(same + 51, same + 50, 4);
        assert_memory_equal(to, same, sizeof to);
    }
}

/* ---- multibyte characters ---- */

MODEL(setlocale);
MODEL(mbrtowc);
MODEL(mbrlen);
MODEL(mbtowc);
MODEL(mblen);
MODEL(btowc);
MODEL(mbsrtowcs);
MODEL(mbstowcs);
MODEL(wcrtomb);
MODEL(wctomb);
MODEL(wctob);
MODEL(wcwidth);
MODEL(wcswidth);
MODEL(towlower);
MODEL(towupper);
MODEL(iswalnum);
MODEL(iswalpha);
MODEL(iswblank);
MODEL(iswcntrl);
MODEL(iswdigit);
MODEL(iswgraph);
MODEL(iswlower);
MODEL(iswprint);
MODEL(iswpunct);
MODEL(iswspace);
MODEL(iswupper);
MODEL(iswxdigit);

static void compare_kinds(wint_t wide)
{
    static const struct {
        int (*model)(wint_t wide);
        const char *name;
    } kinds[] = {
#define KIND(name) {model_##name, #name}
        KIND(iswalnum), KIND(iswalpha), KIND(iswblank), KIND(iswcntrl), KIND(iswdigit), KIND(iswgraph),
        KIND(iswlower), KIND(iswprint), KIND(iswpunct), KIND(iswspace), KIND(iswupper), KIND(iswxdigit),
#undef KIND
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(kinds[i].model(wide), ((int (*)(wint_t))real(kinds[i].name))(wide));
    assert_int_equal(model_towlower(wide), REAL(towlower)(wide));
    assert_int_equal(model_towupper(wide), REAL(towupper)(wide));
    assert_int_equal(model_wcwidth((wchar_t)wide), REAL(wcwidth)((wchar_t)wide));
    assert_int_equal(model_wctob(wide), REAL(wctob)(wide));
}

static void compare_states(const mbstate_t *one, const mbstate_t *other)
{
    assert_int_equal(!mbsinit(one), !mbsinit(other));
}

/* Text with some characters of two and three bytes, and some bytes that are none. */
static char *multibyte_of(size_t longest)
{
    static const char *const parts[] = {"a", "Z", "9", " ", "\t", "\303\251", "\344\270\200", "\377", "\303", "\251"};
    char text[64] = "";
    for (size_t i = below(longest + 1); i > 0; i--)
        strcat(text, parts[below(sizeof parts / sizeof *parts)]);
    return (char *)keep(strdup(text));
}

/* Piece by piece: the state after one is the beginning of the next. */
static void compare_pieces(const char *text)
{
    mbstate_t state = {0}, same_state = {0};
    for (size_t at = 0, left = strlen(text) + 1; left;) {
        wchar_t wide = 1, same = 1;
        size_t piece = below(left < 5 ? left + 1 : 5);
        errno = 0;
        size_t length = model_mbrtowc(&wide, text + at, piece, &state);
        int problem = errno;
        errno = 0;
        assert_int_equal(length, REAL(mbrtowc)(&same, text + at, piece, &same_state));
        assert_int_equal(problem, errno);
        assert_int_equal(wide, same);
        if (length == (size_t)-1 || length == 0)
            return;
        compare_states(&state, &same_state);
        size_t step = length == (size_t)-2 ? piece : length;
        at += step, left -= step;
    }
}

static void compare_texts(const char *text)
{
    wchar_t to[64] = {0}, same[64] = {0}, wide = 1, same_wide = 1;
    char bytes[16] = {0}, same_bytes[16] = {0};
    const char *end = text, *same_end = text;
    size_t limit = below(12), length = strlen(text);
    mbstate_t state = {0}, same_state = {0};
    assert_int_equal(model_mbstowcs(NULL, text, 0), REAL(mbstowcs)(NULL, text, 0));
    assert_int_equal(model_mbsrtowcs(to, &end, limit, &state), REAL(mbsrtowcs)(same, &same_end, limit, &same_state));
    assert_ptr_equal(end, same_end);
    assert_int_equal(model_mbtowc(&wide, text, length + 1), REAL(mbtowc)(&same_wide, text, length + 1));
    assert_int_equal(wide, same_wide);
    assert_int_equal(model_mbtowc(NULL, NULL, 0), REAL(mbtowc)(NULL, NULL, 0));
    size_t part = below(length + 2);
    assert_int_equal(model_mblen(text, part), REAL(mblen)(text, part));
    assert_int_equal(model_wcswidth(L"a b", 9), REAL(wcswidth)(L"a b", 9));
    assert_int_equal(model_wctomb(bytes, wide), REAL(wctomb)(same_bytes, wide));
    assert_memory_equal(bytes, same_bytes, sizeof bytes);
    assert_int_equal(model_wcrtomb(NULL, wide, NULL), REAL(wcrtomb)(NULL, wide, NULL));
}

static void test_multibyte(void **unused)
{
    static const char *const locales[] = {"C", "C.UTF-8"};
    (void)unused;
    for (size_t n = 0; n < 2; n++) {
        assert_non_null(model_setlocale(LC_ALL, locales[n]));
        for (wint_t wide = 0; wide < 0x500; wide++)
            compare_kinds(wide);
        for (int character = -129; character < 257; character++)
            assert_int_equal(model_btowc(character), REAL(btowc)(character));
        for (int i = 0; i < ROUNDS; i++, forget()) {
            char *text = multibyte_of(10);
            compare_pieces(text);
            compare_texts(text);
        }
    }
    assert_string_equal(model_setlocale(LC_ALL, ""), "C");
}

/* ---- formats ---- */

MODEL(snprintf);
MODEL(sprintf);
MODEL(vsnprintf);
MODEL(asprintf);
int model_sscanf(const char *text, const char *format, ...);
int model___isoc99_sscanf(const char *text, const char *format, ...);
int model___isoc23_sscanf(const char *text, const char *format, ...);

/* A conversion as it may stand in a format, with `kinds` of which one is chosen. */
static void write_conversion(char *format, size_t size, const char *lengths[], size_t count, const char *kinds)
{
    char flags[6] = "", width[8] = "", precision[8] = "";
    for (size_t i = below(4); i > 0; i--)
        flags[i - 1] = "-+ #0"[below(5)];
    flags[strlen(flags)] = '\0';
    if (below(2))
        snprintf(width, sizeof width, "%zu", 1 + below(12));
    if (below(2))
        snprintf(precision, sizeof precision, ".%zu", below(12));
    snprintf(format, size, "<%%%s%s%s%s%c>", flags, width, precision, lengths[below(count)],
             kinds[below(strlen(kinds))]);
}

static long random_value(void)
{
    static const long values[] = {0, 1, -1, 9, 10, 99, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 255, 256, -128};
    return below(3) ? values[below(13)] : (long)(next_number() << 33 ^ next_number()) >> below(64);
}

#define SAME_TEXT(...)                                                                                                 \
    do {                                                                                                               \
        int length = model_snprintf(text, size, __VA_ARGS__), wanted = REAL(snprintf)(same, size, __VA_ARGS__);        \
        assert_int_equal(length, wanted);                                                                              \
        if (size)                                                                                                      \
            assert_string_equal(text, same);                                                                           \
        assert_int_equal(model_sprintf(text, __VA_ARGS__), REAL(sprintf)(same, __VA_ARGS__));                          \
        assert_string_equal(text, same);                                                                               \
    } while (0)

static void test_formats(void **unused)
{
    (void)unused;
    const char *integers[] = {"", "", "l", "ll", "h", "hh", "z", "j", "t"}, *none[] = {""}, *floats[] = {"", "l"};
    char format[64], text[1024], same[1024];
    for (int i = 0; i < ROUNDS; i++, forget()) {
        size_t size = below(3) ? sizeof text : below(20);
        write_conversion(format, sizeof format, integers, 9, "diuxXo");
        long value = random_value();
        const char *string = below(10) ? string_of(20) : NULL;
        int width = (int)below(9) - 4, precision = (int)below(9) - 4;
        SAME_TEXT(format, value);
        write_conversion(format, sizeof format, none, 1, "csp");
        if (strpbrk(format, "s"))
            SAME_TEXT(format, string);
        else
            SAME_TEXT(format, value);
        write_conversion(format, sizeof format, floats, 2, "fFeEgGaA");
        SAME_TEXT(format, (double)value / 1024);
        SAME_TEXT("%%%d-%s%c", (int)value, string, 'x');
        SAME_TEXT("%*.*d|%-*s|", width, precision, 123, width, "ab");
        SAME_TEXT("%d %ls %d", 1, L"wide", 2);
        SAME_TEXT("%Lg %d", 1.5L, 3);
    }
    int count = 0;
    char *made = NULL;
    assert_int_equal(model_snprintf(text, sizeof text, "ab%ncd", &count), 4);
    assert_int_equal(count, 2);
    assert_int_equal(model_asprintf(&made, "%s-%d", "x", 7), 3);
    assert_string_equal(made, "x-7");
    free(made);
}

struct scanned {
    int result, position;
    long numbers[3];
    char text[256];
    double number;
};

#define SAME_SCAN(format, ...) SAME_SCAN_OF(sscanf, format, __VA_ARGS__)
#define SAME_SCAN_OF(name, format, ...)                                                                                \
    do {                                                                                                               \
        struct scanned at, model, other;                                                                               \
        memset(&at, 0x5a, sizeof at);                                                                                  \
        at.result = model_##name(text, format, __VA_ARGS__);                                                           \
        model = at;                                                                                                    \
        memset(&at, 0x5a, sizeof at);                                                                                  \
        at.result = ((int (*)(const char *, const char *, ...))real(#name))(text, format, __VA_ARGS__);                \
        other = at;                                                                                                    \
        if (memcmp(&model, &other, sizeof model))                                                                      \
            fail_msg(#name "(\"%s\", \"%s\"): %d at %d, and not %d at %d", text, format, model.result, model.position, \
                     other.result, other.position);                                                                    \
    } while (0)

static void test_scanning(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++, forget()) {
        char *text = below(2) ? number_text() : bytes_of("a1-+0x ,]9.", below(14), true);
        SAME_SCAN("%ld%n", &at.numbers[0], &at.position);
        SAME_SCAN("%d %i%n", (int *)&at.numbers[0], (int *)&at.numbers[1], &at.position);
        SAME_SCAN("%3d%2x%n", (int *)&at.numbers[0], (unsigned *)&at.numbers[1], &at.position);
        SAME_SCAN("%hhd %hu%lo%n", (char *)&at.numbers[0], (unsigned short *)&at.numbers[1],
                  (unsigned long *)&at.numbers[2], &at.position);
        SAME_SCAN("%*i,%llu%n", (unsigned long long *)&at.numbers[0], &at.position);
        SAME_SCAN(" %c%3c%n", at.text, at.text + 8, &at.position);
        SAME_SCAN("%5s %[^,-]%n", at.text, at.text + 8, &at.position);
        SAME_SCAN("%[]a1-9]%[ ]%n", at.text, at.text + 128, &at.position);
        SAME_SCAN("a%%1 %n%*s%d", &at.position, (int *)&at.numbers[0]);
        SAME_SCAN("%lf%n", &at.number, &at.position);
        SAME_SCAN("%d,%f%n", (int *)&at.numbers[0], (float *)&at.number, &at.position);
        SAME_SCAN("%d %p%n", (int *)&at.numbers[0], (void **)&at.numbers[1], &at.position);
    }
    int number = 0;
    assert_int_equal(model___isoc99_sscanf("12", "%d", &number), 1);
    assert_int_equal(number, 12);
    assert_int_equal(model___isoc99_sscanf("0b11", "%i", &number), 1);
    assert_int_equal(number, 0);
}

/* As C23 has it; compared with the C library where that knows it. */
static void test_scanning_binary(void **unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS && dlsym(RTLD_NEXT, "__isoc23_sscanf"); i++, forget()) {
        char *text = below(2) ? number_text() : bytes_of("01bB-+x 2", below(9), true);
        SAME_SCAN_OF(__isoc23_sscanf, "%i%n", (int *)&at.numbers[0], &at.position);
        SAME_SCAN_OF(__isoc23_sscanf, "%b%n", (unsigned *)&at.numbers[0], &at.position);
        SAME_SCAN_OF(__isoc23_sscanf, "%2i%lb%n", (int *)&at.numbers[0], (unsigned long *)&at.numbers[1], &at.position);
        SAME_SCAN_OF(__isoc23_sscanf, "%x %d%n", (unsigned *)&at.numbers[0], (int *)&at.numbers[1], &at.position);
    }
    int number = 0, other = 0;
    assert_int_equal(model___isoc23_sscanf("-0b101 110", "%i%b", &number, &other), 2);
    assert_int_equal(number, -5);
    assert_int_equal(other, 6);
}

/* ---- output ---- */

MODEL(fprintf);
MODEL(vfprintf);
MODEL(fputs);
MODEL(fputc);
#undef putc
MODEL(putc);
MODEL(fwrite);

/* What is returned and written, by the models or by the C library's functions. */
static unsigned write_with(bool models, FILE *stream, const char *string, long number)
{
    int (*print)(FILE *, const char *, ...) = models ? model_fprintf : REAL(fprintf);
    unsigned sum = (unsigned)print(stream, "<%s|%ld|%c>", string, number, 'x');
    sum = sum * 31 + (unsigned)print(stream, "%2000d", 7); /* longer than what is kept on the stack */
    sum = sum * 31 + (unsigned)(models ? model_fputs : REAL(fputs))(string, stream);
    sum = sum * 31 + (unsigned)(models ? model_fputc : REAL(fputc))((int)number, stream);
    sum = sum * 31 + (unsigned)(models ? model_putc : REAL(putc))((int)number, stream);
    sum = sum * 31 + (unsigned)(models ? model_fwrite : REAL(fwrite))(string, 1, strlen(string), stream);
    return sum + (unsigned)(models ? model_fwrite : REAL(fwrite))(string, 0, 3, stream);
}

static void test_output(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200; i++, forget()) {
        char *texts[2], *string = string_of(LONGEST);
        size_t sizes[2];
        long number = random_value();
        unsigned results[2];
        for (int models = 0; models < 2; models++) {
            FILE *stream = open_memstream(&texts[models], &sizes[models]);
            results[models] = write_with(models, stream, string, number);
            fclose(stream);
        }
        assert_int_equal(results[0], results[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(texts[0], texts[1], sizes[0]);
        free(texts[0]), free(texts[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),    cmocka_unit_test(test_comparisons),     cmocka_unit_test(test_searches),
        cmocka_unit_test(test_sets),       cmocka_unit_test(test_copies),          cmocka_unit_test(test_cut_copies),
        cmocka_unit_test(test_characters), cmocka_unit_test(test_numbers),         cmocka_unit_test(test_floats),
        cmocka_unit_test(test_integers),   cmocka_unit_test(test_sorting),         cmocka_unit_test(test_random),
        cmocka_unit_test(test_wide),       cmocka_unit_test(test_multibyte),       cmocka_unit_test(test_formats),
        cmocka_unit_test(test_scanning),   cmocka_unit_test(test_scanning_binary), cmocka_unit_test(test_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
