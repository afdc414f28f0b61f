/* export.c - writes the table of cases as CSV. Numbers have 17 significant digits, unknown values are empty. The state
 * is omitted; it is in the SQLite file. */
#include "store.h"

#include "program/base/complain.h"
#include "program/files/out_file.h"
#include "command/trajectory/csv.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static void put_cell(FILE *f, sqlite3_stmt *row, int i)
{
    const int type = sqlite3_column_type(row, i);
    if (i > 0) fputc(',', f);
    if (type == SQLITE_INTEGER) fprintf(f, "%lld", (long long)sqlite3_column_int64(row, i));
    if (type == SQLITE_FLOAT) fprintf(f, "%.17g", sqlite3_column_double(row, i));
    if (type == SQLITE_TEXT) cmd_csv_text(f, (const char *)sqlite3_column_text(row, i), "");
}

int cmd_store_csv(cmd_store *store, const char *path)
{
    cmd_out out;
    sqlite3_stmt *rows = NULL;
    int code = cmd_out_open(&out, path), step = SQLITE_ERROR;
    if (code != 0) return code;
    if (sqlite3_prepare_v2(store->db, "SELECT * FROM cases ORDER BY number", -1, &rows, NULL) == SQLITE_OK) {
        const int n = sqlite3_column_count(rows) - 1;
        for (int i = 0; i < n; i++) {
            if (i > 0) fputc(',', out.stream);
            cmd_csv_text(out.stream, sqlite3_column_name(rows, i), "");
        }
        fputc('\n', out.stream);
        while ((step = sqlite3_step(rows)) == SQLITE_ROW && !ferror(out.stream)) {
            for (int i = 0; i < n; i++) put_cell(out.stream, rows, i);
            fputc('\n', out.stream);
        }
    }
    sqlite3_finalize(rows);
    if (step == SQLITE_ROW) return cmd_out_fail(&out);
    if (step == SQLITE_DONE) return cmd_out_commit(&out);
    cmd_out_abort(&out);
    return cmd_store_complain(store, "read");
}
