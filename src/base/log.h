/* What the tool does, for whoever looks for a reason: what is built and what came from the cache, which commands are
 * run, when a phase begins. Libraries say it here and know nothing of where it goes; the command decides that once. */
#ifndef PENUMBRA_BASE_LOG_H
#define PENUMBRA_BASE_LOG_H

#include <stdbool.h>

enum log_level {
    LOG_ERROR,
    LOG_WARNING, /* the work goes on, with less than was wanted */
    LOG_INFO,    /* phases and builds */
    LOG_DEBUG,   /* commands, and why they were run */
};

/* Receives a line without its end. */
typedef void log_sink(enum log_level level, double seconds, const char *line);

/* From here on lines up to this level go to the sink, in this process and in those that it forks; `seconds` count from
 * this call. */
void log_open(enum log_level level, log_sink *sink);
bool log_has(enum log_level level);
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A command on the way to being run, at LOG_DEBUG. */
void log_command(const char *const command[]);

#endif
