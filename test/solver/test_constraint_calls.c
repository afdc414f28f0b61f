/* test_constraint_calls.c - what a renewal of the curvature of the constraints costs in calls of the model: dg/dp and
 * the velocity bias at the points that are differenced, but not g, whose derivative is dg/dp itself. */
#include "test/fixtures/file_util.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/solver_fixture.h"

CLAIM(g_is_called_once_for_each_residual_call_however_often_its_curvature_is_renewed)
{
    void (*const open[])(scripted_run *, const resida_solver_options *, double) = {scripted_open,
                                                                                   scripted_open_explicit};
    for (int i = 0; i < 2; i++) {
        scripted_run r;
        resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
        resida_solver_options o = test_solver_options();
        o.jacobian = "fresh";
        open[i](&r, &o, 1e-6);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        before = test_stats(r.solver);
        long constraints = r.script.calls[ON_CONSTRAINT], matrices = r.script.calls[ON_CONSTRAINT_MATRIX];
        assert_int_equal(resida_solver_advance(r.solver, 3), RESIDA_OK);
        after = test_stats(r.solver);
        constraints = r.script.calls[ON_CONSTRAINT] - constraints;
        matrices = r.script.calls[ON_CONSTRAINT_MATRIX] - matrices;
        long calls = after.residual_calls.total - before.residual_calls.total;
        print_message("  %s: %ld steps, %ld residual calls, %ld of g, %ld of dg/dp\n", i ? "explicit" : "residual",
                      after.steps, calls, constraints, matrices);
        assert_true(after.jacobian_updates.blocks > after.steps / 2); /* it bends all the time */
        /* and twice for each look at the velocity bias, at steps 1, 2, 4, 8 ... */
        assert_true(constraints <= calls + 2 * (1 + (long)log2((double)after.steps)));
        assert_true(matrices > 2 * calls);
    }
}

/* The first start compares dg/dp with differences along one direction and column by column, and gI along t; later ones
 * do not. */
CLAIM(a_right_model_is_compared_by_four_calls_of_g_and_two_for_each_column)
{
    scripted_run r;
    scripted_open(&r, NULL, 1e-6);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    long first = r.script.calls[ON_CONSTRAINT];
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    assert_int_equal(first - (r.script.calls[ON_CONSTRAINT] - first), 4 + 2 * 3);
}
