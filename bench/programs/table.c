/* Tables: a hash table with chains, keyed by strings; a checksum by table; a state machine by table; a histogram. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, KEYS = 20000, TEXT = 1 << 18, ROUNDS = 10 };

struct entry {
    struct entry *next;
    uint32_t hash;
    unsigned count;
    char key[16];
};

static struct entry *buckets[BUCKETS];
static uint32_t crc_table[256];
static unsigned char text[TEXT];
static unsigned char next_state[4][256];

static uint32_t seed = 3;

static uint32_t next_random(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 16 & 0x7fff;
}

static uint32_t hash_string(const char *key)
{
    uint32_t hash = 5381;
    while (*key)
        hash = hash * 33 + (unsigned char)*key++;
    return hash;
}

static struct entry *look_up(const char *key)
{
    uint32_t hash = hash_string(key);
    struct entry **bucket = &buckets[hash % BUCKETS];
    for (struct entry *entry = *bucket; entry; entry = entry->next)
        if (entry->hash == hash && strcmp(entry->key, key) == 0)
            return entry;
    struct entry *entry = malloc(sizeof *entry);
    entry->next = *bucket;
    entry->hash = hash;
    entry->count = 0;
    strcpy(entry->key, key);
    return *bucket = entry;
}

static void make_key(uint32_t number, char key[16])
{
    int at = 0;
    key[at++] = 'k';
    for (; number; number /= 16)
        key[at++] = "0123456789abcdef"[number % 16];
    key[at] = '\0';
}

static uint64_t count_keys(void)
{
    uint64_t sum = 0;
    char key[16];
    for (int i = 0; i < KEYS; i++) {
        make_key(next_random() * 3 % 9973, key);
        sum += ++look_up(key)->count;
    }
    return sum;
}

static void fill_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320 : value >> 1;
        crc_table[i] = value;
        for (unsigned state = 0; state < 4; state++)
            next_state[state][i] = (unsigned char)((state * 5 + i * 3 + (i >> 4)) & 3);
    }
    for (int i = 0; i < TEXT; i++)
        text[i] = (unsigned char)next_random();
}

static uint32_t checksum_text(void)
{
    uint32_t value = ~0u;
    for (int i = 0; i < TEXT; i++)
        value = value >> 8 ^ crc_table[(value ^ text[i]) & 255];
    return value;
}

static unsigned run_machine(void)
{
    unsigned state = 0, visits[4] = {0};
    for (int i = 0; i < TEXT; i++) {
        state = next_state[state][text[i]];
        visits[state]++;
    }
    return visits[0] ^ visits[1] << 8 ^ visits[2] << 16 ^ state;
}

static uint64_t histogram(void)
{
    unsigned counts[256] = {0};
    uint64_t sum = 0;
    for (int i = 0; i < TEXT; i++)
        counts[text[i]]++;
    for (int i = 0; i < 256; i++)
        sum = sum * 31 + counts[i];
    return sum;
}

int main(void)
{
    uint64_t checksum = 0;
    fill_tables();
    for (int round = 0; round < ROUNDS * 4; round++) {
        checksum = checksum * 31 + count_keys();
        checksum = checksum * 31 + checksum_text();
        checksum = checksum * 31 + run_machine();
        checksum = checksum * 31 + histogram();
        text[round * 1000] ^= 1;
    }
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
