/* test_exponentials.c - algebraic equations with exponentials: circuits and kinetics (exponentials.h) are right at any
 * tolerance, or end by name. The oracle is the same model at 1e-10 with the strategy "dense". */
#include "exponentials.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

#define PI 3.14159265358979323846
enum { OUTPUTS = 40, MODELS = 200 }; /* RESIDA_EXPONENTIALS: so many models in place of these */
#define RIGHT 100 /* tolerances: errors of steps add up, and a rectifier takes a phase error for one of a voltage */

static double states[OUTPUTS][EXPONENTIALS_MAX], wanted[OUTPUTS][EXPONENTIALS_MAX];

static resida_status run(const exponentials *m, const char *strategy, double tolerance, double (*y)[EXPONENTIALS_MAX],
                         resida_message *why)
{
    resida_dae d = test_dae();
    resida_solver_options o = test_solver_options();
    d.n = m->n;
    d.kinds = m->kinds;
    d.residual = m->residual;
    d.user = (void *)m;
    o.rtol = o.atol = tolerance;
    o.jacobian = strategy;
    resida_solver *s = test_solver_dae(&d, NULL, &o);
    resida_status status = resida_solver_start_dae(s, 0, m->y0, NULL);
    for (int k = 0; k < OUTPUTS && status >= 0; k++) {
        status = resida_solver_advance(s, m->t_end * (k + 1) / OUTPUTS);
        memcpy(y[k], test_state(s).y, (size_t)m->n * sizeof **y);
    }
    snprintf(why->text, sizeof why->text, "%s", resida_solver_message(s));
    return status;
}

/* The largest error of any output, in tolerances of the largest value. */
static double error_in_tolerances(const exponentials *m, double tolerance)
{
    double worst = 0;
    for (int i = 0; i < m->n; i++) {
        double size = 0, error = 0;
        for (int k = 0; k < OUTPUTS; k++) {
            size = fmax(size, fabs(wanted[k][i]));
            error = fmax(error, fabs(states[k][i] - wanted[k][i]));
        }
        worst = fmax(worst, error / (tolerance * (1 + size)));
    }
    return worst;
}

static unsigned n_models(void)
{
    const char *said = getenv("RESIDA_EXPONENTIALS");
    return said ? (unsigned)atoi(said) : MODELS;
}

/* The largest change of an output for a change of the start, of a component with y', both in the same tolerances:
 * an ignition amplifies every error of the steps before it. `states` are lost. */
static double amplification(exponentials m)
{
    const double change = 1e-6;
    resida_message why;
    double most = 1;
    for (int i = 0; i < m.n; i++) {
        const double y0 = m.y0[i];
        if (m.kinds[i] != RESIDA_DIFFERENTIAL) continue;
        m.y0[i] += change * (1 + fabs(y0));
        if (run(&m, "dense", 1e-10, states, &why) < 0) fail_msg("%s", why.text);
        m.y0[i] = y0;
        most = fmax(most, error_in_tolerances(&m, change));
    }
    return most;
}

/* A tolerance, the number of models of MODELS that may fail, and of those that do. */
typedef struct level {
    double tolerance;
    int max_failed, failed;
} level;

/* Count the runs that fail, as far as levels [n] allow; none is wrong. */
static void run_models(exponentials (*model)(unsigned), const char *strategy, int n, level *levels)
{
    resida_message why;
    for (unsigned seed = 0; seed < n_models(); seed++) {
        const exponentials m = model(seed);
        if (run(&m, "dense", 1e-10, wanted, &why) < 0) fail_msg("model %u at 1e-10: %s", seed, why.text);
        for (level *l = levels; l < levels + n; l++) {
            if (run(&m, strategy, l->tolerance, states, &why) < 0) {
                l->failed++;
                continue;
            }
            const double error = error_in_tolerances(&m, l->tolerance);
            if (!(error <= RIGHT) && !(error <= RIGHT * amplification(m)))
                fail_msg("model %u, %s, %g: %g tolerances", seed, strategy, l->tolerance, error);
        }
    }
    for (const level *l = levels; l < levels + n; l++) {
        print_message("  %g: %d of %u models fail\n", l->tolerance, l->failed, n_models());
        if (MODELS * l->failed > l->max_failed * (int)n_models()) fail_msg("%g: %d fail", l->tolerance, l->failed);
    }
}

/* Of these 200, IDA fails in 123, DASSL in 112 and RADAU5 in 101 at 1e-2; in 89, 86 and 77 at 3e-3; in 58, 63 and 68 at
 * 1e-3; in 16, 19 and 35 at 1e-4; in 10, 10 and 15 at 1e-6. Wrong are 10, 11 and 77 of these runs. */
static void run_circuits(const char *strategy, int max_at_3e_3)
{
    level levels[] = {{1e-2, 25, 0}, {3e-3, max_at_3e_3, 0}, {1e-3, 2, 0}, {1e-4, 0, 0}, {1e-6, 0, 0}};
    run_models(exponentials_circuit, strategy, 5, levels);
}

CLAIM(circuits_are_right_at_tolerances_of_a_hundredth_to_a_millionth)
{
    run_circuits("auto", 4);
}

CLAIM(circuits_are_right_where_J_is_kept)
{
    run_circuits("dense", 8); /* 4 by gcc, 5 by clang */
}

/* In some, a tolerance at the start makes 20 to 250 at an ignition: there IDA and DASSL err by 100 to 1,100, too. */
CLAIM(kinetics_are_right_at_tolerances_of_a_hundredth_to_a_hundred_millionth)
{
    level levels[] = {{1e-2, 0, 0}, {1e-3, 0, 0}, {1e-4, 0, 0}, {1e-6, 0, 0}, {1e-8, 0, 0}};
    run_models(exponentials_kinetics, "auto", 5, levels);
}

/* --- A source of 10 V, 100 ohm, a diode, a capacitor with a load of 1 kohm --- */

static int rectify(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    r[0] = 1e-4 * yp[0] - y[1] + y[0] / 1e3;
    r[1] = y[1] - 1e-14 * expm1(fmin(y[2] / 0.027, 600));
    r[2] = 10 * sin(2 * PI * 500 * t) - y[2] - 100 * y[1] - y[0];
    return 0;
}

static const exponentials rectifier = {
    .n = 3, .kinds = {RESIDA_DIFFERENTIAL, RESIDA_ALGEBRAIC, RESIDA_ALGEBRAIC}, .t_end = 0.02, .residual = rectify};

/* Where it fails, it names an atol. */
CLAIM(no_voltage_exceeds_that_of_the_source)
{
    static const char *const strategies[] = {"auto", "fresh", "sparse", "dense"};
    static const double tolerances[] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-6};
    resida_message why;
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 7; k++) {
            if (run(&rectifier, strategies[j], tolerances[k], states, &why) < 0) {
                if (!strstr(why.text, "try an atol of")) fail_msg("%s", why.text);
                continue;
            }
            for (int at = 0; at < OUTPUTS; at++)
                if (!(fabs(states[at][0]) < 10)) fail_msg("%s, %g: %g V", strategies[j], tolerances[k], states[at][0]);
        }
}

CLAIM(a_rectifier_runs_at_usual_tolerances)
{
    resida_message why;
    assert_int_equal(run(&rectifier, "dense", 1e-10, wanted, &why), RESIDA_OK);
    for (int digits = 2; digits <= 8; digits++) {
        assert_int_equal(run(&rectifier, "auto", pow(10, -digits), states, &why), RESIDA_OK);
        assert_true(error_in_tolerances(&rectifier, pow(10, -digits)) < RIGHT);
    }
}
