/* What each version writes to a stream, byte by byte with its labels. What the old version alone writes is kept and not
 * shown. At the end of a run the bytes that differ, or may differ for another input, are an output like any other;
 * where the versions are apart, all that the new one has written is. */
#include "runtime/runtime.h"
#include "trace/known.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pn_output(const char *name, const void *pointer, unsigned long size);
void __pn_volatile(uint64_t address, label on_address, uint64_t size, uint32_t is_store);
int __pn_called(unsigned long callback, const char *name);
void __pn_called_with(const void *argument, unsigned long size);

/* Of one version. */
struct written {
    uint8_t *bytes;
    uint32_t *nodes; /* 0: the byte does not depend on the input */
    size_t length, capacity;
};

struct stream {
    FILE *file;
    struct written in_old, in_new;
};

enum { LONGEST = 1 << 20 };

static struct stream streams[16];
static uint32_t number;  /* of writes of both versions together that are not kept */
static uint8_t *scratch; /* room for what becomes an output */
static size_t scratch_capacity;

static struct stream *find_stream(FILE *file)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (streams[i].file == file)
            return &streams[i];
        if (!streams[i].file) {
            streams[i].file = file;
            return &streams[i];
        }
    }
    pn_lose(PN_LOSS_DATA);
    return &streams[0];
}

static bool make_room(struct written *written, size_t length)
{
    size_t wanted = written->length + length, capacity = written->capacity ? written->capacity : 4096;
    if (wanted > LONGEST)
        return false;
    while (capacity < wanted)
        capacity *= 2;
    if (capacity > scratch_capacity) {
        uint8_t *grown = realloc(scratch, capacity);
        scratch = grown ? grown : scratch;
        scratch_capacity = grown ? capacity : scratch_capacity;
    }
    if (capacity == written->capacity)
        return true;
    uint8_t *bytes = realloc(written->bytes, capacity);
    written->bytes = bytes ? bytes : written->bytes;
    uint32_t *nodes = realloc(written->nodes, capacity * sizeof *nodes);
    written->nodes = nodes ? nodes : written->nodes;
    written->capacity = bytes && nodes ? capacity : written->capacity;
    return bytes && nodes && capacity <= scratch_capacity;
}

static void append(struct written *written, const void *bytes, size_t length)
{
    if (!make_room(written, length)) {
        pn_lose(PN_LOSS_DATA);
        return;
    }
    memcpy(written->bytes + written->length, bytes, length);
    memset(written->nodes + written->length, 0, length * sizeof *written->nodes);
    written->length += length;
}

/* As one version sees the bytes. */
static void append_from(struct written *written, uint64_t from, size_t length, enum pn_side side, uint32_t site)
{
    if (!pn_memory_has_labels(from, length)) {
        append(written, (const void *)(uintptr_t)from, length);
        return;
    }
    if (!make_room(written, length)) {
        pn_lose(PN_LOSS_DATA);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        uint8_t *byte = &written->bytes[written->length];
        uint32_t *node = &written->nodes[written->length++];
        if (side == PN_SIDE_OLD) {
            *byte = (uint8_t)__pn_slow_old_load(from + i, 0, 1, site);
            *node = __pn_old_label;
        } else {
            *byte = *(const uint8_t *)(uintptr_t)(from + i);
            *node = __pn_slow_new_load(from + i, 0, *byte, 1, site);
        }
    }
}

/* ---- what is written to standard error, between what to standard output ----
 *
 * Someone at a terminal sees both, but native runs keep them apart and do not show it. */

static struct stream order_of_streams;

struct turn {
    uint64_t errors, output; /* bytes before it */
};

static struct written *written_by(struct stream *stream, enum pn_side side)
{
    return side == PN_SIDE_OLD ? &stream->in_old : &stream->in_new;
}

/* Before something is appended. How it is divided into writes does not matter. */
static void note_turn(FILE *file, size_t length, enum pn_side side)
{
    struct written *order = written_by(&order_of_streams, side);
    struct turn turn = {0}, last = {0};
    if (file != stderr || !length)
        return;
    turn.output = written_by(find_stream(stdout), side)->length;
    turn.errors = written_by(find_stream(stderr), side)->length;
    if (order->length)
        memcpy(&last, order->bytes + order->length - sizeof last, sizeof last);
    if (turn.output != last.output)
        append(order, &turn, sizeof turn);
}

/* That it was possible leaves errno as it is. */
static void show(const void *bytes, size_t size, FILE *file)
{
    int before = errno;
    if (fwrite(bytes, 1, size, file) == size)
        errno = before;
}

/* The C library's functions without a model, in one-sided code. */
static void write_one_sided(FILE *file, const void *bytes, size_t length)
{
    struct stream *stream = find_stream(file);
    pn_note_effect();
    note_turn(file, length, pn_side);
    if (pn_side == PN_SIDE_OLD) {
        append(&stream->in_old, bytes, length);
        return;
    }
    append(&stream->in_new, bytes, length);
    show(bytes, length, file);
}

void __pn_write_together(FILE *file)
{
    if (pn_diverged)
        return;
    struct stream *stream = find_stream(file ? file : stdout);
    note_turn(stream->file, sizeof number, PN_SIDE_OLD);
    note_turn(stream->file, sizeof number, PN_SIDE_NEW);
    number++;
    append(&stream->in_old, &number, sizeof number);
    append(&stream->in_new, &number, sizeof number);
}

/* ---- calls of callbacks ---- */

enum { MOST_SEEN = 1 << 14 };

/* What a callback finds in variables and parameters' objects when it is called. Native runs do not show it. */
static struct stream seen_by_callbacks;

/* Whether some of it leads to an allocated block, which is not looked at. */
static bool leads_to_blocks(uint64_t address, uint64_t size)
{
    uint64_t value, base, room;
    for (uint64_t at = address; size >= sizeof value && at <= address + size - sizeof value; at += sizeof value) {
        memcpy(&value, (const void *)(uintptr_t)at, sizeof value);
        if (!pn_known_at(value) && pn_lasting_extent(value, &base, &room) && !pn_is_constant(value))
            return true;
    }
    return false;
}

/* Returns whether there is more to be seen than is kept. */
static bool append_seen(void)
{
    unsigned long bytes = 0;
    bool more = false;
    for (const struct pn_known *known = __start_pn_known; known < __stop_pn_known; known++) {
        uint64_t address = (uint64_t)(uintptr_t)known->object;
        uint64_t base, size;
        bool in_old = pn_side != PN_SIDE_NEW && !pn_diverged && !pn_is_gone(address, PN_SIDE_OLD);
        bool in_new = pn_side != PN_SIDE_OLD && !pn_is_gone(address, PN_SIDE_NEW);
        if (!(in_old || in_new) || !pn_object_extent(address, &base, &size) || pn_is_constant(address))
            continue; /* what was freed is not looked at */
        bytes += known->size;
        if (bytes > MOST_SEEN)
            return true;
        more |= leads_to_blocks(address, known->size);
        if (in_old)
            append_from(&seen_by_callbacks.in_old, address, known->size, PN_SIDE_OLD, __pn_last_site);
        if (in_new)
            append_from(&seen_by_callbacks.in_new, address, known->size, PN_SIDE_NEW, __pn_last_site);
    }
    return more;
}

/* A callback is called: between which outputs can be seen, and so can be which of several is called first. */
int __pn_called(unsigned long callback, const char *name)
{
    (void)name;
    struct stream *stream = find_stream(stdout);
    if (pn_side != PN_SIDE_NEW && !pn_diverged)
        append(&stream->in_old, &callback, sizeof callback);
    if (pn_side != PN_SIDE_OLD)
        append(&stream->in_new, &callback, sizeof callback);
    return append_seen();
}

/* So that arguments are compared also where both versions fail later. */
void __pn_called_with(const void *argument, unsigned long size)
{
    struct stream *stream = find_stream(stdout);
    uint64_t address = (uint64_t)(uintptr_t)argument;
    if (pn_side != PN_SIDE_NEW && !pn_diverged)
        append_from(&stream->in_old, address, size, PN_SIDE_OLD, __pn_site);
    if (pn_side != PN_SIDE_OLD)
        append_from(&stream->in_new, address, size, PN_SIDE_NEW, __pn_site);
}

/* ---- volatile accesses ----
 *
 * Each is seen: a stream of its own has which variable it was, and what was written. Native runs cannot show it. */

static struct stream volatile_accesses;

struct access {
    uint64_t is_store, object, offset;
    uint64_t printed; /* before it, or called: of other things that can be seen */
};

static uint64_t count_printed(enum pn_side side)
{
    uint64_t length = 0;
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file; i++)
        length += side == PN_SIDE_OLD ? streams[i].in_old.length : streams[i].in_new.length;
    return length;
}

static void append_access(struct written *written, uint64_t address, uint64_t size, uint32_t is_store,
                          enum pn_side side)
{
    struct access access = {.is_store = is_store, .printed = count_printed(side)};
    const struct pn_known *known = pn_known_at(address);
    if (known) {
        access.object = (uint64_t)(known - __start_pn_known) + 1;
        access.offset = address - (uint64_t)(uintptr_t)known->object;
    } else if (!pn_diverged) {
        access.offset = address;
    }
    append(written, &access, sizeof access);
    if (is_store)
        append_from(written, address, size, side, __pn_last_site);
}

static bool is_on_stack(uint64_t address)
{
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return address >= here && address - here < UINT64_C(64) << 20;
}

void __pn_volatile(uint64_t address, label on_address, uint64_t size, uint32_t is_store)
{
    bool is_shadow = on_address && pn_side == PN_SIDE_BOTH && pn_node(on_address)->new_value == address;
    if (is_on_stack(address))
        return;
    if (pn_side != PN_SIDE_NEW && !pn_diverged)
        append_access(&volatile_accesses.in_old, is_shadow ? pn_node(on_address)->old_value : address, size, is_store,
                      PN_SIDE_OLD);
    if (pn_side != PN_SIDE_OLD)
        append_access(&volatile_accesses.in_new, address, size, is_store, PN_SIDE_NEW);
}

static uint64_t bind_operand(label on_value, uint64_t value, uint32_t site)
{
    if (!on_value || pn_node(on_value)->new_value != value)
        return value;
    pn_bind(on_value, site);
    return pn_diverged ? value : pn_node(on_value)->old_value;
}

void __pn_write(FILE *file, uint64_t bytes, label on_bytes, uint64_t size, label on_size, uint32_t site)
{
    struct stream *stream = find_stream(file);
    uint64_t old_bytes = bind_operand(on_bytes, bytes, site), old_size = bind_operand(on_size, size, site);
    if (!pn_diverged) {
        note_turn(file, old_size, PN_SIDE_OLD);
        append_from(&stream->in_old, old_bytes, old_size, PN_SIDE_OLD, site);
    }
    note_turn(file, size, PN_SIDE_NEW);
    append_from(&stream->in_new, bytes, size, PN_SIDE_NEW, site);
    show((const void *)(uintptr_t)bytes, size, file);
}

void __pn_side_write(uint32_t side, FILE *file, uint64_t bytes, uint64_t size, uint32_t site)
{
    struct stream *stream = find_stream(file);
    note_turn(file, size, (enum pn_side)side);
    append_from(written_by(stream, (enum pn_side)side), bytes, size, (enum pn_side)side, site);
    if (side != PN_SIDE_OLD)
        show((const void *)(uintptr_t)bytes, size, file);
}

/* ---- the end of a run ---- */

static void give_out(const struct stream *stream, const uint32_t *labels, size_t length)
{
    uint64_t start = (uint64_t)(uintptr_t)scratch;
    pn_memory_forget(start, length);
    for (size_t i = 0; i < length; i++)
        if (labels[i])
            pn_memory_label(start + i, 1, labels[i]);
    const char *name = pn_argument_name(stream->file) ? pn_argument_name(stream->file)
                       : stream->file == stderr       ? "standard error"
                       : stream == &volatile_accesses ? "volatile accesses"
                       : stream == &seen_by_callbacks ? "what callbacks find in variables"
                       : stream == &order_of_streams  ? "the order of standard output and error"
                                                      : "standard output";
    pn_output(name, scratch, length);
}

static uint32_t node_of(const struct written *written, size_t at)
{
    return written->nodes[at] ? written->nodes[at] : pn_make_constant(8, written->bytes[at]);
}

/* Only what differs, or may. */
static void compare_bytes(struct stream *stream)
{
    const struct written *in_old = &stream->in_old, *in_new = &stream->in_new;
    size_t count = 0;
    for (size_t i = 0; i < in_new->length; i++) {
        if (in_old->bytes[i] == in_new->bytes[i] && in_old->nodes[i] == in_new->nodes[i])
            continue;
        scratch[count] = in_new->bytes[i];
        stream->in_new.nodes[count] = pn_make_shadow(8, node_of(in_old, i), node_of(in_new, i)); /* read already */
        count++;
    }
    if (count)
        give_out(stream, in_new->nodes, count);
}

static void compare_stream(struct stream *stream)
{
    struct written *in_old = &stream->in_old, *in_new = &stream->in_new;
    if (pn_diverged && in_new->length) {
        memcpy(scratch, in_new->bytes, in_new->length);
        give_out(stream, in_new->nodes, in_new->length);
    } else if (!pn_diverged && in_old->length == in_new->length) {
        compare_bytes(stream);
    } else if (!pn_diverged) { /* one byte that differs says enough: which ones do, the native runs will show */
        uint32_t differs = pn_make_shadow(8, pn_make_constant(8, 0), pn_make_constant(8, 1));
        *scratch = 1;
        give_out(stream, &differs, 1);
    }
}

/* In the order of their numbers, which does not depend on which is written to first. */
void pn_compare_streams(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file; i++)
        if (streams[i].file != stderr)
            compare_stream(&streams[i]);
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file; i++)
        if (streams[i].file == stderr)
            compare_stream(&streams[i]);
    compare_stream(&volatile_accesses);
    compare_stream(&seen_by_callbacks);
    compare_stream(&order_of_streams);
}

void pn_streams_reset(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file; i++)
        streams[i].in_old.length = streams[i].in_new.length = 0;
    volatile_accesses.in_old.length = volatile_accesses.in_new.length = 0;
    seen_by_callbacks.in_old.length = seen_by_callbacks.in_new.length = 0;
    order_of_streams.in_old.length = order_of_streams.in_new.length = 0;
    number = 0;
}

/* ---- the C library's output functions, for one-sided code ---- */

static int write_formatted(FILE *file, const char *format, va_list arguments)
{
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    if (length >= 0)
        write_one_sided(file, text, (size_t)length);
    free(text);
    return length;
}

int __pn_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = write_formatted(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int __pn_fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = write_formatted(file, format, arguments);
    va_end(arguments);
    return length;
}

int __pn_puts(const char *string)
{
    write_one_sided(stdout, string, strlen(string));
    write_one_sided(stdout, "\n", 1);
    return 1;
}

int __pn_fputs(const char *string, FILE *file)
{
    write_one_sided(file, string, strlen(string));
    return 1;
}

int __pn_fputc(int character, FILE *file)
{
    unsigned char byte = (unsigned char)character;
    write_one_sided(file, &byte, 1);
    return byte;
}

int __pn_putchar(int character)
{
    return __pn_fputc(character, stdout);
}

size_t __pn_fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    write_one_sided(file, bytes, size * count);
    return count;
}
