/* store.c - the SQLite file and its writer.
 *
 * A rollback journal on disk protects commits. A write-ahead log is not used, because network file systems do not
 * support it. Writes are synchronous: a committed row survives a kill or a power failure. A commit takes milliseconds;
 * therefore rows are collected for at most MAX_S. A lock on the file (flock) excludes a second sweep but no readers. */
#define _DEFAULT_SOURCE /* flock() */

#include "store.h"

#include "program/process/stopwatch.h"
#include "program/base/complain.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Rows are collected for PART times the duration of a commit, so that commits take a small fraction of the time. */
static const double PART = 50, MIN_S = 0.02, MAX_S = 1;
enum { READER_MS = 60000 }; /* max. wait for a reader */

int cmd_store_complain(const cmd_store *store, const char *what)
{
    const int error = store->db ? sqlite3_system_errno(store->db) : 0;
    const char *words = store->db ? sqlite3_errmsg(store->db) : "out of memory";
    const int is_system = error != 0 && store->db && (sqlite3_errcode(store->db) & 0xff) == SQLITE_IOERR;
    return cmd_complain(CMD_EXIT_IO, "cannot %s %s: %s%s%s", what, store->path, words, is_system ? ": " : "",
                        is_system ? strerror(error) : "");
}

int cmd_store_run(const cmd_store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : cmd_store_complain(store, "write");
}

int cmd_store_has(const cmd_store *store, long k)
{
    return store->done[k / 8] >> (k % 8) & 1;
}

static void mark_done(cmd_store *store, long k)
{
    if (cmd_store_has(store, k)) return;
    store->done[k / 8] = (unsigned char)(store->done[k / 8] | 1 << (k % 8));
    store->n_done++;
}

/** Read the numbers of the cases that have rows. */
static int read_done(cmd_store *store, const cmd_sweep_work *sweep)
{
    sqlite3_stmt *ask = NULL;
    int step = SQLITE_ERROR;
    store->done = calloc((size_t)sweep->plan.n_cases / 8 + 1, 1);
    if (!store->done) return cmd_no_memory();
    if (sqlite3_prepare_v2(store->db, "SELECT number FROM cases", -1, &ask, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(ask)) == SQLITE_ROW) {
            const sqlite3_int64 k = sqlite3_column_int64(ask, 0);
            if (k >= 0 && k < sweep->plan.n_cases) mark_done(store, (long)k);
        }
    sqlite3_finalize(ask);
    return step == SQLITE_DONE ? 0 : cmd_store_complain(store, "read");
}

static int take_lock(cmd_store *store)
{
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0) return cmd_complain_io("write", store->path);
    store->is_open = 1;
    if (flock(store->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return 0; /* some file systems do not support flock() */
    return cmd_complain(CMD_EXIT_USAGE, "%s: another sweep writes to this file", store->path);
}

/** Return 1 if the file exists and is not empty. */
static int does_file_exist(const char *path)
{
    FILE *f = fopen(path, "rb");
    const int has = f && getc(f) != EOF;
    if (f) fclose(f);
    return has;
}

/** Return the number that a query selects.
 *  @param[in] word  value of its parameter; NULL if it has none
 *  @return -1 after one complaint */
static long query_number(const cmd_store *store, const char *query, const char *word)
{
    sqlite3_stmt *ask = NULL;
    long n = -1;
    if (sqlite3_prepare_v2(store->db, query, -1, &ask, NULL) == SQLITE_OK) {
        if (word) sqlite3_bind_text(ask, 1, word, -1, SQLITE_STATIC);
        if (sqlite3_step(ask) == SQLITE_ROW) n = (long)sqlite3_column_int64(ask, 0);
    }
    if (n < 0) cmd_store_complain(store, "read");
    sqlite3_finalize(ask);
    return n;
}

static int open_database(cmd_store *store, cmd_sweep_work *sweep, int is_described)
{
    if (sqlite3_open_v2(store->path, &store->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return cmd_store_complain(store, "open");
    sqlite3_busy_timeout(store->db, READER_MS);
    int code = cmd_store_run(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
    /* without tables the file is new, or its sweep was killed at the beginning */
    const long n_tables = code == 0 ? query_number(store, "SELECT count(*) FROM sqlite_master", NULL) : 0;
    const int is_new = n_tables == 0;
    if (n_tables < 0) return CMD_EXIT_IO;
    if (code == 0 && is_new && !is_described) code = cmd_sweep_describe(sweep);
    if (code == 0) code = is_new ? cmd_store_make(store, sweep) : cmd_store_compare(store, sweep);
    if (code == 0) code = read_done(store, sweep);
    return code == 0 ? cmd_store_prepare(store, sweep) : code;
}

int cmd_store_open(cmd_store *store, const char *path, cmd_sweep_work *sweep)
{
    *store = (cmd_store){.path = path};
    const int is_described = !does_file_exist(path); /* if the description fails, no file is created */
    int code = is_described ? cmd_sweep_describe(sweep) : 0;
    if (code == 0) code = take_lock(store);
    return code == 0 ? open_database(store, sweep, is_described) : code;
}

int cmd_store_commit(cmd_store *store, int now)
{
    const double from = bench_wall_s();
    if (!store->is_writing || (!now && from - store->began < store->patience)) return 0;
    if (sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return cmd_store_complain(store, "write");
    store->is_writing = 0;
    store->patience = fmin(fmax(PART * (bench_wall_s() - from), MIN_S), MAX_S);
    return 0;
}

static void bind_word(sqlite3_stmt *to, int at, const char *word, int is_text)
{
    double x;
    if (word[0] == 0)
        sqlite3_bind_null(to, at);
    else if (!is_text && cmd_parse_number(word, &x) == 0)
        sqlite3_bind_double(to, at, x);
    else
        sqlite3_bind_text(to, at, word, -1, SQLITE_TRANSIENT);
}

/** Bind a row in the order of its columns: number, axes, status, code, message, t, counters, outputs, state. */
static void bind_case(sqlite3_stmt *to, const cmd_sweep_work *w, const cmd_sweep_case *c)
{
    const cmd_case_head *head = &c->head;
    int at = 1;
    sqlite3_bind_int64(to, at++, head->number);
    for (int i = 0; i < w->plan.n_axes; i++)
        bind_word(to, at++, cmd_plan_word(&w->plan, i, (long)head->number), cmd_is_text(w->cls, w->plan.axes[i].name));
    sqlite3_bind_text(to, at++, cmd_case_status_name(head->status), -1, SQLITE_STATIC);
    bind_word(to, at++, head->code, 1);
    bind_word(to, at++, head->message, 1);
    sqlite3_bind_double(to, at++, head->t); /* SQLite stores NaN as NULL, here and below */
    for (int i = 0; i < CMD_CASE_COUNTERS; i++, at++)
        if (head->counters[i] >= 0)
            sqlite3_bind_int64(to, at, head->counters[i]);
        else
            sqlite3_bind_null(to, at);
    for (int i = 0; i < w->n_outputs; i++, at++)
        if (i < head->n_outputs)
            sqlite3_bind_double(to, at, c->values[i]);
        else
            sqlite3_bind_null(to, at);
    if (head->n_state > 0)
        sqlite3_bind_blob64(to, at, c->values + head->n_outputs, (sqlite3_uint64)head->n_state * sizeof *c->values,
                            SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(to, at);
}

static void bind_clock(sqlite3_stmt *to, const cmd_case_head *head)
{
    sqlite3_bind_int64(to, 1, head->number);
    sqlite3_bind_double(to, 2, head->seconds);
    sqlite3_bind_int64(to, 3, head->pid);
    sqlite3_bind_int64(to, 4, head->rank);
}

static int run_once(cmd_store *store, sqlite3_stmt *what)
{
    const int step = sqlite3_step(what);
    const int code = step == SQLITE_DONE ? 0 : cmd_store_complain(store, "write");
    sqlite3_reset(what);
    return code;
}

int cmd_store_put(cmd_store *store, const cmd_sweep_work *sweep, const cmd_sweep_case *c)
{
    int code = 0;
    if (!store->is_writing) {
        code = cmd_store_run(store, "BEGIN IMMEDIATE");
        store->is_writing = code == 0;
        store->began = bench_wall_s();
    }
    if (code != 0) return code;
    bind_case(store->put_case, sweep, c);
    bind_clock(store->put_clock, &c->head);
    code = run_once(store, store->put_case);
    if (code == 0) code = run_once(store, store->put_clock);
    if (code == 0) mark_done(store, (long)c->head.number);
    return code;
}

long cmd_store_count(cmd_store *store, int status)
{
    return query_number(store, "SELECT count(*) FROM cases WHERE status = ?", cmd_case_status_name(status));
}

int cmd_store_close(cmd_store *store)
{
    if (store->db && sqlite3_get_autocommit(store->db)) store->is_writing = 0; /* SQLite has rolled it back */
    int code = store->db ? cmd_store_commit(store, 1) : 0;
    sqlite3_finalize(store->put_case);
    sqlite3_finalize(store->put_clock);
    sqlite3_close(store->db);
    if (store->is_open) close(store->lock);
    free(store->done);
    *store = (cmd_store){.db = NULL};
    return code;
}
