/* solver_hints.c - finds hints that would reduce the cost of a finished run by more than a fifth. Each rule compares
 * the calls or steps of one cause with all calls or steps of the run. No rule uses a clock. */
#include "solver_impl.h"

#include <math.h>
#include <string.h>

enum {
    FEW_STEPS = 50,        /* a run with fewer steps gets no hints */
    MIN_SHARE = 5,         /* a cause of 1/MIN_SHARE of all calls or steps, or less, gives no hint */
    MANY_CALLS_OF_G = 2,   /* minimum ratio of calls of g and of the formalism for a hint; about 1 with a given dg/dp */
    LARGE_MATRIX = 200,    /* minimum number of entries of a full dg/dp for the hint of a pattern */
    SPARSE_RATIO = 4,      /* minimum ratio of all entries to nonzero entries of dg/dp for the hint of a pattern */
    STEPS_OF_A_JUMP = 10,  /* number of steps after a jump until order and step size are restored */
    MIN_SHARE_OF_JUMPS = 3 /* as MIN_SHARE, for steps after jumps; smooth motions reach a share of 1/5 */
};
#define MEAN_NEAR_H_MAX 0.6 /* h_max limits most steps if the mean step exceeds this part of h_max */

/* Find a missing dg/dp, velocity_bias or pattern of G. Without dg/dp or velocity_bias, differences require calls of g.
 * Without a pattern, dg/dp is full, even if few entries are nonzero. */
static void hint_constraint_matrix(resida_solver *s, const resida_stats *of)
{
    const rsd_mechanism *k = s->problem->mechanism;
    const resida_callback_calls *c = &of->callback_calls;
    const long calls = c->residual + c->acceleration + c->residual_lam + c->acceleration_lam;
    long n = 0;
    if (!k || k->m.n_g == 0) return;
    for (int e = 0; e < k->gp.nnz; e++) n += k->gp_values[e] != 0;
    if (k->m.constraint_matrix && !k->m.velocity_bias && c->constraint > MANY_CALLS_OF_G * calls)
        rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                        "differences for gI, the rate of g at constant p, took most of %ld calls of constraint: give "
                        "velocity_bias (zeros if g does not depend on t)",
                        c->constraint);
    if (k->G_is_given) return;
    if (!k->m.constraint_matrix && c->constraint > MANY_CALLS_OF_G * calls)
        rsd_add_warning(
            &s->hints, (rsd_claim)s->hints.n,
            "differences for dg/dp took most of %ld calls of constraint; the formalism took %ld calls: give "
            "constraint_matrix, dg/dp",
            c->constraint, calls);
    else if (k->m.constraint_matrix && k->gp.nnz >= LARGE_MATRIX && SPARSE_RATIO * n <= k->gp.nnz)
        rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                        "%ld of the %d entries of dg/dp are not zero: give G_pattern (solve --emit-patterns)", n,
                        k->gp.nnz);
}

/* Suggest that the model gives a pattern if more than 1/5 of all calls evaluate dF/dy column by column or search for
 * its pattern. */
static void hint_pattern(resida_solver *s, const resida_stats *of)
{
    const resida_problem *q = s->problem;
    const resida_mechanism *m = q->mechanism ? &q->mechanism->m : NULL;
    const int is_given = m ? m->Phi_p_pattern.row || m->derivatives : q->dae.J_pattern.row || q->dae.jacobian;
    const long columns = of->jacobian_evaluations.dense * of->n, jacobian = of->residual_calls.jacobian;
    const long calls = of->residual_calls.pattern + (columns < jacobian ? columns : jacobian);
    if (is_given || MIN_SHARE * calls <= of->residual_calls.total || 2 * of->nnz > (long)of->n * of->n) return;
    rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                    "%ld of %ld calls of the formalism evaluated J column by column: give %s (solve --emit-patterns)",
                    calls, of->residual_calls.total, m ? "Phi_p_pattern and Phi_v_pattern" : "J_pattern");
}

static void hint_jumps(resida_solver *s, const resida_stats *of)
{
    const long jumps = of->jumps + of->error_test_repeats;
    if (rsd_problem_get_n_root(s->problem) > 0 || MIN_SHARE_OF_JUMPS * STEPS_OF_A_JUMP * jumps <= of->steps) return;
    rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                    "steps were reduced repeatedly %ld times: give root functions or breakpoints where a force jumps",
                    jumps);
}

static void hint_h_max(resida_solver *s, const resida_stats *of)
{
    const double mean = fabs(s->t - s->t_first) / (double)of->steps;
    if ((s->o.step > 0 && !s->o.adaptive) || !isfinite(s->o.h_max) || !(mean > MEAN_NEAR_H_MAX * s->o.h_max)) return;
    rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                    "steps are %.2g s long on average, and h_max = %.2g s limits most of them", mean, s->o.h_max);
}

/* Suggest a larger atol for a component that is large, but also passes zero, where its tolerance is atol. */
static void hint_tolerance(resida_solver *s, const resida_stats *of)
{
    const resida_limit *max = of->limits;
    char name[RSD_COMPONENT_NAME];
    for (int i = 1; i < of->n_limits; i++)
        if (of->limits[i].tight_steps > max->tight_steps) max = &of->limits[i];
    if (of->n_limits == 0 || MIN_SHARE * max->tight_steps <= of->steps) return;
    resida_problem_component_name(s->problem, max->component, name, sizeof name);
    rsd_add_warning(&s->hints, (rsd_claim)s->hints.n,
                    "%s limits %ld of %ld steps near zero, where atol alone is its tolerance: give it a larger atol",
                    name, max->tight_steps, of->steps);
}

void rsd_solver_find_hints(resida_solver *s, const resida_stats *of)
{
    s->hints.n = 0;
    memset(s->hints.is_given, 0, sizeof s->hints.is_given);
    if (s->failed || of->steps < FEW_STEPS) return;
    hint_constraint_matrix(s, of);
    hint_pattern(s, of);
    hint_jumps(s, of);
    hint_h_max(s, of);
    hint_tolerance(s, of);
}
