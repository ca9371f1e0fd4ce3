/* Digests and ciphers: long straight-line blocks of arithmetic on words, tables, bytes packed and unpacked. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE = 1 << 20 };

static unsigned char message[MESSAGE];

/* ---- SHA-256 ---- */

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static uint32_t read_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_big_endian(unsigned char *bytes, uint32_t word)
{
    bytes[0] = (unsigned char)(word >> 24);
    bytes[1] = (unsigned char)(word >> 16);
    bytes[2] = (unsigned char)(word >> 8);
    bytes[3] = (unsigned char)word;
}

static void digest_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = read_big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t t1 = h + s1 + choice + round_constants[i] + w[i];
        uint32_t s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + s0 + majority;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha256(const unsigned char *bytes, size_t length, unsigned char digest[32])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[128] = {0};
    size_t whole = length / 64 * 64, rest = length - whole, padded = rest < 56 ? 64 : 128;
    for (size_t at = 0; at < whole; at += 64)
        digest_block(state, bytes + at);
    memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    write_big_endian(last + padded - 8, (uint32_t)((uint64_t)length >> 29));
    write_big_endian(last + padded - 4, (uint32_t)(length << 3));
    for (size_t at = 0; at < padded; at += 64)
        digest_block(state, last + at);
    for (int i = 0; i < 8; i++)
        write_big_endian(digest + 4 * i, state[i]);
}

/* ---- checksums ---- */

static uint32_t crc32(const unsigned char *bytes, size_t length)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t entry = i;
            for (int bit = 0; bit < 8; bit++)
                entry = entry >> 1 ^ (entry & 1 ? 0xedb88320 : 0);
            table[i] = entry;
        }
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
    return ~crc;
}

static uint32_t adler32(const unsigned char *bytes, size_t length)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < length; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- XTEA, in counter mode ---- */

static void encrypt(uint32_t block[2], const uint32_t key[4])
{
    uint32_t a = block[0], b = block[1], sum = 0;
    for (int round = 0; round < 32; round++) {
        a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9;
        b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    }
    block[0] = a;
    block[1] = b;
}

static void fill_message(void)
{
    static const uint32_t key[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f};
    for (uint32_t at = 0; at < MESSAGE; at += 8) {
        uint32_t block[2] = {at, ~at};
        encrypt(block, key);
        write_big_endian(message + at, block[0]);
        write_big_endian(message + at + 4, block[1]);
    }
}

/* ---- base 64 ---- */

static size_t encode_base64(const unsigned char *bytes, size_t length, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t out = 0;
    for (size_t i = 0; i + 2 < length; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        to[out++] = digits[group >> 18];
        to[out++] = digits[group >> 12 & 63];
        to[out++] = digits[group >> 6 & 63];
        to[out++] = digits[group & 63];
    }
    return out;
}

int main(void)
{
    static char encoded[MESSAGE * 4 / 3 + 4];
    unsigned char digest[32];
    sha256((const unsigned char *)"abc", 3, digest);
    if (read_big_endian(digest) != 0xba7816bf)
        printf("sha256 is wrong\n");
    if (crc32((const unsigned char *)"123456789", 9) != 0xcbf43926)
        printf("crc32 is wrong\n");

    uint64_t checksum = 0;
    for (int round = 0; round < 12; round++) {
        fill_message();
        message[round] ^= 1;
        checksum = checksum * 31 + crc32(message, MESSAGE);
        checksum = checksum * 31 + adler32(message, MESSAGE);
        size_t length = encode_base64(message, MESSAGE, encoded);
        sha256((const unsigned char *)encoded, length, digest);
        checksum = checksum * 31 + read_big_endian(digest);
    }
    for (int i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    printf("\nchecksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
