/* The objects to which pointers are compared by name: variables of the program, and what the harness made for pointers
 * to point to. The harness has one row for each, in a section of its own. Shared by the runtime and the native
 * programs. */
#ifndef PENUMBRA_TRACE_KNOWN_H
#define PENUMBRA_TRACE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_known {
    const char *name;
    const void *object;
    unsigned long size;
};
extern const struct pn_known __start_pn_known[] __attribute__((weak));
extern const struct pn_known __stop_pn_known[] __attribute__((weak));

/* The object that the address lies in, or else the one that ends there; NULL when there is none. */
static inline const struct pn_known *pn_known_at(uint64_t address)
{
    const struct pn_known *ends = NULL;
    for (const struct pn_known *known = __start_pn_known; known < __stop_pn_known; known++) {
        uint64_t base = (uint64_t)(uintptr_t)known->object;
        if (address - base < known->size)
            return known;
        if (address == base + known->size)
            ends = known;
    }
    return ends;
}

/* The name of a part of something that has a name. What is too long ends early. */
enum { PN_OUTPUT_NAME = 1024 };

static inline const char *pn_join_name(char *buffer, const char *before, const char *whole, const char *after)
{
    const char *const texts[] = {before, whole, after};
    char *end = buffer;
    for (int i = 0; i < 3; i++)
        for (const char *at = texts[i]; *at && end < buffer + PN_OUTPUT_NAME - 1;)
            *end++ = *at++;
    *end = '\0';
    return buffer;
}

/* Memory that is no known object has a number: whether two pointers point to the same is seen, where it lies is not.
 * What has a number already was followed when it got it. */
struct pn_elsewhere {
    uint64_t addresses[64];
    unsigned count;
};

static inline unsigned pn_elsewhere_number(struct pn_elsewhere *elsewhere, uint64_t address, bool *is_new)
{
    unsigned number = 0;
    while (number < elsewhere->count && elsewhere->addresses[number] != address)
        number++;
    *is_new = number == elsewhere->count;
    if (number == elsewhere->count && number < sizeof elsewhere->addresses / sizeof *elsewhere->addresses)
        elsewhere->addresses[elsewhere->count++] = address;
    return number + 1;
}

#endif
