/* A digest of bytes, for sets that would take too much memory with the bytes themselves (SipHash-2-4 of 128 bits): the
 * same in every run. That two strings of a set of a billion have the same one is less likely than 1 in 10^20. */
#ifndef PENUMBRA_BASE_DIGEST_H
#define PENUMBRA_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_SIZE = 16 };

void digest_bytes(const void *bytes, size_t length, uint8_t digest[DIGEST_SIZE]);

#endif
