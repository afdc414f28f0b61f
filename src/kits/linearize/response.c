/* response.c - frequency responses Y = C (s E - A)^-1 b + d; include/resida/linearize.h. */
#include "shifted.h"

#include "base/vector_ops.h"

#include <math.h>

/* Add the columns of u, ud and udd of an excitation, multiplied by 1, s and s^2, to sum [rows]. */
static void add_excitation_columns(const rsd_sparse *B, int excitation, rsd_number s, rsd_number *sum)
{
    const int n_u = B->columns / 3;
    rsd_number factor = 1;
    for (int j = excitation; j < B->columns; j += n_u, factor *= s)
        for (int e = B->start[j]; e < B->start[j + 1]; e++) sum[B->row[e]] += factor * B->values[e];
}

/* Compute the response y [n_outputs] of an excitation at s = i 2 pi f. x [n] is work space. */
static resida_status compute_response(const resida_linearization *l, int excitation, rsd_number s, rsd_number *x,
                                      rsd_number *y)
{
    rsd_shifted w;
    for (int i = 0; i < l->model.n; i++) x[i] = 0;
    for (int i = 0; i < l->model.n_outputs; i++) y[i] = 0;
    add_excitation_columns(&l->B, excitation, s, x);
    add_excitation_columns(&l->D, excitation, s, y);
    if (l->model.n == 0) return RESIDA_OK;
    const resida_status status = rsd_shifted_factor(&w, l, s);
    if (status >= 0) rsd_shifted_solve(&w, x);
    rsd_shifted_free(&w);
    for (int j = 0; j < l->model.n; j++) x[j] = -x[j];
    if (status >= 0) rsd_sparse_add_product(&l->C, x, y);
    return status;
}

static resida_status check_response_arguments(const resida_linearization *l, int excitation, int n,
                                              const double *frequency, const double *re, const double *im,
                                              resida_message *why)
{
    if (!l || !frequency || !re || !im)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "response: %s is NULL",
                        !l           ? "l"
                        : !frequency ? "frequency"
                        : !re        ? "re"
                                     : "im");
    const int n_u = l->model.n_inputs / 3;
    if (n_u == 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "response: the model has no excitation");
    if (excitation < 0 || excitation >= n_u)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "response: excitation = %d, must be in 0 .. %d", excitation, n_u - 1);
    if (n < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "response: n = %d, must be >= 0", n);
    for (int k = 0; k < n; k++)
        if (!(frequency[k] >= 0 && frequency[k] < INFINITY))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "response: frequency[%d] = %g, must be finite and >= 0", k,
                            frequency[k]);
    return RESIDA_OK;
}

resida_status resida_linearization_response(const resida_linearization *l, int excitation, int n,
                                            const double *frequency, double *re, double *im, resida_message *why)
{
    RSD_TRY(check_response_arguments(l, excitation, n, frequency, re, im, why));
    const int outputs = l->model.n_outputs;
    rsd_owner owner = {0};
    const resida_allocator alloc = rsd_get_owned_allocator(&owner, &l->alloc);
    rsd_number *x = rsd_calloc(&alloc, l->model.n, sizeof *x), *y = rsd_calloc(&alloc, outputs, sizeof *y);
    resida_status status = x && y ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (int k = 0; k < n && status >= 0; k++) {
        status = compute_response(l, excitation, I * RSD_TWO_PI * frequency[k], x, y);
        if (status >= 0 && !rsd_all_finite((const double *)y, 2L * outputs)) status = RESIDA_ERR_SINGULAR;
        if (status == RESIDA_ERR_SINGULAR)
            rsd_fail(why, status, "there is no response at %.9g Hz: %s", frequency[k],
                     frequency[k] > 0 ? "a mode without damping has this frequency"
                                      : "a direction has no stiffness, or the pencil is singular");
        for (int i = 0; i < outputs && status >= 0; i++) {
            re[(long)k * outputs + i] = creal(y[i]);
            im[(long)k * outputs + i] = cimag(y[i]);
        }
    }
    rsd_owner_free(&owner);
    return status == RESIDA_ERR_MEMORY ? rsd_fail(why, status, "no memory for %d unknowns", l->model.n) : status;
}
