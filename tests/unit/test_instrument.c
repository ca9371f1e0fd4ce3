/* The instrumenter: a small C text, compiled as the build does it, and what the table of sites says about it. What
 * instrumented programs do is for the end-to-end tests. */
#include "base/file.h"
#include "base/paths.h"
#include "base/process.h"
#include "instrument/instrument.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char scratch[256], support[4096];

static int make_scratch(void **state)
{
    (void)state;
    struct error error = {0};
    return file_make_scratch(scratch, &error) && paths_support_directory(support, &error) ? 0 : -1;
}

static int remove_scratch(void **state)
{
    (void)state;
    file_remove_tree(scratch);
    return 0;
}

/* ---- from a text to a table ---- */

struct program {
    struct arena *arena;
    struct site_table *sites;
    struct error error;
    bool good;
};

/* `name` is the file's; a suffix of .ll is LLVM's own language. */
static const char *compile(struct arena *arena, const char *name, const char *text)
{
    struct error error = {0};
    struct process_result result;
    const char *source = arena_format(arena, "%s/%s", scratch, name), *bitcode = arena_format(arena, "%s.bc", source);
    const char *const command[] = {"clang-19",
                                   "-c",
                                   "-emit-llvm",
                                   "-w",
                                   "-O1",
                                   "-Xclang",
                                   "-disable-llvm-passes",
                                   "-Xclang",
                                   "-disable-lifetime-markers",
                                   "-fno-discard-value-names",
                                   "-gline-tables-only",
                                   "-fdebug-compilation-dir=/", /* names of files are absolute ones */
                                   "-gcolumn-info",
                                   "-fPIC",
                                   "-D__PENUMBRA__=1",
                                   arena_format(arena, "-I%s/include", support),
                                   "-o",
                                   bitcode,
                                   source,
                                   NULL};
    assert_true(file_write(source, text, strlen(text), &error));
    assert_true(process_run(command, NULL, &(struct process_limits){0}, &result, &error));
    if (result.exit_status)
        fail_msg("%s", text_string(&result.errors));
    process_result_free(&result);
    return bitcode;
}

static struct program instrument_files(const char *const names[], const char *const texts[], size_t count,
                                       struct instrument_options options)
{
    struct program program = {.arena = arena_create(), .sites = site_table_create()};
    const char *bitcode[4];
    for (size_t i = 0; i < count; i++)
        bitcode[i] = compile(program.arena, names[i], texts[i]);
    options.hooks = arena_format(program.arena, "%s/hooks.bc", support);
    options.models = arena_format(program.arena, "%s/models.bc", support);
    program.good = instrument(bitcode, names, count, arena_format(program.arena, "%s/program.o", scratch), &options,
                              program.sites, &program.error);
    return program;
}

static struct program instrument_text(const char *text, struct instrument_options options)
{
    const char *name = "a.c";
    struct program program = instrument_files(&name, &text, 1, options);
    if (!program.good)
        fail_msg("%s", program.error.message);
    return program;
}

static void program_free(struct program *program)
{
    error_clear(&program->error);
    site_table_destroy(program->sites);
    arena_destroy(program->arena);
}

/* How many sites with outcomes a line has: its decisions. */
static size_t branches_at(const struct program *program, unsigned line)
{
    size_t count = 0;
    for (size_t i = 1; i < program->sites->count; i++)
        count += program->sites->sites[i].line == line && program->sites->sites[i].part_count;
    return count;
}

/* The first site of a line that has at least so many parts. */
static uint32_t site_at(const struct program *program, unsigned line, uint32_t parts)
{
    for (uint32_t i = 1; i < program->sites->count; i++)
        if (program->sites->sites[i].line == line && program->sites->sites[i].part_count >= parts)
            return i;
    fail_msg("line %u has no such site", line);
    return 0;
}

static uint32_t branch_at(const struct program *program, unsigned line)
{
    return site_at(program, line, 1);
}

/* The text is refused, and the message begins with the place and has the words. */
static void assert_refused(const char *name, const char *text, const char *place, const char *words)
{
    struct program program = instrument_files(&name, &text, 1, (struct instrument_options){0});
    assert_false(program.good);
    assert_non_null(program.error.message);
    const char *start = arena_format(program.arena, *place == ':' ? "%s/%s%s" : "%.0s%.0s%s", scratch, name, place);
    if (strncmp(program.error.message, start, strlen(start)) != 0 || !strstr(program.error.message, words))
        fail_msg("%s, not %s ... %s", program.error.message, start, words);
    program_free(&program);
}

/* ---- branches ---- */

static void a_branch_has_a_place_and_outcomes(void **state)
{
    (void)state;
    struct program program = instrument_text("int main(int argc, char **argv)\n{\n    if (argc > 3)\n"
                                             "        return 1;\n    return 0;\n}\n",
                                             (struct instrument_options){0});
    const struct site *site = site_table_get(program.sites, branch_at(&program, 3));
    assert_string_equal(site->file, arena_format(program.arena, "%s/a.c", scratch));
    assert_string_equal(site->function, "main");
    assert_int_equal(site->part_count, 1);
    assert_false(site->in_model);
    assert_string_equal(site->what, "");
    program_free(&program);
}

static void a_switch_has_outcomes_for_each_case(void **state)
{
    (void)state;
    struct program program =
        instrument_text("#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n    switch (argc) {\n"
                        "    case 1: return 7;\n    case 9: return change(8, 9);\n    case 11: return 3;\n    }\n"
                        "    return 0;\n}\n",
                        (struct instrument_options){0});
    uint32_t site = branch_at(&program, 4);
    assert_int_equal(site_table_get(program.sites, site)->part_count, 4); /* and the default */
    for (uint32_t part = 1; part < 4; part++)
        assert_int_equal(site_reaches_change(program.sites, site, part, true), part == 2);
    assert_true(site_reaches_change(program.sites, site, 1, false)); /* a later case may be meant */
    assert_false(site_reaches_change(program.sites, site, 3, false));
    program_free(&program);
}

static void outcomes_know_whether_a_change_is_ahead(void **state)
{
    (void)state;
    struct program program =
        instrument_text("#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n    if (argc > 3)\n"
                        "        return change(1, 2);\n    if (argc > 2)\n        return 5;\n    return 6;\n}\n",
                        (struct instrument_options){0});
    uint32_t first = branch_at(&program, 4), second = branch_at(&program, 6);
    assert_int_equal(
        site_reaches_change(program.sites, first, 0, true) + site_reaches_change(program.sites, first, 0, false), 1);
    assert_false(site_reaches_change(program.sites, second, 0, true));
    assert_false(site_reaches_change(program.sites, second, 0, false));
    program_free(&program);
}

static void code_of_one_version_always_reaches_the_change(void **state)
{
    (void)state;
    struct program program =
        instrument_text("#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n    int n = 0;\n"
                        "    if (execute(NEW))\n        if (argc > 3)\n            n = 7;\n"
                        "    if (argc > 5)\n        n++;\n    return n;\n}\n",
                        (struct instrument_options){0});
    uint32_t inside = site_at(&program, 6, 0), behind = branch_at(&program, 8);
    assert_true(site_reaches_change(program.sites, inside, 0, true));
    assert_true(site_reaches_change(program.sites, inside, 0, false));
    assert_false(site_reaches_change(program.sites, behind, 0, true));
    assert_int_equal(branches_at(&program, 5), 0); /* which version runs is no decision of the program */
    program_free(&program);
}

static void fold_leaves_fewer_branches(void **state)
{
    (void)state;
    const char *text = "int main(int argc, char **argv)\n{\n    int n = 0;\n    if (argc > 3 && argc < 9)\n"
                       "        n = 7;\n    if (argc > 20 && 100 / argc > 3)\n        n = 8;\n    return n;\n}\n";
    struct program plain = instrument_text(text, (struct instrument_options){0});
    struct program folded = instrument_text(text, (struct instrument_options){.fold = true});
    assert_int_equal(branches_at(&plain, 4), 2);
    assert_int_equal(branches_at(&folded, 4), 0); /* a choice between 0 and 7 */
    assert_true(branches_at(&folded, 6) > 0);     /* a division may fail */
    program_free(&plain), program_free(&folded);
}

/* ---- what is inlined ---- */

/* Of a function that has a loop with so many statements. */
static size_t object_size(const char *name, size_t statements)
{
    struct text text = {0}, object = {0};
    struct error error = {0};
    text_format(&text,
                "struct s { int a, *p; } *s;\n__attribute__((noinline)) void %s(void)\n{\n    for (int i = 0; i < "
                "s->a; i++) {\n",
                name);
    for (size_t i = 0; i < statements; i++)
        text_format(&text, "        if (s->p[i] > %zu) s->p[i] -= s->a;\n", i);
    text_format(&text, "    }\n}\nvoid __pn_harness(void)\n{\n    %s();\n}\n", name);
    struct program program = instrument_text(text_string(&text), (struct instrument_options){0});
    if (!file_read(arena_format(program.arena, "%s/program.o", scratch), &object, &error))
        fail_msg("%s", error.message);
    size_t size = object.length;
    text_free(&text), text_free(&object);
    program_free(&program);
    return size;
}

static void harnesses_call_their_hooks(void **state)
{
    (void)state;
    assert_true(object_size("__pn_output_part", 60) < object_size("part", 60) * 2 / 3);
    assert_true(object_size("part", 600) < object_size("part", 60) * 7); /* more than are inlined */
}

/* ---- what a verdict rests on ---- */

static void variables_that_a_call_before_may_have_changed(void **state)
{
    (void)state;
    struct program program = instrument_text("int limit = 3, written, unused;\nstatic int fixed = 4;\n"
                                             "static int next(void)\n{\n    static int count;\n    return ++count;\n}\n"
                                             "int f(int x)\n{\n    written = x;\n"
                                             "    return next() + limit + fixed + written;\n}\n"
                                             "void __pn_harness(void)\n{\n    f(3);\n}\n",
                                             (struct instrument_options){0});
    assert_true(words_have(&program.sites->assumed, "limit"));
    assert_true(words_have(&program.sites->assumed, "count in next()"));
    assert_int_equal(program.sites->assumed.count, 2); /* nobody writes to fixed, written is written first */
    program_free(&program);
}

static void what_the_world_outside_tells_is_named(void **state)
{
    (void)state;
    struct program program =
        instrument_text("#include <stdio.h>\n#include <stdlib.h>\nextern int elsewhere;\nint ask(void);\n"
                        "int main(int argc, char **argv)\n{\n    char *block = malloc(3);\n    puts(\"x\");\n"
                        "    return getenv(\"HOME\") ? ask() : elsewhere;\n}\n",
                        (struct instrument_options){0});
    assert_true(words_have(&program.sites->outside, "getenv()"));
    assert_true(words_have(&program.sites->outside, "ask()"));
    assert_true(words_have(&program.sites->outside, "elsewhere"));
    assert_int_equal(program.sites->outside.count, 3);
    assert_true(program.sites->allocates);
    assert_true(program.sites->prints);
    assert_false(program.sites->rounds);
    program_free(&program);
}

static void what_computes_is_told_from_what_does_not(void **state)
{
    (void)state;
    struct program program = instrument_text("int main(int argc, char **argv)\n{\n    return argc * 0.5 > 3;\n}\n",
                                             (struct instrument_options){0});
    assert_true(program.sites->rounds);
    assert_false(program.sites->allocates);
    assert_false(program.sites->prints);
    program_free(&program);
}

/* ---- what can be undone ---- */

static void assert_lasting(const char *text, const char *lasting)
{
    struct program program = instrument_text(text, (struct instrument_options){0});
    if (!lasting)
        assert_null(program.sites->lasting);
    else
        assert_string_equal(program.sites->lasting ? program.sites->lasting : "nothing", lasting);
    program_free(&program);
}

static void what_lasts_is_named(void **state)
{
    (void)state;
    assert_lasting("#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv)\n{\n"
                   "    char *copy = malloc(strlen(argv[0]) + 1);\n    strcpy(copy, argv[0]);\n    free(copy);\n"
                   "    exit(argc);\n}\n",
                   NULL);
    assert_lasting("#include <unistd.h>\nint main(void)\n{\n    return unlink(\"x\");\n}\n", "unlink");
    assert_lasting("extern _Thread_local int mine;\nint main(int argc, char **argv)\n{\n    return mine += argc;\n}\n",
                   "mine");
    assert_lasting(
        "static char large[2 << 20];\nint main(int argc, char **argv)\n{\n    return large[argc] = argc;\n}\n",
        "large");
    assert_lasting("int main(void)\n{\n    __asm__ volatile(\"nop\");\n    return 0;\n}\n", "inline assembly");
    assert_lasting("int main(void)\n{\n    __asm__ volatile(\"\" ::: \"memory\");\n    return 0;\n}\n", NULL);
}

/* ---- constants ---- */

static void constants_of_decisions_come_first(void **state)
{
    (void)state;
    struct program program =
        instrument_text("#include <string.h>\nstatic const char *const words[] = {\"one\", \"two\"};\n"
                        "struct big { int a[50], b; };\n"
                        "int main(int argc, char **argv)\n{\n    struct big big = {{0}, argc};\n"
                        "    if (argc * 77 == 4711)\n        return strcmp(argv[1], words[argc]);\n"
                        "    return argc * 2.5 > 9 ? big.b : !strcmp(argv[1], \"three\");\n}\n",
                        (struct instrument_options){0});
    const struct words *numbers = &program.sites->numbers;
    size_t compared = numbers->count, computed = numbers->count;
    for (size_t i = 0; i < numbers->count; i++) {
        compared = !strcmp(numbers->list[i], "4711") ? i : compared;
        computed = !strcmp(numbers->list[i], "77") ? i : computed;
    }
    assert_true(compared < computed && computed < numbers->count);
    assert_true(words_have(numbers, "0x1.4p+1"));
    assert_true(words_have(&program.sites->texts, "three"));
    assert_true(words_have(&program.sites->texts, "one"));
    assert_true(words_have(&program.sites->texts, "two"));
    program_free(&program);
}

/* ---- calls ---- */

static void calls_of_models_and_of_others_have_names(void **state)
{
    (void)state;
    struct program program = instrument_text("#include <stdlib.h>\n#include <string.h>\nint ask(int);\n"
                                             "int main(int argc, char **argv)\n{\n"
                                             "    return strcmp(argv[0], argv[1]) +\n           ask(argc);\n}\n",
                                             (struct instrument_options){0});
    bool model = false, other = false, in_model = false;
    for (size_t i = 1; i < program.sites->count; i++) {
        const struct site *site = &program.sites->sites[i];
        model |= site->calls_model && !strcmp(site->what, "strcmp") && site->line == 6;
        other |= !site->calls_model && !strcmp(site->what, "ask") && site->line == 7;
        in_model |= site->in_model;
    }
    assert_true(model);
    assert_true(other);
    assert_true(in_model);
    program_free(&program);
}

/* ---- refusals ---- */

static void refusals_name_the_place(void **state)
{
    (void)state;
    assert_refused("a.c",
                   "#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n"
                   "    return execute(NEW) + argc;\n}\n",
                   ":4:12: ", "must stand alone in the condition of an if");
    assert_refused("b.c",
                   "#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n"
                   "    if (pn_execute(argc))\n        return 1;\n    return 0;\n}\n",
                   ":4:9: ", "takes OLD or NEW");
    assert_refused("c.c",
                   "#include \"penumbra.h\"\nint main(int argc, char **argv)\n{\n"
                   "    return argc + (execute(OLD) ? argc : 7);\n}\n",
                   ":4:20: ", "inside an operand of &&, || or ?:");
    assert_refused("d.c", "int f(int x)\n{\n    return x;\n}\n", "none of the files has a main()", "--entry");
}

static void an_instruction_without_a_rule_is_refused(void **state)
{
    (void)state;
    assert_refused(
        "e.ll",
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
        "target triple = \"x86_64-pc-linux-gnu\"\n"
        "declare i32 @__gxx_personality_v0(...)\ndeclare void @f()\n"
        "define i32 @main() personality ptr @__gxx_personality_v0 {\n"
        "  invoke void @f() to label %good unwind label %bad\n"
        "good:\n  ret i32 0\nbad:\n  %1 = landingpad { ptr, i32 } cleanup\n  ret i32 1\n}\n",
        "", "is not supported: leave this function out of the build");
}

static void a_name_that_two_files_define_is_refused(void **state)
{
    (void)state;
    const char *const names[] = {"one.c", "two.c"};
    const char *const texts[] = {"int f(void)\n{\n    return 1;\n}\nint main(void)\n{\n    return f();\n}\n",
                                 "int f(void)\n{\n    return 2;\n}\n"};
    struct program program = instrument_files(names, texts, 2, (struct instrument_options){0});
    assert_false(program.good);
    assert_non_null(strstr(program.error.message, "'f' is defined in one.c and in two.c"));
    program_free(&program);
}

/* ---- dependences ---- */

static void dependences_are_there_when_asked_for(void **state)
{
    (void)state;
    const char *text = "int main(int argc, char **argv)\n{\n    return argc > 3;\n}\n";
    struct program without = instrument_text(text, (struct instrument_options){0});
    struct program with = instrument_text(text, (struct instrument_options){.dependences = true});
    assert_null(without.sites->dependences);
    assert_non_null(with.sites->dependences);
    program_free(&without), program_free(&with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_has_a_place_and_outcomes),
        cmocka_unit_test(a_switch_has_outcomes_for_each_case),
        cmocka_unit_test(outcomes_know_whether_a_change_is_ahead),
        cmocka_unit_test(code_of_one_version_always_reaches_the_change),
        cmocka_unit_test(fold_leaves_fewer_branches),
        cmocka_unit_test(harnesses_call_their_hooks),
        cmocka_unit_test(variables_that_a_call_before_may_have_changed),
        cmocka_unit_test(what_the_world_outside_tells_is_named),
        cmocka_unit_test(what_computes_is_told_from_what_does_not),
        cmocka_unit_test(what_lasts_is_named),
        cmocka_unit_test(constants_of_decisions_come_first),
        cmocka_unit_test(calls_of_models_and_of_others_have_names),
        cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(an_instruction_without_a_rule_is_refused),
        cmocka_unit_test(a_name_that_two_files_define_is_refused),
        cmocka_unit_test(dependences_are_there_when_asked_for),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
