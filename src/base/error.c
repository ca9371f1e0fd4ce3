#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool error_set(struct error *error, const char *format, ...)
{
    if (!error || error->message)
        return false;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&error->message, format, arguments) < 0)
        abort();
    va_end(arguments);
    return false;
}

void error_clear(struct error *error)
{
    free(error->message);
    error->message = NULL;
}
