/* store.h - the results in a file of SQLite: what was asked for, a row for each case, and apart from it what the clock
 * says. One process writes; rows are safe when they are committed. */
#ifndef BENCH_STORE_H
#define BENCH_STORE_H

#include "sweep.h"

struct sqlite3;
struct sqlite3_stmt;

/** An open file. Zeroed: none. */
typedef struct bench_store {
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
} bench_store;

/** Open the file for this sweep: a new one gets its tables (the columns are found by bench_sweep_describe()), one that
 *  is there must be of the same plan, command line and model, and has its columns.
 *  @return 0; BENCH_EXIT_USAGE (of another sweep, no database, another process writes), BENCH_EXIT_IO after one
 *          complaint; 128 + signal */
int bench_store_open(bench_store *store, const char *path, bench_sweep *sweep);

/** Does case k have a row? */
int bench_store_has(const bench_store *store, long k);

/** One more row. It is committed after a while. @return 0; BENCH_EXIT_IO after one complaint */
int bench_store_put(bench_store *store, const bench_sweep *sweep, const bench_sweep_case *c);

/** Commit what waits, when it has waited long enough; `now`: whatever it has. A reader that holds the file is waited
 *  for. @return 0; BENCH_EXIT_IO after one complaint */
int bench_store_commit(bench_store *store, int now);

/** How many rows have this status. @return -1 after one complaint */
long bench_store_count(bench_store *store, int status);

/** Complain about SQLite's last error. @return BENCH_EXIT_IO */
int bench_store_fail(const bench_store *store, const char *what);

/** Commit what waits and close. A zeroed one is fine. @return as bench_store_commit() */
int bench_store_close(bench_store *store);

/** Tables and what they say of the sweep; called by bench_store_open(). */
int bench_store_make(bench_store *store, bench_sweep *sweep);
int bench_store_compare(bench_store *store, bench_sweep *sweep);
int bench_store_run(const bench_store *store, const char *sql);
int bench_store_prepare(bench_store *store, const bench_sweep *sweep);

/** The table of cases as CSV. @return 0; BENCH_EXIT_IO after one complaint */
int bench_store_csv(bench_store *store, const char *path);

/** The page. @return 0; BENCH_EXIT_IO, BENCH_EXIT_FAILED after one complaint; 128 + signal */
int bench_store_report(bench_store *store, const bench_sweep *sweep, const char *path);

#endif
