/* The SQLite file of a campaign, `campaign.db` in its results directory: statements with their values, and errors that
 * say in one sentence what is wrong with the file. It is opened for each statement and closed again, since processes
 * that are forked must not share a connection. What a statement has written is there whatever becomes of the process
 * that wrote it; no disk is waited for, so a loss of power may damage what was written last. */
#ifndef PENUMBRA_CAMPAIGN_DATABASE_H
#define PENUMBRA_CAMPAIGN_DATABASE_H

#include "base/error.h"

#include <stdbool.h>

struct sqlite3_stmt;

/* Makes the file, with these tables; it is there with all of them or not at all. */
bool database_create(const char *path, const char *tables, struct error *error);

/* Values are strings, for each `?` one, and NULL behind them; a column of numbers makes numbers of them. */
bool database_write(const char *path, const char *statement, const char *const values[], struct error *error);

/* Called for each row. */
typedef void database_row(void *context, struct sqlite3_stmt *row);
bool database_read(const char *path, const char *statement, const char *const values[], database_row *take,
                   void *context, struct error *error);

#endif
