/* Strings by the C library: records are formatted, split, searched, compared, converted and sorted. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 20000, LONGEST = 64, ROUNDS = 12 };

static char records[RECORDS][LONGEST];
static const char *sorted[RECORDS];

static uint32_t seed = 7;

static uint32_t next_random(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 16 & 0x7fff;
}

static void write_records(void)
{
    static const char *const names[] = {"anton", "Berta", "caesar", "DORA", "emil", "Friedrich", "gustav", "Heinrich"};
    for (int i = 0; i < RECORDS; i++) {
        char *record = records[i];
        strcpy(record, names[next_random() % 8]);
        strcat(record, ";");
        for (unsigned digits = 1 + next_random() % 6, j = 0; j < digits; j++)
            strncat(record, &"0123456789"[next_random() % 10], 1);
        strcat(record, i % 3 ? ";red" : ";blue and green");
    }
}

static uint64_t read_records(void)
{
    uint64_t sum = 0;
    char copy[LONGEST], *rest;
    for (int i = 0; i < RECORDS; i++) {
        strcpy(copy, records[i]);
        const char *name = strtok_r(copy, ";", &rest), *number = strtok_r(NULL, ";", &rest), *end;
        sum = sum * 31 + strlen(name) + (uint64_t)strtol(number, (char **)&end, 10) + (uint64_t)(end - number);
        sum += (uint64_t)atoi(number) + strcspn(rest, " ");
    }
    return sum;
}

static uint64_t search_records(const char *wanted)
{
    uint64_t found = 0;
    for (int i = 0; i < RECORDS; i++) {
        const char *at = strchr(records[i], ';');
        found += strstr(records[i], wanted) != NULL;
        found += memcmp(at, ";1", 2) == 0;
        found += strncmp(records[i], wanted, 3) == 0;
        found += strrchr(records[i], ';') > at + 4;
        found += strcasecmp(records[i], wanted) > 0;
    }
    return found;
}

static unsigned count_letters(void)
{
    unsigned letters = 0;
    for (int i = 0; i < RECORDS; i++)
        for (const char *at = records[i]; *at; at++)
            letters += isalpha((unsigned char)*at) ? 1 : isdigit((unsigned char)*at) ? 2 : 0;
    return letters;
}

static int compare_records(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static uint64_t sort_records(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < RECORDS; i++)
        sorted[i] = records[i];
    qsort(sorted, RECORDS, sizeof *sorted, compare_records);
    for (int i = 0; i < RECORDS; i += 100)
        sum = sum * 31 + (uint64_t)(sorted[i] - records[0]);
    return sum;
}

static uint64_t format_records(void)
{
    uint64_t sum = 0;
    char line[128];
    for (int i = 0; i < RECORDS; i++) {
        int length = snprintf(line, sizeof line, "%5d: %-12.8s %04x", i, records[i], (unsigned)i * 77);
        sum = sum * 31 + (uint64_t)length + (unsigned char)line[length - 1];
    }
    return sum;
}

int main(void)
{
    uint64_t checksum = 0;
    write_records();
    for (int round = 0; round < ROUNDS; round++) {
        checksum = checksum * 31 + read_records();
        checksum = checksum * 31 + search_records(round % 2 ? "rich" : "anton;1");
        checksum = checksum * 31 + count_letters();
        checksum = checksum * 31 + sort_records();
        checksum = checksum * 31 + format_records();
        records[round * 7][0] = (char)toupper((unsigned char)records[round * 7][0]);
    }
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
