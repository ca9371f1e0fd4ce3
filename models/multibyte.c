/* Multibyte characters, and kinds of wide ones. The bytes below 128 are characters by themselves in every locale that
 * there is; in the "C" locale the others are none. What another locale makes of those, the C library is asked. */
#include "model.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static const size_t none = (size_t)-1, more = (size_t)-2;

/* Set by setlocale(), in messages.c. */
int pn_other_locale;

static inline MODEL_INLINE int is_c_locale(void)
{
    return !pn_other_locale;
}

static inline MODEL_INLINE int is_ascii(unsigned character)
{
    return character < 128;
}

/* ---- from bytes ---- */

size_t __pn_real_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);

/* The rest of a character, or one of several bytes. */
static size_t decode_other(wchar_t *to, const char *text, size_t count, mbstate_t *state)
{
    wchar_t wide = 0;
    char bytes[MB_LEN_MAX] = {0};
    size_t given = 0;
    while (given < count && given < sizeof bytes) {
        bytes[given] = (char)pn_bound(text[given], "mbrtowc");
        if (is_ascii((byte)bytes[given++]))
            break; /* it is part of no longer one */
    }
    size_t length = __pn_real_mbrtowc(&wide, bytes, given, state);
    if (to && length < more)
        *to = wide;
    return length;
}

size_t mbrtowc(wchar_t *to, const char *text, size_t count, mbstate_t *state)
{
    static mbstate_t own;
    if (!state)
        state = &own;
    if (!text)
        to = NULL, text = "", count = 1;
    if (!count)
        return more;
    byte first = (byte)text[0];
    if (state->__count || (!is_ascii(first) && !is_c_locale()))
        return decode_other(to, text, count, state);
    if (!is_ascii(first)) {
        errno = EILSEQ;
        return none;
    }
    if (to)
        *to = first;
    return first != 0;
}

size_t mbrlen(const char *text, size_t count, mbstate_t *state)
{
    static mbstate_t own;
    return mbrtowc(NULL, text, count, state ? state : &own);
}

int mbtowc(wchar_t *to, const char *text, size_t count)
{
    mbstate_t state = {0};
    if (!text)
        return 0;
    if (!*text && !count)
        count = 1; /* the end is looked for in any case */
    size_t length = mbrtowc(to, text, count, &state);
    return length >= more ? -1 : (int)length;
}

int mblen(const char *text, size_t count)
{
    return mbtowc(NULL, text, count);
}

wint_t __pn_real_btowc(int);

wint_t btowc(int character)
{
    if (is_ascii((unsigned)character))
        return (wint_t)character;
    return is_c_locale() ? WEOF : __pn_real_btowc((int)pn_bound(character, "btowc"));
}

size_t __pn_real_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);

size_t mbsrtowcs(wchar_t *to, const char **from, size_t limit, mbstate_t *state)
{
    const char *text = *from;
    size_t count = 0;
    if (!is_c_locale()) {
        pn_lost("mbsrtowcs");
        return __pn_real_mbsrtowcs(to, from, limit, state);
    }
    for (; (!to || count < limit) && is_ascii((byte)text[count]); count++) {
        if (to)
            to[count] = text[count];
        if (!text[count]) {
            if (to)
                *from = NULL;
            return count;
        }
    }
    if (to)
        *from = text + count;
    if (to && count == limit)
        return count;
    errno = EILSEQ;
    return none;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t limit)
{
    mbstate_t state = {0};
    return mbsrtowcs(to, &from, limit, &state);
}

/* ---- to bytes ---- */

size_t __pn_real_wcrtomb(char *, wchar_t, mbstate_t *);

size_t wcrtomb(char *to, wchar_t wide, mbstate_t *state)
{
    char bytes[MB_LEN_MAX] = {0};
    if (!to)
        return 1;
    if (is_ascii((unsigned)wide)) {
        *to = (char)wide;
        return 1;
    }
    if (is_c_locale()) {
        errno = EILSEQ;
        return none;
    }
    size_t length = __pn_real_wcrtomb(bytes, (wchar_t)pn_bound(wide, "wcrtomb"), state);
    if (length != none)
        memcpy(to, bytes, length);
    return length;
}

int wctomb(char *to, wchar_t wide)
{
    mbstate_t state = {0};
    return to ? (int)wcrtomb(to, wide, &state) : 0;
}

int __pn_real_wctob(wint_t);

int wctob(wint_t wide)
{
    if (is_ascii(wide))
        return (int)wide;
    return is_c_locale() ? EOF : __pn_real_wctob((wint_t)pn_bound((long)wide, "wctob"));
}

/* ---- kinds ---- */

/* Below 128 they are those of <ctype.h>. */
#define KIND(name, narrow)                                                                                             \
    int __pn_real_##name(wint_t);                                                                                      \
    int name(wint_t wide)                                                                                              \
    {                                                                                                                  \
        return is_ascii(wide) ? narrow((int)wide) : __pn_real_##name((wint_t)pn_bound((long)wide, #name));             \
    }

KIND(iswalnum, isalnum)
KIND(iswalpha, isalpha)
KIND(iswblank, isblank)
KIND(iswcntrl, iscntrl)
KIND(iswgraph, isgraph)
KIND(iswlower, islower)
KIND(iswprint, isprint)
KIND(iswpunct, ispunct)
KIND(iswspace, isspace)
KIND(iswupper, isupper)
KIND(iswxdigit, isxdigit)

int iswdigit(wint_t wide)
{
    return wide - '0' < 10;
}

#define OTHER_CASE(name, narrow)                                                                                       \
    wint_t __pn_real_##name(wint_t);                                                                                   \
    wint_t name(wint_t wide)                                                                                           \
    {                                                                                                                  \
        return is_ascii(wide) ? (wint_t)narrow((int)wide) : __pn_real_##name((wint_t)pn_bound((long)wide, #name));     \
    }

OTHER_CASE(towlower, tolower)
OTHER_CASE(towupper, toupper)

int __pn_real_wcwidth(wchar_t);

int wcwidth(wchar_t wide)
{
    if (!is_ascii((unsigned)wide))
        return __pn_real_wcwidth((wchar_t)pn_bound(wide, "wcwidth"));
    return wide == 0 ? 0 : isprint(wide) ? 1 : -1;
}

int wcswidth(const wchar_t *string, size_t limit)
{
    int sum = 0;
    for (size_t i = 0; i < limit && string[i]; i++) {
        int width = wcwidth(string[i]);
        if (width < 0)
            return -1;
        sum += width;
    }
    return sum;
}
