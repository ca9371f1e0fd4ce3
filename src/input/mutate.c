#include "input/mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t below(const struct mutation *mutation, size_t limit)
{
    return limit ? (size_t)chance_below(mutation->chance, limit) : 0;
}

static char *bytes_of(const struct channel_content *content, uint8_t *bytes)
{
    return (char *)bytes + content->offset;
}

static void note_length(struct channel_content *content, uint8_t *bytes, size_t length)
{
    content->length = length;
    if (content->length_input)
        input_set_element(content->length_input, bytes, 0, (__int128)length);
}

/* What is behind the end is zero, so that equal contents are equal inputs. */
static void set_length(struct channel_content *content, uint8_t *bytes, size_t length)
{
    memset(bytes_of(content, bytes) + length, 0, content->capacity - length);
    note_length(content, bytes, length);
}

/* Makes room for as many of the bytes as there is; returns how many. */
static size_t open_gap(struct channel_content *content, uint8_t *bytes, size_t at, size_t count)
{
    size_t room = content->capacity - content->length;
    char *here = bytes_of(content, bytes) + at;
    count = count < room ? count : room;
    memmove(here + count, here, content->length - at);
    note_length(content, bytes, content->length + count);
    return count;
}

static void remove_part(struct channel_content *content, uint8_t *bytes, size_t at, size_t count)
{
    char *here = bytes_of(content, bytes) + at;
    memmove(here, here + count, content->length - at - count);
    set_length(content, bytes, content->length - count);
}

static void insert(struct channel_content *content, uint8_t *bytes, size_t at, const char *text, size_t length)
{
    length = open_gap(content, bytes, at, length);
    memcpy(bytes_of(content, bytes) + at, text, length);
}

/* ---- what is put there ---- */

static char any_byte(const struct mutation *mutation)
{
    static const char usual[] = "\n\n  ,,--==::;;##//\\\"\"''[]{}()%+*.@_~0129aAxXzZ\t";
    size_t number = below(mutation, sizeof usual + 8);
    return number < sizeof usual - 1 ? usual[number] : (char)(1 + below(mutation, 255));
}

/* A number that the program knows, or a neighbour of it. */
static long long any_number(const struct mutation *mutation)
{
    static const long long usual[] = {0,   1,   2,   7,   8,   9,    10,    16,         64,
                                      100, 127, 128, 255, 256, 1000, 65536, 2147483647, -1};
    size_t count = mutation->numbers ? mutation->numbers->count : 0, chosen = below(mutation, count + 8);
    long long near = (long long)below(mutation, 3) - 1;
    if (chosen < count)
        return strtoll(mutation->numbers->list[chosen], NULL, 10) + near;
    return usual[below(mutation, sizeof usual / sizeof *usual)] + near;
}

static const char *any_text(const struct mutation *mutation)
{
    size_t count = mutation->texts ? mutation->texts->count : 0;
    return count ? mutation->texts->list[below(mutation, count)] : "-";
}

/* How often something is repeated: seldom often, but then just as often as the program has room for. */
static size_t any_count(const struct mutation *mutation)
{
    if (below(mutation, 2))
        return 1 + below(mutation, 3);
    long long number = any_number(mutation);
    return number > 0 && number < 4096 ? (size_t)number : 1 + below(mutation, 20);
}

/* ---- changes of one channel ---- */

static void insert_run(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    size_t at = below(mutation, content->length + 1);
    char byte = content->length && below(mutation, 2) ? bytes_of(content, bytes)[at < content->length ? at : at - 1]
                                                      : any_byte(mutation);
    size_t count = open_gap(content, bytes, at, any_count(mutation));
    memset(bytes_of(content, bytes) + at, byte, count);
}

static void insert_text(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    const char *text = any_text(mutation);
    insert(content, bytes, below(mutation, content->length + 1), text, strlen(text));
}

static void repeat_part(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    char copy[256];
    size_t from = below(mutation, content->length), count = 1 + below(mutation, content->length - from);
    count = count < sizeof copy ? count : sizeof copy;
    memcpy(copy, bytes_of(content, bytes) + from, count);
    for (size_t times = below(mutation, 4) ? 1 : any_count(mutation); times && content->length < content->capacity;
         times--)
        insert(content, bytes, from + count, copy, count);
}

static void drop_part(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    size_t from = below(mutation, content->length), left = content->length - from;
    remove_part(content, bytes, from, below(mutation, 2) ? 1 : 1 + below(mutation, left));
}

static void replace_byte(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    char *here = bytes_of(content, bytes);
    size_t at = below(mutation, content->length);
    switch (below(mutation, 3)) {
    case 0: here[at]++; break;
    case 1: here[at] = here[below(mutation, content->length)]; break;
    default: here[at] = any_byte(mutation); break;
    }
}

static void replace_number(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    char *here = bytes_of(content, bytes);
    char number[24];
    size_t at = below(mutation, content->length), end;
    while (at < content->length && !isdigit((unsigned char)here[at]))
        at++;
    for (end = at; end < content->length && isdigit((unsigned char)here[end]);)
        end++;
    remove_part(content, bytes, at, end - at);
    snprintf(number, sizeof number, "%lld", any_number(mutation));
    insert(content, bytes, at, number, strlen(number));
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte);
}

/* Sizes are what programs are careful, or careless, about. */
static size_t any_size(const struct mutation *mutation)
{
    enum { TRIES = 8, LARGEST = 1024 };
    for (int i = 0; i < TRIES; i++) {
        long long number = any_number(mutation);
        if (number > 2 && number < LARGEST)
            return (size_t)number;
    }
    return 16 + below(mutation, 3);
}

/* Makes a word just so long. */
static void stretch_word(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    char *here = bytes_of(content, bytes);
    size_t at = below(mutation, content->length), end, wanted = any_size(mutation);
    while (at > 0 && !is_word(here[at]))
        at--;
    while (at > 0 && is_word(here[at - 1]))
        at--;
    for (end = at; end < content->length && is_word(here[end]);)
        end++;
    if (end == at || wanted <= end - at)
        return;
    char byte = here[at];
    size_t count = open_gap(content, bytes, end, wanted - (end - at));
    memset(here + end, byte, count);
}

static void cut_off(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    set_length(content, bytes, below(mutation, 2) ? content->length - 1 : below(mutation, content->length));
}

typedef void content_change(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes);

static void change_content(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    static content_change *const changes[] = {insert_run,     insert_text, repeat_part,  drop_part,   replace_byte,
                                              replace_number, cut_off,     stretch_word, stretch_word};
    size_t chosen = below(mutation, sizeof changes / sizeof *changes);
    if (!content->length)
        chosen = below(mutation, 2); /* there is nothing yet */
    changes[chosen](mutation, content, bytes);
}

/* ---- changes of all arguments ---- */

static void move_argument(const struct mutation *mutation, size_t from, size_t to, uint8_t *bytes)
{
    struct channel_content source, target;
    if (!invocation_argument(mutation->layout, from, bytes, &source) ||
        !invocation_argument(mutation->layout, to, bytes, &target))
        return;
    size_t length = source.length < target.capacity ? source.length : target.capacity;
    memmove(bytes_of(&target, bytes), bytes_of(&source, bytes), length);
    set_length(&target, bytes, length);
}

static void drop_argument(const struct mutation *mutation, size_t count, uint8_t *bytes)
{
    struct channel_content last;
    for (size_t i = 1 + below(mutation, count); i < count; i++)
        move_argument(mutation, i + 1, i, bytes);
    if (invocation_argument(mutation->layout, count, bytes, &last))
        set_length(&last, bytes, 0);
}

/* An option, most likely: programs have the letters of theirs in a text. */
static void write_option(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    const char *text = any_text(mutation);
    size_t length = strlen(text);
    char option[3] = {'-', length ? text[below(mutation, length)] : 'a', '\0'};
    set_length(content, bytes, 0);
    if (below(mutation, 3))
        insert(content, bytes, 0, option, 2);
    else
        insert(content, bytes, 0, text, length);
}

/* Of a file or directory that is there: which one an argument names, no solver can say. */
static bool write_name(const struct mutation *mutation, struct channel_content *content, uint8_t *bytes)
{
    const struct words *names = &mutation->layout->invocation->names;
    if (!names->count)
        return false;
    const char *name = names->list[below(mutation, names->count)];
    set_length(content, bytes, 0);
    insert(content, bytes, 0, name, strlen(name));
    return true;
}

static bool rename_argument(const struct mutation *mutation, size_t count, uint8_t *bytes)
{
    struct channel_content content;
    return invocation_argument(mutation->layout, 1 + below(mutation, count), bytes, &content) &&
           write_name(mutation, &content, bytes);
}

static void add_argument(const struct mutation *mutation, size_t count, uint8_t *bytes)
{
    struct channel_content added;
    size_t at = 1 + below(mutation, count + 1);
    for (size_t i = count + 1; i > at; i--)
        move_argument(mutation, i - 1, i, bytes);
    if (!invocation_argument(mutation->layout, at, bytes, &added))
        return;
    if (below(mutation, 4) || !write_name(mutation, &added, bytes))
        write_option(mutation, &added, bytes);
}

static bool change_arguments(const struct mutation *mutation, uint8_t *bytes)
{
    const struct input_parameter *argc = input_layout_find(mutation->layout, "argc");
    if (!argc)
        return false;
    size_t count = (size_t)input_element(argc, bytes, 0) - 1, most = mutation->layout->invocation->most_arguments;
    if (count && below(mutation, 3) == 0)
        return rename_argument(mutation, count, bytes);
    bool adds = count < most && (count == 0 || below(mutation, 2));
    if (!adds && count == 0)
        return false;
    if (adds)
        add_argument(mutation, count, bytes);
    else
        drop_argument(mutation, count, bytes);
    input_set_element(argc, bytes, 0, (__int128)(adds ? count + 2 : count));
    return true;
}

/* One that has something in it, if there is such a one among the first that come to mind. */
static bool choose_content(const struct mutation *mutation, uint8_t *bytes, struct channel_content *content)
{
    enum { TRIES = 3 };
    const struct invocation *invocation = mutation->layout->invocation;
    bool found = false;
    for (int i = 0; i < TRIES && invocation->count; i++) {
        found = invocation_content(mutation->layout, &invocation->channels[below(mutation, invocation->count)], bytes,
                                   content);
        if (found && content->length)
            break;
    }
    return found;
}

void mutate(const struct mutation *mutation, uint8_t *bytes)
{
    for (size_t changes = 1 + below(mutation, 4); changes; changes--) {
        struct channel_content content;
        bool is_done = below(mutation, 6) == 0 && change_arguments(mutation, bytes);
        if (!is_done && choose_content(mutation, bytes, &content))
            change_content(mutation, &content, bytes);
    }
}
