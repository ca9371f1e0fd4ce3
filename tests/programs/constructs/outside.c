/* What functions of the C library without a model can see: a text up to its end, and what pointers lead to, once. */
#include <penumbra.h>
#include <unistd.h>

int behind_the_end(char byte, int x)
{
    char name[16] = "/none";
    name[10] = byte;
    return access(name, R_OK) + change(x, x == 5 ? 6 : x);
}

int before_the_end(char byte, int x)
{
    char name[16] = "/none";
    name[2] = byte;
    return access(name, R_OK) + change(x, x == 5 ? 6 : x);
}

int behind_a_short_text(char byte, int x)
{
    int wide[] = {'/', byte, 0}; /* could be a wide text */
    return access((const char *)wide, R_OK) + change(x, x == 5 ? 6 : x);
}

/* Thousands of pointers to one large object. */
int reached_again_and_again(int x)
{
    static char large[1 << 20];
    static void *pointers[1 << 14];
    for (int i = 0; i < 1 << 14; i++)
        pointers[i] = large + (x == 12345);
    pathconf((const char *)pointers, 99);
    return change(x, x == 5 ? 6 : x);
}
