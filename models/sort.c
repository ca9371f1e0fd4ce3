/* Sorting as glibc does, by merging halves: elements that compare equal keep their order, which a program may show. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

typedef int comparison(const void *, const void *);
typedef int comparison_with(const void *, const void *, void *);

void __pn_real_qsort(void *, size_t, size_t, comparison *);
void __pn_real_qsort_r(void *, size_t, size_t, comparison_with *, void *);

struct order {
    comparison *plain; /* or */
    comparison_with *with;
    void *context;
    size_t size;
};

static int compare(const struct order *order, const void *one, const void *other)
{
    return order->plain ? order->plain(one, other) : order->with(one, other, order->context);
}

/* Most elements are pointers, or of their size. */
static inline MODEL_INLINE void move(byte *to, const byte *from, size_t size)
{
    if (size == sizeof(void *))
        memcpy(to, from, sizeof(void *));
    else
        memcpy(to, from, size);
}

static void sort(byte *elements, size_t count, byte *room, const struct order *order)
{
    if (count <= 1)
        return;
    size_t size = order->size, first = count / 2, second = count - first, done = 0;
    byte *one = elements, *other = elements + first * size;
    sort(one, first, room, order);
    sort(other, second, room, order);
    while (first && second) {
        if (compare(order, one, other) <= 0) {
            move(room + done, one, size);
            one += size;
            first--;
        } else {
            move(room + done, other, size);
            other += size;
            second--;
        }
        done += size;
    }
    if (first) /* the rest of the second half stands where it belongs */
        memcpy(room + done, one, first * size);
    memcpy(elements, room, done + first * size);
}

static void sort_all(void *elements, size_t count, const struct order *order)
{
    byte *room = count > 1 ? malloc(count * order->size) : NULL;
    if (!room)
        return;
    sort(elements, count, room, order);
    free(room);
}

void qsort(void *elements, size_t count, size_t size, comparison *order)
{
    if (pn_no_labels())
        __pn_real_qsort(elements, count, size, order);
    else
        sort_all(elements, count, &(struct order){.plain = order, .size = size});
}

void qsort_r(void *elements, size_t count, size_t size, comparison_with *order, void *context)
{
    if (pn_no_labels())
        __pn_real_qsort_r(elements, count, size, order, context);
    else
        sort_all(elements, count, &(struct order){.with = order, .context = context, .size = size});
}

void *bsearch(const void *key, const void *elements, size_t count, size_t size, comparison *order)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const byte *element = (const byte *)elements + middle * size;
        int found = order(key, element);
        if (found == 0)
            return (void *)element;
        if (found < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
