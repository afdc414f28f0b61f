/* tolerance.c - error weights, and the components of the error test. */
#include "tolerance.h"

#include "src/core/problem/problem_impl.h"

#include "base/vector_ops.h"
#include "base/message.h"

#include <float.h>
#include <math.h>

#define TIGHT_SPEED 1e-8 /* tolerance at a velocity of 1 below which fourth-order differences are needed */
#define ROUGH_FORCE 0.1  /* factor of the weights of contact forces if only g = 0 is enforced: lam is inaccurate */

/* Compute the error weights w [n] at y [n]; the loop is vectorised. Return 1 if all weights are finite. */
RSD_WIDE static int invert_tolerances(double rtol, const double *restrict atol, int n, const double *restrict y,
                                      double *restrict w)
{
    int all = 1;
    for (int i = 0; i < n; i++) {
        w[i] = 1 / (rtol * fabs(y[i]) + atol[i]);
        all &= w[i] < INFINITY;
    }
    return all;
}

/* Return the first component whose tolerance is zero at y [n], or -1. */
static int find_zero_tolerance(const resida_solver_options *o, int n, const double *y)
{
    for (int i = 0; i < n; i++)
        if (!(rsd_tolerance(o, i, y[i]) > 0)) return i;
    return -1;
}

double rsd_get_min_rtol(const resida_solver_options *o, int n)
{
    double rtol = o->rtol_each ? 1 : o->rtol;
    for (int i = 0; i < n && o->rtol_each; i++)
        if (o->rtol_each[i] > 0) rtol = fmin(rtol, o->rtol_each[i]);
    return rtol;
}

int rsd_error_weights(const resida_solver_options *o, int n, const double *y, double *w)
{
    for (int i = 0; o->rtol_each && i < n; i++) w[i] = 1 / rsd_tolerance(o, i, y[i]);
    const int all = o->rtol_each ? rsd_all_finite(w, n) : invert_tolerances(o->rtol, o->atol_each, n, y, w);
    return all ? -1 : find_zero_tolerance(o, n, y);
}

int rsd_needs_fourth_order(const resida_solver_options *o, const resida_problem *problem)
{
    const resida_layout *l = &problem->layout;
    for (int i = l->v; i < l->v + l->n_v - l->n_z; i++)
        if (rsd_tolerance(o, i, 1) < TIGHT_SPEED) return 1;
    return 0;
}

resida_status rsd_check_tolerances(const resida_solver_options *o, const resida_problem *problem, double t,
                                   const double *y, resida_message *why)
{
    char name[RSD_COMPONENT_NAME];
    const int i = find_zero_tolerance(o, problem->layout.n, y);
    if (i < 0) return RESIDA_OK;
    resida_problem_component_name(problem, i, name, sizeof name);
    if (y[i] != 0) return rsd_fail(why, RESIDA_ERR_TOLERANCE, "rtol and atol of component %s are both 0", name);
    return rsd_fail(why, RESIDA_ERR_TOLERANCE, "component %s is 0 at t = %.9g and its atol is 0: give it an atol > 0",
                    name, t);
}

void rsd_compute_newton_weights(int h_weights, double h, int n, const resida_kind *kinds, const double *weights,
                                double *w)
{
    h = h_weights ? fmin(fabs(h), 1) : 1;
    const double power[5] = {1, 1, h, h * h, h}; /* indexed by resida_kind */
    for (int i = 0; i < n; i++) w[i] = (weights ? weights[i] : 1) * power[kinds[i]];
}

int rsd_select_tested(const resida_solver_options *o, const resida_problem *problem, double *tested)
{
    const resida_kind *kinds = resida_problem_kinds(problem);
    resida_layout l = {.n = 0};
    resida_problem_layout(problem, &l);
    for (int i = 0; i < l.n; i++)
        tested[i] = o->error_test == RESIDA_ERROR_TEST_ALL    ? 1
                    : o->error_test == RESIDA_ERROR_TEST_AUTO ? kinds[i] < RESIDA_ALGEBRAIC_2
                                                              : kinds[i] == RESIDA_DIFFERENTIAL;
    const rsd_unilateral *held = &problem->contacts;
    for (int i = 0; i < held->given.n && o->error_test == RESIDA_ERROR_TEST_AUTO; i++)
        tested[l.lam + held->row[i]] = tested[l.lam + (held->row_t ? held->row_t[i] : held->row[i])] = 1;
    int count = 0;
    for (int i = 0; i < l.n; i++) count += tested[i] != 0;
    return count;
}

/* Compute the weight of a contact force, component c of y, in the error test. It is the norm [tolerances] of the motion
 * that a force of one tolerance causes in a step h, at most 1. The motion is h M^-1 G' lam in v or, if only g = 0 is
 * enforced, h^2 M^-1 G' lam in p. If y contains the integral of lam, the factor h is omitted. */
static double compute_force_weight(const resida_problem *problem, double h, const double *w, int row, int c)
{
    const resida_layout *l = &problem->layout;
    const int is_position = problem->form->level == RSD_POSITION, n = is_position ? l->n_p : l->n_v;
    const double *move = problem->contacts.moves + row * rsd_unilateral_get_width(problem->mechanism);
    const double *of = w + (is_position ? l->p : l->v);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += move[i] * of[i] * move[i] * of[i];
    const double part = problem->kinds[c] == RESIDA_DIFFERENTIAL ? 1 : is_position ? ROUGH_FORCE * h * h : h;
    return fmin(part * sqrt(sum) / w[c], 1);
}

void rsd_weigh_contact_forces(const resida_problem *problem, double h, const double *w, double *tested)
{
    const rsd_unilateral *held = &problem->contacts;
    const int n = held->given.n;
    for (int k = 0; k < (held->row_t ? 2 * n : n); k++) {
        const int c = problem->layout.lam + (k < n ? held->row[k] : held->row_t[k - n]);
        if (tested[c] == 0) continue;
        tested[c] = h > 0 && held->closed[k % n] ? fmax(compute_force_weight(problem, h, w, k, c), DBL_MIN) : DBL_MIN;
    }
}
