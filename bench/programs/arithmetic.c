/* Integer arithmetic in registers: loops over numbers that never touch memory. */
#include <stdint.h>
#include <stdio.h>

static uint32_t longest_collatz_chain(uint32_t limit, uint32_t *start)
{
    uint32_t longest = 0;
    for (uint32_t first = 1; first < limit; first++) {
        uint64_t n = first;
        uint32_t length = 1;
        while (n != 1) {
            n = n & 1 ? 3 * n + 1 : n >> 1;
            length++;
        }
        if (length > longest) {
            longest = length;
            *start = first;
        }
    }
    return longest;
}

static uint64_t modular_power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    base %= modulus;
    while (exponent) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return result;
}

/* Miller-Rabin with bases that decide every number below 3,215,031,751. */
static int is_prime(uint32_t n)
{
    static const uint32_t bases[] = {2, 3, 5, 7};
    if (n < 2 || n % 2 == 0)
        return n == 2;
    uint32_t odd = n - 1;
    unsigned twos = 0;
    while (odd % 2 == 0) {
        odd /= 2;
        twos++;
    }
    for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (bases[i] % n == 0)
            continue;
        uint64_t x = modular_power(bases[i], odd, n);
        if (x == 1 || x == n - 1)
            continue;
        unsigned round = 1;
        while (round < twos && x != n - 1) {
            x = x * x % n;
            round++;
        }
        if (x != n - 1)
            return 0;
    }
    return 1;
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t integer_root(uint32_t n)
{
    uint32_t root = 0;
    for (uint32_t bit = 1u << 15; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n)
            root |= bit;
    return root;
}

static unsigned count_bits(uint64_t word)
{
    unsigned count = 0;
    while (word) {
        word &= word - 1;
        count++;
    }
    return count;
}

static uint32_t mix(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

int main(void)
{
    uint32_t start = 0;
    uint32_t longest = longest_collatz_chain(400000, &start);
    printf("collatz: %u steps from %u\n", longest, start);

    unsigned primes = 0;
    for (uint32_t n = 1000000; n < 1080000; n++)
        primes += (unsigned)is_prime(n);
    printf("primes: %u\n", primes);

    uint32_t state = 2463534242u, coprime = 0;
    for (int i = 0; i < 300000; i++) {
        uint32_t a = state = mix(state), b = state = mix(state);
        coprime += greatest_common_divisor(a, b) == 1;
    }
    printf("coprime pairs: %u\n", coprime);

    uint64_t sum = 0, lcg = 1;
    for (int i = 0; i < 2500000; i++) {
        lcg = lcg * 6364136223846793005u + 1442695040888963407u;
        sum += integer_root((uint32_t)(lcg >> 33)) + count_bits(lcg >> 48);
    }
    printf("checksum: %016llx\n", (unsigned long long)(sum * 31 + state + longest + primes + coprime));
    return 0;
}
