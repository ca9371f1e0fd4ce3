#include "campaign/database.h"

#include "base/text.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { APPLICATION = 0x50454e55 /* PENU */, SCHEMA = 1, WAIT_MILLISECONDS = 60000 };

/* Always false. */
static bool fail(sqlite3 *database, const char *path, struct error *error)
{
    switch (sqlite3_errcode(database)) {
    case SQLITE_FULL: return error_set(error, "%s cannot be written: the disk is full", path);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return error_set(error, "%s is damaged: %s", path, sqlite3_errmsg(database));
    case SQLITE_READONLY: return error_set(error, "%s cannot be written: it may only be read", path);
    default: return error_set(error, "%s cannot be used: %s", path, sqlite3_errmsg(database));
    }
}

static bool run(sqlite3 *database, const char *path, const char *statement, struct error *error)
{
    return sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK || fail(database, path, error);
}

static bool step(sqlite3 *database, const char *path, const char *statement, const char *const values[],
                 database_row *take, void *context, struct error *error)
{
    sqlite3_stmt *prepared;
    if (sqlite3_prepare_v2(database, statement, -1, &prepared, NULL) != SQLITE_OK)
        return fail(database, path, error);
    for (int i = 0; values && values[i]; i++)
        sqlite3_bind_text(prepared, i + 1, values[i], -1, SQLITE_STATIC);
    int status;
    while ((status = sqlite3_step(prepared)) == SQLITE_ROW)
        if (take)
            take(context, prepared);
    bool good = status == SQLITE_DONE || fail(database, path, error);
    sqlite3_finalize(prepared);
    return good;
}

static void take_number(void *context, sqlite3_stmt *row)
{
    *(int *)context = sqlite3_column_int(row, 0);
}

static bool is_ours(sqlite3 *database, const char *path, struct error *error)
{
    int application = 0, schema = 0;
    if (!step(database, path, "PRAGMA application_id", NULL, take_number, &application, error) ||
        !step(database, path, "PRAGMA user_version", NULL, take_number, &schema, error))
        return false;
    if (application != APPLICATION)
        return error_set(error, "%s is no campaign of penumbra", path);
    return schema == SCHEMA ||
           error_set(error, "%s is of another version of penumbra: its form is %d, this version reads %d", path, schema,
                     SCHEMA);
}

static sqlite3 *open_file(const char *path, int flags, struct error *error)
{
    sqlite3 *database = NULL;
    if (sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(database, WAIT_MILLISECONDS);
        if (run(database, path, "PRAGMA synchronous = OFF", error))
            return database;
    } else {
        fail(database, path, error);
    }
    sqlite3_close(database);
    return NULL;
}

static bool use(const char *path, const char *statement, const char *const values[], database_row *take, void *context,
                struct error *error)
{
    sqlite3 *database = open_file(path, SQLITE_OPEN_READWRITE, error);
    bool good =
        database && is_ours(database, path, error) && step(database, path, statement, values, take, context, error);
    sqlite3_close(database);
    return good;
}

bool database_create(const char *path, const char *tables, struct error *error)
{
    struct text made = {0}, statements = {0};
    text_format(&made, "%s.new", path);
    text_format(&statements, "PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN; %s COMMIT", APPLICATION,
                SCHEMA, tables);
    sqlite3 *database = open_file(text_string(&made), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    bool good = database && run(database, text_string(&made), text_string(&statements), error);
    sqlite3_close(database);
    if (good && rename(text_string(&made), path))
        good = error_set(error, "%s cannot be made: %m", path);
    if (!good)
        unlink(text_string(&made));
    text_free(&made), text_free(&statements);
    return good;
}

bool database_write(const char *path, const char *statement, const char *const values[], struct error *error)
{
    return use(path, statement, values, NULL, NULL, error);
}

bool database_read(const char *path, const char *statement, const char *const values[], database_row *take,
                   void *context, struct error *error)
{
    return use(path, statement, values, take, context, error);
}
