/* test_times.c - times: odd ones are refused without a residual call, the stop time is never stepped over, dense output
 * costs nothing, and the same inputs give the same bits whatever the threads, the locale and the load.
 *
 * With the argument --digest the program integrates a few models, prints the digest of all outputs and the decimal
 * point of the locale, and ends: that is what its runs in other environments are. */
#include <locale.h>
#include <math.h>

#include "test/fixtures/check_contract.h"
#include "test/fixtures/run_model.h"
#include "test/fixtures/mechanisms/scripted.h"
#include "test/fixtures/mechanisms/small.h"
#include "test/fixtures/solver_fixture.h"

static const double tol = 1e-6;
static const char *program;

typedef resida_status advance_fn(resida_solver *s, double t);

/* A call that is refused by name, with no call of any callback. */
static void refused(scripted_run *r, advance_fn *call, double t, resida_status right)
{
    long before = r->script.total;
    contract c;
    contract_begin(&c, r->solver);
    resida_status status = call(r->solver, t);
    check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
    assert_int_equal(status, right);
    assert_int_equal(r->script.total, before);
}

CLAIM(calls_before_a_start_are_refused)
{
    scripted_run r;
    double y[PENDULUM_N], yp[PENDULUM_N];
    int direction[3];
    resida_state at;
    scripted_open(&r, NULL, tol);
    refused(&r, resida_solver_advance, 1, RESIDA_ERR_STATE);
    refused(&r, resida_solver_step, 1, RESIDA_ERR_STATE);
    assert_int_equal(resida_solver_state(r.solver, &at), RESIDA_ERR_STATE);
    assert_int_equal(resida_solver_interpolate(r.solver, 0, y, yp), RESIDA_ERR_STATE);
    assert_int_equal(resida_solver_event(r.solver, direction), RESIDA_ERR_STATE);
    assert_int_equal(r.script.total, 0);
}

CLAIM(the_time_reached_is_reached_without_work)
{
    scripted_run r;
    scripted_open(&r, NULL, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    for (int i = 0; i < 3; i++) {
        double t = 0.25 * i;
        assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
        unsigned long long digest = scripted_digest(&r);
        long before = r.script.total;
        assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
        assert_int_equal(resida_solver_step(r.solver, t), RESIDA_OK);
        assert_int_equal(r.script.total, before);
        assert_true(scripted_digest(&r) == digest);
    }
}

CLAIM(times_that_differ_by_rounding_are_reached)
{
    const double starts[] = {0, 1, -3, 1e6};
    for (int i = 0; i < 4; i++)
        for (int begun = 0; begun < 2; begun++) {
            scripted_run r;
            double t0 = starts[i];
            scripted_open(&r, NULL, tol);
            assert_int_equal(resida_solver_start(r.solver, t0, pendulum_p0, pendulum_v0, NULL, NULL), RESIDA_OK);
            if (begun) assert_int_equal(resida_solver_advance(r.solver, t0 += 0.125), RESIDA_OK);
            double t = t0;
            for (int ulps = 1; ulps <= 1024; ulps *= 2) {
                for (int k = 0; k < ulps; k++) t = nextafter(t, INFINITY);
                resida_status status = resida_solver_advance(r.solver, t);
                if (status != RESIDA_OK) fail_msg("t0 = %g, %d ulp on: %s", t0, ulps, resida_solver_message(r.solver));
                assert_true(test_state(r.solver).t == t);
            }
            assert_int_equal(resida_solver_advance(r.solver, t0 + 0.5), RESIDA_OK);
        }
    scripted_run r;
    scripted_open(&r, NULL, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    for (double t = 1e-320; t < 1; t *= 1e10) assert_int_equal(resida_solver_advance(r.solver, t), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 1), RESIDA_OK);
    assert_true(scripted_error(&r, 1) < 100 * tol);
}

CLAIM(the_stop_time_is_never_stepped_over)
{
    scripted_run r;
    resida_solver_options o = test_solver_options();
    o.t_stop = 0.7;
    for (int dae = 0; dae < 2; dae++) {
        (dae ? scripted_open_dae : scripted_open)(&r, &o, tol);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 0.1), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_STOP_TIME);
        assert_true(resida_solver_message(r.solver)[0] != 0);
        assert_true(test_state(r.solver).t == 0.7 && scripted_error(&r, 0.7) < 100 * tol);
        assert_true(r.script.t_max <= 0.7);
        long before = r.script.total;
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_STOP_TIME); /* still there */
        assert_int_equal(resida_solver_step(r.solver, 2), RESIDA_STOP_TIME);
        assert_int_equal(r.script.total, before);
        assert_int_equal(resida_solver_set_stop_time(r.solver, 0.9), RESIDA_OK); /* moved */
        assert_int_equal(resida_solver_advance(r.solver, 0.8), RESIDA_OK);
        assert_int_equal(resida_solver_advance(r.solver, 0.9), RESIDA_OK); /* asked for, so no news */
        assert_true(test_state(r.solver).t == 0.9 && r.script.t_max <= 0.9);
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_STOP_TIME);
        assert_int_equal(resida_solver_set_stop_time(r.solver, INFINITY), RESIDA_OK); /* removed */
        assert_int_equal(resida_solver_advance(r.solver, 2), RESIDA_OK);
        assert_true(scripted_error(&r, 2) < 100 * tol);
    }
}

CLAIM(steps_end_at_the_stop_time_for_any_stop_time)
{
    scripted_run r;
    scripted_open(&r, NULL, tol);
    for (int i = 1; i <= 200; i++) {
        double stop = 0.0137 * i / 3;
        assert_int_equal(resida_solver_set_stop_time(r.solver, INFINITY), RESIDA_OK);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        assert_int_equal(resida_solver_set_stop_time(r.solver, stop), RESIDA_OK);
        r.script.t_max = 0;
        resida_status status;
        while ((status = resida_solver_step(r.solver, 10)) == RESIDA_OK) assert_true(test_state(r.solver).t < stop);
        assert_int_equal(status, RESIDA_STOP_TIME);
        assert_true(test_state(r.solver).t == stop && r.script.t_max <= stop);
    }
}

CLAIM(a_stop_time_behind_the_internal_step_is_interpolated)
{
    scripted_run r;
    scripted_open(&r, NULL, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    double t = 0, internal = 0;
    do { /* until a step ends far beyond the output */
        assert_int_equal(resida_solver_advance(r.solver, t += 1e-3), RESIDA_OK);
        internal = r.script.t_max;
    } while (internal < t + 2e-3 && t < 2);
    assert_true(internal > t + 1e-3);
    double stop = (t + internal) / 2;
    assert_int_equal(resida_solver_set_stop_time(r.solver, stop), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, internal), RESIDA_STOP_TIME);
    assert_true(scripted_error(&r, stop) < 100 * tol);
    assert_int_equal(resida_solver_set_stop_time(r.solver, INFINITY), RESIDA_OK);
    assert_int_equal(resida_solver_advance(r.solver, 2.5), RESIDA_OK);
    assert_true(scripted_error(&r, 2.5) < 100 * tol);
}

/* What must not depend on the outputs. */
static unsigned long long digest_of_work(const scripted_run *r)
{
    resida_stats s = test_stats(r->solver);
    unsigned long long hash = fnv(scripted_digest(r), &s.steps, sizeof s.steps);
    hash = fnv(hash, &s.residual_calls, sizeof s.residual_calls);
    hash = fnv(hash, &s.newton_iterations, sizeof s.newton_iterations);
    return fnv(hash, &s.setups, sizeof s.setups);
}

static unsigned long long with_outputs(const resida_solver_options *o, int outputs)
{
    const double t_end = 2.5;
    scripted_run r;
    scripted_open(&r, o, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    for (int i = 1; i <= outputs; i++)
        assert_int_equal(resida_solver_advance(r.solver, i < outputs ? t_end * i / outputs : t_end), RESIDA_OK);
    unsigned long long digest = digest_of_work(&r);
    return digest;
}

CLAIM(ten_thousand_outputs_cost_nothing)
{
    resida_solver_options o = test_solver_options();
    o.t_stop = 2.5;
    assert_true(with_outputs(&o, 1) == with_outputs(&o, 10000));
    resida_solver_options_init(&o);
    o.h_first = 1e-4;
    assert_true(with_outputs(&o, 1) == with_outputs(&o, 10000));
    assert_true(with_outputs(&o, 1) == with_outputs(&o, 7));
}

/* Ends of all internal steps, by resida_solver_step(). */
static int walk(double *t, int most)
{
    scripted_run r;
    resida_solver_options o = test_solver_options();
    o.t_stop = 2;
    scripted_open(&r, &o, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    int n = 0;
    resida_status status;
    do {
        assert_true(n < most);
        status = resida_solver_step(r.solver, 5);
        t[n++] = test_state(r.solver).t;
        assert_int_equal(test_stats(r.solver).steps, n);
    } while (status == RESIDA_OK);
    assert_int_equal(status, RESIDA_STOP_TIME);
    assert_true(t[n - 1] == 2);
    return n;
}

/* y' = -y over T from a time whose rounding exceeds the steps. F does not depend on t, hence the error is that of a
 * start at 0. */
CLAIM(the_rounding_of_t_changes_no_result)
{
    static const char *const methods[] = {"bdf", "radau-iia-3"};
    static const double t0[] = {1e13, 1e14, 1e15, 1e16}, T = 2, y0 = 1;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 4; i++)
            for (int by_steps = 0; by_steps < 2; by_steps++) {
                resida_problem *q;
                resida_solver *s;
                resida_dae d = test_dae();
                resida_solver_options o = test_solver_options();
                d.n = 1, d.residual = small_decay;
                o.method = methods[m], o.rtol = o.atol = 1e-8;
                test_solver_make_dae(&q, &s, &d, NULL, &o);
                assert_int_equal(resida_solver_start_dae(s, t0[i], &y0, NULL), RESIDA_OK);
                resida_status status = RESIDA_OK;
                if (by_steps)
                    while (status == RESIDA_OK && test_state(s).t < t0[i] + T)
                        status = resida_solver_step(s, t0[i] + T);
                else
                    status = resida_solver_advance(s, t0[i] + T);
                if (by_steps && status == RESIDA_OK) status = resida_solver_advance(s, t0[i] + T);
                const double y = test_state(s).y[0];
                if (!(status == RESIDA_OK && fabs(y - exp(-T)) < 1e-6))
                    fail_msg("%s from %g, %s: %s, y = %.9g, not %.9g", methods[m], t0[i],
                             by_steps ? "steps" : "advance", resida_solver_message(s), y, exp(-T));
            }
}

/* A pendulum at rest swings, also if the tests of "index3" exclude its velocity. */
CLAIM(a_few_roundings_of_t_move_what_is_at_rest)
{
    const double t0[2] = {0, 1e15}, p0[2] = {1, 0}, v0[2] = {0, 0};
    double p[2][2];
    for (int i = 0; i < 2; i++) {
        resida_problem *q;
        resida_solver *s;
        resida_mechanism m = test_mechanism();
        resida_problem_options po = test_problem_options();
        resida_solver_options o = test_solver_options();
        m.n_p = m.n_v = 2, m.n_g = 1, m.residual = small_particle, m.constraint = small_circle;
        po.form = "index3";
        o.rtol = o.atol = 1e-6;
        test_solver_make(&q, &s, &m, &po, &o);
        assert_int_equal(resida_solver_start(s, t0[i], p0, v0, NULL, NULL), RESIDA_OK);
        assert_int_equal(resida_solver_advance(s, t0[i] + 1), RESIDA_OK);
        memcpy(p[i], test_state(s).p, sizeof p[i]);
    }
    for (int c = 0; c < 2; c++)
        if (!(fabs(p[1][c] - p[0][c]) < 1e-3)) fail_msg("p[%d] = %.9g, not %.9g", c, p[1][c], p[0][c]);
}

CLAIM(step_walks_the_steps_of_advance)
{
    static double t[5000];
    int n = walk(t, 5000);
    scripted_run r;
    resida_solver_options o = test_solver_options();
    o.t_stop = 2;
    scripted_open(&r, &o, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    for (int i = 0; i < n; i++) {
        assert_int_equal(resida_solver_advance(r.solver, t[i]), RESIDA_OK);
        assert_int_equal(test_stats(r.solver).steps, i + 1); /* each end of a step is reached by that very step */
    }
}

/* 1 if the state is another one than at the last question: y goes with t. */
static int scripted_moves(const scripted_run *r)
{
    static double last[PENDULUM_N];
    int moves = memcmp(last, test_state(r->solver).y, sizeof last) != 0;
    memcpy(last, test_state(r->solver).y, sizeof last);
    return moves;
}

CLAIM(a_step_cut_short_by_the_caller_is_finished_by_the_next)
{
    static double t[5000];
    int n = walk(t, 5000);
    resida_solver_options o = test_solver_options();
    o.t_stop = 2;
    for (int by_step = 0; by_step < 2; by_step++) {
        scripted_run r;
        scripted_open(&r, &o, tol);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        for (int i = 0; i < n; i++) {
            double from = i ? t[i - 1] : 0, middle = from + 0.6 * (t[i] - from);
            assert_int_equal(resida_solver_step(r.solver, middle), RESIDA_OK);
            assert_true(test_state(r.solver).t == middle && scripted_moves(&r));
            resida_status status = by_step ? resida_solver_step(r.solver, 5) : resida_solver_advance(r.solver, t[i]);
            assert_int_equal(status, by_step && i == n - 1 ? RESIDA_STOP_TIME : RESIDA_OK);
            assert_true(test_state(r.solver).t == t[i] && scripted_moves(&r));
            assert_int_equal(test_stats(r.solver).steps, i + 1);
        }
        assert_true(scripted_error(&r, 2) < 100 * tol);
    }
}

/* Largest difference of x and y, relative to 1 + |x|. */
static double difference(const double *x, const double *y, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i] - y[i]) / (1 + fabs(x[i])));
    return largest;
}

/* IDA interpolates its outputs by another formula than derivatives at any time: equal but for rounding, of which y'
 * gets 1/h times as much. */
CLAIM(outputs_and_interpolation_agree)
{
    static double t[5000];
    double y[PENDULUM_N], yp[PENDULUM_N];
    int n = walk(t, 5000);
    scripted_run walker, sprinter;
    resida_solver_options o = test_solver_options();
    o.t_stop = 2;
    scripted_open(&walker, &o, tol);
    scripted_open(&sprinter, &o, tol);
    assert_int_equal(scripted_start(&walker), RESIDA_OK);
    assert_int_equal(scripted_start(&sprinter), RESIDA_OK);
    assert_int_equal(resida_solver_interpolate(walker.solver, 0, y, yp), RESIDA_OK); /* the start itself */
    assert_memory_equal(y, test_state(walker.solver).y, sizeof y);
    for (int i = 0; i < n; i++) {
        double from = i ? t[i - 1] : 0, middle = from + 0.3 * (t[i] - from);
        assert_int_equal(resida_solver_advance(sprinter.solver, middle), RESIDA_OK);
        assert_true(resida_solver_step(walker.solver, 5) >= 0);
        assert_int_equal(resida_solver_interpolate(walker.solver, middle, y, yp), RESIDA_OK);
        assert_true(difference(y, test_state(sprinter.solver).y, PENDULUM_N) < 1e-13);
        assert_true(difference(yp, test_state(sprinter.solver).yp, PENDULUM_N) < 1e-15 + 1e-14 / (t[i] - from));
        assert_int_equal(resida_solver_interpolate(walker.solver, from, y, yp), RESIDA_OK);
        assert_int_equal(resida_solver_interpolate(walker.solver, t[i], y, yp), RESIDA_OK);
    }
}

CLAIM(interpolation_outside_the_last_step_is_refused)
{
    scripted_run r;
    double y[PENDULUM_N] = {7}, yp[PENDULUM_N] = {7};
    scripted_open(&r, NULL, tol);
    assert_int_equal(scripted_start(&r), RESIDA_OK);
    for (int i = 0; i < 20; i++) assert_int_equal(resida_solver_step(r.solver, 5), RESIDA_OK);
    double h = test_stats(r.solver).h, t = test_state(r.solver).t;
    const double outside[] = {t + 0.01 * h, t - 1.01 * h, t + 1, 0, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        contract c;
        contract_begin(&c, r.solver);
        contract_keep(&c, y, sizeof y);
        contract_keep(&c, yp, sizeof yp);
        resida_status status = resida_solver_interpolate(r.solver, outside[i], y, yp);
        check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
        assert_int_equal(status, RESIDA_ERR_ARGUMENT);
    }
    assert_int_equal(resida_solver_start(r.solver, t - h / 2, pendulum_p0, pendulum_v0, NULL, NULL), RESIDA_OK);
    assert_int_equal(resida_solver_interpolate(r.solver, t - h / 4, y, yp), RESIDA_ERR_ARGUMENT); /* of the old run */
}

/* Everything that the child runs: many outputs of the two scripted models and of a chain of 15 rods (90 unknowns). */
static unsigned long long digest_of_everything(void)
{
    unsigned long long hash = FNV_BEGIN;
    void (*const open[])(scripted_run *, const resida_solver_options *,
                         double) = {scripted_open, scripted_open_explicit, scripted_open_dae};
    for (int model = 0; model < 3; model++) {
        scripted_run r;
        open[model](&r, NULL, tol);
        assert_int_equal(scripted_start(&r), RESIDA_OK);
        for (int i = 1; i <= 100; i++) {
            assert_int_equal(resida_solver_advance(r.solver, 0.02 * i), RESIDA_OK);
            unsigned long long now = scripted_digest(&r);
            hash = fnv(hash, &now, sizeof now);
        }
    }
    run_result chain = run_model((run_order){
        .model = "chain-cartesian", .settings = {{"n", 15}}, .t_end = 0.5, .outputs = 20, .rtol = 1e-5, .atol = 1e-5});
    assert_int_equal(chain.status, RESIDA_OK);
    hash = fnv(hash, chain.p, (size_t)chain.outputs * (size_t)chain.n_p * sizeof *chain.p);
    hash = fnv(hash, chain.lam, (size_t)chain.n_l * sizeof *chain.lam);
    return hash;
}

/* One run of this program in an environment; the decimal point of its locale in *point. */
static unsigned long long digest_in(const char *environment, char *point)
{
    char command[4000], line[100] = "";
    unsigned long long digest = 0;
    snprintf(command, sizeof command, "%s '%s' --digest", environment, program);
    FILE *child = popen(command, "r");
    assert_non_null(child);
    while (fgets(line, sizeof line, child) && sscanf(line, "digest %llx %c", &digest, point) != 2) continue;
    assert_int_equal(pclose(child), 0);
    return digest;
}

CLAIM(twenty_runs_give_one_digest)
{
    static const char *const threads[] = {"OMP_NUM_THREADS=1", "OMP_NUM_THREADS=2", "OMP_NUM_THREADS=8",
                                          "OPENBLAS_NUM_THREADS=4 OMP_NUM_THREADS=5"};
    char environment[400], point = 0;
    test_comma_locale(test_folder());
    const char *comma = claims_text("LC_ALL= LANG=C LOCPATH='%s' LC_NUMERIC=comma", test_folder());
    unsigned long long first = digest_in("", &point);
    assert_true(first != 0 && point == '.');
    for (int i = 0; i < 20; i++) {
        int has_comma = i % 2;
        snprintf(environment, sizeof environment, "%s %s", threads[i % 4], has_comma ? comma : "LC_ALL=C");
        unsigned long long digest = digest_in(environment, &point);
        if (digest != first) fail_msg("%s: digest %llx, not %llx", environment, digest, first);
        assert_true(point == (has_comma ? ',' : '.'));
    }
    print_message("same bits: 21 runs, threads 1 to 8, 2 locales, digest %llx\n", first);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc == 2 && strcmp(argv[1], "--digest") == 0) {
        setlocale(LC_ALL, "");
        claims_begin(NULL, NULL);
        printf("digest %llx %s\n", digest_of_everything(), localeconv()->decimal_point);
        return claims_end(NULL, NULL);
    }
    return claims_run(NULL, NULL);
}
