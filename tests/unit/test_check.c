#include "base/file.h"
#include "base/process.h"
#include "check/check.h"
#include "check/line_table.h"
#include "source/program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* One program that does something else for each x; the number is the case. */
static const char source[] = "#include \"penumbra.h\"\n"
                             "#include \"part.h\"\n"
                             "#include <assert.h>\n"
                             "#include <stdio.h>\n"
                             "#include <stdlib.h>\n"
                             "#include <string.h>\n"
                             "#include <unistd.h>\n"
                             "static char array[4] = {1};\n"
                             "static int counter;\n"
                             "int deep(int n) { char room[1000]; room[n % 1000] = 1; return deep(n + 1) + room[0]; }\n"
                             "int f(int x, char *s)\n"
                             "{\n"
                             "    switch (x) {\n"
                             "    case 1: return change(1, 2);\n"
                             "    case 2:\n"
                             "        array[change(0, -1)] = 1;\n"
                             "        break;\n"
                             "    case 3:\n"
                             "        assert(change(0, 1));\n"
                             "        break;\n"
                             "    case 4: return 10 / (counter * change(0, 1));\n"
                             "    case 5: return change(x, x + 0);\n"
                             "    case 6: return change(1, x + 2147483647) != 0;\n"
                             "    case 7:\n"
                             "        if (change(0, 1))\n"
                             "            abort();\n"
                             "        break;\n"
                             "    case 8:\n"
                             "        while (change(0, 1))\n"
                             "            counter++;\n"
                             "        break;\n"
                             "    case 9:\n"
                             "        printf(\"no end \");\n"
                             "        puts(change(\"a\", \"b\"));\n"
                             "        break;\n"
                             "    case 10:\n"
                             "        *change(&counter, (int *)0) = 1;\n"
                             "        break;\n"
                             "    case 11: {\n"
                             "        char *block = malloc(4);\n"
                             "        free(block);\n"
                             "        return change(0, block[2]) * 0;\n"
                             "    }\n"
                             "    case 12: exit(change(0, 3));\n"
                             "    case 13: return (1 << (counter + change(3, 40))) * 0;\n"
                             "    case 14: pn_assume(change(1, 0)); break;\n"
                             "    case 15:\n"
                             "        while (change(0, 1))\n"
                             "            memset(malloc(1 << 20), 1, 1 << 20);\n"
                             "        break;\n"
                             "    case 16:\n"
                             "        fputs(change(\"a\", \"b\"), stderr);\n"
                             "        break;\n"
                             "    case 17:\n"
                             "        assert(change(0, 1));\n"
                             "        return 1 / counter;\n"
                             "    case 18: return change(0, 1) ? deep(0) : 0;\n"
                             "    case 19:\n"
                             "        memcpy(s, \"0123456789\", (size_t)change(8, 9));\n"
                             "        break;\n"
                             "    case 20: return in_header(array, change(3, 4)) * 0;\n"
                             "    case 21: {\n"
                             "        char unused[4];\n"
                             "        unused[change(3, 4)] = 1;\n"
                             "        break;\n"
                             "    }\n"
                             "    case 22:\n"
                             "        printf(\"%p\\n\", (void *)&counter);\n"
                             "        break;\n"
                             "    case 23:\n"
                             "        printf(\"before \"), puts(\"the limit\");\n"
                             "        while (change(0, 1))\n"
                             "            counter++;\n"
                             "        break;\n"
                             "    case 24:\n"
                             "        while (change(0, 1))\n"
                             "            puts(\"on and on\");\n"
                             "        break;\n"
                             "    case 25:\n"
                             "        if (change(0, 1) && fork() == 0)\n"
                             "            for (;;)\n"
                             "                puts(\"survivor\");\n"
                             "        usleep(20000);\n"
                             "        abort();\n"
                             "    case 26:\n"
                             "        printf(\"%d\\n\", getppid());\n"
                             "        abort();\n"
                             "    }\n"
                             "    return 0;\n"
                             "}\n";

static const char header[] = "static int in_header(const char *bytes, int index)\n{\n    return bytes[index];\n}\n";

/* So that process numbers are those that this process knows. */
static const struct world world = {.level = WORLD_OPEN, .directory = "/"};

struct fixture {
    char directory[256];
    char *paths[4]; /* the source, the input, the harness directory, the native directory */
    struct unit units[1];
    const char *harness[1], *stubs[1], *links[1];
    struct program_request request;
    struct program program;
    struct checker *checker;
    struct error error;
};

static void write_file(struct fixture *fixture, const char *name, const char *content)
{
    char *path;
    assert_true(asprintf(&path, "%s/%s", fixture->directory, name) > 0);
    assert_true(file_write(path, content, strlen(content), &fixture->error));
    free(path);
}

static void begin(struct fixture *fixture, const char *text)
{
    *fixture = (struct fixture){0};
    assert_true(file_make_scratch(fixture->directory, &fixture->error));
    static const char *const names[] = {"case.c", "input", "harness", "native"};
    for (size_t i = 0; i < 4; i++)
        assert_true(asprintf(&fixture->paths[i], "%s/%s", fixture->directory, names[i]) > 0);
    write_file(fixture, "case.c", text);
    fixture->units[0].file = fixture->paths[0];
    fixture->request = (struct program_request){
        .units = fixture->units, .unit_count = 1, .entry = "f", .stubs = fixture->stubs, .links = fixture->links};
}

static void start(struct fixture *fixture)
{
    struct checker_options options = {.run_seconds = 1,
                                      .run_memory_bytes = 300 << 20,
                                      .harness = fixture->harness,
                                      .world = &world,
                                      .directory = fixture->paths[3]};
    if (!program_read(&fixture->program, &fixture->request, &fixture->error) ||
        !harness_write(&fixture->program, fixture->paths[2], fixture->harness, &fixture->error) ||
        !(fixture->checker = check_start(&fixture->program, &options, &fixture->error)))
        fail_msg("%s", fixture->error.message);
}

static void end(struct fixture *fixture)
{
    check_stop(fixture->checker);
    program_free(&fixture->program);
    error_clear(&fixture->error);
    file_remove_tree(fixture->directory);
    for (size_t i = 0; i < 4; i++)
        free(fixture->paths[i]);
}

static void write_input(struct fixture *fixture, const char *seed)
{
    uint8_t bytes[64];
    struct text text = {0};
    assert_true(input_parse(fixture->program.layout, seed, bytes, &fixture->error));
    input_print_file(fixture->program.layout, bytes, &text);
    write_file(fixture, "input", text_string(&text));
    text_free(&text);
}

static void check_case(struct fixture *fixture, int x, struct check_verdict *verdict)
{
    char seed[32];
    snprintf(seed, sizeof seed, "x=%d", x);
    write_input(fixture, seed);
    if (!check_input(fixture->checker, fixture->paths[1], verdict, &fixture->error))
        fail_msg("%s", fixture->error.message);
}

/* What is expected of each case; NULL: nothing is. */
static const struct {
    int x;
    enum check_class class;
    const char *old_failure, *new_failure; /* "" when it must not fail */
    const char *location;                  /* of the failure, behind the directory */
} cases[] = {
    {1, CHECK_OUTPUT, "", "", NULL},
    {2, CHECK_REGRESSION, "", "global-buffer-overflow", "/case.c:16:30"},
    {3, CHECK_FIX, "assertion", "", "/case.c:19:9"},
    {4, CHECK_BOTH_FAIL, "division by zero (SIGFPE)", "division by zero (SIGFPE)", "/case.c:21:23"},
    {5, CHECK_SILENT, "", "", NULL},
    {6, CHECK_SILENT, "", "", NULL},
    {7, CHECK_REGRESSION, "", "abort", "/case.c:26:13"},
    {8, CHECK_REGRESSION, "", "time limit", ""},
    {9, CHECK_OUTPUT, "", "", NULL},
    {10, CHECK_REGRESSION, "", "null pointer access (SIGSEGV)", "/case.c:37:37"},
    {11, CHECK_REGRESSION, "", "heap-use-after-free", "/case.c:42:16"},
    {12, CHECK_OUTPUT, "", "", NULL},
    {13, CHECK_SILENT, "", "", NULL},
    {14, CHECK_UNREPRODUCED, "", "", NULL},
    {15, CHECK_REGRESSION, "", "memory limit", ""},
    {16, CHECK_OUTPUT, "", "", NULL},
    {17, CHECK_OUTPUT, "assertion", "division by zero (SIGFPE)", NULL},
    {18, CHECK_REGRESSION, "", "stack-overflow", "/case.c:10"},
    {19, CHECK_REGRESSION, "", "heap-buffer-overflow", "/case.c:59:9"},
    {20, CHECK_REGRESSION, "", "global-buffer-overflow", "/part.h:3:12"},
    {21, CHECK_REGRESSION, "", "stack-buffer-overflow", "/case.c:64:30"},
    {22, CHECK_SILENT, "", "", NULL},
    {23, CHECK_REGRESSION, "", "time limit", ""},
};

static void every_kind_of_difference_is_classified(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, source);
    write_file(&fixture, "part.h", header);
    start(&fixture);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct check_verdict verdict;
        check_case(&fixture, cases[i].x, &verdict);
        const struct check_observation *failed = verdict.new_run.failed ? &verdict.new_run : &verdict.old_run;
        if (verdict.class != cases[i].class || strcmp(verdict.old_run.failure, cases[i].old_failure) != 0 ||
            strcmp(verdict.new_run.failure, cases[i].new_failure) != 0)
            fail_msg("case %d: %s, old '%s', new '%s'\n%s", cases[i].x, check_class_name(verdict.class),
                     verdict.old_run.failure, verdict.new_run.failure, text_string(&verdict.new_run.errors));
        size_t prefix = strlen(fixture.directory);
        if (cases[i].location &&
            (cases[i].location[0] == '\0'
                 ? failed->location[0] != '\0'
                 : strncmp(failed->location, fixture.directory, prefix) != 0 ||
                       strncmp(failed->location + prefix, cases[i].location, strlen(cases[i].location)) != 0))
            fail_msg("case %d: at '%s', expected '%s'", cases[i].x, failed->location, cases[i].location);
        assert_int_equal(verdict.signed_overflow, cases[i].x == 6);
        if (cases[i].x == 13)
            assert_non_null(strstr(verdict.undefined, "/case.c:45:24: shift exponent 40 is too large"));
        if (cases[i].x == 9)
            assert_string_equal(text_string(&verdict.new_run.output),
                                "no end b\nreturn = 00 00 00 00  # 0\ns = 00 00 00 00 00 00 00 00  # 0\n"
                                "array = 01 00 00 00  # 1\ncounter = 00 00 00 00  # 0\n");
        if (cases[i].x == 23)
            assert_string_equal(text_string(&verdict.new_run.output), "before the limit\n");
        if (cases[i].x == 12)
            assert_int_equal(verdict.new_run.exit_status, 3);
        check_verdict_free(&verdict);
    }
    end(&fixture);
}

/* Runs a native program by hand. */
static void run_by_hand(struct fixture *fixture, const char *argument, struct process_result *result)
{
    const char *const command[] = {check_executable(fixture->checker, PN_SIDE_NEW), argument, NULL};
    assert_true(process_run(command, NULL, NULL, result, &fixture->error));
}

/* ---- runs by servers ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Process ids and addresses differ from run to run. */
static void blank_numbers(struct text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (strchr("0123456789abcdef", text->data[i]))
            text->data[i] = '0';
}

/* In which function a stack comes to its end depends on where it lies. */
static void drop_frames(struct text *text)
{
    const char *frames = strstr(text_string(text), "\n    #");
    if (frames)
        text_truncate(text, (size_t)(frames - text->data));
}

static void assert_same_text(struct text *one, struct text *other)
{
    blank_numbers(one);
    blank_numbers(other);
    drop_frames(one);
    drop_frames(other);
    assert_string_equal(text_string(one), text_string(other));
}

static void served_runs_do_what_runs_alone_do(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, source);
    write_file(&fixture, "part.h", header);
    start(&fixture);
    static const int compared[] = {2, 3, 4, 7, 9, 10, 11, 12, 14, 16, 17, 18, 19, 21};
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        struct check_verdict verdict;
        struct process_result alone;
        check_case(&fixture, compared[i], &verdict);
        const char *const environment[] = {"ASAN_OPTIONS=symbolize=0", NULL};
        const char *const command[] = {check_executable(fixture.checker, PN_SIDE_NEW), fixture.paths[1], NULL};
        assert_true(process_run(command, environment, NULL, &alone, &fixture.error));
        assert_int_equal(verdict.new_run.exit_status, alone.exit_status);
        assert_same_text(&verdict.new_run.output, &alone.output);
        assert_same_text(&verdict.new_run.errors, &alone.errors);
        process_result_free(&alone);
        check_verdict_free(&verdict);
    }
    end(&fixture);
}

static void nothing_of_a_run_gets_into_the_next(void **state)
{
    (void)state;
    struct fixture fixture;
    struct check_verdict verdict;
    begin(&fixture, source);
    write_file(&fixture, "part.h", header);
    start(&fixture);
    check_case(&fixture, 24, &verdict);
    assert_string_equal(verdict.new_run.failure, "time limit");
    assert_in_range(verdict.new_run.output.length, 1, 16 << 20);
    check_verdict_free(&verdict);
    check_case(&fixture, 25, &verdict);
    assert_int_equal(verdict.class, CHECK_OUTPUT); /* both abort, and only one has printed before */
    assert_non_null(strstr(text_string(&verdict.new_run.output), "survivor\n"));
    check_verdict_free(&verdict);
    check_case(&fixture, 9, &verdict);
    assert_memory_equal(text_string(&verdict.new_run.output), "no end b\nreturn", 15);
    assert_string_equal(text_string(&verdict.new_run.errors), "");
    check_verdict_free(&verdict);
    end(&fixture);
}

static void what_a_program_writes_before_main_belongs_to_each_run(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\n#include <stdio.h>\n#include <unistd.h>\n"
                    "__attribute__((constructor)) static void early(void)\n"
                    "{ write(1, \"one \", 4); printf(\"two \"); fputs(\"early\", stderr); }\n"
                    "int f(int x) { return change(x, x + 1); }\n");
    start(&fixture);
    for (int i = 0; i < 3; i++) {
        struct check_verdict verdict;
        check_case(&fixture, i, &verdict);
        assert_memory_equal(text_string(&verdict.new_run.output), "one two \nreturn = ", 18);
        assert_string_equal(text_string(&verdict.new_run.errors), "early");
        check_verdict_free(&verdict);
    }
    end(&fixture);
}

static void thousand_replays_are_quick(void **state)
{
    (void)state;
    struct fixture fixture;
    struct check_verdict verdict;
    begin(&fixture, source);
    write_file(&fixture, "part.h", header);
    start(&fixture);
    check_case(&fixture, 5, &verdict);
    check_verdict_free(&verdict);
    const char *const command[] = {check_executable(fixture.checker, PN_SIDE_NEW), fixture.paths[1], NULL};
    double begun = now();
    for (int i = 0; i < 20; i++) {
        struct process_result result;
        assert_true(process_run(command, NULL, NULL, &result, &fixture.error));
        process_result_free(&result);
    }
    double alone = (now() - begun) / 20;
    begun = now();
    for (int i = 0; i < 500; i++) {
        assert_true(check_replay(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
        assert_int_equal(verdict.class, CHECK_SILENT);
        check_verdict_free(&verdict);
    }
    double served = (now() - begun) / 1000;
    print_message("%.2f ms for a run, %.2f ms alone\n", served * 1000, alone * 1000);
    assert_true(served < alone);
    end(&fixture);
}

/* The process that started the run: a server. */
static pid_t starter_of_old_run(struct fixture *fixture)
{
    struct check_verdict verdict;
    check_case(fixture, 26, &verdict);
    assert_int_equal(verdict.class, CHECK_BOTH_FAIL);
    pid_t starter = (pid_t)atoi(text_string(&verdict.old_run.output));
    check_verdict_free(&verdict);
    return starter;
}

static void runs_go_on_without_the_server(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, source);
    write_file(&fixture, "part.h", header);
    start(&fixture);
    pid_t server = starter_of_old_run(&fixture);
    assert_true(server > 0 && server != getpid());
    assert_int_equal(starter_of_old_run(&fixture), server);
    assert_int_equal(kill(server, SIGKILL), 0);
    pid_t other = starter_of_old_run(&fixture);
    assert_true(other > 0 && other != server && other != getpid());
    struct check_verdict verdict;
    check_case(&fixture, 3, &verdict);
    assert_string_equal(verdict.old_run.failure, "assertion");
    check_verdict_free(&verdict);
    end(&fixture);
}

/* ---- inputs and builds ---- */

static void stubs_are_fed_from_the_input(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\n_Bool ready(void);\nint sensor(const char *);\n"
                    "int f(int x) {\n"
                    "    int own = 9;\n"
                    "    pn_symbolic(&own, sizeof own, \"own\");\n"
                    "    return x + own + 10 * sensor(\"a\") + 100 * sensor(\"b\") + change(0, 1000) * ready();\n}\n");
    const char *const stubs[] = {"sensor", "ready"};
    fixture.request.stubs = stubs;
    fixture.request.stub_count = 2;
    start(&fixture);
    write_file(&fixture, "input",
               "# by hand\n\nx = 01 00 00 00\nsensor()#2 = 05 00 00 00 # five\nready() = 01\nz = 00\n");
    struct check_verdict verdict;
    assert_true(check_input(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
    assert_int_equal(verdict.class, CHECK_OUTPUT);
    assert_string_equal(text_string(&verdict.old_run.output), "return = fe 01 00 00  # 510\n");
    assert_string_equal(text_string(&verdict.new_run.output), "return = e6 05 00 00  # 1510\n");
    check_verdict_free(&verdict);

    write_file(&fixture, "input", "ready() = 02\n");
    assert_true(check_input(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
    assert_int_equal(verdict.class, CHECK_UNREPRODUCED);
    check_verdict_free(&verdict);

    write_file(&fixture, "input", "x = zz\n");
    assert_false(check_input(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "/input: line 1: expected a line like `x = 07 00 00 00`"));

    struct process_result result;
    run_by_hand(&fixture, NULL, &result);
    assert_int_equal(result.exit_status, 64);
    assert_memory_equal(text_string(&result.errors), "usage: ", 7);
    process_result_free(&result);
    static const char *const missing[] = {"/nowhere/input", "--serve"};
    for (size_t i = 0; i < 2; i++) {
        run_by_hand(&fixture, missing[i], &result);
        assert_int_equal(result.exit_status, 64);
        assert_non_null(strstr(text_string(&result.errors), ": No such file or directory"));
        process_result_free(&result);
    }
    end(&fixture);
}

static void linked_objects_are_used(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\nint helper(int);\nint main(void) { return 1; }\n"
                    "int f(int x) { return helper(change(x, x + 1)); }\n");
    write_file(&fixture, "helper.c", "int helper(int x) { return 2 * x; }\n");
    char *object, *helper;
    assert_true(asprintf(&object, "%s/helper.o", fixture.directory) > 0);
    assert_true(asprintf(&helper, "%s/helper.c", fixture.directory) > 0);
    struct process_result result;
    const char *const compile[] = {"gcc", "-c", helper, "-o", object, NULL};
    assert_true(process_run(compile, NULL, NULL, &result, &fixture.error));
    assert_int_equal(result.exit_status, 0);
    process_result_free(&result);
    fixture.links[0] = object;
    fixture.request.link_count = 1;
    start(&fixture);
    struct check_verdict verdict;
    check_case(&fixture, 4, &verdict);
    assert_string_equal(text_string(&verdict.new_run.output), "return = 0a 00 00 00  # 10\n");
    check_verdict_free(&verdict);
    free(object);
    free(helper);
    end(&fixture);
}

static void main_may_end_without_return(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "#include \"penumbra.h\"\n#include <stdio.h>\n"
          "int main(void) { int x = 5; pn_symbolic(&x, sizeof x, \"x\"); printf(\"%d\\n\", change(x, x + 1)); }\n");
    fixture.request.entry = "main";
    start(&fixture);
    write_file(&fixture, "input", "");
    struct check_verdict verdict;
    assert_true(check_replay(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
    assert_string_equal(text_string(&verdict.old_run.output), "5\nreturn = 00 00 00 00  # 0\n");
    assert_string_equal(text_string(&verdict.new_run.output), "6\nreturn = 00 00 00 00  # 0\n");
    check_verdict_free(&verdict);
    end(&fixture);
}

static void failed_build_tells_what_the_compiler_says(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\n#if defined(PENUMBRA_VERSION) && PN_VERSION == PN_NEW\n"
                    "#error broken\n#endif\nint f(int x) { return x; }\n");
    start(&fixture);
    write_input(&fixture, "x=1");
    struct check_verdict verdict;
    for (int i = 0; i < 2; i++) {
        assert_false(check_input(fixture.checker, fixture.paths[1], &verdict, &fixture.error));
        assert_non_null(strstr(fixture.error.message, "the new version cannot be built natively"));
        assert_non_null(strstr(fixture.error.message, "case.c:3:2: error: broken"));
        error_clear(&fixture.error);
    }
    end(&fixture);
}

static void stopping_does_not_wait_for_builds(void **state)
{
    (void)state;
    struct fixture fixture;
    char *long_source = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&long_source, &length);
    for (int i = 0; i < 3000; i++)
        fprintf(stream, "int g%d(int x) { int a[9] = {x}; for (int i = 0; i < x; i++) a[i %% 9] += i; return a[8]; }\n",
                i);
    fprintf(stream, "int f(int x) { return x; }\n");
    fclose(stream);
    begin(&fixture, long_source);
    free(long_source);
    start(&fixture);
    double begun = now();
    check_stop(fixture.checker);
    fixture.checker = NULL;
    assert_true(now() - begun < 0.5);
    end(&fixture);
}

static void unwritable_directory_is_an_error(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int f(int x) { return x; }\n");
    assert_true(program_read(&fixture.program, &fixture.request, &fixture.error));
    struct checker_options options = {.harness = fixture.harness, .directory = "/proc/nowhere"};
    assert_null(check_start(&fixture.program, &options, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "/proc/nowhere"));
    end(&fixture);
}

static struct check_observation observation(const char *failure, const char *output, int exit_status)
{
    struct check_observation result = {.failed = *failure, .exit_status = exit_status};
    snprintf(result.failure, sizeof result.failure, "%s", failure);
    text_add(&result.output, output);
    return result;
}

static void classes_follow_observations(void **state)
{
    (void)state;
    static const struct {
        const char *old_failure, *old_output;
        int old_status;
        const char *new_failure, *new_output;
        int new_status;
        enum check_class class;
    } pairs[] = {
        {"", "a", 0, "", "a", 0, CHECK_SILENT},
        {"", "a", 0, "", "b", 0, CHECK_OUTPUT},
        {"", "a", 0, "", "aa", 0, CHECK_OUTPUT},
        {"", "a", 0, "", "a", 1, CHECK_OUTPUT},
        {"", "a", 0, "abort", "a", 1, CHECK_REGRESSION},
        {"abort", "", 1, "", "a", 0, CHECK_FIX},
        {"abort", "a", 1, "abort", "a", 1, CHECK_BOTH_FAIL},
        {"abort", "a", 1, "abort", "b", 1, CHECK_OUTPUT},
        {"abort", "", 1, "assertion", "", 1, CHECK_OUTPUT},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct check_observation old_run = observation(pairs[i].old_failure, pairs[i].old_output, pairs[i].old_status);
        struct check_observation new_run = observation(pairs[i].new_failure, pairs[i].new_output, pairs[i].new_status);
        assert_int_equal(check_classify(&old_run, &new_run, 0), pairs[i].class);
        old_run.assumption_failed = true;
        assert_int_equal(check_classify(&old_run, &new_run, 0), CHECK_UNREPRODUCED);
        text_free(&old_run.output);
        text_free(&new_run.output);
    }
    assert_string_equal(check_class_name(CHECK_BOTH_FAIL), "both-fail");
    assert_string_equal(check_class_name(CHECK_UNREPRODUCED), "unreproduced");
}

/* A run that printed, returned and left something. */
static struct check_observation through_channels(const char *printed, const char *memory, const char *files)
{
    struct check_observation result = {.printed = strlen(printed), .left = strlen(files)};
    text_format(&result.output, "%s%s%s", printed, memory, files);
    return result;
}

static void channels_are_compared_each_in_its_way(void **state)
{
    (void)state;
    static const char small[] = "p = memory 0 + 0 of 4 bytes\np[0] = 01  # 1\n",
                      large[] = "p = memory 0 + 0 of 8 bytes\np[0] = 01 00  # 1\n", file[] = "./log = file 0644\n";
    static const struct {
        const char *old_parts[3], *new_parts[3];
        enum check_class class;
    } pairs[] = {
        {{"a\nb\n", "", ""}, {"b\na\n", "", ""}, CHECK_OUTPUT},                 /* a stream has an order */
        {{"", "a = 1\nb = 2\n", ""}, {"", "b = 2\na = 1\n", ""}, CHECK_SILENT}, /* names have none */
        {{"", "", "./a = 1\n./b = 2\n"}, {"", "", "./b = 2\n./a = 1\n"}, CHECK_SILENT},
        {{"a = 1\n", "", ""}, {"", "a = 1\n", ""}, CHECK_OUTPUT}, /* what is printed is no variable */
        {{"", "./a = 1\n", ""}, {"", "", "./a = 1\n"}, CHECK_OUTPUT},
        {{"", small, file}, {"", large, file}, CHECK_SILENT}, /* nobody can tell the size of a block */
        {{"", small, file}, {"", large, ""}, CHECK_OUTPUT},   /* which is no reason for a file to be missing */
        {{"x", "\na = 1\n", ""}, {"x", "\na = 2\n", ""}, CHECK_OUTPUT},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *const *one = pairs[i].old_parts, *const *other = pairs[i].new_parts;
        struct check_observation old_run = through_channels(one[0], one[1], one[2]);
        struct check_observation new_run = through_channels(other[0], other[1], other[2]);
        assert_int_equal(check_classify(&old_run, &new_run, 0), pairs[i].class);
        text_free(&old_run.output);
        text_free(&new_run.output);
    }
}

static void what_varies_is_left_out_of_each_channel(void **state)
{
    (void)state;
    struct check_observation run = through_channels("pid 7\nend", "\na = 1\np = 2\n", "./f = 7\n./g = 1\n");
    struct check_observation again = through_channels("pid 8\nend", "\na = 1\np = 3\n", "./f = 8\n./g = 1\n");
    struct check_observation other = through_channels("pid 9\nend", "\na = 1\np = 4\n", "./f = 9\n./g = 2\n");
    check_ignore_varying(&run, &again, &other);
    assert_string_equal(text_string(&run.output), "end\na = 1\n./g = 1\n");
    assert_string_equal(text_string(&other.output), "end\na = 1\n./g = 2\n");
    assert_int_equal(run.printed, 3);
    assert_int_equal(run.left, 8);
    assert_int_equal(check_classify(&run, &other, 0), CHECK_OUTPUT);
    text_free(&run.output), text_free(&again.output), text_free(&other.output);
    text_free(&run.errors), text_free(&other.errors);
}

static void failures_can_be_noted_afterwards(void **state)
{
    (void)state;
    struct check_verdict verdict = {.class = CHECK_SILENT};
    check_note_failure(&verdict, PN_SIDE_NEW, PN_CHECK_BOUNDS, "a.c:3:4");
    assert_int_equal(verdict.class, CHECK_REGRESSION);
    assert_true(verdict.new_run.by_own_check);
    assert_string_equal(verdict.new_run.location, "a.c:3:4");
    check_note_failure(&verdict, PN_SIDE_NEW, PN_CHECK_FREED, NULL);
    assert_string_equal(verdict.new_run.failure, "out-of-bounds access");
    check_note_failure(&verdict, PN_SIDE_OLD, PN_CHECK_BOUNDS, NULL);
    assert_int_equal(verdict.class, CHECK_BOTH_FAIL);
    check_verdict_free(&verdict);
    /* what the sanitizer has seen of the other version is the same failure, unless it is of another kind */
    struct check_observation overflow = {.failed = true, .left_object = true, .failure = "heap-buffer-overflow"};
    verdict = (struct check_verdict){.class = CHECK_REGRESSION, .new_run = overflow};
    check_note_failure(&verdict, PN_SIDE_OLD, PN_CHECK_BOUNDS, NULL);
    assert_int_equal(verdict.class, CHECK_BOTH_FAIL);
    verdict = (struct check_verdict){.class = CHECK_REGRESSION, .new_run = overflow};
    check_note_failure(&verdict, PN_SIDE_OLD, PN_CHECK_BEYOND, NULL);
    assert_int_equal(verdict.class, CHECK_BOTH_FAIL);
    verdict = (struct check_verdict){.class = CHECK_REGRESSION, .new_run = overflow};
    check_note_failure(&verdict, PN_SIDE_OLD, PN_CHECK_FREED, NULL);
    assert_int_equal(verdict.class, CHECK_OUTPUT);
    check_verdict_free(&verdict);
}

static void damaged_line_tables_do_no_harm(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int f(int x) { return x; }\n");
    struct line_place place;
    assert_false(line_table_find("/dev/null", 0, &place));
    assert_false(line_table_find("/nowhere/program", 0, &place));
    assert_false(line_table_find(fixture.paths[0], 0, &place));
    const char *const compile[] = {"clang-19", "-g", "-shared", "-o", fixture.paths[1], fixture.paths[0], NULL};
    struct process_result result;
    assert_true(process_run(compile, NULL, NULL, &result, &fixture.error));
    assert_int_equal(result.exit_status, 0);
    process_result_free(&result);
    struct text image = {0};
    assert_true(file_read(fixture.paths[1], &image, &fixture.error));
    uint32_t random = 1;
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 200; k++) {
            random = random * 1664525 + 1013904223;
            size_t at = 64 + random % (image.length - 64);
            image.data[at] = (char)(random >> 24);
        }
        assert_true(file_write(fixture.paths[2], image.data, image.length - (size_t)i, &fixture.error));
        for (uint64_t address = 0; address < 0x3000; address += 0x400)
            line_table_find(fixture.paths[2], address, &place);
    }
    text_free(&image);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_difference_is_classified),
        cmocka_unit_test(served_runs_do_what_runs_alone_do),
        cmocka_unit_test(nothing_of_a_run_gets_into_the_next),
        cmocka_unit_test(what_a_program_writes_before_main_belongs_to_each_run),
        cmocka_unit_test(thousand_replays_are_quick),
        cmocka_unit_test(runs_go_on_without_the_server),
        cmocka_unit_test(stubs_are_fed_from_the_input),
        cmocka_unit_test(linked_objects_are_used),
        cmocka_unit_test(main_may_end_without_return),
        cmocka_unit_test(failed_build_tells_what_the_compiler_says),
        cmocka_unit_test(stopping_does_not_wait_for_builds),
        cmocka_unit_test(unwritable_directory_is_an_error),
        cmocka_unit_test(classes_follow_observations),
        cmocka_unit_test(channels_are_compared_each_in_its_way),
        cmocka_unit_test(what_varies_is_left_out_of_each_channel),
        cmocka_unit_test(failures_can_be_noted_afterwards),
        cmocka_unit_test(damaged_line_tables_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
