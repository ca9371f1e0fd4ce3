/* The executor: runs programs under test, in their world (world.h), one run at a time and within limits. The program,
 * instrumented or native, is a server that forks a child for each run (serve.h). */
#ifndef PENUMBRA_EXECUTE_SERVER_H
#define PENUMBRA_EXECUTE_SERVER_H

#include "base/error.h"
#include "base/process.h"
#include "execute/world.h"

#include <stdbool.h>

struct server_request {
    const struct world *world;
    const char *executable;
    const char *const *arguments;   /* behind the program's name, NULL-terminated; or NULL */
    const char *const *environment; /* beside the few variables that all programs under test have; or NULL */
    int trace;                      /* a descriptor that it gets as SERVE_TRACE; -1: none */
    bool keeps_addresses; /* everything lies where it lay in other processes of the program, if that is allowed */
    bool is_silent;       /* nobody wants to know what it prints, nor what it leaves behind */
};

/* Memory to be shared with a program under test, which cannot make it smaller while we read it. -1, with errno, where
 * there is none. */
int server_make_memory(const char *name, size_t size);

/* Of one run. They are of the run's own time, so that a busy machine decides nothing; one that only waits has more. */
struct process_limits server_limits(double run_seconds, size_t memory_bytes);

struct server;

/* NULL when the program could not be started at all. A program that ends before it serves is no error: that end is then
 * what every run is. */
struct server *server_start(const struct server_request *request, const struct process_limits *limits,
                            struct error *error);
/* One run. The input, if there is one, is what can be read from SERVE_INPUT. Whatever the run does to the server, the
 * next one has a good one again. False when it could not be run. */
bool server_run(struct server *server, const void *input, size_t input_size, const struct process_limits *limits,
                struct process_result *result, struct error *error);
struct serve_report;
/* What a native program said of its last run's failure; checked, and valid until the next run. */
const struct serve_report *server_report(const struct server *server);
/* How the program ended before it could serve; NULL when it serves. */
const struct process_result *server_early_end(const struct server *server);
void server_stop(struct server *server);

#endif
