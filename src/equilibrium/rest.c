/* rest.c - the unknowns and equations of an equilibrium, and their values. */
#include "rest.h"

#include "jacobian/engine.h"

#include <math.h>
#include <string.h>

#define ROUNDING_EXACT   1e-12 /* of the largest entry of a row, derivatives of the model */
#define ROUNDING_CENTRAL 1e-9  /* the same of central differences, with a factor of ten */
#define ROUNDING_OF_SUMS 8     /* of eps and the largest weight */
#define NOTHING_DEPENDS  1e-7  /* of the largest entry of its row: such a derivative is rounding */
#define FARTHEST         100.0 /* m, rad: positions beyond, as angles that have turned, have the increments of that */

enum { FULL_PATTERN_UP_TO = 64, TRIES_OF_J = 3, ROUNDS_OF_BALANCE = 3 };

static resida_status out_of_memory(rsd_rest *x)
{
    return rsd_fail(x->why, RESIDA_ERR_MEMORY, "no memory for an equilibrium with %d unknowns", x->n);
}

static resida_status make_solver(rsd_rest *x)
{
    resida_solver_options o;
    resida_solver_options_init(&o);
    const rsd_mechanism *k = x->q->mechanism;
    x->exact = k ? k->m.derivatives && !k->is_explicit : x->q->dae.jacobian != NULL;
    o.jacobian = x->exact ? "user" : x->q->layout.n > FULL_PATTERN_UP_TO ? "sparse" : "dense";
    o.differences = RESIDA_DIFFERENCES_CENTRAL;
    x->exact |= rsd_problem_has_products(x->q);
    o.max_residuals = x->o->max_residuals;
    o.time_limit_s = x->o->time_limit_s;
    resida_status status = resida_solver_create(&x->s, x->q, &o, x->why);
    if (status != RESIDA_ERR_OPTION) return status;
    o.differences = RESIDA_DIFFERENCES_FORWARD; /* there are none */
    x->why->text[0] = 0;
    return resida_solver_create(&x->s, x->q, &o, x->why);
}

resida_status rsd_rest_create(rsd_rest *x, const resida_problem *problem, double t)
{
    const rsd_mechanism *k = problem->mechanism;
    RSD_TRY(rsd_problem_again(&x->q, problem, k && k->n_l > 0 ? "index3" : k ? "ode" : "dae", x->why));
    x->q->calls->at_rest = !k || !x->o->steady;
    x->t = x->t_to = t;
    x->t_from = isnan(x->o->from) ? t : x->o->from;
    x->n = x->q->layout.n;
    x->alloc = rsd_owned_by(&x->owner, &problem->alloc);
    if (!RSD_DOUBLES(&x->alloc, x->n, &x->y, &x->yp, &x->F, &x->y1, &x->yp1, &x->F1, &x->accelerations, &x->nearer))
        return out_of_memory(x);
    return make_solver(x);
}

void rsd_rest_free(rsd_rest *x)
{
    rsd_linear_free(x->linear);
    rsd_owner_free(&x->owner);
    resida_solver_free(x->s);
    resida_problem_free(x->q);
}

static void add_rows(rsd_rest *x, int from, int n)
{
    for (int i = from; i < from + n; i++) x->row[x->equation[i] = x->n_r++] = i;
}

static void add_columns(rsd_rest *x, int from, int n)
{
    for (int i = from; i < from + n; i++) x->column[x->place[i] = x->n_x++] = i;
}

static void number_mechanism(rsd_rest *x)
{
    const resida_layout *l = &x->q->layout;
    add_columns(x, l->p, l->n_p);
    add_columns(x, l->v + l->n_v - l->n_z, l->n_z);
    add_rows(x, l->v, l->n_v);
    if (l->lam >= 0) {
        add_columns(x, l->lam, l->n_g + l->n_h);
        add_rows(x, l->lam, l->n_g + l->n_h);
    }
}

resida_status rsd_rest_number(rsd_rest *x)
{
    const rsd_mechanism *k = x->q->mechanism;
    const int n = x->n;
    if (!RSD_INTS(&x->alloc, n, &x->column, &x->row, &x->place, &x->equation) ||
        !RSD_DOUBLES(&x->alloc, n, &x->size, &x->weight, &x->inertia, &x->dead, &x->r, &x->dx, &x->dx1, &x->tangent,
                     &x->by_load))
        return out_of_memory(x);
    for (int i = 0; i < n; i++) x->place[i] = x->equation[i] = -1;
    if (x->q->mechanism) {
        number_mechanism(x);
    } else {
        add_columns(x, 0, n);
        add_rows(x, 0, n);
    }
    x->n_d = k && k->m.kinematic_matrix ? x->n_x - k->m.n_p + k->n_w : x->n_x;
    return RESIDA_OK;
}

int rsd_rest_evaluate(rsd_rest *x, int trial)
{
    x->s->guard.cause = RSD_NEWTON;
    return rsd_guard_residual(x->t, trial ? x->y1 : x->y, trial ? x->yp1 : x->yp, trial ? x->F1 : x->F, &x->s->guard);
}

int rsd_rest_renew(rsd_rest *x, double alpha, resida_jacobian_matrix *J)
{
    const resida_jacobian_point at = {
        .t = x->t, .alpha = alpha, .y = x->y, .yp = x->yp, .F = x->F, .weights = NULL, .since = 0};
    const resida_layout *l = &x->q->layout;
    int current = 0, verdict = 0;
    x->s->guard.cause = RSD_JACOBIAN;
    for (int c = 0; c < x->n; c++) {
        const int is_p = l->p >= 0 && c >= l->p && c < l->p + l->n_p;
        x->nearer[c] = is_p ? rsd_scales_factor(x->q->mechanism, x->y + l->p, c - l->p) : 1;
        if (is_p && x->nearer[c] == 1 && fabs(x->y[c]) > FARTHEST) x->nearer[c] = FARTHEST / fabs(x->y[c]);
    }
    rsd_engine_scale_increments(x->s->engine, x->nearer);
    for (int i = 0; i < TRIES_OF_J && !current && !verdict; i++) {
        const resida_setup_reason reason = x->has_J ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST;
        verdict = resida_jacobian_setup(x->s->engine, reason, &at, &current);
        x->has_J |= !verdict;
    }
    rsd_engine_scale_increments(x->s->engine, NULL);
    rsd_mechanism *k = x->q->mechanism;
    if (!verdict && k && k->m.kinematic_matrix) { /* T at the point */
        rsd_guard_expect(&x->s->guard);
        verdict = rsd_eval_kinematic_matrix(k, x->t, x->y + x->q->layout.p);
        verdict = rsd_guard_judge(&x->s->guard, x->t, verdict, k->T_values, k->T.nnz);
    }
    return verdict ? verdict : (int)resida_jacobian_get_matrix(x->s->engine, J);
}

static int is_multiplier(const rsd_rest *x, int column)
{
    const resida_layout *l = &x->q->layout;
    return l->lam >= 0 && column >= l->lam && column < l->lam + l->n_g + l->n_h;
}

/* Equations and unknowns of a general DAE, whose units nobody knows: rows and columns to a largest entry of 1, in turn.
 * Entries that are rounding in their row are not looked at. */
static void balance(rsd_rest *x, const resida_jacobian_matrix *J)
{
    const double rounding = rsd_rest_rounding(x);
    for (int i = 0; i < x->n; i++) x->size[i] = x->weight[i] = 1;
    for (int round = 0; round < 2 * ROUNDS_OF_BALANCE; round++) {
        double *to = round % 2 ? x->size : x->weight;
        memset(x->r, 0, (size_t)x->n * sizeof *x->r);
        for (int j = 0; j < x->n; j++)
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e], k = round % 2 ? j : i;
                const double entry = fabs(J->values[e]) * x->size[j] / x->weight[i];
                if (round == 0 || entry > rounding) x->r[k] = fmax(x->r[k], entry);
            }
        for (int k = 0; k < x->n; k++)
            if (x->r[k] > 0) to[k] *= round % 2 ? 1 / x->r[k] : x->r[k];
    }
}

/* Equations by their largest part; where there is none, by what is little beside the others. */
static void weigh_equations(rsd_rest *x, const resida_jacobian_matrix *J)
{
    const double little = RSD_SQRT_EPS; /* of the largest weight */
    double most = 0;
    memset(x->weight, 0, (size_t)x->n_r * sizeof *x->weight);
    for (int j = 0; j < x->n_x; j++) {
        const int c = x->column[j], is_lam = is_multiplier(x, c);
        x->size[j] = fmax(fabs(x->y[c]), 1);
        const double part = is_lam ? fabs(x->y[c]) : x->size[j];
        for (int e = J->start[c]; e < J->start[c + 1]; e++)
            if (x->equation[J->row[e]] >= 0) {
                double *w = &x->weight[x->equation[J->row[e]]];
                *w = fmax(*w, fabs(J->values[e]) * part);
            }
    }
    for (int i = 0; i < x->n_r; i++) most = fmax(most, x->weight[i]);
    for (int i = 0; i < x->n_r; i++) x->weight[i] = most > 0 ? fmax(x->weight[i], little * most) : 1;
    x->least_weight = little * most;
}

static void weigh(rsd_rest *x, const resida_jacobian_matrix *J)
{
    if (!x->q->mechanism) {
        balance(x, J);
        return;
    }
    weigh_equations(x, J);
    for (int j = 0; j < x->n_x; j++) {
        const int c = x->column[j];
        double most = 0;
        if (!is_multiplier(x, c)) continue;
        for (int e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = x->equation[J->row[e]];
            if (i >= 0) most = fmax(most, fabs(J->values[e]) / x->weight[i]);
        }
        x->size[j] = most > 0 ? 1 / most : 1;
    }
}

/* The largest entry of each equation, of unknowns only or of all columns: largest [n_r]. */
static void largest_of_rows(const rsd_rest *x, const resida_jacobian_matrix *J, int of_unknowns, double *largest)
{
    memset(largest, 0, (size_t)x->n_r * sizeof *largest);
    for (int c = 0; c < x->n; c++)
        for (int e = J->start[c]; e < J->start[c + 1] && (x->place[c] >= 0 || !of_unknowns); e++) {
            const int i = x->equation[J->row[e]];
            if (i >= 0) largest[i] = fmax(largest[i], fabs(J->values[e]));
        }
}

/* Where no unknown changes an equation, as that of a mass in free fall, its inertia says what is little of it. */
static void weigh_by_inertia(rsd_rest *x, const resida_jacobian_matrix *J)
{
    largest_of_rows(x, J, 1, x->r);
    for (int i = 0; i < x->n_r; i++)
        if (x->r[i] == 0 && x->inertia[i] > 0) x->weight[i] = x->inertia[i];
}

/* J at alpha = 1 and, again, at 0. */
static int find_inertia(rsd_rest *x, resida_jacobian_matrix *J)
{
    int has_all = 1, verdict;
    largest_of_rows(x, J, 1, x->r);
    for (int i = 0; i < x->n_r; i++) has_all &= x->r[i] > 0;
    if (has_all) return 0;
    if ((verdict = rsd_rest_renew(x, 1, J))) return verdict;
    largest_of_rows(x, J, 0, x->inertia);
    x->has_inertia = 1;
    return rsd_rest_renew(x, 0, J);
}

int rsd_rest_linearize(rsd_rest *x, resida_jacobian_matrix *J)
{
    if (x->q->mechanism) rsd_scales_look_again(x->q->mechanism);
    int verdict = rsd_rest_renew(x, 0, J);
    if (!verdict && !x->has_inertia) verdict = find_inertia(x, J);
    if (verdict) return verdict;
    weigh(x, J);
    weigh_by_inertia(x, J);
    return 0;
}

double rsd_rest_residual(rsd_rest *x, const double *F)
{
    double worst = 0;
    for (int i = 0; i < x->n_r; i++) {
        x->r[i] = F[x->row[i]] - (1 - x->load) * x->dead[i];
        worst = fmax(worst, fabs(x->r[i]) / x->weight[i]);
    }
    return worst;
}

int rsd_rest_is_rounding(const rsd_rest *x, double tolerance)
{
    const double rounding = ROUNDING_OF_SUMS * RSD_SQRT_EPS * x->least_weight; /* least = sqrt(eps) of the largest */
    for (int i = 0; i < x->n_r; i++)
        if (!(fabs(x->r[i]) <= tolerance * x->weight[i]) &&
            !(fabs(x->r[i]) <= rounding && fabs(x->weight[i] - x->least_weight) <= RSD_SQRT_EPS * x->least_weight))
            return 0;
    return 1;
}

static double largest_of_column(const rsd_rest *x, const resida_jacobian_matrix *J, int c)
{
    double most = 0;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        const int i = x->equation[J->row[e]];
        if (i >= 0) most = fmax(most, fabs(J->values[e]) / x->weight[i]);
    }
    return most * fmax(fabs(x->y[c]), 1);
}

void rsd_rest_find_steady(rsd_rest *x)
{
    resida_jacobian_matrix J;
    const resida_layout *l = &x->q->layout;
    if (resida_jacobian_get_matrix(x->s->engine, &J) < 0) return;
    for (int i = 0; i < l->n_v - l->n_z; i++) {
        const int p = l->p + i, v = l->v + i, j = x->place[p];
        const int turns = largest_of_column(x, &J, p) < NOTHING_DEPENDS && largest_of_column(x, &J, v) > 0;
        if (!turns) {
            x->y[v] = x->yp[p] = 0;
            continue;
        }
        x->column[j] = v, x->place[v] = j, x->place[p] = -1;
        x->report->n_steady++;
    }
}

resida_status rsd_rest_stopped(rsd_rest *x)
{
    const rsd_guard *g = &x->s->guard;
    if (g->stop < 0) return g->stop;
    resida_status status = rsd_guard_blame(&x->s->guard, x->t, 0);
    return status < 0 ? status : rsd_fail(&x->s->message, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
}

double rsd_rest_rounding(const rsd_rest *x)
{
    return x->exact ? ROUNDING_EXACT : ROUNDING_CENTRAL;
}
