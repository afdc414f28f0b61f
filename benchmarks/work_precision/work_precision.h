/* work_precision.h - what it costs to be how exact: several methods, each at a series of tolerances. */
#ifndef CMD_WORK_PRECISION_H
#define CMD_WORK_PRECISION_H

#include "curve.h"
#include "program/builtin/peer.h"
#include "program/picture/picture.h"
#include "program/run/reference.h"
#include "program/output/text_table.h"

/** What a method is measured by; the first ones are drawn and compared among all methods. */
enum { CMD_CPU = 0, CMD_CALLS = 1, CMD_N_DRAWN = 2, CMD_STEPS = 2, CMD_N_WORKS = 3 };

/** Work over error of p (y of a general DAE). */
typedef struct cmd_curve {
    cmd_point *hull; /**< [n] of the room for all tolerances */
    int n;
} cmd_curve;

/** A way to integrate, at all tolerances. */
typedef struct cmd_method {
    const char *jacobian; /**< of resida; borrowed */
    const rsd_peer *peer; /**< NULL: resida itself */
    cmd_row *rows;        /**< [n_rows], from the loosest tolerance on */
    int n_rows;           /**< runs that are over */
    double call_s;        /**< processor time of a residual call alone; NaN: not known */
    cmd_curve curves[CMD_N_WORKS];
} cmd_method;

typedef struct cmd_study {
    const cmd_settings *settings;
    cmd_reference reference;
    char *jacobians;     /**< names of the strategies, cut in place */
    cmd_method *methods; /**< [n_methods] those of resida first */
    int n_methods;
    double *rtol; /**< [n_rtol] falling */
    int n_rtol;
} cmd_study;

/** Errors at which methods are compared: 1e-3 .. 1e-7. */
enum { CMD_N_LEVELS = 5 };
extern const double cmd_levels[CMD_N_LEVELS];

/** One method at one error. */
typedef struct cmd_equal {
    double work[CMD_N_WORKS];      /**< cpu time [s], residual calls, steps; NaN where the curve does not reach */
    double to_min[CMD_N_WORKS];    /**< as a multiple of the least of all methods */
    double to_resida[CMD_N_WORKS]; /**< as a multiple of the first method, which is resida */
} cmd_equal;

/** What is done with a row. @return 0; else the runs are over */
typedef int cmd_study_take_fn(const cmd_method *method, const cmd_row *row, void *context);

/** Tolerances and methods of the settings, which must stay. To be closed in any case.
 *  @return 0; CMD_EXIT_* after one complaint */
int cmd_study_open(cmd_study *study, const cmd_settings *s);

/** Find a reference and run all. Without a reference study.reference.model.cls is NULL, and its source says why.
 *  @return 0; CMD_EXIT_* after one complaint; what take returned; 128 + signal */
int cmd_study_run(cmd_study *study, const cmd_model *model, cmd_study_take_fn *take, void *context);
void cmd_study_close(cmd_study *study);

/** The curves of all methods, from their rows. */
void cmd_study_curves(cmd_study *study);

/** Work of method k at an error; NaN where its curve does not reach. */
double cmd_study_work(const cmd_study *study, int k, int which, double error);

/** Method k at an error, beside the others. */
cmd_equal cmd_study_equal(const cmd_study *study, int k, double error);

/** "resida auto", "dassl" @return text */
enum { CMD_METHOD_SIZE = 64 };
const char *cmd_method_name(const cmd_method *method, char text[CMD_METHOD_SIZE]);

/** Both tables and what they mean. Without errors of all runs (interrupted) only the first one. */
void cmd_study_text(const cmd_study *study, int whole, FILE *stream);

/** One object for each error of cmd_levels and method. @return 0; CMD_EXIT_IO after one complaint */
int cmd_study_json(const cmd_study *study, FILE *stream);

/** The tables alone. */
void cmd_study_fill_runs(const cmd_study *study, cmd_table *table);
void cmd_study_fill_equal(const cmd_study *study, cmd_table *table);

/** Error over cpu time and over residual calls, every run with a known error a point; the second form one of them
 *  alone, with the names below it.
 *  @return 0; CMD_EXIT_FAILED (there is none, or no memory) after one complaint */
int cmd_study_draw(const cmd_study *study, const cmd_picture *picture);
int cmd_study_draw_one(const cmd_study *study, const cmd_picture *picture, int which);

#endif
