/* test_inertia.c - the unit of rows in which the iteration looks at what is left of F. */
#include "impact_scene.h"
#include "jacobian/engine.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

/* The unit in which residuals are looked at: F changes by m where v' changes by 1. */
CLAIM(inertia_of_the_rows_is_that_of_the_bodies)
{
    impact_scene s;
    impact_make(&s, IMPACT_CARTS, 3);
    resida_problem *problem = impact_open(&s, RESIDA_FORMALISM_RESIDUAL);
    const double w[4] = {1, 1, 0.5, 4}, wanted[4] = {1, 1, s.m[0] / 0.5, s.m[1] / 4};
    double sums[4];
    resida_solver *solver = test_solver_of(problem, NULL);
    assert_int_equal(rsd_engine_compute_inertia(resida_solver_jacobian(solver), w, sums), RESIDA_ERR_STATE);
    assert_int_equal(resida_solver_start(solver, 0, s.p0, s.v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_advance(solver, s.t_end), RESIDA_OK);
    assert_int_equal(rsd_engine_compute_inertia(resida_solver_jacobian(solver), w, sums), RESIDA_OK);
    for (int i = 0; i < 4; i++) bench_near(sums[i], wanted[i], 1e-14);
}
