/* Calls: recursion, function pointers, callbacks, small helpers, mutual recursion over a string. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int takeuchi(int x, int y, int z)
{
    return y >= x ? z : takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y));
}

static unsigned place_queens(unsigned size, unsigned columns, unsigned rising, unsigned falling)
{
    unsigned all = (1u << size) - 1, solutions = 0;
    if (columns == all)
        return 1;
    for (unsigned free = all & ~(columns | rising | falling); free; free &= free - 1) {
        unsigned place = free & -free;
        solutions += place_queens(size, columns | place, (rising | place) << 1, (falling | place) >> 1);
    }
    return solutions;
}

static void move_tower(unsigned height, int from, int to, int over, uint64_t *moves)
{
    if (!height)
        return;
    move_tower(height - 1, from, over, to, moves);
    *moves = *moves * 3 + (uint64_t)(from * 3 + to);
    move_tower(height - 1, over, to, from, moves);
}

/* ---- a table of operations, called through pointers ---- */

typedef uint32_t operation(uint32_t a, uint32_t b);

static uint32_t add(uint32_t a, uint32_t b)
{
    return a + b;
}

static uint32_t subtract(uint32_t a, uint32_t b)
{
    return a - b;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    return a * (b | 1);
}

static uint32_t exclusive_or(uint32_t a, uint32_t b)
{
    return a ^ b;
}

static uint32_t rotate(uint32_t a, uint32_t b)
{
    b &= 31;
    return b ? a << b | a >> (32 - b) : a;
}

static operation *const operations[] = {add, subtract, multiply, exclusive_or, rotate};

static uint32_t fold(operation *function, const uint32_t *values, int count, uint32_t start)
{
    for (int i = 0; i < count; i++)
        start = function(start, values[i]);
    return start;
}

static uint32_t dispatch(uint32_t rounds)
{
    uint32_t state = 1, selector = 1;
    for (uint32_t i = 0; i < rounds; i++) {
        selector = selector * 1664525 + 1013904223;
        state = operations[(selector >> 16) % 5](state, i);
    }
    return state;
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

/* ---- an expression, parsed by mutual recursion ---- */

struct parser {
    const char *at;
    uint32_t variable;
};

static uint32_t parse_sum(struct parser *parser);

static int accept(struct parser *parser, char wanted)
{
    if (*parser->at != wanted)
        return 0;
    parser->at++;
    return 1;
}

static uint32_t parse_atom(struct parser *parser)
{
    if (accept(parser, '(')) {
        uint32_t value = parse_sum(parser);
        accept(parser, ')');
        return value;
    }
    if (accept(parser, 'x'))
        return parser->variable;
    uint32_t value = 0;
    while (*parser->at >= '0' && *parser->at <= '9')
        value = value * 10 + (uint32_t)(*parser->at++ - '0');
    return value;
}

static uint32_t parse_product(struct parser *parser)
{
    uint32_t value = parse_atom(parser);
    for (;;) {
        if (accept(parser, '*'))
            value *= parse_atom(parser);
        else if (accept(parser, '/'))
            value /= parse_atom(parser) | 1;
        else
            return value;
    }
}

static uint32_t parse_sum(struct parser *parser)
{
    uint32_t value = parse_product(parser);
    for (;;) {
        if (accept(parser, '+'))
            value += parse_product(parser);
        else if (accept(parser, '-'))
            value -= parse_product(parser);
        else
            return value;
    }
}

static uint32_t evaluate(const char *text, uint32_t variable)
{
    struct parser parser = {text, variable};
    return parse_sum(&parser);
}

int main(void)
{
    uint64_t moves = 0, checksum = 0;
    checksum = checksum * 31 + fibonacci(35);
    checksum = checksum * 31 + ackermann(2, 3000);
    checksum = checksum * 31 + (uint64_t)takeuchi(21, 14, 7);
    checksum = checksum * 31 + place_queens(11, 0, 0, 0);
    move_tower(23, 0, 2, 1, &moves);
    checksum = checksum * 31 + moves;
    checksum = checksum * 31 + dispatch(20000000);

    static uint32_t values[20000];
    uint32_t state = 5;
    for (int i = 0; i < 20000; i++)
        values[i] = state = state * 69069 + 1;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 25; j++)
            checksum = checksum * 31 + fold(operations[i], values, 20000, (uint32_t)j);
    qsort(values, 20000, sizeof *values, compare_numbers);
    checksum = checksum * 31 + values[0] + values[19999];

    uint32_t sum = 0;
    for (uint32_t x = 0; x < 200000; x++)
        sum += evaluate("(x+3)*(x-7)+12345/(x*x+1)-(2*(x+(4*x-1)))", x);
    checksum = checksum * 31 + sum;
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
