#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/set.h"
#include "base/text.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* error */

static void error_keeps_the_first_message(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(error_set(&error, "%s:%d: cause", "a.c", 3));
    assert_false(error_set(&error, "consequence"));
    assert_string_equal(error.message, "a.c:3: cause");
    error_clear(&error);
    assert_null(error.message);
    assert_false(error_set(NULL, "nobody listens"));
}

/* set */

static void set_finds_what_was_added(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    struct set *set = set_create();
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(set_add(set, &i, sizeof i));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_false(set_add(set, &i, sizeof i));
        assert_int_equal(set_find(set, &i, sizeof i), i);
        assert_int_equal(set_enter(set, &i, sizeof i), i);
        assert_memory_equal(set_get(set, i), &i, sizeof i);
    }
    assert_int_equal(set_find(set, "other", 5), COUNT);
    assert_int_equal(set_enter(set, "other", 5), COUNT);
    assert_int_equal(set_count(set), COUNT + 1);
    set_destroy(set);
}

static void set_shares_strings_of_lists(void **state)
{
    (void)state;
    struct set *set = set_create();
    struct arena *arena = arena_create();
    const char **one = set_share_strings(set, arena, (const char *[]){"a", "b", "a", NULL});
    const char **other = set_share_strings(set, arena, (const char *[]){"b", "", NULL});
    assert_string_equal(one[0], "a");
    assert_ptr_equal(one[0], one[2]);
    assert_ptr_equal(one[1], other[0]);
    assert_string_equal(other[1], "");
    assert_null(one[3]);
    assert_null(other[2]);
    arena_destroy(arena);
    set_destroy(set);
}

/* arena */

static void arena_memory_is_zeroed_aligned_and_separate(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    size_t sizes[] = {1, 3, 16, 1000, 70000, 5, 200000, 0, 8};
    char *blocks[sizeof sizes / sizeof *sizes];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        blocks[i] = arena_allocate(arena, sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(blocks[i][k], i + 1);
    arena_destroy(arena);
    arena_destroy(NULL);
}

static void arena_strings_are_copies(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char original[] = "name";
    char *copy = arena_copy_string(arena, original);
    original[0] = 'g';
    assert_string_equal(copy, "name");
    assert_string_equal(arena_format(arena, "%s=%d", copy, -7), "name=-7");
    assert_string_equal(arena_format(arena, "%s", ""), "");
    arena_destroy(arena);
}

static void array_grows_and_keeps_its_elements(void **state)
{
    (void)state;
    int *array = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t i = 0; i < 10000; i++) {
        size_t before = capacity;
        array = array_reserve(array, &capacity, i + 1, sizeof *array);
        moves += capacity != before;
        assert_true(capacity > i);
        array[i] = (int)i;
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(array[i], i);
    assert_true(moves < 30);
    free(array);
}

/* text */

static void text_grows_and_stays_terminated(void **state)
{
    (void)state;
    struct text text = {0};
    assert_string_equal(text_string(&text), "");
    text_append(&text, NULL, 0);
    text_add(&text, "x = ");
    text_format(&text, "%d, %s", 12, "y");
    text_append(&text, "\0z", 2);
    assert_int_equal(text.length, 11);
    assert_memory_equal(text_string(&text), "x = 12, y\0z", 12);
    for (int i = 0; i < 1000; i++)
        text_format(&text, "%04d", i);
    assert_int_equal(text.length, 4011);
    assert_string_equal(text.data + 4011 - 8, "09980999");
    text_free(&text);
    assert_string_equal(text_string(&text), "");
}

/* file: the state is a scratch directory */

static int make_scratch(void **state)
{
    static char path[256];
    *state = path;
    return file_make_scratch(path, NULL) ? 0 : -1;
}

static int remove_scratch(void **state)
{
    file_remove_tree(*state);
    return access(*state, F_OK) == 0 ? -1 : 0;
}

static const char *below(void **state, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", (char *)*state, name);
    return path;
}

static void file_is_read_as_written(void **state)
{
    struct error error = {0};
    size_t size = 300000;
    char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 7);
    assert_true(file_write(below(state, "data"), "short", 5, &error));
    assert_true(file_write(below(state, "data"), bytes, size, &error));
    struct text content = {0};
    assert_true(file_read(below(state, "data"), &content, &error));
    assert_int_equal(content.length, size);
    assert_memory_equal(content.data, bytes, size);
    text_free(&content);
    free(bytes);
}

static void file_written_through_a_link_keeps_the_link(void **state)
{
    char target[512];
    snprintf(target, sizeof target, "%s", below(state, "target"));
    assert_true(file_write(target, "before, longer", 14, NULL));
    assert_int_equal(symlink(target, below(state, "link")), 0);
    assert_true(file_write(below(state, "link"), "after", 5, NULL));
    struct stat status;
    assert_int_equal(lstat(below(state, "link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    struct text content = {0};
    assert_true(file_read(target, &content, NULL));
    assert_string_equal(text_string(&content), "after");
    text_free(&content);
}

static void file_errors_name_path_and_reason(void **state)
{
    struct error error = {0};
    struct text content = {0};
    assert_false(file_read("/nonexistent/a.c", &content, &error));
    assert_string_equal(error.message, "cannot open /nonexistent/a.c: No such file or directory");
    error_clear(&error);
    assert_false(file_read(*state, &content, &error));
    assert_non_null(strstr(error.message, "Is a directory"));
    error_clear(&error);
    assert_false(file_write("/nonexistent/a.c", "", 0, &error));
    assert_string_equal(error.message, "cannot write /nonexistent/a.c: No such file or directory");
    error_clear(&error);
    assert_true(file_write(below(state, "plain"), "", 0, &error));
    assert_false(file_make_directory(below(state, "plain/below"), &error));
    assert_non_null(strstr(error.message, "plain"));
    error_clear(&error);
}

static void directories_are_made_with_their_parents(void **state)
{
    assert_true(file_make_directory(below(state, "a/b//c/"), NULL));
    assert_true(file_make_directory(below(state, "a/b/c"), NULL));
    assert_true(file_write(below(state, "a/b/c/file"), "x", 1, NULL));
    assert_int_equal(access(below(state, "a/b/c/file"), R_OK), 0);
}

static void support_directory_is_found_beside_the_build(void **state)
{
    (void)state;
    char path[4096], header[5000];
    struct error error = {0};
    assert_true(paths_support_directory(path, &error));
    snprintf(header, sizeof header, "%s/include/penumbra.h", path);
    assert_int_equal(access(header, R_OK), 0);
}

/* process */

static struct process_result shell(const char *script, struct process_limits limits)
{
    struct process_result result;
    struct error error = {0};
    const char *const argv[] = {"sh", "-c", script, NULL};
    assert_true(process_run(argv, NULL, &limits, &result, &error));
    assert_null(error.message);
    return result;
}

static void process_streams_and_status_are_collected(void **state)
{
    (void)state;
    struct process_result result = shell("echo out; echo err >&2; cat; exit 3", (struct process_limits){0});
    assert_int_equal(result.exit_status, 3);
    assert_int_equal(result.signal, 0);
    assert_string_equal(text_string(&result.output), "out\n");
    assert_string_equal(text_string(&result.errors), "err\n");
    process_result_free(&result);
}

static void process_signal_is_reported(void **state)
{
    (void)state;
    struct process_result result = shell("kill -SEGV $$", (struct process_limits){0});
    assert_int_equal(result.exit_status, -1);
    assert_int_equal(result.signal, SIGSEGV);
    assert_false(result.timed_out);
    process_result_free(&result);
}

static void process_environment_is_added_and_replaced(void **state)
{
    (void)state;
    setenv("PENUMBRA_TEST_A", "old", 1);
    setenv("PENUMBRA_TEST_AB", "kept", 1);
    const char *const additions[] = {"PENUMBRA_TEST_A=new", "PENUMBRA_TEST_C=", NULL};
    const char *const argv[] = {"env", NULL};
    struct process_result result;
    assert_true(process_run(argv, additions, NULL, &result, NULL));
    const char *output = text_string(&result.output);
    assert_non_null(strstr(output, "PENUMBRA_TEST_A=new\n"));
    assert_null(strstr(output, "PENUMBRA_TEST_A=old\n"));
    assert_non_null(strstr(output, "PENUMBRA_TEST_AB=kept\n"));
    assert_non_null(strstr(output, "PENUMBRA_TEST_C=\n"));
    process_result_free(&result);
}

static void process_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    struct process_result result;
    struct error error = {0};
    const char *const argv[] = {"/nonexistent/program", NULL};
    assert_false(process_run(argv, NULL, NULL, &result, &error));
    assert_string_equal(error.message, "cannot run /nonexistent/program: No such file or directory");
    error_clear(&error);
}

static void process_is_killed_at_the_time_limit_with_its_children(void **state)
{
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* so that the second sleep becomes our child when its parent dies */
    double start = now();
    struct process_result result = shell("echo $$; sleep 60 & sleep 60", (struct process_limits){.seconds = 0.3});
    assert_true(result.timed_out);
    assert_int_equal(result.signal, SIGKILL);
    assert_true(now() - start < 10);
    pid_t group = (pid_t)atoi(text_string(&result.output));
    assert_true(group > 1);
    int status = 0;
    assert_true(waitpid(-group, &status, 0) > 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    process_result_free(&result);
}

static void process_that_leaves_a_child_behind_ends(void **state)
{
    (void)state;
    double start = now();
    struct process_result result = shell("sleep 60 & echo done", (struct process_limits){0});
    assert_string_equal(text_string(&result.output), "done\n");
    assert_int_equal(result.exit_status, 0);
    assert_true(now() - start < 10);
    process_result_free(&result);
}

static void process_that_closes_its_streams_is_waited_for(void **state)
{
    (void)state;
    struct process_result result = shell("exec >&- 2>&-; sleep 0.3; exit 5", (struct process_limits){.seconds = 30});
    assert_int_equal(result.exit_status, 5);
    process_result_free(&result);
}

static void process_is_killed_at_the_memory_limit(void **state)
{
    (void)state;
    struct process_limits limits = {.seconds = 60, .memory_bytes = 64 << 20};
    const char *script = "exec python3 -c 'a = b\"x\" * (1 << 28); import time; time.sleep(60)'";
    struct process_result result = shell(script, limits);
    assert_true(result.out_of_memory);
    assert_false(result.timed_out);
    assert_int_equal(result.signal, SIGKILL);
    process_result_free(&result);
}

static void process_output_beyond_the_limit_is_dropped(void **state)
{
    (void)state;
    struct process_limits limits = {.seconds = 60, .output_bytes = 1000};
    struct process_result result = shell("head -c 5000000 /dev/zero; echo end >&2", limits);
    assert_int_equal(result.exit_status, 0);
    assert_int_equal(result.output.length, 1000);
    assert_string_equal(text_string(&result.errors), "end\n");
    process_result_free(&result);
}

static void processes_started_together_run_together(void **state)
{
    (void)state;
    const char *const argv[] = {"sh", "-c", "sleep 0.2; head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2",
                                NULL};
    double start = now();
    struct process *processes[3];
    for (int i = 0; i < 3; i++)
        assert_non_null(processes[i] = process_start(argv, NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        struct process_result result;
        process_finish(processes[i], &result);
        assert_int_equal(result.exit_status, 0);
        assert_int_equal(result.output.length, 3000000);
        assert_int_equal(result.errors.length, 3000000);
        process_result_free(&result);
    }
    assert_true(now() - start < 10);
}

static void process_resident_size_is_known(void **state)
{
    (void)state;
    assert_true(process_resident_bytes(getpid()) > 100000);
    assert_int_equal(process_resident_bytes(-5), 0);
}

#define with_scratch(test) cmocka_unit_test_setup_teardown(test, make_scratch, remove_scratch)

/* On one processor, with others that want it all the time. */
static void waiting_for_the_processor_does_not_count(void **state)
{
    (void)state;
    enum { HOGS = 10 };
    pid_t hogs[HOGS];
    cpu_set_t before, one;
    struct process_result result;
    struct error error = {0};
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (size_t i = 0; i < HOGS; i++) {
        pid_t parent = getpid();
        hogs[i] = fork();
        if (!hogs[i]) {
            process_follow(parent);
            for (volatile unsigned n = 0;; n++)
                ;
        }
    }
    const char *const command[] = {"sh", "-c", "i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done", NULL};
    struct process_limits limits = {.seconds = 1};
    bool good = process_run(command, NULL, &limits, &result, &error);
    for (int again = 0; again < 4 && good && result.timed_out; again++) { /* it may also have waited for a disk */
        process_result_free(&result);
        good = process_run(command, NULL, &limits, &result, &error);
    }
    for (size_t i = 0; i < HOGS; i++) {
        kill(hogs[i], SIGKILL);
        waitpid(hogs[i], NULL, 0);
    }
    sched_setaffinity(0, sizeof before, &before);
    assert_true(good);
    assert_false(result.timed_out);
    assert_int_equal(result.exit_status, 0);
    process_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_for_the_processor_does_not_count),
        cmocka_unit_test(error_keeps_the_first_message),
        cmocka_unit_test(set_finds_what_was_added),
        cmocka_unit_test(set_shares_strings_of_lists),
        cmocka_unit_test(arena_memory_is_zeroed_aligned_and_separate),
        cmocka_unit_test(arena_strings_are_copies),
        cmocka_unit_test(array_grows_and_keeps_its_elements),
        cmocka_unit_test(text_grows_and_stays_terminated),
        with_scratch(file_is_read_as_written),
        with_scratch(file_written_through_a_link_keeps_the_link),
        with_scratch(file_errors_name_path_and_reason),
        with_scratch(directories_are_made_with_their_parents),
        cmocka_unit_test(support_directory_is_found_beside_the_build),
        cmocka_unit_test(process_streams_and_status_are_collected),
        cmocka_unit_test(process_signal_is_reported),
        cmocka_unit_test(process_environment_is_added_and_replaced),
        cmocka_unit_test(process_that_does_not_exist_is_an_error),
        cmocka_unit_test(process_is_killed_at_the_time_limit_with_its_children),
        cmocka_unit_test(process_that_leaves_a_child_behind_ends),
        cmocka_unit_test(process_that_closes_its_streams_is_waited_for),
        cmocka_unit_test(process_is_killed_at_the_memory_limit),
        cmocka_unit_test(process_output_beyond_the_limit_is_dropped),
        cmocka_unit_test(processes_started_together_run_together),
        cmocka_unit_test(process_resident_size_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
