/* Whole integrations: the residual calls of those strategies that are there to save them. Their accuracy is a matter of
 * test_update_accuracy.c. */
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

static const char *const partitioned[] = {"dense+partitioned", "sparse+partitioned", "dense+extended",
                                          "sparse+extended"};

/* What to run; rtol 0: the model's own tolerances, t_end 0: its own end. */
typedef struct order {
    const char *model, *strategy;
    bench_setting settings[5];
    double rtol, t_end;
    resida_formalism formalism;
} order;

typedef struct outcome {
    resida_status status;
    double error;            /* of p at the end */
    double energy_0, energy; /* of a chain in Cartesian coordinates, at both ends */
    resida_stats stats;
} outcome;

static double end_error(const resida_model *model, const resida_state *state)
{
    int n = model->mechanism.n_p;
    double *p = bench_doubles(n), *v = bench_doubles(n), error = 0;
    int known = model->reference && model->reference(model, state->t, p, v, NULL) == 0;
    for (int i = 0; i < n && known; i++) error = fmax(error, fabs(state->p[i] - p[i]));
    return known ? error : NAN;
}

/* m = 1, g = 9.81 */
static double energy(const resida_state *state, int n_p)
{
    double sum = 0;
    for (int i = 0; i < n_p; i++) sum += 0.5 * state->v[i] * state->v[i] + (i % 2 ? 9.81 * state->p[i] : 0);
    return sum;
}

static void integrate(resida_solver *solver, const bench *b, double t_end, outcome *r)
{
    r->status = resida_solver_start(solver, b->model.t0, b->model.p0, b->model.v0, NULL, NULL);
    assert_int_equal(r->status, RESIDA_OK);
    resida_state state = test_state(solver);
    r->energy_0 = energy(&state, b->m->n_p);
    r->status = resida_solver_advance(solver, t_end);
    if (r->status < 0) print_error("%s\n", resida_solver_message(solver));
    state = test_state(solver);
    r->energy = energy(&state, b->m->n_p);
    r->error = end_error(&b->model, &state);
    r->stats.size = sizeof r->stats;
    assert_int_equal(resida_solver_stats(solver, &r->stats), RESIDA_OK);
}

static outcome run(order o)
{
    outcome r = {.status = RESIDA_OK};
    resida_problem_options form = test_problem_options();
    resida_solver_options options = test_solver_options();
    bench *b = bench_make(o.model, o.settings);
    form.formalism = o.formalism;
    options.rtol = o.rtol > 0 ? o.rtol : b->model.rtol;
    options.atol = o.rtol > 0 ? o.rtol : b->model.atol;
    options.jacobian = o.strategy;
    double t_end = o.t_end > 0 ? o.t_end : b->model.t_end;
    options.t_stop = t_end;
    resida_solver *solver = test_solver(b->m, &form, &options);
    integrate(solver, b, t_end, &r);
    return r;
}

static void print_outcome(const order *o, const outcome *r)
{
    const resida_stats *s = &r->stats;
    print_message("  %-15s %-8s %-18s %5ld steps, calls: newton %5ld jacobian %5ld pattern %4ld; evaluations %3ld, "
                  "updates %4ld, fails %3ld, error %.1e\n",
                  o->model, o->formalism == RESIDA_FORMALISM_EXPLICIT ? "explicit" : "residual", s->jacobian, s->steps,
                  s->residual_calls.newton, s->residual_calls.jacobian, s->residual_calls.pattern,
                  s->jacobian_evaluations.dense + s->jacobian_evaluations.coloured, s->jacobian_updates.alpha,
                  s->newton_fails, r->error);
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
            order o = {.model = "chain", .strategy = partitioned[s], .formalism = formalism_of(k)};
            outcome r = run(o);
            print_outcome(&o, &r);
            assert_true(r.status >= 0);
            evaluations += r.stats.jacobian_evaluations.dense + r.stats.jacobian_evaluations.coloured;
            assert_true((double)r.stats.residual_calls.total <= 1.05 * (double)r.stats.residual_calls.newton);
        }
    assert_true(evaluations <= 8 * 6);
}

static order falling(double rtol)
{
    order o = {.model = "chain-cartesian",
               .strategy = "fresh",
               .settings = {{"n", 4}, {"alpha0", 1.5707963267948966}, {"ax", 0}, {"ay", 0}, {NULL, 0}},
               .rtol = rtol,
               .t_end = 3};
    return o;
}

CLAIM(a_fresh_matrix_needs_one_residual_call_for_each_step)
{
    order o = falling(1e-6);
    outcome r = run(o);
    print_outcome(&o, &r);
    print_message("energy changes by %.1e\n", fabs(r.energy - r.energy_0));
    assert_true(r.status >= 0);
    assert_true(r.stats.steps <= 410 && r.stats.residual_calls.newton <= 430);
    assert_true(fabs(r.energy - r.energy_0) <= 5e-4);
    assert_int_equal(r.stats.residual_calls.jacobian, 0); /* the dear part of dF/dy is zero, M a + m g */
}

CLAIM(a_fresh_matrix_reaches_tight_tolerances)
{
    static const double tolerances[] = {1e-8, 1e-10, 1e-12};
    for (int k = 0; k < 3; k++) {
        order o = falling(tolerances[k]);
        outcome r = run(o);
        print_outcome(&o, &r);
        print_message("energy changes by %.1e\n", fabs(r.energy - r.energy_0));
        assert_true(r.status >= 0);
        assert_true((double)r.stats.residual_calls.newton <= 1.1 * (double)r.stats.steps);
    }
}
