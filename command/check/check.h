/* check.h - the parts of `resida check MODEL` and the report they write to. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "command/run/run.h"

/** Where the lines go. */
typedef struct bench_report {
    const bench_model *model;
    const bench_settings *settings;
    int failed;     /**< checks */
    int code;       /**< 0; BENCH_EXIT_IO once standard output failed */
    char *stage;    /**< [BENCH_CHECK_STAGE] gets the name of the check under way; NULL: it is not wanted */
    char *callback; /**< the same of the callback that is tried, "": none */
} bench_report;

enum { BENCH_CHECK_STAGE = 32 };

/** Checks of a model. @return 0, or the exit code of the command */
typedef int bench_checks_fn(bench_report *report);

/** Run them in a process of their own; when it ends before its time that is a failed check, too. @return as the
 *  checks */
int bench_check_apart(bench_report *report, bench_checks_fn *checks);

/** One line: ok when value <= limit (a NaN is not). `format` says what the value is and where it was found. */
void bench_report_figure(bench_report *report, const char *check, double value, double limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** One line without a figure. */
void bench_report_verdict(bench_report *report, const char *check, int ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { BENCH_CHECK_POINTS = 4, BENCH_MARGIN = 64 }; /* numbers before and behind arrays of a point */

/** A point at which callbacks are compared; arrays of the owner, with NaN behind each. */
typedef struct bench_point {
    double t;
    double *p, *v, *a, *f,
        *lam; /**< [n_p], [n_v], [n_v], [n_v], [n_g + n_h]; f 0 at states. General DAE: p, v are y, yp */
} bench_point;

/** The start of the model (k = 0) or a state near it, a little later (k > 0), where it accepts one; reproducible.
 *  @return 0; -1 without memory */
int bench_point_make(bench_point *point, const resida_model *m, int k);
void bench_point_free(bench_point *point);

/** The time of point k. */
double bench_point_time(const resida_model *m, int k);

/** u, ud, udd of a model at t. @param[out] storage [3 n_u]  @return verdict of the callback, 0 without excitations */
int bench_excitation_at(const resida_model *m, double t, double *storage, resida_excitation *e);

/** speed [n_p] = T x at (t, p), values [n_p n_v] work. @return verdict of the callback */
int bench_apply_T(const resida_mechanism *d, double t, const double *p, const resida_excitation *e, const double *x,
                  double *values, double *speed);

/** The largest difference that was found, where, and how large the compared numbers are. */
typedef struct bench_worst {
    double difference; /**< |analytic - difference quotient|; infinite when a callback refused */
    double scale;      /**< largest analytic number; begins with what counts as small */
    int row, column;
} bench_worst;

/** A difference at (row, column). */
void bench_worst_add(bench_worst *worst, double difference, int row, int column);

/** x(s), [n] functions of one variable, s = 0 at the point. @return 0, or the verdict of a callback */
typedef int bench_curve_fn(double s, double *x, void *context);

/** Compare a derivative with central differences of x at s = 0; keeps what is worse in *worst.
 *  @param[in] scale  of s: increments are 1e-3 .. 1e-6 of it, the best agreement counts */
void bench_compare_derivative(int n, const double *derivative, bench_curve_fn *x, void *context, double scale,
                              bench_worst *worst, int column);

/** A matrix by columns, and groups of columns that share no row; without a pattern each column is a group. */
typedef struct bench_matrix {
    const resida_pattern *pattern; /**< of the caller */
    int rows, cols, n_groups;
    int *start, *row, *at; /**< entries of column j from start[j] on: row, place among the values */
    int *group;            /**< [cols] */
} bench_matrix;

/** @return 0; -1 without memory. To be closed in any case. */
int bench_matrix_open(bench_matrix *A, const resida_pattern *pattern, int rows, int cols);
void bench_matrix_close(bench_matrix *A);

/** Functions of as many variables as a matrix has columns. */
typedef struct bench_curves {
    bench_curve_fn *along; /**< x(s) on the way s direction */
    void *context;
    double *direction;   /**< [cols] */
    const double *scale; /**< [cols] as of bench_compare_derivative() */
} bench_curves;

/** All columns, those of a group together. @param[in] limit  of differences, as a part of the largest number: those
 *  that agree
 *  @return 0; -1 without memory */
int bench_compare_columns(const bench_matrix *A, const double *values, const bench_curves *x, double limit,
                          bench_worst *worst);

/** All checks of a model. @return 0, or the exit code of the command; failed checks are counted in the report */
int bench_check(bench_report *report);

/** Would the library take the model at all? @return 1 yes; 0 no, which is reported */
int bench_check_model(bench_report *report);

/** Each callback once. @return 1; 0: the model cannot be called without damage */
int bench_check_callbacks(bench_report *report);

/** Noise of the callbacks that are differenced, and entries that their patterns lack. */
void bench_check_functions(bench_report *report);

/** Each form with each formalism; the formalisms agree. */
void bench_check_forms(bench_report *report);
void bench_check_formalisms(bench_report *report);

/** Name i of the model's, or "what[i]" where it has none. */
const char *bench_item_name(const char *const *names, const char *what, int i, char text[32]);

/** Components of one name; says nothing where there are none. */
void bench_check_names(bench_report *report);

/** Excitations, and every matrix and bias the model gives itself, against differences. */
void bench_check_excitation(bench_report *report);
void bench_check_constraints(bench_report *report);
void bench_check_kinematics(bench_report *report);

/** What callbacks cost, and are taken to cost. */
void bench_check_cost(bench_report *report);

/** A general DAE: the residual at the start, and the kinds of its components. */
void bench_check_dae(bench_report *report);

#endif
