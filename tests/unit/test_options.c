/* Options as tables: each kind of row fills its field, defaults are the rows', and rows of all sets are known. */
#include "campaign/subject.h"
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum colour { RED, GREEN, BLUE };

struct record {
    const char *text;
    struct words words, names;
    bool all_names, on, off;
    double number, other;
    enum colour colour;
};

#define RECORD struct record

static const struct option_row rows[] = {
    TEXT("t|text", "TEXT", text, "A text"),
    WORDS("word", "WORD", words, "A word"),
    WORDS_OR_ALL("name", "NAME", names, all_names, "A name, or all"),
    NUMBER("number", "N", number, 2, 7, "A number"),
    NUMBER("other", "N", other, 0, 0, "One without a default"),
    CHOICE("colour", "red|green|blue", colour, "A colour"),
    ON("on", on, "Switch it on"),
    OFF(".off", off, "Switch it off"),
    TABLE_END,
};

static void parse(struct record *record, struct subject_options *subject, struct words *files, const char *const *words)
{
    char *arguments[32];
    int count = 0;
    struct command_line line = {
        .arguments = "FILE...",
        .summary = "A test.",
        .sets = {{NULL, rows, record}, {"The program:", subject_rows, subject}},
        .files = files,
    };
    arguments[count++] = (char *)"test";
    for (; *words; words++)
        arguments[count++] = (char *)*words;
    arguments[count] = NULL;
    options_parse(&line, count, arguments);
}

static void rows_fill_their_fields(void **state)
{
    (void)state;
    struct record record = {.off = true};
    struct subject_options subject = {0};
    struct words files = {0};
    static const char *const words[] = {
        "one.c",   "-t",       "text",       "--word",        "a",        "--word=b", "--name=x",
        "--name",  "--number", "2.5",        "--colour=blue", "--on",     "--off",    "two.c",
        "--entry", "f",        "--overflow", "assume-none",   "--null=p", NULL};
    parse(&record, &subject, &files, words);
    assert_string_equal(record.text, "text");
    assert_int_equal(record.words.count, 2);
    assert_string_equal(record.words.list[1], "b");
    assert_int_equal(record.names.count, 1);
    assert_true(record.all_names && record.on && !record.off);
    assert_true(record.number == 2.5);
    assert_int_equal(record.colour, BLUE);
    assert_int_equal(files.count, 2);
    assert_string_equal(files.list[1], "two.c");
    assert_string_equal(subject.entry, "f");
    assert_int_equal(subject.overflow, OVERFLOW_ASSUMED_NONE);
    assert_true(subject.nulls.count == 1 && !subject.all_null);
    words_free(&record.words), words_free(&record.names), words_free(&files);
    subject_options_free(&subject);
}

static void what_is_not_given_has_its_default(void **state)
{
    (void)state;
    struct record record = {.colour = GREEN, .other = 3};
    struct subject_options subject = {0};
    struct words files = {0};
    static const char *const words[] = {NULL};
    parse(&record, &subject, &files, words);
    assert_true(record.number == 7);
    assert_true(record.other == 3); /* the command's own */
    assert_int_equal(record.colour, GREEN);
    assert_null(record.text);
    assert_true(subject.run_seconds == 5 && subject.memory_megabytes == 2000 && subject.most_selected == 8192);
}

/* The exit status of a process that parses the words. */
static int status_of(const char *word)
{
    const char *const words[] = {word, NULL};
    int status;
    pid_t child = fork();
    if (!child) {
        struct record record = {0};
        struct subject_options subject = {0};
        struct words files = {0};
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        parse(&record, &subject, &files, words);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    assert_int_equal(status_of("--number=2"), 0);
    assert_int_equal(status_of("--number=1.9"), 2);
    assert_int_equal(status_of("--number=3x"), 2);
    assert_int_equal(status_of("--number=nan"), 2);
    assert_int_equal(status_of("--colour=gre"), 2);
    assert_int_equal(status_of("--colour=red|green"), 2);
    assert_int_equal(status_of("--colour=green"), 0);
    assert_int_equal(status_of("--unknown"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_fill_their_fields),
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(wrong_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
