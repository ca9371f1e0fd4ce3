/* Constructs of C through which labels pass unharmed. Each function gives a number that is 1234 for few inputs; only
 * behind that is the patched line. Were a label lost in a construct, the line would not be reached from inputs of 0. */
#include <penumbra.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- structs ---- */

struct two {
    long a, b;
};
struct small {
    short a;
    char b, c;
    int d;
};
struct big {
    int before, items[9], after;
};

__attribute__((noinline)) static struct two make_two(long x)
{
    return (struct two){x + 1, x * 2};
}

static int returned_struct(int x)
{
    struct two pair = make_two(x);
    return (int)(pair.a + pair.b); /* 3 * x + 1 */
}

__attribute__((noinline)) static int sum_small(struct small s)
{
    return s.a + s.b + s.c + s.d;
}

static int struct_in_registers(int x)
{
    return sum_small((struct small){(short)x, 1, 2, x + 1});
}

__attribute__((noinline)) static int sum_big(struct big big, int more)
{
    big.items[3] += more;
    return big.before + big.items[3] + big.after;
}

static int struct_in_memory(int x)
{
    struct big big = {x, {[3] = x}, 5};
    int sum = sum_big(big, 5);
    return big.items[3] == x ? sum : 0; /* the callee's copy was changed, not ours: 2 * x + 10 */
}

__attribute__((noinline)) static struct big make_big(int x)
{
    struct big big = {.before = x};
    big.items[8] = x ^ 3;
    return big;
}

static int struct_returned_in_memory(int x)
{
    struct big big = make_big(x);
    return big.before + big.items[8] - 1;
}

union number {
    unsigned word;
    struct {
        unsigned char low, next, third, high;
    } bytes;
};

static int union_of_bytes(int x)
{
    union number number = {.word = (unsigned)x};
    return number.bytes.low + number.bytes.high * 256;
}

struct bits {
    unsigned a : 3, b : 9;
    int c : 13;
    unsigned long d : 40;
    _Bool e : 1;
};

static int bit_fields(int x)
{
    static struct bits bits;
    bits.b = (unsigned)x;
    bits.c = x + 1;
    bits.d = (unsigned long)x << 20;
    bits.e = x > 700;
    return (int)(bits.b + bits.c + (bits.d >> 20) + bits.e);
}

static int variable_length(int x, int y)
{
    int length = (y & 3) + 2, sum = 0;
    for (int i = 0; i < 3; i++) {
        int items[length];
        items[length - 1] = x;
        sum += items[length - 1];
    }
    return sum + 1;
}

static int literal(int x)
{
    const struct two *pair = &(struct two){x, 34};
    int *items = (int[]){1, x, 3};
    return (int)pair->a + items[1] + (int)pair->b;
}

static int *last_seen(int x)
{
    static int seen;
    seen += x;
    return &seen;
}

static int static_local(int x)
{
    last_seen(x);
    int result = *last_seen(2);
    last_seen(-result);
    return result;
}

static _Thread_local int of_thread[4];

static int thread_local_variable(int x, int y)
{
    of_thread[y & 3] = x;
    int result = of_thread[y & 3] + 1;
    of_thread[y & 3] = 0;
    return result;
}

struct message {
    size_t length;
    char text[];
};

static int flexible_array(int x)
{
    struct message *message = malloc(sizeof *message + 2);
    message->length = 2;
    message->text[0] = (char)x;
    message->text[1] = (char)(x >> 8);
    int result = message->text[0] + message->text[1] * 256;
    free(message);
    return result;
}

/* ---- control ---- */

static int gotos(int x)
{
    int rounds = 0;
again:
    if (++rounds < 3)
        goto again;
    return x * rounds + 4;
}

static int computed_goto(int x, int y)
{
    static void *const targets[] = {&&none, &&add, &&finish};
    unsigned at = (unsigned)y;
    goto *targets[at % 2 + (at % 2 == 1 && x > 1000)];
none:
    return 0;
add:
    return 1;
finish:
    return x;
}

static jmp_buf place;

__attribute__((noinline)) static void leave_with(int value)
{
    char deep[40];
    memset(deep, value, sizeof deep);
    if (deep[3] == (char)value)
        longjmp(place, value);
}

static int long_jump(int x)
{
    volatile int before = x;
    int items[4] = {1, 2, 3, 4};
    int value = setjmp(place);
    if (!value)
        leave_with(x);
    return value + before + items[x & 1] - 1 - (x & 1); /* 1 where x is 0 */
}

static int add_one(int x)
{
    return x + 1;
}

static int add_two(int x)
{
    return x + 2;
}

static int through_pointer(int x, int y)
{
    static int (*const functions[])(int) = {add_one, add_two};
    return functions[(unsigned)y % 2](x);
}

static int without_prototype();

static int called_without_prototype(int x, int y)
{
    int (*pointer)() = without_prototype;
    return without_prototype(x, y) + pointer(y, 1);
}

static int without_prototype(int a, int b)
{
    return a - b;
}

struct buffer {
    void *(*make)(size_t);
    void (*drop)(void *);
};

static int allocated_by_address(int x)
{
    static const struct buffer buffer = {malloc, free};
    int *items = buffer.make(4 * sizeof *items);
    items[3] = x;
    int result = items[3];
    buffer.drop(items);
    return result;
}

/* ---- lists of arguments ---- */

__attribute__((noinline)) static long sum_list(int count, va_list list)
{
    long sum = 0;
    va_list again;
    va_copy(again, list);
    for (int i = 0; i < count; i++)
        sum += va_arg(again, int);
    va_end(again);
    return sum;
}

__attribute__((noinline)) static long sum_of(int count, ...)
{
    va_list list;
    va_start(list, count);
    long sum = sum_list(count, list);
    va_end(list);
    return sum;
}

static int variable_arguments(int x)
{
    return (int)sum_of(9, 1, x, 2, 3, 4, 5, 6, x, 7); /* in registers, and the eighth in memory */
}

__attribute__((noinline)) static int mixed_list(int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    double number = va_arg(list, double);
    struct two pair = va_arg(list, struct two);
    struct big big = va_arg(list, struct big);
    long wide = va_arg(list, long);
    va_end(list);
    sum += (int)number + (int)pair.b + big.items[8] + (int)wide;
    return sum;
}

static int structs_in_list(int x)
{
    return mixed_list(4, 1.0, (struct two){1, x}, (struct big){.items[8] = x}, (long)x);
}

/* ---- wide integers, vectors, atomics ---- */

static int wide_product(int x, int y)
{
    unsigned __int128 product = (unsigned __int128)(unsigned long)x << 70;
    product += (unsigned)y;
    return (int)(product >> 68) + (int)(product & 15);
}

static int wide_comparison(int x, int y)
{
    __int128 one = (__int128)x * x - y, other = 1234 * (__int128)1234;
    return one == other && x > 0 ? x : 0;
}

typedef int four __attribute__((vector_size(16)));

__attribute__((noinline)) static four twice(four items)
{
    return items * 2 + (items > 100);
}

static int vectors(int x)
{
    four items = {x, 1, x + 2, 3};
    items = twice(items);
    return items[2] + items[1] + 1;
}

static int atomics(int x)
{
    static _Atomic int counter;
    static int plain;
    atomic_store(&counter, x);
    int before = atomic_fetch_add(&counter, 4);
    __sync_val_compare_and_swap(&plain, 0, before);
    int swapped = __atomic_exchange_n(&plain, 0, __ATOMIC_SEQ_CST);
    return atomic_load(&counter) + swapped;
}

static int hidden_value(int x)
{
    __asm__ volatile("" : "+r"(x) : : "memory");
    return x;
}

/* ---- intrinsics ---- */

static int overflows(int x, int y)
{
    int sum;
    long product;
    if (!__builtin_add_overflow(x, 2000000000, &sum))
        return 0;
    if (!__builtin_mul_overflow((long)x, 1L << 40, &product))
        return 0;
    unsigned difference;
    return __builtin_sub_overflow((unsigned)y, 1234u, &difference) ? 0 : (int)difference == 0 ? y : 0;
}

static int bits_counted(int x)
{
    unsigned u = (unsigned)x;
    return __builtin_popcount(u) == 5 && __builtin_clz(u | 1) == 21 && __builtin_ctz(u | 0x80000000) == 1 ? x : 0;
}

static int bits_moved(int x)
{
    unsigned u = (unsigned)x, turned = u << 7 | u >> 25;
    return __builtin_bswap32(turned) == __builtin_bswap32(1234u << 7) && __builtin_bitreverse32(u) ? x : 0;
}

static int smallest(int x, int y)
{
    return __builtin_elementwise_max(x, y) == 1234 && __builtin_elementwise_min(x, y) == 7 &&
                   __builtin_abs(x - y) == 1227 && __builtin_elementwise_add_sat(x, 2147483647) == 2147483647
               ? 1234
               : 0;
}

static int constant_known(int x)
{
    return __builtin_constant_p(x) ? 0 : __builtin_object_size(&x, 0) == sizeof x || x ? x : 0;
}

/* ---- floating point in all of these ---- */

struct point {
    float x, y;
};
struct weighted {
    double weight;
    int item;
};

__attribute__((noinline)) static struct point moved(struct point point, float by)
{
    return (struct point){point.x + by, point.y - by};
}

static int two_floats(int x)
{
    struct point point = moved((struct point){(float)x, 3}, 1);
    return (int)(point.x + point.y);
}

__attribute__((noinline)) static struct weighted heavier(struct weighted one)
{
    return (struct weighted){one.weight * 2, one.item + 1};
}

static int double_and_integer(int x)
{
    struct weighted one = heavier((struct weighted){x, x});
    return (int)one.weight - one.item;
}

static int complex_number(int x)
{
    double _Complex number = x + 2.0i;
    number = number + 3.0i;
    return (int)(__real__ number + __imag__ number);
}

__attribute__((noinline)) static double sum_of_doubles(int count, ...)
{
    double sum = 0;
    va_list list;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, double);
    va_end(list);
    return sum;
}

static int doubles_in_list(int x)
{
    double d = x;
    return (int)sum_of_doubles(10, 1.0, d, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, d, 1.0); /* the ninth is in memory */
}

/* ---- */

static int compute(int which, int x, int y)
{
    switch (which) {
    case 0: return returned_struct(x);
    case 1: return struct_in_registers(x);
    case 2: return struct_in_memory(x);
    case 3: return struct_returned_in_memory(x);
    case 4: return union_of_bytes(x);
    case 5: return bit_fields(x);
    case 6: return variable_length(x, y);
    case 7: return literal(x);
    case 8: return static_local(x);
    case 9: return thread_local_variable(x, y);
    case 10: return flexible_array(x);
    case 11: return gotos(x);
    case 12: return computed_goto(x, y);
    case 13: return long_jump(x);
    case 14: return through_pointer(x, y);
    case 15: return variable_arguments(x);
    case 16: return structs_in_list(x);
    case 17: return wide_product(x, y);
    case 18: return wide_comparison(x, y);
    case 19: return vectors(x);
    case 20: return atomics(x);
    case 21: return hidden_value(x);
    case 22: return overflows(x, y);
    case 23: return bits_counted(x);
    case 24: return bits_moved(x);
    case 25: return smallest(x, y);
    case 26: return constant_known(x);
    case 27: return two_floats(x);
    case 28: return double_and_integer(x);
    case 29: return complex_number(x);
    case 30: return doubles_in_list(x);
    case 31: return called_without_prototype(x, y);
    case 32: return allocated_by_address(x);
    default: return 0;
    }
}

int constructs(int which, int x, int y)
{
    if (compute(which, x, y) == 1234)
        return change(1, 2);
    return 0;
}
