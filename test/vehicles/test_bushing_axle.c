/* test_bushing_axle.c - the axle on bushings beside the axle on joints, which is its limit for stiff bushings:
 *
 *     p_k(t) = p(t) + d(t)/k + O(1/k^2)
 *
 * What else is true of both is the matter of test_double_wishbone.c. */
#include "benchmarks/models/vehicles/wishbone.h"
#include "ride.h"

enum { BODIES = 1 + WB_OF_WHEEL * WB_SIDES, N_P = FB_P * BODIES, N_V = FB_V * BODIES, OUTPUTS = 14 };

/* Positions at all outputs, the start among them; accelerations at the start. */
typedef struct record {
    int n;
    double p[OUTPUTS + 1][N_P], a0[N_V];
} record;

static void keep(const resida_state *s, void *context)
{
    record *r = context;
    if (r->n == 0) memcpy(r->a0, s->a, sizeof r->a0);
    memcpy(r->p[r->n++], s->p, sizeof r->p[0]);
}

static void record_run(const char *name, const bench_setting *settings, ride_order order, record *r)
{
    bench *b = bench_make(name, settings);
    assert_int_equal(b->m->n_p, N_P);
    r->n = 0;
    order.outputs = OUTPUTS;
    ride(b, order, keep, r);
}

/* Loads of the bushings are written to 0.005 N. They act on inertias from 0.03 kg m^2, at arms of 0.15 m: 0.05 1/s^2.
 * A bushing without load would leave accelerations of 600 m/s^2. */
CLAIM(bushings_carry_the_load_of_the_start)
{
    const ride_order order = {.t_end = 1e-4};
    static record joints, bushings;
    record_run("double-wishbone", NULL, order, &joints);
    record_run("bushing-axle", NULL, order, &bushings);
    bench_all_near(N_V, bushings.a0, joints.a0, 0.05);
}

/* Size of d/k over the run, and of the remainder: by how much d/k and ten times d/(10 k) differ. */
static void compare(const record *joints, const record *soft, const record *stiff, double *size, double *remainder)
{
    *size = *remainder = 0;
    for (int o = 0; o <= OUTPUTS; o++)
        for (int i = 0; i < N_P; i++) {
            const double d = soft->p[o][i] - joints->p[o][i], tenth = stiff->p[o][i] - joints->p[o][i];
            *size = fmax(*size, fabs(d));
            *remainder = fmax(*remainder, fabs(d - 10 * tenth));
        }
}

/* d/k is 1.6 mm at 1e7 N/m. The term in 1/k^2 is 2 % of it there, and 0.2 % at 1e8 N/m. At 1e-9 the positions err by
 * some 1e-8, ten times of which is 0.1 % of d/k at 1e8 N/m. The struts meet stops from t = 0.37 on. */
CLAIM(the_distance_to_the_axle_on_joints_is_inverse_to_the_stiffness)
{
    static const bench_setting stiffness[][2] = {
        {{"k", 1e7}, {NULL, 0}}, {{"k", 1e8}, {NULL, 0}}, {{"k", 1e9}, {NULL, 0}}};
    static const double max_remainder[] = {0.04, 0.006};
    const ride_order order = {.rtol = 1e-9, .atol = 1e-9, .t_end = 0.7};
    static record joints, bushings[3];
    record_run("double-wishbone", NULL, order, &joints);
    for (int i = 0; i < 3; i++) record_run("bushing-axle", stiffness[i], order, &bushings[i]);
    for (int i = 0; i < 2; i++) {
        double size, remainder;
        compare(&joints, &bushings[i], &bushings[i + 1], &size, &remainder);
        print_message("k = %g N/m: distance %.3g, remainder %.3g\n", stiffness[i][0].value, size, remainder);
        assert_true(size > 1e4 / stiffness[i][0].value);
        bench_near(remainder, 0, max_remainder[i] * size);
    }
}
