/* equilibrium_equations.c - selects unknowns and equations of an equilibrium, and evaluates residual and
 * derivatives. */
#include "equilibrium_impl.h"

#include "jacobian/engine.h"
#include "src/kits/linearize/pencil.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING_EXACT   1e-12 /* error of derivatives that the model gives, relative to the largest entry of a row */
#define NOISE_NESTED     1e-7  /* relative error of an entry if g is differenced twice, without a given dg/dp */
#define ROUNDING_OF_SUMS 8     /* rounding error of an equation, relative to eps times its largest term or weight */
#define NO_DERIVATIVE    1e-7  /* maximum derivative that is rounding, relative to the largest entry of its row */
#define MIN_LENGTH       1e-12 /* minimum length scale [m, rad]; smaller ones are rounding errors */
#define LARGE_POSITION   100.0 /* maximum size of a position [m, rad], which limits angles after many turns */
#define LONG_INCREMENT   0.1   /* increment that reduces rounding errors of J to 1e-2, relative to the size of p */
#define SAME_ENTRY       0.1   /* minimum part of an entry that remains with LONG_INCREMENT */

enum { FULL_PATTERN_UP_TO = 64 }; /* maximum number of unknowns for which J has a full pattern */

static resida_status create_solver(rsd_equilibrium *eq)
{
    resida_solver_options o;
    resida_solver_options_init(&o);
    const rsd_mechanism *k = eq->problem->mechanism;
    eq->is_exact = k ? k->m.derivatives && !k->is_explicit : eq->problem->dae.jacobian != NULL;
    eq->is_nested = k && k->m.n_g > 0 && !k->m.constraint_matrix && !k->m.constraint_velocity;
    if (!eq->is_nested) o.jacobian = eq->problem->layout.n > FULL_PATTERN_UP_TO ? "sparse" : "dense";
    if (eq->is_exact) o.jacobian = "user";
    eq->is_exact |= rsd_problem_has_products(eq->problem);
    o.max_residuals = eq->options->max_residuals;
    o.time_limit_s = eq->options->time_limit_s;
    return rsd_create_derivative_solver(&eq->solver, eq->problem, &o, eq->why);
}

resida_status rsd_equilibrium_create(rsd_equilibrium *eq, const resida_problem *problem, double t)
{
    const rsd_mechanism *k = problem->mechanism;
    RSD_TRY(rsd_problem_create_in_form(&eq->problem, problem, k && k->n_l > 0 ? "index3" : k ? "ode" : "dae", eq->why));
    eq->problem->calls->at_rest = !k || !eq->options->steady;
    eq->t = eq->t_to = t;
    eq->t_from = isnan(eq->options->from) ? t : eq->options->from;
    eq->n = eq->problem->layout.n;
    eq->alloc = rsd_get_owned_allocator(&eq->owner, &problem->alloc);
    if (!RSD_DOUBLES(&eq->alloc, 3L * eq->n, &eq->y, &eq->y_trial) ||
        !RSD_DOUBLES(&eq->alloc, eq->n, &eq->accelerations, &eq->increment_factor, &eq->min_size, &eq->column_scale))
        return RESIDA_ERR_MEMORY;
    for (int c = 0; c < eq->n; c++) eq->column_scale[c] = 1;
    eq->yp = eq->y + eq->n, eq->F = eq->yp + eq->n;
    eq->yp_trial = eq->y_trial + eq->n, eq->F_trial = eq->yp_trial + eq->n;
    return create_solver(eq);
}

void rsd_equilibrium_free(rsd_equilibrium *eq)
{
    rsd_linear_free(eq->linear);
    rsd_owner_free(&eq->owner);
    resida_solver_free(eq->solver);
    resida_problem_free(eq->problem);
}

static void add_equations(rsd_equilibrium *eq, int from, int n)
{
    for (int i = from; i < from + n; i++) eq->row_of[eq->equation_of[i] = eq->n_r++] = i;
}

static void add_unknowns(rsd_equilibrium *eq, int from, int n)
{
    for (int i = from; i < from + n; i++) eq->column_of[eq->unknown_of[i] = eq->n_x++] = i;
}

static void add_mechanism_unknowns(rsd_equilibrium *eq)
{
    const resida_layout *l = &eq->problem->layout;
    add_unknowns(eq, l->p, l->n_p);
    add_unknowns(eq, l->v + l->n_v - l->n_z, l->n_z);
    add_equations(eq, l->v, l->n_v);
    if (l->lam >= 0) {
        add_unknowns(eq, l->lam, l->n_g + l->n_h);
        add_equations(eq, l->lam, l->n_g + l->n_h);
    }
}

resida_status rsd_equilibrium_set_unknowns(rsd_equilibrium *eq)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    const int n = eq->n;
    if (!RSD_INTS(&eq->alloc, n, &eq->column_of, &eq->row_of, &eq->unknown_of, &eq->equation_of, &eq->is_cyclic) ||
        !RSD_DOUBLES(&eq->alloc, n, &eq->size, &eq->weight, &eq->terms, &eq->inertia, &eq->load_residual, &eq->r,
                     &eq->turn_size, &eq->dx, &eq->d, &eq->d_next, &eq->tangent, &eq->dx_ds))
        return RESIDA_ERR_MEMORY;
    for (int i = 0; i < n; i++) eq->unknown_of[i] = eq->equation_of[i] = -1;
    eq->unit = 1;
    if (eq->problem->mechanism) {
        add_mechanism_unknowns(eq);
    } else {
        add_unknowns(eq, 0, n);
        add_equations(eq, 0, n);
    }
    eq->n_d = k && k->m.kinematic_matrix ? eq->n_x - k->m.n_p + k->n_w : eq->n_x;
    return RESIDA_OK;
}

int rsd_equilibrium_evaluate(rsd_equilibrium *eq, int trial)
{
    return rsd_guard_eval_part(&eq->solver->guard, RSD_FOR_NEWTON, RSD_ROWS_ALL, eq->t, trial ? eq->y_trial : eq->y,
                               trial ? eq->yp_trial : eq->yp, trial ? eq->F_trial : eq->F);
}

/* Set the minimum size of each component to `unit`, and of a position to the length scale of its constraints if that is
 * smaller. */
static void set_min_sizes(rsd_equilibrium *eq)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    for (int c = 0; c < eq->n; c++) eq->min_size[c] = eq->unit * eq->column_scale[c];
    if (!k) return;
    rsd_scales_allow_search(eq->problem->mechanism);
    const double size = rsd_csr_compute_weighted_norm(&k->gp, k->gp_values, eq->y + eq->problem->layout.p);
    double *min = eq->min_size + eq->problem->layout.p;
    for (int i = 0; i < k->m.n_g && size > MIN_LENGTH; i++) {
        const double max = rsd_finite_norm(k->gp_values + k->gp.row[i], k->gp.row[i + 1] - k->gp.row[i]);
        for (int e = k->gp.row[i]; e < k->gp.row[i + 1]; e++)
            if (k->gp_values[e] != 0) min[k->gp.col[e]] = fmin(min[k->gp.col[e]], size * max / fabs(k->gp_values[e]));
    }
}

double rsd_equilibrium_full_size(const rsd_equilibrium *eq, int c)
{
    return fmax(fabs(eq->y[c]), eq->min_size[c]);
}

double rsd_equilibrium_size(const rsd_equilibrium *eq, int c)
{
    const resida_layout *l = &eq->problem->layout;
    const double size = rsd_equilibrium_full_size(eq, c);
    const int is_p = eq->problem->mechanism && c >= l->p && c < l->p + l->n_p;
    return is_p ? fmin(size, fmax(LARGE_POSITION, cbrt(size))) : size;
}

/* Evaluate T at the current point. @return as rsd_guard_judge() */
static int eval_T(rsd_equilibrium *eq)
{
    rsd_mechanism *k = eq->problem->mechanism;
    if (!k || !k->m.kinematic_matrix) return 0;
    const int verdict = rsd_eval_kinematic_matrix(k, eq->t, eq->y + eq->problem->layout.p);
    return rsd_guard_judge(&eq->solver->guard, eq->t, verdict, k->T_values, k->T.nnz);
}

/* Evaluate J = dF/dy + alpha dF/dyp at the current point, where F is known. @return as rsd_guard_eval_part() */
static int evaluate_jacobian(rsd_equilibrium *eq, double alpha, resida_jacobian_matrix *J)
{
    const resida_jacobian_point at = {
        .t = eq->t, .alpha = alpha, .y = eq->y, .yp = eq->yp, .F = eq->F, .weights = NULL, .since = 0};
    const resida_layout *l = &eq->problem->layout;
    int current, verdict;
    for (int c = 0; c < eq->n; c++) {
        const int is_p = l->p >= 0 && c >= l->p && c < l->p + l->n_p;
        eq->increment_factor[c] = is_p ? rsd_scales_get_factor(eq->problem->mechanism, eq->y + l->p, c - l->p) : 1;
        if (eq->increment_factor[c] == 1)
            eq->increment_factor[c] = rsd_equilibrium_size(eq, c) / fmax(fabs(eq->y[c]), 1);
    }
    rsd_engine_scale_increments(eq->solver->engine, eq->increment_factor);
    verdict =
        resida_jacobian_setup(eq->solver->engine, eq->has_J ? RESIDA_SETUP_FAILURE : RESIDA_SETUP_FIRST, &at, &current);
    eq->has_J |= !verdict;
    rsd_engine_scale_increments(eq->solver->engine, NULL);
    if (!verdict) verdict = eval_T(eq);
    return verdict ? verdict : (int)resida_jacobian_get_matrix(eq->solver->engine, J);
}

/* Set largest [n_r] to the largest entry of each equation in the columns of the unknowns (of_unknowns = 1) or in all
 * columns (of_unknowns = 0). */
static void compute_row_maxima(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, int of_unknowns,
                               double *largest)
{
    memset(largest, 0, (size_t)eq->n_r * sizeof *largest);
    for (int c = 0; c < eq->n; c++)
        for (int e = J->start[c]; e < J->start[c + 1] && (eq->unknown_of[c] >= 0 || !of_unknowns); e++) {
            const int i = eq->equation_of[J->row[e]];
            if (i >= 0) largest[i] = fmax(largest[i], fabs(J->values[e]));
        }
}

/* If an equation contains no unknown, compute `inertia` from J at alpha = 1, and evaluate J at alpha = 0 again. */
static int find_inertia(rsd_equilibrium *eq, resida_jacobian_matrix *J)
{
    int has_all = 1, verdict;
    compute_row_maxima(eq, J, 1, eq->r);
    for (int i = 0; i < eq->n_r; i++) has_all &= eq->r[i] > 0;
    if (has_all) return 0;
    if ((verdict = evaluate_jacobian(eq, 1, J))) return verdict;
    compute_row_maxima(eq, J, 0, eq->inertia);
    eq->has_inertia = 1;
    return evaluate_jacobian(eq, 0, J);
}

/* Set *is_rounding to 1 if the entries of unknown j are rounding errors: a longer increment reduces them. `max` is the
 * largest scaled one. Overwrites the trial point and r. @return as rsd_guard_eval_part() */
static int check_column(rsd_equilibrium *eq, int j, double max, int *is_rounding)
{
    const int c = eq->column_of[j];
    const double increment = LONG_INCREMENT * rsd_equilibrium_size(eq, c);
    double largest = 0;
    for (int side = 1; side >= -1; side -= 2) {
        memcpy(eq->y_trial, eq->y, 2 * (size_t)eq->n * sizeof *eq->y);
        eq->y_trial[c] += side * increment;
        const int verdict = rsd_equilibrium_evaluate(eq, 1);
        if (verdict) return verdict;
        for (int i = 0; i < eq->n_r; i++) {
            const double F = eq->F_trial[eq->row_of[i]], change = side < 0 ? fabs(eq->r[i] - F) : 0;
            const double rounding = ROUNDING_OF_SUMS * RSD_SQRT_EPS * eq->min_weight[rsd_equilibrium_get_kind(eq, i)];
            if (change > rounding) largest = fmax(largest, change / eq->weight[i]);
            eq->r[i] = F;
        }
    }
    *is_rounding = largest / (2 * increment) <= SAME_ENTRY * max;
    return 0;
}

/* Return 1 if each entry of column c is at most sqrt(eps) of the largest term of its kind, and some entry is nonzero.
 * Entries that are rounding errors are that small. */
static int is_column_small(const rsd_equilibrium *eq, const resida_jacobian_matrix *J, int c)
{
    int any = 0;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        const int i = eq->equation_of[J->row[e]];
        const double entry = fabs(J->values[e]) * rsd_equilibrium_size(eq, c);
        if (i >= 0 && entry > eq->min_weight[rsd_equilibrium_get_kind(eq, i)]) return 0;
        any |= i >= 0 && entry > 0;
    }
    return any;
}

/* Set is_cyclic of the unknowns whose small entries of J are rounding errors. @return < 0 on a fatal error, else 0 */
static int find_cyclic_unknowns(rsd_equilibrium *eq, const resida_jacobian_matrix *J)
{
    int verdict = 0, any = 0;
    memset(eq->is_cyclic, 0, (size_t)eq->n * sizeof *eq->is_cyclic);
    for (int j = 0; j < eq->n_x && !eq->is_exact && verdict >= 0; j++) {
        const int c = eq->column_of[j];
        if (rsd_equilibrium_is_multiplier(eq, c) || !is_column_small(eq, J, c)) continue;
        verdict = check_column(eq, j, rsd_equilibrium_column_maximum(eq, J, c), &eq->is_cyclic[c]);
        any = 1;
    }
    if (any && verdict >= 0) verdict = rsd_equilibrium_evaluate(eq, 0); /* dg/dp and T belong to y again */
    return verdict < 0 ? verdict : eval_T(eq);
}

int rsd_equilibrium_linearize(rsd_equilibrium *eq, resida_jacobian_matrix *J)
{
    set_min_sizes(eq);
    int verdict = evaluate_jacobian(eq, 0, J);
    if (!verdict && !eq->problem->mechanism && !eq->has_scales) {
        rsd_equilibrium_find_column_scales(eq, J);
        eq->has_scales = 1;
        set_min_sizes(eq);
        verdict = evaluate_jacobian(eq, 0, J);
    }
    if (!verdict && !eq->has_inertia) verdict = find_inertia(eq, J);
    if (verdict) return verdict;
    rsd_equilibrium_set_scales(eq, J);
    compute_row_maxima(eq, J, 1, eq->r);
    for (int i = 0; i < eq->n_r; i++) /* an equation without unknowns, such as that of a mass in free fall */
        if (eq->r[i] == 0 && eq->inertia[i] > 0) eq->weight[i] = eq->terms[i] = eq->inertia[i];
    return find_cyclic_unknowns(eq, J);
}

double rsd_equilibrium_residual(rsd_equilibrium *eq, const double *F)
{
    double worst = 0;
    for (int i = 0; i < eq->n_r; i++) {
        eq->r[i] = F[eq->row_of[i]] - (1 - eq->load_factor) * eq->load_residual[i];
        worst = fmax(worst, fabs(eq->r[i]) / (eq->problem->mechanism ? eq->terms[i] : eq->weight[i]));
    }
    return worst;
}

int rsd_equilibrium_is_rounding(const rsd_equilibrium *eq, double tolerance)
{
    for (int i = 0; i < eq->n_r; i++) {
        const double min =
            eq->min_weight[rsd_equilibrium_get_kind(eq, i)]; /* sqrt(eps) of the largest weight of the kind */
        if (!(fabs(eq->r[i]) <= tolerance * eq->weight[i]) &&
            !(fabs(eq->r[i]) <= ROUNDING_OF_SUMS * RSD_SQRT_EPS * min &&
              fabs(eq->weight[i] - min) <= RSD_SQRT_EPS * min))
            return 0;
    }
    return 1;
}

resida_status rsd_equilibrium_find_steady(rsd_equilibrium *eq, int *n_changes)
{
    resida_jacobian_matrix J;
    const resida_layout *l = &eq->problem->layout;
    *n_changes = 0;
    if (rsd_equilibrium_evaluate(eq, 0) || rsd_equilibrium_linearize(eq, &J)) return rsd_equilibrium_get_failure(eq);
    for (int i = 0; i < l->n_v - l->n_z; i++) {
        const int p = l->p + i, v = l->v + i, was_rate = eq->unknown_of[v] >= 0, j = eq->unknown_of[was_rate ? v : p];
        const int is_rate = rsd_equilibrium_column_maximum(eq, &J, p) * rsd_equilibrium_size(eq, p) < NO_DERIVATIVE &&
                            rsd_equilibrium_column_maximum(eq, &J, v) > 0;
        if (!is_rate) eq->y[v] = eq->yp[p] = 0;
        eq->column_of[j] = is_rate ? v : p, eq->unknown_of[v] = is_rate ? j : -1, eq->unknown_of[p] = is_rate ? -1 : j;
        eq->report->n_steady += is_rate - was_rate;
        *n_changes += is_rate != was_rate;
    }
    return RESIDA_OK;
}

resida_status rsd_equilibrium_get_failure(rsd_equilibrium *eq)
{
    const rsd_guard *g = &eq->solver->guard;
    if (g->stop < 0) return g->stop;
    resida_status status = rsd_guard_report_cause(&eq->solver->guard, eq->t, 0);
    return status < 0 ? status : rsd_fail(&eq->solver->message, RESIDA_ERR_MEMORY, "no memory for a Jacobian");
}

double rsd_equilibrium_get_error(const rsd_equilibrium *eq)
{
    const resida_layout *l = &eq->problem->layout;
    double rounding = eq->is_nested ? NOISE_NESTED : eq->is_exact ? ROUNDING_EXACT : RSD_NOISE_DIFFERENCED;
    for (int c = l->p; c < l->p + l->n_p && eq->problem->mechanism && !eq->is_exact; c++)
        rounding = fmax(rounding, DBL_EPSILON * fabs(eq->y[c]) / (RSD_CUBE_ROOT_EPS * rsd_equilibrium_size(eq, c)));
    return rounding;
}
