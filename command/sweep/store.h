/* store.h - the results in a file of SQLite: what was asked for, a row for each case, and apart from it what the clock
 * says. One process writes; rows are safe when they are committed. */
#ifndef CMD_STORE_H
#define CMD_STORE_H

#include "sweep.h"

struct sqlite3;
struct sqlite3_stmt;

/** An open file. Zeroed: none. */
typedef struct cmd_store {
    const char *path; /**< the caller's */
    struct sqlite3 *db;
    struct sqlite3_stmt *put_case, *put_clock;
    int lock;            /**< descriptor; another sweep that would write finds it taken */
    int is_open;         /**< lock is one */
    int is_writing;      /**< rows wait for their commit */
    double patience;     /**< [s] that rows wait for their commit */
    double began;        /**< wall clock [s] of the first of these */
    unsigned char *done; /**< [n_cases / 8 + 1] a bit for each row */
    long n_done;
} cmd_store;

/** Open the file for this sweep: a new one gets its tables (the columns are found by cmd_sweep_describe()), one that
 *  is there must be of the same plan, command line and model, and has its columns.
 *  @return 0; CMD_EXIT_USAGE (of another sweep, no database, another process writes), CMD_EXIT_IO after one
 *          complaint; 128 + signal */
int cmd_store_open(cmd_store *store, const char *path, cmd_sweep_work *sweep);

/** Does case k have a row? */
int cmd_store_has(const cmd_store *store, long k);

/** One more row. It is committed after a while. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_put(cmd_store *store, const cmd_sweep_work *sweep, const cmd_sweep_case *c);

/** Commit what waits, when it has waited long enough; `now`: whatever it has. A reader that holds the file is waited
 *  for. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_commit(cmd_store *store, int now);

/** How many rows have this status. @return -1 after one complaint */
long cmd_store_count(cmd_store *store, int status);

/** Complain about SQLite's last error. @return CMD_EXIT_IO */
int cmd_store_fail(const cmd_store *store, const char *what);

/** Commit what waits and close. A zeroed one is fine. @return as cmd_store_commit() */
int cmd_store_close(cmd_store *store);

/** Tables and what they say of the sweep; called by cmd_store_open(). */
int cmd_store_make(cmd_store *store, cmd_sweep_work *sweep);
int cmd_store_compare(cmd_store *store, cmd_sweep_work *sweep);
int cmd_store_run(const cmd_store *store, const char *sql);
int cmd_store_prepare(cmd_store *store, const cmd_sweep_work *sweep);

/** The table of cases as CSV. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_csv(cmd_store *store, const char *path);

/** The page. @return 0; CMD_EXIT_IO, CMD_EXIT_FAILED after one complaint; 128 + signal */
int cmd_store_report(cmd_store *store, const cmd_sweep_work *sweep, const char *path);

#endif
