/* Constructs that labels do not pass: the value is bound to what it is in the run, and the report says where. The
 * versions are the same here, which must not be said of them: too many values were not tried. */
#include <arpa/inet.h>
#include <penumbra.h>
#include <search.h>
#include <stddef.h>

static int long_double(int x)
{
    volatile long double number = x; /* here: long double */
    return (int)(number / 2);
}

static int half_float(int x)
{
    _Float16 number = (_Float16)x; /* here: _Float16 */
    return number > 3;
}

static int assembly(int x)
{
    int y;
    __asm__("movl %1, %0\n\tincl %0" : "=&r"(y) : "r"(x)); /* here: inline assembly */
    return y;
}

static int assembly_on_memory(int x)
{
    int y = x;
    __asm__("incl %0" : "+m"(y)); /* here: inline assembly */
    return y;
}

static int wide_division(int x)
{
    __int128 wide = (__int128)x * x;
    return (int)(wide / 7); /* here: an integer wider than 64 bits */
}

static int odd_width(int x)
{
    _BitInt(100) wide = x; /* here: an integer wider than 64 bits */
    return (int)(wide + 1);
}

static int by_address(int x)
{
    unsigned (*volatile function)(unsigned) = htonl;
    return (int)function((unsigned)x); /* here: a function without instrumentation */
}

static int secret;

static int compare(const void *one, const void *other)
{
    (void)one, (void)other;
    return secret; /* here: a result for code without instrumentation */
}

static int callback(int x)
{
    static const int items[] = {1, 2, 3}, wanted = 2;
    size_t count = 3;
    secret = x;
    return lfind(&wanted, items, &count, sizeof *items, compare) != NULL;
}

int lost(int which, int x)
{
    int result = 0;
    switch (which) {
    case 0: result = long_double(x); break;
    case 1: result = half_float(x); break;
    case 2: result = assembly(x); break;
    case 3: result = assembly_on_memory(x); break;
    case 4: result = wide_division(x); break;
    case 5: result = odd_width(x); break;
    case 6: result = by_address(x); break;
    case 7: result = callback(x); break;
    default: break;
    }
    secret = 0;
    return change(result + 1, 1 + result);
}
