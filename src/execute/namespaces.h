/* Namespaces of a program's own, and what is mounted in them (see world.h). To be called in a child that will become
 * the keeper of the world (keeper.h): it has the rights there that the program will not have. */
#ifndef PENUMBRA_EXECUTE_NAMESPACES_H
#define PENUMBRA_EXECUTE_NAMESPACES_H

#include "execute/failure.h"
#include "execute/place.h"
#include "execute/world.h"

#include <stdbool.h>

struct namespaces {
    int root; /* of a file system in memory that holds all the places, and which the program cannot name */
    struct place places[MOST_PLACES];
    size_t place_count;
    unsigned layers; /* how many there were so far */
    const char *directory;
    char own_lowers[OWN_ROOT_MOST][2 * OWN_ROOT_LONGEST]; /* what layers of the user's own root lie over */
};

/* Enters namespaces for users, mounts, network, IPC and names, and mounts everything. */
bool namespaces_enter(struct namespaces *namespaces, const struct world *world, struct failure *failure);
enum { NAMESPACES_PROCESSES = 512 };
/* In the first process of a namespace for processes: its own /proc, if the system allows that, and a bound on how many
 * there are, if it knows one. */
void namespaces_mount_processes(void);
/* A fresh layer, in place of the one before. */
bool namespaces_renew_layer(struct namespaces *namespaces, struct place *place, struct failure *failure);

#endif
