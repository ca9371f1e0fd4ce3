/* Keeps a process, and all that it starts, from changing what is the user's. Programs under test are run on inputs that
 * nobody wrote: they may read what the user may read, but create, write, rename and remove files below one scratch
 * directory only, open no socket but local ones, signal nobody outside, and change no rights, owners or times of files.
 *
 * Landlock and a seccomp filter do it: neither needs rights, and neither can be undone. Both are set between fork() and
 * exec(). */
#ifndef PENUMBRA_BASE_CONFINE_H
#define PENUMBRA_BASE_CONFINE_H

#include <stdbool.h>

/* Landlock's version on this kernel; 0 where there is none. From 6 on, signals are confined, too. */
int confine_version(void);

/* To be called in a child, before it executes the program: only calls that are safe there. False, with errno, when the
 * kernel refuses. */
bool confine_self(const char *scratch);

#endif
