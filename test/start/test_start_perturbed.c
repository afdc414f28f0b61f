/* test_start_perturbed.c - inconsistent starts: 500 random perturbations of three models, from far below tolerances to
 * far away, are projected onto the constraints with norms reported, or refused with nothing changed.
 *
 * "Onto" means to rounding: g = |d|^2 - l^2 of positions of size P rounds to some eps P^2, G v + gI to some eps P V;
 * ROUNDING leaves a factor of 1000 for conditions and sums. */
#include "test/fixtures/oracle.h"
#include "start_fixture.h"

#define ROUNDING (1000 * DBL_EPSILON)

enum { TRIALS = 500, N_SIZES = 10 };

static const bench_setting chain[] = {{"n", 6}, {"alpha0", 0.7}, {"omega", 2}, {NULL, 0}};

/* What became of the perturbations. */
typedef struct outcome {
    int projected, inconsistent, other, moved_again;
    double g, gv;         /* largest after projection, in units of rounding */
    double off_direction; /* how far M dv is off the range of G', likewise */
    double largest;       /* perturbation that was projected */
} outcome;

static double max_norm(int n, const double *x)
{
    return bench_largest(n, x);
}

/* Norms are what the model says at the points that they belong to: g at p0 and p, G v + gI at p with v0 and v. The
 * last one is rounding, and can be told only by the library's own sum. */
static void check_norms(starter *s, double t, const double *p0, const double *v0, outcome *o)
{
    double g[START_MAX], rate[START_MAX], size_p = 1 + max_norm(s->n_p, s->p), size_v = 1 + max_norm(s->n_v, s->v);
    bench_at(&s->b, t);
    bench_g(&s->b, p0, g);
    assert_true(s->report.g_before == max_norm(s->n_g, g));
    bench_g(&s->b, s->p, g);
    assert_true(s->report.g_after == max_norm(s->n_g, g));
    o->g = fmax(o->g, s->report.g_after / (DBL_EPSILON * size_p * size_p));
    bench_g_rate(&s->b, s->p, v0, rate);
    bench_near(s->report.gv_before, max_norm(s->n_g, rate), 1e-14 * size_p * (1 + max_norm(s->n_v, v0)));
    assert_int_equal(resida_problem_constraints(s->problem, t, s->p, s->v, NULL, rate), RESIDA_OK);
    assert_true(s->report.gv_after == max_norm(s->n_g, rate));
    bench_g_rate(&s->b, s->p, s->v, rate);
    o->gv = fmax(o->gv, max_norm(s->n_g, rate) / (DBL_EPSILON * size_p * size_v));
}

static void check_changes(const starter *s, const double *p0, const double *v0)
{
    double p_change = 0, v_change = 0;
    for (int i = 0; i < s->n_p; i++) p_change = fmax(p_change, fabs(s->p[i] - p0[i]));
    for (int i = 0; i < s->n_v; i++) v_change = fmax(v_change, fabs(s->v[i] - v0[i]));
    assert_true(s->report.p_change == p_change && s->report.v_change == v_change);
}

/* M (v - v0) is G' mu for some mu. */
static void check_direction(starter *s, const double *v0, outcome *o)
{
    double M[START_MAX * START_MAX], G[START_MAX * START_MAX], dv[START_MAX], Mdv[START_MAX] = {0};
    bench_mass(&s->b, s->p, M);
    bench_G(&s->b, s->p, G);
    for (int i = 0; i < s->n_v; i++) dv[i] = s->v[i] - v0[i];
    for (int i = 0; i < s->n_v; i++)
        for (int j = 0; j < s->n_v; j++) Mdv[i] += M[i * s->n_v + j] * dv[j];
    double off = oracle_off_span(s->n_g, s->n_v, G, Mdv) * max_norm(s->n_v, Mdv);
    double size = max_norm(s->n_v * s->n_v, M) * (1 + max_norm(s->n_v, v0)); /* dv is a difference of v and v0 */
    o->off_direction = fmax(o->off_direction, off / (DBL_EPSILON * size));
}

/* What was made consistent is left as it is, to the last bit. */
static void check_again(starter *s, double t, outcome *o)
{
    double p[START_MAX], v[START_MAX];
    memcpy(p, s->p, sizeof p);
    memcpy(v, s->v, sizeof v);
    assert_int_equal(starter_start(s, t, p, v, NULL), RESIDA_OK);
    int same = memcmp(p, s->p, (size_t)s->n_p * sizeof *p) == 0 && memcmp(v, s->v, (size_t)s->n_v * sizeof *v) == 0;
    o->moved_again += !same;
    assert_int_equal(same, s->report.p_change == 0 && s->report.v_change == 0);
}

static outcome perturb(const char *model, const bench_setting *settings, resida_formalism formalism)
{
    starter s;
    outcome o = {0};
    uint64_t seed = 11;
    starter_open(&s, model, settings, formalism);
    for (int k = 0; k < TRIALS; k++) {
        double p0[START_MAX], v0[START_MAX], size = pow(10, k % N_SIZES - 8), t = k % 3 ? 0 : 0.25;
        for (int i = 0; i < s.n_p; i++) p0[i] = s.b.model.p0[i] + size * bench_random(&seed);
        for (int i = 0; i < s.n_v; i++) v0[i] = s.b.model.v0[i] + size * bench_random(&seed);
        resida_status status = starter_start(&s, t, p0, v0, NULL); /* checks that nothing changed after a failure */
        o.projected += status == RESIDA_OK;
        o.inconsistent += status == RESIDA_ERR_INCONSISTENT;
        o.other += status != RESIDA_OK && status != RESIDA_ERR_INCONSISTENT;
        if (status != RESIDA_OK) continue;
        o.largest = fmax(o.largest, size);
        check_norms(&s, t, p0, v0, &o);
        check_changes(&s, p0, v0);
        check_direction(&s, v0, &o);
        check_again(&s, t, &o);
    }
    print_message("%s, %s: %d projected (up to %g away), %d refused; |g| <= %.2g, |gv| <= %.2g eps; M dv off range(G') "
                  "by %.2g eps; changed again: %d\n",
                  model, resida_problem_formalism(s.problem), o.projected, o.largest, o.inconsistent, o.g, o.gv,
                  o.off_direction, o.moved_again);
    return o;
}

static void check_outcome(const char *model, const bench_setting *settings)
{
    for (int f = 1; f <= 2; f++) {
        outcome o = perturb(model, settings, (resida_formalism)f);
        assert_int_equal(o.other, 0);
        assert_int_equal(o.projected + o.inconsistent, TRIALS);
        assert_true(o.projected >= TRIALS * 8 / 10); /* whatever is less than 0.1 away */
        assert_true(o.g * DBL_EPSILON < ROUNDING && o.gv * DBL_EPSILON < ROUNDING);
        assert_true(o.off_direction * DBL_EPSILON < ROUNDING);
        assert_int_equal(o.moved_again, 0);
    }
}

CLAIM(perturbed_pendulum_is_projected_or_refused)
{
    check_outcome("pendulum", NULL);
}

CLAIM(perturbed_slider_crank_is_projected_or_refused)
{
    check_outcome("slider-crank", NULL);
}

CLAIM(perturbed_chain_on_a_moving_support_is_projected_or_refused)
{
    check_outcome("chain-cartesian", chain);
}
