/* What a function without hooks may see of labels: behind a pointer, and behind the pointers that lie there. Each
 * object is looked at once in a call, and where nothing has a label only the presence of labels is read. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>

struct visible {
    bool symbolic, differs;
};

/* ---- objects that were looked at ---- */

enum { SEEN = 1024 }; /* a power of two */
static struct {
    uint64_t address;
    uint32_t call;
} seen[SEEN];
static uint32_t calls;

static void forget_seen(void)
{
    if (!++calls) {
        memset(seen, 0, sizeof seen);
        calls = 1;
    }
}

/* Whether the rest of the object from this address was looked at in this call. A crowded table forgets. */
static bool was_seen(uint64_t address)
{
    enum { TRIES = 8 };
    uint64_t at = (address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 54;
    for (unsigned i = 0; i < TRIES; i++, at = (at + 1) & (SEEN - 1)) {
        if (seen[at].call == calls && seen[at].address == address)
            return true;
        if (seen[at].call == calls)
            continue;
        seen[at].address = address;
        seen[at].call = calls;
        return false;
    }
    return false;
}

/* ---- bytes ---- */

static void look_at_byte(uint64_t address, struct visible *visible)
{
    uint32_t node = *pn_labels(address) ? pn_memory_node(address, 1, *(const uint8_t *)(uintptr_t)address) : 0;
    visible->symbolic |= pn_matters(node);
    visible->differs |= node && pn_node(node)->old_value != pn_node(node)->new_value;
}

static void look_at_bytes(uint64_t address, uint64_t end, struct visible *visible)
{
    enum { STEP = 512 };
    while (address < end) {
        uint64_t next = (address & ~(uint64_t)(STEP - 1)) + STEP;
        next = next < end ? next : end;
        if (pn_memory_has_labels(address, next - address))
            for (uint64_t byte = address; byte < next; byte++)
                if (*pn_presence(byte))
                    look_at_byte(byte, visible);
        address = next;
    }
}

/* The words that could be pointers: what they lead to can be read, too. */
static void look_behind(uint64_t address, uint64_t end, struct visible *visible)
{
    for (uint64_t at = (address + 7) & ~UINT64_C(7); at + 8 <= end; at += 8) {
        uint64_t pointer, base, size;
        memcpy(&pointer, (const void *)(uintptr_t)at, sizeof pointer);
        if (pn_looks_like_address(pointer) && !was_seen(pointer) && pn_object_extent(pointer, &base, &size))
            look_at_bytes(pointer, base + size, visible);
    }
}

/* Where a text ends: behind its zero. One of up to three characters could be the first of a text of wide ones, which
 * ends with a zero of four bytes. */
static uint64_t end_of_text(uint64_t address, uint64_t end)
{
    static const uint8_t wide_zero[4];
    const uint8_t *text = (const uint8_t *)(uintptr_t)address, *zero = memchr(text, 0, end - address);
    uint64_t length = zero ? (uint64_t)(zero - text) : end - address;
    if (!zero || length == 0 || length >= sizeof wide_zero)
        return zero ? address + length + 1 : end;
    for (uint64_t at = address; at + sizeof wide_zero <= end; at += sizeof wide_zero)
        if (!memcmp((const void *)(uintptr_t)at, wide_zero, sizeof wide_zero))
            return at + sizeof wide_zero;
    return end;
}

/* ---- hooks ---- */

static void report(const struct visible *visible, uint32_t site)
{
    if (visible->differs && !pn_diverged)
        pn_part(PN_EVENT_EXTERNAL, site, 0);
    else if (visible->symbolic || visible->differs)
        pn_note_unmodelled(site);
}

/* How much it reads is not known, so the rest of the object counts. */
void __pn_slow_external_memory(uint64_t address, uint32_t site)
{
    struct visible visible = {0};
    uint64_t base, size;
    if (address && pn_argument_name((const FILE *)(uintptr_t)address)) /* it may read from it, or write to it */
        pn_note_unmodelled(site);
    if (!address || !pn_object_extent(address, &base, &size))
        return;
    forget_seen();
    look_at_bytes(address, base + size, &visible);
    look_behind(address, base + size, &visible);
    report(&visible, site);
}

void __pn_slow_external_text(uint64_t address, uint32_t site)
{
    struct visible visible = {0};
    uint64_t base, size;
    if (!address || !pn_object_extent(address, &base, &size))
        return;
    look_at_bytes(address, end_of_text(address, base + size), &visible);
    report(&visible, site);
}
