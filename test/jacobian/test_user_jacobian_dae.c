/* test_user_jacobian_dae.c - the J of a general DAE that the model gives: it is used at each attempt and nothing is
 * differenced; it is never replaced, also when it is wrong; what its callback says is passed on by name. */
#include "user_run.h"
#include "test/fixtures/solver_fixture.h"

#define RTOL 1e-6

/* Robertson's kinetics with its J. */
typedef struct kinetics {
    const resida_dae *d;
    double off; /* added to entry (1, 1) of J, relative to itself */
    int verdict, fail_at;
    double spoil;
    long calls;
    double J[9];
} kinetics;

static int kinetics_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                             void *user)
{
    const kinetics *k = user;
    return k->d->residual(t, y, yp, e, r, k->d->user);
}

static int kinetics_jacobian(double t, double alpha, const double *y, const double *yp, const resida_excitation *e,
                             double *J, void *user)
{
    const double k1 = 0.04, k2 = 1e4, k3 = 3e7;
    kinetics *k = user;
    k->calls++;
    J[0] = alpha + k1, J[1] = -k2 * y[2], J[2] = -k2 * y[1];
    J[3] = -k1, J[4] = alpha + k2 * y[2] + 2 * k3 * y[1], J[5] = k2 * y[1];
    J[6] = J[7] = J[8] = 1;
    J[4] *= 1 + k->off;
    memcpy(k->J, J, sizeof k->J);
    if (k->fail_at == 0 || k->calls < k->fail_at) return 0;
    J[5] += k->spoil;
    return k->verdict;
}

/* To t = 40; J column by column at the end in the engine is that of the callback. */
static outcome run_kinetics(kinetics *k, const char *strategy)
{
    resida_solver_options o = test_solver_options();
    resida_jacobian_matrix J;
    double y[3];
    bench *b = bench_make("robertson", NULL);
    resida_dae d = b->model.dae;
    k->d = &b->model.dae;
    d.user = k;
    d.residual = kinetics_residual;
    if (!strategy) d.jacobian = kinetics_jacobian;
    o.rtol = RTOL, o.atol = 1e-10;
    o.max_residuals = USER_BUDGET;
    if (strategy) o.jacobian = strategy;
    resida_solver *solver = test_solver_dae(&d, NULL, &o);
    assert_int_equal(resida_solver_start_dae(solver, 0, b->model.y0, b->model.yp0), RESIDA_OK);
    outcome r = user_run(solver, 40);
    resida_state state = test_state(solver);
    assert_int_equal(b->model.reference(&b->model, 40, y, NULL, NULL), 0);
    for (int i = 0; i < 3; i++) r.error = fmax(r.error, fabs(state.y[i] - y[i]) / y[i]);
    r.is_the_users = resida_jacobian_get_matrix(resida_solver_jacobian(solver), &J) == RESIDA_OK && J.nnz == 9;
    for (int c = 0; r.is_the_users && c < 3; c++)
        for (int i = 0; i < 3; i++) r.is_the_users &= J.values[3 * c + i] == k->J[3 * i + c];
    return r;
}

CLAIM(a_dae_with_its_J_is_differenced_nowhere)
{
    kinetics k = {.off = 0}, other = {.off = 0};
    outcome r = run_kinetics(&k, NULL), dense = run_kinetics(&other, "dense");
    print_message("  error %.1e, with differences %.1e; %ld calls, %ld\n", r.error, dense.error,
                  r.stats.residual_calls.total, dense.stats.residual_calls.total);
    if (r.status < 0) fail_msg("%s", r.message);
    user_differenced_nothing(&r);
    assert_true(r.is_the_users);
    assert_int_equal(other.calls, 0);
    assert_true(fmax(r.error, dense.error) <= 4 * RTOL);
}

CLAIM(a_wrong_J_of_a_dae_is_kept_and_the_run_says_why_it_ends)
{
    static const double off[] = {0.3, -0.9, 20};
    for (int i = 0; i < 3; i++) {
        kinetics k = {.off = off[i]};
        outcome r = run_kinetics(&k, NULL);
        print_message("  off by %g: %s, %ld calls, error %.1e %s\n", off[i], resida_status_name(r.status),
                      r.stats.residual_calls.total, r.error, r.message);
        user_wrong_is_kept(&r);
    }
}

CLAIM(what_the_jacobian_of_a_dae_says_is_passed_on_by_name)
{
    for (int i = 0; i < USER_VERDICTS; i++) {
        kinetics k = {.verdict = user_verdicts[i].verdict, .fail_at = 20, .spoil = user_verdicts[i].verdict ? 0 : NAN};
        outcome r = run_kinetics(&k, NULL);
        user_passed_on(&r, &user_verdicts[i], "jacobian", "component 5", k.calls - k.fail_at);
    }
}
