/* Patched lines behind what library functions say of the input: see tests/e2e/models.py. */
#include "penumbra.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
#include <sys/mman.h>

int by_strcmp(char s[16])
{
    if (strcmp(s, "open sesame") == 0)
        return change(1, 2);
    return 0;
}

int by_strlen(char s[16])
{
    if (strlen(s) == 13)
        return change(1, 2);
    return 0;
}

int by_strstr(char s[8])
{
    if (strstr(s, "pen"))
        return change(1, 2);
    return 0;
}

int by_atoi(char s[8])
{
    if (atoi(s) == -4711)
        return change(1, 2);
    return 0;
}

int by_mbrtowc(char s[8])
{
    mbstate_t state = {0};
    wchar_t wide;
    int letters = 0;
    size_t length;
    for (size_t at = 0; at < 8 && (length = mbrtowc(&wide, s + at, 8 - at, &state)) != 0; at += length) {
        if (length == (size_t)-1)
            return -1;
        letters = letters * 3 + (iswupper((wint_t)wide) ? 2 : iswdigit((wint_t)wide) ? 1 : 0);
    }
    if (letters == 2 * 9 + 1 * 3 + 2)
        return change(1, 2);
    return 0;
}

int by_strtol(char s[8])
{
    char *end;
    long value = strtol(s, &end, 16);
    if (value == 0xbeef && *end == ';')
        return change(1, 2);
    return 0;
}

int by_sscanf(char s[6])
{
    int day, month;
    if (sscanf(s, "%d/%d", &day, &month) == 2 && day == 24 && month == 12)
        return change(1, 2);
    return 0;
}

struct entry {
    const char *key;
    int value;
    struct entry *next;
};

static unsigned hash(const char *key)
{
    unsigned sum = 0;
    for (size_t i = 0; key[i]; i++)
        sum = sum * 31 + (unsigned char)key[i];
    return sum % 8;
}

static void add(struct entry *buckets[8], const char *key, int value)
{
    struct entry *entry = malloc(sizeof *entry);
    *entry = (struct entry){key, value, buckets[hash(key)]};
    buckets[hash(key)] = entry;
}

static int find(struct entry *const buckets[8], const char *key)
{
    for (const struct entry *entry = buckets[hash(key)]; entry; entry = entry->next)
        if (strcmp(entry->key, key) == 0)
            return entry->value;
    return 0;
}

int by_hash_table(char s[4])
{
    static const char *const keys[] = {"one", "two", "ten", "six", "red", "sky"};
    struct entry *buckets[8] = {NULL};
    for (int i = 0; i < 6; i++)
        add(buckets, keys[i], i + 1);
    if (find(buckets, s) == 4)
        return change(1, 2);
    return 0;
}

int by_linked_list(unsigned char s[4])
{
    struct node {
        unsigned char value;
        struct node *next;
    } *first = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *node = malloc(sizeof *node), **at = &first;
        node->value = s[i];
        while (*at && (*at)->value < node->value)
            at = &(*at)->next;
        node->next = *at;
        *at = node;
    }
    if (first->value == 7 && first->next->value == 9 && first->next->next->value == 200)
        return change(1, 2);
    return 0;
}

int by_switch(int x)
{
    switch (x) {
#define FOUR(n)                                                                                                        \
    case (n) * 97: return (n);                                                                                         \
    case (n) * 97 + 1: return (n) + 1;                                                                                 \
    case (n) * 97 + 2: return (n) + 2;                                                                                 \
    case (n) * 97 + 3: return (n) + 3;
        FOUR(1) FOUR(2) FOUR(3) FOUR(4) FOUR(5) FOUR(6) FOUR(7) FOUR(8) FOUR(9)
    case 3000: return 4;
    case -5: return 5;
    case 1 << 30: return 6;
    case 77: return change(1, 2);
    default: return 0;
    }
}

int by_accumulator(unsigned char s[12])
{
    unsigned sum = 0;
    for (int i = 0; i < 12; i++)
        sum = sum * 3 + s[i];
    if (sum == 123456)
        return change(1, 2);
    return 0;
}

int by_kinds(char s[4])
{
    if (isupper(s[0]) && isdigit(s[1]) && ispunct(s[2]) && tolower(s[0]) == 'q' && isxdigit(s[3]) && !isdigit(s[3]))
        return change(1, 2);
    return 0;
}

int by_tokens(char s[8])
{
    s[7] = '\0';
    char *one = strtok(s, ","), *other = one ? strtok(NULL, ",") : NULL;
    if (one && other && strcmp(one, "ab") == 0 && strcmp(other, "cd") == 0)
        return change(1, 2);
    return 0;
}

static int compare_bytes(const void *one, const void *other)
{
    return *(const unsigned char *)one - *(const unsigned char *)other;
}

int by_sorting(unsigned char s[4])
{
    qsort(s, 4, 1, compare_bytes);
    if (memcmp(s, "abcd", 4) == 0)
        return change(1, 2);
    return 0;
}

int by_pointer(char s[8])
{
    int (*volatile compare)(const char *, const char *) = strcmp;
    if (compare(s, "here") == 0)
        return change(1, 2);
    return 0;
}

int by_error(char s[21])
{
    s[20] = '\0';
    errno = 0;
    strtol(s, NULL, 10);
    if (errno == ERANGE)
        return change(1, 2);
    return 0;
}

int by_random(int x)
{
    srand(4711);
    if (x == rand() && x != rand())
        return change(1, 2);
    return 0;
}

/* Formatted and read back. */
int by_format(unsigned char x)
{
    char text[16];
    snprintf(text, sizeof text, "<%d>", x);
    if (strcmp(text, "<217>") == 0)
        return change(1, 2);
    return 0;
}

/* ---- changes inside of calls ---- */

int another_key(char s[8])
{
    return strcmp(s, change("key", "kex")) == 0;
}

int one_version_copies(char s[8])
{
    char copy[8] = "none";
    s[7] = '\0';
    if (execute(NEW))
        strcpy(copy, s);
    return strlen(copy) == 6;
}

int reads_beyond(char s[4], int n)
{
    if (n == change(3, 4))
        return (int)strlen(s);
    return 0;
}

int writes_beyond(char s[8])
{
    char copy[4];
    s[7] = '\0';
    if (strlen(s) < change(4, 5))
        strcpy(copy, s);
    return 0;
}

/* ---- the same in other words ---- */

int same_length(char s[5])
{
    size_t length = 0;
    s[4] = '\0';
    if (execute(OLD))
        length = strlen(s);
    if (execute(NEW))
        while (s[length])
            length++;
    return (int)length;
}

int same_comparison(char s[3])
{
    int equal = 0;
    s[2] = '\0';
    if (execute(OLD))
        equal = strcmp(s, "ab") == 0;
    if (execute(NEW))
        equal = s[0] == 'a' && s[1] == 'b' && !s[2];
    return equal;
}

int same_number(char s[3])
{
    int number = 0;
    s[2] = '\0';
    if (execute(OLD))
        number = atoi(s);
    if (execute(NEW)) {
        int sign = 1;
        const char *at = s;
        while (isspace((unsigned char)*at))
            at++;
        if (*at == '-' || *at == '+')
            sign = *at++ == '-' ? -1 : 1;
        while (isdigit((unsigned char)*at))
            number = number * 10 + (*at++ - '0');
        number *= sign;
    }
    return number;
}

void same_output(char s[3])
{
    s[2] = '\0';
    if (execute(OLD)) {
        fputs(s, stdout);
        fputs(s[0] ? ";" : ";?", stdout);
        if (s[0])
            putchar(s[0]);
    }
    if (execute(NEW))
        printf("%s;%.1s%s", s, s, s[0] ? "" : "?");
}

/* Where the versions part: the bytes are the same, in other pieces. */
void same_output_apart(char s[2])
{
    s[1] = '\0';
    if (s[0] == change('a', 'b')) {
        putchar('<');
        puts(s);
    } else {
        printf("<%s\n", s);
    }
}

/* ---- outputs that differ ---- */

void another_output(char s[3])
{
    s[2] = '\0';
    if (execute(NEW))
        if (s[0] == 'q' && s[1] == 'r')
            s[1] = '!';
    puts(s);
}

/* ---- much input ---- */

int exclusive_or(unsigned char s[65536])
{
    unsigned char sum = 0;
    for (int i = 0; i < 65536; i++)
        sum ^= s[i];
    return sum == change(0x5a, 0x5b);
}

int polynomial(unsigned char s[65536])
{
    unsigned hash = 0;
    for (int i = 0; i < 65536; i++)
        hash = hash * 31 + s[i];
    return hash == change(12345, 54321);
}

/* ---- texts without an end, at the end of what there is ---- */

enum { PAGE = 4096, LONGEST_TEXT = 80 };

int before_nothing(char s[1])
{
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t sum = 0;
    int changed = s[0] == change('a', 'b');
    munmap(pages + PAGE, PAGE);
    memset(pages, 'x', PAGE);
    for (size_t length = 1; length <= LONGEST_TEXT; length++)
        sum += strnlen(pages + PAGE - length, length);
    return sum == LONGEST_TEXT * (LONGEST_TEXT + 1) / 2 ? changed : -1;
}

/* ---- texts that the C library writes, where there were labels before ---- */

static __attribute__((noinline)) int leave_labels_behind(char character)
{
    char room[4096];
    memset(room, character, sizeof room);
    return room[sizeof room / 2] == '?';
}

static int begins_with_one(const char *format, int is_floating)
{
    char line[32];
    if (is_floating)
        snprintf(line, sizeof line, format, 1.0);
    else
        snprintf(line, sizeof line, format, 1);
    if (line[0] != '1')
        return 0;
    return 1;
}

int after_labels(char s[1])
{
    int asked = leave_labels_behind(s[0]);
    return begins_with_one("%.1f", 1) + begins_with_one("%d", 0) + change(asked, asked + 1);
}

/* ---- what is lost ---- */

int by_strtod(char s[4])
{
    s[3] = '\0';
    if (strtod(s, NULL) == 2.5)
        return change(1, 2);
    return 0;
}

int by_something_else(char s[4])
{
    s[3] = '\0';
    if (a64l(s) > 4711)
        return change(1, 1);
    return 0;
}
