/* Byte strings: a text is made, tokenised, counted, searched, compressed, compared; loops by hand and a little libc. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1 << 20, WORDS = 8192, WORD_LENGTH = 32, LINE = 400 };

static char text[TEXT + 1];
static char packed[2 * TEXT], unpacked[TEXT + 1];

struct word {
    char letters[WORD_LENGTH];
    uint32_t hash;
    unsigned count;
};
static struct word words[WORDS];
static unsigned word_count;

static uint32_t seed = 99;

static uint32_t next_random(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 16 & 0x7fff;
}

static void write_text(void)
{
    static const char *const syllables[] = {"ka", "lo", "mi", "ter", "ran", "so", "ve", "pu", "den", "ix", "ash", "o"};
    size_t at = 0;
    unsigned on_line = 0;
    while (at < TEXT - 16) {
        unsigned parts = 1 + next_random() % 3;
        while (parts--) {
            const char *syllable = syllables[next_random() % 12];
            while (*syllable)
                text[at++] = *syllable++;
        }
        unsigned mark = next_random() % 16;
        if (mark == 0)
            text[at++] = ',';
        else if (mark == 1)
            text[at++] = '.';
        text[at++] = ++on_line % 12 == 0 ? '\n' : ' ';
    }
    text[at] = '\0';
}

static uint32_t hash_bytes(const char *bytes, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash ^= (unsigned char)bytes[i];
        hash *= 16777619;
    }
    return hash;
}

static void count_word(const char *start, size_t length)
{
    if (length >= WORD_LENGTH)
        length = WORD_LENGTH - 1;
    uint32_t hash = hash_bytes(start, length);
    unsigned slot = hash % WORDS;
    while (words[slot].count) {
        if (words[slot].hash == hash && strncmp(words[slot].letters, start, length) == 0 &&
            !words[slot].letters[length]) {
            words[slot].count++;
            return;
        }
        slot = (slot + 1) % WORDS;
    }
    if (word_count > WORDS / 2)
        return;
    memcpy(words[slot].letters, start, length);
    words[slot].letters[length] = '\0';
    words[slot].hash = hash;
    words[slot].count = 1;
    word_count++;
}

static unsigned tokenise(void)
{
    unsigned tokens = 0;
    for (const char *at = text; *at;) {
        while (*at && !isalpha((unsigned char)*at))
            at++;
        const char *start = at;
        while (isalpha((unsigned char)*at))
            at++;
        if (at > start) {
            count_word(start, (size_t)(at - start));
            tokens++;
        }
    }
    return tokens;
}

static unsigned count_plainly(const char *needle)
{
    unsigned found = 0;
    for (const char *at = text; *at; at++) {
        size_t i = 0;
        while (needle[i] && at[i] == needle[i])
            i++;
        found += !needle[i];
    }
    return found;
}

/* Boyer-Moore-Horspool. */
static unsigned count_by_skipping(const char *needle)
{
    size_t length = strlen(needle), total = strlen(text), skip[256];
    for (int i = 0; i < 256; i++)
        skip[i] = length;
    for (size_t i = 0; i + 1 < length; i++)
        skip[(unsigned char)needle[i]] = length - 1 - i;
    unsigned found = 0;
    for (size_t at = 0; at + length <= total; at += skip[(unsigned char)text[at + length - 1]]) {
        size_t i = length;
        while (i && text[at + i - 1] == needle[i - 1])
            i--;
        found += !i;
    }
    return found;
}

/* Pairs (how far back, how long) where the last bytes repeat, single bytes elsewhere. */
static size_t pack(void)
{
    static int last_seen[1 << 12];
    size_t out = 0, length = strlen(text);
    for (int i = 0; i < 1 << 12; i++)
        last_seen[i] = -1;
    for (size_t at = 0; at < length;) {
        unsigned key = at + 2 < length
                           ? ((unsigned)text[at] * 961 + (unsigned)text[at + 1] * 31 + (unsigned)text[at + 2]) & 0xfff
                           : 0;
        int candidate = last_seen[key];
        last_seen[key] = (int)at;
        size_t same = 0;
        if (candidate >= 0 && at - (size_t)candidate < 4096)
            while (same < 15 && at + same < length && text[(size_t)candidate + same] == text[at + same])
                same++;
        if (same >= 3) {
            size_t back = at - (size_t)candidate;
            packed[out++] = (char)(0x80 | back >> 5);
            packed[out++] = (char)((back & 31) << 3 | (same >> 1));
            packed[out++] = (char)(same & 1);
            at += same;
        } else {
            packed[out++] = text[at++];
        }
    }
    return out;
}

static size_t unpack(size_t packed_size)
{
    size_t out = 0;
    for (size_t at = 0; at < packed_size;) {
        unsigned char first = (unsigned char)packed[at++];
        if (first < 0x80) {
            unpacked[out++] = (char)first;
            continue;
        }
        unsigned char second = (unsigned char)packed[at++];
        size_t back = (size_t)(first & 0x7f) << 5 | second >> 3;
        size_t length = (size_t)(second & 7) << 1 | (unsigned char)packed[at++];
        for (size_t i = 0; i < length; i++, out++)
            unpacked[out] = unpacked[out - back];
    }
    return out;
}

static unsigned edit_distance(const char *a, const char *b)
{
    static unsigned row[LINE + 1];
    size_t length = strnlen(b, LINE);
    for (size_t j = 0; j <= length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; i < LINE && a[i]; i++) {
        unsigned diagonal = row[0];
        row[0]++;
        for (size_t j = 0; j < length; j++) {
            unsigned cost = diagonal + (a[i] != b[j]), above = row[j + 1] + 1, before = row[j] + 1;
            diagonal = row[j + 1];
            cost = above < cost ? above : cost;
            row[j + 1] = before < cost ? before : cost;
        }
    }
    return row[length];
}

static void reverse_words(char *line, size_t length)
{
    for (size_t start = 0; start < length;) {
        size_t end = start;
        while (end < length && line[end] != ' ')
            end++;
        for (size_t i = start, j = end; i + 1 < j; i++) {
            char kept = line[i];
            line[i] = line[--j];
            line[j] = kept;
        }
        start = end + 1;
    }
}

int main(void)
{
    static const char *const needles[] = {"terran", "ashmi", "solo pu", "denixden", "o, ka"};
    uint64_t checksum = 0;
    write_text();
    for (int round = 0; round < 12; round++) {
        checksum = checksum * 31 + tokenise();
        for (int i = 0; i < 5; i++) {
            unsigned plainly = count_plainly(needles[i]), by_skipping = count_by_skipping(needles[i]);
            if (plainly != by_skipping)
                printf("%s: %u and %u\n", needles[i], plainly, by_skipping);
            checksum = checksum * 31 + plainly;
        }
        size_t packed_size = pack(), unpacked_size = unpack(packed_size);
        if (unpacked_size != strlen(text) || memcmp(text, unpacked, unpacked_size) != 0)
            printf("packing lost something\n");
        checksum = checksum * 31 + packed_size;
        for (int i = 0; i < 20; i++)
            checksum = checksum * 31 + edit_distance(text + i * 1000, text + i * 1500 + 7);
        reverse_words(text, strlen(text));
        checksum = checksum * 31 + hash_bytes(text, strlen(text));
    }
    for (unsigned i = 0; i < WORDS; i++)
        if (words[i].count)
            checksum = checksum * 31 + words[i].hash + words[i].count;
    printf("words: %u\nchecksum: %016llx\n", word_count, (unsigned long long)checksum);
    return 0;
}
