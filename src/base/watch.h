/* Reads what a process writes while it runs, and enforces its limits: the one place that does. */
#ifndef PENUMBRA_BASE_WATCH_H
#define PENUMBRA_BASE_WATCH_H

#include "base/process.h"

enum { WATCH_STREAMS = 2, WATCH_PIPE_BYTES = 1 << 20 };

struct watch {
    pid_t pid;
    int ending;                 /* readable when the process has ended; -1: it is polled for */
    int streams[WATCH_STREAMS]; /* standard output, standard error; -1 where there is none */
    struct process_limits limits;
    double deadline;   /* 0: none */
    double delay;      /* that the deadline was moved by, because others used the processors */
    double next_look;  /* when limits are looked at again, */
    double next_count; /* and when those of the whole namespace */
    size_t processes;  /* that the machine had when it began */
    const char *space; /* its namespace for processes, as /proc names it: what is in it counts as one; NULL: none */
};

/* To be called for each stream before the process can write to it. */
void watch_prepare(int descriptor);
/* The clock runs from here on. */
void watch_set_limits(struct watch *watch, const struct process_limits *limits);
/* Reads until the process ends or passes a limit, which the result says then. It is not reaped here, so that its number
 * stays ours to kill. */
void watch_until_end(struct watch *watch, struct process_result *result);
/* What was written before the end and is still in the pipes. More than a pipe holds would come from a survivor. */
void watch_read_rest(const struct watch *watch, struct process_result *result);
/* How it ended, as wait() says. */
void watch_take_status(int status, struct process_result *result);

#endif
