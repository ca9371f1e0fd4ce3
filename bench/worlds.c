/* worlds [RUNS PER BATCH]: what a run of a program under test costs in each world, against none. The program is this
 * one, started again; it does nothing, has touched some memory, and leaves a file behind in every run of the last line.
 */
#include "base/clock.h"
#include "base/file.h"
#include "execute/serve.h"
#include "execute/server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOUCHED = 4 << 20, BATCHES = 10 };

static int serve_runs(void)
{
    char input[8] = "";
    memset(malloc(TOUCHED), 1, TOUCHED);
    if (!serve() || pread(SERVE_INPUT, input, sizeof input - 1, 0) < 0)
        return 2;
    return *input == 'w' ? open("left", O_CREAT | O_WRONLY, 0600) < 0 : 0;
}

/* Microseconds for a run in the best batch: the machine has other work; negative where it cannot be had. */
static double measure(enum world_level level, const char *input, int runs)
{
    static const char *const arguments[] = {"--serve", NULL};
    static char executable[4096];
    struct process_limits limits = {.seconds = 60, .processor_seconds = 30, .memory_bytes = 1u << 30};
    struct world world;
    struct error error = {0};
    char scratch[256];
    double seconds = -1;
    if (readlink("/proc/self/exe", executable, sizeof executable - 1) < 0 || !file_make_scratch(scratch, &error))
        return -1;
    if (!chdir(scratch) && file_make_directory("working", &error) && !chdir("working") &&
        world_make(&world, level, scratch, &error) && world.level == level) {
        struct server_request request = {
            .world = &world, .executable = executable, .arguments = arguments, .trace = -1};
        struct server *server = server_start(&request, &limits, &error);
        struct process_result result;
        bool good = server;
        for (int batch = 0; good && batch < BATCHES; batch++) {
            double start = clock_seconds();
            for (int i = 0; i < runs && (good = server_run(server, input, 1, &limits, &result, &error)); i++)
                process_result_free(&result);
            double taken = clock_seconds() - start;
            seconds = seconds < 0 || taken < seconds ? taken : seconds;
        }
        server_stop(server);
    }
    if (error.message)
        fprintf(stderr, "%s\n", error.message);
    error_clear(&error);
    (void)!chdir("/");
    file_remove_tree(scratch);
    return seconds / runs * 1e6;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--serve"))
        return serve_runs();
    int runs = argc > 1 ? atoi(argv[1]) : 100;
    static const char *const inputs[] = {"r", "w"};
    puts("Runs of a program that has touched 4 MB, in each world against none:");
    for (int input = 0; input < 2; input++) {
        double open = measure(WORLD_OPEN, inputs[input], runs);
        for (int level = 0; level < WORLD_OPEN; level++) {
            double time = measure((enum world_level)level, inputs[input], runs);
            printf("  %-10s %s: %6.0f us, %.2f times %.0f us\n", world_level_name((enum world_level)level),
                   input ? "a file left behind" : "nothing changed   ", time, time / open, open);
        }
    }
    return 0;
}
