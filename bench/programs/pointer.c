/* Pointer chasing: linked lists, binary search trees, a hash table with chains, a graph; everything from malloc. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t seed = 7;

static uint32_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static void *allocate(size_t size)
{
    void *block = malloc(size);
    if (!block) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return block;
}

/* ---- lists ---- */

struct item {
    uint32_t key;
    struct item *next;
};

static struct item *make_list(unsigned length)
{
    struct item *list = NULL;
    while (length--) {
        struct item *item = allocate(sizeof *item);
        item->key = next_random();
        item->next = list;
        list = item;
    }
    return list;
}

static struct item *merge_lists(struct item *a, struct item *b)
{
    struct item *merged = NULL, **end = &merged;
    while (a && b) {
        struct item **smaller = a->key <= b->key ? &a : &b;
        *end = *smaller;
        end = &(*smaller)->next;
        *smaller = (*smaller)->next;
    }
    *end = a ? a : b;
    return merged;
}

static struct item *sort_list(struct item *list)
{
    if (!list || !list->next)
        return list;
    struct item *middle = list;
    for (struct item *fast = list->next; fast && fast->next; fast = fast->next->next)
        middle = middle->next;
    struct item *second = middle->next;
    middle->next = NULL;
    return merge_lists(sort_list(list), sort_list(second));
}

static struct item *reverse_list(struct item *list)
{
    struct item *reversed = NULL;
    while (list) {
        struct item *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

static uint32_t sum_list(const struct item *list)
{
    uint32_t sum = 0;
    for (; list; list = list->next)
        sum = sum * 31 + list->key;
    return sum;
}

static void free_list(struct item *list)
{
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
}

/* ---- search trees ---- */

struct tree {
    uint32_t key, count;
    struct tree *left, *right;
};

static void insert(struct tree **tree, uint32_t key)
{
    while (*tree) {
        if ((*tree)->key == key) {
            (*tree)->count++;
            return;
        }
        tree = key < (*tree)->key ? &(*tree)->left : &(*tree)->right;
    }
    *tree = allocate(sizeof **tree);
    **tree = (struct tree){.key = key, .count = 1};
}

static const struct tree *find(const struct tree *tree, uint32_t key)
{
    while (tree && tree->key != key)
        tree = key < tree->key ? tree->left : tree->right;
    return tree;
}

static unsigned depth(const struct tree *tree)
{
    if (!tree)
        return 0;
    unsigned left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static void free_tree(struct tree *tree)
{
    if (!tree)
        return;
    free_tree(tree->left);
    free_tree(tree->right);
    free(tree);
}

/* ---- a hash table with chains that grows ---- */

struct entry {
    uint64_t key;
    uint32_t value;
    struct entry *next;
};

struct table {
    struct entry **buckets;
    size_t bucket_count, count;
};

static size_t bucket_of(uint64_t key, size_t bucket_count)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (bucket_count - 1);
}

static void grow(struct table *table)
{
    size_t bucket_count = table->bucket_count ? table->bucket_count * 2 : 64;
    struct entry **buckets = calloc(bucket_count, sizeof *buckets);
    if (!buckets)
        exit(1);
    for (size_t i = 0; i < table->bucket_count; i++)
        for (struct entry *entry = table->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            size_t bucket = bucket_of(entry->key, bucket_count);
            entry->next = buckets[bucket];
            buckets[bucket] = entry;
        }
    free(table->buckets);
    table->buckets = buckets;
    table->bucket_count = bucket_count;
}

static uint32_t *value_of(struct table *table, uint64_t key)
{
    if (table->count >= table->bucket_count)
        grow(table);
    struct entry **entry = &table->buckets[bucket_of(key, table->bucket_count)];
    while (*entry && (*entry)->key != key)
        entry = &(*entry)->next;
    if (!*entry) {
        *entry = allocate(sizeof **entry);
        **entry = (struct entry){.key = key};
        table->count++;
    }
    return &(*entry)->value;
}

static void free_table(struct table *table)
{
    for (size_t i = 0; i < table->bucket_count; i++)
        for (struct entry *entry = table->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            free(entry);
        }
    free(table->buckets);
}

/* ---- a graph ---- */

enum { VERTICES = 4000, NEIGHBOURS = 6 };

struct vertex {
    struct vertex *neighbours[NEIGHBOURS], *next_in_queue;
    uint32_t distance;
};

static uint64_t sum_distances(struct vertex **vertices, struct vertex *start)
{
    uint64_t sum = 0;
    for (int i = 0; i < VERTICES; i++)
        vertices[i]->distance = UINT32_MAX;
    start->distance = 0;
    start->next_in_queue = NULL;
    struct vertex *last = start;
    for (struct vertex *at = start; at; at = at->next_in_queue) {
        sum += at->distance;
        for (int i = 0; i < NEIGHBOURS; i++) {
            struct vertex *next = at->neighbours[i];
            if (next->distance != UINT32_MAX)
                continue;
            next->distance = at->distance + 1;
            next->next_in_queue = NULL;
            last->next_in_queue = next;
            last = next;
        }
    }
    return sum;
}

static uint64_t walk_graph(int starts)
{
    struct vertex **vertices = allocate(VERTICES * sizeof *vertices);
    for (int i = 0; i < VERTICES; i++)
        vertices[i] = allocate(sizeof **vertices);
    for (int i = 0; i < VERTICES; i++)
        for (int j = 0; j < NEIGHBOURS; j++)
            vertices[i]->neighbours[j] = vertices[j == 0 ? (uint32_t)(i + 1) % VERTICES : next_random() % VERTICES];
    uint64_t sum = 0;
    for (int i = 0; i < starts; i++)
        sum = sum * 31 + sum_distances(vertices, vertices[i * 7 % VERTICES]);
    for (int i = 0; i < VERTICES; i++)
        free(vertices[i]);
    free(vertices);
    return sum;
}

int main(void)
{
    uint64_t checksum = 0;
    for (int round = 0; round < 14; round++) {
        struct item *list = sort_list(make_list(20000));
        checksum = checksum * 31 + sum_list(list);
        for (int i = 0; i < 40; i++)
            list = reverse_list(list);
        checksum = checksum * 31 + sum_list(list);
        free_list(list);

        struct tree *tree = NULL;
        for (int i = 0; i < 30000; i++)
            insert(&tree, next_random() % 40000);
        unsigned found = 0;
        for (uint32_t key = 0; key < 40000; key++)
            found += find(tree, key) != NULL;
        checksum = checksum * 31 + found * 64 + depth(tree);
        free_tree(tree);

        struct table table = {0};
        for (int i = 0; i < 120000; i++)
            ++*value_of(&table, next_random() % 20000);
        checksum = checksum * 31 + table.count + *value_of(&table, 17);
        free_table(&table);

        checksum = checksum * 31 + walk_graph(100);
    }
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
