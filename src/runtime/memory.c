/* Shadow memory: reading and writing labels, also for one side only.
 *
 * The native bytes are the new version's. Where the old version has other bytes, the label's node says which. A label
 * is valid only while its node's new value equals the native byte; a read that finds another value (reused stack, code
 * without hooks) drops it. */
#include "runtime/runtime.h"

#include <emmintrin.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

label __pn_old_label;

void pn_stale(void)
{
    pn_trace->stale_labels++;
}

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t native_value(uint64_t address, unsigned size)
{
    const void *at = (const void *)(uintptr_t)address;
    uint64_t value = 0;
    uint32_t word;
    if (size != 4) {
        memcpy(&value, at, size);
        return value;
    }
    __builtin_memcpy(&word, at, 4);
    return word;
}

/* ---- labels of several bytes <-> one node ----
 *
 * Where both versions are concrete and only the old one's byte is another, no node is needed: the label holds that
 * byte. Loops in one-sided code over concrete data so make no nodes at all. */

#define OLD_BYTE UINT32_C(0x80000000)

INLINE bool is_plain(uint32_t label)
{
    return !label || label & OLD_BYTE;
}

/* The labels of four bytes at once: most values are ints. */
INLINE __m128i four_labels(const uint32_t *labels)
{
    return _mm_loadu_si128((const __m128i *)labels);
}

INLINE __m128i spread_bytes(uint32_t four)
{
    __m128i zero = _mm_setzero_si128();
    return _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128((int)four), zero), zero);
}

INLINE uint32_t join_bytes(__m128i spread)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(spread, spread), spread));
}

INLINE bool four_plain(const uint32_t *labels)
{
    __m128i four = four_labels(labels), none = _mm_cmpeq_epi32(four, _mm_setzero_si128());
    return _mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(four, none))) == 15; /* OLD_BYTE is the sign bit */
}

INLINE bool any_label(__m128i four)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi32(four, _mm_setzero_si128())) != 0xffff;
}

INLINE uint32_t four_old_bytes(const uint32_t *labels, uint32_t native)
{
    __m128i four = four_labels(labels), none = _mm_cmpeq_epi32(four, _mm_setzero_si128());
    __m128i in_old = _mm_andnot_si128(none, _mm_and_si128(four, _mm_set1_epi32(0xff)));
    return join_bytes(_mm_or_si128(_mm_and_si128(none, spread_bytes(native)), in_old));
}

/* Returns whether any of them differs. */
INLINE bool write_four(uint32_t *labels, uint32_t in_old, uint32_t in_new)
{
    __m128i old_bytes = spread_bytes(in_old), same = _mm_cmpeq_epi32(old_bytes, spread_bytes(in_new));
    __m128i four = _mm_andnot_si128(same, _mm_or_si128(old_bytes, _mm_set1_epi32((int)OLD_BYTE)));
    _mm_storeu_si128((__m128i *)labels, four);
    return in_old != in_new;
}

INLINE bool all_plain(const uint32_t *labels, unsigned size)
{
    bool plain = true;
    for (; size >= 4; size -= 4, labels += 4)
        plain &= four_plain(labels);
    for (; size > 0; size--, labels++)
        plain &= is_plain(*labels);
    return plain;
}

/* The old version's value of bytes that are all plain. */
INLINE uint64_t plain_old_value(const uint32_t *labels, unsigned size, uint64_t native)
{
    uint64_t value = 0;
    unsigned at = 0;
    for (; at + 4 <= size; at += 4)
        value |= (uint64_t)four_old_bytes(labels + at, (uint32_t)(native >> at * 8)) << at * 8;
    for (; at < size; at++)
        value |= (labels[at] ? labels[at] & 0xff : native >> at * 8 & 0xff) << at * 8;
    return value;
}

/* The labels of the bytes of one node, from its first byte on. */
INLINE __m128i four_of_node(uint32_t node)
{
    return _mm_add_epi32(_mm_set1_epi32((int)(node << 3)), _mm_setr_epi32(0, 1, 2, 3));
}

/* Whether the labels are those of all bytes of one node, which has the value. */
INLINE bool is_whole_node(const uint32_t *labels, unsigned size, uint64_t value)
{
    const struct pn_node *node = pn_node(labels[0] >> 3);
    if (is_plain(labels[0]) || labels[0] & 7 || node->width != size * 8 || node->new_value != value)
        return false;
    if (size == 4)
        return _mm_movemask_epi8(_mm_cmpeq_epi32(four_labels(labels), four_of_node(labels[0] >> 3))) == 0xffff;
    for (unsigned i = 1; i < size; i++)
        if (labels[i] != labels[0] + i)
            return false;
    return true;
}

static unsigned drop_stale_bytes(uint32_t *labels, unsigned size, uint64_t value)
{
    unsigned dropped = 0;
    for (unsigned i = 0; i < size; i++) {
        if (is_plain(labels[i]))
            continue;
        uint8_t expected = (uint8_t)(pn_node(labels[i] >> 3)->new_value >> (labels[i] & 7) * 8);
        if (expected == (uint8_t)(value >> i * 8))
            continue;
        labels[i] = 0;
        dropped++;
    }
    return dropped;
}

/* Before one version stores: what stood there may be the rest of a function that has returned, which is no loss. */
static void settle(uint64_t address, unsigned size)
{
    drop_stale_bytes(pn_labels(address), size, native_value(address, size));
}

/* Before a load: each one that is dropped is counted. */
static void drop_and_count(uint32_t *labels, unsigned size, uint64_t value)
{
    for (unsigned dropped = drop_stale_bytes(labels, size, value); dropped; dropped--)
        pn_stale();
}

/* How many bytes from `at` on come from one place: consecutive bytes of one node, or plain bytes. */
static unsigned chunk_length(const uint32_t *labels, unsigned at, unsigned size)
{
    unsigned length = 1;
    while (at + length < size &&
           (is_plain(labels[at]) ? is_plain(labels[at + length])
                                 : labels[at + length] == labels[at] + length && (labels[at] & 7) + length < 8))
        length++;
    return length;
}

static uint32_t chunk_node(const uint32_t *labels, unsigned length, uint64_t value)
{
    unsigned width = length * 8;
    if (is_plain(labels[0]))
        return pn_make_shadow(width, pn_make_constant(width, plain_old_value(labels, length, value)),
                              pn_make_constant(width, value));
    uint32_t node = labels[0] >> 3;
    unsigned low = (labels[0] & 7) * 8;
    if (!low && pn_node(node)->width == width)
        return node;
    return pn_make(PN_EXTRACT, width, node, low, 0);
}

uint32_t pn_memory_node(uint64_t address, unsigned size, uint64_t value)
{
    uint32_t *labels = pn_labels(address);
    if (is_whole_node(labels, size, value))
        return labels[0] >> 3;
    drop_and_count(labels, size, value);
    uint32_t any = 0;
    for (unsigned i = 0; i < size; i++)
        any |= labels[i];
    if (!any)
        return 0;
    uint32_t node = 0;
    for (unsigned at = 0; at < size;) {
        unsigned length = chunk_length(labels, at, size);
        uint32_t chunk = chunk_node(labels + at, length, value >> at * 8);
        at += length;
        node = node ? pn_make(PN_CONCAT, at * 8, chunk, node, 0) : chunk;
        if (!node)
            return 0;
    }
    return node;
}

uint32_t pn_memory_byte(uint64_t address, uint8_t value)
{
    uint32_t *label = pn_labels(address);
    drop_and_count(label, 1, value);
    return *label & OLD_BYTE ? pn_memory_node(address, 1, value) << 3 : *label;
}

/* ---- presence ---- */

/* Granules of eight bytes that may have labels. */
static uint64_t *marked;
static size_t marked_count, marked_capacity;

static int compare_granules(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* A granule that gets and loses its labels again and again is there many times. */
static void forget_doubles(void)
{
    size_t kept = 0;
    qsort(marked, marked_count, sizeof *marked, compare_granules);
    for (size_t i = 0; i < marked_count; i++)
        if (!kept || marked[kept - 1] != marked[i])
            marked[kept++] = marked[i];
    marked_count = kept;
}

static bool grow_marked(void)
{
    size_t capacity = marked_capacity ? marked_capacity * 2 : 1 << 12, size = marked_capacity * sizeof *marked;
    void *grown = mmap(NULL, capacity * sizeof *marked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED)
        return false;
    if (marked) {
        memcpy(grown, marked, size);
        munmap(marked, size);
    }
    marked = grown;
    marked_capacity = capacity;
    return true;
}

PN_APART static void make_room(void)
{
    if (marked)
        forget_doubles();
    if (marked_count * 2 >= marked_capacity && !grow_marked())
        pn_lose(PN_LOSS_OBJECTS);
}

INLINE void remember(uint64_t granule)
{
    if (marked_count == marked_capacity)
        make_room();
    if (marked_count < marked_capacity)
        marked[marked_count++] = granule;
}

INLINE void mark(uint64_t address)
{
    uint8_t *present = pn_presence(address);
    if (*present)
        return;
    *present = 1;
    if (pn_inside) /* a process of its own leaves nothing behind */
        remember(address & ~UINT64_C(7));
}

void pn_mark_presence(uint64_t address, uint64_t size)
{
    for (uint64_t at = address & ~UINT64_C(7); at < address + size; at += 8)
        mark(at);
}

void pn_memory_reset(void)
{
    for (size_t i = 0; i < marked_count; i++) {
        __m128i *labels = (__m128i *)pn_labels(marked[i]);
        _mm_store_si128(labels, _mm_setzero_si128());
        _mm_store_si128(labels + 1, _mm_setzero_si128());
        *pn_presence(marked[i]) = 0;
    }
    marked_count = 0;
    __pn_old_label = 0;
}

/* Whether one of the eight bytes around an address has a label, or needs to be looked at for another reason. */
static void update_presence(uint64_t address)
{
    uint64_t first = address & ~UINT64_C(7);
    const uint32_t *labels = pn_labels(first);
    uint32_t any = 0;
    for (unsigned i = 0; i < 8; i++)
        any |= labels[i];
    for (unsigned i = 0; i < 8 && !any && (__pn_one_sided_objects | pn_freed_blocks); i++)
        any = pn_is_one_sided(first + i);
    if (any)
        mark(address);
    else
        *pn_presence(address) = 0;
}

/* After the labels of up to eight bytes were written: an access may lie in two granules. */
INLINE void note_labels(uint64_t address, unsigned size, bool any)
{
    uint64_t last = address + size - 1;
    bool two = (address ^ last) & ~UINT64_C(7);
    if (any) {
        mark(address);
        if (two)
            mark(last);
        return;
    }
    update_presence(address);
    if (two)
        update_presence(last);
}

void pn_memory_label(uint64_t address, unsigned size, uint32_t node)
{
    uint32_t *labels = pn_labels(address);
    if (node && pn_node(node)->width < size * 8)
        node = pn_make(PN_ZEXT, size * 8, node, 0, 0);
    if (node && size == 4)
        _mm_storeu_si128((__m128i *)labels, four_of_node(node));
    else
        for (unsigned i = 0; i < size; i++)
            labels[i] = node ? node << 3 | i : 0;
    note_labels(address, size, node != 0);
}

void pn_memory_label_all(uint64_t address, uint64_t size, const uint32_t *labels, unsigned count)
{
    uint32_t *all = pn_labels(address);
    for (uint64_t i = 0; i < size; i++)
        all[i] = labels[i % count];
    pn_mark_presence(address, size);
}

void pn_memory_forget(uint64_t address, uint64_t size)
{
    if (!pn_memory_has_labels(address, size))
        return;
    memset(pn_labels(address), 0, size * sizeof(uint32_t));
    for (uint64_t at = address & ~UINT64_C(7); at < address + size; at += 8)
        update_presence(at);
}

void pn_memory_copy_labels(uint64_t to, uint64_t from, uint64_t size)
{
    if (!pn_memory_has_labels(from, size)) {
        pn_memory_forget(to, size);
        return;
    }
    memmove(pn_labels(to), pn_labels(from), size * sizeof(uint32_t));
    for (uint64_t at = to & ~UINT64_C(7); at < to + size; at += 8)
        update_presence(at);
}

/* ---- one side's view ---- */

/* Reads the old version's value at an address that may not be mapped. */
static bool read_safely(uint64_t address, unsigned size, uint64_t *value)
{
    *value = 0;
    struct iovec to = {value, size}, from = {(void *)(uintptr_t)address, size};
    int error = errno; /* the program's */
    bool good = process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
    errno = error;
    return good;
}

/* The old side's value and node (0 when concrete) of memory that is known to be readable. */
INLINE uint32_t old_view(uint64_t address, unsigned size, uint64_t *value)
{
    const uint32_t *labels = pn_labels(address);
    *value = native_value(address, size);
    if (all_plain(labels, size)) {
        *value = plain_old_value(labels, size, *value);
        return 0;
    }
    uint32_t node = pn_memory_node(address, size, *value);
    if (!node)
        return 0;
    *value = pn_node(node)->old_value;
    node = pn_project(PN_SIDE_OLD, node);
    return pn_useful(node);
}

static uint32_t value_node(unsigned size, uint64_t value, uint32_t node)
{
    if (!node)
        return pn_make_constant(size * 8, value);
    return pn_node(node)->width < size * 8 ? pn_make(PN_ZEXT, size * 8, node, 0, 0) : node;
}

/* Both versions are concrete: `in_old` and `in_new` stand there. */
INLINE void label_plainly(uint64_t address, unsigned size, uint64_t in_old, uint64_t in_new)
{
    uint32_t *labels = pn_labels(address);
    bool any = false;
    unsigned at = 0;
    for (; at + 4 <= size; at += 4)
        any |= write_four(labels + at, (uint32_t)(in_old >> at * 8), (uint32_t)(in_new >> at * 8));
    for (; at < size; at++) {
        uint8_t old_byte = (uint8_t)(in_old >> at * 8), new_byte = (uint8_t)(in_new >> at * 8);
        labels[at] = old_byte == new_byte ? 0 : OLD_BYTE | old_byte;
        any |= labels[at] != 0;
    }
    note_labels(address, size, any);
}

static void store_private(uint64_t address, unsigned size, uint64_t value, uint32_t node)
{
    __builtin_memcpy((void *)(uintptr_t)address, &value, size);
    pn_memory_label(address, size, node);
}

/* The old version stores; the native bytes stay the new version's. */
INLINE void store_old(uint64_t address, unsigned size, uint64_t value, uint32_t node)
{
    if (pn_is_private(address, PN_SIDE_OLD)) {
        store_private(address, size, value, node);
        return;
    }
    settle(address, size);
    uint64_t native = native_value(address, size);
    if (!node && all_plain(pn_labels(address), size)) {
        label_plainly(address, size, value, native);
        return;
    }
    uint32_t before = pn_memory_node(address, size, native);
    uint32_t in_new = value_node(size, native, before ? pn_project(PN_SIDE_NEW, before) : 0);
    uint32_t both = pn_make_shadow(size * 8, value_node(size, value, node), in_new);
    pn_memory_label(address, size, pn_useful(both));
}

/* The new version is about to store natively; what the old version sees there stays behind in the label. */
INLINE void store_new(uint64_t address, unsigned size, uint64_t value, uint32_t node)
{
    if (pn_diverged || pn_is_private(address, PN_SIDE_NEW)) {
        pn_memory_label(address, size, node);
        return;
    }
    settle(address, size);
    uint64_t before;
    uint32_t in_old = old_view(address, size, &before);
    if (!in_old && !node) {
        label_plainly(address, size, before, value);
        return;
    }
    uint32_t both = pn_make_shadow(size * 8, value_node(size, before, in_old), value_node(size, value, node));
    pn_memory_label(address, size, pn_useful(both));
}

/* ---- slow paths: loads and stores ---- */

/* Binds a labelled address (already checked against its object); the old version's own address comes back. */
INLINE uint64_t bind_address(label on_address, uint64_t address, uint32_t site)
{
    if (!on_address)
        return address;
    if (pn_node(on_address)->new_value != address) {
        pn_stale();
        return address;
    }
    pn_bind(on_address, site);
    return pn_diverged ? address : pn_node(on_address)->old_value;
}

uint32_t pn_memory_view(uint64_t address, unsigned size, enum pn_side side, uint64_t *value)
{
    settle(address, size);
    if (side == PN_SIDE_OLD)
        return old_view(address, size, value);
    *value = native_value(address, size);
    if (all_plain(pn_labels(address), size))
        return 0;
    uint32_t node = pn_memory_node(address, size, *value);
    node = node ? pn_project(PN_SIDE_NEW, node) : 0;
    return pn_useful(node);
}

/* What both versions load through an address that depends on the input; false where the address has to be bound. */
static bool select_both(label on_address, uint64_t address, uint64_t value, unsigned size, uint32_t *node)
{
    if (!on_address || pn_node(on_address)->new_value != address)
        return false;
    uint32_t in_new = pn_select(on_address, size, PN_SIDE_NEW);
    if (!in_new || pn_node(in_new)->new_value != value)
        return false;
    uint32_t in_old = pn_diverged ? in_new : pn_select(on_address, size, PN_SIDE_OLD);
    uint32_t both = in_old ? pn_make_shadow(size * 8, in_old, in_new) : 0;
    *node = pn_useful(both);
    return in_old != 0;
}

/* Each version must have what it accesses, at its own address. */
INLINE void check_lives(uint64_t address, label on_address, uint32_t site)
{
    if (!(__pn_one_sided_objects | pn_freed_blocks))
        return;
    bool differs = on_address && !pn_diverged && pn_node(on_address)->new_value == address &&
                   pn_node(on_address)->old_value != address;
    if (differs)
        pn_check_life(pn_node(on_address)->old_value, site, PN_SIDE_OLD);
    pn_check_life(address, site, differs ? PN_SIDE_NEW : PN_SIDE_BOTH);
}

label __pn_slow_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site)
{
    uint32_t node;
    bool selected = select_both(on_address, address, value, size, &node);
    uint64_t old_address = selected ? address : bind_address(on_address, address, site);
    check_lives(address, on_address, site);
    if (selected)
        return node;
    node = pn_memory_node(address, size, value);
    if (old_address == address)
        return node;
    uint64_t old_value;
    if (!read_safely(old_address, size, &old_value)) {
        pn_part(PN_EVENT_CHECK, site, PN_CHECK_BOUNDS);
        return node;
    }
    uint32_t in_old = old_view(old_address, size, &old_value);
    uint32_t in_new = value_node(size, value, node ? pn_project(PN_SIDE_NEW, node) : 0);
    uint32_t both = pn_make_shadow(size * 8, value_node(size, old_value, in_old), in_new);
    return pn_useful(both);
}

void __pn_slow_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size, uint32_t site)
{
    uint64_t old_address = bind_address(on_address, address, site);
    check_lives(address, on_address, site);
    if (on_value && pn_node(on_value)->new_value != value) {
        pn_stale();
        on_value = 0;
    }
    if (old_address == address) {
        pn_memory_label(address, size, on_value);
        return;
    }
    uint64_t old_value = on_value ? pn_node(on_value)->old_value : value, ignored;
    store_new(address, size, value, on_value ? pn_project(PN_SIDE_NEW, on_value) : 0);
    if (read_safely(old_address, size, &ignored))
        store_old(old_address, size, old_value, on_value ? pn_project(PN_SIDE_OLD, on_value) : 0);
    else
        pn_part(PN_EVENT_CHECK, site, PN_CHECK_BOUNDS);
}

void __pn_slow_concretise(uint64_t address, label on_address, uint64_t size, uint32_t site)
{
    bind_address(on_address, address, site);
    if (!pn_memory_has_labels(address, size))
        return;
    for (uint64_t at = 0, length; at < size; at += length) {
        length = size - at >= 8 ? 8 : size - at >= 4 ? 4 : 1;
        uint32_t node = pn_memory_node(address + at, (unsigned)length, native_value(address + at, (unsigned)length));
        if (!node)
            continue;
        pn_bind(node, site);
        if (pn_node(node)->new_value != pn_node(node)->old_value)
            pn_part(PN_EVENT_EXTERNAL, site, 0);
    }
}

void __pn_slow_clear(uint64_t address, label on_address, uint64_t size, uint32_t site)
{
    bind_address(on_address, address, site);
    pn_memory_forget(address, size);
}

/* ---- one-sided code ---- */

/* An address that cannot be read faults here, and the fault is the old version's failure: see sides.c. */
PN_APART static uint64_t old_load(uint64_t address, label on_address, uint32_t size, uint32_t site)
{
    uint64_t value;
    uint32_t selected = on_address ? pn_select(on_address, size, PN_SIDE_OLD) : 0;
    if (on_address && !selected)
        pn_bind(on_address, site);
    pn_check_life(address, site, PN_SIDE_OLD);
    uint32_t node = old_view(address, size, &value);
    if (selected && pn_node(selected)->old_value == value)
        node = pn_useful(selected);
    else if (selected)
        pn_bind(on_address, site);
    __pn_old_label = node;
    return value;
}

PN_APART static void old_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                               uint32_t site)
{
    if (on_address)
        pn_bind(on_address, site);
    pn_check_life(address, site, PN_SIDE_OLD);
    store_old(address, size, value, on_value);
}

PN_APART static label new_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site)
{
    uint32_t node = on_address ? pn_select(on_address, size, PN_SIDE_NEW) : 0;
    bool selected = node && pn_node(node)->new_value == value;
    if (on_address && !selected)
        pn_bind(on_address, site);
    pn_check_life(address, site, PN_SIDE_NEW);
    if (selected)
        return pn_useful(node);
    if (all_plain(pn_labels(address), size))
        return 0;
    node = pn_memory_node(address, size, value);
    node = node ? pn_project(PN_SIDE_NEW, node) : 0;
    return pn_useful(node);
}

PN_APART static void new_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                               uint32_t site)
{
    if (on_address)
        pn_bind(on_address, site);
    pn_check_life(address, site, PN_SIDE_NEW);
    store_new(address, size, value, on_value);
}

/* ---- the same for ints that are concrete in both versions, in few instructions and without a call ---- */

INLINE bool is_plain_int(uint64_t address, uint32_t size, label on_address, label on_value)
{
    return size == 4 && !(address & 3) && !(on_address | on_value | __pn_one_sided_objects | pn_freed_blocks) &&
           four_plain(pn_labels(address));
}

INLINE bool is_shared(uint64_t address)
{
    return !pn_is_below_frame(address) && !pn_has_own_blocks;
}

/* Where the versions have the same again, the presence byte goes too unless the neighbours have labels. */
INLINE void write_plain_int(uint64_t address, uint64_t in_old, uint64_t in_new)
{
    const uint32_t *around = pn_labels(address & ~UINT64_C(7));
    bool differs = write_four(pn_labels(address), (uint32_t)in_old, (uint32_t)in_new);
    if (differs || any_label(_mm_or_si128(four_labels(around), four_labels(around + 4))))
        mark(address);
    else
        *pn_presence(address) = 0;
}

uint64_t __pn_slow_old_load(uint64_t address, label on_address, uint32_t size, uint32_t site)
{
    if (!is_plain_int(address, size, on_address, 0))
        PN_TAIL_CALL return old_load(address, on_address, size, site);
    __pn_old_label = 0;
    return four_old_bytes(pn_labels(address), (uint32_t)native_value(address, 4));
}

void __pn_slow_old_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                         uint32_t site)
{
    if (!is_plain_int(address, size, on_address, on_value) || !is_shared(address))
        PN_TAIL_CALL return old_store(address, on_address, value, on_value, size, site);
    write_plain_int(address, value, native_value(address, 4));
}

label __pn_slow_new_load(uint64_t address, label on_address, uint64_t value, uint32_t size, uint32_t site)
{
    if (!is_plain_int(address, size, on_address, 0))
        PN_TAIL_CALL return new_load(address, on_address, value, size, site);
    return 0;
}

void __pn_slow_new_store(uint64_t address, label on_address, uint64_t value, label on_value, uint32_t size,
                         uint32_t site)
{
    if (!is_plain_int(address, size, on_address, on_value) || pn_diverged || !is_shared(address))
        PN_TAIL_CALL return new_store(address, on_address, value, on_value, size, site);
    uint32_t native = (uint32_t)native_value(address, 4);
    write_plain_int(address, four_old_bytes(pn_labels(address), native), value);
}
