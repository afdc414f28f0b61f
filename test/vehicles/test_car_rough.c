/* test_car_rough.c - the car on a rough drive (case 2): its road, its rack, struts and tyres that stick, and what that
 * asks of an integrator. */
#include <resida/model.h>

#include "benchmarks/models/vehicles/car_rough.h"
#include "benchmarks/models/vehicles/car_suspension.h"
#include "benchmarks/models/vehicles/car_tyre.h"
#include "benchmarks/multibody/system/smooth.h"
#include "ride.h"
#include "test/models/sample_strut.h"

enum { N = 41, CHASSIS_Y = 1, RACK = 6 };

static const bench_setting rough[] = {{"case", 2}, {NULL, 0}};
static const double sticking = 1e-3; /* of rack and struts [m/s] */

/* At the start it is even; kerbs of 3 cm come on the left and the right side in turn. */
CLAIM(kerbs_come_on_both_sides_in_turn)
{
    double z[3], other[3];
    for (int right = 0; right < 2; right++) {
        car_road(0, right, 1, 0, z);
        for (int i = 0; i < 3; i++) bench_near(z[i], 0, 0);
    }
    for (int k = 0; k < 4; k++) {
        const double on = 8 + 12 * k + 0.5, behind = on + 3; /* [m], at 1 m/s */
        double level[2][2];
        for (int right = 0; right < 2; right++) {
            car_road(0, right, 1, on, z), car_road(0, right, 1, behind, other);
            level[right][0] = z[0], level[right][1] = other[0];
        }
        assert_true(level[k % 2][0] - level[1 - k % 2][0] > 0.03 - 4 * 4e-3);
        for (int right = 0; right < 2; right++) assert_true(fabs(level[right][1]) < 5 * 4e-3);
    }
}

/* Residual at rest but for v, with the rack wanted at u. */
static void residual_at(bench *b, const double *v, double u, double *r)
{
    double a[N] = {0};
    bench_at(b, 0);
    b->u[CAR_U_RACK] = u;
    bench_residual(b, b->model.p0, v, a, r);
}

/* Between the housing and the rack alone: the sum on all bodies, the row of the chassis, does not see it. */
CLAIM(the_rack_is_moved_by_a_spring_and_sticks)
{
    double v[N], still[N], r[N];
    bench *b = bench_make("car", rough);
    assert_string_equal(b->m->p_names[RACK], "rack.y");
    memcpy(v, b->model.v0, sizeof v);
    residual_at(b, v, 0, still);
    residual_at(b, v, 1e-3, r);
    bench_near(r[RACK] - still[RACK], -4e5 * 1e-3, 1e-8);
    bench_near(r[CHASSIS_Y] - still[CHASSIS_Y], 0, 1e-8);
    double before = 0;
    for (double speed = 1e-4; speed < 0.1; speed *= 2) {
        v[RACK] = speed;
        residual_at(b, v, 0, r);
        const double friction = r[RACK] - still[RACK]; /* with dampers, of steering and of tie rods */
        assert_true(friction > 150 * tanh(speed / sticking) + 800 * speed && friction > before);
        before = friction;
    }
    v[RACK] = -1e-4;
    residual_at(b, v, 0, r);
    assert_true(r[RACK] < still[RACK]);
}

CLAIM(struts_stick)
{
    mb_axial x = sample_strut();
    x.friction = 120, x.sticking = sticking;
    for (double speed = -0.1; speed < 0.1; speed += 0.0013)
        bench_near(mb_sticking_strut_tension(&x, 0.004, speed) - mb_strut_tension(&x, 0.004, speed),
                   120 * tanh(speed / sticking), 1e-12);
}

/** How far struts went. */
typedef struct record {
    const bench *b;
    double least, most, friction;
} record;

static void watch(const resida_state *now, void *context)
{
    record *r = context;
    const mb_system *s = r->b->model.user;
    mb_state at[CAR_MAX_BODIES];
    const double u[CAR_U_ROUGH] = {0};
    mb_place(&s->tree, now->p, now->v, &(mb_motion){NULL, u, u, u}, at);
    for (int i = 0; i < s->forces.n_axial; i++) {
        const mb_axial *x = &s->forces.axial[i];
        if (x->tension != mb_sticking_strut_tension) continue;
        const mb_point a = mb_point_of(&at[x->a.body], x->a.at), b = mb_point_of(&at[x->b.body], x->b.at);
        const double e = mb_norm(mb_sub(b.r, a.r)) - x->L0;
        r->least = fmin(r->least, e + x->bump), r->most = fmax(r->most, e - x->droop);
        r->friction += x->friction;
    }
}

/* Both are met within two seconds. As many evaluations of J as the car of the paper took with DASSL, 2229 within 5 s:
 * here within 2 s by the same rules, and within a factor of three. */
CLAIM(the_drive_meets_stops_and_is_as_rough_as_that_of_the_paper)
{
    bench *b = bench_make("car", rough);
    record r = {.b = b};
    const resida_stats stats = ride(b, (ride_order){.t_end = 2, .outputs = 400, .jacobian = "dense"}, watch, &r);
    assert_true(r.least < 0 && r.most > 0 && r.friction > 0);
    assert_in_range(stats.jacobian_evaluations.dense, 2229 * 2 / 5 / 3, 2229 * 2 / 5 * 3);
}

/* A tyre that is pulled aside by v holds with mu N at most, sticks below some mm/s, and slides beyond. */
static double side_force(double along, double across, double slow)
{
    const car_contact x = {.v = {along, across, 0}, .el = {1, 0, 0}, .et = {0, 1, 0}};
    mb_wrench on = {{0, 0, 0}, {0, 0, 0}};
    car_tyre_add(&x, along / CAR_ROLLING_RADIUS, 3000, slow, &on);
    return on.f.y;
}

CLAIM(a_tyre_that_stands_sticks_and_slides)
{
    double largest = 0;
    for (double v = 1e-4; v < 3; v *= 1.1) {
        const double f = side_force(0, v, CAR_CREEPING);
        assert_true(f < 0 && f >= -1.05 * 3000 * 1.0001);
        bench_near(side_force(0, -v, CAR_CREEPING), -f, 1e-9);
        largest = fmax(largest, -f);
    }
    assert_true(-side_force(0, 1e-4, CAR_CREEPING) < 0.05 * largest); /* it creeps, viscous */
    assert_true(-side_force(0, 2, CAR_CREEPING) < 0.95 * largest);    /* and slides with less than it holds */
    for (double v = -1; v < 1; v += 0.1) bench_near(side_force(22, v, CAR_CREEPING) / side_force(22, v, 0), 1, 2e-4);
}

/* Where tyres look at slips relative to the speed, there has to be one. */
CLAIM(a_smooth_car_is_not_slow)
{
    static const char *const names[] = {"v0", "case"};
    const resida_model_class *cls = bench_model_find("car");
    for (int which = 1; which <= 2; which++) {
        resida_message why = {""};
        resida_model model = {.size = sizeof model};
        const double values[] = {2, which};
        assert_int_equal(resida_model_create(cls, 2, names, values, &model, &why) < 0, which == 1);
        assert_int_equal(strstr(why.text, "at least 5") != NULL, which == 1);
        if (which == 2) resida_model_destroy(cls, &model);
    }
}
