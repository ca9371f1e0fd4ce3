/* A message begins with the length of the name that follows it. Users complained that names of eight letters are turned
 * away, so a patch makes the check less strict: >= becomes >. Every test still passes, those with short names and those
 * with names that are much too long. But the byte that ends a name of eight letters now lands behind the buffer.
 *
 *     penumbra run message.c --entry read_name --size message=16 --seed 'message="\3abc"'
 *
 * finds that message: a regression, with the place of the overflow. */
#include "penumbra.h"

#define NAME_SIZE 8

char name[NAME_SIZE];

int read_name(const unsigned char *message)
{
    unsigned length = message[0];
    if (change(length >= NAME_SIZE, length > NAME_SIZE))
        return -1;
    for (unsigned i = 0; i < length; i++)
        name[i] = (char)message[1 + i];
    name[length] = '\0';
    return (int)length;
}
