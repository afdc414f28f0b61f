/* arguments_rows_linearize.c - bad arguments of linearize.h. */
#include "arguments.h"

static void wrong_outputs(world *w, int way)
{
    if (way == 0) w->kept.dae.n_outputs = -1;
    if (way == 1) w->kept.dae.output = NULL;
    if (way == 2) w->kept.dae.output_names = NULL;
}

static void no_dae(world *w, int way)
{
    w->kept.dae.is_dae = 0;
}

const arg_row arg_rows_linearize[] = {
    NULLED("resida_linearize", "l", a.l_out, ARGUMENT),
    NULLED("resida_linearize", "problem", a.problem, ARGUMENT),
    REALS("resida_linearize", "t", a.t, ARGUMENT, NOT_FINITE),
    NULLED("resida_linearize", "y", a.y, ARGUMENT),
    EACH("resida_linearize", "y", ARG_N, kept.y[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_linearize", "yp", a.yp, ARGUMENT),
    EACH("resida_linearize", "yp", ARG_N, kept.yp[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_linearize", "why", a.why, OK),
    NULLED("resida_linearize_mechanism", "l", a.l_out, ARGUMENT),
    NULLED("resida_linearize_mechanism", "problem", a.problem, ARGUMENT),
    WAYS_SAYING("resida_linearize_mechanism", "problem", "general DAE", 1, arg_other_problem, RESIDA_ERR_STATE),
    REALS("resida_linearize_mechanism", "t", a.t, ARGUMENT, NOT_FINITE),
    START("resida_linearize_mechanism", "p", "v"),
    NULLED("resida_linearize_mechanism", "a", a.a, ARGUMENT),
    EACH("resida_linearize_mechanism", "a", 2, kept.a[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_linearize_mechanism", "lam", a.lam, ARGUMENT),
    EACH("resida_linearize_mechanism", "lam", 1, kept.lam[0], ARGUMENT, NOT_FINITE),
    NULLED("resida_linearize_mechanism", "why", a.why, OK),
    NULLED("resida_linearization_add_outputs", "l", a.l, ARGUMENT),
    NULLED("resida_linearization_add_outputs", "model", a.dae, ARGUMENT),
    WAYS_SAYING("resida_linearization_add_outputs", "model", "n_outputs", 3, wrong_outputs, ARGUMENT),
    INTS("resida_linearization_add_outputs", "model", kept.dae.n_outputs, OK, 0),
    WAYS_SAYING("resida_linearization_add_outputs", "model", "general DAE", 1, no_dae, RESIDA_ERR_STATE),
    NULLED("resida_linearization_add_outputs", "why", a.why, OK),
    NULLED("resida_linearization_free", "l", a.l, OK),
    NULLED("resida_linearization_get", "l", a.l, ARGUMENT),
    NULLED("resida_linearization_get", "model", a.linear, ARGUMENT),
    NULLED("resida_linearization_modes", "l", a.l, ARGUMENT),
    INTS("resida_linearization_modes", "count", a.count, ARGUMENT, -1, INT_MIN),
    INTS("resida_linearization_modes", "count", a.count, OK, 0, 1, INT_MAX),
    REALS("resida_linearization_modes", "near", a.near, ARGUMENT, NOT_FINITE, -1),
    NULLED("resida_linearization_modes", "modes", a.modes, ARGUMENT),
    NULLED("resida_linearization_modes", "why", a.why, OK),
    NULLED("resida_linearization_response", "l", a.driven, ARGUMENT),
    INTS("resida_linearization_response", "excitation", a.excitation, ARGUMENT, -1, INT_MIN, 1, INT_MAX),
    INTS("resida_linearization_response", "n", a.count, ARGUMENT, -1, INT_MIN),
    INTS("resida_linearization_response", "n", a.count, OK, 0, 1, 2),
    NULLED("resida_linearization_response", "frequency", a.frequency, ARGUMENT),
    EACH("resida_linearization_response", "frequency", 1, kept.frequency[0], ARGUMENT, NOT_FINITE, -1),
    NULLED("resida_linearization_response", "re", a.response_re, ARGUMENT),
    NULLED("resida_linearization_response", "im", a.response_im, ARGUMENT),
    NULLED("resida_linearization_response", "why", a.why, OK),
    END_OF_ROWS,
};
