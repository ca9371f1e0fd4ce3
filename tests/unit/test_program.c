#include "base/file.h"
#include "base/process.h"
#include "source/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Files in a directory of their own, and what is asked of them. */
struct fixture {
    char directory[256];
    char *paths[4];
    struct unit units[4];
    const char *options[4][4];
    struct program_request request;
    struct program program;
    struct error error;
};

static void add_file(struct fixture *fixture, const char *name, const char *source)
{
    size_t index = fixture->request.unit_count++;
    assert_true(asprintf(&fixture->paths[index], "%s/%s", fixture->directory, name) > 0);
    fixture->units[index].file = fixture->paths[index];
    assert_true(file_write(fixture->paths[index], source, strlen(source), &fixture->error));
}

static void begin(struct fixture *fixture, const char *source)
{
    *fixture = (struct fixture){0};
    assert_true(file_make_scratch(fixture->directory, &fixture->error));
    fixture->request.units = fixture->units;
    fixture->request.entry = "f";
    fixture->request.sizes = fixture->options[0];
    fixture->request.globals = fixture->options[1];
    fixture->request.stubs = fixture->options[2];
    fixture->request.links = fixture->options[3];
    add_file(fixture, "a.c", source);
}

static void add_size(struct fixture *fixture, const char *size)
{
    fixture->options[0][fixture->request.size_count++] = size;
}

static void add_global(struct fixture *fixture, const char *name)
{
    fixture->options[1][fixture->request.global_count++] = name;
}

static void add_stub(struct fixture *fixture, const char *name)
{
    fixture->options[2][fixture->request.stub_count++] = name;
}

static void end(struct fixture *fixture)
{
    program_free(&fixture->program);
    error_clear(&fixture->error);
    file_remove_tree(fixture->directory);
    for (size_t i = 0; i < 4; i++)
        free(fixture->paths[i]);
}

static void read_well(struct fixture *fixture)
{
    if (!program_read(&fixture->program, &fixture->request, &fixture->error))
        fail_msg("%s", fixture->error.message);
}

/* Reads it, expects that it fails, and that the message says all of this. */
static void expect_error(struct fixture *fixture, const char *first, const char *second)
{
    assert_false(program_read(&fixture->program, &fixture->request, &fixture->error));
    if (!strstr(fixture->error.message, first) || !strstr(fixture->error.message, second))
        fail_msg("expected '%s' and '%s', got: %s", first, second, fixture->error.message);
    end(fixture);
}

static void expect_refused(const char *source, const char *first, const char *second)
{
    struct fixture fixture;
    begin(&fixture, source);
    expect_error(&fixture, first, second);
}

static void assert_parameter(const struct fixture *fixture, const char *name, enum input_kind kind, bool is_signed,
                             unsigned element_size, size_t element_count)
{
    const struct input_parameter *parameter = input_layout_find(fixture->program.layout, name);
    assert_non_null(parameter);
    assert_int_equal(parameter->kind, kind);
    assert_int_equal(parameter->is_signed, is_signed);
    assert_int_equal(parameter->element_size, element_size);
    assert_int_equal(parameter->element_count, element_count);
}

static void parameters_of_every_integer_type(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include <stdint.h>\n#include <stddef.h>\n"
                    "typedef enum { A, B } letter; enum negative { C = -1 };\n"
                    "void f(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u,\n"
                    "       long l, unsigned long ul, long long ll, unsigned long long ull, _Bool b, letter e,\n"
                    "       enum negative n, uint8_t byte, const volatile size_t z, wchar_t w, int) {}\n");
    read_well(&fixture);
    assert_int_equal(fixture.program.layout->count, 18);
    assert_parameter(&fixture, "c", INPUT_CHARACTER, true, 1, 1);
    assert_parameter(&fixture, "sc", INPUT_CHARACTER, true, 1, 1);
    assert_parameter(&fixture, "uc", INPUT_CHARACTER, false, 1, 1);
    assert_parameter(&fixture, "s", INPUT_SIGNED, true, 2, 1);
    assert_parameter(&fixture, "us", INPUT_UNSIGNED, false, 2, 1);
    assert_parameter(&fixture, "i", INPUT_SIGNED, true, 4, 1);
    assert_parameter(&fixture, "u", INPUT_UNSIGNED, false, 4, 1);
    assert_parameter(&fixture, "l", INPUT_SIGNED, true, 8, 1);
    assert_parameter(&fixture, "ul", INPUT_UNSIGNED, false, 8, 1);
    assert_parameter(&fixture, "ll", INPUT_SIGNED, true, 8, 1);
    assert_parameter(&fixture, "ull", INPUT_UNSIGNED, false, 8, 1);
    assert_parameter(&fixture, "b", INPUT_BOOL, false, 1, 1);
    assert_parameter(&fixture, "e", INPUT_UNSIGNED, false, 4, 1);
    assert_parameter(&fixture, "n", INPUT_SIGNED, true, 4, 1);
    assert_parameter(&fixture, "byte", INPUT_UNSIGNED, false, 1, 1);
    assert_parameter(&fixture, "z", INPUT_UNSIGNED, false, 8, 1);
    assert_parameter(&fixture, "w", INPUT_SIGNED, true, 4, 1);
    assert_parameter(&fixture, "arg18", INPUT_SIGNED, true, 4, 1);
    assert_string_equal(input_layout_find(fixture.program.layout, "e")->type, "letter");
    assert_false(fixture.program.returns_value);
    end(&fixture);
}

static void parameters_that_are_buffers(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "typedef short row[4];\n"
          "static int f(const char *const s, int a[3], int b[], int n, long v[n], int m[2][3], row *r, _Bool *q)\n"
          "{ return s[0] + a[0] + b[1] + (int)v[1] + m[0][0] + r[0][0] + q[0]; }\n");
    add_size(&fixture, "s=5");
    add_size(&fixture, "r=2");
    read_well(&fixture);
    assert_parameter(&fixture, "s", INPUT_CHARACTER, true, 1, 4);
    assert_true(input_layout_find(fixture.program.layout, "s")->is_string);
    assert_parameter(&fixture, "a", INPUT_SIGNED, true, 4, 3);
    assert_parameter(&fixture, "b", INPUT_SIGNED, true, 4, 8);
    assert_parameter(&fixture, "v", INPUT_SIGNED, true, 8, 8);
    assert_parameter(&fixture, "m", INPUT_SIGNED, true, 4, 6);
    assert_parameter(&fixture, "r", INPUT_SIGNED, true, 2, 8);
    assert_parameter(&fixture, "q", INPUT_BOOL, false, 1, 1); /* nothing else is looked at */
    assert_string_equal(text_string(&fixture.program.sizes), "b: 8 elements (--size b=N to change)\n"
                                                             "v: 8 elements (--size v=N to change)\n");
    end(&fixture);
}

static void parameters_of_floating_point(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "typedef double length;\nvoid f(float x, length y, const double *v, float m[2][2]) {}\n");
    add_size(&fixture, "v=3");
    read_well(&fixture);
    assert_parameter(&fixture, "x", INPUT_FLOATING, false, 4, 1);
    assert_parameter(&fixture, "y", INPUT_FLOATING, false, 8, 1);
    assert_parameter(&fixture, "v", INPUT_FLOATING, false, 8, 3);
    assert_parameter(&fixture, "m", INPUT_FLOATING, false, 4, 4);
    end(&fixture);
}

static void unsupported_parameters_are_refused(void **state)
{
    (void)state;
    static const char *const types[] = {"__int128 x", "long double x", "_Complex float x", "struct unknown *x",
                                        "DIR *x"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char source[256];
        snprintf(source, sizeof source, "#include <dirent.h>\nvoid f(int ok,\n       %s) {}\n", types[i]);
        expect_refused(source, "/a.c:3: parameter 'x' has type '", "which cannot be an input");
    }
    expect_refused("int f(int n, ...) { return n; }", "/a.c:1: 'f' takes a variable number", "an entry of your own");
    struct fixture fixture;
    begin(&fixture, "int main(int argc, char **argv) { return argc + !argv; }");
    fixture.request.entry = "main";
    expect_error(&fixture, "/a.c:1: 'main' takes arguments", "behind --");
}

/* The rest of the parameter is an input all the same. */
static void parts_that_cannot_be_inputs_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *source, *note, *input;
    } cases[] = {
        {"#include <dirent.h>\nstruct s { int a; struct { DIR *log; } in; };\nvoid f(struct s *p) { p->a = 0; }\n",
         "p->in.log, of type 'DIR *': zero", "p->a"},
        {"struct s { struct u *v[3]; int a; };\nvoid f(struct s *p) { p->a = 0; }",
         "p->v[0], of type 'struct u *' and 2 more: zero", "p->a"},
        {"void f(struct u **p, int a) { *p = 0; }", "*p, of type 'struct u *': zero", "a"},
        {"void f(struct u *(*x)(int), int a) { x(a); }", "x(), of type 'struct u *': zero", "a"},
        {"struct s { __int128 wide; long double real; int a; };\nint f(struct s s) { return s.a; }",
         "s.wide, of type '__int128' and 1 more: zero", "s.a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        begin(&fixture, cases[i].source);
        read_well(&fixture);
        assert_non_null(strstr(text_string(&fixture.program.notes), cases[i].note));
        assert_non_null(input_layout_find(fixture.program.layout, cases[i].input));
        assert_true(fixture.program.has_parts_left_out);
        end(&fixture);
    }
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *size, *message;
    } cases[] = {
        {"buffer", "expected NAME=N"},
        {"buffer=", "expected NAME=N"},
        {"buffer=0", "expected NAME=N"},
        {"buffer=3x", "expected NAME=N"},
        {"bufer=3", "did you mean 'buffer'?"},
        {"n=3", "'n' has type 'int', its size is fixed"},
        {"buffer=999999", "all inputs together may have 1048576 bytes, make it smaller"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        begin(&fixture, "int f(int *buffer, int n) { return buffer[n]; }");
        add_size(&fixture, cases[i].size);
        expect_error(&fixture, cases[i].message, "");
    }
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "");
    fixture.units[0].file = "/nowhere/missing.c";
    expect_error(&fixture, "cannot read /nowhere/missing.c: No such file or directory", "");
    begin(&fixture, "");
    fixture.units[0].file = fixture.directory;
    expect_error(&fixture, "it is a directory", "name the C files in it");
    begin(&fixture, "void f(void) {}");
    fixture.units[fixture.request.unit_count++] = fixture.units[0];
    expect_error(&fixture, "a.c is named twice", "");
}

static void compiler_errors_are_shown(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int f(int x)\n{\n    return y;\n}\n");
    add_file(&fixture, "b.c", "#include \"nothing.h\"\n");
    expect_error(&fixture, "/a.c:3:12: error: use of undeclared identifier 'y'\n",
                 "/b.c:1:10: error: 'nothing.h' file not found\nCorrect the source, or give the flags that it needs");
    begin(&fixture, "#include \"penumbra.h\"\nint g = change(1, 2);\nint f(int x) { return x; }\n");
    expect_error(&fixture, "/a.c:2:9: error: change() outside of functions", "Correct the source");
    begin(&fixture, "int f(int x) { return x; }");
    fixture.units[0].cflags = "-fno-such-thing";
    expect_error(&fixture, "/a.c: error: unknown argument", "-fno-such-thing");
}

static void flags_reach_the_compiler(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\nint f(TYPE x) { return (int)change(x, x + STEP); }\n");
    fixture.units[0].cflags = "-DTYPE='unsigned short' -DSTEP=\"(1 + 2)\"";
    read_well(&fixture);
    assert_parameter(&fixture, "x", INPUT_UNSIGNED, false, 2, 1);
    size_t last = 0;
    while (fixture.program.cflags[0][last + 1])
        last++;
    assert_string_equal(fixture.program.cflags[0][last - 1], "-DTYPE=unsigned short");
    assert_string_equal(fixture.program.cflags[0][last], "-DSTEP=(1 + 2)");
    end(&fixture);
}

static void change_of_incompatible_types_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *message;
    } cases[] = {
        {"change(p, x) != 0", "/a.c:5:12: error: change() of incompatible types 'int *' and 'int'\n"},
        {"pn_change(x, p) != 0", "/a.c:5:12: error: change() of incompatible types 'int' and 'int *'\n"},
        {"WRAPPED(p, q) != 0", "/a.c:5:12: error: change() of incompatible types 'int *' and 'char *'\n"},
        {"change(s, x).a", "/a.c:5:12: error: change() of incompatible types 'struct s' and 'int'\n"},
        {"(change((void)x, x), 1)", "/a.c:5:13: error: change() of incompatible types: 'void' has no value\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[512];
        snprintf(source, sizeof source,
                 "#include \"penumbra.h\"\n#define WRAPPED(a, b) change(a, b)\n"
                 "int *p; char *q; struct s { int a; } s;\nint f(int x) {\n    return %s;\n}\n",
                 cases[i].expression);
        struct fixture fixture;
        begin(&fixture, source);
        assert_false(program_read(&fixture.program, &fixture.request, &fixture.error));
        if (!strstr(fixture.error.message, cases[i].message) || strstr(fixture.error.message, "Correct the source"))
            fail_msg("expected only '%s', got: %s", cases[i].message, fixture.error.message);
        end(&fixture);
    }
}

static void change_of_compatible_types_is_accepted(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "#include \"penumbra.h\"\nint *p; const int *q; void *v; struct s { int a; } s, t;\n"
          "int f(int x) {\n"
          "    return change(p, 0) != change(p, q) && change(v, p) && change(s, t).a && change(x, 1L) > 1.5;\n"
          "}\n");
    read_well(&fixture);
    end(&fixture);
}

static void missing_entries_suggest_others(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int compute(int x) { return x; }\nstatic int parse(void) { return compute(0); }\n"
                    "int g(void) { return parse(); }\n");
    fixture.request.entry = "compte";
    expect_error(&fixture, "no file defines a function 'compte'; did you mean 'compute'?", "");
    begin(&fixture, "int compute(int x) { return x; }\nint declared(void);\n");
    fixture.request.entry = "unlike";
    expect_error(&fixture, "some that are defined: 'compute'", "");
    begin(&fixture, "int f(void);\n");
    expect_error(&fixture, "there is none at all", "");
}

static void undefined_functions_are_all_named(void **state)
{
    (void)state;
    struct fixture fixture;
    const char *source = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                         "int sensor(int);\nvoid log_it(const char *);\nextern int level;\nint elsewhere(void);\n"
                         "static int never_used(void) { int unseen(void); return unseen(); }\n"
                         "int f(int x) {\n"
                         "    atexit(0); printf(\"%f\", sqrt(x)); __builtin_memset(&x, 0, 1);\n"
                         "    log_it(\"x\"); return sensor(x) + sensor(level) + elsewhere();\n}\n";
    begin(&fixture, source);
    add_file(&fixture, "b.c", "int elsewhere(void) { return 0; }\n");
    assert_false(program_read(&fixture.program, &fixture.request, &fixture.error));
    const char *message = fixture.error.message;
    assert_non_null(strstr(message, "sensor() (declared at "));
    assert_non_null(strstr(message, "a.c:5)"));
    assert_non_null(strstr(message, "log_it() (declared at "));
    assert_non_null(strstr(message, "level (declared at "));
    assert_non_null(strstr(message, "--link LIB"));
    assert_non_null(strstr(message, "--stub NAME"));
    static const char *const defined[] = {"elsewhere", "sqrt", "printf", "memset", "atexit", "unseen"};
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++)
        assert_null(strstr(message, defined[i]));
    end(&fixture);

    begin(&fixture, source);
    fixture.options[3][fixture.request.link_count++] = "sensors";
    fixture.options[3][fixture.request.link_count++] = "./libx.a";
    read_well(&fixture);
    assert_string_equal(fixture.program.links[0], "-lsensors");
    assert_string_equal(fixture.program.links[1], "./libx.a");
    assert_null(fixture.program.links[2]);
    end(&fixture);
}

/* Assembler may call anything: what only other functions use may be needed, or may not, and what is linked may have it.
 */
static void what_may_be_reached_may_be_undefined(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "extern int elsewhere;\nint unused(void) { return elsewhere; }\n"
                    "int f(int x) { __asm__ volatile(\"\"); return x; }\n");
    fixture.options[3][fixture.request.link_count++] = "sensors";
    read_well(&fixture);
    assert_int_equal(fixture.program.unreached_count, 1);
    assert_string_equal(fixture.program.unreached[0], "elsewhere");
    assert_non_null(strstr(text_string(&fixture.program.notes), "elsewhere is defined in none of the files"));
    end(&fixture);
}

static void wrong_stubs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"senso", "--stub 'senso': no file calls such a function; did you mean 'sensor'?"},
        {"f", "the files define it"},
        {"text", "it returns 'char *', and only numbers"},
        {"real", "it returns 'long double', and only numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        begin(&fixture, "int sensor(int); char *text(void); long double real(void);\n"
                        "int f(int x) { return sensor(x) + *text() + (int)real(); }");
        add_stub(&fixture, cases[i].name);
        expect_error(&fixture, cases[i].message, "");
    }
}

static void wrong_globals_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"countr", "--global 'countr': no file defines such a variable; did you mean 'counter'?"},
        {"limit", "a.c:2: global 'limit' is const"},
        {"scale", "a.c:4: global 'scale' has type 'long double', which cannot be an input yet"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        begin(&fixture, "int counter;\nconst int limit = 3;\nstruct point { __int128 x; } point;\nlong double scale;\n"
                        "int f(void) { return counter; }\n");
        add_global(&fixture, cases[i].name);
        expect_error(&fixture, cases[i].message, "");
    }
}

static const struct program_global *find_global(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->program.global_count; i++)
        if (strcmp(fixture->program.globals[i].name, name) == 0)
            return &fixture->program.globals[i];
    return NULL;
}

static void globals_without_pointers_are_outputs(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(
        &fixture,
        "#include <stdio.h>\n"
        "static int counter = 3; const int limit = 4; int twice; int twice; char grid[2][3]; extern int other;\n"
        "struct mixed { char tag; unsigned bits : 3; int : 2; long double big; union { int i; char c[6]; }; } mixed;\n"
        "struct mixed many[40];\nstruct node { struct node *next; } head; char *name; int x;\n"
        "union { int *p; long l; } either;\n"
        "int f(int x) { return counter + limit + x + other; }\n");
    add_file(&fixture, "b.c", "static int counter; int other = 2;\n");
    add_global(&fixture, "x");
    read_well(&fixture);
    assert_string_equal(find_global(&fixture, "counter")->outputs,
                        "    pn_output(\"counter\", (const void *)&counter, sizeof counter);\n");
    assert_true(find_global(&fixture, "limit")->is_constant);
    assert_string_equal(find_global(&fixture, "limit")->outputs, "");
    assert_non_null(strstr(find_global(&fixture, "head")->outputs, "pn_output_pointer(\"head.next\", "));
    assert_non_null(strstr(find_global(&fixture, "name")->outputs, "pn_output_pointer(\"name\", "));
    assert_non_null(strstr(find_global(&fixture, "either")->outputs, "__pn_holds_pointers("));
    assert_int_equal(find_global(&fixture, "other")->file, 1);
    assert_int_equal(fixture.program.global_count, 12);
    const char *mixed = find_global(&fixture, "mixed")->outputs;
    assert_non_null(strstr(mixed, "pn_output(\"mixed.tag\", (const void *)&mixed.tag, sizeof mixed.tag);"));
    assert_non_null(strstr(mixed, "unsigned long long __pn_bits = mixed.bits;"));
    assert_non_null(strstr(mixed, "pn_output(\"mixed.big\", (const void *)&mixed.big, 10);"));
    assert_non_null(strstr(mixed, "pn_output(\"mixed.c\", "));
    assert_non_null(strstr(mixed, "pn_output(\"mixed.i\", "));
    assert_non_null(strstr(find_global(&fixture, "many")->outputs, "pn_output(\"many[].tag\", "));
    const struct program_global *symbolic = find_global(&fixture, "x");
    assert_true(symbolic->is_symbolic);
    assert_string_equal(symbolic->shown_name, "::x");
    assert_true(input_layout_find(fixture.program.layout, "::x")->is_global);
    assert_null(strstr(text_string(&fixture.program.notes), "either"));
    end(&fixture);
}

static void header_locations_are_named_like_the_file(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int f(int x) { return x; }\n");
    read_well(&fixture);
    char path[512];
    assert_string_equal(program_file_name(&fixture.program, fixture.program.paths[0]), fixture.units[0].file);
    snprintf(path, sizeof path, "%s/sub/h.h", fixture.directory);
    assert_string_equal(program_file_name(&fixture.program, path), path);
    assert_string_equal(program_file_name(&fixture.program, "/usr/include/stdio.h"), "/usr/include/stdio.h");
    end(&fixture);
}

/* Compiles the harness files as the instrumented and the native builds do. */
static void assert_compiles(struct fixture *fixture, const char *path)
{
    static const char *const modes[] = {"-D__PENUMBRA__=1", "-DPENUMBRA_VERSION=OLD"};
    for (size_t i = 0; i < 2; i++) {
        const char *command[32] = {"clang-19", "-fsyntax-only", "-DPENUMBRA_REPLAY", "-Werror", modes[i], path};
        for (size_t k = 0; fixture->program.cflags[0][k]; k++)
            command[6 + k] = fixture->program.cflags[0][k];
        struct process_result result;
        assert_true(process_run(command, NULL, NULL, &result, &fixture->error));
        if (result.exit_status != 0)
            fail_msg("%s", text_string(&result.errors));
        process_result_free(&result);
    }
}

static void harnesses_of_all_shapes_compile(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture,
          "#include <stdbool.h>\n#define value 3\n"
          "struct pair { char a; int b; }; typedef enum { ONE } one;\nint sensor(const char *, int (*)(int), ...);\n"
          "bool ready(void); void act(void); one which(struct pair p);\n"
          "static struct pair counter; int grid[2][2]; unsigned char *bytes; _Bool flags[3]; struct pair many[50];\n"
          "static struct pair f(int x, const char *s, one e, bool b, int m[2][3], bool *bs, int) {\n"
          "    act(); counter.b += x + s[0] + (int)e + b + m[0][0] + bs[0] + ready() + sensor(s, 0, 1) + "
          "which(counter);\n"
          "    return counter;\n}\n"
          "int main(int argc, char **argv) { return argc > 0 && argv; }\n");
    add_file(&fixture, "b.c", "static int counter; int get(void) { return counter; }\n");
    add_stub(&fixture, "sensor");
    add_stub(&fixture, "ready");
    add_stub(&fixture, "act");
    add_stub(&fixture, "which");
    add_global(&fixture, "grid");
    add_global(&fixture, "bytes");
    add_global(&fixture, "flags");
    fixture.units[0].cflags = "-Wno-c23-extensions";
    read_well(&fixture);
    const char *paths[2];
    char directory[300];
    snprintf(directory, sizeof directory, "%s/harness", fixture.directory);
    assert_true(harness_write(&fixture.program, directory, paths, &fixture.error));
    assert_compiles(&fixture, paths[0]);
    assert_compiles(&fixture, paths[1]);
    end(&fixture);
}

/* 40 structures are made, each with three pointers behind which up to 39 others may lie: written out, they would be
 * 700 kB, and minutes for the optimiser. */
static void structures_that_point_to_each_other_are_written_once(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "struct item { struct item *next, *prev, *child; int type; double d; };\n"
                    "struct { struct { int x; struct item **items; } *unnamed; const struct item *item; } all;\n"
                    "struct item *f(const struct item *a) { return a->child; }\n");
    add_file(&fixture, "b.c", "static struct item { struct item *other; unsigned bits : 3; char *s; } *item;\n");
    fixture.units[0].cflags = "-Wno-c23-extensions";
    read_well(&fixture);
    const char *paths[2];
    assert_true(harness_write(&fixture.program, fixture.directory, paths, &fixture.error));
    struct text code = {0};
    assert_true(file_read(paths[0], &code, &fixture.error));
    assert_in_range(code.length, 1, 100000);
    text_free(&code);
    assert_compiles(&fixture, paths[0]);
    assert_compiles(&fixture, paths[1]);
    end(&fixture);
}

static void main_without_parameters_can_be_the_entry(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "#include \"penumbra.h\"\n"
                    "int main(void) { int x = 0; pn_symbolic(&x, sizeof x, \"x\"); if (x) return 3; }\n");
    fixture.request.entry = "main";
    read_well(&fixture);
    const char *path;
    assert_true(harness_write(&fixture.program, fixture.directory, &path, &fixture.error));
    assert_compiles(&fixture, path);
    end(&fixture);
}

static void unwritable_directory_is_an_error(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, "int f(int x) { return x; }\n");
    read_well(&fixture);
    const char *path;
    char directory[400];
    snprintf(directory, sizeof directory, "%s/a.c/harness", fixture.directory);
    assert_false(harness_write(&fixture.program, directory, &path, &fixture.error));
    assert_non_null(strstr(fixture.error.message, "a.c"));
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_of_every_integer_type),
        cmocka_unit_test(parameters_that_are_buffers),
        cmocka_unit_test(parameters_of_floating_point),
        cmocka_unit_test(unsupported_parameters_are_refused),
        cmocka_unit_test(parts_that_cannot_be_inputs_are_left_out),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(compiler_errors_are_shown),
        cmocka_unit_test(flags_reach_the_compiler),
        cmocka_unit_test(change_of_incompatible_types_is_refused),
        cmocka_unit_test(change_of_compatible_types_is_accepted),
        cmocka_unit_test(missing_entries_suggest_others),
        cmocka_unit_test(undefined_functions_are_all_named),
        cmocka_unit_test(what_may_be_reached_may_be_undefined),
        cmocka_unit_test(wrong_stubs_are_refused),
        cmocka_unit_test(wrong_globals_are_refused),
        cmocka_unit_test(globals_without_pointers_are_outputs),
        cmocka_unit_test(header_locations_are_named_like_the_file),
        cmocka_unit_test(harnesses_of_all_shapes_compile),
        cmocka_unit_test(structures_that_point_to_each_other_are_written_once),
        cmocka_unit_test(main_without_parameters_can_be_the_entry),
        cmocka_unit_test(unwritable_directory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
