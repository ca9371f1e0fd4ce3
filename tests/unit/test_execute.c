/* The executor: servers of runs in worlds of each level, what runs leave behind, and traces that are none. The program
 * under test is this one, started again with SERVED as its argument. */
#include "base/file.h"
#include "execute/serve.h"
#include "execute/server.h"
#include "explore/received.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define SERVED "--served"

static char executable[4096], scratch[256], work[300];
static struct world world;
static enum world_level wanted_level;

/* ---- the program under test ---- */

static void say(const char *text)
{
    struct serve_results *results =
        mmap(NULL, SERVE_RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, SERVE_RESULTS, 0);
    memcpy(results->bytes, text, strlen(text));
    results->length = strlen(text);
}

static void make_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640);
    if (file < 0 || write(file, text, strlen(text)) < 0)
        _exit(3);
    close(file);
}

/* What the input says. */
static int be_served(const char *input)
{
    if (!strcmp(input, "print"))
        return printf("printed\n") < 0 || fprintf(stderr, "complained\n") < 0;
    if (!strcmp(input, "say"))
        return say("said"), 0;
    if (!strcmp(input, "lie"))
        return say("said"),
               ((struct serve_results *)mmap(NULL, SERVE_RESULTS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                                             SERVE_RESULTS, 0))
                   ->length = UINT64_MAX,
                0;
    if (!strcmp(input, "exit"))
        return 7;
    if (!strcmp(input, "abort"))
        abort();
    if (!strcmp(input, "endless"))
        for (;;)
            pause();
    if (!strcmp(input, "write"))
        return make_file("made", "new\n"), chmod("made", 0600), make_file("kept", "changed"), unlink("old"),
               mkdir("place", 0700), symlink("kept", "link");
    if (!strcmp(input, "rewrite"))
        return make_file("kept", "kept"), chmod("kept", 0644);
    if (!strcmp(input, "kill server"))
        return kill(getppid(), SIGKILL), usleep(100000);
    return access("old", F_OK) != 0 || access("made", F_OK) == 0 ? 9 : 0; /* the world is as it was */
}

/* LeakSanitizer's question, in builds with it: it cannot look at a process that is confined. */
static bool is_served;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_served;
}

static int serve_runs(void)
{
    char input[64] = "";
    is_served = true;
    if (getenv("PENUMBRA_TEST_EARLY"))
        return fprintf(stderr, "too early\n"), 5;
    if (!serve())
        return 2;
    return pread(SERVE_INPUT, input, sizeof input - 1, 0) < 0 ? 2 : be_served(input);
}

/* ---- tests ---- */

static const struct process_limits limits = {.seconds = 60, .processor_seconds = 30, .output_bytes = 1 << 20};

static struct server *start(const char *const *environment)
{
    static const char *const arguments[] = {SERVED, NULL};
    struct server_request request = {
        .world = &world, .executable = executable, .arguments = arguments, .environment = environment, .trace = -1};
    struct error error = {0};
    struct server *server = server_start(&request, &limits, &error);
    if (!server)
        fail_msg("%s", error.message);
    return server;
}

static struct process_result run(struct server *server, const char *input)
{
    struct process_result result;
    struct error error = {0};
    if (!server_run(server, input, strlen(input), &limits, &result, &error))
        fail_msg("%s", error.message);
    return result;
}

static void expect_run(struct server *server, const char *input, int status, const char *left)
{
    struct process_result result = run(server, input);
    assert_int_equal(result.exit_status, status);
    assert_string_equal(text_string(&result.left), left);
    process_result_free(&result);
}

static void runs_are_told_apart(void **state)
{
    (void)state;
    struct server *server = start(NULL);
    struct process_result result = run(server, "print");
    assert_string_equal(text_string(&result.output), "printed\n");
    assert_string_equal(text_string(&result.errors), "complained\n");
    process_result_free(&result);
    result = run(server, "say");
    assert_string_equal(text_string(&result.results), "said");
    assert_int_equal(result.output.length, 0);
    process_result_free(&result);
    result = run(server, "lie");
    assert_true(result.results.length <= limits.output_bytes);
    process_result_free(&result);
    expect_run(server, "exit", 7, "");
    result = run(server, "abort");
    assert_int_equal(result.signal, SIGABRT);
    process_result_free(&result);
    expect_run(server, "look", 0, "");
    server_stop(server);
}

static void a_run_leaves_its_files_and_the_next_has_none(void **state)
{
    (void)state;
    struct server *server = start(NULL);
    if (world.level != WORLD_OPEN)
        for (int i = 0; i < 3; i++) {
            struct process_result result = run(server, "write");
            const char *left = text_string(&result.left);
            assert_int_equal(result.exit_status, 0);
            assert_non_null(strstr(left, world.level == WORLD_LANDLOCK ? "./made = file 0640" : "./made = file 0600"));
            assert_non_null(strstr(left, ", 4 bytes: \"new\\n\"\n"));
            assert_non_null(strstr(left, "./kept = file 0644, 7 bytes: \"changed\"\n"));
            assert_non_null(strstr(left, "./old = removed\n"));
            assert_non_null(strstr(left, "./place = directory 0700\n"));
            assert_non_null(strstr(left, "./link = link to \"kept\"\n"));
            process_result_free(&result);
            expect_run(server, "look", 0, "");
        }
    if (world.level == WORLD_NAMESPACES)
        expect_run(server, "rewrite", 0, ""); /* written again as it was */
    server_stop(server);
    char path[400];
    struct stat status;
    snprintf(path, sizeof path, "%s/old", work);
    assert_int_equal(stat(path, &status), 0);
    snprintf(path, sizeof path, "%s/made", work);
    assert_int_equal(stat(path, &status), -1);
}

static void limits_end_runs_and_not_servers(void **state)
{
    (void)state;
    struct server *server = start(NULL);
    struct process_limits short_limits = {.seconds = 0.2};
    struct process_result result;
    struct error error = {0};
    assert_true(server_run(server, "endless", 7, &short_limits, &result, &error));
    assert_true(result.timed_out);
    process_result_free(&result);
    expect_run(server, "look", 0, "");
    server_stop(server);
}

static void a_server_that_is_killed_comes_back(void **state)
{
    (void)state;
    struct server *server = start(NULL);
    struct process_result result = run(server, "kill server");
    process_result_free(&result);
    expect_run(server, "look", 0, "");
    server_stop(server);
}

static void an_early_end_is_every_run(void **state)
{
    (void)state;
    static const char *const environment[] = {"PENUMBRA_TEST_EARLY=1", NULL};
    struct server *server = start(environment);
    for (int i = 0; i < 2; i++) {
        struct process_result result = run(server, "say");
        assert_int_equal(result.exit_status, 5);
        assert_string_equal(text_string(&result.errors), "too early\n");
        process_result_free(&result);
    }
    assert_non_null(server_early_end(server));
    server_stop(server);
}

static void what_cannot_be_run_is_named(void **state)
{
    (void)state;
    struct server_request request = {.world = &world, .executable = "/nonexistent/program", .trace = -1};
    struct error error = {0};
    assert_null(server_start(&request, &limits, &error));
    assert_non_null(strstr(error.message, "/nonexistent/program"));
    error_clear(&error);
}

/* ---- traces ---- */

enum { EVENTS = 16, NODES = 64, OBJECTS = 4, DATA = 1024, CONSTANTS = 64 };

static struct pn_trace *make_trace(size_t *size)
{
    struct pn_trace header = {.event_capacity = EVENTS,
                              .node_capacity = NODES,
                              .object_capacity = OBJECTS,
                              .data_capacity = DATA,
                              .constants_capacity = CONSTANTS};
    header.events_offset = sizeof header;
    header.nodes_offset = header.events_offset + EVENTS * sizeof(struct pn_event);
    header.objects_offset = header.nodes_offset + NODES * sizeof(struct pn_node);
    header.data_offset = header.objects_offset + OBJECTS * sizeof(struct pn_object);
    header.constants_offset = header.data_offset + DATA;
    *size = header.constants_offset + CONSTANTS * 8;
    struct pn_trace *trace = calloc(1, *size);
    memcpy(trace, &header, offsetof(struct pn_trace, input_regions));
    return trace;
}

static uint32_t add_node(struct pn_trace *trace, enum pn_operation operation, unsigned width, uint32_t a, uint32_t b)
{
    pn_trace_nodes(trace)[trace->node_count] =
        (struct pn_node){.operation = (uint8_t)operation, .width = (uint8_t)width, .a = a, .b = b};
    return trace->node_count++;
}

/* Some of everything that is looked at. */
static void fill(struct pn_trace *trace)
{
    struct pn_output output = {.name_length = 3, .size = 4};
    trace->node_count = trace->object_count = 1;
    trace->event_count = trace->data_size = trace->constants_size = 0;
    trace->lost = trace->diverged = 0;
    trace->ending = PN_COMPLETED;
    uint32_t low = add_node(trace, PN_INPUT, 8, 0, 0), high = add_node(trace, PN_INPUT, 8, 1, 0);
    uint32_t both = add_node(trace, PN_CONCAT, 16, high, low), wide = add_node(trace, PN_ZEXT, 32, both, 0);
    uint32_t sum = add_node(trace, PN_ADD, 32, wide, wide), less = add_node(trace, PN_ULT, 1, sum, wide);
    pn_trace_constants(trace, 0)->count = 5;
    trace->constants_size = 6;
    add_node(trace, PN_LOOKUP, 8, low, 0);
    add_node(trace, PN_SHADOW, 32, sum, wide);
    memcpy(pn_trace_data(trace), &output, sizeof output);
    uint32_t labels[] = {sum << 3, sum << 3 | 1, sum << 3 | 2, 0};
    memcpy(pn_trace_data(trace) + 24, labels, sizeof labels);
    trace->data_size = 24 + sizeof labels;
    struct pn_event *events = pn_trace_events(trace);
    events[0] = (struct pn_event){.kind = PN_EVENT_BRANCH, .node = less};
    events[1] = (struct pn_event){.kind = PN_EVENT_SIGNED, .node = sum};
    events[2] = (struct pn_event){.kind = PN_EVENT_OUTPUT};
    trace->event_count = 3;
}

static void sound_traces_are_left_alone(void **state)
{
    (void)state;
    size_t size;
    struct pn_trace *trace = make_trace(&size);
    fill(trace);
    assert_true(received_cut(trace));
    assert_int_equal(trace->event_count, 3);
    assert_int_equal(trace->lost, 0);
    free(trace);
}

static void damage_is_cut_off(void **state)
{
    (void)state;
    size_t size;
    struct pn_trace *trace = make_trace(&size);
    fill(trace);
    pn_trace_nodes(trace)[5].a = 5; /* the sum is its own child */
    assert_false(received_cut(trace));
    assert_int_equal(trace->node_count, 5);
    assert_int_equal(trace->event_count, 0);
    assert_int_equal(trace->lost, PN_LOSS_DAMAGED);
    fill(trace);
    trace->event_count = UINT32_MAX;
    assert_false(received_cut(trace));
    assert_int_equal(trace->event_count, 0);
    fill(trace);
    ((struct pn_output *)pn_trace_data(trace))->size = 1 << 30;
    assert_false(received_cut(trace));
    assert_int_equal(trace->event_count, 2);
    free(trace);
}

/* Random bytes at random places: what is left is sound by its own measure, and sanitizers see no access outside. */
static void garbage_is_survived(void **state)
{
    (void)state;
    size_t size, first = offsetof(struct pn_trace, input_region_count);
    struct pn_trace *trace = make_trace(&size);
    srandom(1);
    for (int round = 0; round < 100000; round++) {
        fill(trace);
        for (long count = 1 + random() % 8; count > 0; count--) {
            size_t from = random() % 4 ? trace->events_offset : first, to = random() % 4 ? size : from + 40;
            ((unsigned char *)trace)[from + (size_t)random() % (to - from)] = (unsigned char)random();
        }
        received_cut(trace);
        if (!received_cut(trace))
            fail_msg("round %d: cut again", round);
        memset((char *)trace + first, 0, 64);
    }
    free(trace);
}

/* ---- main ---- */

static int begin(void **state)
{
    (void)state;
    struct error error = {0};
    char path[400];
    if (!file_make_scratch(scratch, &error))
        return 1;
    snprintf(work, sizeof work, "%s/work here", scratch);
    if (mkdir(work, 0755) || chdir(work))
        return 1;
    snprintf(path, sizeof path, "%s/old", work);
    bool good = file_write(path, "old", 3, &error);
    snprintf(path, sizeof path, "%s/kept", work);
    good = good && file_write(path, "kept", 4, &error) && !chmod(path, 0644);
    return good && world_make(&world, wanted_level, scratch, &error) && world.level == wanted_level ? 0 : 1;
}

/* As a compiler that was forked while a linked program was copied does. */
static void what_somebody_still_writes_is_waited_for(void **state)
{
    char original[sizeof executable], copy[sizeof scratch + 16];
    struct error error = {0};
    struct text content = {0};
    (void)state;
    snprintf(copy, sizeof copy, "%s/written", scratch);
    assert_true(file_read(executable, &content, &error));
    assert_true(file_write(copy, text_string(&content), content.length, &error));
    text_free(&content);
    assert_int_equal(chmod(copy, 0755), 0);
    int writing = open(copy, O_WRONLY | O_CLOEXEC);
    assert_true(writing >= 0);
    pid_t writer = fork();
    if (writer == 0) {
        usleep(300000);
        _exit(0);
    }
    close(writing);
    memcpy(original, executable, sizeof original);
    snprintf(executable, sizeof executable, "%s", copy);
    struct server *server = start(NULL);
    memcpy(executable, original, sizeof executable);
    server_stop(server);
    waitpid(writer, NULL, 0);
}

static int end(void **state)
{
    (void)state;
    if (chdir("/"))
        return 1;
    file_remove_tree(scratch);
    return 0;
}

static int run_level(enum world_level level)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_told_apart),
        cmocka_unit_test(a_run_leaves_its_files_and_the_next_has_none),
        cmocka_unit_test(limits_end_runs_and_not_servers),
        cmocka_unit_test(a_server_that_is_killed_comes_back),
        cmocka_unit_test(an_early_end_is_every_run),
        cmocka_unit_test(what_cannot_be_run_is_named),
        cmocka_unit_test(what_somebody_still_writes_is_waited_for),
    };
    struct text why = {0};
    if (!world_is_available(level, &why)) {
        printf("# level %s is not tried: %s\n", world_level_name(level), text_string(&why));
        text_free(&why);
        return 0;
    }
    wanted_level = level;
    return cmocka_run_group_tests_name(world_level_name(level), tests, begin, end);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest traces[] = {
        cmocka_unit_test(sound_traces_are_left_alone),
        cmocka_unit_test(damage_is_cut_off),
        cmocka_unit_test(garbage_is_survived),
    };
    if (argc > 1 && !strcmp(argv[1], SERVED))
        return serve_runs();
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[length > 0 ? length : 0] = '\0';
    int failed = cmocka_run_group_tests(traces, NULL, NULL);
    for (int level = 0; level < WORLD_LEVELS; level++)
        failed += run_level((enum world_level)level);
    return failed;
}
