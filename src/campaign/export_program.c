/* A finding of a whole program as a test: a shell script that makes what the program is started with, starts it, and
 * compares what it prints and its exit status. */
#include "base/file.h"
#include "campaign/export_test.h"
#include "campaign/kept_test.h"
#include "campaign/repro.h"
#include "report/views.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS "-std=gnu17 -w -g -O0 -fwrapv -fno-strict-aliasing -fsanitize=address -I."
static const int TEST_SECONDS = 30;

static const json_t *invocation_of(const struct test *test)
{
    return json_object_get(test->build, "invocation");
}

bool program_test_is_one(const struct test *test)
{
    return json_is_object(invocation_of(test));
}

/* ---- the witness's input ---- */

/* The line of the input by its name; NULL: there is none. */
static const char *find_line(const char *input, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = input; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, name, length) && !strncmp(line + length, " =", 2))
            return line + length + 2;
    return NULL;
}

/* Appends the bytes of an input; false: it has none of that name. */
static bool add_bytes(const char *input, const char *name, struct text *bytes)
{
    const char *at = find_line(input, name);
    if (!at)
        return false;
    while (at[0] == ' ' && isxdigit((unsigned char)at[1])) {
        text_append(bytes, (const char[]){(char)strtoul(at + 1, NULL, 16)}, 1);
        at += 3;
    }
    return true;
}

/* Of what is no input: digits without spaces. */
static struct text bytes_of(const char *digits)
{
    struct text bytes = {0};
    for (; digits[0] && digits[1]; digits += 2) {
        const char two[] = {digits[0], digits[1], '\0'};
        text_append(&bytes, (const char[]){(char)strtoul(two, NULL, 16)}, 1);
    }
    return bytes;
}

/* As the machine has it: little end first. */
static size_t number_of(const char *input, const char *name)
{
    struct text bytes = {0};
    size_t number = 0;
    add_bytes(input, name, &bytes);
    for (size_t i = bytes.length; i-- > 0;)
        number = number << 8 | (unsigned char)bytes.data[i];
    text_free(&bytes);
    return number;
}

/* What a channel holds: as many bytes as its length says, or up to a zero. */
static bool add_content(const char *input, const json_t *channel, struct text *content)
{
    const char *length = view_string(channel, "length");
    size_t before = content->length;
    if (!add_bytes(input, view_string(channel, "name"), content))
        return false;
    size_t size = *length ? number_of(input, length) : strlen(text_string(content) + before);
    if (before + size < content->length)
        text_truncate(content, before + size);
    return true;
}

static bool is_of_start(const json_t *invocation, const char *line)
{
    size_t i;
    json_t *channel;
    if (!strncmp(line, "argc =", 6))
        return true;
    json_array_foreach (json_object_get(invocation, "channels"), i, channel) {
        const char *names[] = {view_string(channel, "name"), view_string(channel, "length")};
        for (size_t k = 0; k < 2; k++)
            if (*names[k] && !strncmp(line, names[k], strlen(names[k])) && !strncmp(line + strlen(names[k]), " =", 2))
                return true;
    }
    return false;
}

static bool read_input(const struct test *test, struct text *input, struct error *error)
{
    return file_read(test_witness_file(test, "input"), input, error);
}

/* An allocation that fails, or what memory holds that nobody has written, is nothing that a start can have. Nor may a
 * script write what a root directory of the program's own has. */
const char *program_test_obstacle(const struct test *test)
{
    struct text input = {0};
    struct error ignored = {0};
    const char *obstacle = NULL;
    if (test->request->format == EXPORT_CHECK || test->request->format == EXPORT_CMOCKA)
        return "a whole program is tested by a script: --format sh or ctest makes one";
    if (json_is_true(json_object_get(invocation_of(test), "own_root")))
        return "it has a root directory of its own (--root), which a script cannot make";
    if (read_input(test, &input, &ignored))
        for (const char *line = text_string(&input); *line; line += strcspn(line, "\n"), line += *line == '\n') {
            const char *value = strstr(line, " =");
            bool is_zero = !value || strspn(value, " =0") >= strcspn(value, "#\n");
            if (!is_of_start(invocation_of(test), line) && !is_zero)
                obstacle = "its input is more than a start of the program";
        }
    text_free(&input);
    error_clear(&ignored);
    return obstacle;
}

/* ---- for a shell ---- */

/* As printf's format, between apostrophes. */
static void add_format(const char *bytes, size_t length, struct text *text)
{
    text_add(text, "'");
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < ' ' || bytes[i] > '~' || strchr("'\\%", bytes[i]))
            text_format(text, "\\%03o", (unsigned char)bytes[i]);
        else
            text_append(text, &bytes[i], 1);
    text_add(text, "'");
}

/* `printf 'ab\012' >FILE` */
static void add_printf(const char *bytes, size_t length, const char *file, struct text *text)
{
    text_add(text, "printf ");
    add_format(bytes, length, text);
    text_format(text, " >%s\n", file);
}

static bool is_plain(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < ' ' || bytes[i] > '~' || bytes[i] == '\'')
            return false;
    return true;
}

/* A word, behind what makes it: $(...) takes newlines away at the end, but not before an x. */
static void add_word(const char *bytes, size_t length, size_t *made, struct text *before, struct text *words)
{
    if (is_plain(bytes, length)) {
        text_add(words, " '");
        text_append(words, bytes, length);
        text_add(words, "'");
        return;
    }
    text_format(before, "word%zu=$(printf ", *made);
    add_format(bytes, length, before);
    text_format(before, "x)\n");
    text_format(words, " \"${word%zu%%x}\"", (*made)++);
}

/* ---- the script ---- */

static void add_arguments(const struct test *test, const char *input, struct text *text)
{
    struct text before = {0}, words = {0};
    size_t i, made = 0, argument = 0, count = number_of(input, "argc");
    json_t *one;
    json_array_foreach (json_object_get(invocation_of(test), "fixed"), i, one) {
        struct text word = bytes_of(json_string_value(one));
        add_word(text_string(&word), word.length, &made, &before, &words);
        text_free(&word);
    }
    json_array_foreach (json_object_get(invocation_of(test), "channels"), i, one) {
        struct text content = {0};
        if (strcmp(view_string(one, "kind"), KEPT_ARGUMENT))
            continue;
        if (++argument < count && add_content(input, one, &content))
            add_word(text_string(&content), content.length, &made, &before, &words);
        text_free(&content);
    }
    text_format(text, "%sset --%s\n", text_string(&before), text_string(&words));
    text_free(&before), text_free(&words);
}

static void add_file(const struct test *test, const json_t *channel, const struct text *content, struct text *text)
{
    const char *path = view_string(channel, "path"), *slash = strrchr(path, '/');
    if (slash)
        text_format(text, "mkdir -p %s\n",
                    repro_quote(test->arena, arena_format(test->arena, "%.*s", (int)(slash - path), path)));
    add_printf(text_string(content), content->length, repro_quote(test->arena, path), text);
}

/* Files and standard input; variables are gathered for `env`. */
static void add_channels(const struct test *test, const char *input, struct text *variables, struct text *text)
{
    size_t i, made = 1000; /* words of their own */
    json_t *channel;
    struct text fixed = bytes_of(view_string(invocation_of(test), "input"));
    add_printf(text_string(&fixed), fixed.length, "\"$place/stdin\"", text);
    text_free(&fixed);
    json_array_foreach (json_object_get(invocation_of(test), "channels"), i, channel) {
        struct text content = {0};
        const char *kind = view_string(channel, "kind");
        if (!strcmp(kind, KEPT_VARIABLE))
            text_format(&content, "%s=", view_string(channel, "path"));
        bool is_there = add_content(input, channel, &content);
        if (is_there && !strcmp(kind, KEPT_STREAM))
            add_printf(text_string(&content), content.length, "\"$place/stdin\"", text);
        else if (is_there && !strcmp(kind, KEPT_FILE))
            add_file(test, channel, &content, text);
        else if (is_there && !strcmp(kind, KEPT_VARIABLE))
            add_word(text_string(&content), content.length, &made, text, variables);
        text_free(&content);
    }
}

static void add_head(const struct test *test, struct text *text)
{
    struct text place = {0};
    view_add_place(test->group, &place);
    text_format(
        text,
        "#!/bin/sh\n# Written by penumbra export: a test of a whole program, from a %s at %s.\n# %s\n"
        "# It passes with the behaviour of the %s version. The program is its only argument, and runs in a fresh\n"
        "# directory, but with all rights of who starts it.\n"
        "program=$(realpath \"${1:?which program?}\") && place=$(mktemp -d) || exit 2\n"
        "trap 'rm -rf \"$place\"' EXIT\n"
        "export LC_ALL=C\numask 022\n"
        "mkdir \"$place/bin\" \"$place/work\" && ln -s \"$program\" \"$place/bin/program\" && "
        "cd \"$place/work\" || exit 2\n",
        view_string(test->group, "class"), text_string(&place), view_string(test->group, "input"),
        test->expected_version);
    const char *directory = view_string(invocation_of(test), "directory");
    if (*directory)
        text_format(text, "cp -a %s/. . || exit 2 # where it is started\n", repro_quote(test->arena, directory));
    text_free(&place);
}

static void add_run(const struct test *test, const struct text *variables, struct text *text)
{
    const json_t *run = test_run_of(test->group, test->expected_version);
    text_format(text,
                "env -i PATH=\"$place/bin:$PATH\" LC_ALL=C ASAN_OPTIONS=detect_leaks=0%s timeout %d program \"$@\" "
                "<\"$place/stdin\" >\"$place/printed\"\n"
                "status=$?\n"
                "[ $status = %lld ] || { echo \"exit status $status, not %lld\"; exit 1; }\n"
                "cmp \"$place/expected\" \"$place/printed\"\n",
                text_string(variables), TEST_SECONDS,
                (long long)json_integer_value(json_object_get(run, "exit_status")),
                (long long)json_integer_value(json_object_get(run, "exit_status")));
}

bool program_test_write(const struct test *test, struct error *error)
{
    struct text input = {0}, expected = {0}, variables = {0}, text = {0};
    const char *printed = test_witness_file(test, arena_format(test->arena, "%s.stdout", test->expected_version));
    const char *path = arena_format(test->arena, "%s/%s.sh", test->request->directory, test->name);
    bool good = read_input(test, &input, error) && file_read(printed, &expected, error);
    if (good) {
        add_head(test, &text);
        add_channels(test, text_string(&input), &variables, &text);
        add_printf(text_string(&expected), expected.length, "\"$place/expected\"", &text);
        add_arguments(test, text_string(&input), &text);
        add_run(test, &variables, &text);
        good = file_write(path, text_string(&text), text.length, error) &&
               (!chmod(path, 0755) || error_set(error, "%s cannot be made a program", path));
    }
    text_free(&input), text_free(&expected), text_free(&variables), text_free(&text);
    return good;
}

/* ---- all of them ---- */

static void add_sources(const struct test *test, bool has_flags, struct text *text)
{
    size_t i;
    json_t *unit;
    json_array_foreach (json_object_get(test->build, "units"), i, unit) {
        const char *source = view_string(unit, "source");
        text_format(text, "%s %s", has_flags ? view_string(unit, "cflags") : "",
                    access(source, R_OK) ? view_string(unit, "name") : source);
    }
}

static void add_links(const struct test *test, struct text *text)
{
    size_t i;
    json_t *link;
    json_array_foreach (json_object_get(test->build, "links"), i, link) {
        text_format(text, " %s", json_string_value(link));
    }
}

void program_test_add_build(const struct test *test, struct text *list)
{
    bool is_annotated = json_is_true(json_object_get(test->build, "annotated"));
    if (test->request->format == EXPORT_CTEST) {
        text_format(list, "add_executable(program");
        add_sources(test, false, list);
        text_format(list,
                    ")\nseparate_arguments(PROGRAM_FLAGS UNIX_COMMAND \"" FLAGS "%s\")\n"
                    "target_compile_options(program PRIVATE ${PROGRAM_FLAGS})\n"
                    "target_link_options(program PRIVATE -fsanitize=address)\ntarget_link_libraries(program dl m",
                    is_annotated ? " -DPENUMBRA_VERSION=NEW" : "");
        add_links(test, list);
        text_add(list, ")\n");
        return;
    }
    text_format(list,
                "# $PROGRAM is tested; without it, what the sources make.\n"
                "case ${PROGRAM-/} in /*) ;; *) PROGRAM=$OLDPWD/$PROGRAM ;; esac\n"
                "if [ -z \"${PROGRAM-}\" ]; then\n    PROGRAM=./program\n    \"${CC:-gcc}\" $CFLAGS " FLAGS "%s",
                is_annotated ? " -DPENUMBRA_VERSION=\"${PENUMBRA_VERSION:-NEW}\"" : "");
    add_sources(test, true, list);
    add_links(test, list);
    text_add(list, " -ldl -lm -o program || exit 2\nfi\n");
}

void program_test_add_to_list(const struct test *test, struct text *list)
{
    if (test->request->format == EXPORT_CTEST)
        text_format(list, "add_test(NAME %s COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/%s.sh $<TARGET_FILE:program>)\n",
                    test->name, test->name);
    else
        text_format(list,
                    "if \"./%s.sh\" \"$PROGRAM\"; then echo \"passed: %s\"\n"
                    "else echo \"failed: %s\"; [ $failed != 0 ] || failed=1; fi\n",
                    test->name, test->name, test->name);
}
