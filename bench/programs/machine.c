/* Sorting and state machines: four sorts, a virtual machine that runs a small program, a scanner of C-like text. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 100000 };

static int numbers[COUNT], scratch[COUNT];
static uint32_t seed = 31337;

static int next_random(void)
{
    seed = seed * 1103515245 + 12345;
    return (int)(seed >> 8 & 0xfffff);
}

/* ---- sorts ---- */

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void insertion_sort(int *from, int count)
{
    for (int i = 1; i < count; i++) {
        int value = from[i], j = i;
        for (; j > 0 && from[j - 1] > value; j--)
            from[j] = from[j - 1];
        from[j] = value;
    }
}

static void quick_sort(int *from, int count)
{
    while (count > 12) {
        int pivot = from[count / 2], i = 0, j = count - 1;
        while (i <= j) {
            while (from[i] < pivot)
                i++;
            while (from[j] > pivot)
                j--;
            if (i <= j)
                swap(&from[i++], &from[j--]);
        }
        quick_sort(from, j + 1);
        from += i;
        count -= i;
    }
    insertion_sort(from, count);
}

static void sift_down(int *heap, int at, int count)
{
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        swap(&heap[at], &heap[child]);
    }
}

static void heap_sort(int *from, int count)
{
    for (int i = count / 2; i-- > 0;)
        sift_down(from, i, count);
    while (count > 1) {
        swap(&from[0], &from[--count]);
        sift_down(from, 0, count);
    }
}

static void merge_sort(int *from, int count)
{
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = middle + width < count ? middle + width : count;
            int i = start, j = middle;
            for (int k = start; k < end; k++)
                scratch[k] = j >= end || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
        }
        memcpy(from, scratch, (size_t)count * sizeof *from);
    }
}

static uint32_t sort_with(void (*sort)(int *, int), int count)
{
    uint32_t checksum = 0;
    for (int i = 0; i < count; i++)
        numbers[i] = next_random();
    sort(numbers, count);
    for (int i = 0; i < count; i++) {
        if (i && numbers[i - 1] > numbers[i])
            printf("out of order\n");
        checksum = checksum * 31 + (uint32_t)numbers[i];
    }
    return checksum;
}

/* ---- a virtual machine ---- */

enum opcode { LOAD, COPY, ADD, SUBTRACT, MULTIPLY, REMAINDER, LESS, JUMP, JUMP_IF, GET, PUT, HALT };

struct instruction {
    unsigned char opcode, a, b, c;
    int value;
};

/* Counts primes below r1 by trial division, leaving those found in memory; r0 stays zero. */
static const struct instruction program[] = {
    {LOAD, 2, 0, 0, 2},      /*  0: candidate = 2 */
    {LOAD, 3, 0, 0, 0},      /*  1: found = 0 */
    {LOAD, 9, 0, 0, 1},      /*  2: one */
    {LESS, 4, 2, 1, 0},      /*  3: more? */
    {JUMP_IF, 4, 0, 0, 6},   /*  4 */
    {HALT, 3, 0, 0, 0},      /*  5 */
    {LOAD, 5, 0, 0, 0},      /*  6: index = 0 */
    {LESS, 4, 5, 3, 0},      /*  7: any prime left to try? */
    {JUMP_IF, 4, 0, 0, 11},  /*  8 */
    {PUT, 2, 3, 0, 0},       /*  9: memory[found] = candidate */
    {JUMP, 0, 0, 0, 19},     /* 10 */
    {GET, 6, 5, 0, 0},       /* 11: prime = memory[index] */
    {MULTIPLY, 7, 6, 6, 0},  /* 12 */
    {LESS, 4, 2, 7, 0},      /* 13: candidate < prime * prime: it is prime */
    {JUMP_IF, 4, 0, 0, 9},   /* 14 */
    {REMAINDER, 7, 2, 6, 0}, /* 15 */
    {ADD, 5, 5, 9, 0},       /* 16: index++ */
    {JUMP_IF, 7, 0, 0, 7},   /* 17: no divisor, go on */
    {JUMP, 0, 0, 0, 20},     /* 18 */
    {ADD, 3, 3, 9, 0},       /* 19: found++ */
    {ADD, 2, 2, 9, 0},       /* 20: candidate++ */
    {JUMP, 0, 0, 0, 3},      /* 21 */
};

static int run_machine(int limit, uint64_t *steps)
{
    static int memory[1 << 16];
    int registers[16] = {0};
    registers[1] = limit;
    for (const struct instruction *at = program;; at++, ++*steps) {
        int *target = &registers[at->a], b = registers[at->b], c = registers[at->c];
        switch ((enum opcode)at->opcode) {
        case LOAD: *target = at->value; break;
        case COPY: *target = b; break;
        case ADD: *target = b + c; break;
        case SUBTRACT: *target = b - c; break;
        case MULTIPLY: *target = b * c; break;
        case REMAINDER: *target = c ? b % c : 0; break;
        case LESS: *target = b < c; break;
        case JUMP: at = program + at->value - 1; break;
        case JUMP_IF:
            if (*target)
                at = program + at->value - 1;
            break;
        case GET: *target = memory[b & 0xffff]; break;
        case PUT: memory[b & 0xffff] = *target; break;
        case HALT: return *target;
        }
    }
}

/* ---- a scanner ---- */

enum state { BETWEEN, NAME, NUMBER, STRING, ESCAPE, SLASH, COMMENT, STAR, LINE_COMMENT };

struct counts {
    unsigned names, numbers, strings, comments, marks;
};

static void scan(const char *text, struct counts *counts)
{
    enum state state = BETWEEN;
    for (; *text; text++) {
        char c = *text;
        int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        int is_digit = c >= '0' && c <= '9';
        switch (state) {
        case NAME:
            if (is_letter || is_digit)
                continue;
            counts->names++;
            break;
        case NUMBER:
            if (is_digit || is_letter)
                continue;
            counts->numbers++;
            break;
        case STRING:
            if (c == '"') {
                counts->strings++;
                state = BETWEEN;
            } else if (c == '\\') {
                state = ESCAPE;
            }
            continue;
        case ESCAPE: state = STRING; continue;
        case SLASH:
            if (c == '*' || c == '/') {
                state = c == '*' ? COMMENT : LINE_COMMENT;
                continue;
            }
            counts->marks++;
            break;
        case COMMENT:
            if (c == '*')
                state = STAR;
            continue;
        case STAR:
            if (c == '/') {
                counts->comments++;
                state = BETWEEN;
            } else if (c != '*') {
                state = COMMENT;
            }
            continue;
        case LINE_COMMENT:
            if (c != '\n')
                continue;
            counts->comments++;
            break;
        case BETWEEN: break;
        }
        state = is_letter ? NAME : is_digit ? NUMBER : c == '"' ? STRING : c == '/' ? SLASH : BETWEEN;
        counts->marks += state == BETWEEN && c > ' ';
    }
}

static const char sample[] = "/* a sample */ int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } "
                             "return a / 1; } // the end\n"
                             "static const char *greeting = \"say \\\"hello\\\" twice\"; /** odd ** comment **/\n"
                             "unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ *s++; "
                             "return h % 65521; }\n";

int main(void)
{
    uint64_t checksum = 0, steps = 0;
    for (int round = 0; round < 7; round++) {
        checksum = checksum * 31 + sort_with(quick_sort, COUNT);
        checksum = checksum * 31 + sort_with(heap_sort, COUNT);
        checksum = checksum * 31 + sort_with(merge_sort, COUNT);
        checksum = checksum * 31 + sort_with(insertion_sort, 6000);
        checksum = checksum * 31 + (uint64_t)run_machine(60000, &steps);
    }
    struct counts counts = {0};
    for (int i = 0; i < 100000; i++)
        scan(sample, &counts);
    checksum = checksum * 31 + steps;
    checksum = checksum * 31 + counts.names + counts.numbers * 3 + counts.strings * 5 + counts.comments * 7;
    checksum = checksum * 31 + counts.marks;
    printf("names %u, numbers %u, strings %u, comments %u, marks %u, steps %llu\n", counts.names, counts.numbers,
           counts.strings, counts.comments, counts.marks, (unsigned long long)steps);
    printf("checksum: %016llx\n", (unsigned long long)checksum);
    return 0;
}
