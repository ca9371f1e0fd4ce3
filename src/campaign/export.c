#include "base/file.h"
#include "base/paths.h"
#include "campaign/export_test.h"
#include "campaign/journal.h"
#include "campaign/kept_test.h"
#include "report/document.h"
#include "report/views.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS "-std=gnu17 -D_GNU_SOURCE -DPENUMBRA_REPLAY -w -g -O0 -fwrapv -fno-strict-aliasing -fsanitize=address -I."
#define SUPPORT "penumbra_support.c"

/* ---- which ---- */

const json_t *test_run_of(const json_t *group, const char *version)
{
    return json_object_get(json_object_get(group, "witness"), version);
}

static const char *expected_version(const struct export_request *request, const json_t *group)
{
    bool is_fix = !strcmp(view_string(group, "class"), "fix");
    if (request->expect == EXPORT_EXPECT_USUAL)
        return is_fix ? "new" : "old";
    return request->expect == EXPORT_EXPECT_NEW ? "new" : "old";
}

/* What a run leaves behind is seen in Penumbra's own world only. */
static bool is_left_behind(const char *line)
{
    return !strncmp(line, "./", 2);
}

static void add_visible(const json_t *run, struct text *text)
{
    for (const char *line = view_string(run, "output"); *line;) {
        size_t length = strcspn(line, "\n");
        if (!is_left_behind(line))
            text_append(text, line, length), text_add(text, "\n");
        line += length + (line[length] == '\n');
    }
}

static bool look_alike(const json_t *one, const json_t *other)
{
    struct text texts[2] = {0};
    add_visible(one, &texts[0]), add_visible(other, &texts[1]);
    bool same = !strcmp(text_string(&texts[0]), text_string(&texts[1])) &&
                json_equal(json_object_get(one, "exit_status"), json_object_get(other, "exit_status"));
    text_free(&texts[0]), text_free(&texts[1]);
    return same;
}

static bool has_flag(const json_t *run, const char *key)
{
    return json_is_true(json_object_get(run, key));
}

/* `count in next()` is an input: other compilers have no such symbol for it. */
static bool sets_static(const json_t *group)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(json_object_get(group, "witness"), "inputs"), name, value)
        if (strstr(name, " in ") && strstr(name, "()"))
            return true;
    return false;
}

/* Why no test can be made of it; NULL: one can. */
static const char *obstacle(const struct export_request *request, const json_t *group)
{
    const char *expected = expected_version(request, group);
    const json_t *wanted = test_run_of(group, expected),
                 *other = test_run_of(group, strcmp(expected, "old") ? "old" : "new");
    if (!document_is_difference(group))
        return "it is no difference of behaviour";
    if (has_flag(wanted, "failed"))
        return "the version whose behaviour is expected fails itself";
    if (!strcmp(view_string(group, "class"), "leak"))
        return "the versions differ in memory that they lose only";
    if (sets_static(group))
        return "it sets a static variable in a function, which no other program can";
    if (has_flag(other, "by_own_check"))
        return "only Penumbra's own checks see the failure";
    if (!has_flag(other, "failed") && look_alike(wanted, other))
        return "the versions differ in files or on standard error only";
    return NULL;
}

/* A semantic change that none of the tests shows which were there. */
static bool is_missing(const json_t *document, const json_t *group)
{
    size_t i;
    json_t *change, *number = json_object_get(json_object_get(group, "witness"), "number");
    json_array_foreach (json_object_get(document, "semantic_changes"), i, change) {
        if (json_equal(json_object_get(change, "divergence"), number) &&
            json_equal(json_object_get(change, "entry"), json_object_get(group, "entry")))
            return !json_array_size(json_object_get(change, "shown_by"));
    }
    return false;
}

static bool is_meant(const struct export_request *request, const json_t *document, const json_t *group)
{
    if (request->only_missing && !is_missing(document, group))
        return false;
    return !request->only || document_find_group(document, request->only) == group;
}

/* ---- the C file ---- */

static void add_literal(const char *string, struct text *text)
{
    text_add(text, "    \"");
    for (; *string; string++)
        if (*string == '\n')
            text_add(text, string[1] ? "\\n\"\n    \"" : "\\n");
        else if (*string == '"' || *string == '\\')
            text_format(text, "\\%c", *string);
        else if ((unsigned char)*string < ' ' || (unsigned char)*string >= 0x7f || *string == '?')
            text_format(text, "\\%03o", (unsigned char)*string);
        else
            text_append(text, string, 1);
    text_add(text, "\"");
}

const char *test_witness_file(const struct test *test, const char *name)
{
    long long number = json_integer_value(json_object_get(json_object_get(test->group, "witness"), "number"));
    return arena_format(test->arena, "%s/%03lld/%s", test->entry_directory, number, name);
}

static bool add_input(const struct test *test, struct text *text, struct error *error)
{
    struct text input = {0};
    bool good = file_read(test_witness_file(test, "input"), &input, error);
    text_add(text, "const char __pn_test_input[] =\n");
    add_literal(text_string(&input), text);
    text_add(text, ";\n");
    text_free(&input);
    return good;
}

static void add_expectation(const struct test *test, struct text *text)
{
    const json_t *run = test_run_of(test->group, test->expected_version);
    struct text visible = {0};
    add_visible(run, &visible);
    text_add(text, "const char __pn_test_expected[] =\n");
    add_literal(text_string(&visible), text);
    text_format(text, ";\nconst int __pn_test_status = %lld;\n\n",
                (long long)json_integer_value(json_object_get(run, "exit_status")));
    text_free(&visible);
}

static void add_main(const struct test *test, struct text *text)
{
    const char *function = test->name;
    text_add(text, "int __pn_test_passes(void);\n#undef main\n");
    switch (test->request->format) {
    case EXPORT_CMOCKA:
        text_format(text,
                    "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n"
                    "#include <cmocka.h>\n\nstatic void %s(void **state)\n{\n    (void)state;\n"
                    "    assert_true(__pn_test_passes());\n}\n\nint main(void)\n{\n"
                    "    const struct CMUnitTest tests[] = {cmocka_unit_test(%s)};\n"
                    "    return cmocka_run_group_tests(tests, 0, 0);\n}\n",
                    function, function);
        return;
    case EXPORT_CHECK:
        text_format(
            text,
            "#include <check.h>\n\nSTART_TEST(%s)\n{\n    ck_assert(__pn_test_passes());\n}\nEND_TEST\n\n"
            "int main(void)\n{\n    Suite *suite = suite_create(\"%s\");\n"
            "    TCase *cases = tcase_create(\"%s\");\n    tcase_add_test(cases, %s);\n"
            "    tcase_set_timeout(cases, 30);\n    suite_add_tcase(suite, cases);\n"
            "    SRunner *runner = srunner_create(suite);\n    srunner_run_all(runner, CK_NORMAL);\n"
            "    int failed = srunner_ntests_failed(runner);\n    srunner_free(runner);\n    return failed != 0;\n"
            "}\n",
            function, function, function, function);
        return;
    default: text_add(text, "int main(void)\n{\n    return !__pn_test_passes();\n}\n"); return;
    }
}

/* For compilers that do not have it; of arrays it cannot be made. */
static const char unqualified[] = "#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14\n"
                                  "#define __typeof_unqual__(...) __typeof__(((__typeof__(__VA_ARGS__)(*)(void))0)())\n"
                                  "#endif\n";

/* The harness includes the version's own file; here, whichever the user compiles it with. */
static void add_harness(const struct test *test, size_t unit, const char *harness, struct text *text)
{
    const json_t *one = json_array_get(json_object_get(test->build, "units"), unit);
    const char *source = view_string(one, "source"), *include = strstr(harness, "\n#include ");
    bool is_there = !access(source, R_OK);
    text_format(text, "#ifndef PENUMBRA_SOURCE_%zu\n#define PENUMBRA_SOURCE_%zu \"%s\"\n#endif\n", unit, unit,
                is_there ? source : view_string(one, "name"));
    if (has_flag(test->build, "annotated"))
        text_add(text, "#ifndef PENUMBRA_VERSION\n#define PENUMBRA_VERSION NEW\n#endif\n");
    text_add(text, unqualified);
    text_append(text, harness, include ? (size_t)(include + 1 - harness) : 0);
    text_format(text, "#include PENUMBRA_SOURCE_%zu\n", unit);
    text_add(text, include ? include + 1 + strcspn(include + 1, "\n") : harness);
}

static const char *unit_file(const struct test *test, size_t unit)
{
    return unit ? arena_format(test->arena, "%s_%zu.c", test->name, unit)
                : arena_format(test->arena, "%s.c", test->name);
}

static size_t count_units(const struct test *test)
{
    return json_array_size(json_object_get(test->build, "units"));
}

/* `gcc ... a.c penumbra_support.c -o a` */
static void add_command(const struct test *test, const char *compiler, struct text *text)
{
    size_t i;
    json_t *one;
    text_format(text, "%s " FLAGS, compiler);
    json_array_foreach (json_object_get(test->build, "units"), i, one) {
        text_format(text, "%s %s", view_string(one, "cflags"), unit_file(test, i));
    }
    text_add(text, " " SUPPORT);
    json_array_foreach (json_object_get(test->build, "links"), i, one) {
        text_format(text, " %s", json_string_value(one));
    }
    if (test->request->format == EXPORT_CMOCKA)
        text_add(text, " -lcmocka");
    if (test->request->format == EXPORT_CHECK)
        text_add(text, " -lcheck -lsubunit -lrt -lpthread");
    text_format(text, " -ldl -lm -o %s", test->name);
}

static void add_head(const struct test *test, struct text *text)
{
    struct text place = {0};
    view_add_place(test->group, &place);
    text_format(text,
                "/* Written by penumbra export: a test of %s(), from a %s at %s.\n * Input: %s\n * It passes with the "
                "behaviour of the %s version. To build it:\n *     ",
                view_string(test->build, "entry"), view_string(test->group, "class"), text_string(&place),
                view_string(test->group, "input"), test->expected_version);
    add_command(test, "gcc", text);
    text_format(text, "\n * -DPENUMBRA_SOURCE_0='\"FILE.c\"' tests another version%s. */\n",
                has_flag(test->build, "annotated") ? ", and so does -DPENUMBRA_VERSION=OLD" : "");
    text_free(&place);
}

static bool write_unit(const struct test *test, size_t unit, struct error *error)
{
    struct text harness = {0}, text = {0};
    const char *path = arena_format(test->arena, "%s/" KEPT_TEST_DIRECTORY "/unit-%zu.c", test->entry_directory, unit);
    bool good = file_read(path, &harness, error);
    if (!unit)
        add_head(test, &text);
    add_harness(test, unit, text_string(&harness), &text);
    if (!unit) {
        text_add(&text, "\n");
        good = good && add_input(test, &text, error);
        add_expectation(test, &text);
        add_main(test, &text);
    }
    good = good && file_write(arena_format(test->arena, "%s/%s", test->request->directory, unit_file(test, unit)),
                              text_string(&text), text.length, error);
    text_free(&harness), text_free(&text);
    return good;
}

/* ---- all of them ---- */

static const char *entry_directory(const struct export_request *request, const json_t *document, const json_t *group,
                                   struct arena *arena)
{
    size_t i;
    json_t *entry;
    json_array_foreach (json_object_get(document, "entries"), i, entry) {
        const char *directory = view_string(entry, "directory"), *slash = strrchr(directory, '/');
        if (!strcmp(view_string(entry, "entry"), view_string(group, "entry")) &&
            strcmp(directory, view_string(document, "directory")) && *directory)
            return arena_format(arena, "%s/%s", request->results, slash ? slash + 1 : directory);
    }
    return request->results;
}

static void name_test(struct test *test)
{
    const char *entry = view_string(test->build, "entry");
    long long number = json_integer_value(json_object_get(json_object_get(test->group, "witness"), "number"));
    test->name = arena_format(test->arena, "test_%s_%s_%03lld", entry, view_string(test->group, "class"), number);
}

/* How the tests are run together, as the format has it. */
static void add_to_list(const struct test *test, struct text *list)
{
    struct text command = {0};
    if (test->request->format == EXPORT_CTEST) {
        add_command(test, "", &command);
        text_format(list, "add_executable(%s", test->name);
        for (size_t i = 0; i < count_units(test); i++)
            text_format(list, " %s", unit_file(test, i));
        text_format(list,
                    " " SUPPORT ")\ntarget_compile_options(%s PRIVATE ${PENUMBRA_FLAGS})\n"
                    "target_link_options(%s PRIVATE -fsanitize=address)\ntarget_link_libraries(%s dl m)\n"
                    "add_test(NAME %s COMMAND %s)\n",
                    test->name, test->name, test->name, test->name, test->name);
    } else {
        add_command(test, "\"${CC:-gcc}\" $CFLAGS", &command);
        text_format(list, "check %s %s\n", test->name, text_string(&command));
    }
    text_free(&command);
}

static bool read_build(struct test *test, struct error *error)
{
    json_error_t problem;
    const char *path = arena_format(test->arena, "%s/" KEPT_TEST_DIRECTORY "/build.json", test->entry_directory);
    test->build = json_load_file(path, 0, &problem);
    return test->build || error_set(error, "%s cannot be read: %s", path, problem.text);
}

static bool write_function_test(const struct test *test, struct error *error)
{
    bool good = true;
    for (size_t i = 0; i < count_units(test) && good; i++)
        good = write_unit(test, i, error);
    return good;
}

static bool write_test(struct test *test, struct text *list, struct error *error)
{
    bool is_program = program_test_is_one(test);
    name_test(test);
    if (is_program && !list->length)
        program_test_add_build(test, list);
    (is_program ? program_test_add_to_list : add_to_list)(test, list);
    return (is_program ? program_test_write : write_function_test)(test, error);
}

/* Writes the test, or says why there is none. */
static bool take_group(struct test *test, struct text *list, size_t *count, struct text *skipped, struct error *error)
{
    const json_t *group = test->group;
    const char *reason = obstacle(test->request, group);
    if (!document_is_difference(group))
        return true;
    if (!read_build(test, error))
        return false;
    if (!reason && program_test_is_one(test))
        reason = program_test_obstacle(test);
    bool good = true;
    if (reason)
        text_format(skipped, "%s at line %lld: %s\n", view_string(group, "class"),
                    (long long)json_integer_value(json_object_get(json_object_get(group, "place"), "line")), reason);
    else
        good = write_test(test, list, error);
    *count += !reason;
    json_decref(test->build);
    return good;
}

static const char script[] =
    "#!/bin/sh\n"
    "# Builds and runs the tests of this directory; CC and CFLAGS are obeyed. Exit status: 0 all pass.\n"
    "cd \"$(dirname \"$0\")\" || exit 2\n"
    "failed=0\n"
    "check() {\n"
    "    name=$1\n"
    "    shift\n"
    "    if ! \"$@\"; then echo \"not built: $name\"; failed=2\n"
    "    elif \"./$name\"; then echo \"passed: $name\"\n"
    "    else echo \"failed: $name\"; [ $failed != 0 ] || failed=1; fi\n"
    "}\n";
static const char cmake[] = "cmake_minimum_required(VERSION 3.13)\n"
                            "project(penumbra_tests C)\nenable_testing()\n"
                            "separate_arguments(PENUMBRA_FLAGS UNIX_COMMAND \"" FLAGS "\")\n";

static bool write_list(const struct export_request *request, const struct text *list, struct arena *arena,
                       struct error *error)
{
    bool is_cmake = request->format == EXPORT_CTEST;
    struct text text = {0};
    const char *path = arena_format(arena, "%s/%s", request->directory, is_cmake ? "CMakeLists.txt" : "run");
    text_format(&text, "%s%s%s", is_cmake ? cmake : script, text_string(list), is_cmake ? "" : "exit $failed\n");
    bool good = file_write(path, text_string(&text), text.length, error);
    text_free(&text);
    return good && (is_cmake || !chmod(path, 0755) || error_set(error, "%s cannot be made a program", path));
}

static bool copy_support(const struct export_request *request, struct arena *arena, struct error *error)
{
    static const char *const files[][2] = {{SUPPORT, SUPPORT}, {"include/penumbra.h", "penumbra.h"}};
    char support[4096];
    bool good = paths_support_directory(support, error);
    for (size_t i = 0; i < 2 && good; i++) {
        struct text text = {0};
        good = file_read(arena_format(arena, "%s/%s", support, files[i][0]), &text, error) &&
               file_write(arena_format(arena, "%s/%s", request->directory, files[i][1]), text_string(&text),
                          text.length, error);
        text_free(&text);
    }
    return good;
}

static bool export_groups(const struct export_request *request, const json_t *document, struct arena *arena,
                          size_t *count, struct text *skipped, struct error *error)
{
    size_t i, meant = 0;
    json_t *group;
    struct text list = {0};
    bool good = true;
    json_array_foreach (json_object_get(document, "groups"), i, group) {
        struct test test = {.request = request, .group = group, .arena = arena};
        if (!good || !is_meant(request, document, group))
            continue;
        meant++;
        test.entry_directory = entry_directory(request, document, group, arena);
        test.expected_version = expected_version(request, group);
        good = take_group(&test, &list, count, skipped, error);
    }
    if (good && !meant && request->only)
        good = error_set(error, "there is no group '%s' in %s", request->only, request->results);
    good = good && (!*count || (copy_support(request, arena, error) && write_list(request, &list, arena, error)));
    text_free(&list);
    return good;
}

bool export_tests(const struct export_request *request, size_t *count, struct text *skipped, struct error *error)
{
    json_t *document = journal_read_report(request->results, error);
    struct arena *arena = arena_create();
    *count = 0;
    bool good = document && file_make_directory(request->directory, error) &&
                export_groups(request, document, arena, count, skipped, error);
    if (document && (!good || !*count))
        file_remove_tree(request->directory);
    json_decref(document);
    arena_destroy(arena);
    return good;
}
