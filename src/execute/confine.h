/* Keeps a process, and all that it starts, from doing what namespaces leave open, or, where there are none, from
 * changing what is the user's: Landlock and a seccomp filter. Neither needs rights, and neither can be undone. Both are
 * set between fork() and exec(): only calls that are safe there. */
#ifndef PENUMBRA_EXECUTE_CONFINE_H
#define PENUMBRA_EXECUTE_CONFINE_H

#include <stdbool.h>

/* Landlock's version on this kernel; 0 where there is none. From 6 on, signals are confined, too. */
int confine_version(void);

/* Allows files to be changed below these directories (NULL-terminated) only, and some devices to be written to. A
 * kernel without Landlock refuses. */
bool confine_files(const char *const directories[]);

/* Refuses system calls. With `has_namespaces`, mounts and networks are this process' own, and calls that only change
 * these or files are allowed. */
bool confine_calls(bool has_namespaces);

/* Gives up all capabilities, also those that a program could get back when it is executed. */
bool confine_rights(void);

/* Bounds that hold for each process alone. With `has_own_files`, its file system has a bound already. */
void confine_sizes(bool has_own_files);

#endif
