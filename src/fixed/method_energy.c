/* method_energy.c - the energy-decaying scheme: a time-discontinuous Galerkin method with linear functions in each
 * step, made so that energy never grows in nonlinear systems either. Bauchau, Computational schemes for flexible,
 * nonlinear multi-body systems, Multibody Syst. Dyn. 2 (1998) 169-225. With the values before (i) and after (j) a jump
 * at t_n, and at the end (f):
 *
 *     M (v_f - v_i)/h + F_g = 0,                        (p_f - p_i)/h = (v_j + v_f)/2,   0 = g(p_f)
 *     M (v_j - v_i)/h - (F_g - F_h)/3 = 0,              (p_j - p_i)/h = -(v_f - v_i - a (v_j - v_i))/6
 *
 * where F_g is the force between p_j and p_f, and F_h that between p_i and p_j, both with the same multipliers lam.
 * Forces of a potential do exactly the work V_f - V_j, V_j - V_i, and those of constraints lam' (g_f - g_j), lam' (g_j
 * - g_i), together none. Then
 *
 *     E_f - E_i = -a/2 (v_j - v_i)' M (v_j - v_i),      a = (1 - rho)/(1 + rho).
 *
 * The order is 3 where forces are linear in p or there is one coordinate, else 2.
 *
 * With multipliers of their own and g(p_j) = 0 the normal part of the jump would have to make up for the curvature of
 * the constraints: order 1. As it is p is of order 3, v of order 2; lam, which stands for the middle of the step, goes
 * to and fro by O(h) from step to step, and means of two steps are of order 2.
 *
 * By the first row M (3 (v_j - v_i) + (v_f - v_i))/h + F_h = 0: both are rows of F at the middle of their two
 * positions. Forces at the middle do that work where V and g are of second degree at most; else they are corrected
 * along p_f - p_j (Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467): by the potential that the mechanism gives, and by
 * g. */
#include "method.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING (16 * DBL_EPSILON) /* of the terms of a work */

static void begin(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    const resida_layout *l = &past->problem->layout;
    const double a = (1 - past->o->rho_infinity) / (1 + past->o->rho_infinity);
    (void)m, (void)h;
    *st = (rsd_stages){.s = 2, .c = {0, 0.5}, .holding = RSD_AT_END, .b = {0, 1}};
    /* X_1 is at j, X_2 at f; stage 1 between i and j, stage 2 between j and f. */
    st->e[RSD_FIELD_P][0][0] = 0.5;
    st->e[RSD_FIELD_P][1][0] = st->e[RSD_FIELD_P][1][1] = 0.5;
    st->e[RSD_FIELD_REST][0][0] = st->e[RSD_FIELD_REST][1][1] = 1;
    /* p' - v = 0 in stage 1: (p_j - p_i)/h + v_i, and v_i - (v_f - v_i - a (v_j - v_i))/6 for v */
    st->d[RSD_FIELD_P][0][0] = 1;
    st->e[RSD_FIELD_V][0][0] = a / 6;
    st->e[RSD_FIELD_V][0][1] = -1.0 / 6;
    memcpy(k + l->p, past->y[0] + l->v, (size_t)l->n_v * sizeof *k);
    st->d[RSD_FIELD_V][0][0] = 3;
    st->d[RSD_FIELD_V][0][1] = 1;
    st->d[RSD_FIELD_P][1][1] = 1;
    st->e[RSD_FIELD_V][1][0] = st->e[RSD_FIELD_V][1][1] = 0.5;
    st->d[RSD_FIELD_V][1][1] = 1;
}

/* Two positions with the multipliers between them, and scratch. */
typedef struct segment {
    const double *from, *to, *rest;
    double *y, *yp, *r; /* [n] */
    double work, size;  /* what forces at the middle lack of the work that they should do; size of its terms */
} segment;

/* The state at a part of the way from p to p, at rest, with the multipliers. */
static void go_to(const rsd_past *past, segment *s, double part)
{
    for (int i = 0; i < past->n; i++) {
        const double at_rest = past->field[i] == RSD_FIELD_REST ? s->rest[i] : 0;
        s->y[i] = past->field[i] == RSD_FIELD_P ? (1 - part) * s->from[i] + part * s->to[i] : at_rest;
        s->yp[i] = 0;
    }
}

static void count(segment *s, double work)
{
    s->work += work;
    s->size += fabs(work);
}

/* The part of the dynamic rows that is in r, times the way. */
static double work_along(const rsd_past *past, const segment *s)
{
    const resida_layout *l = &past->problem->layout;
    double sum = 0;
    for (int i = 0; i < l->n_v; i++) sum += s->r[l->v + i] * (s->to[l->p + i] - s->from[l->p + i]);
    return sum;
}

/* V_f - V_j - dV/dp (p_f - p_j) */
static int work_of_potential(const rsd_past *past, rsd_guard *guard, double t, segment *s)
{
    const resida_layout *l = &past->problem->layout;
    double V[2];
    go_to(past, s, 0.5);
    int verdict = rsd_guard_dear(t, s->y, s->yp, s->r, guard);
    if (verdict) return verdict;
    count(s, -work_along(past, s));
    rsd_guard_expect(guard);
    verdict = rsd_eval_potential(past->problem->mechanism, t, s->from + l->p, &V[0]);
    if (!verdict) verdict = rsd_eval_potential(past->problem->mechanism, t, s->to + l->p, &V[1]);
    verdict = rsd_guard_judge(guard, t, verdict, V, verdict ? 0 : 2);
    if (verdict) return verdict;
    count(s, -V[0]);
    count(s, V[1]);
    return 0;
}

/* lam' (g_f - g_j - G (p_f - p_j)) */
static int work_of_constraints(const rsd_past *past, rsd_guard *guard, double t, segment *s)
{
    const resida_layout *l = &past->problem->layout;
    for (int end = 0; end < 2; end++) {
        go_to(past, s, end);
        int verdict = rsd_guard_cheap(t, s->y, s->yp, s->r, guard);
        if (verdict) return verdict;
        for (int i = l->lam; i < l->lam + l->n_g; i++) count(s, (end ? 1 : -1) * s->r[i] * s->rest[i]);
    }
    go_to(past, s, 0.5);
    int verdict = rsd_guard_cheap(t, s->y, s->yp, s->r, guard);
    if (!verdict) count(s, -work_along(past, s));
    return verdict;
}

/* The force along the way that does the work which is lacking; nothing where that is rounding. */
static int add_between(const rsd_past *past, rsd_guard *guard, double t, segment *s, double *R)
{
    const resida_problem *q = past->problem;
    const resida_layout *l = &q->layout;
    int verdict = q->mechanism->m.potential ? work_of_potential(past, guard, t, s) : 0;
    if (!verdict && l->lam >= 0) verdict = work_of_constraints(past, guard, t, s);
    double length = 0;
    for (int i = l->p; i < l->p + l->n_p; i++) length += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
    if (verdict || fabs(s->work) <= ROUNDING * s->size || length == 0) return verdict;
    for (int i = 0; i < l->n_v; i++) R[l->v + i] += s->work / length * (s->to[l->p + i] - s->from[l->p + i]);
    return 0;
}

static int add(const rsd_past *past, rsd_guard *guard, double t, double h, const double *X, double *R)
{
    const size_t n = (size_t)past->n;
    const double *at[3] = {past->y[0], X, X + n};
    for (int i = 0; i < 2; i++) {
        segment s = {.from = at[i], .to = at[i + 1], .rest = X + (size_t)i * n, .y = past->work};
        s.yp = s.y + n;
        s.r = s.yp + n;
        int verdict = add_between(past, guard, t + i * h / 2, &s, R + (size_t)i * n);
        if (verdict) return verdict;
    }
    return 0;
}

static resida_status check(const resida_problem *problem, const resida_solver_options *o, resida_message *why)
{
    if (!rsd_is_plain_motion(problem))
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s is for mechanisms with p' = v", o->method);
    if (problem->mechanism->is_explicit)
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s takes the residual formalism, not the explicit one",
                        o->method);
    if (problem->layout.n_h > 0)
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s does not take nonholonomic constraints", o->method);
    if (problem->layout.lam >= 0 && (problem->form->level != RSD_POSITION || problem->layout.eta >= 0))
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s takes the forms ode, index3 and augmented, not %s",
                        o->method, resida_problem_form(problem));
    return RESIDA_OK;
}

const rsd_method rsd_method_energy_decaying = {.name = "energy-decaying",
                                               .steps = 1,
                                               .order = 3,
                                               .traits = RSD_METHOD_WITH_RHO,
                                               .check = check,
                                               .begin = begin,
                                               .add = add,
                                               .end = rsd_end_at_middle};
