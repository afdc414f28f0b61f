/* files.c - see files.h. The file name extension selects the format of a trajectory. */
#include "files.h"

#include "program/base/complain.h"
#include "program/process/watchdog.h"
#include "program/cli/inputs.h"
#include "command/trajectory/data_file.h"
#include "command/trajectory/trajectory_picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_picture(const char *path)
{
    return cmd_ends_in(path, ".svg") || cmd_ends_in(path, ".png");
}

static int is_data(const char *path)
{
    return cmd_is_mat(path) || cmd_is_hdf5(path);
}

/** Return the path of --out if rows are written to it, else NULL. */
static const char *rows_path(const cmd_settings *s)
{
    return s->out && !is_picture(s->out) ? s->out : NULL;
}

/** Return 1 for file name extensions of unsupported formats. */
static int is_unsupported_format(const char *path)
{
    static const char *const endings[] = {".fmu",  ".ssp",  ".xls", ".xlsx",   ".ods",
                                          ".json", ".html", ".pdf", ".parquet"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (cmd_ends_in(path, endings[i])) return 1;
    return 0;
}

/** Check that options have an effect, and that a picture has columns. */
static int check_options(const cmd_settings *s)
{
    if (s->out && is_unsupported_format(s->out))
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: unknown format; formats are .csv, .mat, .h5, .svg and .png",
                            s->out);
    if (s->columns && !s->out) return cmd_complain(CMD_EXIT_USAGE, "--columns: needs --out FILE");
    if (s->event_states && !s->events) return cmd_complain(CMD_EXIT_USAGE, "--event-states: needs --events FILE");
    if (s->out && is_picture(s->out) && s->columns && s->plot)
        return cmd_complain(CMD_EXIT_USAGE, "--columns: cannot be used with --plot and --out %s", s->out);
    if (s->out && is_picture(s->out) && !s->columns && !s->plot)
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: select the columns of the picture by --plot NAME[,NAME...]",
                            s->out);
    return s->out && is_data(s->out) ? cmd_data_file_check(s->out) : 0;
}

/** Return the file name of a picture: "run.svg" for "run.csv" or "run". Without a file, or for standard output, it is
 *  that of the model: "pendulum.svg". */
static char *make_picture_name(const char *out, const char *model)
{
    const char *path = out && strcmp(out, "-") != 0 ? out : NULL;
    const char *base = strrchr(path ? path : model, '/');
    if (!path) path = base ? base + 1 : model;
    const size_t stem = cmd_stem(path), size = stem + sizeof ".svg";
    char *made = malloc(size);
    if (made) snprintf(made, size, "%.*s.svg", (int)stem, path);
    return made;
}

static int plan_picture(cmd_files *f, const cmd_job *job)
{
    const cmd_settings *s = job->settings;
    const int is_out = s->out && is_picture(s->out);
    if (!is_out && !s->plot) return 0;
    f->picture_path = is_out ? strdup(s->out) : make_picture_name(s->out, job->model->cls->name);
    if (!f->picture_path) return cmd_no_memory();
    return cmd_columns_make(&f->drawn, job, s->plot ? s->plot : s->columns, s->plot ? "plot" : "columns");
}

/** Check that neither the picture nor its partial version replaces another output. */
static int check_picture(const cmd_files *f, const cmd_settings *s)
{
    char *partial = cmd_partial_name(f->picture_path);
    if (!partial) return cmd_no_memory();
    const int code = cmd_check_files_differ((cmd_file[]){{"--out", rows_path(s), 0},
                                                         {"--animate", s->animate, 0},
                                                         {"--events", s->events, 0},
                                                         {"--plot", f->picture_path, 0},
                                                         {"a partial result of --plot", partial, 0}},
                                            5);
    free(partial);
    return code;
}

int cmd_files_plan(cmd_files *f, const cmd_job *job)
{
    const cmd_settings *s = job->settings;
    *f = (cmd_files){.n_sinks = 0};
    int code = s->animate ? cmd_animation_check(job->model) : 0;
    if (code == 0) code = check_options(s);
    if (code == 0 && rows_path(s)) code = cmd_columns_make(&f->columns, job, s->columns, "columns");
    if (code == 0) code = plan_picture(f, job);
    if (code == 0 && s->event_states) code = cmd_columns_states(&f->states, job);
    return code != 0 || !s->plot ? code : check_picture(f, s);
}

/** Return a new sink. */
static cmd_sink *add_sink(cmd_files *f)
{
    cmd_sink *sink = &f->sinks[f->n_sinks++];
    return sink;
}

static int open_rows(cmd_files *f, const char *path)
{
    int code = path ? cmd_out_open(&f->rows, path) : 0;
    if (code != 0 || !path) return code;
    if (is_data(path))
        cmd_record_sink(&f->record, &f->columns, add_sink(f));
    else if ((code = cmd_out_keep_lines(&f->rows)) == 0 && (code = cmd_csv_make(&f->csv, &f->rows, &f->columns)) == 0)
        cmd_csv_sink(&f->csv, add_sink(f));
    return code;
}

enum { CURVE_STATES = 1200 }; /* points per panel, more than its pixels */

static int open_picture(cmd_files *f, cmd_job *job)
{
    if (!f->picture_path) return 0;
    job->between = job->grid.n < CURVE_STATES ? (int)(CURVE_STATES / job->grid.n) : 0;
    int width, height;
    cmd_trajectory_size(&f->drawn, &width, &height);
    const int code = cmd_picture_open(&f->picture, f->picture_path, width, height);
    if (code == 0) cmd_record_curves(&f->drawing, &f->drawn, add_sink(f));
    return code;
}

static int open_events(cmd_files *f, const cmd_job *job)
{
    const cmd_settings *s = job->settings;
    int code = s->events ? cmd_out_open(&f->happened, s->events) : 0;
    if (code == 0 && (s->events || s->format == CMD_JSON) && !job->peer) {
        code = cmd_events_make(&f->events, &f->happened, s->event_states ? &f->states : NULL, &job->model->model);
        cmd_events_sink(&f->events, add_sink(f));
    }
    return code;
}

int cmd_files_open(cmd_files *f, cmd_job *job)
{
    const cmd_settings *s = job->settings;
    int code = open_rows(f, rows_path(s));
    if (code == 0 && s->animate) code = cmd_out_open(&f->page, s->animate);
    if (code == 0 && s->animate) cmd_animation_sink(&f->animation, &f->page, job->model, add_sink(f));
    if (code == 0) code = open_picture(f, job);
    if (code == 0) code = open_events(f, job);
    f->to_stdout = f->rows.stream == stdout || f->page.stream == stdout || f->happened.stream == stdout;
    for (int i = 1; i < f->n_sinks; i++) f->sinks[i - 1].next = &f->sinks[i];
    job->sink = f->n_sinks > 0 ? f->sinks : NULL;
    return code;
}

/** Publish a file, complete or partial. @return as cmd_out_commit() */
static int publish_file(cmd_out *out, const cmd_row *row, const char *what)
{
    if (row->outcome == CMD_OK) return cmd_out_commit(out);
    char *where = NULL;
    int code = cmd_out_commit_partial(out, &where);
    if (code == 0 && where) cmd_complain(0, "the %s up to t = %.10g are in %s", what, row->t_reached, where);
    free(where);
    return code;
}

static int publish_rows(cmd_files *f, const cmd_row *row, const cmd_settings *s)
{
    if (!f->rows.stream || f->csv.rows + f->record.rows == 0) return 0;
    int code = f->record.columns ? cmd_data_file_write(&f->record, s->out, &f->rows) : 0;
    char *partial = code == 0 && s->saved && row->outcome == CMD_OK ? cmd_partial_name(s->out) : NULL;
    if (code == 0) code = publish_file(&f->rows, row, "rows");
    if (code == 0 && partial) unlink(partial); /* this run contains the rows of the run that it continues */
    free(partial);
    return code;
}

static int publish_page(cmd_files *f, const cmd_row *row)
{
    if (!f->page.stream || f->animation.frames == 0) return 0;
    const int code = cmd_animation_write(&f->animation);
    return code == 0 ? publish_file(&f->page, row, "frames") : code;
}

/** Draw the picture, except after an interrupted run, which ends soon. */
static int publish_picture(cmd_files *f, const cmd_row *row)
{
    char *where = NULL;
    if (!f->picture.script || f->drawing.rows < 2 || row->outcome == CMD_INTERRUPTED) return 0;
    int code = cmd_trajectory_draw(&f->drawing, row->model->cls->name, &f->picture);
    if (code != 0) return code;
    if (row->outcome == CMD_OK) return cmd_picture_commit(&f->picture);
    code = cmd_picture_commit_partial(&f->picture, &where);
    if (code == 0 && where) cmd_complain(0, "the picture up to t = %.10g is in %s", row->t_reached, where);
    free(where);
    return code;
}

int cmd_files_publish(cmd_files *f, const cmd_row *row, const cmd_settings *s)
{
    cmd_watchdog_suspend();
    const int codes[] = {publish_rows(f, row, s), publish_page(f, row),
                         f->happened.stream ? publish_file(&f->happened, row, "events") : 0, publish_picture(f, row)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] != 0) return codes[i];
    return 0;
}

void cmd_files_close(cmd_files *f)
{
    cmd_animation_free(&f->animation);
    cmd_events_free(&f->events);
    cmd_csv_free(&f->csv);
    cmd_record_free(&f->record);
    cmd_record_free(&f->drawing);
    cmd_columns_free(&f->columns);
    cmd_columns_free(&f->drawn);
    cmd_columns_free(&f->states);
    cmd_picture_abort(&f->picture);
    cmd_out_abort(&f->rows); /* published files stay */
    cmd_out_abort(&f->page);
    cmd_out_abort(&f->happened);
    free(f->picture_path);
    *f = (cmd_files){.n_sinks = 0};
}
