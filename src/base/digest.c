#include "base/digest.h"

#include <stdio.h>
#include <string.h>

void digester_open(struct digester *digester, const char *purpose)
{
    llvm_blake3_hasher_init(&digester->hasher);
    digester_add_string(digester, purpose);
}

void digester_add(struct digester *digester, const void *bytes, size_t length)
{
    uint64_t prefix = length;
    llvm_blake3_hasher_update(&digester->hasher, &prefix, sizeof prefix);
    llvm_blake3_hasher_update(&digester->hasher, bytes, length);
}

void digester_add_string(struct digester *digester, const char *string)
{
    digester_add(digester, string, strlen(string));
}

void digester_add_number(struct digester *digester, uint64_t number)
{
    digester_add(digester, &number, sizeof number);
}

void digester_add_digest(struct digester *digester, const struct digest *digest)
{
    digester_add(digester, digest->bytes, sizeof digest->bytes);
}

struct digest digester_close(const struct digester *digester)
{
    struct digest digest;
    llvm_blake3_hasher_finalize(&digester->hasher, digest.bytes, sizeof digest.bytes);
    return digest;
}

struct digest digest_of(const void *bytes, size_t length)
{
    struct digester digester;
    digester_open(&digester, "bytes");
    digester_add(&digester, bytes, length);
    return digester_close(&digester);
}

bool digest_equal(const struct digest *one, const struct digest *other)
{
    return !memcmp(one->bytes, other->bytes, sizeof one->bytes);
}

void digest_print(const struct digest *digest, char letters[static DIGEST_LETTERS + 1])
{
    for (size_t i = 0; i < DIGEST_BYTES; i++)
        snprintf(letters + 2 * i, 3, "%02x", digest->bytes[i]);
}

static int value_of(char letter)
{
    static const char digits[] = "0123456789abcdef";
    const char *digit = letter ? strchr(digits, letter) : NULL;
    return digit ? (int)(digit - digits) : -1;
}

bool digest_parse(const char *letters, struct digest *digest)
{
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        int high = value_of(letters[2 * i]), low = high < 0 ? -1 : value_of(letters[2 * i + 1]);
        if (low < 0)
            return false;
        digest->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}
