/* fixed_step.c - takes a step of a fixed or a variable size.
 *
 * Steps end at t_0 + k h, computed by multiplication, so that rounding errors do not accumulate. A step that would pass
 * the stop time is shortened, or lengthened within rounding, to end there. If the stop time moves, a new grid begins
 * there. A multistep method starts with steps of Radau IIA or with lower orders. A method with pseudo-accelerations
 * computes their initial values from a step of Radau IIA. A step that cannot be solved ends the integration. With the
 * option `adaptive`, and in steps of variable size, each step begins a new grid, whose step size keeps the error within
 * the tolerances (fixed_control.c). */
#include "fixed.h"

#include "src/core/newton/singular.h"
#include "src/core/watch/tolerance.h"

#include <math.h>
#include <string.h>

enum { MAX_DEGREE = 3 }; /* maximum degree of the extrapolation; higher ones would amplify noise */

int rsd_fixed_has_variable_size(const rsd_fixed *fixed)
{
    return fixed->base.o->adaptive || fixed->is_variable;
}

void rsd_fixed_begin_grid(rsd_fixed *fixed, double h)
{
    fixed->t_origin = fixed->t;
    fixed->on_grid = 0;
    fixed->h = h;
}

/* Report why a step failed: the guard, the error test, a singular matrix, or the iteration. */
static resida_status report_failure(rsd_fixed *fixed, double h)
{
    const int column = fixed->matrix.singular_column;
    const double t = rsd_integration_t(&fixed->base, fixed->t);
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT];
    resida_message *why = fixed->base.guard->message;
    if (fixed->base.guard->stop != RESIDA_OK) return fixed->base.guard->stop;
    RSD_TRY(rsd_guard_report_cause(fixed->base.guard, t, h));
    if (fixed->has_failed_test)
        return rsd_fail(why, RESIDA_ERR_ERROR_TEST,
                        "%s: the error test failed at every step size down to %.3g at t = %.9g (a discontinuity?)",
                        fixed->method->name, h, t);
    if (column > 0) {
        const rsd_singular_at at = {fixed->method->name, (column - 1) % fixed->base.n + 1, t, h};
        return rsd_report_singular_matrix(fixed->matrix.system[fixed->matrix.s - 1].linear, fixed->base.problem, &at,
                                          why);
    }
    /* Check for jumps of g since the last check, and up to t + 2 h, because differences of g use later times. */
    const double *y = fixed->past.y[0], far = t + 2 * h;
    if (rsd_integration_check_jumps(&fixed->base, far, RSD_AT_STOP, y) < 0) return fixed->base.guard->stop;
    rsd_blame_text(&fixed->newton.blame, fixed->base.problem, names);
    rsd_likely_cause(fixed->base.problem, fixed->base.o, &(rsd_blamed_step){t, h, y}, cause);
    rsd_fail(why, RESIDA_ERR_NEWTON,
             "%s: the Newton iteration did not converge at t = %.9g, h = %.3g; largest corrections: %s; %s",
             fixed->method->name, t, h, names, cause);
    rsd_insert_warning(fixed->base.guard->warnings, why);
    return RESIDA_ERR_NEWTON;
}

/* Solve a step of size h by the method m. Set y_end, yp_end and past.b to the values at the end of the step. Return 0
 * on success, > 0 if the step could not be solved, < 0 on a fatal error. is_step: see rsd_fixed_newton_solve(). */
static int solve_stages(rsd_fixed *fixed, const rsd_method *m, double h, int is_step)
{
    rsd_stages st;
    memset(fixed->k, 0, RSD_MAX_STAGES * (size_t)fixed->base.n * sizeof *fixed->k);
    m->begin(m, &fixed->past, h, &st, fixed->k);
    const int degree = m->steps > 1 ? m->steps : m->order < MAX_DEGREE ? m->order : MAX_DEGREE;
    for (int i = 0; i < st.s; i++) {
        double at = st.holding ? st.b[i] : st.c[i], *X = fixed->X + (size_t)i * (size_t)fixed->base.n;
        rsd_past_extrapolate(&fixed->past, h, at, degree, X);
    }
    const int verdict = rsd_fixed_newton_solve(fixed, &st, h, is_step);
    if (verdict) return verdict;
    rsd_fixed_copy(fixed, fixed->y_end, fixed->X + (size_t)(st.s - 1) * (size_t)fixed->base.n);
    m->end(m, &fixed->past, h, &st, fixed->Yp, fixed->yp_end, fixed->past.b);
    return 0;
}

/* Set *t to the end of the next step, at most t_stop. Return the step size, exactly fixed->h if *t is on the grid. */
static double choose_step_end(const rsd_fixed *fixed, double t_stop, double *t)
{
    const double grid = fixed->t_origin + (double)(fixed->on_grid + 1) * fixed->h, near = RSD_SAME_TIME * fixed->h;
    *t = grid >= t_stop - near ? t_stop : grid;
    return fabs(*t - grid) <= near ? fixed->h : *t - fixed->t;
}

static void accept_step(rsd_fixed *fixed, double t, double h)
{
    rsd_past_add_step(&fixed->past, h, fixed->y_end, fixed->yp_end);
    if (fixed->method->collocation)
        rsd_past_set_polynomial(&fixed->past, &fixed->stages, fixed->X, fixed->k, fixed->method->collocation->gamma);
    fixed->t = t;
    fixed->on_grid++;
    fixed->is_reported = 0;
    if (h != fixed->h) rsd_fixed_begin_grid(fixed, fixed->h);
    fixed->steps++;
}

static int project_end_state(rsd_fixed *fixed, double t)
{
    if (!rsd_problem_has_projection(fixed->base.problem)) return 0;
    int verdict = rsd_problem_project(fixed->base.problem, rsd_integration_t(&fixed->base, t), fixed->y_end);
    return rsd_guard_judge(fixed->base.guard, rsd_integration_t(&fixed->base, t), verdict, fixed->y_end, fixed->base.n);
}

/* Report the last step to the formulation if the step was not reported before. Return 0, or < 0 on a fatal error. */
static int report_to_problem(rsd_fixed *fixed)
{
    int changed = 0, verdict = 0;
    if (fixed->is_reported) return 0;
    verdict = rsd_guard_process_step(fixed->base.guard, rsd_integration_t(&fixed->base, fixed->t), fixed->past.y[0],
                                     fixed->past.yp, &changed);
    if (changed) fixed->is_F_known = 0;
    if (changed) rsd_renewal_mark_outdated(fixed->newton.renewal);
    fixed->is_reported = verdict == 0;
    return verdict;
}

/* Check tolerances, budgets and the user's monitor before a step. */
static resida_status check_before_step(rsd_fixed *fixed)
{
    rsd_guard *g = fixed->base.guard;
    const double t = rsd_integration_t(&fixed->base, fixed->t);
    RSD_TRY(rsd_check_tolerances(fixed->base.o, fixed->base.problem, t, fixed->past.y[0], g->message));
    if (g->steps_before + fixed->steps >= fixed->base.o->max_steps)
        return rsd_fail(g->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g",
                        fixed->base.o->max_steps, t);
    if (rsd_guard_call_monitor(g, t, fixed->base.o->monitor, fixed->base.o->monitor_user)) return g->stop;
    return rsd_guard_check_time(g, t) < 0 ? g->stop : RESIDA_OK;
}

int rsd_fixed_try_step(rsd_fixed *fixed, const rsd_method *m, double t_stop, double *t, double *h)
{
    *h = choose_step_end(fixed, t_stop, t);
    rsd_fixed_copy(fixed, fixed->past.b, fixed->past.b_start);
    if (m->resize && *h != fixed->past.h_b) {
        m->resize(m, &fixed->past, *h);
        rsd_past_save_back_values(&fixed->past, *h);
    }
    int verdict = solve_stages(fixed, m, *h, 1);
    if (!verdict) verdict = project_end_state(fixed, *t);
    if (fixed->is_variable) rsd_renewal_end_attempt(fixed->newton.renewal, verdict);
    return verdict;
}

/* Compute the initial values of the method from a step of Radau IIA, which is then discarded. */
static int begin_first_step(rsd_fixed *fixed, double h)
{
    const rsd_method *m = fixed->method;
    if (fixed->is_begun) return 0;
    int verdict = m->start ? solve_stages(fixed, &rsd_method_radau_3, h, 0) : 0;
    if (!verdict && m->start) m->start(m, &fixed->past, h, fixed->y_end, fixed->yp_end);
    if (!verdict) rsd_past_save_back_values(&fixed->past, 0);
    fixed->is_begun = verdict == 0;
    return verdict;
}

/* Return 1 if back values are missing and Radau IIA takes the next step. A start with order 1 would limit the order of
 * the run to 2. */
static int uses_radau_start(const rsd_fixed *fixed)
{
    const rsd_method *m = fixed->method;
    if (m->steps <= fixed->past.count) return 0;
    return fixed->base.o->start_up == RESIDA_START_UP_RADAU ||
           (fixed->base.o->start_up == RESIDA_START_UP_AUTO && m->order > 2);
}

resida_status rsd_fixed_take_step(rsd_fixed *fixed, double t_out, double t_stop)
{
    if (fixed->is_variable && !(fixed->t + fixed->h > fixed->t)) /* in a first step, or after a failed step */
        rsd_fixed_begin_grid(fixed, rsd_fixed_first_size(fixed, (isfinite(t_stop) ? t_stop : t_out) - fixed->t));
    if (fixed->h > fixed->base.o->h_max) rsd_fixed_begin_grid(fixed, fixed->base.o->h_max); /* h_max may have changed */
    double t, h = choose_step_end(fixed, t_stop, &t), from = fixed->t;
    const rsd_method *m = fixed->method;
    if (report_to_problem(fixed)) return fixed->base.guard->stop;
    resida_status status = check_before_step(fixed);
    if (status != RESIDA_OK) return status;
    if (!(fixed->t + h > fixed->t))
        return rsd_fail(fixed->base.guard->message, RESIDA_ERR_STEP_TOO_SMALL,
                        "step = %g is below the rounding of t = %.17g", h, rsd_integration_t(&fixed->base, fixed->t));
    const double *y = fixed->past.y[0];
    if (rsd_integration_check_jumps(&fixed->base, rsd_integration_t(&fixed->base, from), RSD_AT_STEP, y) < 0)
        return fixed->base.guard->stop;
    if (begin_first_step(fixed, h)) return report_failure(fixed, h);
    fixed->order = m->steps > fixed->past.count ? fixed->past.count : m->order;
    if (uses_radau_start(fixed)) m = &rsd_method_radau_3, fixed->order = m->order;
    int verdict = rsd_fixed_has_variable_size(fixed) ? rsd_fixed_repeat_until_accepted(fixed, t_stop, &t, &h)
                                                     : rsd_fixed_try_step(fixed, m, t_stop, &t, &h);
    if (verdict) return report_failure(fixed, h);
    accept_step(fixed, t, h);
    if (rsd_fixed_has_variable_size(fixed)) rsd_fixed_begin_grid(fixed, fixed->h_next);
    fixed->step_from = from;
    return report_to_problem(fixed) ? fixed->base.guard->stop : RESIDA_OK;
}
