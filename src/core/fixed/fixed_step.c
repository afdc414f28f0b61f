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

enum { MAX_DEGREE = 3 }; /* of the extrapolation: a higher degree would amplify noise */

int rsd_fixed_has_variable_size(const rsd_fixed *it)
{
    return it->base.o->adaptive || it->is_variable;
}

void rsd_fixed_begin_grid(rsd_fixed *it, double h)
{
    it->t_origin = it->t;
    it->on_grid = 0;
    it->h = h;
}

/* Report why a step failed: the guard, the error test, a singular matrix, or the iteration. */
static resida_status report_failure(rsd_fixed *it, double h)
{
    const int column = it->matrix.singular_column;
    const double t = rsd_integration_t(&it->base, it->t);
    char names[RSD_BLAME_TEXT], cause[RSD_CAUSE_TEXT];
    resida_message *why = it->base.guard->message;
    if (it->base.guard->stop != RESIDA_OK) return it->base.guard->stop;
    RSD_TRY(rsd_guard_report_cause(it->base.guard, t, h));
    if (it->is_rough)
        return rsd_fail(why, RESIDA_ERR_ERROR_TEST,
                        "%s: the error test failed at every step size down to %.3g at t = %.9g (a discontinuity?)",
                        it->method->name, h, t);
    if (column > 0) {
        const rsd_fixed_matrix *m = &it->matrix;
        const rsd_singular_at at = {it->method->name, (column - 1) % it->base.n + 1, t, h};
        return rsd_report_singular_matrix(it->is_variable ? it->transform.real : m->linear[m->s - 1], it->base.problem,
                                          &at, why);
    }
    /* g may have jumped since the last check, or may jump just after the step, within difference quotients of g. */
    const double *y = it->past.y[0], far = t + 2 * h;
    if (rsd_integration_check_jumps(&it->base, far, RSD_AT_STOP, y) < 0) return it->base.guard->stop;
    rsd_blame_text(&it->newton.blame, it->base.problem, names);
    rsd_likely_cause(it->base.problem, it->base.o, &(rsd_blamed_step){t, h, y}, cause);
    rsd_fail(why, RESIDA_ERR_NEWTON,
             "%s: the Newton iteration did not converge at t = %.9g, h = %.3g; largest corrections: %s; %s",
             it->method->name, t, h, names, cause);
    rsd_append_warning(it->base.guard->warnings, why);
    return RESIDA_ERR_NEWTON;
}

/* Solve a step of size h by the method m. Its end is set in y_end, yp_end and its pseudo-accelerations in past.b. */
static int solve_stages(rsd_fixed *it, const rsd_method *m, double h, int is_step)
{
    rsd_stages st;
    memset(it->k, 0, RSD_MAX_STAGES * (size_t)it->base.n * sizeof *it->k);
    m->begin(m, &it->past, h, &st, it->k);
    st.is_transformed = it->is_variable;
    const int degree = m->steps > 1 ? m->steps : m->order < MAX_DEGREE ? m->order : MAX_DEGREE;
    for (int i = 0; i < st.s; i++) {
        double at = st.holding ? st.b[i] : st.c[i], *X = it->X + (size_t)i * (size_t)it->base.n;
        rsd_past_extrapolate(&it->past, h, at, degree, X);
    }
    const int verdict = rsd_fixed_newton_solve(it, &st, h, is_step);
    if (verdict) return verdict;
    rsd_fixed_copy(it, it->y_end, it->X + (size_t)(st.s - 1) * (size_t)it->base.n);
    m->end(m, &it->past, h, &st, it->Yp, it->yp_end, it->past.b);
    return 0;
}

/* Return the end of the next step, at most t_stop. */
static double next_time(const rsd_fixed *it, double t_stop)
{
    double t = it->t_origin + (double)(it->on_grid + 1) * it->h;
    return t >= t_stop - RSD_SAME_TIME * it->h ? t_stop : t;
}

/* Return the size of a step that ends at t. It is exactly h if t is on the grid. */
static double size_of_step(const rsd_fixed *it, double t)
{
    double grid = it->t_origin + (double)(it->on_grid + 1) * it->h;
    return fabs(t - grid) <= RSD_SAME_TIME * it->h ? it->h : t - it->t;
}

static void accept_step(rsd_fixed *it, double t, double h)
{
    rsd_past_add_step(&it->past, h, it->y_end, it->yp_end);
    if (it->is_variable) rsd_past_set_polynomial(&it->past, &it->stages, it->X, it->k, it->transform.of->gamma);
    it->t = t;
    it->on_grid++;
    it->is_reported = 0;
    if (h != it->h) rsd_fixed_begin_grid(it, it->h);
    it->steps++;
}

static int project_end_state(rsd_fixed *it, double t)
{
    if (!rsd_problem_has_projection(it->base.problem)) return 0;
    int verdict = rsd_problem_project(it->base.problem, rsd_integration_t(&it->base, t), it->y_end);
    return rsd_guard_judge(it->base.guard, rsd_integration_t(&it->base, t), verdict, it->y_end, it->base.n);
}

/* Report the last step to the formulation as accepted, once. */
static int report_to_problem(rsd_fixed *it)
{
    int changed = 0, verdict = 0;
    if (it->is_reported) return 0;
    verdict = rsd_guard_process_step(it->base.guard, rsd_integration_t(&it->base, it->t), it->past.y[0], it->past.yp,
                                     &changed);
    if (changed) it->is_F_known = 0;
    if (changed) resida_jacobian_request(it->engine, RESIDA_REQUEST_EVALUATION);
    it->is_reported = verdict == 0;
    return verdict;
}

/* Check tolerances, budgets and the user's monitor before a step. */
static resida_status check_before_step(rsd_fixed *it)
{
    rsd_guard *g = it->base.guard;
    const double t = rsd_integration_t(&it->base, it->t);
    const int i = rsd_find_zero_tolerance(it->base.o, it->base.n, it->past.y[0]);
    if (i >= 0) return rsd_report_zero_tolerance(it->base.problem, i, t, g->message);
    if (g->steps_before + it->steps >= it->base.o->max_steps)
        return rsd_fail(g->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g",
                        it->base.o->max_steps, t);
    if (rsd_guard_call_monitor(g, t, it->base.o->monitor, it->base.o->monitor_user)) return g->stop;
    return rsd_guard_check_time(g, t) < 0 ? g->stop : RESIDA_OK;
}

/* Attempt the next step with the method m. Set its end *t and its size *h. */
static int try_fixed_step(rsd_fixed *it, const rsd_method *m, double t_stop, double *t, double *h)
{
    *t = next_time(it, t_stop);
    *h = size_of_step(it, *t);
    rsd_fixed_copy(it, it->past.b, it->past.b_start);
    if (m->resize && *h != it->past.h_b) {
        m->resize(m, &it->past, *h);
        rsd_past_save_back_values(&it->past, *h);
    }
    int verdict = solve_stages(it, m, *h, 1);
    if (!verdict) verdict = project_end_state(it, *t);
    if (it->is_variable) rsd_renewal_end_attempt(it->newton.renewal, verdict);
    return verdict;
}

/* Compute the initial values of the method from a step of Radau IIA, which is then discarded. */
static int begin_first_step(rsd_fixed *it, double h)
{
    const rsd_method *m = it->method;
    if (it->is_begun) return 0;
    int verdict = m->start ? solve_stages(it, &rsd_method_radau_3, h, 0) : 0;
    if (!verdict && m->start) m->start(m, &it->past, h, it->y_end, it->yp_end);
    if (!verdict) rsd_past_save_back_values(&it->past, 0);
    it->is_begun = verdict == 0;
    return verdict;
}

/* Return 1 if back values are missing and the next step is one of Radau IIA. A start with order 1 would limit the order
 * of the run to 2. */
static int begins_by_radau(const rsd_fixed *it)
{
    const rsd_method *m = it->method;
    if (m->steps <= it->past.count) return 0;
    return it->base.o->start_up == RESIDA_START_UP_RADAU ||
           (it->base.o->start_up == RESIDA_START_UP_AUTO && m->order > 2);
}

resida_status rsd_fixed_take_step(rsd_fixed *it, double t_out, double t_stop)
{
    if (it->is_variable && !(it->t + it->h > it->t)) /* a first step, or one after a failure */
        rsd_fixed_begin_grid(it, rsd_fixed_first_size(it, (isfinite(t_stop) ? t_stop : t_out) - it->t));
    if (it->h > it->base.o->h_max) rsd_fixed_begin_grid(it, it->base.o->h_max); /* h_max may have changed */
    double t = next_time(it, t_stop), h = size_of_step(it, t), from = it->t;
    const rsd_method *m = it->method;
    if (report_to_problem(it)) return it->base.guard->stop;
    resida_status status = check_before_step(it);
    if (status != RESIDA_OK) return status;
    if (!(it->t + h > it->t))
        return rsd_fail(it->base.guard->message, RESIDA_ERR_STEP_TOO_SMALL,
                        "step = %g is below the rounding of t = %.17g", h, rsd_integration_t(&it->base, it->t));
    const double *y = it->past.y[0];
    if (rsd_integration_check_jumps(&it->base, rsd_integration_t(&it->base, from), RSD_AT_STEP, y) < 0)
        return it->base.guard->stop;
    if (begin_first_step(it, h)) return report_failure(it, h);
    it->order = m->steps > it->past.count ? it->past.count : m->order;
    if (begins_by_radau(it)) m = &rsd_method_radau_3, it->order = m->order;
    int verdict = rsd_fixed_has_variable_size(it) ? rsd_fixed_repeat_until_accepted(it, try_fixed_step, t_stop, &t, &h)
                                                  : try_fixed_step(it, m, t_stop, &t, &h);
    if (verdict) return report_failure(it, h);
    accept_step(it, t, h);
    if (rsd_fixed_has_variable_size(it)) rsd_fixed_begin_grid(it, it->h_next);
    it->step_from = from;
    return report_to_problem(it) ? it->base.guard->stop : RESIDA_OK;
}
