/* As in Aumasson and Bernstein's reference; the key is that of their test vectors. */
#include "base/digest.h"

#include <string.h>

struct state {
    uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static void mix(struct state *state, unsigned rounds)
{
    while (rounds--) {
        state->a += state->b, state->c += state->d;
        state->b = rotate(state->b, 13) ^ state->a, state->d = rotate(state->d, 16) ^ state->c;
        state->a = rotate(state->a, 32);
        state->c += state->b, state->a += state->d;
        state->b = rotate(state->b, 17) ^ state->c, state->d = rotate(state->d, 21) ^ state->a;
        state->c = rotate(state->c, 32);
    }
}

static void take_word(struct state *state, uint64_t word)
{
    state->d ^= word;
    mix(state, 2);
    state->a ^= word;
}

static uint64_t read_word(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static void give_word(const struct state *state, uint8_t *digest)
{
    uint64_t word = state->a ^ state->b ^ state->c ^ state->d;
    for (unsigned i = 0; i < 8; i++)
        digest[i] = (uint8_t)(word >> (8 * i));
}

void digest_bytes(const void *bytes, size_t length, uint8_t digest[DIGEST_SIZE])
{
    const uint64_t key[] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    const uint8_t *at = bytes;
    struct state state = {UINT64_C(0x736f6d6570736575) ^ key[0], UINT64_C(0x646f72616e646f6d) ^ key[1] ^ 0xee,
                          UINT64_C(0x6c7967656e657261) ^ key[0], UINT64_C(0x7465646279746573) ^ key[1]};
    size_t left = length;
    for (; left >= 8; left -= 8, at += 8)
        take_word(&state, read_word(at, 8));
    take_word(&state, (uint64_t)length << 56 | read_word(at, left));
    state.c ^= 0xee;
    mix(&state, 4);
    give_word(&state, digest);
    state.b ^= 0xdd;
    mix(&state, 4);
    give_word(&state, digest + 8);
}
