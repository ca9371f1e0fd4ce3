#include "cli/common.h"

#include "base/text.h"
#include "compile/store.h"

#include <unistd.h>

#define RECORD struct common_options

const struct option_row common_rows[] = {
    CHOICE("log", "error|warning|info|debug", log,
           "What the tool does, on standard error: phases and builds (info), every command (debug)"),
    ON("no-cache", no_cache, "Build everything anew, and keep nothing of it for the next run"),
    TABLE_END,
};

/* One write for a line: processes that work beside each other share the stream. */
static void show_line(enum log_level level, double seconds, const char *line)
{
    static const char *const names[] = {
        [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info", [LOG_DEBUG] = "debug"};
    struct text text = {0};
    text_format(&text, "penumbra: %s: %.3f: %s\n", names[level], seconds, line);
    ssize_t written = write(STDERR_FILENO, text_string(&text), text.length);
    (void)written; /* whoever closed standard error does not want it */
    text_free(&text);
}

void common_options_obey(const struct common_options *options)
{
    log_open(options->log, show_line);
    if (!options->no_cache)
        store_open();
}
