/* store.h - the results in an SQLite file: the description of the sweep, a row for each case, and a separate table of
 * times and processes. One process writes. A committed row is safe. */
#ifndef CMD_STORE_H
#define CMD_STORE_H

#include "sweep.h"

struct sqlite3;
struct sqlite3_stmt;

/** An open file. A zeroed struct has none. */
typedef struct cmd_store {
    const char *path; /**< borrowed */
    struct sqlite3 *db;
    struct sqlite3_stmt *put_case, *put_clock;
    int lock;            /**< descriptor of the lock against another sweep */
    int is_open;         /**< lock is open */
    int is_writing;      /**< rows are waiting for a commit */
    double patience;     /**< [s] max. time that rows wait for a commit */
    double began;        /**< wall clock [s] of the first waiting row */
    unsigned char *done; /**< [n_cases / 8 + 1] one bit for each row */
    long n_done;
} cmd_store;

/** Open the file for this sweep. A new file gets its tables, with columns from cmd_sweep_describe(). An existing file
 *  must be of the same plan, command line and model, and determines the columns.
 *  @return 0; CMD_EXIT_USAGE (other sweep, no database, another process writes) or CMD_EXIT_IO after one complaint; 128
 *  + signal */
int cmd_store_open(cmd_store *store, const char *path, cmd_sweep_work *sweep);

/** Return 1 if case k has a row. */
int cmd_store_has(const cmd_store *store, long k);

/** Insert a row. It is committed later. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_put(cmd_store *store, const cmd_sweep_work *sweep, const cmd_sweep_case *c);

/** Commit the waiting rows if they have waited long enough, or immediately if `now` is set. Waits for a reader that
 *  holds the file. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_commit(cmd_store *store, int now);

/** Return the number of rows with this status; -1 after one complaint. */
long cmd_store_count(cmd_store *store, int status);

/** Report SQLite's last error. @return CMD_EXIT_IO */
int cmd_store_complain(const cmd_store *store, const char *what);

/** Commit the waiting rows and close the file. The store may be zeroed. @return as cmd_store_commit() */
int cmd_store_close(cmd_store *store);

/** Create or compare the tables and the description of the sweep. Called by cmd_store_open(). */
int cmd_store_make(cmd_store *store, cmd_sweep_work *sweep);
int cmd_store_compare(cmd_store *store, cmd_sweep_work *sweep);
int cmd_store_run(const cmd_store *store, const char *sql);
int cmd_store_prepare(cmd_store *store, const cmd_sweep_work *sweep);

/** Write the table of cases as CSV. @return 0; CMD_EXIT_IO after one complaint */
int cmd_store_csv(cmd_store *store, const char *path);

/** Write the report page. @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED after one complaint; 128 + signal */
int cmd_store_report(cmd_store *store, const cmd_sweep_work *sweep, const char *path);

#endif
