/* test_redundant_friction.c - a slab on three supports, two of which are enough: what they carry together is known,
 * what each of them carries is not. Where friction depends on a part that is not, a warning names the supports in
 * question, whichever is dropped; else there is none, and the slab slides as far as it should.
 *
 *     m x'' = -mu |s' lam|, m y'' = -m g0 - sum lam_i, I phi'' = -m g0 c - sum d_i lam_i, g_i = y + d_i phi
 *
 * with supports at d_i, the centre of mass at c, and friction by the forces s_i lam_i, as long as it slides. */
#include "test/fixtures/check_contract.h"
#include "test/fixtures/solver_fixture.h"

#define GRAVITY 9.81 /* m/s^2 */
#define MU      0.3
#define V_0     4.0 /* m/s: it slides on for longer than T_END */
#define T_END   1.0

enum { N = 3 };

typedef struct slab {
    double d[N], s[N], c; /* [m], [1], [m] */
    const char *names[N];
    double carried;     /* |s' lam| over the weight, where that is known; else NAN */
    const char *shared; /* by whom it is carried, in the order of the names, where it is not */
} slab;

static const slab slabs[] = {
    {{-1, 0, 1}, {1, 0, 0}, 0, {"left", "middle", "right"}, NAN, " left, middle, right,"},
    {{0, 1, -1}, {1, 0, 0}, 0, {"left", "middle", "right"}, NAN, " left, middle, right,"},
    {{-1, 1, 0}, {0, 0, 1}, 0, {"left", "middle", "right"}, NAN, " left, middle, right,"},
    {{-1, 0, 1}, {0, 1, 0}, 0, {"left", "middle", "right"}, NAN, " left, middle, right,"},
    {{0, 0, 1}, {1, 0, 0}, 0.25, {"left", "middle", "right"}, NAN, " left, middle,"},
    {{0, 1, 0}, {0, 0, 1}, 0.25, {"left", "middle", "right"}, NAN, " left, right,"},
    {{-1, 0, 1}, {1, 1, 1}, 0, {"left", "middle", "right"}, 1, NULL},
    {{0, 0, 1}, {0, 0, 1}, 0.25, {"left", "middle", "right"}, 0.25, NULL},
    {{1, 0, 0}, {1, 0, 0}, 0.25, {"left", "middle", "right"}, 0.25, NULL},
};
enum { N_SLABS = sizeof slabs / sizeof *slabs };

static double friction(const slab *k, const double *lam)
{
    double sum = 0;
    for (int i = 0; i < N; i++) sum += k->s[i] * lam[i];
    return MU * fabs(sum);
}

/* m = 1 kg, I = 1 kg m^2. */
static int residual(double t, const double *p, const double *v, const double *a, const double *lam,
                    const resida_excitation *e, double *r, void *user)
{
    const slab *k = user;
    r[0] = a[0] + friction(k, lam);
    r[1] = a[1] + GRAVITY;
    r[2] = a[2] + GRAVITY * k->c;
    return 0;
}

static int acceleration(double t, const double *p, const double *v, const double *f, const double *lam,
                        const resida_excitation *e, double *a, void *user)
{
    static const double none[N] = {0};
    double r[N];
    const int verdict = residual(t, p, v, none, lam, e, r, user);
    for (int i = 0; i < N; i++) a[i] = f[i] - r[i];
    return verdict;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    for (int i = 0; i < N; i++) g[i] = p[1] + ((const slab *)user)->d[i] * p[2];
    return 0;
}

/* A run; warnings [size] in one line. @return x at its end */
static double slide(const slab *k, int formalism, const char *form, const char *strategy, char *warnings, size_t size)
{
    static const double p0[N] = {0}, v0[N] = {V_0};
    slab own = *k;
    resida_mechanism m = test_mechanism();
    resida_problem_options po = test_problem_options();
    resida_solver_options so = test_solver_options();
    resida_start_options start = test_start_options();
    m.n_p = m.n_v = m.n_g = N, m.user = &own, m.g_names = own.names;
    if (formalism == RESIDA_FORMALISM_EXPLICIT)
        m.acceleration_lam = acceleration;
    else
        m.residual_lam = residual;
    m.constraint = constraint;
    po.form = form, so.jacobian = strategy, so.rtol = so.atol = 1e-6;
    start.redundant = RESIDA_REDUNDANT_DROP;
    resida_solver *s = test_solver(&m, &po, &so);
    assert_int_equal(resida_solver_start(s, 0, p0, v0, &start, NULL), RESIDA_OK);
    if (resida_solver_advance(s, T_END) < 0) fail_msg("%s", resida_solver_message(s));
    const double x = test_state(s).p[0];
    resida_stats stats = test_stats(s);
    warnings[0] = 0;
    for (int i = 0; i < stats.n_warnings; i++) {
        strncat(warnings, stats.warnings[i], size - strlen(warnings) - 1);
        strncat(warnings, ";", size - strlen(warnings) - 1);
    }
    return x;
}

CLAIM(friction_of_a_redundant_support_is_a_warning_that_names_it)
{
    static const char *const strategies[] = {"auto", "dense"}, *const forms[] = {"ggl", "index2", "index1"};
    char says[4 * RESIDA_MESSAGE_SIZE];
    for (int i = 0; i < N_SLABS * 2 * 3 * 2; i++) {
        const slab *k = &slabs[i % N_SLABS];
        const char *strategy = strategies[i / N_SLABS % 2], *form = forms[i / N_SLABS / 2 % 3];
        const int formalism = i / N_SLABS / 6 ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
        const double x = slide(k, formalism, form, strategy, says, sizeof says);
        const double right = V_0 * T_END - MU * k->carried * GRAVITY * T_END * T_END / 2;
        if (k->shared ? !strstr(says, k->shared) || !strstr(says, "_lam: at t = ") : says[0] != 0)
            fail_msg("slab %d, %s, %s, formalism %d: x = %g, '%s'", i % N_SLABS, form, strategy, formalism, x, says);
        if (!k->shared) assert_float_equal(x, right, 1e-5);
    }
}
