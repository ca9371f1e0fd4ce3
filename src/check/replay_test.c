/* The end of a test that `penumbra export` writes: runs the harness on the test's input in a process of its own, and
 * compares what comes of it with what is expected. With the runtime of native programs, and nothing else, in one file
 * (tools/amalgamate), it is built with the test by any compiler that has AddressSanitizer. */
#define main __pn_replay_main
#include "check/replay_runtime.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include <sys/wait.h>

/* What the test's own file defines. */
extern const char __pn_test_input[], __pn_test_expected[];
extern const int __pn_test_status;

int __pn_test_passes(void);

enum { TEST_SECONDS = 20 };

/* ---- running ---- */

static void test_trouble(const char *what)
{
    perror(what);
    exit(2);
}

/* The child. What it prints and its outputs go to files of their own. */
static void test_run(FILE *printed, FILE *outputs)
{
    char path[] = "/tmp/penumbra-test-XXXXXX", name[] = "test", opened[64];
    int file = mkstemp(path);
    size_t length = strlen(__pn_test_input);
    if (file < 0 || write(file, __pn_test_input, length) != (ssize_t)length || dup2(fileno(printed), STDOUT_FILENO) < 0)
        test_trouble(path);
    unlink(path);
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", file);
    setvbuf(outputs, NULL, _IOLBF, 0);
    replay_results = outputs;
    alarm(TEST_SECONDS);
    exit(__pn_replay_main(2, (char *[]){name, opened, NULL}));
}

static void test_append(char **text, FILE *file)
{
    size_t length = strlen(*text);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    *text = realloc(*text, length + size + 2);
    if (!*text)
        test_trouble("no memory for what is printed");
    size = fread(*text + length, 1, size, file);
    (*text)[length + size] = '\0';
    fclose(file);
}

/* What is printed ends with a line. */
static char *test_join(FILE *printed, FILE *outputs)
{
    char *text = calloc(1, 1);
    test_append(&text, printed);
    size_t length = strlen(text);
    if (length && text[length - 1] != '\n')
        text[length] = '\n', text[length + 1] = '\0';
    test_append(&text, outputs);
    return text;
}

/* ---- comparing ---- */

static size_t test_line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* Whether the text has this line, or no line of this name: a version may have variables that the other has not. */
static int test_has(const char *text, const char *line)
{
    size_t length = test_line_length(line);
    const char *equals = strstr(line, " = ");
    size_t name = equals && equals < line + length ? (size_t)(equals + 3 - line) : 0;
    int has_name = 0;
    for (const char *at = text; *at; at += test_line_length(at), at += *at == '\n') {
        if (test_line_length(at) == length && !__interceptor_strncmp(at, line, length))
            return 1;
        has_name |= name && !__interceptor_strncmp(at, line, name);
    }
    return name && !has_name;
}

static int test_compare(const char *text, const char *other, const char *what)
{
    int same = 1;
    for (const char *line = other; *line; line += test_line_length(line), line += *line == '\n')
        if (!test_has(text, line)) {
            fprintf(stderr, "%s: %.*s\n", what, (int)test_line_length(line), line);
            same = 0;
        }
    return same;
}

int __pn_test_passes(void)
{
    int status;
    FILE *printed = tmpfile(), *outputs = tmpfile();
    if (!printed || !outputs)
        test_trouble("no temporary file");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        test_trouble("no process");
    if (child == 0)
        test_run(printed, outputs);
    waitpid(child, &status, 0);
    char *text = test_join(printed, outputs);
    int good = WIFEXITED(status) && WEXITSTATUS(status) == __pn_test_status;
    if (!good)
        fprintf(stderr, "expected: exit status %d\nbut: %s %d\n", __pn_test_status,
                WIFEXITED(status) ? "exit status" : "signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    good &= test_compare(text, __pn_test_expected, "expected");
    good &= test_compare(__pn_test_expected, text, "but");
    free(text);
    return good;
}
