/* cmd_sweep.c - reads the plan, opens the file, runs the cases without a row, and reports the result. Under MPI only
 * rank 0 reads and writes files. The other ranks receive the text of the plan, which they need not have as a file. */
#define _XOPEN_SOURCE 700

#include "command/cli/commands.h"

#include "hand_out.h"

#include "program/base/complain.h"
#include "program/files/out_file.h"
#include "program/process/signals.h"
#include "program/cli/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IDENTITY = 512 };

/** The first message of rank 0 to the other ranks. */
typedef struct opening {
    long size, n_outputs; /**< size of the plan's text, number of outputs; size < 0: nothing to do */
    char identity[IDENTITY];
} opening;

/** Return the default name of the database: "study.json" gives "study.db". The caller frees it. */
static char *default_name(const char *plan)
{
    const size_t n = cmd_stem(plan);
    char *path = malloc(n + sizeof ".db");
    if (path) memcpy(path, plan, n), strcpy(path + n, ".db");
    return path;
}

static int check_words(const cmd_settings *s)
{
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "sweep: give a plan, FILE.json or FILE.csv");
    if (s->n_words > 1)
        return cmd_complain(CMD_EXIT_USAGE, "sweep: give only one plan; there is '%s' after '%s'", s->words[1],
                            s->words[0]);
    if (strcmp(s->words[0], "-") == 0 && !s->out)
        return cmd_complain(CMD_EXIT_USAGE, "sweep: a plan from standard input needs --out FILE.db");
    return 0;
}

/** Print the number of cases by status on one line. @return 0; CMD_EXIT_FAILED if a case is not ok */
static int print_counts(cmd_store *store, const cmd_sweep_work *w)
{
    const cmd_settings *s = w->settings;
    const int to_stdout = (s->csv && strcmp(s->csv, "-") == 0) || (s->report && strcmp(s->report, "-") == 0);
    FILE *f = to_stdout ? stderr : stdout;
    long n_ok = 0;
    fprintf(f, "%ld cases:", w->plan.n_cases);
    for (int i = 0; i < CMD_CASE_STATUSES; i++) {
        const long n = cmd_store_count(store, i);
        if (n < 0) return CMD_EXIT_IO;
        if (i == CMD_CASE_OK) n_ok = n;
        if (n > 0 || i == CMD_CASE_OK) fprintf(f, "%s %ld %s", i > 0 ? "," : "", n, cmd_case_status_name(i));
    }
    fprintf(f, "; the table is in %s\n", store->path);
    return n_ok == w->plan.n_cases ? 0 : CMD_EXIT_FAILED;
}

/** Write all results. Every case has a row. */
static int write_results(cmd_store *store, cmd_sweep_work *w)
{
    int code = cmd_store_commit(store, 1);
    if (code == 0 && w->settings->csv) code = cmd_store_csv(store, w->settings->csv);
    if (code == 0 && w->settings->report) cmd_sweep_find_units(w);
    if (code == 0 && w->settings->report) code = cmd_store_report(store, w, w->settings->report);
    return code == 0 ? print_counts(store, w) : code;
}

/** Commit the rows after a signal, and report it. */
static int commit_after_signal(cmd_store *store, const cmd_sweep_work *w, int code)
{
    const long n = store->n_done;
    if (cmd_store_commit(store, 1) != 0) return CMD_EXIT_IO;
    return cmd_complain(code, "interrupted: %ld of %ld cases are in %s; the same command continues", n, w->plan.n_cases,
                        store->path);
}

static int get_number_of_jobs(const cmd_settings *s)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return s->jobs > 0 ? (int)s->jobs : cores > 0 ? (int)cores : 1;
}

/** Send plan, outputs and model to the other ranks, or size < 0 if they are not needed. */
static void send_opening(const cmd_ranks *ranks, const cmd_sweep_work *w, int goes_on)
{
    opening o = {.size = goes_on ? (long)w->plan.size : -1, .n_outputs = w->n_outputs};
    if (!ranks->module) return;
    if (goes_on) snprintf(o.identity, sizeof o.identity, "%s", w->identity);
    ranks->module->broadcast(&o, sizeof o);
    if (!goes_on) return;
    ranks->module->broadcast(w->plan.text, w->plan.size);
    ranks->module->broadcast(w->outputs, (size_t)w->n_outputs * sizeof *w->outputs);
}

/** Run the cases, and close the file. */
static int run(cmd_sweep_work *w, cmd_store *store, const cmd_ranks *ranks)
{
    send_opening(ranks, w, 1);
    int code = ranks->module ? cmd_run_cases_by_ranks(w, store, ranks)
                             : cmd_run_cases_locally(w, store, get_number_of_jobs(w->settings));
    if (code > 128) return commit_after_signal(store, w, code);
    if (code == 0) return write_results(store, w);
    if (ranks->module) {
        (void)cmd_store_close(store);
        ranks->module->give_up(code);
    }
    return code;
}

/** Check that no result replaces an input or another result. */
static int check_files(const cmd_settings *s, const cmd_sweep_work *w, const char *path)
{
    static const char journal[] = "-journal"; /* written and removed by SQLite */
    const size_t size = strlen(path) + sizeof journal;
    char *beside = malloc(size);
    if (!beside) return cmd_no_memory();
    snprintf(beside, size, "%s%s", path, journal);
    const cmd_file files[] = {{"the plan", s->words[0], 1}, {"the model's file", resida_plugin_file(w->plan.model), 1},
                              {"--out", path, 0},           {"the journal of --out", beside, 0},
                              {"--csv", s->csv, 0},         {"--report", s->report, 0}};
    const int code = cmd_check_files_differ(files, sizeof files / sizeof *files);
    free(beside);
    return code;
}

static int run_as_leader(const cmd_settings *s, const cmd_ranks *ranks)
{
    cmd_sweep_work w = {.settings = s};
    cmd_store store = {.path = NULL};
    int is_open = 0;
    int code = check_words(s);
    char *path = code != 0 ? NULL : s->out ? strdup(s->out) : default_name(s->words[0]);
    if (code == 0 && !path) code = cmd_no_memory();
    if (code == 0 && ranks->module && s->jobs > 0)
        code = cmd_complain(CMD_EXIT_USAGE, "--jobs: has no effect under mpirun, where each rank is a worker");
    if (code == 0) code = cmd_plan_load(&w.plan, s->words[0], s->model);
    if (code == 0) code = check_files(s, &w, path);
    if (code == 0) code = cmd_sweep_open(&w);
    if (code == 0) code = cmd_store_open(&store, path, &w);
    is_open = code == 0;
    if (is_open) code = run(&w, &store, ranks);
    if (!is_open) send_opening(ranks, &w, 0);
    const int closed = cmd_store_close(&store);
    cmd_sweep_close(&w);
    free(path);
    return code == 0 ? closed : code;
}

/** Receive the plan from rank 0. */
static int receive_opening(cmd_sweep_work *w, const cmd_ranks *ranks, const opening *o)
{
    const cmd_settings *s = w->settings;
    char *text = calloc((size_t)o->size + 1, 1);
    cmd_output *outputs = calloc((size_t)o->n_outputs + 1, sizeof *outputs);
    if (!text || !outputs) ranks->module->give_up(cmd_no_memory());
    ranks->module->broadcast(text, (size_t)o->size);
    ranks->module->broadcast(outputs, (size_t)o->n_outputs * sizeof *outputs);
    int code = cmd_plan_read(&w->plan, s->words[0], text, (size_t)o->size, s->model);
    w->outputs = outputs;
    w->n_outputs = (int)o->n_outputs;
    w->rank = ranks->rank;
    if (code == 0) code = cmd_sweep_open(w);
    if (code == 0 && strcmp(w->identity, o->identity) != 0)
        code = cmd_complain(CMD_EXIT_USAGE, "rank %d has model %s, but rank 0 has %s", ranks->rank, w->identity,
                            o->identity);
    return code;
}

static int run_as_follower(const cmd_settings *s, const cmd_ranks *ranks)
{
    opening o;
    cmd_sweep_work w = {.settings = s};
    ranks->module->broadcast(&o, sizeof o);
    if (o.size < 0) return 0;
    int code = receive_opening(&w, ranks, &o);
    if (code == 0) code = cmd_run_assigned_cases(&w, ranks);
    if (code != 0 && code < 128) ranks->module->give_up(code);
    cmd_sweep_close(&w);
    return code;
}

int cmd_cmd_sweep(const cmd_settings *s)
{
    cmd_ranks ranks;
    int code = cmd_ranks_begin(&ranks);
    if (code != 0) return code;
    code = ranks.rank == 0 ? run_as_leader(s, &ranks) : run_as_follower(s, &ranks);
    if (code > 128 && ranks.module) { /* other ranks may never answer */
        fflush(NULL);
        _exit(code);
    }
    cmd_ranks_end(&ranks);
    return code;
}
