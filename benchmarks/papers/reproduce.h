/* reproduce.h - tables and figures of a paper: what it published, beside what is measured here. What is measured and
 * how it is shown are apart: the commands `reproduce` and `report` show the same. */
#ifndef CMD_REPRODUCE_H
#define CMD_REPRODUCE_H

#include <jansson.h>

#include "program/pattern/pattern.h"
#include "program/run/run.h"
#include "program/output/text_table.h"
#include "timeline.h"

#define CMD_PAPER                                                                                                      \
    "M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time integration in multibody dynamics"

/** A model with parameters, so many at the most, tolerances and interval. */
enum { CMD_SET_MAX = 3 };
typedef struct cmd_case {
    const char *label; /**< "N = 12, omega = 2 pi 0.05" */
    const char *model;
    resida_formalism formalism;
    double rtol, atol, t_end; /**< NaN: the model's */
    const char *parameter_names[CMD_SET_MAX + 1];
    double values[CMD_SET_MAX];
} cmd_case;

/** A case that is open. Points into itself: not to be copied. */
typedef struct cmd_open_case {
    cmd_settings settings;
    cmd_model model;
    cmd_job job; /**< one run of it */
    char names[CMD_SET_MAX][16], *name_list[CMD_SET_MAX];
    char words[CMD_SET_MAX][CMD_NUMBER_SIZE], *word_list[CMD_SET_MAX];
    int used[CMD_SET_MAX];
} cmd_open_case;

/** By these settings, but for what the case has.
 *  @return 0; CMD_EXIT_* after one complaint. To be closed in any case */
int cmd_case_open(cmd_open_case *open, const cmd_settings *s, const cmd_case *c);
void cmd_case_close(cmd_open_case *open);

/** A figure: what is measured for it, how it is drawn, and told in words or as JSON. */
typedef struct cmd_drawing {
    int width, height;
    int (*measure)(void *measured, const cmd_settings *s); /**< @return 0; an exit code after one complaint */
    void (*draw)(const void *measured, const cmd_picture *picture);
    void (*print)(const void *measured, const char *path);
    json_t *(*line)(const void *measured, int i); /**< i = 0 .. n_lines - 1; a new reference, NULL without memory */
    int n_lines;
} cmd_drawing;

/** Measure it, draw it to --out or to its name with .svg behind, and tell it.
 *  @return 0; an exit code after one complaint; 128 + signal */
int cmd_drawing_make(const cmd_drawing *figure, void *measured, const cmd_settings *s);

/** Where positions of these names [n] are in p: at [n]. @return 0; -1: the model has no such names */
int cmd_places_find(const resida_mechanism *m, int n, const char *const *names, int *at);

/** The chain of n pendulums of section 4.2.1 with the paper's tolerances; its "omega = 0.05 Hz" [rad/s] as a frequency,
 *  and as an angular frequency. */
enum { CMD_READINGS = 2 };
extern const double cmd_omega[CMD_READINGS];
extern const char *const cmd_omega_name[CMD_READINGS];

/** A row of a table as it was printed; -1: not in that table. */
typedef struct cmd_published {
    double cpu_s, percent;  /**< seconds of their machine, percentage of their first row */
    int calls, other_calls; /**< #fc, #fcw: residual calls, all, and without those for J */
    int evaluations, updates;
} cmd_published;

/** What the paper printed for a strategy in a case. */
typedef struct cmd_printed {
    int in_case;
    const char *strategy;
    cmd_published published;
} cmd_printed;

enum { CMD_METHODS_MAX = 8, CMD_CASES_MAX = 6, CMD_PRINTED_MAX = 16 };

/** A table of the paper, or one like it. */
typedef struct cmd_paper_table {
    const char *name, *source, *about;
    const char *percent_of; /**< what the printed percentages are of; NULL: processor time */
    long repeats;
    const char *methods[CMD_METHODS_MAX + 1]; /**< strategies; the first one is a peer */
    cmd_case cases[CMD_CASES_MAX + 1];
    cmd_printed printed[CMD_PRINTED_MAX + 1];
} cmd_paper_table;

/** Table 1, 2, 3, and one of the same form about the extended update; NULL for another name. */
const cmd_paper_table *cmd_paper_table_find(const char *name);

/** A row that was measured. */
typedef struct cmd_line {
    const cmd_paper_table *table;
    int in_case;
    cmd_row row;
    /** Of the first row of the case: the original DASSL where it is built and gets through, else "dense" of resida.
     *  NaN: not known */
    double percent_cpu, percent_calls;
    const cmd_published *published; /**< NULL: nothing */
} cmd_line;

/** What becomes of the rows. */
typedef struct cmd_lines_to {
    /** The model to run in the place of this one, such as the same with a reference. NULL: itself */
    const cmd_model *(*prepare)(const cmd_model *model, const cmd_settings *s, void *self);
    /** A row is there. @return 0; an exit code, which ends the table */
    int (*take)(const cmd_line *line, void *self);
    void *self;
} cmd_lines_to;

/** Measure all rows. @return 0; what take returned; CMD_EXIT_* after one complaint; 128 + signal, the row that was
 *  cut short is taken too */
int cmd_paper_table_measure(const cmd_paper_table *t, const cmd_settings *s, const cmd_lines_to *to);

/** As a table: begin, add each row. */
void cmd_lines_begin(cmd_table *table);
void cmd_lines_add(cmd_table *table, const cmd_line *line);

/** The row with "percent" and "published"; a new reference, NULL without memory.
 *  @param[in] percent  of processor time, NaN: not known
 *  @param[in] table    which has it
 *  @param[in] p        NULL: the paper has no such row */
json_t *cmd_reproduced_json(const cmd_row *row, double percent, const cmd_paper_table *table, const cmd_published *p);

/** "evaluations of J", of what the percentages are that the table prints. */
const char *cmd_percent_of(const cmd_paper_table *table);

/** Figure 7: reading r and panel k are [r * CMD_FIG7_PANELS + k]; panels are "dense" and "dense+extended". */
enum { CMD_FIG7_PANELS = 2, CMD_FIG7_LINES = CMD_READINGS * CMD_FIG7_PANELS };
/** @param[out] lines  [CMD_FIG7_LINES] to be freed in any case @return 0; an exit code after one complaint */
int cmd_fig7_measure(cmd_timeline *lines, const cmd_settings *s);
void cmd_fig7_draw(const cmd_timeline *lines, const cmd_picture *picture);
void cmd_fig7_fill(cmd_table *table, const cmd_timeline *lines);

/** Figures 3, 4, 5: entries of the train's J as the paper counts them, and what else the matrix holds. */
typedef struct cmd_counted {
    cmd_pattern_work pattern;
    int *start, *row;
    int columns, curvature, diagonal;
} cmd_counted;

/** @return 0; -1 without memory. Free with cmd_counted_free() in any case */
int cmd_counted_make(cmd_counted *c, const cmd_pattern_work *p);
void cmd_counted_free(cmd_counted *c);
/** @param[in] number "3", "4", "5" */
void cmd_counted_draw(const cmd_counted *c, const cmd_picture *picture, const char *number);
void cmd_counted_fill(cmd_table *table, const cmd_counted *c);
/** Run the train and show its pattern. @return as cmd_pattern_run() */
int cmd_train_pattern(const cmd_settings *s, cmd_pattern_show_fn *show, void *context);

/** The tables of `drift` and of `stiff-constraint`, which doc/results.md quotes. */
int bench_fill_drift(const cmd_settings *s, cmd_table *table);
int bench_fill_stiff(const cmd_settings *s, cmd_table *table);

/** What `reproduce` can show, named by the only word of the settings; each returns an exit code after at most one
 *  complaint. */
cmd_command_fn cmd_reproduce_table, cmd_reproduce_pattern, cmd_reproduce_fig7, /**< Arnold, Fuchs, Fuehrer */
    cmd_reproduce_stability, cmd_reproduce_stiff, cmd_reproduce_drift,         /**< Ascher, Petzold */
    cmd_reproduce_scaling, cmd_reproduce_impact,                               /**< Bottasso, Bauchau, Cardona */
    cmd_reproduce_bauchau, cmd_reproduce_tip_crank, cmd_reproduce_convergence, /**< Bauchau, Epple, Bottasso */
    cmd_reproduce_five_digits;

#endif
