/* cmd_solve.c - integrate one model and say how it went; with --out also the trajectory.
 *
 * Order: everything the command line says is checked, then files are opened, then the integration starts. After a
 * failure or a signal the trajectory so far is kept under a name of its own, unless there is none: under its own name a
 * trajectory is whole. So it is with an animation. A second run, which only judges the first one, begins when both are
 * in place. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/animate/animation.h"
#include "csv.h"
#include "emit_patterns.h"
#include "command/run/estimate.h"
#include "command/run/hints.h"
#include "command/output/json_line.h"
#include "command/base/out_file.h"
#include "command/output/row_json.h"
#include "command/output/row_text.h"
#include "command/run/run.h"
#include "command/run/run_peer.h"

#include <math.h>
#include <stdlib.h>

static int print_row(const bench_row *row, const bench_settings *s, FILE *stream)
{
    if (s->format == BENCH_TEXT) bench_row_text(row, stream);
    if (s->format == BENCH_JSON && bench_json_line(bench_row_json(row), stream) != 0)
        return bench_complain_io("write", stream == stdout ? "standard output" : "standard error");
    return 0;
}

/** Where a run goes. */
typedef struct target {
    bench_out rows, page; /**< without a stream: nowhere */
    int to_stdout;        /**< the rows or the page go there */
    bench_csv csv;
    bench_animation animation;
    bench_sink csv_sink, animation_sink;
    bench_row row; /**< of the run */
} target;

/** What there is of a file, whole or not. @return as bench_out_commit() */
static int keep(const target *to, bench_out *out, const char *what)
{
    if (to->row.outcome == BENCH_OK) return bench_out_commit(out);
    char *where = NULL;
    int code = bench_out_commit_partial(out, &where);
    if (code == 0 && where) bench_complain(0, "the %s up to t = %.10g are in %s", what, to->row.t_reached, where);
    free(where);
    return code;
}

static int keep_files(target *to)
{
    int code = to->rows.stream && to->csv.rows > 0 ? keep(to, &to->rows, "rows") : 0;
    if (!to->page.stream || to->animation.frames == 0) return code;
    const int written = bench_animation_write(&to->animation);
    if (written != 0) return written;
    const int kept = keep(to, &to->page, "frames");
    return code != 0 ? code : kept;
}

/** @return code, or that of a complaint about what could not be written */
static int print_result(const target *to, const bench_job *job, int code)
{
    int printed = print_row(&to->row, job->settings, to->to_stdout ? stderr : stdout);
    return printed != 0 ? printed : code;
}

static int flushed(int code)
{
    return fflush(stdout) == 0 ? code : bench_complain_io("write", "standard output");
}

/** A bench_cut_fn. */
static int put_cut(void *self, const bench_job *job, const bench_row *row, int code)
{
    target *to = self;
    to->row = *row;
    to->row.last = job->last;
    int written = keep_files(to);
    return flushed(written != 0 ? written : print_result(to, job, code));
}

/** The same of the second run: the result of the first one stays. */
static int put_cut_estimate(void *self, const bench_job *job, const bench_row *fine, int code)
{
    target *to = self;
    to->row.fine = fine;
    return flushed(print_result(to, job, code));
}

/** The sinks of the files that are open. */
static const bench_sink *sinks(target *to, const bench_model *model)
{
    const bench_sink *first = NULL;
    if (to->page.stream) {
        bench_animation_sink(&to->animation, &to->page, model, &to->animation_sink);
        first = &to->animation_sink;
    }
    if (!to->rows.stream) return first;
    bench_csv_sink(&to->csv, &to->rows, model->model.is_dae, &to->csv_sink);
    to->csv_sink.next = first;
    return &to->csv_sink;
}

static int run_to(bench_job *job, target *to)
{
    bench_row fine;
    job->sink = sinks(to, job->model);
    job->cut = put_cut;
    job->cut_self = to;
    int code = bench_run(job, &to->row);
    to->row.last = job->last;
    if (code != 0 && to->row.outcome == BENCH_OK) return code; /* the output failed, which was said and cleaned up */
    int written = keep_files(to);
    if (written != 0) return written;
    job->cut = put_cut_estimate;
    if (code == 0 && job->end) code = bench_estimate(job, job->end, &to->row, &fine);
    bench_hints(job, &to->row);
    int printed = print_result(to, job, code);
    if (printed != code) return printed;
    return to->row.outcome == BENCH_FAILED ? bench_complain_run(code, job, &to->row) : code;
}

static int run(bench_job *job, target *to)
{
    bench_run_end end = {0}, last = {0};
    if (job->settings->format == BENCH_JSON) {
        if (bench_run_end_make(&last, &job->model->model, -INFINITY) != 0)
            return bench_complain(BENCH_EXIT_FAILED, "out of memory");
        job->last = &last;
    }
    if (job->settings->estimate_error) {
        if (bench_run_end_make(&end, &job->model->model, job->t_end) != 0)
            return bench_complain(BENCH_EXIT_FAILED, "out of memory");
        job->end = &end;
    }
    int code = run_to(job, to);
    bench_run_end_free(&end);
    bench_run_end_free(&last);
    return code;
}

static int open_files(target *to, const bench_settings *s)
{
    int code = s->out ? bench_out_open(&to->rows, s->out) : 0;
    if (code == 0 && s->animate) code = bench_out_open(&to->page, s->animate);
    to->to_stdout = to->rows.stream == stdout || to->page.stream == stdout;
    if (code == 0 && to->rows.stream == stdout && to->page.stream == stdout)
        code = bench_complain(BENCH_EXIT_USAGE, "solve: --out and --animate cannot both be standard output");
    return code;
}

static int solve(const bench_model *model, const bench_settings *s)
{
    bench_job job;
    target to = {.csv = {.rows = 0}};
    int code = s->animate ? bench_animation_check(model) : 0;
    if (code == 0) code = bench_job_make(&job, model, s, 1);
    if (code == 0 && s->integrator) code = bench_job_peer(&job, s->integrator);
    if (code == 0) code = bench_job_probe(&job);
    if (code == 0) code = open_files(&to, s);
    if (code == 0) code = run(&job, &to);
    if (code == 0 && s->emit_patterns) code = bench_emit_patterns(&job, s->emit_patterns);
    bench_animation_free(&to.animation);
    bench_out_abort(&to.rows); /* what has appeared stays */
    bench_out_abort(&to.page);
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
