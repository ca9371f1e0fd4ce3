/* The names that linked objects and libraries mention (build/mentioned.h), and links by their names (base/links.h). */
#include "base/arena.h"
#include "base/file.h"
#include "base/links.h"
#include "build/mentioned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char directory[256];

static const char *path_of(struct arena *arena, const char *file)
{
    return arena_format(arena, "%s/%s", directory, file);
}

static void run(const char *command)
{
    if (system(command) != 0)
        fail_msg("%s", command);
}

static int make_files(void **state)
{
    struct arena *arena = arena_create();
    struct error error = {0};
    *state = arena;
    if (!file_make_scratch(directory, &error))
        return -1;
    run(arena_format(
        arena,
        "cd %s && printf 'extern int wanted(void), variable; static int own(void) { return variable; }\\n"
        "int give(void) { return wanted() + own(); }\\n' > a.c && gcc -fPIC -c a.c && ar rcs liba.a a.o && "
        "gcc -shared -o libb.so a.o && echo 'INPUT(-lb)' > libscript.so",
        directory));
    return 0;
}

static int remove_files(void **state)
{
    struct arena *arena = *state;
    file_remove_tree(directory);
    arena_destroy(arena);
    return 0;
}

static bool mentions(const struct set *names, const char *name)
{
    return set_find(names, name, strlen(name) + 1) < set_count(names);
}

static void check_names(const char *const links[], size_t count)
{
    struct set *names = mentioned_by(links, count);
    assert_non_null(names);
    assert_true(mentions(names, "wanted"));
    assert_true(mentions(names, "variable"));
    assert_true(mentions(names, "give"));
    assert_false(mentions(names, "own"));
    assert_false(mentions(names, "nobody"));
    set_destroy(names);
}

static void objects_archives_and_libraries(void **state)
{
    struct arena *arena = *state;
    const char *object = path_of(arena, "a.o"), *archive = path_of(arena, "liba.a"),
               *library = path_of(arena, "libb.so");
    const char *place = arena_format(arena, "-L%s", directory);
    check_names(&object, 1);
    check_names(&archive, 1);
    check_names(&library, 1);
    check_names((const char *const[]){"-lb", place}, 2);
    check_names((const char *const[]){place, "a", "m"}, 3);
}

static void what_cannot_be_read(void **state)
{
    struct arena *arena = *state;
    const char *place = arena_format(arena, "-L%s", directory), *source = path_of(arena, "a.c"), *unknown = "-rdynamic";
    assert_null(mentioned_by(&source, 1));
    assert_null(mentioned_by((const char *const[]){"-lscript", place}, 2));
    assert_null(mentioned_by((const char *const[]){"-lno-such-library"}, 1));
    assert_null(mentioned_by(&unknown, 1));
}

static void parts_of_the_c_library(void **state)
{
    (void)state;
    assert_true(links_are_c_library(NULL, 0));
    assert_true(
        links_are_c_library((const char *const[]){"-lm", "pthread", "-pthread", "-L/opt", "-Wl,--as-needed"}, 5));
    assert_false(links_are_c_library((const char *const[]){"-lm", "-lz"}, 2));
    assert_false(links_are_c_library((const char *const[]){"m.o"}, 1));
    assert_false(links_are_c_library((const char *const[]){"/tmp/m"}, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_archives_and_libraries),
        cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(parts_of_the_c_library),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
