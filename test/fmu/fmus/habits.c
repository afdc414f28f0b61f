/* habits.c - what binaries of tools do, and the standard does not forbid: x' = k (u + gear) - x.
 *
 * fmi2SetupExperiment puts k back to 1; `fixed` is 1 whatever is set. A step of Co-Simulation takes inputs over only
 * if a mark says that one has changed; setting an input sets the mark, reading a variable clears it. Functions inside
 * have the names of functions of libraries: `names` is 1 + 2 + 4 if the FMU calls its own. */
#include "test_fmu.h"

#include <math.h>

enum { TIME, X, U, DX, K, FIXED, NAMES, TAKEN, MARK, GEAR = 100 };

static const int states[] = {X}, derivatives[] = {DX};

/* Of SUNDIALS, KLU and LAPACK. */
TEST_FMU_EXPORT int N_VLinearSum(void);
TEST_FMU_EXPORT int klu_defaults(void);
TEST_FMU_EXPORT int dgetrf_(void);
__attribute__((noinline)) int N_VLinearSum(void)
{
    return 1;
}
__attribute__((noinline)) int klu_defaults(void)
{
    return 2;
}
__attribute__((noinline)) int dgetrf_(void)
{
    return 4;
}

static void start(double *v)
{
    v[K] = v[FIXED] = 1;
    v[NAMES] = N_VLinearSum() + klu_defaults() + dgetrf_();
}

static void experiment(double *v)
{
    v[K] = 1;
}

static double drive(const double *v)
{
    return v[K] * (v[U] + v[GEAR]);
}

static void evaluate(double *v)
{
    v[DX] = drive(v) - v[X];
}

/* At the start. */
static void event(double *v, test_fmu_event *e)
{
    v[FIXED] = 1;
    v[TAKEN] = drive(v);
    e->t_next = INFINITY;
}

static void set(double *v, unsigned reference, double value)
{
    if (v[reference] != value) v[MARK] = 1;
}

static void read(double *v)
{
    v[MARK] = 0;
}

static void step(double *v, double h)
{
    if (v[MARK] != 0) v[TAKEN] = drive(v);
    v[X] = v[TAKEN] + (v[X] - v[TAKEN]) * exp(-h);
    v[TIME] += h;
}

const test_fmu the_fmu = {.token = "{habits}",
                          .n_states = 1,
                          .states = states,
                          .derivatives = derivatives,
                          .start = start,
                          .experiment = experiment,
                          .evaluate = evaluate,
                          .event = event,
                          .set = set,
                          .read = read,
                          .step = step};
