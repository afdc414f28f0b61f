/* test_linearize_response.c - frequency responses beside closed forms, and what is refused. */
#include <complex.h>

#include "linear_fixture.h"
#include "test/fixtures/solver_fixture.h"

typedef double complex number;

static const double two_pi = 6.283185307179586476925, close_to = 1e-8;

/* --- A mass on a spring and a damper whose foot p0 = u moves: m p1'' = -k (p1 - p0) - d (p1' - p0') --- */

typedef struct carried {
    double m, k, d;
    int is_free; /* 1: the spring is missing */
} carried;

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const carried *c = user;
    const double f = (c->is_free ? 0 : c->k * (p[1] - p[0])) + c->d * (v[1] - v[0]);
    r[0] = a[0] - f, r[1] = c->m * a[1] + f;
    return 0;
}

static int foot(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[0] - e->u[0];
    return 0;
}

static int foot_rate(double t, const double *p, const resida_excitation *e, double *out, void *user)
{
    out[0] = -e->ud[0];
    return 0;
}

static int foot_bias(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    out[0] = -e->udd[0];
    return 0;
}

static int still(double t, double *u, double *ud, double *udd, void *user)
{
    const int n = user ? 1 : 2;
    for (int i = 0; i < n; i++) u[i] = ud[i] = udd[i] = 0;
    return 0;
}

static void open_carried(linear *x, carried *c)
{
    static const double zero[] = {0, 0};
    resida_mechanism m = test_mechanism();
    m.n_p = m.n_v = 2, m.n_g = 1, m.n_u = 1, m.user = c;
    m.residual = residual, m.constraint = foot, m.velocity_bias = foot_rate, m.acceleration_bias = foot_bias;
    m.excitation = still;
    linear_open(x, &m, RESIDA_FORMALISM_AUTO, 0, zero, zero);
}

/* y = p, v: p1 = (k + d s)/(m s^2 + d s + k) u, and p0 = u itself. */
CLAIM(a_carried_mass_follows_its_foot)
{
    static const double frequency[] = {0, 0.01, 0.5, 0.7117625434171772, 3, 1000};
    enum { N = sizeof frequency / sizeof *frequency, OUTPUTS = 4 };
    carried c = {2, 40, 0.3, 0};
    double re[N * OUTPUTS], im[N * OUTPUTS];
    linear x;
    resida_message why;
    open_carried(&x, &c);
    assert_int_equal(x.model.n_outputs, OUTPUTS);
    assert_int_equal(resida_linearization_response(x.l, 0, N, frequency, re, im, &why), RESIDA_OK);
    for (int k = 0; k < N; k++) {
        const number s = I * two_pi * frequency[k], H = (c.k + c.d * s) / (c.m * s * s + c.d * s + c.k);
        const number expected[OUTPUTS] = {1, H, s, s * H};
        for (int i = 0; i < OUTPUTS; i++) {
            const number Y = re[OUTPUTS * k + i] + I * im[OUTPUTS * k + i];
            if (!(cabs(Y - expected[i]) <= close_to * cabs(expected[i])))
                fail_msg("%g Hz, output %d: off by %.2e of %.2e", frequency[k], i, cabs(Y - expected[i]),
                         cabs(expected[i]));
        }
    }
}

CLAIM(where_there_is_no_response_the_frequency_is_named)
{
    carried free = {1, 0, 0, 1}, undamped = {1, 16, 0, 0};
    double re[8], im[8];
    const double at_rest[] = {2, 0}, own = 4 / two_pi;
    linear x;
    resida_message why;
    open_carried(&x, &free);
    assert_int_equal(resida_linearization_response(x.l, 0, 2, at_rest, re, im, &why), RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(why.text, "at 0 Hz"));
    assert_non_null(strstr(why.text, "a direction has no stiffness"));
    open_carried(&x, &undamped);
    assert_int_equal(resida_linearization_response(x.l, 0, 1, &own, re, im, &why), RESIDA_ERR_SINGULAR);
    assert_non_null(strstr(why.text, "a mode without damping"));
    assert_non_null(strstr(why.text, "0.636619772 Hz"));
}

/* --- A ladder of resistances and capacities: c y_i' = (y_(i-1) - y_i)/r - (y_i - y_(i+1))/r, y_0 = u, open at its end.
 * Excitations are two, of which only the second one acts. --- */

enum { LADDER = 20000 };
static const double r_ladder = 2e-5, c_ladder = 3e-4;

static int ladder(double t, const double *y, const double *yp, const resida_excitation *e, double *out, void *user)
{
    for (int i = 0; i < LADDER; i++) {
        const double before = i > 0 ? y[i - 1] : e->u[1], behind = i + 1 < LADDER ? y[i + 1] : y[i];
        out[i] = c_ladder * yp[i] - (before - 2 * y[i] + behind) / r_ladder;
    }
    return 0;
}

/* From a voltage of 1 at the end back to the one at the begin. */
static number end_of_ladder(number s)
{
    number y = 1, current = 0; /* of an unknown, and through the resistance before it */
    for (int i = 0; i < LADDER; i++) {
        current += c_ladder * s * y;
        y += r_ladder * current;
    }
    return 1 / y;
}

CLAIM(a_ladder_of_20000_unknowns_uses_sparse_factors)
{
    static const double frequency[] = {0, 0.01, 0.1, 1};
    enum { N = sizeof frequency / sizeof *frequency };
    int *row = claims_zeros(LADDER + 1, sizeof *row), *column = claims_zeros(3 * LADDER, sizeof *column), n = 0;
    double *y = claims_zeros(LADDER, sizeof *y), *re = claims_zeros(N * LADDER, sizeof *re),
           *im = claims_zeros(N * LADDER, sizeof *im);
    for (int i = 0; i < LADDER; i++) {
        row[i] = n;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < LADDER; j++) column[n++] = j;
    }
    row[LADDER] = n;
    resida_dae d = test_dae();
    resida_problem *problem;
    resida_linearization *l;
    resida_message why = {""};
    d.n = LADDER, d.n_u = 2, d.residual = ladder, d.excitation = still;
    d.J_pattern = (resida_pattern){row, column};
    assert_int_equal(resida_problem_create_dae(&problem, &d, NULL, &why), RESIDA_OK);
    if (resida_linearize(&l, problem, 0, y, y, &why) < 0) fail_msg("%s", why.text);
    if (resida_linearization_response(l, 1, N, frequency, re, im, &why) < 0) fail_msg("%s", why.text);
    for (int k = 0; k < N; k++) {
        const number expected = end_of_ladder(I * two_pi * frequency[k]);
        const long last = (long)(k + 1) * LADDER - 1;
        if (!(cabs(re[last] + I * im[last] - expected) < 1e-7 * cabs(expected)))
            fail_msg("%g Hz: %.10g%+.10gi, expected %.10g%+.10gi", frequency[k], re[last], im[last], creal(expected),
                     cimag(expected));
    }
    assert_true(hypot(re[4L * LADDER - 1], im[4L * LADDER - 1]) < 0.5);
    assert_int_equal(resida_linearization_response(l, 0, 1, frequency + 1, re, im, &why), RESIDA_OK);
    assert_true(re[LADDER - 1] == 0 && im[LADDER - 1] == 0);
    resida_linearization_free(l);
    resida_problem_free(problem);
}
