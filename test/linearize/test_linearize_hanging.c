/* test_linearize_hanging.c - rods that hang one from the other, in absolute coordinates without derivatives: their
 * equilibrium is neutral, and their modes are those of the pendulum in angles that they are, by LAPACK's dsygv. With
 * balls each of these is there twice, and each rod turns freely about its axis. */
#include "hanging.h"
#include "linear_fixture.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

extern void dsygv_(const int *, const char *, const char *, const int *, double *, const int *, double *, const int *,
                   double *, double *, const int *, int *, unsigned long, unsigned long);

enum { RODS = 8 };
static const double curved = 1e-6; /* of a frequency: what second differences of g leave */

/* 0 .. 1 */
static double uniform(uint64_t *state)
{
    return (bench_random(state) + 1) / 2;
}

/* Masses and lengths within a factor of 10. */
static hanging rods(hanging_kind kind, int n, uint64_t seed)
{
    hanging h = {.kind = kind, .n = n, .x = 12.345, .spin = kind == HANGING_BALLS ? 0.7 : 0};
    for (int i = 0; i < n; i++) {
        h.mass[i] = pow(10, uniform(&seed) - 0.5);
        h.length[i] = pow(10, uniform(&seed) - 0.5);
    }
    return h;
}

static void find_reference(const hanging *h, double *om)
{
    enum { WORK = 40 * HANGING_MAX };
    double M[HANGING_MAX * HANGING_MAX], K[HANGING_MAX * HANGING_MAX], work[WORK];
    const int one = 1, size = WORK;
    int info;
    hanging_small(h, M, K);
    dsygv_(&one, "N", "U", &h->n, K, &h->n, M, &h->n, om, work, &size, &info, 1, 1);
    assert_int_equal(info, 0);
    for (int i = 0; i < h->n; i++) om[i] = sqrt(om[i]);
}

static void has_modes_of_angles(hanging_kind kind, int n, uint64_t seed)
{
    double p0[7 * HANGING_MAX], om[HANGING_MAX];
    const double v0[6 * HANGING_MAX] = {0};
    hanging h = rods(kind, n, seed);
    const resida_mechanism m = hanging_mechanism(&h, p0);
    const int each = kind == HANGING_BALLS ? 2 : 1;
    linear x;
    find_reference(&h, om);
    linear_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0);
    assert_int_equal(x.modes.n, each * n);
    assert_int_equal(x.modes.n_zero, kind == HANGING_BALLS ? 2 * n : 0);
    assert_int_equal(x.modes.n_lost, 0);
    for (int k = 0; k < x.modes.n; k++) {
        bench_near(x.modes.im[k], om[k / each], curved * om[k / each]);
        bench_near(x.modes.re[k], 0, curved * om[k / each]);
    }
}

CLAIM(hanging_rods_have_the_modes_of_their_angles)
{
    for (int kind = HANGING_PLANE; kind <= HANGING_BALLS; kind++)
        for (int n = 1; n <= RODS; n++) has_modes_of_angles((hanging_kind)kind, n, (uint64_t)n);
}

/* Far from the origin differences of g lose digits to rounding of p: each frequency is right, or its error says how far
 * it may be off, or the model is refused. */
CLAIM(frequencies_far_from_the_origin_are_right_or_doubted)
{
    int refused = 0, doubted = 0;
    for (double far = 1; far <= 1e12; far *= 1e3)
        for (int n = 1; n <= RODS; n++) {
            double p0[3 * HANGING_MAX], om[HANGING_MAX];
            const double v0[3 * HANGING_MAX] = {0};
            hanging h = rods(HANGING_PLANE, n, (uint64_t)n);
            linear x;
            h.x = far;
            const resida_mechanism m = hanging_mechanism(&h, p0);
            find_reference(&h, om);
            if (!linear_may_open(&x, &m, RESIDA_FORMALISM_AUTO, 0, p0, v0, RESIDA_ERR_TOLERANCE)) {
                refused++;
                continue;
            }
            assert_int_equal(x.modes.n, n);
            for (int k = 0; k < n; k++) {
                const double off = fabs(x.modes.im[k] - om[k]);
                if (off > curved * om[k])
                    print_message("%d at %g: %g off by %g, %g\n", n, far, om[k], off, x.modes.error[k]);
                assert_true(off <= x.modes.error[k] + curved * om[k]);
                doubted += off > curved * om[k];
            }
        }
    print_message("%d refused, %d frequencies doubted\n", refused, doubted);
    assert_true(refused >= RODS);
}

/* What is free are turns about the axis of a rod, and nothing grows; p stays where it is. */
static void is_neutral(hanging_kind kind, int n, double x)
{
    double p0[7 * HANGING_MAX], p[7 * HANGING_MAX], v[6 * HANGING_MAX], lam[5 * HANGING_MAX];
    const double v0[6 * HANGING_MAX] = {0};
    hanging h = rods(kind, n, (uint64_t)n);
    h.x = x;
    const resida_mechanism m = hanging_mechanism(&h, p0);
    resida_equilibrium_report report;
    resida_message why = {""};
    resida_problem *problem = test_problem(&m, NULL);
    if (resida_problem_equilibrium(problem, 0, p0, v0, NULL, p, v, lam, &report, &why) != RESIDA_OK)
        fail_msg("%d rods, x %g: %s", n, x, why.text);
    print_message("kind %d, %d rods, x %g: %s\n", (int)kind, n, x, report.judged.text);
    assert_int_equal(report.n_free, kind == HANGING_BALLS ? n : 0);
    assert_int_equal(report.n_growing, 0);
    if (kind != HANGING_BALLS) assert_int_equal(report.stability, RESIDA_STABILITY_NEUTRAL);
    for (int i = 0; i < m.n_p; i++) bench_near(p[i], p0[i], 1e-9 * fmax(1, fabs(x)));
}

CLAIM(hanging_rods_are_in_neutral_equilibrium)
{
    for (int kind = HANGING_PLANE; kind <= HANGING_BALLS; kind++)
        for (int n = 1; n <= RODS; n++) is_neutral((hanging_kind)kind, n, 0);
    for (int n = 1; n <= RODS; n++) is_neutral(HANGING_PLANE, n, 1e6);
}
