/* rod.c - heat in a rod of 200 cells, x_i' = k (x_{i-1} - 2 x_i + x_{i+1}), both ends at 0, from sin(pi i / 201): each
 * cell decays as exp(-k (2 - 2 cos(pi / 201)) t). */
#include "test_fmu.h"

#include <math.h>

enum { TIME, N = 200, X = 1, DX = X + N, K = DX + N };

static void start(double *v)
{
    const double pi = acos(-1);
    for (int i = 0; i < N; i++) v[X + i] = sin(pi * (i + 1) / (N + 1));
    v[K] = 1000;
}

static void evaluate(double *v)
{
    for (int i = 0; i < N; i++) {
        const double before = i > 0 ? v[X + i - 1] : 0, after = i < N - 1 ? v[X + i + 1] : 0;
        v[DX + i] = v[K] * (before - 2 * v[X + i] + after);
    }
}

const test_fmu the_fmu = {
    .token = "{rod}", .n_states = N, .first_state = X, .first_derivative = DX, .start = start, .evaluate = evaluate};
