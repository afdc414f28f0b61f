/* pendulum.c - a point mass on a rod of length 1, in Cartesian coordinates with a multiplier:
 *
 *     x' = u, y' = w, u' = -lam x, w' = -lam y - g,    0 = x^2 + y^2 - 1
 *
 * As a DAE lam is given to it, and it tells the constraint and its two derivatives; else it computes lam itself. In its
 * implicit form x' too is given to it, and it tells residuals in place of derivatives. At t = kick_time > 0 the
 * velocity doubles. */
#include "test_fmu.h"

#include <math.h>
#include <string.h>

enum { TIME, X, Y, U, W, DX, DY, DU, DW, LAM, POSITION, VELOCITY, ACCELERATION, DAE, RX, RY, RU, RW, KICK_TIME };

static const int states[] = {X, Y, U, W}, derivatives[] = {DX, DY, DU, DW};
static const double grav = 9.81;
#ifdef IMPLICIT
enum { COMPUTES = 0 };
#else
enum { COMPUTES = 1 }; /* x' */
#endif

static void start(double *v)
{
    v[X] = 1;
}

static void evaluate(double *v)
{
    const double square = v[X] * v[X] + v[Y] * v[Y], speed = v[U] * v[U] + v[W] * v[W];
    if (v[DAE] == 0) v[LAM] = (speed - grav * v[Y]) / square;
    v[RX] = v[DX] - v[U];
    v[RY] = v[DY] - v[W];
    v[RU] = v[DU] + v[LAM] * v[X];
    v[RW] = v[DW] + v[LAM] * v[Y] + grav;
    if (COMPUTES || v[DAE] == 0) {
        v[DX] = v[U];
        v[DY] = v[W];
        v[DU] = -v[LAM] * v[X];
        v[DW] = -v[LAM] * v[Y] - grav;
    }
    v[POSITION] = square - 1;
    v[VELOCITY] = 2 * (v[X] * v[U] + v[Y] * v[W]);
    v[ACCELERATION] = 2 * (speed + v[X] * v[DU] + v[Y] * v[DW]);
}

static void event(double *v, test_fmu_event *e)
{
    if (v[KICK_TIME] > 0 && v[TIME] >= v[KICK_TIME]) {
        v[U] *= 2;
        v[W] *= 2;
        v[KICK_TIME] = 0;
        e->has_new_states = 1;
    }
    e->t_next = v[KICK_TIME] > 0 ? v[KICK_TIME] : INFINITY;
}

/* Polynomials of degree 2 as a DAE, for which this is exact: (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h)))/(12 h). */
static double partial(const double *v, uint32_t unknown, uint32_t known)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    double moved[TEST_FMU_VALUES], sum = 0;
    const double h = 1.0 / 1024;
    for (int i = 0; i < 4; i++) {
        memcpy(moved, v, sizeof moved);
        moved[known] += shifts[i] * h;
        evaluate(moved);
        sum += factors[i] * moved[unknown];
    }
    return sum / (12 * h);
}

const test_fmu the_fmu = {.token = "{pendulum}",
                          .n_states = 4,
                          .states = states,
                          .derivatives = derivatives,
                          .start = start,
                          .evaluate = evaluate,
                          .event = event,
                          .partial = partial};
