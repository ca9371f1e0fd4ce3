/* What the program under test calls by name: inputs and outputs. */
#include "runtime/runtime.h"

#include <errno.h>
#include <string.h>

void pn_symbolic(void *pointer, unsigned long size, const char *name);
void pn_output(const char *name, const void *pointer, unsigned long size);
void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element);
void __pn_entry_returned(void);

/* Programs ask for their inputs in the same order again and again: the next one is tried first. */
static struct pn_input_region *find_region(const char *name)
{
    static uint32_t next;
    uint32_t count = pn_trace->input_region_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = next + i < count ? next + i : next + i - count;
        if (at >= count || strncmp(pn_trace->input_regions[at].name, name, sizeof pn_trace->input_regions[at].name - 1))
            continue;
        next = at + 1 < count ? at + 1 : 0;
        return &pn_trace->input_regions[at];
    }
    next = 0;
    return NULL;
}

/* A name the explorer does not know yet: it learns it here, with the value the variable had. */
static struct pn_input_region *append_region(const char *name, const void *bytes, unsigned long size)
{
    if (pn_trace->input_region_count >= PN_INPUT_REGIONS || size > PN_INPUT_BYTES - pn_trace->input_size) {
        pn_lose(PN_LOSS_DATA);
        return NULL;
    }
    struct pn_input_region *region = &pn_trace->input_regions[pn_trace->input_region_count++];
    memset(region, 0, sizeof *region);
    strncpy(region->name, name, sizeof region->name - 1);
    region->offset = pn_trace->input_size;
    region->element_size = 1;
    region->size = (uint32_t)size;
    memcpy(pn_trace->input + region->offset, bytes, size);
    pn_trace->input_size += region->size;
    return region;
}

void pn_symbolic(void *pointer, unsigned long size, const char *name)
{
    const struct pn_input_region *region = find_region(name);
    if (!region)
        region = append_region(name, pointer, size);
    if (!region)
        return;
    bool may_be_cut = region->name[sizeof region->name - 2];
    if (size > region->size || (may_be_cut && strlen(name) >= sizeof region->name)) /* more than is known, or cut */
        pn_lose(PN_LOSS_DATA);
    if (size > region->size)
        size = region->size;
    memcpy(pointer, pn_trace->input + region->offset, size);
    uint32_t element = region->element_size ? region->element_size : 1;
    for (uint32_t i = 0; i < size; i += element) {
        unsigned length = size - i < element ? (unsigned)(size - i) : element;
        pn_memory_label((uint64_t)(uintptr_t)pointer + i, length, pn_make_inputs(region->offset + i, length));
    }
}

void pn_output(const char *name, const void *pointer, unsigned long size)
{
    __pn_output_floating(name, pointer, size, 0);
}

void __pn_output_floating(const char *name, const void *pointer, unsigned long size, unsigned long element)
{
    uint32_t name_length = (uint32_t)strlen(name);
    uint64_t bytes = sizeof(struct pn_output) + name_length + 2 * size;
    uint64_t labels_at = (bytes + 3) & ~UINT64_C(3), total = labels_at + size * sizeof(uint32_t);
    if (total > pn_trace->data_capacity - pn_trace->data_size) {
        pn_lose(PN_LOSS_DATA);
        return;
    }
    char *record = pn_trace_data(pn_trace) + pn_trace->data_size;
    uint8_t *in_new = (uint8_t *)record + sizeof(struct pn_output) + name_length, *in_old = in_new + size;
    uint32_t *labels = (uint32_t *)(record + labels_at);
    *(struct pn_output *)record =
        (struct pn_output){.name_length = name_length, .size = (uint32_t)size, .element = (uint32_t)element};
    memcpy(record + sizeof(struct pn_output), name, name_length);
    memcpy(in_new, pointer, size);
    memcpy(in_old, pointer, size);
    memset(labels, 0, size * sizeof *labels);
    bool has_labels = pn_memory_has_labels((uint64_t)(uintptr_t)pointer, size);
    for (unsigned long i = 0; i < size && has_labels; i++) {
        uint64_t address = (uint64_t)(uintptr_t)pointer + i;
        labels[i] = pn_memory_byte(address, in_new[i]);
        in_old[i] = labels[i] ? (uint8_t)(pn_node(labels[i] >> 3)->old_value >> (labels[i] & 7) * 8) : in_new[i];
    }
    pn_record(
        (struct pn_event){.kind = PN_EVENT_OUTPUT, .new_outcome = 1, .old_outcome = 1, .value = pn_trace->data_size});
    pn_trace->data_size += (uint32_t)((total + 7) & ~UINT64_C(7));
}

/* errno is an output where a version has set it. */
void __pn_entry_returned(void)
{
    int *address = &errno;
    if (*address || pn_memory_has_labels((uint64_t)(uintptr_t)address, sizeof *address))
        pn_output("errno", address, sizeof *address);
}
