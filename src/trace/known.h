/* The objects to which pointers are compared by name: variables of the program, and what the harness made for pointers
 * to point to. The harness has one row for each, in a section of its own. Shared by the runtime and the native
 * programs. */
#ifndef PENUMBRA_TRACE_KNOWN_H
#define PENUMBRA_TRACE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pn_known {
    const char *name;
    const void *object; /* NULL: a block that has not been made yet */
    unsigned long size;
    unsigned long given; /* enum pn_whose */
};

/* Whether an object was made for a pointer that the entry is given: a caller might give another one, or a longer one.
 */
enum pn_whose { PN_NOT_GIVEN = 0, PN_GIVEN, PN_GIVEN_OF_ANY_LENGTH };

extern const struct pn_known __start_pn_known[] __attribute__((weak));
extern const struct pn_known __stop_pn_known[] __attribute__((weak));

/* The object that the address lies in, or else the one that ends there; NULL when there is none. */
static inline const struct pn_known *pn_known_at(uint64_t address)
{
    const struct pn_known *ends = NULL;
    for (const struct pn_known *known = __start_pn_known; known < __stop_pn_known; known++) {
        uint64_t base = (uint64_t)(uintptr_t)known->object;
        if (base && address - base < known->size)
            return known;
        if (base && address == base + known->size)
            ends = known;
    }
    return ends;
}

/* The name of a part of something that has a name. Of one that is too long the middle is left out. */
enum { PN_OUTPUT_NAME = 256, PN_NAME_BEGINNING = 96 };

static inline const char *pn_join_name(char *buffer, const char *before, const char *whole, const char *after)
{
    const char *const texts[] = {before, whole, after, NULL};
    size_t length = 0, left_out, at = 0;
    for (int i = 0; texts[i]; i++)
        length += strlen(texts[i]);
    left_out = length < PN_OUTPUT_NAME ? 0 : length - (PN_OUTPUT_NAME - 1) + 3;
    char *end = buffer;
    for (int i = 0; texts[i]; i++)
        for (const char *letter = texts[i]; *letter; letter++, at++) {
            bool is_kept = at < PN_NAME_BEGINNING || at >= PN_NAME_BEGINNING + left_out;
            if (is_kept)
                *end++ = *letter;
            else if (at < PN_NAME_BEGINNING + 3)
                *end++ = '.';
        }
    *end = '\0';
    return buffer;
}

/* The name of an element, to be followed by a member's: `p->` where there is only one, else `p[2].`. */
static inline const char *pn_element_name(char *buffer, const char *pointer, unsigned long count, unsigned long index)
{
    char after[32], *at = after + sizeof after - 1;
    *at = '\0';
    if (count == 1)
        return pn_join_name(buffer, "", pointer, "->");
    *--at = '.';
    *--at = ']';
    do
        *--at = (char)('0' + index % 10);
    while (index /= 10);
    *--at = '[';
    return pn_join_name(buffer, "", pointer, at);
}

/* ---- memory that is no known object ----
 *
 * It is told apart by numbers: whether two pointers point into the same block is seen, and where there; where the block
 * lies is not. It is compared as far as it reaches, as an array of what the pointer points to; a block that pointers of
 * several types lead to, as an array of each. */

enum pn_target {
    PN_UNKNOWN,    /* nothing can be said of what it is */
    PN_NUMBERS,    /* each byte counts */
    PN_TEXT,       /* characters: what is constant ends with its zero */
    PN_STRUCTURES, /* or pointers: taken apart one by one */
    PN_FLEXIBLE,   /* one structure that ends with an array of unknown length */
};

enum {
    PN_MEMORY_BLOCKS = 256, /* that are told apart */
    PN_MEMORY_VISITS = 512, /* blocks as arrays of some type */
    PN_MOST_ELEMENTS = 256, /* structures or pointers in a block */
    PN_MOST_BYTES = 1 << 14 /* numbers in a block */
};

/* Where an address lies, as far as one version knows. */
struct pn_block {
    uint64_t base, size;
    bool is_readable; /* it is there, and has not been freed */
    bool is_constant;
};

/* What is to be compared from a pointer on. Harnesses know it as an array of unsigned long. */
struct pn_extent {
    unsigned long before; /* bytes from the first element to where the pointer points */
    unsigned long count;  /* of elements; of PN_TEXT, bytes */
    unsigned long bytes;  /* from the first element to the end of the block */
    unsigned long unseen; /* some of the block is not compared */
};

struct pn_elsewhere {
    uint64_t bases[PN_MEMORY_BLOCKS];
    unsigned count;
};

/* Counted from 1; PN_MEMORY_BLOCKS + 1 for all that are too many. */
static inline unsigned pn_elsewhere_number(struct pn_elsewhere *elsewhere, uint64_t base)
{
    unsigned number = 0;
    while (number < elsewhere->count && elsewhere->bases[number] != base)
        number++;
    if (number == elsewhere->count && number < PN_MEMORY_BLOCKS)
        elsewhere->bases[elsewhere->count++] = base;
    return number + 1;
}

struct pn_visits {
    struct {
        unsigned number;
        unsigned long lead; /* bytes before the first element */
        const char *type;
    } list[PN_MEMORY_VISITS];
    unsigned count;
};

/* False when it was visited as such before, or there were too many visits: then that is said in the extent. */
static inline bool pn_visit(struct pn_visits *visits, unsigned number, unsigned long lead, const char *type,
                            struct pn_extent *extent)
{
    for (unsigned i = 0; i < visits->count; i++)
        if (visits->list[i].number == number && visits->list[i].lead == lead && strcmp(visits->list[i].type, type) == 0)
            return false;
    extent->unseen |= visits->count == PN_MEMORY_VISITS || number > PN_MEMORY_BLOCKS;
    if (extent->unseen)
        return false;
    visits->list[visits->count].number = number;
    visits->list[visits->count].lead = lead;
    visits->list[visits->count++].type = type;
    return true;
}

/* An array of elements that reaches over the whole block, from as near to its start as the pointer allows. */
static inline void pn_extent_of_array(struct pn_extent *extent, uint64_t offset, uint64_t size, unsigned long element)
{
    unsigned long lead = offset % element;
    extent->before = offset - lead;
    extent->bytes = size - lead;
    extent->count = extent->bytes / element;
    extent->unseen |= lead || extent->bytes % element;
}

/* The string that begins at the address, with its zero; no more than `most` bytes. */
static inline unsigned long pn_text_bytes(uint64_t address, unsigned long most)
{
    unsigned long length = strnlen((const char *)(uintptr_t)address, most);
    return length < most ? length + 1 : most;
}

/* What is compared of a readable block from a pointer into it on. */
static inline struct pn_extent pn_extent_of(const struct pn_block *block, uint64_t address, enum pn_target target,
                                            unsigned long element)
{
    struct pn_extent extent = {0};
    uint64_t offset = address - block->base, rest = block->size - offset;
    bool is_one = (target == PN_FLEXIBLE && rest >= element) ||
                  (target == PN_STRUCTURES && rest >= element && (offset % element || block->size % element));
    if (target == PN_UNKNOWN || !element) {
        extent.unseen = 1;
    } else if (target == PN_TEXT && block->is_constant) {
        extent.count = extent.bytes = pn_text_bytes(address, rest);
    } else if (is_one) { /* it is no array of these, or not only */
        extent.count = 1;
        extent.bytes = rest;
        extent.unseen = offset || (target == PN_STRUCTURES && rest != element);
    } else {
        pn_extent_of_array(&extent, offset, block->size, element);
    }
    unsigned long most = target == PN_STRUCTURES ? PN_MOST_ELEMENTS : element ? PN_MOST_BYTES / element : 0;
    extent.unseen |= extent.count > most;
    extent.count = extent.count > most ? most : extent.count;
    return extent;
}

#endif
