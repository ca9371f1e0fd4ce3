#include "input/guess.h"
#include "base/chance.h"
#include "base/set.h"
#include "input/floating.h"
#include "input/mutate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the values of one input are like. */
enum manner {
    SMALL,    /* near zero */
    KNOWN,    /* constants of the program, and their neighbours */
    EXTREME,  /* the ends of the type, powers of two */
    ANY_BITS, /* chance alone */
    MIXED,
    MANNERS
};

enum { MOST_KEPT = 32, MOST_REPEATED = 64, MOST_NUMBERS = 256 };

struct guesser {
    struct guess_request request;
    struct chance chance;
    struct set *seen;
    size_t number; /* of the next input */
    uint8_t *bytes;
    size_t capacity;
    uint8_t *kept[MOST_KEPT]; /* some earlier inputs, to be changed a little */
    size_t kept_size[MOST_KEPT];
    size_t kept_count;
    double numbers[MOST_NUMBERS]; /* constants; integers beside them, as no double holds all */
    __int128 integers[MOST_NUMBERS];
    size_t number_count;
    /* While one input is made: */
    enum manner manner;
    size_t length;         /* of the array that was made last, as its contents go, */
    size_t room;           /* and as its memory goes; 0: there was none */
    __int128 latest_value; /* of a number */
};

static uint64_t below(struct guesser *guesser, uint64_t limit)
{
    return limit ? chance_below(&guesser->chance, limit) : 0;
}

static bool one_in(struct guesser *guesser, unsigned count)
{
    return below(guesser, count) == 0;
}

static void add_number(struct guesser *guesser, double number, __int128 integer)
{
    if (guesser->number_count == MOST_NUMBERS)
        return;
    guesser->numbers[guesser->number_count] = number;
    guesser->integers[guesser->number_count++] = integer;
}

static void read_numbers(struct guesser *guesser, const struct words *words)
{
    for (size_t i = 0; words && i < words->count; i++) {
        double number = strtod(words->list[i], NULL);
        bool is_integer = !words->list[i][strspn(words->list[i], "-0123456789")];
        bool is_near = fabs(number) < 1e18;
        add_number(guesser, number,
                   is_integer ? (__int128)strtoll(words->list[i], NULL, 10)
                   : is_near  ? (__int128)number
                              : 0);
    }
}

struct guesser *guesser_create(const struct guess_request *request)
{
    struct guesser *guesser = calloc(1, sizeof *guesser);
    guesser->request = *request;
    guesser->chance = CHANCE_START;
    guesser->seen = set_create();
    read_numbers(guesser, request->numbers);
    for (size_t i = 0; request->texts && i < request->texts->count; i++) /* lengths of texts are numbers, too */
        add_number(guesser, (double)strlen(request->texts->list[i]), (__int128)strlen(request->texts->list[i]));
    return guesser;
}

void guesser_destroy(struct guesser *guesser)
{
    if (!guesser)
        return;
    for (size_t i = 0; i < guesser->kept_count; i++)
        free(guesser->kept[i]);
    set_destroy(guesser->seen);
    free(guesser->bytes);
    free(guesser);
}

/* ---- numbers ---- */

static __int128 small_number(struct guesser *guesser)
{
    return (__int128)below(guesser, 20) - 3;
}

static __int128 extreme_number(struct guesser *guesser, const struct input_parameter *parameter)
{
    __int128 power = (__int128)1 << below(guesser, 8 * parameter->element_size), off = (__int128)below(guesser, 3) - 1;
    switch (below(guesser, 4)) {
    case 0: return input_lowest(parameter) + (__int128)below(guesser, 2);
    case 1: return input_highest(parameter) - (__int128)below(guesser, 2);
    case 2: return power + off;
    default: return -power + off;
    }
}

static __int128 known_number(struct guesser *guesser)
{
    if (!guesser->number_count)
        return small_number(guesser);
    __int128 number = guesser->integers[below(guesser, guesser->number_count)];
    number += one_in(guesser, 2) ? 0 : (__int128)below(guesser, 3) - 1;
    return one_in(guesser, 8) ? -number : number;
}

/* How much there is in the array before it: what a number behind a pointer often means. */
static __int128 length_number(struct guesser *guesser)
{
    size_t length = one_in(guesser, 2) ? guesser->length : guesser->room;
    return (__int128)length + (one_in(guesser, 2) ? 0 : (__int128)below(guesser, 3) - 1);
}

static __int128 number_of_manner(struct guesser *guesser, const struct input_parameter *parameter, enum manner manner)
{
    switch (manner) {
    case SMALL: return small_number(guesser);
    case KNOWN: return known_number(guesser);
    case EXTREME: return extreme_number(guesser, parameter);
    case ANY_BITS: return (__int128)below(guesser, UINT64_MAX);
    default: return number_of_manner(guesser, parameter, (enum manner)below(guesser, MIXED));
    }
}

static __int128 number(struct guesser *guesser, const struct input_parameter *parameter)
{
    if (parameter->constant_count && !one_in(guesser, 4))
        return parameter->constants[below(guesser, parameter->constant_count)].value;
    if (one_in(guesser, 8))
        return guesser->latest_value; /* numbers that are equal are special */
    if (guesser->room && parameter->kind != INPUT_CHARACTER && one_in(guesser, 2))
        return length_number(guesser);
    return number_of_manner(guesser, parameter, guesser->manner);
}

static uint64_t floating_bits(double value, unsigned size)
{
    uint64_t bits = 0;
    float narrow = (float)value;
    if (size == sizeof narrow)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static double floating_number(struct guesser *guesser)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 2.0, 1e10, -1e10, 1e300, 1e-300, INFINITY, NAN};
    switch (below(guesser, 5)) {
    case 0: return special[below(guesser, sizeof special / sizeof *special)];
    case 1: return guesser->number_count ? guesser->numbers[below(guesser, guesser->number_count)] : 3.0;
    case 2: return (double)small_number(guesser);
    case 3: return ((double)below(guesser, 2000001) - 1e6) / 1000;
    default: return guesser->number_count ? (double)known_number(guesser) : 0.25;
    }
}

/* ---- elements ---- */

/* Into what the type can hold, as a conversion would. */
static __int128 fit(const struct input_parameter *parameter, __int128 value)
{
    __int128 low = input_lowest(parameter), count = input_highest(parameter) - low + 1;
    __int128 offset = (value - low) % count;
    return low + (offset < 0 ? offset + count : offset);
}

static void set_element(struct guesser *guesser, const struct input_parameter *parameter, size_t element,
                        __int128 value)
{
    input_set_element(parameter, guesser->bytes, element,
                      parameter->kind == INPUT_FLOATING ? value : fit(parameter, value));
}

static __int128 guess(struct guesser *guesser, const struct input_parameter *parameter)
{
    switch (parameter->kind) {
    case INPUT_NULL: return one_in(guesser, parameter->is_overlap ? 4 : 8);
    case INPUT_BOOL: return (__int128)below(guesser, 2);
    case INPUT_FLOATING: return (__int128)floating_bits(floating_number(guesser), parameter->element_size);
    case INPUT_CHARACTER:
        if (one_in(guesser, 2))
            return ' ' + (__int128)below(guesser, 95);
        return number(guesser, parameter);
    default: return number(guesser, parameter);
    }
}

static void clear(struct guesser *guesser, const struct input_parameter *parameter)
{
    for (size_t i = 0; i < parameter->element_count; i++)
        set_element(guesser, parameter, i, 0);
}

/* One of the program's own texts: alone, or with something before and behind it. */
static void put_text(struct guesser *guesser, const struct input_parameter *parameter, size_t length)
{
    const struct words *texts = guesser->request.texts;
    const char *text = texts->list[below(guesser, texts->count)];
    bool is_alone = one_in(guesser, 2);
    size_t start = is_alone || one_in(guesser, 2) ? 0 : below(guesser, length), count = strlen(text);
    if (is_alone)
        clear(guesser, parameter);
    for (size_t i = 0; i < count && start + i < length; i++)
        set_element(guesser, parameter, start + i, (unsigned char)text[i]);
}

/* As people write it, for what reads numbers from text: a constant of the program, or the end of a type. */
static void put_number(struct guesser *guesser, const struct input_parameter *parameter, size_t length)
{
    struct text text = {0};
    __int128 power = (__int128)1 << (8 * (1 + below(guesser, 8)) - below(guesser, 2));
    __int128 edge = power + (__int128)below(guesser, 3) - 1;
    input_print_number(&text, one_in(guesser, 2) ? known_number(guesser) : one_in(guesser, 2) ? edge : -edge);
    const char *digits = text_string(&text);
    if (text.length <= length)
        clear(guesser, parameter);
    for (size_t i = 0; i < text.length && text.length <= length; i++)
        set_element(guesser, parameter, i, digits[i]);
    text_free(&text);
}

static bool can_hold_text(const struct guesser *guesser, const struct input_parameter *parameter)
{
    return parameter->element_size == 1 && guesser->request.texts && guesser->request.texts->count;
}

static size_t guess_length(struct guesser *guesser, size_t room)
{
    switch (below(guesser, 5)) {
    case 0: return below(guesser, room < 3 ? room + 1 : 3);
    case 1: return below(guesser, room + 1);
    default: return room;
    }
}

/* A few values that come again and again: what programs look for in arrays is order, repetition and where something
 * is. The rest is zero. */
static void guess_array(struct guesser *guesser, const struct input_parameter *parameter)
{
    __int128 alphabet[4];
    size_t room = parameter->element_count, letters = 1 + below(guesser, 4), length = guess_length(guesser, room);
    bool is_alphabet = !one_in(guesser, 3);
    guesser->room = 0;
    for (size_t i = 0; i < letters; i++)
        alphabet[i] = guess(guesser, parameter);
    for (size_t i = 0; i < length; i++)
        set_element(guesser, parameter, i, is_alphabet ? alphabet[below(guesser, letters)] : guess(guesser, parameter));
    if (length && can_hold_text(guesser, parameter) && one_in(guesser, 2))
        put_text(guesser, parameter, room);
    if (parameter->is_string && parameter->element_size == 1 && one_in(guesser, 6))
        put_number(guesser, parameter, room);
    guesser->length = length;
    guesser->room = room;
}

static void guess_parameter(struct guesser *guesser, const struct input_parameter *parameter)
{
    if (parameter->is_background && !one_in(guesser, 4))
        return;
    if (parameter->is_array) {
        guess_array(guesser, parameter);
        return;
    }
    __int128 value = guess(guesser, parameter);
    set_element(guesser, parameter, 0, value);
    if (parameter->kind != INPUT_NULL && parameter->kind != INPUT_FLOATING)
        guesser->latest_value = value;
}

/* ---- inputs ---- */

/* The same for everything: what people would try first. */
static const __int128 plain_values[] = {0, 1, -1, 2, 'a', 127, 255};
enum { PLAIN_VALUES = sizeof plain_values / sizeof *plain_values, LOWEST = PLAIN_VALUES, HIGHEST, RISING, PLAIN };

static __int128 plain_value(const struct input_parameter *parameter, size_t number, size_t element)
{
    if (parameter->kind == INPUT_FLOATING)
        return (__int128)floating_bits(number < PLAIN_VALUES ? (double)plain_values[number] : (double)element,
                                       parameter->element_size);
    return number == LOWEST    ? input_lowest(parameter)
           : number == HIGHEST ? input_highest(parameter)
           : number == RISING  ? (__int128)element + 1
                               : plain_values[number];
}

static void make_plain(struct guesser *guesser, size_t number)
{
    const struct input_layout *layout = guesser->request.layout;
    for (size_t i = 0; i < layout->count; i++) {
        const struct input_parameter *parameter = &layout->parameters[i];
        if (parameter->kind == INPUT_NULL || parameter->is_background)
            continue;
        for (size_t k = 0; k < parameter->element_count; k++)
            set_element(guesser, parameter, k, plain_value(parameter, number, k));
    }
}

static void make_seed(struct guesser *guesser, size_t number)
{
    size_t size = guesser->request.layout->size, known = guesser->request.seed_size;
    memcpy(guesser->bytes, guesser->request.seeds[number], known < size ? known : size);
}

static void make_fresh(struct guesser *guesser)
{
    const struct input_layout *layout = guesser->request.layout;
    guesser->manner = (enum manner)below(guesser, MANNERS);
    guesser->length = guesser->room = 0;
    guesser->latest_value = 1;
    for (size_t i = 0; i < layout->count; i++)
        guess_parameter(guesser, &layout->parameters[i]);
}

static void change_element(struct guesser *guesser, const struct input_parameter *parameter)
{
    size_t element = below(guesser, parameter->element_count);
    if (!parameter->element_count) /* the program chose its size */
        return;
    __int128 value = input_element(parameter, guesser->bytes, element);
    if (parameter->kind == INPUT_FLOATING || parameter->kind == INPUT_NULL || one_in(guesser, 2))
        value = guess(guesser, parameter);
    else if (parameter->is_array && one_in(guesser, 2)) /* two that are alike */
        value = input_element(parameter, guesser->bytes, below(guesser, parameter->element_count));
    else
        value += one_in(guesser, 2) ? 1 : -1;
    set_element(guesser, parameter, element, value);
}

static void take_kept(struct guesser *guesser)
{
    size_t size = guesser->request.layout->size;
    size_t number = below(guesser, guesser->kept_count), known = guesser->kept_size[number];
    memcpy(guesser->bytes, guesser->kept[number], known < size ? known : size);
}

/* An earlier input with a few changes. */
static void make_changed(struct guesser *guesser)
{
    const struct input_layout *layout = guesser->request.layout;
    size_t recorded = guesser->request.recorded_count;
    if (recorded && !one_in(guesser, 4))
        make_seed(guesser, guesser->request.seed_count - 1 - below(guesser, recorded));
    else
        take_kept(guesser);
    guesser->manner = (enum manner)below(guesser, MANNERS);
    for (size_t changes = 1 + below(guesser, 3); changes; changes--)
        change_element(guesser, &layout->parameters[below(guesser, layout->count)]);
}

static void keep(struct guesser *guesser)
{
    size_t place = guesser->kept_count < MOST_KEPT ? guesser->kept_count++ : below(guesser, MOST_KEPT);
    size_t size = guesser->request.layout->size;
    guesser->kept[place] = realloc(guesser->kept[place], size + 1);
    guesser->kept_size[place] = size;
    memcpy(guesser->kept[place], guesser->bytes, size);
}

/* A value between the ends; of floating point, where ends are bit patterns, one of a few. */
static __int128 value_in_range(struct guesser *guesser, const struct input_parameter *parameter,
                               const struct input_range *range)
{
    switch (below(guesser, 4)) {
    case 0: return range->low;
    case 1: return range->high;
    case 2: return input_nearest_to_zero(parameter, range);
    default: break;
    }
    if (parameter->kind == INPUT_FLOATING || range->high < range->low)
        return range->low;
    unsigned __int128 count = (unsigned __int128)(range->high - range->low) + 1;
    return range->low + (__int128)below(guesser, count > UINT64_MAX ? UINT64_MAX : (uint64_t)count);
}

static void keep_in_ranges(struct guesser *guesser)
{
    for (size_t i = 0; i < guesser->request.range_count; i++) {
        const struct input_range *range = &guesser->request.ranges[i];
        const struct input_parameter *parameter = &guesser->request.layout->parameters[range->parameter];
        for (size_t k = 0; k < parameter->element_count; k++)
            if (!input_is_in_range(parameter, range, input_element(parameter, guesser->bytes, k)))
                input_set_element(parameter, guesser->bytes, k, value_in_range(guesser, parameter, range));
    }
}

/* Of whole programs, most inputs would end with the same message: they are made of those that work. */
static void make_start(struct guesser *guesser)
{
    const struct guess_request *request = &guesser->request;
    struct mutation mutation = {
        .layout = request->layout, .numbers = request->numbers, .texts = request->texts, .chance = &guesser->chance};
    make_seed(guesser, below(guesser, request->seed_count));
    mutate(&mutation, guesser->bytes);
}

static void make_input(struct guesser *guesser, size_t number)
{
    size_t seeds = guesser->request.seed_count;
    memset(guesser->bytes, 0, guesser->capacity);
    if (number < seeds)
        make_seed(guesser, number);
    else if (guesser->request.layout->invocation)
        make_start(guesser);
    else if (number - seeds < PLAIN)
        make_plain(guesser, number - seeds);
    else if (guesser->kept_count && guesser->request.layout->count &&
             (guesser->request.recorded_count ? !one_in(guesser, 3) : one_in(guesser, 3)))
        make_changed(guesser);
    else
        make_fresh(guesser);
    keep_in_ranges(guesser);
}

const uint8_t *guesser_next(struct guesser *guesser)
{
    size_t size = guesser->request.layout->size;
    guesser->bytes = array_reserve(guesser->bytes, &guesser->capacity, size + 1, 1);
    for (size_t i = 0; i < MOST_REPEATED + guesser->request.seed_count + PLAIN; i++) {
        make_input(guesser, guesser->number++);
        if (!set_add(guesser->seen, guesser->bytes, size))
            continue;
        keep(guesser);
        return guesser->bytes;
    }
    return NULL;
}
