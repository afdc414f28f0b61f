/* cmd_solve.c - integrate one model and say how it went; with --out also the trajectory.
 *
 * Order: everything the command line says is checked, then the file is opened, then the integration starts. After a
 * failure or a signal the trajectory so far is kept under a name of its own, unless there is none: under its own name a
 * trajectory is whole. */
#include "commands.h"

#include "complain.h"
#include "csv.h"
#include "json_line.h"
#include "out_file.h"
#include "row_json.h"
#include "row_text.h"
#include "run.h"
#include "run_peer.h"

#include <stdlib.h>

static int print_row(const bench_row *row, const bench_settings *s, FILE *stream)
{
    if (s->format == BENCH_TEXT) bench_row_text(row, stream);
    if (s->format == BENCH_JSON && bench_json_line(bench_row_json(row), stream) != 0)
        return bench_complain_io("write", stream == stdout ? "standard output" : "standard error");
    return 0;
}

/** The rows that there are, whole or not. @return as bench_out_commit() */
static int keep_rows(bench_out *out, const bench_row *row)
{
    if (row->outcome == BENCH_OK) return bench_out_commit(out);
    char *where = NULL;
    int code = bench_out_commit_partial(out, &where);
    if (code == 0 && where) bench_complain(0, "the rows up to t = %.10g are in %s", row->t_reached, where);
    free(where);
    return code;
}

/** Where a run goes. */
typedef struct target {
    bench_out *out;
    bench_csv csv;
    bench_sink sink;
} target;

/** Let the file appear, print. @return code, or that of a complaint about what could not be written */
static int put_result(target *to, const bench_job *job, const bench_row *row, int code)
{
    int to_stdout = to->out->stream == stdout;
    if (to->out->stream && to->csv.rows > 0) {
        int written = keep_rows(to->out, row);
        if (written != 0) return written;
    }
    int printed = print_row(row, job->settings, to_stdout ? stderr : stdout);
    return printed != 0 ? printed : code;
}

/** A bench_cut_fn. */
static int put_cut(void *self, const bench_job *job, const bench_row *row, int code)
{
    int put = put_result(self, job, row, code);
    return fflush(stdout) == 0 ? put : bench_complain_io("write", "standard output");
}

static int run(bench_job *job, bench_out *out)
{
    target to = {.out = out};
    bench_row row;
    if (out->stream) {
        bench_csv_sink(&to.csv, out, job->model->model.is_dae, &to.sink);
        job->sink = &to.sink;
    }
    job->cut = put_cut;
    job->cut_self = &to;
    int code = bench_run(job, &row);
    if (code != 0 && row.outcome == BENCH_OK) return code; /* the output failed, which was said and cleaned up */
    int put = put_result(&to, job, &row, code);
    if (put != code) return put;
    return row.outcome == BENCH_FAILED ? bench_complain_model(code, job->model->cls->name, row.message) : code;
}

static int solve(const bench_model *model, const bench_settings *s)
{
    bench_job job;
    bench_out out = {0};
    int code = bench_job_make(&job, model, s, 1);
    if (code == 0 && s->solver) code = bench_job_peer(&job, s->solver);
    if (code == 0) code = bench_job_probe(&job);
    if (code == 0 && s->out) code = bench_out_open(&out, s->out);
    if (code == 0) code = run(&job, &out);
    bench_out_abort(&out); /* what has appeared stays */
    return code;
}

int bench_cmd_solve(const bench_settings *s)
{
    if (s->n_words == 0) return bench_complain(BENCH_EXIT_USAGE, "solve: which model? 'resida models' lists them");
    if (s->n_words > 1)
        return bench_complain(BENCH_EXIT_USAGE, "solve: one model only, there is '%s' after '%s'", s->words[1],
                              s->words[0]);
    bench_model model;
    int code = bench_models_open(&model, 1, (const char *const *)s->words, s);
    if (code != 0) return code;
    code = solve(&model, s);
    bench_models_close(&model, 1);
    return code;
}
