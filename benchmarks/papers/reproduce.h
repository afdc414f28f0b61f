/* reproduce.h - tables and figures of papers: published numbers next to measured ones. Measurement is separate from
 * output, because the commands `reproduce` and `report` show the same results. */
#ifndef CMD_REPRODUCE_H
#define CMD_REPRODUCE_H

#include <jansson.h>

#include "program/pattern/pattern.h"
#include "program/run/run.h"
#include "program/output/text_table.h"
#include "timeline.h"

#define CMD_PAPER                                                                                                      \
    "M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time integration in multibody dynamics"

/** A model with at most CMD_SET_MAX parameters, tolerances and an interval. */
enum { CMD_SET_MAX = 3 };
typedef struct cmd_case {
    const char *label; /**< "N = 12, omega = 2 pi 0.05" */
    const char *model;
    resida_formalism formalism;
    double rtol, atol, t_end; /**< NaN: the value of the model */
    const char *parameter_names[CMD_SET_MAX + 1];
    double values[CMD_SET_MAX];
} cmd_case;

/** An open case. It contains pointers to its own members: do not copy it. */
typedef struct cmd_open_case {
    cmd_settings settings;
    cmd_model model;
    cmd_job job; /**< the job of one run */
    char names[CMD_SET_MAX][16], *name_list[CMD_SET_MAX];
    char words[CMD_SET_MAX][CMD_NUMBER_SIZE], *word_list[CMD_SET_MAX];
    int used[CMD_SET_MAX];
} cmd_open_case;

/** Open a case with these settings; values of the case override them. Close it in any case.
 *  @return 0, or CMD_EXIT_* after one error message */
int cmd_case_open(cmd_open_case *open, const cmd_settings *s, const cmd_case *c);
void cmd_case_close(cmd_open_case *open);

/** A figure: functions that measure, draw and print it, and create its JSON lines. */
typedef struct cmd_drawing {
    int width, height;
    int (*measure)(void *measured, const cmd_settings *s); /**< @return 0, or an exit code after one error message */
    void (*draw)(const void *measured, const cmd_picture *picture);
    void (*print)(const void *measured, const char *path);
    json_t *(*line)(const void *measured, int i); /**< i = 0 .. n_lines - 1; a new reference, NULL without memory */
    int n_lines;
} cmd_drawing;

/** Measure a figure, draw it to --out (default: its name with ".svg"), and print it.
 *  @return 0; an exit code after one error message; 128 + signal number */
int cmd_drawing_make(const cmd_drawing *figure, void *measured, const cmd_settings *s);

/** Find the indices at [n] in p of the positions with these names [n]. @return 0, or -1 if a name is missing */
int cmd_places_find(const resida_mechanism *m, int n, const char *const *names, int *at);

/** The chain of n pendulums of section 4.2.1 with the paper's tolerances. Its "omega = 0.05 Hz" can be read as a
 *  frequency or as an angular frequency; cmd_omega has the angular frequency [rad/s] of each reading. */
enum { CMD_READINGS = 2 };
extern const double cmd_omega[CMD_READINGS];
extern const char *const cmd_omega_name[CMD_READINGS];

/** A row of a table as printed; -1: not printed in that table. */
typedef struct cmd_published {
    double cpu_s, percent;  /**< processor time on the paper's machine [s]; percentage of the first row */
    int calls, other_calls; /**< #fc, #fcw: residual calls in total, and without those for J */
    int evaluations, updates;
} cmd_published;

/** The numbers that the paper printed for a strategy in a case. */
typedef struct cmd_printed {
    int in_case;
    const char *strategy;
    cmd_published published;
} cmd_printed;

enum { CMD_METHODS_MAX = 8, CMD_CASES_MAX = 6, CMD_PRINTED_MAX = 16 };

/** A table of the paper, or a table of the same form. */
typedef struct cmd_paper_table {
    const char *name, *source, *about;
    const char *percent_of; /**< quantity of the printed percentages; NULL: processor time */
    long repeats;
    const char *methods[CMD_METHODS_MAX + 1]; /**< strategies; the first one is the name of a peer */
    cmd_case cases[CMD_CASES_MAX + 1];
    cmd_printed printed[CMD_PRINTED_MAX + 1];
} cmd_paper_table;

/** Return Table 1, 2, 3 or the table of the extended update; NULL if the name is unknown. */
const cmd_paper_table *cmd_paper_table_find(const char *name);

/** A measured row. */
typedef struct cmd_line {
    const cmd_paper_table *table;
    int in_case;
    cmd_row row;
    /** Percentage of the reference row of the case: the original DASSL if it is built and the run succeeds, otherwise
     *  "dense" of resida. NaN: unknown */
    double percent_cpu, percent_calls;
    const cmd_published *published; /**< NULL: the paper has no such row */
} cmd_line;

/** Callbacks that receive the rows. */
typedef struct cmd_lines_to {
    /** Return a model to run instead of this one, for example with a reference solution. NULL: run the given model */
    const cmd_model *(*prepare)(const cmd_model *model, const cmd_settings *s, void *self);
    /** Called for each row. @return 0, or an exit code that ends the table */
    int (*take)(const cmd_line *line, void *self);
    void *self;
} cmd_lines_to;

/** Measure all rows. A row that a signal interrupts is passed to take() too. @return 0; the nonzero code of take();
 *  CMD_EXIT_* after one error message; 128 + signal number */
int cmd_paper_table_measure(const cmd_paper_table *t, const cmd_settings *s, const cmd_lines_to *to);

/** Fill a table: begin it, then add each row. */
void cmd_lines_begin(cmd_table *table);
void cmd_lines_add(cmd_table *table, const cmd_line *line);

/** Create the JSON row with "percent" and "published". @return a new reference, or NULL if memory is exhausted
 *  @param[in] percent  of processor time, NaN: unknown
 *  @param[in] table    the table of the row
 *  @param[in] p        NULL: the paper has no such row */
json_t *cmd_reproduced_json(const cmd_row *row, double percent, const cmd_paper_table *table, const cmd_published *p);

/** Return the quantity of the printed percentages, for example "evaluations of J". */
const char *cmd_percent_of(const cmd_paper_table *table);

/** Figure 7: lines[r * CMD_FIG7_PANELS + k] is for reading r and panel k, "dense" or "dense+extended". */
enum { CMD_FIG7_PANELS = 2, CMD_FIG7_LINES = CMD_READINGS * CMD_FIG7_PANELS };
/** @param[out] lines  [CMD_FIG7_LINES] to be freed in any case @return 0, or an exit code after one error message */
int cmd_fig7_measure(cmd_timeline *lines, const cmd_settings *s);
void cmd_fig7_draw(const cmd_timeline *lines, const cmd_picture *picture);
void cmd_fig7_fill(cmd_table *table, const cmd_timeline *lines);

/** Figures 3, 4, 5: entries of the train's J that the paper counts, and numbers of other entries of the matrix. */
typedef struct cmd_counted {
    cmd_pattern_work pattern;
    int *start, *row;
    int columns, curvature, diagonal;
} cmd_counted;

/** @return 0, or -1 if memory is exhausted. Free with cmd_counted_free() in any case */
int cmd_counted_make(cmd_counted *c, const cmd_pattern_work *p);
void cmd_counted_free(cmd_counted *c);
/** @param[in] number  of the figure: "3", "4", "5" */
void cmd_counted_draw(const cmd_counted *c, const cmd_picture *picture, const char *number);
void cmd_counted_fill(cmd_table *table, const cmd_counted *c);
/** Run the train and show its sparsity pattern. @return as cmd_pattern_run() */
int cmd_train_pattern(const cmd_settings *s, cmd_pattern_show_fn *show, void *context);

/** Fill the tables of `drift` and of `stiff-constraint` for doc/results.md. */
int bench_fill_drift(const cmd_settings *s, cmd_table *table);
int bench_fill_stiff(const cmd_settings *s, cmd_table *table);

/** The targets of `reproduce`. The only word of the settings selects the item. Each returns an exit code and prints at
 *  most one error message. */
cmd_command_fn cmd_reproduce_table, cmd_reproduce_pattern, cmd_reproduce_fig7, /**< Arnold, Fuchs, Fuehrer */
    cmd_reproduce_stability, cmd_reproduce_stiff, cmd_reproduce_drift,         /**< Ascher, Petzold */
    cmd_reproduce_scaling, cmd_reproduce_impact,                               /**< Bottasso, Bauchau, Cardona */
    cmd_reproduce_bauchau, cmd_reproduce_tip_crank, cmd_reproduce_convergence, /**< Bauchau, Epple, Bottasso */
    cmd_reproduce_five_digits;

#endif
