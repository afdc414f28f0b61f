/* store_schema.c - the tables. `sweep` describes the sweep by names and values; `cases` and `clock` have a row for each
 * case. Columns have the names in the plan. SQLite ignores the case of letters: the later of two equal names gets a
 * number. */
#include "store.h"

#include "program/base/complain.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 160 };

static const char *const before[] = {"status", "code", "message", "t"};
enum { N_BEFORE = sizeof before / sizeof *before };

/** The names of all columns of `cases`. */
typedef struct columns {
    char (*names)[NAME];
    int n;
} columns;

static void add_column(columns *c, const char *name)
{
    char text[NAME];
    snprintf(text, sizeof text, "%.140s", name);
    for (int k = 2, i = 0; i < c->n; i++)
        if (sqlite3_stricmp(c->names[i], text) == 0) {
            snprintf(text, sizeof text, "%.140s %d", name, k++);
            i = -1;
        }
    memcpy(c->names[c->n++], text, sizeof text);
}

/** Make the names of the columns; to be freed. @return 0; -1 without memory */
static int make_columns(columns *c, const cmd_sweep_work *w)
{
    char text[NAME];
    const size_t n = (size_t)w->plan.n_axes + (size_t)w->n_outputs + N_BEFORE + CMD_CASE_COUNTERS + 2;
    *c = (columns){.names = calloc(n, sizeof *c->names)};
    if (!c->names) return -1;
    add_column(c, "number");
    for (int i = 0; i < w->plan.n_axes; i++) add_column(c, w->plan.axes[i].name);
    for (int i = 0; i < N_BEFORE; i++) add_column(c, before[i]);
    for (int i = 0; i < CMD_CASE_COUNTERS; i++) add_column(c, cmd_case_counter_name(i));
    for (int i = 0; i < w->n_outputs; i++) add_column(c, cmd_output_name(&w->outputs[i], text, sizeof text));
    add_column(c, "state");
    return 0;
}

static int make_cases(cmd_store *store, const cmd_sweep_work *w)
{
    columns c;
    sqlite3_str *sql = sqlite3_str_new(store->db);
    int code = make_columns(&c, w) == 0 ? 0 : cmd_no_memory();
    sqlite3_str_appendall(sql, "CREATE TABLE cases (");
    for (int i = 0; i < c.n; i++)
        sqlite3_str_appendf(sql, "%s\"%w\"%s", i > 0 ? ", " : "", c.names[i], i == 0 ? " INTEGER PRIMARY KEY" : "");
    sqlite3_str_appendall(
        sql, "); CREATE TABLE clock (number INTEGER PRIMARY KEY, seconds REAL, pid INTEGER, rank INTEGER)");
    char *text = sqlite3_str_finish(sql);
    if (code == 0) code = text ? cmd_store_run(store, text) : cmd_no_memory();
    sqlite3_free(text);
    free(c.names);
    return code;
}

/** Return the options of the command line that define the sweep: all options except files and processes. */
static char *join_options(const cmd_settings *s)
{
    static const char *const others[] = {"--out", "-o", "--jobs", "-j", "--csv", "--report"};
    char *text = calloc(strlen(s->command_line) + 2, 1);
    for (int i = 1; text && i < s->argc; i++) {
        const char *word = s->argv[i];
        int skips = strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0, takes_next = 0;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            const size_t n = strlen(others[k]);
            if (strncmp(word, others[k], n) != 0) continue;
            takes_next |= word[n] == 0;
            skips |= word[n] == 0 || word[n] == '=' || n == 2;
        }
        for (int k = 0; k < s->n_words; k++) skips |= strcmp(word, s->words[k]) == 0;
        if (!skips) strcat(strcat(text, " "), word);
        i += takes_next;
    }
    return text;
}

/** A row of the table `sweep`: a name and its value. */
typedef struct fact {
    const char *name, *value;
    int size; /**< in bytes; -1 if terminated by 0 */
} fact;

static int put_fact(cmd_store *store, const fact *f)
{
    sqlite3_stmt *put = NULL;
    int step = SQLITE_ERROR;
    if (sqlite3_prepare_v2(store->db, "INSERT INTO sweep VALUES (?, ?)", -1, &put, NULL) == SQLITE_OK) {
        sqlite3_bind_text(put, 1, f->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(put, 2, f->value, f->size, SQLITE_STATIC);
        step = sqlite3_step(put);
    }
    sqlite3_finalize(put);
    return step == SQLITE_DONE ? 0 : cmd_store_complain(store, "write");
}

/** Return 1 if the file contains this value, else 0; -1 if it cannot be read. */
static int has_fact(cmd_store *store, const fact *f)
{
    sqlite3_stmt *ask = NULL;
    int is_same = -1;
    const size_t n = f->size >= 0 ? (size_t)f->size : strlen(f->value);
    if (sqlite3_prepare_v2(store->db, "SELECT value FROM sweep WHERE name = ?", -1, &ask, NULL) == SQLITE_OK) {
        sqlite3_bind_text(ask, 1, f->name, -1, SQLITE_STATIC);
        if (sqlite3_step(ask) == SQLITE_ROW) {
            const void *there = sqlite3_column_text(ask, 0);
            is_same = there && (size_t)sqlite3_column_bytes(ask, 0) == n && memcmp(there, f->value, n) == 0;
        }
    }
    sqlite3_finalize(ask);
    return is_same;
}

/** Layout of the file, plan, options, model. */
enum { N_FACTS = 4 };
static void list_facts(const cmd_sweep_work *w, const char *options, fact facts[N_FACTS])
{
    facts[0] = (fact){"layout", "1", -1};
    facts[1] = (fact){"plan", w->plan.text, (int)w->plan.size};
    facts[2] = (fact){"options", options, -1};
    facts[3] = (fact){"model", w->identity, -1};
}

static int put_outputs(cmd_store *store, const cmd_sweep_work *w)
{
    char text[NAME], name[NAME];
    int code = 0;
    for (int i = 0; i < w->n_outputs && code == 0; i++) {
        snprintf(name, sizeof name, "output %d", i);
        code = put_fact(store, &(fact){name, cmd_output_name(&w->outputs[i], text, sizeof text), -1});
    }
    return code;
}

int cmd_store_make(cmd_store *store, cmd_sweep_work *w)
{
    fact facts[N_FACTS];
    char *options = join_options(w->settings);
    if (!options) return cmd_no_memory();
    list_facts(w, options, facts);
    int code = cmd_store_run(store, "BEGIN; CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT)");
    if (code == 0) code = make_cases(store, w);
    for (int i = 0; i < N_FACTS && code == 0; i++) code = put_fact(store, &facts[i]);
    if (code == 0) code = put_outputs(store, w);
    if (code == 0) code = cmd_store_run(store, "COMMIT");
    free(options);
    return code;
}

/** Read the columns of outputs from the file. */
static int read_outputs(cmd_store *store, cmd_sweep_work *w)
{
    static const char all[] =
        "SELECT value FROM sweep WHERE name LIKE 'output %' ORDER BY CAST(substr(name, 8) AS INTEGER)";
    sqlite3_stmt *ask = NULL;
    int step = SQLITE_ERROR, n = 0;
    cmd_output *outputs = NULL;
    if (sqlite3_prepare_v2(store->db, all, -1, &ask, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(ask)) == SQLITE_ROW) {
            cmd_output *more = realloc(outputs, ((size_t)n + 1) * sizeof *more);
            if (!more) break;
            outputs = more;
            outputs[n] = cmd_output_parse((const char *)sqlite3_column_text(ask, 0));
            outputs[n].hint = n; /* same order as at creation */
            n++;
        }
    sqlite3_finalize(ask);
    free(w->outputs);
    w->outputs = outputs;
    w->n_outputs = n;
    return step == SQLITE_DONE ? 0 : cmd_store_complain(store, "read");
}

int cmd_store_compare(cmd_store *store, cmd_sweep_work *w)
{
    static const char *const others[N_FACTS] = {
        "has the layout of another version of resida", "belongs to another plan than",
        "belongs to other options than those of", "belongs to another model than"};
    fact facts[N_FACTS];
    char *options = join_options(w->settings);
    int code = options ? 0 : cmd_no_memory();
    if (options) list_facts(w, options, facts);
    for (int i = 0; i < N_FACTS && code == 0; i++) {
        const int is_same = has_fact(store, &facts[i]);
        if (is_same < 0)
            code = cmd_complain(CMD_EXIT_USAGE, "%s: not a database of a sweep", store->path);
        else if (!is_same)
            code = cmd_complain(CMD_EXIT_USAGE, "%s: %s %s; --out names another file", store->path, others[i],
                                i == 0             ? ""
                                : i == N_FACTS - 1 ? w->identity
                                                   : w->plan.path);
    }
    free(options);
    return code == 0 ? read_outputs(store, w) : code;
}

int cmd_store_prepare(cmd_store *store, const cmd_sweep_work *w)
{
    sqlite3_str *sql = sqlite3_str_new(store->db);
    const int n = 1 + w->plan.n_axes + N_BEFORE + CMD_CASE_COUNTERS + w->n_outputs + 1;
    sqlite3_str_appendall(sql, "INSERT INTO cases VALUES (?");
    for (int i = 1; i < n; i++) sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    int failed = !text || sqlite3_prepare_v2(store->db, text, -1, &store->put_case, NULL) != SQLITE_OK;
    sqlite3_free(text);
    if (!failed)
        failed = sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?)", -1,
                                    &store->put_clock, NULL) != SQLITE_OK;
    return failed ? cmd_store_complain(store, "open") : 0;
}
