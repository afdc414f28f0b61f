/* equilibrium.c - resida_problem_equilibrium(): arguments, start, search and report. */
#include "equilibrium_impl.h"

#include "src/core/problem/arguments.h"

#include <math.h>
#include <string.h>

#define NONZERO_VELOCITY 1e-9 /* minimum velocity prescribed by nonholonomic constraints [m/s, rad/s] */
#define ROW_TOLERANCE    1e-7 /* tolerance of g, relative to max(|p|, 1) */

enum { STEADY_PASSES = 3 }; /* maximum number of searches for a steady motion, each with other unknown velocities */

/* Begin an entry of the table of options with name, type and offset of the option. Other fields follow. */
#define LINE(member, type)                                                                                             \
    .about = {.name = #member}, .kind = (type), .offset = offsetof(resida_equilibrium_options, member)

/* clang-format off */
static const rsd_option lines[] = {
    {LINE(steady, RSD_INT), .range = &rsd_on_off},
    {LINE(redundant, RSD_INT), .range = &rsd_on_off},
    {LINE(tolerance, RSD_REAL), .usual = 1e-10, .range = &rsd_open_part},
    {LINE(max_step, RSD_REAL), .usual = 0.5, .range = &rsd_above_0},
    {LINE(max_iterations, RSD_INT), .usual = 500, .range = &rsd_above_0},
    {LINE(load_steps, RSD_INT), .range = &rsd_at_least_0},
    {LINE(from, RSD_REAL), .usual = NAN},
    {LINE(stability, RSD_INT), .usual = 1, .range = &rsd_on_off},
    {LINE(max_residuals, RSD_LONG), .usual = 1e12, .range = &rsd_above_0},
    {LINE(time_limit_s, RSD_REAL), .usual = INFINITY, .range = &rsd_above_0},
};
/* clang-format on */
static const rsd_options table = {lines, sizeof lines / sizeof *lines, NULL, NULL};

void resida_equilibrium_options_init(resida_equilibrium_options *o)
{
    if (!o) return;
    *o = (resida_equilibrium_options){.size = sizeof *o};
    rsd_option_set_defaults(&table, o);
}

static resida_status check_options(const resida_equilibrium_options *o, resida_message *why)
{
    RSD_TRY(rsd_check_size("equilibrium options", o->size, sizeof *o, why));
    RSD_TRY(rsd_option_check_ranges(&table, o, why));
    if (!isinf(o->from)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_OPTION, "from = %g, must be finite, or NaN", o->from);
}

resida_status rsd_equilibrium_start(rsd_equilibrium *eq, const double *p0, const double *v0,
                                    resida_start_report *report)
{
    const resida_layout *l = &eq->problem->layout;
    resida_start_options o;
    resida_start_options_init(&o);
    o.redundant = eq->options->redundant;
    return resida_problem_start(eq->problem, eq->t, p0, v0, &o, eq->y + l->p, eq->y + l->v, eq->accelerations,
                                l->lam >= 0 ? eq->y + l->lam : NULL, report, eq->why);
}

resida_status rsd_equilibrium_start_from_guess(rsd_equilibrium *eq)
{
    const resida_layout *l = &eq->problem->layout;
    const int n_w = l->n_v - l->n_z;
    double *v = eq->y_trial;
    resida_start_report report;
    if (!eq->problem->mechanism) {
        memcpy(eq->y, eq->p0, (size_t)eq->n * sizeof *eq->y);
        return RESIDA_OK;
    }
    for (int i = 0; i < l->n_v; i++) v[i] = i < n_w && !eq->options->steady ? 0 : eq->v0[i];
    resida_status status = rsd_equilibrium_start(eq, eq->p0, v, &report);
    if (status == RESIDA_OK && report.n_redundant > 0) eq->report->redundant = *eq->why;
    if (status >= 0) eq->why->text[0] = 0;
    for (int i = 0; i < n_w && status == RESIDA_OK && !eq->options->steady; i++)
        if (fabs(eq->y[l->v + i]) > NONZERO_VELOCITY)
            return rsd_fail(eq->why, RESIDA_ERR_INCONSISTENT,
                            "there is no equilibrium at t = %g: velocity constraints require v[%d] = %g", eq->t, i,
                            eq->y[l->v + i]);
    for (int i = 0; i < n_w; i++)
        if (eq->options->steady) eq->yp[l->p + i] = eq->y[l->v + i];
    return status;
}

/* Check that constraints that were redundant at the start are satisfied at the solution. */
static resida_status check_redundant_rows(rsd_equilibrium *eq)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    const resida_layout *l = &eq->problem->layout;
    const double size = fmax(1, rsd_max_norm(eq->y + l->p, l->n_p));
    char name[RSD_ROW_NAME];
    if (eq->report->redundant.text[0] == 0) return RESIDA_OK;
    if (resida_problem_constraints(eq->problem, eq->t, eq->y + l->p, eq->y + l->v, eq->F_trial, NULL) < 0)
        return rsd_equilibrium_get_failure(eq);
    for (int i = 0; i < l->n_g; i++)
        if (k->dropped[i] && !(fabs(eq->F_trial[i]) <= ROW_TOLERANCE * size))
            return rsd_fail(eq->why, RESIDA_ERR_REDUNDANT,
                            "constraint %s, which was redundant at the start, is violated in the equilibrium: g = %g",
                            rsd_row_name(k, i, name, sizeof name), eq->F_trial[i]);
    return RESIDA_OK;
}

static resida_status fill_report(rsd_equilibrium *eq)
{
    resida_jacobian_matrix J;
    if (rsd_equilibrium_evaluate(eq, 0) || rsd_equilibrium_linearize(eq, &J)) return rsd_equilibrium_get_failure(eq);
    eq->report->residual = rsd_equilibrium_residual(eq, eq->F);
    rsd_equilibrium_report_worst(eq);
    RSD_TRY(rsd_equilibrium_find_null(eq, &J));
    if (eq->problem->active_rows.kkt)
        rsd_message_append(&eq->report->redundant, "; dropped: %s", eq->problem->active_rows.dropped_text.text);
    return eq->options->stability ? rsd_equilibrium_find_stability(eq) : RESIDA_OK;
}

static resida_status solve_from_point(rsd_equilibrium *eq)
{
    int n_changes = 0, iterations = 0;
    RSD_TRY(rsd_equilibrium_set_unknowns(eq));
    if (eq->options->steady) RSD_TRY(rsd_equilibrium_find_steady(eq, &n_changes));
    for (int pass = 0; pass < STEADY_PASSES && (pass == 0 || n_changes > 0); pass++) {
        eq->report->iterations = 0; /* each search may take max_iterations */
        const resida_status status = rsd_equilibrium_search_contacts(eq);
        eq->report->iterations = iterations += eq->report->iterations;
        if (status != RESIDA_OK) return status;
        if (eq->options->steady) RSD_TRY(rsd_equilibrium_find_steady(eq, &n_changes)); /* forces have changed */
    }
    if (eq->problem->mechanism) RSD_TRY(check_redundant_rows(eq));
    return fill_report(eq);
}

static resida_status start_and_solve(rsd_equilibrium *eq)
{
    RSD_TRY(rsd_solver_enter(eq->solver));
    resida_status status = rsd_equilibrium_start_from_guess(eq);
    if (status == RESIDA_OK) status = solve_from_point(eq);
    eq->report->residual_calls += eq->solver->guard.all_calls;
    if (status < 0 && eq->why->text[0] == 0) *eq->why = eq->solver->message;
    return rsd_solver_leave(eq->solver, status);
}

/* Check the arguments and solve r(x) = 0. eq contains the guess and the options. */
static resida_status check_and_solve(rsd_equilibrium *eq, const resida_problem *problem, double t,
                                     const rsd_argument *arrays, int n, resida_equilibrium_report *report,
                                     resida_message *why)
{
    resida_equilibrium_report own_report;
    resida_message own_message;
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "equilibrium: t = %g, must be finite", t);
    RSD_TRY(rsd_check_arrays("equilibrium", arrays, n, why));
    eq->report = report ? report : &own_report;
    *eq->report = (resida_equilibrium_report){.growth = NAN, .frequency = NAN};
    eq->why = why ? why : &own_message;
    eq->why->text[0] = 0;
    resida_status status = rsd_equilibrium_create(eq, problem, t);
    if (status >= 0) status = start_and_solve(eq);
    if (status != RESIDA_ERR_MEMORY || eq->why->text[0]) return status;
    return rsd_fail(eq->why, status, "no memory for an equilibrium with %d unknowns", eq->n);
}

/* Check the options, and that the problem is a general DAE or a mechanism, as the function requires. */
static resida_status check_problem(const resida_problem *q, int is_dae, const resida_equilibrium_options *o,
                                   resida_message *why)
{
    static const char *const calls[] = {"resida_problem_equilibrium", "resida_problem_equilibrium_dae"};
    RSD_TRY(check_options(o, why));
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: problem is NULL", calls[is_dae]);
    if ((q->mechanism == NULL) != is_dae)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: the problem is a %s, use %s", calls[is_dae],
                        is_dae ? "mechanism" : "general DAE", calls[!is_dae]);
    if (is_dae && (o->steady || o->redundant != RESIDA_REDUNDANT_REFUSE))
        return rsd_fail(why, RESIDA_ERR_OPTION, "%s has no effect with a general DAE: it is for mechanisms",
                        o->steady ? "steady = 1" : "redundant = drop");
    if (o->steady && q->mechanism->m.kinematic_matrix)
        return rsd_fail(why, RESIDA_ERR_OPTION, "steady = 1 is for mechanisms with p' = v, %s has a kinematic matrix",
                        q->mechanism->m.name);
    return is_dae ? RESIDA_OK : rsd_unilateral_refuse_friction(&q->contacts, "equilibrium", why);
}

resida_status resida_problem_equilibrium(resida_problem *problem, double t, const double *p0, const double *v0,
                                         const resida_equilibrium_options *o, double *p, double *v, double *lam,
                                         resida_equilibrium_report *report, resida_message *why)
{
    resida_equilibrium_options defaults;
    resida_equilibrium_options_init(&defaults);
    rsd_equilibrium eq = {.options = o ? o : &defaults, .p0 = p0, .v0 = v0};
    RSD_TRY(check_problem(problem, 0, eq.options, why));
    const rsd_mechanism *k = problem->mechanism;
    const rsd_argument arrays[] = {{"p0", p0, k->m.n_p, RSD_READ, k->m.p_names},
                                   {"v0", v0, k->m.n_v, RSD_READ, k->m.v_names},
                                   {"p", p, k->m.n_p, RSD_WRITTEN, NULL},
                                   {"v", v, k->m.n_v, RSD_WRITTEN, NULL},
                                   {"lam", lam, k->n_l, RSD_WRITTEN, NULL}};
    const resida_status status = check_and_solve(&eq, problem, t, arrays, sizeof arrays / sizeof *arrays, report, why);
    if (status == RESIDA_OK) {
        const resida_layout *l = &eq.problem->layout;
        memcpy(p, eq.y + l->p, (size_t)l->n_p * sizeof *p);
        memcpy(v, eq.y + l->v, (size_t)l->n_v * sizeof *v);
        if (lam && l->lam >= 0) memcpy(lam, eq.y + l->lam, (size_t)k->n_l * sizeof *lam);
    }
    rsd_equilibrium_free(&eq);
    return status;
}

resida_status resida_problem_equilibrium_dae(resida_problem *problem, double t, const double *y0,
                                             const resida_equilibrium_options *o, double *y,
                                             resida_equilibrium_report *report, resida_message *why)
{
    resida_equilibrium_options defaults;
    resida_equilibrium_options_init(&defaults);
    rsd_equilibrium eq = {.options = o ? o : &defaults, .p0 = y0};
    RSD_TRY(check_problem(problem, 1, eq.options, why));
    const rsd_argument arrays[] = {{"y0", y0, problem->layout.n, RSD_READ, problem->dae.names},
                                   {"y", y, problem->layout.n, RSD_WRITTEN, NULL}};
    const resida_status status = check_and_solve(&eq, problem, t, arrays, sizeof arrays / sizeof *arrays, report, why);
    if (status == RESIDA_OK) memcpy(y, eq.y, (size_t)eq.n * sizeof *y);
    rsd_equilibrium_free(&eq);
    return status;
}
