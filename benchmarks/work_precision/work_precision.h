/* work_precision.h - work as a function of error for several methods, each at a series of tolerances. */
#ifndef CMD_WORK_PRECISION_H
#define CMD_WORK_PRECISION_H

#include "curve.h"
#include "program/builtin/peer.h"
#include "program/picture/picture.h"
#include "program/run/reference.h"
#include "program/output/text_table.h"

/** Measures of work. The first CMD_N_DRAWN are drawn and compared among all methods. */
enum { CMD_CPU = 0, CMD_CALLS = 1, CMD_N_DRAWN = 2, CMD_STEPS = 2, CMD_N_WORKS = 3 };

/** Work over error of p (y of a general DAE). */
typedef struct cmd_curve {
    cmd_point *hull; /**< [n], allocated for all tolerances */
    int n;
} cmd_curve;

/** An integration method with its runs at all tolerances. */
typedef struct cmd_method {
    const char *jacobian; /**< strategy of resida; borrowed */
    const rsd_peer *peer; /**< NULL: resida itself */
    cmd_row *rows;        /**< [n_rows], beginning with the loosest tolerance */
    int n_rows;           /**< number of finished runs */
    double call_s;        /**< processor time of one residual call; NaN: unknown */
    cmd_curve curves[CMD_N_WORKS];
} cmd_method;

typedef struct cmd_study {
    const cmd_settings *settings;
    cmd_reference reference;
    char *jacobians;     /**< names of the strategies, split in place */
    cmd_method *methods; /**< [n_methods], those of resida first */
    int n_methods;
    double *rtol; /**< [n_rtol], decreasing */
    int n_rtol;
} cmd_study;

/** Errors at which methods are compared: 1e-3 .. 1e-7. */
enum { CMD_N_LEVELS = 5 };
extern const double cmd_levels[CMD_N_LEVELS];

/** The work of one method at one error. */
typedef struct cmd_equal {
    double work[CMD_N_WORKS];      /**< cpu time [s], residual calls, steps; NaN outside the curve */
    double to_min[CMD_N_WORKS];    /**< ratio to the minimum of all methods */
    double to_resida[CMD_N_WORKS]; /**< ratio to the first method, which is resida */
} cmd_equal;

/** Process a row. @return 0; other values end the runs */
typedef int cmd_study_take_fn(const cmd_method *method, const cmd_row *row, void *context);

/** Set up tolerances and methods from the settings, which must outlive the study. Close it in any case.
 *  @return 0; CMD_EXIT_* after one error message */
int cmd_study_open(cmd_study *study, const cmd_settings *s);

/** Compute a reference and make all runs. Without a reference study.reference.model.cls is NULL, and
 *  study.reference.source has the reason.
 *  @return 0; CMD_EXIT_* after one error message; the nonzero code of take; 128 + signal number */
int cmd_study_run(cmd_study *study, const cmd_model *model, cmd_study_take_fn *take, void *context);
void cmd_study_close(cmd_study *study);

/** Compute the curves of all methods from their rows. */
void cmd_study_curves(cmd_study *study);

/** Return the work of method k at an error; NaN outside its curve. */
double cmd_study_work(const cmd_study *study, int k, int which, double error);

/** Return the work of method k at an error, and its ratios to other methods. */
cmd_equal cmd_study_equal(const cmd_study *study, int k, double error);

/** Return the name of a method: "resida auto", "dassl". @return text */
enum { CMD_METHOD_SIZE = 64 };
const char *cmd_method_name(const cmd_method *method, char text[CMD_METHOD_SIZE]);

/** Print both tables and their legend. If runs are missing (interrupted), print only the first table. */
void cmd_study_text(const cmd_study *study, int whole, FILE *stream);

/** Write one object for each error of cmd_levels and each method. @return 0; CMD_EXIT_IO after one error message */
int cmd_study_json(const cmd_study *study, FILE *stream);

/** Fill the tables only. */
void cmd_study_fill_runs(const cmd_study *study, cmd_table *table);
void cmd_study_fill_equal(const cmd_study *study, cmd_table *table);

/** Draw error over cpu time and over residual calls, with a point for each run with a known error. The second function
 *  draws one of the two diagrams, with the legend below.
 *  @return 0; CMD_EXIT_FAILED (no point, or memory is exhausted) after one error message */
int cmd_study_draw(const cmd_study *study, const cmd_picture *picture);
int cmd_study_draw_one(const cmd_study *study, const cmd_picture *picture, int which);

#endif
