/* The campaign's file: what is written is read, whoever wrote it, and what is no such file is said to be none. */
#include "base/file.h"
#include "campaign/database.h"
#include "campaign/journal.h"
#include "report/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[256], path[300];

static int make(void **state)
{
    struct error error = {0};
    json_t *asked = json_pack("{s:s}", "version", "1");
    (void)state;
    bool good = file_make_scratch(directory, &error);
    snprintf(path, sizeof path, "%s/" JOURNAL_NAME, directory);
    good = good && journal_create(path, asked, &error);
    json_decref(asked);
    return good ? 0 : -1;
}

static int clean(void **state)
{
    (void)state;
    file_remove_tree(directory);
    return 0;
}

static json_t *record_of(const char *entry, int number)
{
    return json_pack("{s:s, s:s, s:i}", "record", RECORD_DIVERGENCE, "entry", entry, "number", number);
}

static void append(const char *entry, int number, const char *way)
{
    struct error error = {0};
    assert_true(journal_append(path, record_of(entry, number), way, &error));
}

static size_t count(void)
{
    struct error error = {0};
    json_t *records = journal_read(path, &error);
    size_t size = json_array_size(records);
    json_decref(records);
    return size;
}

static void records_are_read_in_their_order(void **state)
{
    struct error error = {0};
    (void)state;
    append("f", 1, NULL);
    assert_true(journal_append_all(path, json_pack("[o,o]", record_of("f", 2), record_of("g", 3)), &error));
    json_t *records = journal_read(path, &error), *asked = journal_asked(path, &error);
    for (int i = 0; i < 3; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(records, (size_t)i), "number")), i + 1);
    assert_string_equal(document_string(asked, "version"), "1");
    json_decref(records), json_decref(asked);
}

static void processes_write_at_the_same_time(void **state)
{
    enum { WRITERS = 4, EACH = 25 };
    (void)state;
    for (int i = 0; i < WRITERS; i++)
        if (!fork()) {
            for (int k = 0; k < EACH; k++)
                append("f", k, NULL);
            _exit(0);
        }
    for (int i = 0, status; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count(), WRITERS * EACH);
}

/* What a way has found counts until it is known not to, and what it finds when it is tried again does, too. */
static void a_way_is_dropped(void **state)
{
    struct error error = {0};
    json_t *dropped = json_pack("{s:s, s:s}", "record", RECORD_DROPPED, "entry", "f");
    (void)state;
    append("f", 1, NULL), append("f", 2, "twice"), append("g", 3, "twice");
    assert_int_equal(count(), 3);
    assert_true(journal_append(path, dropped, "twice", &error));
    assert_int_equal(count(), 3); /* the record that says so is one */
    append("f", 4, "twice");
    assert_int_equal(count(), 4);
}

static void other_files_are_told(void **state)
{
    struct error error = {0};
    struct text text = {0};
    (void)state;
    assert_true(database_write(path, "PRAGMA user_version = 99", NULL, &error));
    assert_null(journal_read(path, &error));
    assert_non_null(strstr(error.message, "of another version of penumbra"));
    error_clear(&error);
    assert_true(file_read(path, &text, &error));
    memset(text.data + 40, 0xa5, 3000);
    assert_true(file_write(path, text.data, text.length, &error));
    assert_null(journal_read(path, &error));
    assert_non_null(error.message);
    error_clear(&error);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(records_are_read_in_their_order, make, clean),
        cmocka_unit_test_setup_teardown(processes_write_at_the_same_time, make, clean),
        cmocka_unit_test_setup_teardown(a_way_is_dropped, make, clean),
        cmocka_unit_test_setup_teardown(other_files_are_told, make, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
