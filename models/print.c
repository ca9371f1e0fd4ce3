/* Output: what is printed is made by the models of formatting, so that the runtime knows each byte in both versions. */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024 };

/* Writes bytes to a stream, for the version or versions whose code is running. */
void pn_write(FILE *stream, const void *bytes, size_t count);
/* Something was written to the stream that is the same in both versions. */
void pn_write_together(FILE *stream);

int __pn_real_vfprintf(FILE *, const char *, va_list);

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    if (pn_no_labels()) {
        pn_write_together(stream);
        return __pn_real_vfprintf(stream, format, arguments);
    }
    char line[LINE], *text = line;
    int length = vsnprintf(line, sizeof line, format, arguments);
    if (length >= LINE)
        length = vasprintf(&text, format, arguments); /* once more, and every decision with it */
    if (length < 0)
        return length;
    pn_write(stream, text, (size_t)length);
    if (text != line)
        free(text);
    return length;
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int vprintf(const char *format, va_list arguments)
{
    return vfprintf(stdout, format, arguments);
}

int printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

int fputs(const char *string, FILE *stream)
{
    pn_write(stream, string, strlen(string));
    return 1;
}

int puts(const char *string)
{
    size_t length = strlen(string);
    pn_write(stdout, string, length);
    pn_write(stdout, "\n", 1);
    return (int)length + 1;
}

int fputc(int character, FILE *stream)
{
    byte written = (byte)character;
    pn_write(stream, &written, 1);
    return written;
}

int putc(int character, FILE *stream)
{
    return fputc(character, stream);
}

int putchar(int character)
{
    return fputc(character, stdout);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    pn_look_at(bytes, size * count);
    pn_write(stream, bytes, size * count);
    return size ? count : 0;
}

/* ---- without a lock: nobody else is there ---- */

int fputc_unlocked(int character, FILE *stream)
{
    return fputc(character, stream);
}

int putc_unlocked(int character, FILE *stream)
{
    return fputc(character, stream);
}

int putchar_unlocked(int character)
{
    return fputc(character, stdout);
}

int fputs_unlocked(const char *string, FILE *stream)
{
    return fputs(string, stream);
}

size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *stream)
{
    return fwrite(bytes, size, count, stream);
}

/* ---- of whole programs ---- */

ssize_t __pn_real_write(int, const void *, size_t);

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    if (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO)
        return __pn_real_write(descriptor, bytes, count);
    pn_look_at(bytes, count);
    pn_write(descriptor == STDOUT_FILENO ? stdout : stderr, bytes, count);
    return (ssize_t)count;
}
