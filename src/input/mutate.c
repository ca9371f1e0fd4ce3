#include "input/mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of one channel. */
struct content {
    const struct input_parameter *parameter, *length_input; /* NULL: a zero byte ends it */
    char *bytes;
    size_t length, capacity;
};

static size_t below(const struct mutation *mutation, size_t limit)
{
    return limit ? (size_t)chance_below(mutation->chance, limit) : 0;
}

static bool find_content(const struct mutation *mutation, const struct input_channel *channel, uint8_t *bytes,
                         struct content *content)
{
    const struct input_parameter *parameter = input_layout_find(mutation->layout, channel->name);
    if (!parameter)
        return false;
    *content =
        (struct content){.parameter = parameter,
                         .length_input = channel->length ? input_layout_find(mutation->layout, channel->length) : NULL,
                         .bytes = (char *)bytes + parameter->offset,
                         .capacity = parameter->element_count};
    content->length = content->length_input ? (size_t)input_element(content->length_input, bytes, 0)
                                            : strnlen(content->bytes, content->capacity);
    if (content->length > content->capacity)
        content->length = content->capacity;
    return true;
}

/* What is behind the end is zero, so that equal contents are equal inputs. */
static void set_length(struct content *content, uint8_t *bytes, size_t length)
{
    memset(content->bytes + length, 0, content->capacity - length);
    content->length = length;
    if (content->length_input)
        input_set_element(content->length_input, bytes, 0, (__int128)length);
}

/* Makes room for as many of the bytes as there is; returns how many. */
static size_t open_gap(struct content *content, uint8_t *bytes, size_t at, size_t count)
{
    size_t room = content->capacity - content->length, length = content->length;
    count = count < room ? count : room;
    memmove(content->bytes + at + count, content->bytes + at, length - at);
    content->length = length + count;
    if (content->length_input)
        input_set_element(content->length_input, bytes, 0, (__int128)content->length);
    return count;
}

static void remove_part(struct content *content, uint8_t *bytes, size_t at, size_t count)
{
    memmove(content->bytes + at, content->bytes + at + count, content->length - at - count);
    set_length(content, bytes, content->length - count);
}

static void insert(struct content *content, uint8_t *bytes, size_t at, const char *text, size_t length)
{
    length = open_gap(content, bytes, at, length);
    memcpy(content->bytes + at, text, length);
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

static void insert_run(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    size_t at = below(mutation, content->length + 1);
    char byte =
        content->length && below(mutation, 2) ? content->bytes[at < content->length ? at : at - 1] : any_byte(mutation);
    size_t count = open_gap(content, bytes, at, any_count(mutation));
    memset(content->bytes + at, byte, count);
}

static void insert_text(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    const char *text = any_text(mutation);
    insert(content, bytes, below(mutation, content->length + 1), text, strlen(text));
}

static void repeat_part(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    char copy[256];
    size_t from = below(mutation, content->length), count = 1 + below(mutation, content->length - from);
    count = count < sizeof copy ? count : sizeof copy;
    memcpy(copy, content->bytes + from, count);
    for (size_t times = below(mutation, 4) ? 1 : any_count(mutation); times && content->length < content->capacity;
         times--)
        insert(content, bytes, from + count, copy, count);
}

static void drop_part(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    size_t from = below(mutation, content->length), left = content->length - from;
    remove_part(content, bytes, from, below(mutation, 2) ? 1 : 1 + below(mutation, left));
}

static void replace_byte(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    (void)bytes;
    size_t at = below(mutation, content->length);
    switch (below(mutation, 3)) {
    case 0: content->bytes[at]++; break;
    case 1: content->bytes[at] = content->bytes[below(mutation, content->length)]; break;
    default: content->bytes[at] = any_byte(mutation); break;
    }
}

static void replace_number(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    char number[24];
    size_t at = below(mutation, content->length), end;
    while (at < content->length && !isdigit((unsigned char)content->bytes[at]))
        at++;
    for (end = at; end < content->length && isdigit((unsigned char)content->bytes[end]);)
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
static void stretch_word(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    size_t at = below(mutation, content->length), end, wanted = any_size(mutation);
    while (at > 0 && !is_word(content->bytes[at]))
        at--;
    while (at > 0 && is_word(content->bytes[at - 1]))
        at--;
    for (end = at; end < content->length && is_word(content->bytes[end]);)
        end++;
    if (end == at || wanted <= end - at)
        return;
    char byte = content->bytes[at];
    size_t count = open_gap(content, bytes, end, wanted - (end - at));
    memset(content->bytes + end, byte, count);
}

static void cut_off(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    set_length(content, bytes, below(mutation, 2) ? content->length - 1 : below(mutation, content->length));
}

typedef void content_change(const struct mutation *mutation, struct content *content, uint8_t *bytes);

static void change_content(const struct mutation *mutation, struct content *content, uint8_t *bytes)
{
    static content_change *const changes[] = {insert_run,     insert_text, repeat_part,  drop_part,   replace_byte,
                                              replace_number, cut_off,     stretch_word, stretch_word};
    size_t chosen = below(mutation, sizeof changes / sizeof *changes);
    if (!content->length)
        chosen = below(mutation, 2); /* there is nothing yet */
    changes[chosen](mutation, content, bytes);
}

/* ---- changes of all arguments ---- */

static bool find_argument(const struct mutation *mutation, size_t number, uint8_t *bytes, struct content *content)
{
    char name[32];
    snprintf(name, sizeof name, "argv[%zu]", number);
    struct input_channel channel = {.kind = INPUT_CHANNEL_ARGUMENT, .name = name};
    return find_content(mutation, &channel, bytes, content);
}

static void move_argument(const struct mutation *mutation, size_t from, size_t to, uint8_t *bytes)
{
    struct content source, target;
    if (!find_argument(mutation, from, bytes, &source) || !find_argument(mutation, to, bytes, &target))
        return;
    size_t length = source.length < target.capacity ? source.length : target.capacity;
    memmove(target.bytes, source.bytes, length);
    set_length(&target, bytes, length);
}

static void drop_argument(const struct mutation *mutation, size_t count, uint8_t *bytes)
{
    struct content last;
    for (size_t i = 1 + below(mutation, count); i < count; i++)
        move_argument(mutation, i + 1, i, bytes);
    if (find_argument(mutation, count, bytes, &last))
        set_length(&last, bytes, 0);
}

/* An option, most likely: programs have the letters of theirs in a text. */
static void write_option(const struct mutation *mutation, struct content *content, uint8_t *bytes)
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

static void add_argument(const struct mutation *mutation, size_t count, uint8_t *bytes)
{
    struct content added;
    size_t at = 1 + below(mutation, count + 1);
    for (size_t i = count + 1; i > at; i--)
        move_argument(mutation, i - 1, i, bytes);
    if (find_argument(mutation, at, bytes, &added))
        write_option(mutation, &added, bytes);
}

static bool change_arguments(const struct mutation *mutation, uint8_t *bytes)
{
    const struct input_parameter *argc = input_layout_find(mutation->layout, "argc");
    if (!argc)
        return false;
    size_t count = (size_t)input_element(argc, bytes, 0) - 1, most = mutation->layout->invocation->most_arguments;
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
static bool choose_content(const struct mutation *mutation, uint8_t *bytes, struct content *content)
{
    enum { TRIES = 3 };
    const struct invocation *invocation = mutation->layout->invocation;
    bool found = false;
    for (int i = 0; i < TRIES && invocation->count; i++) {
        found = find_content(mutation, &invocation->channels[below(mutation, invocation->count)], bytes, content);
        if (found && content->length)
            break;
    }
    return found;
}

void mutate(const struct mutation *mutation, uint8_t *bytes)
{
    for (size_t changes = 1 + below(mutation, 4); changes; changes--) {
        struct content content;
        bool is_done = below(mutation, 6) == 0 && change_arguments(mutation, bytes);
        if (!is_done && choose_content(mutation, bytes, &content))
            change_content(mutation, &content, bytes);
    }
}
