/* Arrays of numbers: a sieve, prefix sums, a matrix product, dynamic programming, a histogram, a cellular automaton. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIEVE = 3000000, SERIES = 400000, SIDE = 160, GOODS = 120, CAPACITY = 20000, GRID = 256 };

static unsigned char composite[SIEVE];
static int64_t series[SERIES + 1];
static int left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static int best_value[CAPACITY + 1];
static unsigned char world[2][GRID][GRID];

static uint32_t seed = 12345;

static uint32_t next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static unsigned sieve(void)
{
    unsigned count = 0;
    memset(composite, 0, sizeof composite);
    for (unsigned i = 2; i < SIEVE; i++) {
        if (composite[i])
            continue;
        count++;
        for (uint64_t multiple = (uint64_t)i * i; multiple < SIEVE; multiple += i)
            composite[multiple] = 1;
    }
    return count;
}

/* The largest sum of a window, by prefix sums. */
static int64_t best_window(int width)
{
    series[0] = 0;
    for (int i = 1; i <= SERIES; i++)
        series[i] = series[i - 1] + (int)(next_random() % 2001) - 1000;
    int64_t best = INT64_MIN;
    for (int i = width; i <= SERIES; i++) {
        int64_t sum = series[i] - series[i - width];
        if (sum > best)
            best = sum;
    }
    return best;
}

static int64_t multiply_matrices(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            left[i][j] = (int)(next_random() % 100);
            right[i][j] = (int)(next_random() % 100);
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    int64_t trace = 0;
    for (int i = 0; i < SIDE; i++)
        trace += product[i][i];
    return trace;
}

static int knapsack(void)
{
    memset(best_value, 0, sizeof best_value);
    for (int good = 0; good < GOODS; good++) {
        int weight = (int)(next_random() % 900) + 100, value = (int)(next_random() % 1000) + 1;
        for (int room = CAPACITY; room >= weight; room--) {
            int with = best_value[room - weight] + value;
            if (with > best_value[room])
                best_value[room] = with;
        }
    }
    return best_value[CAPACITY];
}

static int count_neighbours(unsigned char (*cells)[GRID], int row, int column)
{
    int up = (row + GRID - 1) % GRID, down = (row + 1) % GRID;
    int before = (column + GRID - 1) % GRID, after = (column + 1) % GRID;
    return cells[up][before] + cells[up][column] + cells[up][after] + cells[row][before] + cells[row][after] +
           cells[down][before] + cells[down][column] + cells[down][after];
}

static unsigned play_life(int generations)
{
    for (int row = 0; row < GRID; row++)
        for (int column = 0; column < GRID; column++)
            world[0][row][column] = next_random() % 3 == 0;
    int now = 0;
    for (int generation = 0; generation < generations; generation++, now = !now)
        for (int row = 0; row < GRID; row++)
            for (int column = 0; column < GRID; column++) {
                int neighbours = count_neighbours(world[now], row, column);
                world[!now][row][column] = neighbours == 3 || (neighbours == 2 && world[now][row][column]);
            }
    unsigned alive = 0;
    for (int row = 0; row < GRID; row++)
        for (int column = 0; column < GRID; column++)
            alive += world[now][row][column];
    return alive;
}

static uint32_t histogram_checksum(int samples)
{
    uint32_t counts[256] = {0}, checksum = 0;
    for (int i = 0; i < samples; i++)
        counts[next_random() & 0xff]++;
    for (int i = 0; i < 256; i++)
        checksum = checksum * 33 + counts[i];
    return checksum;
}

int main(void)
{
    uint64_t checksum = 0;
    for (int round = 0; round < 18; round++) {
        checksum = checksum * 31 + sieve();
        checksum = checksum * 31 + (uint64_t)best_window(1000);
        checksum = checksum * 31 + (uint64_t)multiply_matrices();
        checksum = checksum * 31 + (uint64_t)knapsack();
        checksum = checksum * 31 + play_life(12);
        checksum = checksum * 31 + histogram_checksum(500000);
    }
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
