/* sweep_fixture.c - reads what a sweep has written by SQLite itself. */
#include "sweep_fixture.h"

#include <sqlite3.h>
#include <time.h>

enum { TEXT = 8000, WORD = 400, PATIENCE = 5000 };

void sweep_write_plan(const char *path, const char *text)
{
    char plan[TEXT];
    const char *at = strstr(text, "%s");
    const char *plugin = claims_text("%s/plugin_faults.so", test_environment("RESIDA_TEST_MODULES"));
    int n = at ? snprintf(plan, sizeof plan, "%.*s%s%s", (int)(at - text), text, plugin, at + 2)
               : snprintf(plan, sizeof plan, "%s", text);
    assert_in_range(n, 0, TEXT - 1);
    test_file_write(path, plan, (size_t)n);
}

static sqlite3 *open_table(const char *path)
{
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) fail_msg("%s cannot be opened", path);
    sqlite3_busy_timeout(db, 10000);
    return db;
}

static sqlite3_stmt *ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return rows;
}

char *sweep_table(const char *path)
{
    sqlite3 *db = open_table(path);
    sqlite3_stmt *rows = ask(db, "SELECT * FROM cases");
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    while (sqlite3_step(rows) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            fprintf(f, "%s:%d:", sqlite3_column_name(rows, i), sqlite3_column_type(rows, i));
            if (sqlite3_column_type(rows, i) == SQLITE_FLOAT)
                fprintf(f, "%a", sqlite3_column_double(rows, i));
            else
                for (int k = 0; k < sqlite3_column_bytes(rows, i); k++)
                    fprintf(f, "%02x", ((const unsigned char *)sqlite3_column_blob(rows, i))[k]);
            fputc('\n', f);
        }
    fclose(f);
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return text;
}

const char *sweep_word(const char *path, const char *sql)
{
    static char word[WORD];
    sqlite3 *db = open_table(path);
    sqlite3_stmt *rows = ask(db, sql);
    if (sqlite3_step(rows) != SQLITE_ROW) fail_msg("%s: no row", sql);
    const char *text = (const char *)sqlite3_column_text(rows, 0);
    snprintf(word, sizeof word, "%s", text ? text : "NULL");
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return word;
}

double sweep_number(const char *path, const char *sql)
{
    sqlite3 *db = open_table(path);
    sqlite3_stmt *rows = ask(db, sql);
    if (sqlite3_step(rows) != SQLITE_ROW) fail_msg("%s: no row", sql);
    const double x = sqlite3_column_double(rows, 0);
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return x;
}

int sweep_rows(const char *path, char *has, int n)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    int count = 0;
    if (n > 0) memset(has, 0, (size_t)n);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT number FROM cases", -1, &rows, NULL) == SQLITE_OK)
        for (; sqlite3_step(rows) == SQLITE_ROW; count++)
            if (sqlite3_column_int(rows, 0) < n) has[sqlite3_column_int(rows, 0)] = 1;
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return count;
}

int sweep_children(pid_t pid, pid_t *children, int most)
{
    int n = 0, child = 0;
    FILE *f = fopen(claims_text("/proc/%d/task/%d/children", (int)pid, (int)pid), "r");
    while (f && n < most && fscanf(f, "%d", &child) == 1) children[n++] = child;
    if (f) fclose(f);
    return n;
}

void sweep_nap(long us)
{
    const struct timespec nap = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    nanosleep(&nap, NULL);
}

void sweep_wait_for_children(pid_t pid, pid_t *children, int n)
{
    for (int i = 0; sweep_children(pid, children, n) < n; i++) {
        if (i >= PATIENCE) fail_msg("no %d processes", n);
        sweep_nap(1000);
    }
}
