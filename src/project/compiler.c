#include "project/compiler.h"

#include "base/file.h"
#include "base/paths.h"
#include "compile/compile.h"
#include "project/call.h"
#include "project/record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What other compilers only warn of: a build that they get through is not to end here. In front of all other
 * arguments, so that the build has the last word. */
static const char *const lenient[] = {"-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=int-conversion",
                                      "-Wno-error=incompatible-function-pointer-types",
                                      "-Wno-unknown-warning-option",
                                      "-Wno-unused-command-line-argument",
                                      "-Wno-ignored-optimization-argument"};
enum { LENIENT_COUNT = sizeof lenient / sizeof *lenient, NOT_STARTED = 127, SIGNALLED = 128 };

struct compiler {
    struct call call;
    char directory[PATH_MAX]; /* that it runs in */
    char scratch[256];
    size_t made; /* files in it */
    struct error *error;
};

/* ---- running clang ---- */

static void begin_command(struct words *command)
{
    words_add(command, COMPILE_PROGRAM);
    for (size_t i = 0; i < LENIENT_COUNT; i++)
        words_add(command, lenient[i]);
}

/* With our own standard streams; the exit status as a shell has it. */
static int run(struct compiler *compiler, const struct words *command, const char *headers)
{
    pid_t process = fork();
    if (process < 0) {
        error_set(compiler->error, "cannot start %s: %s", command->list[0], strerror(errno));
        return NOT_STARTED;
    }
    if (!process) {
        if (headers) {
            setenv("CC_PRINT_HEADERS", "1", 1);
            setenv("CC_PRINT_HEADERS_FILE", headers, 1);
        }
        execvp(command->list[0], (char *const *)command->list);
        _exit(NOT_STARTED);
    }
    int status;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    int result = WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
    if (result == NOT_STARTED)
        error_set(compiler->error, "cannot run %s: is it installed?", command->list[0]);
    return result;
}

/* The call as it is. */
static int run_call(struct compiler *compiler, const char *headers)
{
    struct words command = {0};
    begin_command(&command);
    for (size_t i = 0; i < compiler->call.arguments.count; i++)
        words_add(&command, compiler->call.arguments.list[i]);
    int status = run(compiler, &command, headers);
    words_free(&command);
    return status;
}

static const char *scratch_file(struct compiler *compiler, const char *end)
{
    return arena_format(compiler->call.arena, "%s/%zu%s", compiler->scratch, compiler->made++, end);
}

/* ---- records ---- */

/* Those of the system are the same for everyone. */
static bool is_system_header(const char *path)
{
    static const char *const places[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (text_begins_with(path, places[i]))
            return true;
    return false;
}

static json_t *read_headers(const char *path)
{
    struct text text = {0};
    struct error ignored = {0};
    json_t *list = json_array();
    file_read(path, &text, &ignored);
    error_clear(&ignored);
    char *rest = NULL, *line = text.length ? strtok_r(text.data, "\n", &rest) : NULL;
    for (; line; line = strtok_r(NULL, "\n", &rest))
        if (!is_system_header(line))
            json_array_append_new(list, json_string(line));
    text_free(&text);
    return list;
}

/* Adds the record to an object that is there. */
static bool put_record(struct compiler *compiler, const char *object, const char *section, const json_t *record)
{
    const char *path = scratch_file(compiler, ".record");
    char *line = record_line(record);
    struct words command = {0};
    bool good = line && file_write(path, line, strlen(line), compiler->error);
    words_add(&command, "objcopy");
    words_add(&command, "--add-section");
    words_add(&command, arena_format(compiler->call.arena, "%s=%s", section, path));
    words_add(&command, object);
    good = good && !run(compiler, &command, NULL);
    words_free(&command);
    free(line);
    return good;
}

/* What compiling depends on: neither the files, nor the linker's part. */
static void add_flags(const struct call *call, struct words *flags)
{
    const struct words *words = &call->arguments;
    for (size_t i = 0, input = 0; i < words->count; i += call_length(words, i)) {
        const char *word = words->list[i];
        if (input < call->count && call->inputs[input].place == i) {
            input++;
            continue;
        }
        if (call_is_for_linker(word) || !strcmp(word, "-c") || !strncmp(word, "-o", 2) || !strcmp(word, "-pipe"))
            continue;
        for (size_t k = 0; k < call_length(words, i); k++)
            words_add(flags, words->list[i + k]);
    }
}

/* The record of the unit that the object was made from; the exit status. */
static int put_unit(struct compiler *compiler, const char *object, const char *file, const char *headers)
{
    struct words flags = {0};
    for (size_t i = 0; i < LENIENT_COUNT; i++)
        words_add(&flags, lenient[i]);
    add_flags(&compiler->call, &flags);
    json_t *dependencies = read_headers(headers);
    json_t *record = record_make(compiler->directory, file, &flags, dependencies);
    bool good = put_record(compiler, object, RECORD_UNIT, record);
    json_decref(dependencies);
    json_decref(record);
    words_free(&flags);
    return good ? 0 : 1;
}

static bool is_object(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size;
}

/* Objects that clang has made in one call with -c. */
static int compile(struct compiler *compiler)
{
    const struct call *call = &compiler->call;
    const char *headers = scratch_file(compiler, ".headers");
    int status = run_call(compiler, headers);
    for (size_t i = 0; i < call->count && !status; i++) {
        const char *file = call->arguments.list[call->inputs[i].place];
        const char *object = call->output ? call->output : call_object(call->arena, file);
        if (call->inputs[i].is_c && is_object(object))
            status = put_unit(compiler, object, file, headers);
    }
    return status;
}

/* The object of a source that is compiled and linked in one call. */
static int compile_for_link(struct compiler *compiler, const char *file, const char **object)
{
    const char *headers = scratch_file(compiler, ".headers");
    struct words command = {0};
    *object = scratch_file(compiler, ".o");
    begin_command(&command);
    add_flags(&compiler->call, &command);
    words_add(&command, "-c");
    words_add(&command, "-o");
    words_add(&command, *object);
    words_add(&command, file);
    int status = run(compiler, &command, headers);
    words_free(&command);
    return status ? status : put_unit(compiler, *object, file, headers);
}

/* ---- linking ---- */

/* An object with the link's record; for a program, the one that records its starts. */
static bool make_link_object(struct compiler *compiler, const char **object)
{
    char support[4096];
    const struct call *call = &compiler->call;
    bool records_starts = !call->is_shared && !call->has_no_library;
    if (!paths_support_directory(support, compiler->error))
        return false;
    struct text bytes = {0};
    json_t *record = record_make(compiler->directory, NULL, &call->arguments, NULL);
    json_object_set_new(record, "shared", json_boolean(call->is_shared));
    json_object_set_new(record, "output", json_string(call->output ? call->output : "a.out"));
    const char *base = arena_format(call->arena, "%s/%s", support, records_starts ? "recorder.o" : "empty.o");
    *object = scratch_file(compiler, ".o");
    bool good = file_read(base, &bytes, compiler->error) &&
                file_write(*object, bytes.data, bytes.length, compiler->error) &&
                put_record(compiler, *object, RECORD_LINK, record);
    json_decref(record);
    text_free(&bytes);
    return good;
}

/* The sources' place is taken by their objects; `-x` no longer speaks of them. */
static int link_objects(struct compiler *compiler, const char *const *objects, const char *more)
{
    const struct call *call = &compiler->call;
    const struct words *words = &call->arguments;
    struct words command = {0};
    begin_command(&command);
    for (size_t i = 0, input = 0; i < words->count; i += call_length(words, i)) {
        bool is_input = input < call->count && call->inputs[input].place == i;
        if (is_input && objects[input]) {
            words_add(&command, "-x");
            words_add(&command, "none");
            words_add(&command, objects[input]);
        } else {
            for (size_t k = 0; k < call_length(words, i); k++)
                words_add(&command, words->list[i + k]);
        }
        input += is_input;
    }
    if (more) {
        words_add(&command, "-x");
        words_add(&command, "none");
        words_add(&command, more);
    }
    int status = run(compiler, &command, NULL);
    words_free(&command);
    return status;
}

static int link_program(struct compiler *compiler)
{
    const struct call *call = &compiler->call;
    const char **objects = arena_allocate(call->arena, call->count * sizeof *objects), *more = NULL;
    int status = 0;
    for (size_t i = 0; i < call->count && !status; i++)
        if (call->inputs[i].is_c)
            status = compile_for_link(compiler, call->arguments.list[call->inputs[i].place], &objects[i]);
    if (status)
        return status;
    if (!call->is_relocatable && !make_link_object(compiler, &more))
        return 1;
    return link_objects(compiler, objects, more);
}

static bool is_switched_off(void)
{
    const char *given = getenv(COMPILER_SWITCH);
    return given && !strcmp(given, COMPILER_OFF);
}

int compiler_run(char *const *arguments, struct error *error)
{
    struct compiler compiler = {.error = error};
    int status = 1;
    if (!call_read(&compiler.call, arguments, error) || !getcwd(compiler.directory, sizeof compiler.directory)) {
        error_set(error, "no current directory: %s", strerror(errno));
    } else if (compiler.call.action == CALL_OTHER || is_switched_off()) {
        status = run_call(&compiler, NULL);
    } else if (file_make_scratch(compiler.scratch, error)) {
        status = compiler.call.action == CALL_COMPILE ? compile(&compiler) : link_program(&compiler);
        file_remove_tree(compiler.scratch);
    }
    call_free(&compiler.call);
    return status;
}
