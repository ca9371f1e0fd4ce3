#include "base/log.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

static struct {
    enum log_level level;
    log_sink *sink;
    double start;
} now;

void log_open(enum log_level level, log_sink *sink)
{
    now.level = level;
    now.sink = sink;
    now.start = clock_seconds();
}

bool log_has(enum log_level level)
{
    return now.sink && level <= now.level;
}

void log_line(enum log_level level, const char *format, ...)
{
    char line[1024];
    if (!log_has(level))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    now.sink(level, clock_seconds() - now.start, line);
}

void log_command(const char *const command[])
{
    if (!log_has(LOG_DEBUG))
        return;
    struct text text = {0};
    for (size_t i = 0; command[i]; i++)
        text_format(&text, " %s", command[i]);
    now.sink(LOG_DEBUG, clock_seconds() - now.start, text_string(&text) + 1);
    text_free(&text);
}
