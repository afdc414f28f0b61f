/* Whole integrations: the residual calls of those strategies that are there to save them. Their accuracy is a matter of
 * test_update_accuracy.c. */
#include "test/fixtures/run_model.h"

static const char *const partitioned[] = {"dense+partitioned", "sparse+partitioned", "dense+extended",
                                          "sparse+extended"};

static void print_outcome(const run_order *o, const run_result *r)
{
    const resida_stats *s = &r->stats;
    print_message("  %-15s %-8s %-18s %5ld steps, calls: newton %5ld jacobian %5ld pattern %4ld; evaluations %3ld, "
                  "updates %4ld, fails %3ld, error %.1e\n",
                  o->model, o->formalism == RESIDA_FORMALISM_EXPLICIT ? "explicit" : "residual", s->jacobian, s->steps,
                  s->residual_calls.newton, s->residual_calls.jacobian, s->residual_calls.pattern,
                  s->jacobian_evaluations.dense + s->jacobian_evaluations.coloured, s->jacobian_updates.alpha,
                  s->newton_fails, r->error_p);
}

static resida_formalism formalism_of(int k)
{
    return k ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
}

/* One run of a strategy has 1 to 10, depending on the last digits of its tolerances: in the mean of all. */
CLAIM(the_chain_needs_at_most_6_evaluations_where_alpha_is_an_update)
{
    long evaluations = 0;
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 2; k++) {
            run_order o = {.model = "chain", .jacobian = partitioned[s], .formalism = formalism_of(k), .outputs = 1};
            run_result r = run_model(o);
            print_outcome(&o, &r);
            assert_true(r.status >= 0);
            evaluations += r.stats.jacobian_evaluations.dense + r.stats.jacobian_evaluations.coloured;
            assert_true((double)r.stats.residual_calls.total <= 1.05 * (double)r.stats.residual_calls.newton);
        }
    assert_true(evaluations <= 8 * 6);
}

/* A chain of four rods that falls from the horizontal. */
static run_result fall(double rtol)
{
    const run_order o = {.model = "chain-cartesian",
                         .jacobian = "fresh",
                         .settings = {{"n", 4}, {"alpha0", 1.5707963267948966}, {"ax", 0}, {"ay", 0}},
                         .rtol = rtol,
                         .t_end = 3,
                         .outputs = 1};
    run_result r = run_model(o);
    print_outcome(&o, &r);
    assert_true(r.status >= 0);
    return r;
}

CLAIM(a_fresh_matrix_needs_one_residual_call_for_each_step)
{
    const run_result r = fall(1e-6);
    assert_true(r.stats.steps <= 410 && r.stats.residual_calls.newton <= 430);
    assert_int_equal(r.stats.residual_calls.jacobian, 0); /* the dear part of dF/dy is zero, M a + m g */
}

CLAIM(a_fresh_matrix_reaches_tight_tolerances)
{
    static const double tolerances[] = {1e-8, 1e-10, 1e-12};
    for (int k = 0; k < 3; k++) {
        const run_result r = fall(tolerances[k]);
        assert_true((double)r.stats.residual_calls.newton <= 1.1 * (double)r.stats.steps);
    }
}
