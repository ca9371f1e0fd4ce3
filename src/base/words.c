/* Lists of strings. */
#include "base/words.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *word)
{
    words->list = array_reserve(words->list, &words->capacity, words->count + 2, sizeof *words->list);
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

/* Reads one word from `at` on into `word` and returns where it ended. */
static const char *read_word(const char *at, struct text *word)
{
    char quote = '\0';
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (*at == quote)
            quote = '\0';
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            text_append(word, ++at, 1);
        else
            text_append(word, at, 1);
    }
    return at;
}

void words_split(struct words *words, const char *string)
{
    if (!words->arena)
        words->arena = arena_create();
    while (string && *string) {
        if (isspace((unsigned char)*string)) {
            string++;
            continue;
        }
        struct text word = {0};
        string = read_word(string, &word);
        words_add(words, arena_copy_string(words->arena, text_string(&word)));
        text_free(&word);
    }
}

bool words_have(const struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (!strcmp(words->list[i], word))
            return true;
    return false;
}

void words_free(struct words *words)
{
    free(words->list);
    if (words->arena)
        arena_destroy(words->arena);
    *words = (struct words){0};
}
