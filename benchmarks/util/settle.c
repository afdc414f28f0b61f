/* settle.c - see settle.h. */
#include "settle.h"

#include <stdlib.h>
#include <string.h>

#include <resida/equilibrium.h>

#include "model_util.h"

int bench_settle(const resida_mechanism *m, double t, int steady, double *p, double *v, double *lam,
                 resida_message *why)
{
    resida_problem *problem = NULL;
    resida_equilibrium_options o;
    resida_equilibrium_options_init(&o);
    o.steady = steady, o.stability = 0;
    double *guess = bench_alloc(m->n_p + m->n_v + m->n_g + m->n_h, sizeof *guess, why);
    if (!guess) return 1;
    memcpy(guess, p, (size_t)m->n_p * sizeof *p);
    memcpy(guess + m->n_p, v, (size_t)m->n_v * sizeof *v);
    int failed = resida_problem_create(&problem, m, NULL, why) < 0;
    if (!failed)
        failed = resida_problem_equilibrium(problem, t, guess, guess + m->n_p, &o, p, v,
                                            lam ? lam : guess + m->n_p + m->n_v, NULL, why) != RESIDA_OK;
    resida_problem_free(problem);
    free(guess);
    return failed;
}
