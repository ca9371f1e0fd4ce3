/* A hash of bytes (FNV-1a, 64 bits): the same in every run and on every machine. */
#ifndef PENUMBRA_BASE_HASH_H
#define PENUMBRA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Of what was hashed before, and of these bytes behind it. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
