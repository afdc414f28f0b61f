/* kept_run.c - a kept run is the memory image of its row, without pointers, and the final state. Only the program that
 * wrote the file can read it, because the hash of the program is part of the name. */
#define _GNU_SOURCE /* dladdr() */
#include "kept_run.h"

#include "kept_file.h"
#include "program/base/complain.h"
#include "program/base/digest.h"
#include "program/base/number.h"
#include "program/process/signals.h"
#include "program/process/stopwatch.h"
#include "program/run/run_peer.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODE = 64, NAME = 200, FIRST_STATUS = RESIDA_ERR_INTERNAL, LAST_STATUS = RESIDA_INTERRUPTED };

/** Data of a file; the final state [n_end] of the run follows. */
typedef struct kept_run {
    cmd_row row;     /**< all pointers are NULL */
    char code[CODE]; /**< name of the status; "": none */
    double wall_s;   /**< of all repetitions */
    double reached;  /**< time reached by the final state */
    int n_end;
} kept_run;

/* --- names --- */

static void add_text(uint64_t *key, const char *text)
{
    cmd_digest_add(key, text, strlen(text) + 1);
}

/** Return 1 if the word is one of the options that select runs. has_word: the next word is its value ("--out X"). */
static int is_which(const char *word, const char *const *which, int *has_word)
{
    for (; *which; which++) {
        const size_t n = strlen(*which);
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, *which, n) != 0) continue;
        if (word[2 + n] != 0 && word[2 + n] != '=') continue;
        *has_word = word[2 + n] == 0;
        return 1;
    }
    return 0;
}

static int is_model(const cmd_settings *s, const char *word)
{
    for (int i = 0; i < s->n_words; i++)
        if (strcmp(s->words[i], word) == 0) return 1;
    return 0;
}

int bench_kept_runs_open(bench_kept_runs *kept, const char *folder, const cmd_settings *s, const char *const *which)
{
    Dl_info library;
    *kept = (bench_kept_runs){.folder = strdup(folder), .key = CMD_DIGEST_OF_NOTHING};
    int code = cmd_digest_add_file(&kept->key, "/proc/self/exe");
    if (code == 0 && dladdr((void *)(uintptr_t)resida_version, &library) != 0)
        code = cmd_digest_add_file(&kept->key, library.dli_fname);
    for (int i = 1; i < s->argc; i++) {
        int has_word = 0;
        if (is_which(s->argv[i], which, &has_word))
            i += has_word;
        else if (!is_model(s, s->argv[i]))
            add_text(&kept->key, s->argv[i]);
    }
    if (code != 0) return code;
    return kept->folder ? bench_kept_folder(folder) : cmd_no_memory();
}

void bench_kept_runs_close(bench_kept_runs *kept)
{
    free(kept->folder);
    *kept = (bench_kept_runs){0};
}

static const char *solver_of(const cmd_job *job)
{
    return job->peer ? rsd_peer_name(job->peer) : job->jacobian;
}

static uint64_t key_of(const bench_kept_runs *kept, const cmd_job *job, const resida_solver_options *o)
{
    const cmd_model *m = job->model;
    const cmd_settings *s = job->settings;
    const double numbers[] = {(double)job->formalism,
                              (double)o->max_order,
                              (double)o->min_order,
                              (double)o->stability_detection,
                              o->rtol,
                              o->atol,
                              job->t_end,
                              (double)job->grid.n,
                              (double)job->repeats,
                              cmd_value_or(s->time_limit, -1),
                              (double)s->max_steps,
                              (double)s->max_residuals,
                              (double)s->start.redundant,
                              s->start.rank_tolerance,
                              job->end ? 1 : 0};
    uint64_t key = kept->key;
    cmd_digest_add(&key, numbers, sizeof numbers);
    for (int i = 0; i < m->cls->n_parameters; i++) add_text(&key, cmd_value_text(&m->values[i]));
    add_text(&key, m->cls->name);
    add_text(&key, solver_of(job));
    add_text(&key, job->peer ? rsd_peer_version(job->peer) : "");
    add_text(&key, s->problem.form);
    add_text(&key, m->model.reference_source ? m->model.reference_source : "");
    if (m->plugin) (void)cmd_digest_add_file(&key, m->word);
    return key;
}

/** Return the path, "andrews-auto-1e-06-0123456789abcdef". @return to be freed; NULL if memory is exhausted */
static char *path_of(const bench_kept_runs *kept, const cmd_job *job)
{
    char name[NAME];
    resida_solver_options o;
    cmd_job_options(job, &o);
    snprintf(name, sizeof name, "%.60s-%.40s-%s-%016" PRIx64, job->model->cls->name, solver_of(job),
             cmd_number("%.0e", o.rtol), key_of(kept, job, &o));
    return bench_kept_path(kept->folder, name, ".run");
}

/* --- bytes --- */

static int size_of(const cmd_run_end *end)
{
    return end ? end->n_p + end->n_v + end->n_lam : 0;
}

/** Clear pointers that do not outlive the run; `words` replaces texts of the library. */
static void forget_pointers(cmd_row *row, const char *words)
{
    resida_stats *stats = &row->stats;
    row->solver = row->version = row->code = NULL;
    row->model = NULL;
    row->outputs = NULL;
    row->events = NULL;
    row->last = NULL;
    row->fine = NULL;
    stats->dropped_rows = stats->jacobian = stats->jacobian_reason = stats->linear_solver = words;
    stats->warnings = stats->hints = NULL;
    stats->n_warnings = 0;
}

static void keep(bench_kept_runs *kept, const char *path, const cmd_job *job, const cmd_row *row, double wall_s)
{
    const int n = size_of(job->end);
    const size_t n_end = (size_t)n * sizeof(double);
    kept_run *run = calloc(1, sizeof *run + n_end);
    if (!run) return;
    run->row = *row;
    forget_pointers(&run->row, NULL);
    snprintf(run->code, sizeof run->code, "%s", row->code ? row->code : "");
    run->wall_s = wall_s;
    run->n_end = n;
    run->reached = job->end ? job->end->reached : NAN;
    if (n > 0) memcpy(run + 1, job->end->p, n_end);
    kept->is_full = bench_kept_write(path, run, sizeof *run + n_end) != 0;
    free(run);
}

static const char *status_named(const char *name)
{
    for (int i = FIRST_STATUS; i <= LAST_STATUS; i++)
        if (strcmp(resida_status_name((resida_status)i), name) == 0) return resida_status_name((resida_status)i);
    return NULL;
}

/** Read a kept run into row. @return 1 if it was found */
static int give(bench_kept_runs *kept, const char *path, const cmd_job *job, cmd_row *row)
{
    char *bytes;
    size_t size;
    kept_run run;
    bench_kept_read(path, &bytes, &size);
    const size_t n_end = (size_t)size_of(job->end) * sizeof(double);
    const int is_there = bytes && size == sizeof run + n_end;
    if (is_there) {
        memcpy(&run, bytes, sizeof run);
        *row = run.row;
        forget_pointers(row, "");
        row->solver = job->peer ? rsd_peer_name(job->peer) : "resida";
        row->version = job->peer ? rsd_peer_version(job->peer) : NULL;
        row->model = job->model;
        row->code = run.code[0] ? status_named(run.code) : NULL;
        if (n_end > 0) memcpy(job->end->p, bytes + sizeof run, n_end);
        if (job->end) job->end->reached = run.reached;
        kept->n_kept++;
        kept->kept_s += run.wall_s;
    }
    free(bytes);
    return is_there;
}

int bench_run(const cmd_job *job, cmd_row *row)
{
    bench_kept_runs *kept = job->settings->kept_runs;
    char *path = kept && kept->folder && !job->sink ? path_of(kept, job) : NULL;
    if (!path) return cmd_run(job, row);
    int code = CMD_EXIT_FAILED;
    if (give(kept, path, job, row)) {
        if (row->outcome == CMD_OK) code = 0;
    } else {
        const double began = bench_wall_s();
        code = cmd_run(job, row);
        kept->n_measured++;
        if (row->outcome != CMD_INTERRUPTED && !cmd_signal_caught() && !kept->is_full)
            keep(kept, path, job, row, bench_wall_s() - began);
    }
    free(path);
    return code;
}
