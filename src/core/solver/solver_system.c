/* solver_system.c - provides the Jacobian engine with F and its parts, evaluated through the guard, the known entries
 * and the excitations of a problem. */
#include "solver_impl.h"

#include "base/numbers.h"

/* Evaluate a part of F for the engine. The point may be far from the solution. Therefore the scales of constraints are
 * not updated. */
static int eval_part(rsd_rows_part part, double t, const double *y, const double *yp, double *r, void *user)
{
    rsd_guard *guard = user;
    rsd_mechanism *k = guard->problem->mechanism;
    const int follows = k && k->has_fixed_scales;
    if (k) k->has_fixed_scales = 1;
    int verdict = rsd_guard_eval_part(guard, RSD_FOR_JACOBIAN, part, t, y, yp, r);
    if (k) k->has_fixed_scales = follows;
    return verdict;
}

static int eval_F(double t, const double *y, const double *yp, double *r, void *user)
{
    return eval_part(RSD_ROWS_ALL, t, y, yp, r, user);
}

static int eval_formalism_part(double t, const double *y, const double *yp, double *r, void *user)
{
    return eval_part(RSD_ROWS_FORMALISM, t, y, yp, r, user);
}

static int eval_constraint_part(double t, const double *y, const double *yp, double *r, void *user)
{
    return eval_part(RSD_ROWS_CONSTRAINT, t, y, yp, r, user);
}

static int eval_curvature_part(double t, const double *y, const double *yp, double *r, void *user)
{
    return eval_part(RSD_ROWS_CURVATURE, t, y, yp, r, user);
}

/* Begin to approximate dg/dp near y by second derivatives of g, or end the approximation if y is NULL. It is not used
 * at acceleration level, where points are too far apart, nor for central differences, which need more accuracy. */
static int prepare_curvature(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    resida_solver *s = ((rsd_guard *)user)->solver;
    resida_problem *q = s->problem;
    if (q->form->level == RSD_ACCELERATION || s->o.differences == RESIDA_DIFFERENCES_CENTRAL) return 0;
    if (!y) rsd_curvature_end(q->mechanism);
    if (!y) return 0;
    int verdict = rsd_eval_excitation(q->mechanism, t);
    if (!verdict) verdict = rsd_curvature_begin(q->mechanism, t, y + q->layout.p);
    return rsd_guard_judge(&s->guard, t, verdict, NULL, 0);
}

/* Return the relative error of dg/dp: eps^(2/3) for central differences, 0 if the model evaluates dg/dp. */
static double get_constraint_rounding(const resida_mechanism *m)
{
    const int is_given = m->n_g == 0 || m->constraint_matrix || m->constraint_velocity;
    return is_given ? 0 : RSD_CUBE_ROOT_EPS * RSD_CUBE_ROOT_EPS;
}

static int eval_known_entries(double t, const double *y, const double *yp, double *dy, double *dyp, void *user)
{
    (void)yp;
    resida_solver *s = ((rsd_guard *)user)->solver;
    int verdict = rsd_structure_eval_known(&s->structure, t, y, dy, dyp);
    const int is_dy = verdict || !rsd_all_finite(dy, s->structure.y.n);
    return rsd_guard_judge(&s->guard, t, verdict, is_dy ? dy : dyp, is_dy ? s->structure.y.n : s->structure.yp.n);
}

static int eval_derivative(double t, double alpha, const double *y, const double *yp, double *values, void *user)
{
    resida_solver *s = ((rsd_guard *)user)->solver;
    int verdict = rsd_structure_eval_derivatives(&s->structure, t, alpha, y, yp, values);
    return rsd_guard_judge(&s->guard, t, verdict, values, s->structure.formalism.n);
}

/* Return 1 if the model has derivatives that apply. Those of a mechanism do not apply to the explicit formalism. */
static int has_derivatives(const resida_problem *q)
{
    return q->mechanism ? q->mechanism->m.derivatives && !q->mechanism->is_explicit : q->dae.jacobian != NULL;
}

int rsd_solver_call_all(resida_solver *s, double t, const double *y, const double *yp, double *values)
{
    const rsd_structure *q = &s->structure;
    double *dy = values + q->problem->layout.n, *dyp = dy + q->y.n;
    int verdict = rsd_guard_eval_part(&s->guard, RSD_FOR_START, RSD_ROWS_ALL, t, y, yp, values);
    if (!verdict && s->problem->mechanism) verdict = eval_known_entries(t, y, yp, dy, dyp, &s->guard);
    if (!verdict && rsd_problem_has_products(s->problem))
        verdict = rsd_guard_multiply(t, y, yp, 1, y, yp, values, &s->guard);
    return !verdict && has_derivatives(s->problem) ? eval_derivative(t, 1, y, yp, dyp + q->yp.n, &s->guard) : verdict;
}

static int eval_inputs(double t, double *u, void *user)
{
    resida_solver *s = ((rsd_guard *)user)->solver;
    int verdict = rsd_problem_copy_excitation(s->problem, t, u);
    return rsd_guard_judge(&s->guard, t, verdict, u, 3L * s->problem->layout.n_u);
}

static void perturb_input(int i, double delta, void *user)
{
    rsd_calls_perturb_input(((rsd_guard *)user)->solver->problem->calls, i, delta);
}

/* If a learnt pattern of dg/dp is new or has grown, create the lists of entries of J again. */
static int update_lists(const resida_jacobian_point *at, void *user)
{
    resida_solver *s = user;
    rsd_mechanism *k = s->problem->mechanism;
    resida_system system;
    int verdict = k->G_number == 0 ? rsd_eval_excitation(k, at->t) : 0;
    if (!verdict && k->G_number == 0) verdict = rsd_eval_matrices(k, at->t, at->y + s->problem->layout.p);
    if (verdict) return rsd_guard_judge(&s->guard, at->t, verdict, NULL, 0);
    if (!rsd_structure_is_outdated(&s->structure)) return 0;
    rsd_structure old = s->structure; /* the engine uses the old lists until it has the new ones */
    verdict = rsd_solver_create_system(s, &system, NULL);
    if (verdict < 0) {
        rsd_structure_free(&s->structure);
        s->structure = old;
        return verdict;
    }
    verdict = rsd_engine_set_lists(s->engine, &system);
    rsd_structure_free(&old);
    return verdict;
}

void rsd_solver_refresh_engine(resida_solver *s)
{
    const rsd_mechanism *k = s->problem->mechanism;
    if (k && k->G_is_learnt) rsd_engine_set_refresh(s->engine, update_lists, s);
}

resida_status rsd_solver_create_system(resida_solver *s, resida_system *system, resida_message *why)
{
    resida_problem *problem = s->problem;
    RSD_TRY(rsd_structure_create(&s->structure, problem, why));
    const rsd_structure *q = &s->structure;
    resida_system_init(system);
    system->n = problem->layout.n;
    if (!s->engine) s->call_costs = rsd_problem_get_call_costs(problem);
    rsd_problem_set_costs(problem, &s->call_costs, system);
    system->user = &s->guard;
    system->n_workers = s->workers ? s->o.threads : 0;
    system->worker = s->worker_users;
    system->begin_workers = rsd_solver_begin_workers;
    system->end_workers = rsd_solver_end_workers;
    system->F = eval_F;
    system->n_inputs = 3 * problem->layout.n_u;
    system->inputs = eval_inputs;
    system->move_input = perturb_input;
    system->columns = q->columns;
    system->n_formalism = q->formalism.n;
    system->formalism_row = q->formalism.row;
    system->formalism_column = q->formalism.column;
    system->n_constraint = q->constraint.n;
    system->constraint_row = q->constraint.row;
    system->constraint_column = q->constraint.column;
    if (has_derivatives(problem)) system->derivative = eval_derivative;
    if (rsd_problem_has_products(problem)) system->times = rsd_guard_multiply;
    if (!problem->mechanism) return RESIDA_OK;
    system->formalism = eval_formalism_part;
    system->constraint = eval_constraint_part;
    system->curvature = eval_curvature_part;
    system->constraint_rounding = get_constraint_rounding(&problem->mechanism->m);
    if (system->constraint_rounding > 0) system->around = prepare_curvature; /* dg/dp is computed by differences */
    system->known = eval_known_entries;
    system->n_y = q->y.n;
    system->n_yp = q->yp.n;
    system->y_latent = q->y_latent;
    system->yp_latent = q->yp_latent;
    system->y_row = q->y.row;
    system->y_column = q->y.column;
    system->yp_row = q->yp.row;
    system->yp_column = q->yp.column;
    return RESIDA_OK;
}
