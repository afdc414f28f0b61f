/* inertia.c - see inertia.h. */
#include "mechanism_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MIN_RESPONSE 1e-4 /* minimum change of the output by an input, relative to the output at zero input */

enum { RESPONSE_TRIES = 4 }; /* maximum number of inputs, each larger than the last; rounding may hide a response */

int rsd_inertia_create(rsd_mechanism *k)
{
    rsd_inertia *x = &k->inertia;
    const resida_allocator *a = &k->alloc;
    return RSD_DOUBLES(a, k->M.nnz, &x->values) && RSD_DOUBLES(a, (long)k->m.n_v + k->n_l, &x->zero) &&
           RSD_DOUBLES(a, k->m.n_v, &x->input) &&
           (k->is_explicit || k->m.mass_matrix || rsd_grouped_create(&x->groups, &k->M, 1, a));
}

/* Return the smallest power of two above x. */
static double round_up_to_power_of_two(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return ldexp(1, exponent);
}

/* Return the power of two by which an input must be multiplied, so that its response becomes as large as at_rest, the
 * output at zero input. Return 1 if the response is already at least MIN_RESPONSE times at_rest. */
static double compute_growth(double response, double at_rest)
{
    if (!(at_rest < INFINITY) || response >= MIN_RESPONSE * at_rest) return 1;
    return round_up_to_power_of_two(at_rest / fmax(response, DBL_EPSILON * at_rest));
}

/* Return the factor by which s must be multiplied, or 1 if s is large enough. out = (Phi(s x) - Phi_0)/s. In the
 * residual formalism each component is tested, because a light body may be accelerated together with a heavy body. */
static double choose_growth(const rsd_mechanism *k, const double *Phi_0, const double *x, const double *out, double s)
{
    double response = 0, at_rest = 0, by = 1;
    for (int i = 0; i < (k->is_explicit ? k->m.n_v : k->n_w); i++) {
        const double own = fabs(x[i] * out[i] * s), own_at_rest = fabs(x[i] * Phi_0[i]);
        if (!k->is_explicit) by = fmax(by, compute_growth(own, own_at_rest));
        response = fmax(response, own), at_rest = fmax(at_rest, own_at_rest);
    }
    return k->is_explicit ? compute_growth(response, at_rest) : by;
}

int rsd_eval_response(rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0,
                      const double *x, double *out)
{
    const int n_v = k->m.n_v, n = k->is_explicit ? n_v : k->n_w;
    const double norm = rsd_norm(x, n), first = k->is_explicit ? 1 : RSD_LARGE_ACCELERATION;
    double s = first * round_up_to_power_of_two(1 / norm) / 2, by = 1;
    double *input = k->inertia.input;
    memcpy(out, x, (size_t)n_v * sizeof *x); /* result for an input 0, or for an input of derivatives of states alone */
    for (int tries = 0; tries < RESPONSE_TRIES && norm > 0 && (tries == 0 || by > 1); tries++) {
        s *= by;
        for (int i = 0; i < n; i++) input[i] = s * x[i];
        const int verdict = rsd_eval_formalism(k, t, p, v, input, k->inertia.zero, k->work.out);
        if (verdict > 0 && tries > 0) rsd_fault_clear(&k->calls.fault); /* return the response of the last try */
        if (verdict) return verdict > 0 && tries > 0 ? 0 : verdict;
        for (int i = 0; i < n_v; i++) out[i] = (k->work.out[i] - Phi_0[i]) / s;
        for (int i = n; i < n_v; i++) out[i] += x[i]; /* Phi does not depend on the derivatives of states */
        by = choose_growth(k, Phi_0, x, out, s);
    }
    return 0;
}

static int multiply_by_M(rsd_mechanism *k, double t, const double *at, const double *x, double *out)
{
    (void)at; /* `at` is not used, because a = 0 */
    return rsd_eval_response(k, t, k->inertia.p, k->inertia.v, k->inertia.Phi_0, x, out);
}

int rsd_inertia_eval(rsd_mechanism *k, double t, const double *p, const double *v, const double *Phi_0)
{
    static const rsd_function Phi = {NULL, multiply_by_M};
    rsd_inertia *x = &k->inertia;
    if (k->m.mass_matrix) return rsd_eval_mass_matrix(k, t, p, x->values);
    x->p = p, x->v = v, x->Phi_0 = Phi_0;
    return x->groups.is_learnt ? rsd_eval_learnt_M(k, &Phi, t)
                               : rsd_difference_matrix(k, &x->groups, &Phi, t, x->zero, x->values);
}
