/* What the cache is made of: digests, names of places, rules of dependencies, flags, tables of sites. */
#include "base/digest.h"
#include "base/file.h"
#include "base/places.h"
#include "compile/identity.h"
#include "compile/inputs.h"
#include "compile/manifest.h"
#include "compile/store.h"
#include "instrument/sites.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch[256];

static int make_scratch(void **state)
{
    (void)state;
    struct error error = {0};
    return file_make_scratch(scratch, &error) ? 0 : -1;
}

static int remove_scratch(void **state)
{
    (void)state;
    file_remove_tree(scratch);
    return 0;
}

static const char *write_file(struct arena *arena, const char *name, const char *text)
{
    struct error error = {0};
    const char *path = arena_format(arena, "%s/%s", scratch, name);
    assert_true(file_write(path, text, strlen(text), &error));
    return path;
}

/* ---- digests ---- */

static void parts_do_not_run_together(void **state)
{
    (void)state;
    static const char *const parts[][3] = {{"ab", "c", NULL}, {"a", "bc", NULL}, {"abc", "", NULL}, {"abc", NULL}};
    struct digest digests[4];
    for (size_t i = 0; i < 4; i++) {
        struct digester digester;
        digester_open(&digester, "test");
        for (size_t k = 0; parts[i][k]; k++)
            digester_add_string(&digester, parts[i][k]);
        digests[i] = digester_close(&digester);
        for (size_t k = 0; k < i; k++)
            assert_false(digest_equal(&digests[i], &digests[k]));
    }
}

static void digests_are_read_as_they_are_printed(void **state)
{
    (void)state;
    char letters[DIGEST_LETTERS + 1];
    struct digest digest = digest_of("x", 1), read;
    digest_print(&digest, letters);
    assert_true(digest_parse(letters, &read));
    assert_true(digest_equal(&digest, &read));
    letters[5] = 'g';
    assert_false(digest_parse(letters, &read));
    assert_false(digest_parse("ab", &read));
}

/* ---- places ---- */

static void places_have_fixed_names(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct error error = {0};
    const char *inner = arena_format(arena, "%s/inner", scratch);
    assert_true(file_make_directory(inner, &error));
    places_add("outer", scratch);
    places_add("inner", inner);
    const char *text = arena_format(arena, "-I%s/a '%s=%s/b' %s-other/c", scratch, inner, inner, scratch);
    const char *hidden = places_hide(arena, text);
    assert_string_equal(
        hidden, arena_format(arena, "-I/.penumbra/outer/a '/.penumbra/inner=/.penumbra/inner/b' %s-other/c", scratch));
    assert_string_equal(places_show(arena, hidden), text);
    assert_true(places_is_fixed("/.penumbra/outer/a"));
    assert_false(places_is_fixed(inner));
    assert_string_equal(places_hide(arena, "int x;"), "int x;");
    arena_destroy(arena);
}

/* ---- rules ---- */

static void rules_are_read(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct words files = {0};
    manifest_read_rule(
        "/tmp/a\\ b.o: /dev/null a.c \\\n  with\\ space.h hash\\#.h dollar$$.h \\\n  a.c back\\slash.h\n", "/dev/null",
        arena, &files);
    static const char *const expected[] = {"a.c", "with space.h", "hash#.h", "dollar$.h", "back\\slash.h"};
    assert_int_equal(files.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(files.list[i], expected[i]);
    words_free(&files);
    arena_destroy(arena);
}

/* ---- manifests ---- */

static const struct timespec LATER = {.tv_sec = (time_t)1 << 40};

static void manifests_hold_until_something_changes(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct error error = {0};
    struct manifest manifest = {0}, read;
    struct text text = {0};
    const char *first = arena_format(arena, "%s/first", scratch), *second = arena_format(arena, "%s/second", scratch);
    assert_true(file_make_directory(first, &error) && file_make_directory(second, &error));
    words_add(&manifest.files, write_file(arena, "second/a.h", "int a;\n"));
    words_add(&manifest.directories, first);
    words_add(&manifest.directories, second);
    assert_true(manifest_take(&manifest, &LATER, arena));
    manifest_print(&manifest, &text);
    const char *at = text_string(&text);
    assert_true(manifest_parse(&at, arena, &read));
    assert_string_equal(at, "");
    assert_true(manifest_holds(&read));
    const char *other = write_file(arena, "first/a.h", "int b;\n");
    assert_false(manifest_holds(&read)); /* it would be found before the other */
    unlink(other);
    assert_true(manifest_holds(&read));
    write_file(arena, "first/unrelated.h", "int b;\n");
    assert_true(manifest_holds(&read));
    write_file(arena, "second/a.h", "int b;\n");
    assert_false(manifest_holds(&read));
    manifest_free(&manifest), manifest_free(&read);
    text_free(&text);
    arena_destroy(arena);
}

/* What was written while the compiler ran may be read by it or not. */
static void what_changes_meanwhile_is_not_kept(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct manifest manifest = {0};
    struct timespec early = {.tv_sec = 1};
    words_add(&manifest.files, write_file(arena, "a.h", "int a;\n"));
    assert_false(manifest_take(&manifest, &early, arena));
    assert_true(manifest_take(&manifest, &LATER, arena));
    manifest_free(&manifest);
    arena_destroy(arena);
}

static void broken_manifests_are_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "nonsense\n", "f/a.h\n", "f/a.h\ns0123\n", "s"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct manifest manifest;
        const char *at = texts[i];
        assert_false(manifest_parse(&at, arena, &manifest));
    }
    arena_destroy(arena);
}

static void questions_for_headers_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *asked;
        bool is_unclear;
    } rows[] = {
        {"#if __has_include(<a/b.h>)\n#endif\n", "a/b.h", false},
        {"#if defined(X) && __has_include ( \"c.h\" )\n#endif\n", "c.h", false},
        {"#if __has_include_next(<limits.h>)\n#endif\n", "limits.h", false},
        {"#ifdef __has_include\n#endif\n", NULL, false},
        {"/* a __has_include argument */ int my__has_includes;\n", NULL, false},
        {"#if __has_include(HEADER)\n#endif\n", NULL, true},
        {"#define HAS(x) __has_include(x)\n", NULL, true},
        {"#define HAS \\\n  __has_include\n", NULL, true},
        {"#if \\\n  __has_include \\\n (<d.h>)\n#endif\n", "d.h", false},
        {"#if __has_include(<open\n", NULL, true},
        {"#if __has_embed(<data>)\n#endif\n", NULL, true},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *path = write_file(arena, arena_format(arena, "asked-%zu.h", i), rows[i].text);
        const struct compile_input *input = compile_input_get(path);
        assert_non_null(input);
        assert_int_equal(input->is_unclear, rows[i].is_unclear);
        assert_int_equal(input->asked.count, rows[i].asked ? 1 : 0);
        if (rows[i].asked)
            assert_string_equal(input->asked.list[0], rows[i].asked);
    }
    arena_destroy(arena);
}

/* ---- flags ---- */

static void flags_that_lead_elsewhere_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *flags[3];
        bool known;
    } rows[] = {
        {{"-DX=1", "-Iinclude"}, true},
        {{"-I", "include"}, true},
        {{"-isystem", "include"}, true},
        {{"-O2", "-fno-strict-aliasing"}, true},
        {{"-std=c11", "-Wall"}, true},
        {{"-fmacro-prefix-map=a=b", "-march=x86-64-v3"}, true},
        {{"-include", "config.h"}, true},
        {{"-g", "-pthread"}, true},
        {{"-march=native"}, false},
        {{"-fplugin=a.so"}, false},
        {{"-Xclang", "-load"}, false},
        {{"@file"}, false},
        {{"-I"}, false},
        {{"-fprofile-use=data"}, false},
        {{"--sysroot=/x"}, false},
        {{"-working-directory=/x"}, false},
        {{"-fbasic-block-sections=list=f"}, false},
        {{"-frandomize-layout-seed-file=f"}, false},
        {{"-Wp,-MD,x"}, false},
        {{"-fmodules"}, false},
        {{"-ivfsoverlay", "x"}, false},
        {{"-coverage"}, false},
        {{"file.c"}, false},
        {{"-mllvm", "-x"}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = NULL;
        if (identity_knows_flags(rows[i].flags, &why) != rows[i].known)
            fail_msg("%s", rows[i].flags[0]);
    }
}

static void compiled_headers_are_seen(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const char *header = write_file(arena, "config.h", ""), *why;
    const char *const flags[] = {"-include", header, NULL};
    assert_true(identity_knows_flags(flags, &why));
    write_file(arena, "config.h.pch", "");
    assert_false(identity_knows_flags(flags, &why));
    arena_destroy(arena);
}

/* ---- the store ---- */

static void entries_are_whole_or_none(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text content = {0};
    struct digest key = digest_of("key", 3), other = digest_of("other", 5);
    assert_false(store_get(&key, &content)); /* it is not open */
    setenv("PENUMBRA_CACHE", arena_format(arena, "%s/cache", scratch), 1);
    store_open();
    assert_true(store_is_open());
    store_put(&key, "con\0tent", 8);
    assert_true(store_get(&key, &content));
    assert_int_equal(content.length, 8);
    assert_memory_equal(content.data, "con\0tent", 8);
    assert_false(store_get(&other, &content));
    text_free(&content);
    arena_destroy(arena);
}

/* ---- sites ---- */

static void sites_are_read_as_they_are_written(void **state)
{
    (void)state;
    struct site_table *table = site_table_create(), *read = site_table_create();
    struct text bytes = {0};
    uint32_t number = site_table_add(
        table, &(struct site){.file = "a.c", .function = "f", .what = "pow", .line = 3, .column = 9, .in_model = true});
    site_table_add(table, &(struct site){.file = "", .function = "", .what = "", .calls_model = true});
    uint32_t *distances = site_table_outcomes(table, number, 2);
    distances[0] = 7, distances[1] = SITE_NO_CHANGE;
    table->lasting = "fork";
    words_add(&table->assumed, "count");
    table->prints = true;
    site_table_write(table, &bytes);
    assert_true(site_table_read(read, text_string(&bytes), bytes.length));
    assert_int_equal(read->count, table->count);
    const struct site *site = site_table_get(read, number);
    assert_string_equal(site->file, "a.c");
    assert_string_equal(site->what, "pow");
    assert_int_equal(site->line, 3);
    assert_int_equal(site->column, 9);
    assert_true(site->in_model && !site->calls_model);
    assert_true(site_reaches_change(read, number, 0, false) && !site_reaches_change(read, number, 0, true));
    assert_int_equal(site_distance(read, number, 0, false), 7);
    assert_int_equal(site_distance(read, number, 1, true), 0);
    assert_true(site_table_get(read, number + 1)->calls_model);
    assert_string_equal(read->lasting, "fork");
    assert_string_equal(read->assumed.list[0], "count");
    assert_int_equal(read->outside.count, 0);
    assert_true(read->prints && !read->allocates && !read->has_locale);
    for (size_t length = 0; length < bytes.length; length++) {
        struct site_table *part = site_table_create();
        assert_false(site_table_read(part, text_string(&bytes), length));
        site_table_destroy(part);
    }
    site_table_destroy(table), site_table_destroy(read);
    text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_not_run_together),
        cmocka_unit_test(digests_are_read_as_they_are_printed),
        cmocka_unit_test(places_have_fixed_names),
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(manifests_hold_until_something_changes),
        cmocka_unit_test(what_changes_meanwhile_is_not_kept),
        cmocka_unit_test(broken_manifests_are_none),
        cmocka_unit_test(questions_for_headers_are_found),
        cmocka_unit_test(flags_that_lead_elsewhere_are_refused),
        cmocka_unit_test(compiled_headers_are_seen),
        cmocka_unit_test(entries_are_whole_or_none),
        cmocka_unit_test(sites_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
