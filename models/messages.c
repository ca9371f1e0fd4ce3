/* Functions that tell the user something in a way of their own, and those that translate it: programs under test run in
 * the "C" locale. */
#include "model.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef gettext
#undef dgettext
#undef dcgettext
#undef ngettext
#undef dngettext
#undef dcngettext

/* ---- the end ---- */

/* Ends the process where both versions do; what it ends with is an output. */
void pn_exit(const int *status);
__attribute__((noreturn)) void __pn_real_exit(int);

void exit(int status)
{
    static int kept;
    kept = status;
    pn_exit(&kept);
    __pn_real_exit(status);
}

/* ---- <error.h> ---- */

static void tell_error(int status, int number, const char *format, va_list arguments)
{
    vfprintf(stderr, format, arguments);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputs("\n", stderr);
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_name);
    va_start(arguments, format);
    tell_error(status, number, format, arguments);
    va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, file ? "%s:%s:%u: " : "%s: ", program_invocation_name, file, line);
    va_start(arguments, format);
    tell_error(status, number, format, arguments);
    va_end(arguments);
}

/* ---- <err.h> ---- */

static void tell(int number, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, arguments);
    if (number)
        fprintf(stderr, format ? ": %s" : "%s", strerror(number));
    fputs("\n", stderr);
}

void vwarn(const char *format, va_list arguments)
{
    tell(errno, format, arguments);
}

void vwarnx(const char *format, va_list arguments)
{
    tell(0, format, arguments);
}

void verr(int status, const char *format, va_list arguments)
{
    tell(errno, format, arguments);
    exit(status);
}

void verrx(int status, const char *format, va_list arguments)
{
    tell(0, format, arguments);
    exit(status);
}

#define WITH_ARGUMENTS(call)                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    call;                                                                                                              \
    va_end(arguments);

void warn(const char *format, ...)
{
    WITH_ARGUMENTS(tell(errno, format, arguments))
}

void warnx(const char *format, ...)
{
    WITH_ARGUMENTS(tell(0, format, arguments))
}

void err(int status, const char *format, ...)
{
    WITH_ARGUMENTS(tell(errno, format, arguments))
    exit(status);
}

void errx(int status, const char *format, ...)
{
    WITH_ARGUMENTS(tell(0, format, arguments))
    exit(status);
}

void perror(const char *what)
{
    int number = errno;
    fprintf(stderr, what && *what ? "%s: %s\n" : "%s%s\n", what && *what ? what : "", strerror(number));
    errno = number;
}

/* ---- translation ---- */

char *gettext(const char *text)
{
    return (char *)text;
}

char *dgettext(const char *domain, const char *text)
{
    (void)domain;
    return (char *)text;
}

char *dcgettext(const char *domain, const char *text, int category)
{
    (void)domain, (void)category;
    return (char *)text;
}

char *ngettext(const char *one, const char *many, unsigned long count)
{
    return (char *)(count == 1 ? one : many);
}

char *dngettext(const char *domain, const char *one, const char *many, unsigned long count)
{
    (void)domain;
    return (char *)(count == 1 ? one : many);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count, int category)
{
    (void)domain, (void)category;
    return (char *)(count == 1 ? one : many);
}

char *__pn_real_setlocale(int, const char *);

/* What the environment says is "C". */
char *setlocale(int category, const char *locale)
{
    if (!locale)
        return pn_other_locale ? __pn_real_setlocale(category, locale) : (char *)"C";
    bool is_c = !*locale || !strcmp(locale, "C") || !strcmp(locale, "POSIX");
    if (is_c && !pn_other_locale)
        return (char *)"C";
    char *name = __pn_real_setlocale(category, is_c ? "C" : locale);
    pn_other_locale = strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") != 0;
    return name;
}
