/* Which object an address belongs to. globals.c knows the variables; stack objects are on a stack that functions push
 * and pop. Heap blocks start at multiples of 16 bytes: a sparse array has one entry for each such place, the block's
 * size plus one where one starts. Allocating is a store, or a few where a block is long: looking up, which only
 * labelled addresses need, walks back to the block's start or to the next mark that says where that is. */
#include "runtime/runtime.h"
#include "trace/uninitialised.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct pn_stack_object __pn_stack_objects[PN_MAXIMUM_STACK_OBJECTS];
uint32_t __pn_stack_depth;
uint32_t __pn_site;

/* ---- heap blocks ---- */

enum { LARGEST_BLOCK_SEARCHED = 1 << 26, LARGEST_BLOCK_KNOWN = (1 << 28) - 2 };

/* An entry: size + 1 above, below whose block it is (enum pn_side; nobody's when it is both sides'). A block that one
 * side has freed stays until the other has: `freed` says by whom. */
enum { OWNER_BITS = 3, FREED_SHIFT = 2, SIZE_SHIFT = 4 };
/* A mark within a long block: this owner, and above how many places before it the block starts. */
enum { MARK = 3, SHORTEST_BETWEEN_MARKS = 4096, MOST_MARKS = 256 };

static uint32_t *block_entry(uint64_t address)
{
    return (uint32_t *)(PN_BLOCKS_BASE + ((address & ((UINT64_C(1) << PN_LABELS_BITS) - 1)) >> 4 << 2));
}

/* The block that was found last: the next question is often about the same one. */
static uint64_t last_base, last_size;

/* Where blocks have ever been: stack and globals are told apart from them without a search. */
static uint64_t lowest_block = UINT64_MAX, highest_block_end;

bool pn_has_own_blocks;

static uint64_t *blocks; /* of this run */
static size_t block_count, block_capacity;

static void list_block(uint64_t base)
{
    if (block_count == block_capacity) {
        block_capacity = block_capacity ? block_capacity * 2 : 256;
        blocks = realloc(blocks, block_capacity * sizeof *blocks);
        if (!blocks)
            abort();
    }
    blocks[block_count++] = base;
}

static void write_marks(uint64_t base, uint64_t size, bool are_there)
{
    uint64_t distance = SHORTEST_BETWEEN_MARKS;
    while (size / distance > MOST_MARKS)
        distance *= 2;
    for (uint64_t from_base = distance; from_base < size; from_base += distance)
        *block_entry(base + from_base) = are_there ? (uint32_t)(from_base >> 4) << SIZE_SHIFT | MARK : 0;
}

static void add_block(void *start, size_t size)
{
    uint64_t base = (uint64_t)(uintptr_t)start;
    list_block(base);
    if (base < lowest_block)
        lowest_block = base;
    if (base + size > highest_block_end)
        highest_block_end = base + size;
    uint32_t known = size < LARGEST_BLOCK_KNOWN ? (uint32_t)size + 1 : LARGEST_BLOCK_KNOWN;
    *block_entry(base) = known << SIZE_SHIFT | (uint32_t)pn_side;
    write_marks(base, known - 1, true);
    last_size = 0;
    pn_has_own_blocks |= pn_side != PN_SIDE_BOTH;
}

/* ---- blocks of a run inside the explorer's process: a region that begins anew with each run ---- */

static uint64_t region, region_next, region_end;

enum { BETWEEN_BLOCKS = 32 };
#define REGION_BYTES (UINT64_C(1) << 36)

void pn_blocks_inside(void)
{
    void *memory = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    region = region_next = memory == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)memory;
    region_end = region ? region + REGION_BYTES : 0;
}

/* What fills memory that nobody has written; an input where the program has such (entry.c). */
uint8_t __pn_fresh[PN_FRESH_BLOCK] __attribute__((aligned(8)));

static void fill_fresh(uint8_t *start, size_t size)
{
    for (size_t i = 0; i < size; i += PN_FRESH_SIZE)
        memcpy(start + i, __pn_fresh, size - i < PN_FRESH_SIZE ? size - i : PN_FRESH_SIZE);
}

/* A run so does not depend on the one before, and who reads a new block sees what any other program could have left
 * there. */
static void *fill(void *start, size_t size, bool cleared)
{
    if (start && cleared)
        memset(start, 0, size);
    else if (start && size <= PN_MOST_FRESH)
        fill_fresh(start, size);
    else if (start)
        memset(start, PN_LARGE_BLOCK_BYTE, size < PN_MOST_OF_LARGE_BLOCK ? size : PN_MOST_OF_LARGE_BLOCK);
    return start;
}

static void *take_from_region(size_t size)
{
    uint64_t start = region_next;
    if (size > region_end - region_next || region_end - region_next - size < BETWEEN_BLOCKS)
        return NULL;
    region_next = (start + size + BETWEEN_BLOCKS) & ~UINT64_C(15);
    return (void *)(uintptr_t)start;
}

static void remove_block(uint64_t base)
{
    uint32_t *entry = block_entry(base);
    if (*entry)
        write_marks(base, (*entry >> SIZE_SHIFT) - 1, false);
    *entry = 0;
    last_size = 0;
}

static bool find_block(uint64_t address, uint64_t *base, uint64_t *size)
{
    if (address < lowest_block || address > highest_block_end)
        return false;
    if (address - last_base < last_size) {
        *base = last_base;
        *size = last_size;
        return true;
    }
    uint64_t start = address & ~UINT64_C(15);
    for (uint64_t back = 0; back < LARGEST_BLOCK_SEARCHED && back <= start - lowest_block; back += 16) {
        uint32_t entry = *block_entry(start - back);
        if (!entry)
            continue;
        bool is_mark = (entry & OWNER_BITS) == MARK;
        *base = start - back - (is_mark ? (uint64_t)(entry >> SIZE_SHIFT) << 4 : 0);
        *size = (*block_entry(*base) >> SIZE_SHIFT) - 1;
        if (address - *base > *size)
            return false;
        last_base = *base;
        last_size = *size;
        return true; /* one past the end still belongs to it */
    }
    return false;
}

bool pn_is_own_block(uint64_t address, enum pn_side side)
{
    uint64_t base, size;
    return find_block(address, &base, &size) && (*block_entry(base) & OWNER_BITS) == (uint32_t)side;
}

static void forget_labels(void *start, size_t size)
{
    if (__pn_active)
        pn_memory_forget((uint64_t)(uintptr_t)start, size);
}

static void label_fresh(uint64_t start, size_t size)
{
    uint32_t labels[PN_FRESH_SIZE];
    uint64_t from = (uint64_t)(uintptr_t)__pn_fresh;
    if (!size || !__pn_active || !pn_memory_has_labels(from, PN_FRESH_SIZE))
        return;
    for (unsigned i = 0; i < PN_FRESH_SIZE; i++)
        labels[i] = pn_memory_byte(from + i, __pn_fresh[i]);
    pn_memory_label_all(start, size, labels, PN_FRESH_SIZE);
}

static void *new_block(size_t size, bool cleared)
{
    void *start = pn_inside ? fill(take_from_region(size), size, cleared)
                  : cleared ? calloc(1, size)
                            : fill(malloc(size), size, false);
    if (start) {
        add_block(start, size);
        forget_labels(start, size);
        if (!cleared && size <= PN_MOST_FRESH)
            label_fresh((uint64_t)(uintptr_t)start, size);
    }
    return start;
}

/* The versions ask for different sizes: each gets a block of its own, and the pointer is a shadow. */
static void *allocate(size_t size, label on_size, bool cleared)
{
    void *start = new_block(size, cleared);
    if (!on_size || pn_node(on_size)->new_value != size)
        return start;
    pn_bind(on_size, __pn_site);
    size_t old_size = pn_node(on_size)->old_value;
    if (pn_diverged || pn_side != PN_SIDE_BOTH || old_size == size)
        return start;
    pn_side = PN_SIDE_OLD;
    void *for_old = new_block(old_size, cleared);
    pn_side = PN_SIDE_BOTH;
    if (start)
        *block_entry((uint64_t)(uintptr_t)start) |= PN_SIDE_NEW;
    uint64_t in_old = (uint64_t)(uintptr_t)for_old, in_new = (uint64_t)(uintptr_t)start;
    __pn_result_label = pn_make_shadow(64, pn_make_pointer(in_old, pn_object_at(in_old)),
                                       pn_make_pointer(in_new, pn_object_at(in_new)));
    return start;
}

void *__pn_malloc(size_t size)
{
    label on_size = pn_take_argument(0);
    pn_arguments_taken();
    return allocate(size, on_size, false);
}

static uint64_t old_value(label on_value, uint64_t value)
{
    return on_value && pn_node(on_value)->new_value == value ? pn_node(on_value)->old_value : value;
}

/* The size in all, with its label. */
void *__pn_calloc(size_t count, size_t size)
{
    label on_count = pn_take_argument(0), on_size = pn_take_argument(1), on_both = 0;
    pn_arguments_taken();
    if (on_count)
        pn_bind(on_count, __pn_site); /* whether the product overflows depends on both */
    if (on_size)
        pn_bind(on_size, __pn_site);
    uint64_t old_count = old_value(on_count, count), old_size = old_value(on_size, size);
    bool overflows = size && count > SIZE_MAX / size, overflows_in_old = old_size && old_count > SIZE_MAX / old_size;
    if (overflows != overflows_in_old) /* one version gets a block, the other none */
        pn_part(PN_EVENT_EXTERNAL, __pn_site, 0);
    if (overflows)
        return NULL;
    if (on_count | on_size)
        on_both = __pn_slow_binary(PN_MUL, 64, count, on_count, size, on_size, 0);
    return allocate(count * size, on_both, true);
}

/* What the harness gives a pointer to lead to. */
void *__pn_make_block(unsigned long size)
{
    return new_block(size ? size : 1, true);
}

/* ---- memory that only one version has ---- */

uint32_t __pn_one_sided_objects;
static uint32_t half_freed; /* blocks */
uint32_t pn_freed_blocks;
static uint64_t freed_bytes;
enum { MOST_FREED = 1 << 16, MOST_FREED_BYTES = 64 << 20 };

/* Arrays whose end belongs to one version only. */
static struct tail {
    uint64_t base, size; /* of the array: a tail counts only while that is a known object */
    uint64_t start;
    enum pn_side gone_for;
} tails[64];
static uint32_t tail_count;

static enum pn_side sides_of(enum pn_side side)
{
    return side == PN_SIDE_BOTH ? PN_SIDE_OLD | PN_SIDE_NEW : side;
}

/* The versions (or-ed) that do not have the byte any more, or never had. */
static enum pn_side missing_for(uint64_t address)
{
    uint64_t base, size;
    for (uint32_t i = 0; i < tail_count; i++)
        if (address >= tails[i].start && address < tails[i].base + tails[i].size &&
            pn_object_extent(address, &base, &size) && base == tails[i].base)
            return tails[i].gone_for;
    if (!(half_freed | pn_freed_blocks) || !find_block(address, &base, &size) || address - base >= size)
        return PN_SIDE_BOTH;
    return *block_entry(base) >> FREED_SHIFT & 3;
}

bool pn_is_one_sided(uint64_t address)
{
    return __pn_one_sided_objects | pn_freed_blocks && missing_for(address) != PN_SIDE_BOTH;
}

bool pn_is_gone(uint64_t address, enum pn_side side)
{
    return missing_for(address) & side;
}

uint64_t pn_object_size(uint64_t base, uint64_t size, enum pn_side side)
{
    for (uint32_t i = 0; i < tail_count; i++)
        if (tails[i].base == base && tails[i].size == size && tails[i].gone_for == side)
            return tails[i].start - base;
    return size;
}

void __pn_bounds(void *array, unsigned long size, unsigned long old_size, unsigned long new_size)
{
    uint64_t base = (uint64_t)(uintptr_t)array;
    uint64_t start = base + (old_size < new_size ? old_size : new_size);
    enum pn_side gone_for = old_size < new_size ? PN_SIDE_OLD : PN_SIDE_NEW;
    if (old_size == new_size)
        return;
    pn_note_change(0);
    for (uint32_t i = 0; i < tail_count; i++) /* the same array, on the stack again */
        if (tails[i].base == base)
            tails[i--] = tails[--tail_count];
    if (tail_count == sizeof tails / sizeof *tails) {
        pn_lose(PN_LOSS_OBJECTS);
        return;
    }
    tails[tail_count++] = (struct tail){base, size, start, gone_for};
    __pn_one_sided_objects++;
    pn_mark_presence(start, base + size - start);
}

/* These versions use a block that they do not have. */
static void fail_freed(enum pn_side gone, uint32_t site)
{
    if (gone == (PN_SIDE_OLD | PN_SIDE_NEW) && !pn_diverged) {
        pn_record((struct pn_event){.kind = PN_EVENT_CHECK, .site = site, .part = PN_CHECK_FREED});
        pn_end_run(PN_CHECK_FAILED);
    }
    if (gone & PN_SIDE_OLD && !pn_diverged)
        pn_part(PN_EVENT_CHECK, site, PN_CHECK_FREED);
    if (!(gone & PN_SIDE_NEW))
        return;
    pn_record((struct pn_event){
        .kind = PN_EVENT_CHECK, .site = site, .new_outcome = 0, .old_outcome = 1, .part = PN_CHECK_FREED});
    pn_end_run(PN_CHECK_FAILED);
}

void pn_check_one_sided(uint64_t address, uint32_t site, enum pn_side side)
{
    if (pn_is_one_sided(address))
        fail_freed(missing_for(address) & sides_of(side), site);
}

/* A block that nobody needs any more stays known for a while, so that who uses it is noticed. Memory for that is
 * limited, but in the explorer's process, where blocks lie in a region of their own. */
static void keep_freed(void *start, uint64_t size)
{
    if (!pn_inside && (pn_freed_blocks >= MOST_FREED || freed_bytes + size > MOST_FREED_BYTES)) {
        remove_block((uint64_t)(uintptr_t)start);
        free(start);
        return;
    }
    *block_entry((uint64_t)(uintptr_t)start) |= (PN_SIDE_OLD | PN_SIDE_NEW) << FREED_SHIFT;
    pn_freed_blocks++;
    freed_bytes += size;
    pn_mark_presence((uint64_t)(uintptr_t)start, size);
}

/* A block goes when no version needs it: what one side frees stays for the other. From then on every access takes the
 * slow path, where it is looked at. */
static void release(uint64_t address, enum pn_side side)
{
    uint64_t base, size;
    void *start = (void *)(uintptr_t)address;
    if (!address)
        return;
    if (!find_block(address, &base, &size) || base != address) {
        bool is_wrong = pn_inside; /* freed twice, no block's beginning, or a variable */
        if (is_wrong && side != PN_SIDE_BOTH)
            fail_freed(side, __pn_site);
        else if (is_wrong)
            pn_leave_run(SIGABRT);
        if (side != PN_SIDE_OLD)
            free(start); /* not ours: the C library's business */
        return;
    }
    pn_check_life(address, __pn_site, side);
    uint32_t *entry = block_entry(address);
    enum pn_side gone = (*entry >> FREED_SHIFT & 3) | sides_of(side);
    enum pn_side needed = sides_of(*entry & OWNER_BITS);
    if (pn_diverged)
        needed &= PN_SIDE_NEW;
    if ((gone & needed) == needed) {
        keep_freed(start, size);
        return;
    }
    *entry |= gone << FREED_SHIFT;
    half_freed++;
    __pn_one_sided_objects++;
    pn_mark_presence(base, size);
}

void __pn_free(void *start)
{
    label on_start = pn_take_argument(0);
    pn_arguments_taken();
    uint64_t address = (uint64_t)(uintptr_t)start, old_address = address;
    if (on_start && pn_node(on_start)->new_value == address) {
        pn_bind(on_start, __pn_site);
        old_address = pn_diverged ? address : pn_node(on_start)->old_value;
    }
    if (old_address == address || pn_side != PN_SIDE_BOTH) {
        release(address, pn_side);
        return;
    }
    release(address, PN_SIDE_NEW);
    release(old_address, PN_SIDE_OLD);
}

/* How much of a block goes along when it gets another size. */
static uint64_t kept_bytes(uint64_t from, uint64_t size)
{
    uint64_t base, kept;
    if (!from || !find_block(from, &base, &kept))
        return 0;
    return kept < size ? kept : size;
}

/* A size of 0 frees a block, as in the C library. Where only one version does so, they part. */
static bool reallocation_frees(uint64_t start, label on_start, uint64_t size, label on_size)
{
    bool frees = start && !size, frees_in_old = old_value(on_start, start) && !old_value(on_size, size);
    if (pn_side != PN_SIDE_BOTH || pn_diverged || frees == frees_in_old)
        return frees;
    if (on_start)
        pn_bind(on_start, __pn_site);
    pn_part(PN_EVENT_EXTERNAL, __pn_site, 0);
    return frees;
}

/* A new block with the old one's bytes, then the old one goes: for each side what is its own. */
void *__pn_realloc(void *start, size_t size)
{
    label on_start = pn_take_argument(0), on_size = pn_take_argument(1);
    pn_arguments_taken();
    if (on_size)
        pn_bind(on_size, __pn_site);
    if (reallocation_frees((uint64_t)(uintptr_t)start, on_start, size, on_size)) {
        if (on_start)
            __pn_slow_pass(0, on_start);
        __pn_free(start);
        __pn_result_label = 0;
        return NULL;
    }
    void *moved = allocate(size, on_size, false);
    label on_moved = __pn_result_label;
    uint64_t from = (uint64_t)(uintptr_t)start, to = (uint64_t)(uintptr_t)moved, kept = kept_bytes(from, size);
    if (!moved)
        return moved;
    if (pn_side == PN_SIDE_BOTH) {
        uint64_t old_kept = kept_bytes(old_value(on_start, from), old_value(on_size, size));
        label on_kept = pn_make_shadow(64, pn_make_constant(64, old_kept), pn_make_constant(64, kept));
        __pn_slow_copy(to, on_moved, from, on_start, kept, on_kept, __pn_site);
        memcpy(moved, start, kept);
    } else {
        __pn_side_copy(pn_side, to, 0, from, 0, kept, 0, __pn_site);
    }
    if (on_start)
        __pn_slow_pass(0, on_start);
    __pn_free(start);
    __pn_result_label = on_moved;
    return moved;
}

bool pn_block_of(size_t number, enum pn_side side, uint64_t *base, uint64_t *size)
{
    *base = *size = 0;
    if (number >= block_count)
        return false;
    uint32_t entry = *block_entry(blocks[number]);
    enum pn_side owners = sides_of(entry & OWNER_BITS), gone = entry >> FREED_SHIFT & 3;
    if (!entry || !(owners & side) || gone & side)
        return true;
    *base = blocks[number];
    *size = (entry >> SIZE_SHIFT) - 1;
    return true;
}

/* ---- looking up ---- */

static bool holds(uint64_t base, uint64_t size, uint64_t address)
{
    return address >= base && address - base < size;
}

static bool find_stack_object(uint64_t address, uint64_t *base, uint64_t *size)
{
    bool is_on_stack = address >= (uint64_t)(uintptr_t)__builtin_frame_address(0);
    for (uint32_t i = is_on_stack ? __pn_stack_depth : 0; i-- > 0;) {
        if (!holds(__pn_stack_objects[i].base, __pn_stack_objects[i].size, address))
            continue;
        *base = __pn_stack_objects[i].base;
        *size = __pn_stack_objects[i].size;
        return true;
    }
    return false;
}

static bool find_global(uint64_t address, uint64_t *base, uint64_t *size)
{
    const struct pn_global *global = pn_global_at(address);
    if (!global)
        return false;
    *base = global->base;
    *size = global->size;
    return true;
}

static enum pn_object_kind find_object(uint64_t address, uint64_t *base, uint64_t *size)
{
    if (find_stack_object(address, base, size))
        return PN_OBJECT_STACK;
    if (find_global(address, base, size))
        return PN_OBJECT_GLOBAL;
    return find_block(address, base, size) ? PN_OBJECT_HEAP : 0;
}

bool pn_object_extent(uint64_t address, uint64_t *base, uint64_t *size)
{
    return find_object(address, base, size) != 0;
}

bool pn_lasting_extent(uint64_t address, uint64_t *base, uint64_t *size)
{
    enum pn_object_kind kind = find_object(address, base, size);
    return kind && kind != PN_OBJECT_STACK;
}

bool pn_is_variable(uint64_t address)
{
    return pn_global_at(address);
}

bool pn_is_constant(uint64_t address)
{
    const struct pn_global *global = pn_global_at(address);
    return global && global->is_constant;
}

bool pn_pointed_extent(uint64_t pointer, uint64_t *base, uint64_t *size)
{
    uint64_t base_before, size_before;
    if (!pn_object_extent(pointer, base, size))
        return false;
    return pointer != *base || !pn_object_extent(pointer - 1, &base_before, &size_before) || base_before == *base;
}

uint32_t pn_object_pointed_to(uint64_t pointer)
{
    uint64_t base, size;
    return pn_pointed_extent(pointer, &base, &size) ? pn_object_at(pointer) : 0;
}

label __pn_pointer_value(uint64_t pointer, label on_pointer, uint64_t root)
{
    uint32_t object = on_pointer ? 0 : pn_object_at(root);
    if (!object)
        return on_pointer;
    uint32_t node = pn_make_pointer(root, object);
    return pointer == root ? node : pn_make(PN_ADD, 64, node, pn_make_constant(64, pointer - root), 0);
}

uint32_t pn_object_at(uint64_t address)
{
    struct pn_object object = {0};
    object.kind = find_object(address, &object.base, &object.size);
    if (!object.kind)
        return 0;
    struct pn_object *objects = pn_trace_objects(pn_trace);
    /* The same few objects are asked for again and again: the latest first. */
    for (uint32_t i = pn_trace->object_count; i-- > 1;)
        if (objects[i].base == object.base && objects[i].size == object.size && objects[i].kind == object.kind)
            return i;
    if (pn_trace->object_count >= pn_trace->object_capacity) {
        pn_lose(PN_LOSS_OBJECTS);
        return 0;
    }
    objects[pn_trace->object_count] = object;
    return pn_trace->object_count++;
}

void pn_objects_reset(void)
{
    for (size_t i = 0; i < block_count; i++)
        remove_block(blocks[i]);
    block_count = 0;
    region_next = region;
    lowest_block = UINT64_MAX;
    highest_block_end = 0;
    half_freed = tail_count = __pn_one_sided_objects = pn_freed_blocks = 0;
    freed_bytes = 0;
    pn_has_own_blocks = false;
    __pn_stack_depth = 0;
}
