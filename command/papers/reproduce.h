/* reproduce.h - tables and figures of a paper: what it published, beside what is measured here. What is measured and
 * how it is shown are apart: the commands `reproduce` and `report` show the same. */
#ifndef BENCH_REPRODUCE_H
#define BENCH_REPRODUCE_H

#include <jansson.h>

#include "command/pattern/pattern.h"
#include "command/run/run.h"
#include "command/output/text_table.h"
#include "timeline.h"

#define BENCH_PAPER                                                                                                    \
    "M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time integration in multibody dynamics"

/** A model with parameters, so many at the most, tolerances and interval. */
enum { BENCH_SET_MAX = 3 };
typedef struct bench_case {
    const char *label; /**< "N = 12, omega = 2 pi 0.05" */
    const char *model;
    resida_formalism formalism;
    double rtol, atol, t_end; /**< NaN: the model's */
    const char *parameter_names[BENCH_SET_MAX + 1];
    double values[BENCH_SET_MAX];
} bench_case;

/** A case that is open. Points into itself: not to be copied. */
typedef struct bench_open_case {
    bench_settings settings;
    bench_model model;
    bench_job job; /**< one run of it */
    char names[BENCH_SET_MAX][16], *name_list[BENCH_SET_MAX];
    char words[BENCH_SET_MAX][BENCH_NUMBER_SIZE], *word_list[BENCH_SET_MAX];
    int used[BENCH_SET_MAX];
} bench_open_case;

/** By these settings, but for what the case has.
 *  @return 0; BENCH_EXIT_* after one complaint. To be closed in any case */
int bench_case_open(bench_open_case *open, const bench_settings *s, const bench_case *c);
void bench_case_close(bench_open_case *open);

/** Where positions of these names [n] are in p: at [n]. @return 0; -1: the model has no such names */
int bench_places_find(const resida_mechanism *m, int n, const char *const *names, int *at);

/** The chain of n pendulums of section 4.2.1 with the paper's tolerances; its "omega = 0.05 Hz" [rad/s] as a frequency,
 *  and as an angular frequency. */
enum { BENCH_READINGS = 2 };
extern const double bench_omega[BENCH_READINGS];
extern const char *const bench_omega_name[BENCH_READINGS];

/** A row of a table as it was printed; -1: not in that table. */
typedef struct bench_published {
    double cpu_s, percent;  /**< seconds of their machine, percentage of their first row */
    int calls, other_calls; /**< #fc, #fcw: residual calls, all, and without those for J */
    int evaluations, updates;
} bench_published;

/** What the paper printed for a strategy in a case. */
typedef struct bench_printed {
    int in_case;
    const char *strategy;
    bench_published published;
} bench_printed;

enum { BENCH_METHODS_MAX = 8, BENCH_CASES_MAX = 6, BENCH_PRINTED_MAX = 16 };

/** A table of the paper, or one like it. */
typedef struct bench_paper_table {
    const char *name, *source, *about;
    long repeats;
    const char *methods[BENCH_METHODS_MAX + 1]; /**< strategies; the first one is a peer */
    bench_case cases[BENCH_CASES_MAX + 1];
    bench_printed printed[BENCH_PRINTED_MAX + 1];
} bench_paper_table;

/** Table 1, 2, 3, and one of the same form about the extended update; NULL for another name. */
const bench_paper_table *bench_paper_table_find(const char *name);

/** A row that was measured. */
typedef struct bench_line {
    const bench_paper_table *table;
    int in_case;
    bench_row row;
    /** Of the first row of the case: the original DASSL where it is built and gets through, else "dense" of resida.
     *  NaN: not known */
    double percent_cpu, percent_calls;
    const bench_published *published; /**< NULL: nothing */
} bench_line;

/** What becomes of the rows. */
typedef struct bench_lines_to {
    /** The model to run in the place of this one, such as the same with a reference. NULL: itself */
    const bench_model *(*prepare)(const bench_model *model, const bench_settings *s, void *self);
    /** A row is there. @return 0; an exit code, which ends the table */
    int (*take)(const bench_line *line, void *self);
    void *self;
} bench_lines_to;

/** Measure all rows. @return 0; what take returned; BENCH_EXIT_* after one complaint; 128 + signal, the row that was
 *  cut short is taken too */
int bench_paper_table_measure(const bench_paper_table *t, const bench_settings *s, const bench_lines_to *to);

/** As a table: begin, add each row. */
void bench_lines_begin(bench_table *table);
void bench_lines_add(bench_table *table, const bench_line *line);

/** The row with "percent" and "published"; a new reference, NULL without memory.
 *  @param[in] percent  of processor time, NaN: not known
 *  @param[in] source   paper and table
 *  @param[in] p        NULL: the paper has no such row */
json_t *bench_reproduced_json(const bench_row *row, double percent, const char *source, const bench_published *p);
json_t *bench_line_json(const bench_line *line);

/** Figure 7: reading r and panel k are [r * BENCH_FIG7_PANELS + k]; panels are "dense" and "dense+extended". */
enum { BENCH_FIG7_PANELS = 2, BENCH_FIG7_LINES = BENCH_READINGS * BENCH_FIG7_PANELS };
/** @param[out] lines  [BENCH_FIG7_LINES] to be freed in any case @return 0; an exit code after one complaint */
int bench_fig7_measure(bench_timeline *lines, const bench_settings *s);
void bench_fig7_draw(const bench_timeline *lines, const bench_picture *picture);
void bench_fig7_fill(bench_table *table, const bench_timeline *lines);

/** Figures 3, 4, 5: entries of the train's J as the paper counts them, and what else the matrix holds. */
typedef struct bench_counted {
    bench_pattern pattern;
    int *start, *row;
    int columns, curvature, diagonal;
} bench_counted;

/** @return 0; -1 without memory. Free with bench_counted_free() in any case */
int bench_counted_make(bench_counted *c, const bench_pattern *p);
void bench_counted_free(bench_counted *c);
/** @param[in] number "3", "4", "5" */
void bench_counted_draw(const bench_counted *c, const bench_picture *picture, const char *number);
void bench_counted_fill(bench_table *table, const bench_counted *c);
/** Run the train and show its pattern. @return as bench_pattern_run() */
int bench_train_pattern(const bench_settings *s, bench_pattern_show_fn *show, void *context);

/** What `reproduce` can show, named by the only word of the settings; each returns an exit code after at most one
 *  complaint. */
int bench_reproduce_table(const bench_settings *s); /**< table1, table2, table3 */
int bench_reproduce_fig7(const bench_settings *s);
int bench_reproduce_scaling(
    const bench_settings *s); /**< scaling1 .. scaling8, scaling-andrews: Bottasso, Bauchau, Cardona */
int bench_reproduce_impact(const bench_settings *s);      /**< scaling9 .. scaling11, the same paper */
int bench_reproduce_bauchau(const bench_settings *s);     /**< bauchau1, bauchau2: Bauchau, Epple, Bottasso */
int bench_reproduce_tip_crank(const bench_settings *s);   /**< bauchau3 */
int bench_reproduce_five_digits(const bench_settings *s); /**< bauchau35 */
int bench_reproduce_convergence(const bench_settings *s); /**< bauchau4 */
int bench_reproduce_pattern(const bench_settings *s);     /**< fig3, fig4, fig5 */
int bench_reproduce_stability(const bench_settings *s);   /**< table4.1 .. table4.8 of U. Ascher, L. Petzold */
int bench_reproduce_drift(const bench_settings *s);       /**< drift: how far formulations go off a constraint */
int bench_reproduce_stiff(const bench_settings *s);       /**< stiff-constraint: Example 3 by the adaptive solver */

#endif
