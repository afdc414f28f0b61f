/* arguments_rows_equilibrium.c - bad arguments of equilibrium.h. */
#include "arguments.h"

#define EO(field) kept.equilibrium_options.field

static void the_mechanism(world *w, int way)
{
    w->a.dae_problem = w->problem;
}

/* Each output on each input and each other output. */
static void overlaps(world *w, int way)
{
    double **const arrays[] = {&w->a.p0, &w->a.v0, &w->a.p, &w->a.v, &w->a.lam};
    int out = 2, in = way;
    for (; in >= out; out++) in -= out;
    *arrays[out] = *arrays[in];
}

static void dae_overlaps(world *w, int way)
{
    w->a.y = way ? w->a.y0 + 1 : w->a.y0;
}

static void for_mechanisms(world *w, int way)
{
    w->kept.equilibrium_options.steady = !way;
    w->kept.equilibrium_options.redundant = way ? RESIDA_REDUNDANT_DROP : RESIDA_REDUNDANT_REFUSE;
}

static int stops(int iterations, double residual, double load, void *user)
{
    return 1;
}

static void monitored(world *w, int way)
{
    w->kept.equilibrium_options.monitor = way ? stops : NULL;
    w->kept.equilibrium_options.monitor_user = way ? w : NULL;
}

const arg_row arg_rows_equilibrium[] = {
    NULLED("resida_equilibrium_options_init", "o", a.equilibrium_options, OK),
    NULLED("resida_problem_equilibrium", "problem", a.problem, ARGUMENT),
    WAYS_SAYING("resida_problem_equilibrium", "problem", "DAE", 1, arg_other_problem, ARGUMENT),
    REALS("resida_problem_equilibrium", "t", a.t, ARGUMENT, NOT_FINITE),
    START("resida_problem_equilibrium", "p0", "v0"),
    NULLED("resida_problem_equilibrium", "o", a.equilibrium_options, OK),
    WRONG_SIZES("resida_problem_equilibrium", "o.size", EO(size), resida_equilibrium_options),
    INTS("resida_problem_equilibrium", "o.steady", EO(steady), OPTION, -1, 2, INT_MAX, INT_MIN),
    INTS("resida_problem_equilibrium", "o.redundant", EO(redundant), OPTION, 2, -1),
    REALS("resida_problem_equilibrium", "o.tolerance", EO(tolerance), OPTION, NOT_FINITE, 0, -1, 1),
    REALS("resida_problem_equilibrium", "o.max_step", EO(max_step), OPTION, NAN, -INFINITY, 0, -1),
    REALS("resida_problem_equilibrium", "o.max_step", EO(max_step), OK, INFINITY),
    INTS("resida_problem_equilibrium", "o.max_iterations", EO(max_iterations), OPTION, 0, -1, INT_MIN),
    INTS("resida_problem_equilibrium", "o.load_steps", EO(load_steps), OPTION, -1, INT_MIN),
    REALS("resida_problem_equilibrium", "o.from", EO(from), OPTION, -INFINITY, INFINITY),
    INTS("resida_problem_equilibrium", "o.stability", EO(stability), OPTION, -1, 2, INT_MAX, INT_MIN),
    LONGS("resida_problem_equilibrium", "o.max_residuals", EO(max_residuals), OPTION, 0, -1, (double)LONG_MIN),
    REALS("resida_problem_equilibrium", "o.time_limit_s", EO(time_limit_s), OPTION, NAN, -INFINITY, 0, -1),
    WAYS("resida_problem_equilibrium", "o.monitor", 1, monitored, OK),
    WAYS("resida_problem_equilibrium", "o.monitor_user", 1, monitored, OK),
    NULLED("resida_problem_equilibrium", "p", a.p, ARGUMENT),
    NULLED("resida_problem_equilibrium", "v", a.v, ARGUMENT),
    NULLED("resida_problem_equilibrium", "lam", a.lam, ARGUMENT),
    WAYS_SAYING("resida_problem_equilibrium", "p", "overlap", 9, overlaps, ARGUMENT),
    NULLED("resida_problem_equilibrium", "report", a.equilibrium_report, OK),
    NULLED("resida_problem_equilibrium", "why", a.why, OK),
    NULLED("resida_problem_equilibrium_dae", "problem", a.dae_problem, ARGUMENT),
    WAYS_SAYING("resida_problem_equilibrium_dae", "problem", "mechanism", 1, the_mechanism, ARGUMENT),
    REALS("resida_problem_equilibrium_dae", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_equilibrium_dae", "y0", a.y0, ARGUMENT),
    EACH("resida_problem_equilibrium_dae", "y0", 2, kept.y0[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_problem_equilibrium_dae", "o", a.equilibrium_options, OK),
    WAYS_SAYING("resida_problem_equilibrium_dae", "o", "mechanisms", 2, for_mechanisms, OPTION),
    NULLED("resida_problem_equilibrium_dae", "y", a.y, ARGUMENT),
    WAYS_SAYING("resida_problem_equilibrium_dae", "y", "overlap", 2, dae_overlaps, ARGUMENT),
    NULLED("resida_problem_equilibrium_dae", "report", a.equilibrium_report, OK),
    NULLED("resida_problem_equilibrium_dae", "why", a.why, OK),
    END_OF_ROWS,
};
