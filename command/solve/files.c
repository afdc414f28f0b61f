/* files.c - see files.h. The form of a trajectory is chosen by the ending of its name. */
#include "files.h"

#include "command/base/complain.h"
#include "command/base/watchdog.h"
#include "command/cli/inputs.h"
#include "command/trajectory/data_file.h"
#include "command/trajectory/trajectory_picture.h"

#include <stdlib.h>
#include <string.h>

static int is_picture(const char *path)
{
    return bench_ends_in(path, ".svg") || bench_ends_in(path, ".png");
}

static int is_data(const char *path)
{
    return bench_is_mat(path) || bench_is_hdf5(path);
}

/** --out, where it is rows. */
static const char *rows_path(const bench_settings *s)
{
    return s->out && !is_picture(s->out) ? s->out : NULL;
}

/** Options that would have no effect, and a picture of nothing. */
static int check_options(const bench_settings *s)
{
    if (s->columns && !s->out) return bench_complain(BENCH_EXIT_USAGE, "--columns: only with --out");
    if (s->event_states && !s->events) return bench_complain(BENCH_EXIT_USAGE, "--event-states: only with --events");
    if (s->out && is_picture(s->out) && s->columns && s->plot)
        return bench_complain(BENCH_EXIT_USAGE, "--columns: only one of it and --plot with --out %s", s->out);
    if (s->out && is_picture(s->out) && !s->columns && !s->plot)
        return bench_complain(BENCH_EXIT_USAGE, "--out %s: which columns? --plot NAME[,NAME...]", s->out);
    return s->out && is_data(s->out) ? bench_data_file_check(s->out) : 0;
}

/** "run.csv" or "run" and "pendulum" -> "run.svg"; of standard output, or of none, "pendulum.svg". */
static char *beside(const char *out, const char *model)
{
    const char *path = out && strcmp(out, "-") != 0 ? out : NULL;
    const char *base = strrchr(path ? path : model, '/');
    if (!path) path = base ? base + 1 : model;
    const size_t stem = bench_stem(path), size = stem + sizeof ".svg";
    char *made = malloc(size);
    if (made) snprintf(made, size, "%.*s.svg", (int)stem, path);
    return made;
}

static int plan_picture(bench_files *f, const bench_job *job)
{
    const bench_settings *s = job->settings;
    const int is_out = s->out && is_picture(s->out);
    if (!is_out && !s->plot) return 0;
    f->picture_path = is_out ? strdup(s->out) : beside(s->out, job->model->cls->name);
    if (!f->picture_path) return bench_no_memory();
    return bench_columns_make(&f->drawn, job, s->plot ? s->plot : s->columns, s->plot ? "plot" : "columns");
}

int bench_files_plan(bench_files *f, const bench_job *job)
{
    const bench_settings *s = job->settings;
    *f = (bench_files){.n_sinks = 0};
    int code = s->animate ? bench_animation_check(job->model) : 0;
    if (code == 0) code = check_options(s);
    if (code == 0 && rows_path(s)) code = bench_columns_make(&f->columns, job, s->columns, "columns");
    if (code == 0) code = plan_picture(f, job);
    if (code == 0 && s->event_states) code = bench_columns_states(&f->states, job);
    if (code != 0 || !s->plot || !rows_path(s)) return code;
    return bench_files_are_apart(
        (bench_file[]){{"--animate", s->animate, 0}, {"--events", s->events, 0}, {"--plot", f->picture_path, 0}}, 3);
}

/** The next sink, and its place among them. */
static bench_sink *add_sink(bench_files *f)
{
    bench_sink *sink = &f->sinks[f->n_sinks++];
    return sink;
}

static int open_rows(bench_files *f, const char *path)
{
    int code = path ? bench_out_open(&f->rows, path) : 0;
    if (code != 0 || !path) return code;
    if (is_data(path))
        bench_record_sink(&f->record, &f->columns, add_sink(f));
    else if ((code = bench_csv_make(&f->csv, &f->rows, &f->columns)) == 0)
        bench_csv_sink(&f->csv, add_sink(f));
    return code;
}

static int open_picture(bench_files *f)
{
    if (!f->picture_path) return 0;
    const int panels = bench_trajectory_panels(&f->drawn), height = BENCH_PANEL_HEIGHT * (panels > 1 ? panels : 2);
    const int code = bench_picture_open(&f->picture, f->picture_path, BENCH_PANEL_WIDTH, height);
    if (code == 0) bench_record_sink(&f->drawing, &f->drawn, add_sink(f));
    return code;
}

static int open_events(bench_files *f, const bench_job *job)
{
    const bench_settings *s = job->settings;
    int code = s->events ? bench_out_open(&f->happened, s->events) : 0;
    if (code == 0 && (s->events || s->format == BENCH_JSON) && !job->peer) {
        code = bench_events_make(&f->events, &f->happened, s->event_states ? &f->states : NULL, &job->model->model);
        bench_events_sink(&f->events, add_sink(f));
    }
    return code;
}

int bench_files_open(bench_files *f, bench_job *job)
{
    const bench_settings *s = job->settings;
    int code = open_rows(f, rows_path(s));
    if (code == 0 && s->animate) code = bench_out_open(&f->page, s->animate);
    if (code == 0 && s->animate) bench_animation_sink(&f->animation, &f->page, job->model, add_sink(f));
    if (code == 0) code = open_picture(f);
    if (code == 0) code = open_events(f, job);
    f->to_stdout = f->rows.stream == stdout || f->page.stream == stdout || f->happened.stream == stdout;
    for (int i = 1; i < f->n_sinks; i++) f->sinks[i - 1].next = &f->sinks[i];
    job->sink = f->n_sinks > 0 ? f->sinks : NULL;
    return code;
}

/** What there is of a file, whole or not. @return as bench_out_commit() */
static int keep(bench_out *out, const bench_row *row, const char *what)
{
    if (row->outcome == BENCH_OK) return bench_out_commit(out);
    char *where = NULL;
    int code = bench_out_commit_partial(out, &where);
    if (code == 0 && where) bench_complain(0, "the %s up to t = %.10g are in %s", what, row->t_reached, where);
    free(where);
    return code;
}

static int keep_rows(bench_files *f, const bench_row *row, const char *path)
{
    if (!f->rows.stream || f->csv.rows + f->record.rows == 0) return 0;
    const int code = f->record.columns ? bench_data_file_write(&f->record, path, &f->rows) : 0;
    return code == 0 ? keep(&f->rows, row, "rows") : code;
}

static int keep_page(bench_files *f, const bench_row *row)
{
    if (!f->page.stream || f->animation.frames == 0) return 0;
    const int code = bench_animation_write(&f->animation);
    return code == 0 ? keep(&f->page, row, "frames") : code;
}

/** Of a run that was interrupted there is no picture: whoever did that does not wait for it. */
static int keep_picture(bench_files *f, const bench_row *row)
{
    char *where = NULL;
    if (!f->picture.script || f->drawing.rows < 2 || row->outcome == BENCH_INTERRUPTED) return 0;
    bench_trajectory_draw(&f->drawing, row->model->cls->name, &f->picture);
    if (row->outcome == BENCH_OK) return bench_picture_commit(&f->picture);
    const int code = bench_picture_commit_partial(&f->picture, &where);
    if (code == 0 && where) bench_complain(0, "the picture up to t = %.10g is %s", row->t_reached, where);
    free(where);
    return code;
}

int bench_files_keep(bench_files *f, const bench_row *row, const char *path)
{
    bench_watchdog_rest();
    const int codes[] = {keep_rows(f, row, path), keep_page(f, row),
                         f->happened.stream ? keep(&f->happened, row, "events") : 0, keep_picture(f, row)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] != 0) return codes[i];
    return 0;
}

void bench_files_close(bench_files *f)
{
    bench_animation_free(&f->animation);
    bench_events_free(&f->events);
    bench_csv_free(&f->csv);
    bench_record_free(&f->record);
    bench_record_free(&f->drawing);
    bench_columns_free(&f->columns);
    bench_columns_free(&f->drawn);
    bench_columns_free(&f->states);
    bench_picture_abort(&f->picture);
    bench_out_abort(&f->rows); /* what has appeared stays */
    bench_out_abort(&f->page);
    bench_out_abort(&f->happened);
    free(f->picture_path);
    *f = (bench_files){.n_sinks = 0};
}
