/* Addresses that depend on the input: reads are choices among the elements of an object, the rest is bound to a value
 * and its other values are run too. */
#include "penumbra.h"

int g, h;

static const unsigned char squares[256] = {
#define FOUR(x) (x) * (x) % 251, ((x) + 1) * ((x) + 1) % 251, ((x) + 2) * ((x) + 2) % 251, ((x) + 3) * ((x) + 3) % 251
#define SIXTEEN(x) FOUR(x), FOUR((x) + 4), FOUR((x) + 8), FOUR((x) + 12)
#define SIXTY_FOUR(x) SIXTEEN(x), SIXTEEN((x) + 16), SIXTEEN((x) + 32), SIXTEEN((x) + 48)
    SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

/* One of 256 elements: nothing has to be tried. */
/*@ x=0..255 from x=0
 *  output diff-true at 'if (change': x == 181 */
int table_of_constants(unsigned char x)
{
    int square = squares[x];
    if (change(square == 255, square == 131 && x > 100))
        return 1;
    return 0;
}

/* The versions read different tables. */
/*@ x=0..7 from x=0
 *  output output: x == 6 */
int changed_element(unsigned x)
{
    int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    table[6] = change(7, -7);
    return table[x];
}

/* A table of 4096 elements is too large for one choice: every index is run, as far as there is time. */
static unsigned short large[4096] = {[40] = 1, [41] = 2, [60] = 7};
/*@ x=30..90 from x=30
 *  output diff-true at 'if (change': x == 60 */
int large_table(int x)
{
    int value = large[x];
    if (change(value == 9, value == 7))
        return 1;
    return 0;
}

/* Where something is written must be known. */
/*@ x=0..9 from x=0
 *  output diff-true at 'if (change': x == 7 */
int written_element(int x)
{
    int table[10] = {0};
    table[x] = 9;
    if (change(table[7] == 1, table[7] == 9))
        return 1;
    return 0;
}

/* A pointer keeps its object. */
static const char *const names[] = {"zero", "one", "two", "three", "four", "five"};
/*@ x=0..5 from x=0
 *  output diff-true at 'if (change': x == 3 */
int table_of_pointers(unsigned x)
{
    const char *name = names[x];
    if (change(name[0] == '?', name[0] == 't' && name[2] == 'r'))
        return 1;
    return 0;
}

/* An element of twelve bytes, two dimensions, an index that was read through an index. */
struct entry {
    char tag;
    int value[2];
};
static struct entry entries[5] = {{'a', {2, 4}}, {'b', {0, 1}}, {'c', {3, 3}}, {'d', {1, 0}}, {'e', {4, 2}}};
/*@ x=0..4 y=0..1 from x=0,y=0
 *  output output: x == 2 */
int entry_of_entry(int x, int y)
{
    return entries[entries[x].value[y]].tag == change('?', 'd');
}
