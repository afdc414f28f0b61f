/* embed_formalism.c - a residual formalism of another tool, integrated without modification.
 *
 * The tool in this file represents your multibody code: a model object, names, error codes and an order of unknowns of
 * its own, and one function for inverse dynamics. resida requires the following glue:
 *
 *     tool_inverse_dynamics(q, qd, qdd) -> forces        becomes   residual    Phi(p,v,a,u) = M a - Psi
 *     tool_loop_gap(q)                                   becomes   constraint  g(p,u)
 *     tool_drive(t)                                      becomes   excitation  u, ud, udd
 *
 * Mass matrix, constraint matrix and biases are not needed: resida computes them by finite differences. */
#include <math.h>
#include <stdio.h>

#include <resida/resida.h>

/* ---- The tool: a two-link arm with a moving base, whose tip moves on a straight rail. Independent of resida. ---- */

typedef struct tool_model {
    double length, mass, gravity; /* of both links */
    double shake, frequency;      /* base: x = shake sin(2 pi frequency t) */
    double base_acceleration;     /* set by the caller before each evaluation */
    double rail;                  /* the tip moves along y = -rail */
    long evaluations;
} tool_model;

enum { TOOL_FINE = 0, TOOL_BROKEN = 77 };

/* Compute joint torques for the motion (q, qd, qdd); q: absolute angles from the vertical. */
static int tool_inverse_dynamics(tool_model *tool, const double q[2], const double qd[2], const double qdd[2],
                                 double torque[2])
{
    double l = tool->length, m = tool->mass, c = cos(q[0] - q[1]), s = sin(q[0] - q[1]);
    tool->evaluations++;
    if (!(l > 0)) return TOOL_BROKEN;
    torque[0] = m * l *
                (2 * l * qdd[0] + l * (c * qdd[1] + s * qd[1] * qd[1]) +
                 2 * (tool->gravity * sin(q[0]) + tool->base_acceleration * cos(q[0])));
    torque[1] = m * l *
                (l * qdd[1] + l * (c * qdd[0] - s * qd[0] * qd[0]) + tool->gravity * sin(q[1]) +
                 tool->base_acceleration * cos(q[1]));
    return TOOL_FINE;
}

/* Return the height of the tip above the rail. */
static double tool_loop_gap(const tool_model *tool, const double q[2])
{
    return tool->rail - tool->length * (cos(q[0]) + cos(q[1]));
}

/* ---- The glue: the only code to be written. ---- */

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)t;
    tool_model *tool = user;
    tool->base_acceleration = e->udd[0];
    return tool_inverse_dynamics(tool, p, v, a, r) == TOOL_FINE ? 0 : -1;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)t, (void)e;
    g[0] = tool_loop_gap(user, p);
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    const tool_model *tool = user;
    double w = 2 * 3.14159265358979323846 * tool->frequency;
    u[0] = tool->shake * sin(w * t);
    ud[0] = tool->shake * w * cos(w * t);
    udd[0] = -tool->shake * w * w * sin(w * t);
    return 0;
}

/* ---- Use. ---- */

static int integrate(resida_solver *solver, tool_model *tool)
{
    const double p0[2] = {0.5, -0.4}, v0[2] = {0, 0}; /* approximately on the rail */
    resida_state now;
    if (resida_solver_start(solver, 0, p0, v0, NULL, NULL) < 0) return 1;
    printf("%6s%12s%12s%12s%14s\n", "t", "q1", "q2", "rail force", "gap");
    for (int k = 0; k <= 10; k++) {
        if (resida_solver_advance(solver, 0.5 * k) < 0 || resida_solver_state(solver, &now) < 0) return 1;
        printf("%6.2f%12.6f%12.6f%12.6f%14.1e\n", now.t, now.p[0], now.p[1], now.lam[0], tool_loop_gap(tool, now.p));
    }
    printf("%ld evaluations of the inverse dynamics of the tool\n", tool->evaluations);
    return 0;
}

int main(void)
{
    tool_model tool = {.length = 1, .mass = 2, .gravity = 9.81, .shake = 0.05, .frequency = 0.4, .rail = 1.8};
    resida_problem *problem = NULL;
    resida_solver *solver = NULL;
    resida_message why = {""};
    resida_mechanism m;
    resida_mechanism_init(&m);
    m.name = "arm on a rail";
    m.n_p = m.n_v = 2;
    m.n_g = 1;
    m.n_u = 1;
    m.user = &tool;
    m.residual = residual;
    m.constraint = constraint;
    m.excitation = excitation;

    int failed = resida_problem_create(&problem, &m, NULL, &why) < 0 ||
                 resida_solver_create(&solver, problem, NULL, &why) < 0 || integrate(solver, &tool);
    if (failed) fprintf(stderr, "embed_formalism: %s\n", solver ? resida_solver_message(solver) : why.text);
    resida_solver_free(solver);
    resida_problem_free(problem);
    return failed;
}
