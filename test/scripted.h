/* scripted.h - two small models whose callbacks are counted and can be told to misbehave.
 *
 * The mechanism: a spherical pendulum of length 1, mass 2, viscous drag 0.3, whose support is moved along x,
 *
 *     g = ((x - u)^2 + y^2 + z^2 - 1)/2,   u = 0.1 sin 2t,
 *
 * with every optional callback and two root functions that never cross zero. The DAE: y = (cos t, -sin t, cos t) from
 *
 *     y0' = y1,   y1' = -y2,   0 = y2 - y0 - u + sin t,   u = sin t. */
#ifndef RESIDA_TEST_SCRIPTED_H
#define RESIDA_TEST_SCRIPTED_H

#include <resida/resida.h>

typedef enum scripted_callback {
    ON_RESIDUAL,
    ON_ACCELERATION,
    ON_CONSTRAINT,
    ON_CONSTRAINT_MATRIX,
    ON_VELOCITY_BIAS,
    ON_ACCELERATION_BIAS,
    ON_MASS_MATRIX,
    ON_EXCITATION,
    ON_ROOT,
    N_CALLBACKS
} scripted_callback;

typedef struct scripted scripted;

/** Called at the end of every callback, with its output [n], which it may change. @return the verdict */
typedef int scripted_hook(scripted *s, scripted_callback which, double t, double *out, int n);

/** The `user` of the callbacks. Zeroed: well-behaved. */
struct scripted {
    long calls[N_CALLBACKS]; /**< of each callback, the present one included */
    long total;
    double t_max; /**< latest t of a callback */
    scripted_hook *hook;
    void *hook_user;
};

enum { PENDULUM_N = 8, SCRIPTED_DAE_N = 3 };

/** Name of a callback in resida_mechanism, "residual". */
const char *scripted_name(scripted_callback which);

/** The pendulum; explicitly: by `acceleration` instead of `residual` and `mass_matrix`. */
void scripted_pendulum(resida_mechanism *m, scripted *s, int explicitly);
extern const double pendulum_p0[3], pendulum_v0[3];

/** Its exact solution at t in (0, 3], [6] p and v: classical Runge-Kutta on the accelerations, steps of 1e-4. */
void pendulum_reference(double t, double *pv);

void scripted_dae(resida_dae *d, scripted *s);

/** A solver on the pendulum (or the DAE) at rtol = atol = tol, not started. o NULL: no further options. Problem and
 *  solver are freed by scripted_close(). Every failure ends the test. */
typedef struct scripted_run {
    scripted script;
    resida_problem *problem;
    resida_solver *solver;
    int is_dae;
} scripted_run;
void scripted_open(scripted_run *r, const resida_solver_options *o, double tol);
void scripted_open_explicit(scripted_run *r, const resida_solver_options *o, double tol);
void scripted_open_dae(scripted_run *r, const resida_solver_options *o, double tol);
void scripted_close(scripted_run *r);

/** Start at t = 0 from the usual state; the DAE finds y2 and yp itself. */
resida_status scripted_start(scripted_run *r);

/** Largest error of p and v (of y) at the time reached, which is t. */
double scripted_error(const scripted_run *r, double t);

/** The state bits, t included, as a number (FNV-1a). */
unsigned long long scripted_digest(const scripted_run *r);

/** FNV-1a over bytes, going on from `hash`; begin with FNV_BEGIN. */
#define FNV_BEGIN 14695981039346656037ull
unsigned long long fnv(unsigned long long hash, const void *bytes, size_t size);

#endif
