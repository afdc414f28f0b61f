/* setup.c - sets J up by a plan of renewal.h: updates the blocks, or also repairs or evaluates dF/dy; assembles J;
 * factors J, and solves with the factors. The factors are those of the engine's linear solver or of the integrator. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "base/callback.h"

/* --- Blocks: parts of J that cost no residual call --- */

/* C consists of known entries and of differences of the constraint part, B of known entries. rsd_evaluate_B() also
 * evaluates the unknown entries of B, by residual calls. In the GGL formulation C and B contain G in the constraint
 * rows, G' in the columns of lam and eta, -T, the derivatives of the constraint forces, and alpha M. */
static int evaluate_known_entries(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const resida_system *s = &jac->f.s;
    int verdict = s->known ? rsd_call_known(at->t, at->y, at->yp, jac->given.y, jac->given.yp, NULL, s) : 0;
    if (verdict || jac->p.y.n + jac->p.yp.n == 0) return verdict;
    return rsd_parts_activate_zeros(&jac->p, &jac->f, jac->given.y, jac->given.yp);
}

static void copy_known_B(resida_jacobian *jac)
{
    for (int k = 0; k < jac->f.s.n_yp; k++) jac->p.B[jac->p.yp_at[k]] = jac->given.yp[k];
}

int rsd_update_B(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const int verdict = evaluate_known_entries(jac, at);
    if (!verdict) copy_known_B(jac);
    return verdict;
}

int rsd_evaluate_B(resida_jacobian *jac, const resida_jacobian_point *at)
{
    int verdict = evaluate_known_entries(jac, at);
    if (!verdict && !jac->f.combined) {
        double *B = jac->p.before;
        memcpy(B, jac->p.B, (size_t)jac->p.pattern.nnz * sizeof *B);
        verdict = rsd_evaluate_quotients(&jac->d, RSD_WHOLE, &jac->p.formalism, at, 0, 1, RESIDA_COLUMN_YP, NULL, B);
        if (!verdict) rsd_parts_store_B(&jac->p, B);
    }
    if (!verdict) copy_known_B(jac);
    return verdict;
}

/* Compute C by differences of F_c. The callback `around` of the system is called before and after the differences. */
static int compute_C_by_differences(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const resida_system *s = &jac->f.s;
    int verdict = s->around ? rsd_call_prepare_differences(at->t, at->y, at->yp, NULL, s) : 0;
    if (!verdict)
        verdict = rsd_evaluate_quotients(&jac->d, RSD_CONSTRAINT, &jac->p.constraint, at, 1, 0,
                                         RESIDA_COLUMN_CONSTRAINT, NULL, jac->p.C);
    if (s->around) (void)rsd_call_prepare_differences(at->t, NULL, NULL, NULL, s);
    return verdict;
}

/* Elements of C that are not set here are zero until the pattern of J changes. */
int rsd_update_C(resida_jacobian *jac, const resida_jacobian_point *at)
{
    if (!jac->f.s.constraint) return 0;
    int verdict = jac->f.combined ? 0 : compute_C_by_differences(jac, at);
    for (int k = 0; k < jac->f.s.n_y && !verdict; k++) jac->p.C[jac->p.y_at[k]] = jac->given.y[k];
    return verdict;
}

/* --- Factors --- */

/* Factor J by the engine's linear solver. If the pattern of J is new, the solver analyses it first. */
static int factor_by_linear_solver(resida_jacobian *jac, double h)
{
    rsd_factors *f = &jac->factors;
    const rsd_matrix_ops *ops = jac->use.ops;
    const resida_jacobian_matrix J = rsd_parts_get_matrix(&jac->p);
    if (J.pattern != f->pattern) {
        RSD_TRY(rsd_linear_set_pattern(f->linear, J.start, J.row, jac->use.why));
        f->pattern = J.pattern;
    }
    f->count++;
    const int scaled = ops && ops->scale ? ops->scale(jac->use.self, f->linear, &J, h) : 0;
    if (scaled < 0) return scaled;
    f->singular_column = rsd_linear_factor(f->linear, J.values);
    if (f->singular_column >= 0) return f->singular_column;
    return rsd_fail(jac->use.why, RESIDA_ERR_MEMORY, "no memory for the factors of J");
}

int rsd_factor_J(resida_jacobian *jac, double h)
{
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_FACTORS);
    const int verdict = jac->factors.linear ? factor_by_linear_solver(jac, h) : jac->use.ops->factor(jac->use.self);
    rsd_profile_leave(jac->d.profile, back);
    return verdict;
}

void rsd_solve_by_factors(resida_jacobian *jac, double *b)
{
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_SOLUTIONS);
    if (jac->factors.linear)
        rsd_linear_solve(jac->factors.linear, b);
    else
        jac->use.ops->solve(jac->use.self, b);
    if (jac->repair.m > 0) rsd_repair_correct_solution(&jac->repair, jac->f.n, b);
    rsd_profile_leave(jac->d.profile, back);
}

void rsd_jacobian_solve(resida_jacobian *jac, double alpha, const double *F, double *delta)
{
    const double c = 2 / (1 + alpha / jac->renewal.alpha_J);
    RSD_ELEMENTWISE for (int i = 0, n = jac->renewal.attempt.stages * jac->f.n; i < n; i++) delta[i] = -c * F[i];
    rsd_solve_by_factors(jac, delta);
}

rsd_factors *rsd_jacobian_get_factors(resida_jacobian *jac)
{
    return &jac->factors;
}

/* --- A setup --- */

/* Renew the parts of J up to `level`, which is below RSD_DFDY. J is then not current. */
static int update_parts_of_J(resida_jacobian *jac, rsd_renewal_level level, const resida_jacobian_point *at)
{
    const rsd_strategy *strategy = jac->f.strategy;
    const int with_C = level == RSD_BLOCKS && strategy->by_costs;
    jac->renewal.evaluation.updates++;
    jac->renewal.setup.is_current = 0;
    jac->counts.updates_alpha++;
    jac->counts.updates_blocks += with_C;
    if (strategy->extended && jac->p.D && jac->excitations.n_live > 0) jac->counts.updates_excitation++;
    int verdict = level == RSD_BLOCKS ? rsd_update_B(jac, at) : 0;
    return verdict || !with_C ? verdict : rsd_update_C(jac, at);
}

/* Update all parts of J except dF/dy, factor J, and repair dF/dy. If the repair fails, evaluate dF/dy. After a repair J
 * is not current: if the iteration fails, an evaluation of dF/dy may improve J. */
static int repair_J(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    const long before = jac->counts.residual_calls;
    int done = 0, verdict = update_parts_of_J(jac, RSD_BLOCKS, at);
    if (verdict) return verdict;
    rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    verdict = rsd_factor_J(jac, at->h);
    if (!verdict) verdict = rsd_repair_A(jac, at, &done);
    jac->counts.repair_calls += jac->counts.residual_calls - before;
    jac->repair.t = at->since;
    jac->counts.repairs += done;
    return verdict < 0 || done ? verdict : rsd_evaluate_J(jac, plan, at);
}

/* Carry out a plan, and set renewal.setup.is_current. */
static int execute_plan(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    const int requested = jac->renewal.requested;
    jac->repair.m = 0;
    jac->renewal.setup.is_current = 1; /* 1 even if no part is updated, because another setup would fail, too */
    int verdict = !jac->p.has_pattern ? rsd_search_set_first_pattern(&jac->search, &jac->d, &jac->p, at) : 0;
    if (plan->reason == RESIDA_SETUP_FIRST)
        rsd_reset_difference_settings(jac); /* a restart uses the same increments as the first start */
    if (!verdict)
        verdict = plan->repairs             ? repair_J(jac, plan, at)
                  : plan->level == RSD_DFDY ? rsd_evaluate_J(jac, plan, at)
                                            : update_parts_of_J(jac, plan->level, at);
    if (!verdict) rsd_parts_assemble_J(&jac->p, &jac->f, at->alpha);
    if (!verdict && jac->f.strategy->extended)
        verdict = rsd_excitations_add_to_J(&jac->excitations, &jac->f, &jac->p, at->t);
    if (verdict) jac->renewal.requested |= requested; /* the request is still pending */
    return verdict;
}

int rsd_jacobian_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    rsd_renewal *r = &jac->renewal;
    const long calls = jac->counts.residual_calls, repairs = jac->counts.repairs;
    const int back = rsd_profile_enter(jac->d.profile, RSD_IN_ASSEMBLY);
    rsd_renewal_begin_setup(r, plan);
    const int verdict = execute_plan(jac, plan, at);
    r->setup = (rsd_setup){.level = plan->level,
                           .is_ready = verdict == 0,
                           .is_repaired = jac->counts.repairs > repairs,
                           .is_current = r->setup.is_current,
                           .alpha = at->alpha};
    rsd_renewal_record_calls(r, plan, jac->counts.residual_calls - calls);
    rsd_profile_leave(jac->d.profile, back);
    return verdict;
}

int resida_jacobian_setup(resida_jacobian *jac, resida_setup_reason reason, const resida_jacobian_point *at,
                          int *current)
{
    rsd_plan plan;
    if (!jac || !at || !current || (int)reason < 0 || reason > RESIDA_SETUP_AGE || !rsd_is_point_valid(at))
        return RESIDA_ERR_ARGUMENT;
    resida_jacobian_point point = *at;
    if (at->since == 0) point.since = at->t;
    int verdict = rsd_jacobian_plan_setup(jac, RSD_AT_ATTEMPT, reason, &point, &plan);
    if (!verdict) verdict = rsd_jacobian_set_up(jac, &plan, &point);
    *current = jac->renewal.setup.is_current;
    return verdict;
}

resida_status resida_jacobian_request(resida_jacobian *jac, resida_request what)
{
    if (!jac || (what != RESIDA_REQUEST_EVALUATION && what != RESIDA_REQUEST_PATTERN)) return RESIDA_ERR_ARGUMENT;
    jac->renewal.requested |= (int)what;
    return RESIDA_OK;
}

int resida_jacobian_is_requested(const resida_jacobian *jac)
{
    return jac && jac->renewal.requested != 0;
}
