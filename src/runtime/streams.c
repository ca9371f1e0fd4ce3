/* What the versions write, where they do not write the same: output of one-sided code, per version and stream. The old
 * version's is kept and not shown. What both write together only marks the place, so that the order is known; a stream
 * that differs at the end is an output like any other. */
#include "runtime/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pn_output(const char *name, const void *pointer, unsigned long size);

struct written {
    char *bytes;
    size_t length;
};

struct stream {
    FILE *file;
    struct written in_old, in_new;
};

static struct stream streams[16];
static uint32_t number; /* of writes of both versions together */

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

static void append(struct written *written, const void *bytes, size_t length)
{
    char *grown = realloc(written->bytes, written->length + length + 1);
    if (!grown) {
        pn_lose(PN_LOSS_DATA);
        return;
    }
    memcpy(grown + written->length, bytes, length);
    written->bytes = grown;
    written->length += length;
}

static void write_one_sided(FILE *file, const void *bytes, size_t length)
{
    struct stream *stream = find_stream(file);
    pn_note_effect();
    if (pn_side == PN_SIDE_OLD) {
        append(&stream->in_old, bytes, length);
        return;
    }
    if (pn_side == PN_SIDE_NEW)
        append(&stream->in_new, bytes, length);
    fwrite(bytes, 1, length, file);
}

void __pn_write_together(FILE *file)
{
    if (pn_diverged)
        return;
    struct stream *stream = find_stream(file ? file : stdout);
    number++;
    append(&stream->in_old, &number, sizeof number);
    append(&stream->in_new, &number, sizeof number);
}

void pn_compare_streams(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file && !pn_diverged; i++) {
        const struct written *in_old = &streams[i].in_old, *in_new = &streams[i].in_new;
        if (in_old->length == in_new->length &&
            (!in_old->length || !memcmp(in_old->bytes, in_new->bytes, in_old->length)))
            continue;
        /* One byte that differs says enough: which ones do, the native runs will show. */
        static uint8_t differs = 1;
        pn_memory_label((uint64_t)(uintptr_t)&differs, 1,
                        pn_make_shadow(8, pn_make_constant(8, 0), pn_make_constant(8, 1)));
        pn_output(streams[i].file == stderr ? "standard error" : "standard output", &differs, 1);
    }
}

void pn_streams_reset(void)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].file; i++)
        streams[i].in_old.length = streams[i].in_new.length = 0;
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
