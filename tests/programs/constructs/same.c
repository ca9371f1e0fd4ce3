/* Operations that the runtime builds of several (trace/derived.h, runtime/wide.c), beside their definitions in plain C.
 * The versions are equivalent, which is shown for all inputs at once. */
#include <penumbra.h>

static int count_ones(unsigned x)
{
    int count = 0;
    for (int i = 0; i < 32; i++)
        count += x >> i & 1;
    return count;
}

static int leading_zeros(unsigned x)
{
    int count = 0;
    unsigned seen = 0;
    for (int i = 31; i >= 0; i--) {
        seen |= x >> i & 1;
        count += seen ^ 1;
    }
    return count;
}

static int trailing_zeros(unsigned x)
{
    int count = 0;
    unsigned seen = 0;
    for (int i = 0; i < 32; i++) {
        seen |= x >> i & 1;
        count += seen ^ 1;
    }
    return count;
}

static unsigned swapped(unsigned x)
{
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static unsigned reversed(unsigned x)
{
    unsigned result = 0;
    for (int i = 0; i < 32; i++)
        result |= (x >> i & 1) << (31 - i);
    return result;
}

static int larger(int x, int y)
{
    return x > y ? x : y;
}

static unsigned smaller(unsigned x, unsigned y)
{
    return x < y ? x : y;
}

static int added(int x, int y)
{
    int result, over = __builtin_add_overflow(x, y, &result);
    return result ^ over;
}

static int added_plainly(int x, int y)
{
    long sum = (long)x + y;
    return (int)sum ^ (sum != (int)sum);
}

static int subtracted(int x, int y)
{
    int result, over = __builtin_sub_overflow(x, y, &result);
    return result ^ over;
}

static int subtracted_plainly(int x, int y)
{
    long difference = (long)x - y;
    return (int)difference ^ (difference != (int)difference);
}

static int multiplied(int x, int y)
{
    int result, over = __builtin_mul_overflow(x, (short)y, &result);
    return over;
}

static int multiplied_plainly(int x, int y)
{
    long product = (long)x * (short)y;
    return product != (int)product;
}

static int multiplied_without_sign(unsigned x, unsigned y)
{
    unsigned result;
    return __builtin_mul_overflow(x, y & 255, &result);
}

static int multiplied_without_sign_plainly(unsigned x, unsigned y)
{
    return ((unsigned long)x * (y & 255)) >> 32 != 0;
}

static int long_products(int x, int y)
{
    long result;
    return __builtin_mul_overflow((long)(signed char)x << 56, (long)(y & 15) - 8, &result);
}

static int long_products_plainly(int x, int y)
{
    int product = (signed char)x * ((y & 15) - 8); /* the uppermost byte of the other, unless that overflows */
    return product != (signed char)product;
}

static int saturated(int x, int y)
{
    return __builtin_elementwise_add_sat(x, y) ^ __builtin_elementwise_sub_sat(x, y);
}

static int clamp(long x)
{
    return x > 2147483647 ? 2147483647 : x < -2147483648l ? -2147483647 - 1 : (int)x;
}

static int saturated_plainly(int x, int y)
{
    return clamp((long)x + y) ^ clamp((long)x - y);
}

static unsigned turned(unsigned x, unsigned y)
{
    return __builtin_rotateleft32(x, y);
}

static unsigned turned_plainly(unsigned x, unsigned y)
{
    return x << (y & 31) | (unsigned)((unsigned long)x >> (32 - (y & 31)));
}

/* Sums and shifts across the middle, as pairs. */
static unsigned wide(unsigned x, unsigned y)
{
    unsigned __int128 one = (unsigned __int128)x << 40 | y, other = (unsigned __int128)y << 60 | x;
    unsigned __int128 sum = one + other;
    return (unsigned)(sum >> 62) ^ (unsigned)sum;
}

static unsigned wide_plainly(unsigned x, unsigned y)
{
    unsigned long one_low = (unsigned long)x << 40 | y, one_high = x >> 24;
    unsigned long other_low = (unsigned long)y << 60 | x, other_high = y >> 4;
    unsigned long low = one_low + other_low, high = one_high + other_high + (low < one_low);
    return (unsigned)(high << 2 | low >> 62) ^ (unsigned)low;
}

static int wide_order(int x, int y)
{
    __int128 one = (__int128)x << 64 | (unsigned)y, other = (__int128)y << 64 | (unsigned)x;
    return (one < other) + 2 * (one - other < 0);
}

static int wide_order_plainly(int x, int y)
{
    int less = (x < y) | ((x == y) & ((unsigned)y < (unsigned)x));
    return less * 3;
}

static unsigned wide_shift(unsigned x, unsigned y)
{
    unsigned __int128 one = (unsigned __int128)x << 50;
    return (unsigned)(one >> (y & 127));
}

static unsigned wide_shift_plainly(unsigned x, unsigned y)
{
    unsigned by = y & 127;
    unsigned long all = x;
    return by <= 50 ? (unsigned)(50 - by < 32 ? all << (50 - by) : 0) : by - 50 < 32 ? (unsigned)(all >> (by - 50)) : 0;
}

int same(int which, int x, int y)
{
    unsigned u = (unsigned)x, v = (unsigned)y;
    switch (which) {
    case 0: return change(__builtin_popcount(u), count_ones(u));
    case 1: return change(__builtin_clz(u | 1), leading_zeros(u | 1));
    case 2: return change(__builtin_ctz(u | 1u << 31), trailing_zeros(u | 1u << 31));
    case 3: return (int)change(__builtin_bswap32(u), swapped(u));
    case 4: return (int)change(__builtin_bitreverse32(u), reversed(u));
    case 5: return change(__builtin_elementwise_max(x, y), larger(x, y));
    case 6: return (int)change(__builtin_elementwise_min(u, v), smaller(u, v));
    case 7: return change(added(x, y), added_plainly(x, y));
    case 8: return change(subtracted(x, y), subtracted_plainly(x, y));
    case 9: return change(multiplied(x, y), multiplied_plainly(x, y));
    case 10: return change(multiplied_without_sign(u, v), multiplied_without_sign_plainly(u, v));
    case 11: return change(long_products(x, y), long_products_plainly(x, y));
    case 12: return change(saturated(x, y), saturated_plainly(x, y));
    case 13: return (int)change(turned(u, v), turned_plainly(u, v));
    case 14: return (int)change(wide(u, v), wide_plainly(u, v));
    case 15: return change(wide_order(x, y), wide_order_plainly(x, y));
    case 16: return (int)change(wide_shift(u, v), wide_shift_plainly(u, v));
    default: return 0;
    }
}
