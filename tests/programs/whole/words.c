/* Counts words in a hash table and prints those that come at least -n times, in the order in which they first came. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = 8, LONGEST = 16 };

struct word {
    char text[LONGEST];
    unsigned long count;
    struct word *next, *later;
};

static struct word *buckets[BUCKETS], *first, *latest;
static bool ignore_case;

static unsigned hash(const char *text)
{
    unsigned value = 0;
    while (*text)
        value = value * 31 + (unsigned char)*text++;
    return value % BUCKETS;
}

static struct word *find(const char *text)
{
    for (struct word *word = buckets[hash(text)]; word; word = word->next)
        if (strcmp(word->text, text) == 0)
            return word;
    return NULL;
}

static void count_word(const char *text)
{
    struct word *word = find(text);
    if (!word) {
        word = calloc(1, sizeof *word);
        strcpy(word->text, text);
        word->next = buckets[hash(text)];
        buckets[hash(text)] = word;
        if (latest)
            latest->later = word;
        else
            first = word;
        latest = word;
    }
    word->count++;
}

static void read_words(FILE *file)
{
    char text[LONGEST];
    int length = 0, character;
    while ((character = getc(file)) != EOF) {
        if (isalnum(character) || (character == '-' && length > 0)) {
            if (length < LONGEST - 1)
                text[length++] = (char)(ignore_case ? tolower(character) : character);
            continue;
        }
        text[length] = '\0';
        if (length)
            count_word(text);
        length = 0;
    }
    text[length] = '\0';
    if (length)
        count_word(text);
}

int main(int argc, char **argv)
{
    unsigned long least = 1;
    int option;
    while ((option = getopt(argc, argv, "in:")) != -1) {
        switch (option) {
        case 'i': ignore_case = true; break;
        case 'n': least = strtoul(optarg, NULL, 10); break;
        default: return 1;
        }
    }
    read_words(stdin);
    for (struct word *word = first; word; word = word->later)
        if (word->count >= least)
            printf("%lu %s\n", word->count, word->text);
    return 0;
}
