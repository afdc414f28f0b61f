/* check.h - the parts of `resida check MODEL` and the report they write to. */
#ifndef CMD_CHECK_H
#define CMD_CHECK_H

#include "program/run/run.h"

/** Where the lines go. */
typedef struct cmd_report_work {
    const cmd_model *model;
    const cmd_settings *settings;
    resida_redundant redundant; /**< option of the user; `settings` drop redundant rows, which one check reports */
    int failed;                 /**< checks */
    int code;                   /**< 0; CMD_EXIT_IO once standard output failed */
    char *stage;                /**< [CMD_CHECK_STAGE] gets the name of the check under way; NULL: it is not wanted */
    char *callback;             /**< the same of the callback that is tried, "": none */
    long *progress;             /**< counts stages, callbacks that are tried, and steps; NULL: it is not wanted */
} cmd_report_work;

enum { CMD_CHECK_STAGE = 32 };

/** Checks of a model. @return 0, or the exit code of the command */
typedef int cmd_checks_fn(cmd_report_work *report);

/** Run them in a process of their own; when it ends before its time that is a failed check, too. @return as the
 *  checks */
int cmd_check_apart(cmd_report_work *report, cmd_checks_fn *checks);

/** One line: ok when value <= limit (a NaN is not). `format` says what the value is and where it was found. */
void cmd_report_figure(cmd_report_work *report, const char *check, double value, double limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** One line without a figure. */
void cmd_report_verdict(cmd_report_work *report, const char *check, int ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { CMD_CHECK_POINTS = 4, CMD_MARGIN = 64 }; /* numbers before and behind arrays of a point */

/** A point at which callbacks are compared; arrays of the owner, with NaN behind each. */
typedef struct cmd_point {
    double t;
    double *p, *v, *a, *f,
        *lam;            /**< [n_p], [n_v], [n_v], [n_v], [n_g + n_h]; f 0 at states. General DAE: p, v are y, yp */
    double *u;           /**< [3 n_u] u, ud, udd */
    resida_excitation e; /**< of them */
} cmd_point;

/** The start of the model (k = 0) or a state near it, a little later (k > 0), where it accepts one; reproducible. u is
 *  to be set. To be freed in any case.
 *  @return 0; -1 without memory */
int cmd_point_make(cmd_point *point, const resida_model *m, int k);
void cmd_point_free(cmd_point *point);

/** The same, with u. @return 0; -1 without memory; verdict of the excitation */
int cmd_point_open(cmd_point *point, const resida_model *m, int k);

/** The time of point k. */
double cmd_point_time(const resida_model *m, int k);

/** u, ud, udd of a model at t into the point. @return verdict of the callback, 0 without excitations */
int cmd_excite(cmd_point *point, const resida_model *m, double t);

/** Number j of a direction: parts that differ from column to column, 1 .. 2 of either sign. */
double cmd_direction(int j);

/** out [rows] += A x, size += |A| |x| unless it is NULL; a pattern without rows is full. */
void cmd_add_product(const resida_pattern *pattern, int rows, int cols, const double *A, const double *x, double *out,
                     double *size);

/** speed [n_p] = T x at (t, p), values [n_p n_v] work. @return verdict of the callback */
int cmd_apply_T(const resida_mechanism *d, double t, const double *p, const resida_excitation *e, const double *x,
                double *values, double *speed);

/** The largest difference that was found, where, and how large the compared numbers are. */
typedef struct cmd_worst {
    double difference; /**< |analytic - difference quotient|; infinite when a callback refused */
    double scale;      /**< largest analytic number; begins with what counts as small */
    int row, column;
} cmd_worst;

/** A difference at (row, column). */
void cmd_worst_add(cmd_worst *worst, double difference, int row, int column);

/** x(s), [n] functions of one variable, s = 0 at the point. @return 0, or the verdict of a callback */
typedef int cmd_curve_fn(double s, double *x, void *context);

/** Compare a derivative with central differences of x at s = 0; keeps what is worse in *worst.
 *  @param[in] scale  of s: increments are 1e-3 .. 1e-6 of it, the best agreement counts */
void cmd_compare_derivative(int n, const double *derivative, cmd_curve_fn *x, void *context, double scale,
                            cmd_worst *worst, int column);

/** All checks of a model. @return 0, or the exit code of the command; failed checks are counted in the report */
int cmd_check_all(cmd_report_work *report);

/** Would the library take the model at all? @return 1 yes; 0 no, which is reported */
int cmd_check_model(cmd_report_work *report);

/** Each callback once. @return 1; 0: the model cannot be called without damage */
int cmd_check_callbacks(cmd_report_work *report);

/** Noise of the callbacks that are differenced, and entries that their patterns lack. */
void cmd_check_functions(cmd_report_work *report);

/** Each form with each formalism; the formalisms agree. */
void cmd_check_forms(cmd_report_work *report);
void cmd_check_formalisms(cmd_report_work *report);

/** Name i of the model's, or "what[i]" where it has none. */
const char *cmd_item_name(const char *const *names, const char *what, int i, char text[32]);

/** Components of one name; says nothing where there are none. */
void cmd_check_names(cmd_report_work *report);

/** Derivatives of excitations, constraints, invariants and contacts, against differences; the rank of T. */
void cmd_check_excitation(cmd_report_work *report);
void cmd_check_constraints(cmd_report_work *report);
void cmd_check_kinematics(cmd_report_work *report);

/** Derivatives of Phi, against differences; says nothing where the model gives none. */
void cmd_check_derivatives(cmd_report_work *report);

/** Terms of Phi that are quadratic in v, against the mass matrix, where p' = v. */
void cmd_check_gyroscopic(cmd_report_work *report);

/** What callbacks cost, and are taken to cost. */
void cmd_check_cost(cmd_report_work *report);

/** A general DAE: the residual at the start, and the kinds of its components. */
void cmd_check_dae(cmd_report_work *report);

#endif
