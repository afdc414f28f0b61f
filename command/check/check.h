/* check.h - the checks of `resida check MODEL`, and the report to which they write. */
#ifndef CMD_CHECK_H
#define CMD_CHECK_H

#include "program/run/run.h"

/** The report of the checks: input and counters. */
typedef struct cmd_report_work {
    const cmd_model *model;
    const cmd_settings *settings;
    resida_redundant redundant; /**< option of the user; `settings` drops redundant rows, which one check reports */
    int failed;                 /**< number of failed checks */
    int code;                   /**< 0; CMD_EXIT_IO once standard output failed */
    char *stage;                /**< [CMD_CHECK_STAGE] receives the name of the current check; may be NULL */
    char *callback;             /**< [CMD_CHECK_STAGE] receives the name of the callback that is being called, "" if
                                 *   there is none; may be NULL */
    long *progress;             /**< counts stages, callbacks called and steps; may be NULL */
} cmd_report_work;

enum { CMD_CHECK_STAGE = 32 };

/** A group of checks of a model. @return 0, or the exit code of the command */
typedef int cmd_checks_fn(cmd_report_work *report);

/** Run the checks in a child process. If the child ends early, a failed check is reported. @return as `checks` */
int cmd_check_in_process(cmd_report_work *report, cmd_checks_fn *checks);

/** Report a number on one line. The check is ok if value <= limit, and fails for NaN. `format` describes value and
 *  place. */
void cmd_report_number(cmd_report_work *report, const char *check, double value, double limit, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Report a check without a number on one line. @param ok  0: it fails; 1: it is ok; 2: a warning that is no failure */
void cmd_report_result(cmd_report_work *report, const char *check, int ok, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { CMD_CHECK_POINTS = 4, CMD_MARGIN = 64 }; /* margin: guard numbers before and after each array of a point */

/** A point at which callbacks are compared. It owns its arrays; NaN follows each of them. */
typedef struct cmd_point {
    double t;
    double *p, *v, *a, *f,
        *lam;            /**< [n_p], [n_v], [n_v], [n_v], [n_g + n_h]; f is 0 for states. General DAE: p, v are y, yp */
    double *u;           /**< [3 n_u] u, ud, udd */
    resida_excitation e; /**< excitation whose pointers refer to u */
} cmd_point;

/** Compute point k: the start of the model if k = 0, else a state near the start, slightly later, that the model
 *  accepts. Points are reproducible. The caller sets u and frees the point in any case. @return 0; -1 if memory is
 *  exhausted */
int cmd_point_compute(cmd_point *point, const resida_model *m, int k);
void cmd_point_free(cmd_point *point);

/** Compute point k and evaluate u there. @return 0; -1 if memory is exhausted; else the value of the excitation
 *  callback */
int cmd_point_open(cmd_point *point, const resida_model *m, int k);

/** Return the time of point k. */
double cmd_point_time(const resida_model *m, int k);

/** Evaluate u, ud, udd at t into the point. @return value of the callback; 0 without excitations */
int cmd_evaluate_excitation(cmd_point *point, const resida_model *m, double t);

/** Return component j of a test direction. All components differ, with magnitudes between 1 and 2. */
double cmd_test_direction(int j);

/** Add A x to out [rows], and |A| |x| to size unless size is NULL. A pattern without rows is full. */
void cmd_add_product(const resida_pattern *pattern, int rows, int cols, const double *A, const double *x, double *out,
                     double *size);

/** Compute speed [n_p] = T x at (t, p); values [n_p n_v] is work. @return value of the callback */
int cmd_apply_T(const resida_mechanism *d, double t, const double *p, const resida_excitation *e, const double *x,
                double *values, double *speed);

/** The largest difference found so far, its position, and the magnitude of the compared numbers. */
typedef struct cmd_worst {
    double difference; /**< |analytic - difference quotient|; infinite if a callback failed */
    double scale;      /**< largest analytic number, or the floor below which numbers are compared absolutely */
    int row, column;
} cmd_worst;

/** Update the largest difference with that at (row, column). */
void cmd_worst_update(cmd_worst *worst, double difference, int row, int column);

/** A curve x(s) [n] with s = 0 at the point. @return 0, or the return value of a callback */
typedef int cmd_curve_fn(double s, double *x, void *context);

/** Compare a derivative with central differences of x at s = 0, and update *worst.
 *  @param[in] scale  of s: increments are 1e-3 .. 1e-6 times this scale, and the best agreement counts */
void cmd_compare_derivative(int n, const double *derivative, cmd_curve_fn *x, void *context, double scale,
                            cmd_worst *worst, int column);

/** Run all checks of a model. @return 0, or the exit code of the command; failed checks are counted in the report */
int cmd_check_all(cmd_report_work *report);

/** Check that the library accepts the model. @return 1 if it does; 0 if it does not, which is reported */
int cmd_check_model(cmd_report_work *report);

/** Call each callback at several points. @return 1; 0 if the model cannot be called safely */
int cmd_check_callbacks(cmd_report_work *report);

/** Check that differenced callbacks have no noise, and that their patterns are complete. */
void cmd_check_functions(cmd_report_work *report);

/** Check each form in each formalism, or check that both formalisms agree. */
void cmd_check_forms(cmd_report_work *report);
void cmd_check_formalisms(cmd_report_work *report);

/** Return name i of the model, or "what[i]" if there is none. */
const char *cmd_item_name(const char *const *names, const char *what, int i, char text[32]);

/** Check that the names of components are unique. Reports only failures. */
void cmd_check_names(cmd_report_work *report);

/** Compare derivatives of excitations, constraints, invariants and contacts with difference quotients, or check the
 *  rank of T. */
void cmd_check_excitation(cmd_report_work *report);
void cmd_check_constraints(cmd_report_work *report);
void cmd_check_kinematics(cmd_report_work *report);

/** Compare derivatives of Phi with difference quotients. Reports nothing without a callback for them. */
void cmd_check_derivatives(cmd_report_work *report);

/** Check the terms of Phi quadratic in v against the mass matrix, if p' = v. */
void cmd_check_gyroscopic(cmd_report_work *report);

/** Report the measured cost of each callback, and the declared or assumed cost. */
void cmd_check_cost(cmd_report_work *report);

/** Check the residual at the start and the kinds of components of a general DAE. */
void cmd_check_dae(cmd_report_work *report);

#endif
