/* A cryptographic digest (BLAKE3, as LLVM has it): what has the same one is the same. */
#ifndef PENUMBRA_BASE_DIGEST_H
#define PENUMBRA_BASE_DIGEST_H

#include <llvm-c/blake3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIGEST_BYTES = 32, DIGEST_LETTERS = 2 * DIGEST_BYTES };

struct digest {
    uint8_t bytes[DIGEST_BYTES];
};

/* Of a sequence of parts; each is taken with its length, so that no two sequences run together. */
struct digester {
    llvm_blake3_hasher hasher;
};

void digester_open(struct digester *digester, const char *purpose);
void digester_add(struct digester *digester, const void *bytes, size_t length);
void digester_add_string(struct digester *digester, const char *string);
void digester_add_number(struct digester *digester, uint64_t number);
void digester_add_digest(struct digester *digester, const struct digest *digest);
struct digest digester_close(const struct digester *digester);

struct digest digest_of(const void *bytes, size_t length);
bool digest_equal(const struct digest *one, const struct digest *other);
void digest_print(const struct digest *digest, char letters[static DIGEST_LETTERS + 1]);
/* False when the text does not begin with a digest. */
bool digest_parse(const char *letters, struct digest *digest);

#endif
