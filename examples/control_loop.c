/* control_loop.c - a controller at 1 kHz: fixed steps that end when the torque changes, and their cost.
 *
 * A pendulum in Cartesian coordinates is moved to its upright position. The torque is constant for a millisecond and
 * changes between two calls, as if received from a bus or from another program. It is a member of the struct that is
 * the user pointer of callbacks. A change requires no new start. */
#include <math.h>
#include <stdio.h>

#include <resida/resida.h>

#define PERIOD 1e-3 /* [s] */

typedef struct plant {
    double torque; /* [N m], constant during a period */
} plant;

/* A mass of 1 kg at the end of a rod of 1 m: M a + f = force of the torque, perpendicular to the rod. */
static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    const plant *x = user;
    (void)t, (void)v, (void)e;
    r[0] = a[0] + x->torque * p[1];
    r[1] = a[1] + 9.81 - x->torque * p[0];
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e, (void)user;
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return 0;
}

/* Control law: torque from the angle to the upright position and its rate. */
static double law(const resida_state *x)
{
    const double angle = atan2(-x->p[0], x->p[1]), rate = x->v[1] * -x->p[0] + x->v[0] * -x->p[1];
    return -(60 * angle + 12 * rate);
}

int main(void)
{
    static const double p0[] = {0.5, 0.8660254037844386}, v0[] = {0, 0};
    plant x = {0};
    resida_mechanism m;
    resida_problem_options form;
    resida_solver_options o;
    resida_message why = {""};
    resida_problem *problem = NULL;
    resida_solver *s = NULL;
    resida_state at;
    resida_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    long most = 0;

    resida_mechanism_init(&m);
    m.name = "pendulum", m.n_p = m.n_v = 2, m.n_g = 1, m.user = &x;
    m.residual = residual, m.constraint = constraint;
    resida_problem_options_init(&form);
    form.form = "index3";
    resida_solver_options_init(&o);
    o.method = "generalized-alpha", o.step = PERIOD, o.rtol = o.atol = 1e-8;
    o.time_limit_s = 1; /* of each call */
    if (resida_problem_create(&problem, &m, &form, &why) < 0 || resida_solver_create(&s, problem, &o, &why) < 0 ||
        resida_solver_start(s, 0, p0, v0, NULL, NULL) < 0) {
        fprintf(stderr, "%s\n", s ? resida_solver_message(s) : why.text);
        return 1;
    }
    for (int k = 1; k <= 3000; k++) {
        (void)resida_solver_state(s, &at);
        x.torque = law(&at);
        (void)resida_solver_stats(s, &before);
        if (resida_solver_advance(s, k * PERIOD) < 0) {
            fprintf(stderr, "%s\n", resida_solver_message(s));
            return 1;
        }
        (void)resida_solver_stats(s, &after);
        if (after.newton_iterations - before.newton_iterations > most && k > 1)
            most = after.newton_iterations - before.newton_iterations;
    }
    (void)resida_solver_state(s, &at);
    printf("after 3 s: x = %.2e m, at most %ld iterations per millisecond, %.1f residual calls per millisecond in the "
           "mean\n",
           at.p[0], most, (double)after.residual_calls.total / 3000);
    const int is_upright = fabs(at.p[0]) < 1e-3 && at.p[1] > 0.99;
    resida_solver_free(s);
    resida_problem_free(problem);
    return is_upright && most <= 6 ? 0 : 1;
}
