/* A ring buffer of bytes, and messages in it whose length is a varint. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ring {
    uint8_t *bytes;
    size_t capacity;
    size_t head; /* where the next byte is read */
    size_t used;
};

enum { MOST_CAPACITY = 1 << 20 };

struct ring *ring_new(size_t capacity)
{
    struct ring *ring;
    if (capacity == 0 || capacity > MOST_CAPACITY)
        return NULL;
    ring = malloc(sizeof *ring);
    if (!ring)
        return NULL;
    ring->bytes = malloc(capacity);
    if (!ring->bytes) {
        free(ring);
        return NULL;
    }
    ring->capacity = capacity;
    ring->head = ring->used = 0;
    return ring;
}

void ring_free(struct ring *ring)
{
    if (!ring)
        return;
    free(ring->bytes);
    free(ring);
}

size_t ring_used(const struct ring *ring)
{
    return ring->used;
}

size_t ring_room(const struct ring *ring)
{
    return ring->capacity - ring->used;
}

void ring_reset(struct ring *ring)
{
    ring->head = ring->used = 0;
}

bool ring_put(struct ring *ring, uint8_t byte)
{
    if (ring->used == ring->capacity)
        return false;
    ring->bytes[(ring->head + ring->used) % ring->capacity] = byte;
    ring->used++;
    return true;
}

int ring_get(struct ring *ring)
{
    uint8_t byte;
    if (ring->used == 0)
        return -1;
    byte = ring->bytes[ring->head];
    ring->head = (ring->head + 1) % ring->capacity;
    ring->used--;
    return byte;
}

int ring_peek(const struct ring *ring, size_t index)
{
    if (index >= ring->used)
        return -1;
    return ring->bytes[(ring->head + index) % ring->capacity];
}

/* How many bytes were written. */
size_t ring_write(struct ring *ring, const uint8_t *bytes, size_t count)
{
    size_t room = ring_room(ring), tail, first;
    if (count > room)
        count = room;
    tail = (ring->head + ring->used) % ring->capacity;
    first = ring->capacity - tail;
    if (first > count)
        first = count;
    memcpy(ring->bytes + tail, bytes, first);
    memcpy(ring->bytes, bytes + first, count - first);
    ring->used += count;
    return count;
}

size_t ring_read(struct ring *ring, uint8_t *bytes, size_t count)
{
    size_t done = 0;
    while (done < count && ring->used > 0)
        bytes[done++] = (uint8_t)ring_get(ring);
    return done;
}

/* ---- varints ---- */

int varint_size(uint64_t value)
{
    int size = 1;
    while (value >= 0x80) {
        value >>= 7;
        size++;
    }
    return size;
}

int varint_write(uint8_t *to, uint64_t value)
{
    int size = 0;
    while (value >= 0x80) {
        to[size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    to[size++] = (uint8_t)value;
    return size;
}

/* How many bytes it had; 0 where there are too few, -1 where it is too long. */
int varint_read(const uint8_t *from, size_t size, uint32_t *value)
{
    uint32_t result = 0;
    for (int i = 0; i < 5; i++) {
        if ((size_t)i >= size)
            return 0;
        result |= (uint32_t)(from[i] & 0x7f) << (7 * i);
        if (!(from[i] & 0x80)) {
            *value = result;
            return i + 1;
        }
    }
    return -1;
}

uint32_t zigzag_encode(int32_t value)
{
    return ((uint32_t)value << 1) ^ (uint32_t)(value >> 31);
}

int32_t zigzag_decode(uint32_t value)
{
    return (int32_t)(value >> 1 ^ (0 - (value & 1)));
}

/* ---- messages ---- */

bool ring_send(struct ring *ring, const uint8_t *message, size_t size)
{
    uint8_t length[10];
    int count = varint_write(length, size);
    if (ring_room(ring) < size + (size_t)count)
        return false;
    ring_write(ring, length, (size_t)count);
    ring_write(ring, message, size);
    return true;
}

/* The size of the message; -1 where none is complete, -2 where it does not fit. */
int ring_receive(struct ring *ring, uint8_t *to, size_t room)
{
    uint32_t size = 0;
    int at = 0, byte;
    do {
        byte = ring_peek(ring, (size_t)at);
        if (byte < 0 || at > 4)
            return -1;
        size |= (uint32_t)(byte & 0x7f) << (7 * at++);
    } while (byte & 0x80);
    if (ring->used - (size_t)at < size)
        return -1;
    if (size > room)
        return -2;
    while (at-- > 0)
        ring_get(ring);
    ring_read(ring, to, size);
    return (int)size;
}
