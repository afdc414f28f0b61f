/* linearize_impl.h - a model that was linearised, inside. */
#ifndef RSD_LINEARIZE_IMPL_H
#define RSD_LINEARIZE_IMPL_H

#include <resida/linearize.h>

#include "pencil.h"

enum { RSD_LINEAR_NAME = RSD_COMPONENT_NAME };

/** Results of modes. */
typedef struct rsd_mode_lists {
    double *re, *im, *shape_re, *shape_im, *still;
    int *breaks, *still_breaks;
} rsd_mode_lists;

struct resida_linearization {
    resida_allocator alloc;
    resida_linear_model model; /* views of what follows */
    rsd_sparse E, A, B, C, D;
    char **names[3]; /* of x, inputs, outputs; each a block of its own */
    int n_positions; /* of the outputs, the first ones; 0: of a general DAE */
    rsd_sparse H; /* [rows x outputs] derivatives of what the constraints hold: modes of y with H y != 0 break them */
    double noise; /* of A: errors of its entries, in terms of their rows */
    rsd_mode_lists lists;
};

/** All of a pencil that is not larger than full matrices allow. */
typedef struct rsd_spectrum {
    int n;               /* pairs */
    double *re, *im;     /* [n] */
    double *x_re, *x_im; /* [n x unknowns] row by row */
    int n_zero, n_infinite, n_still;
    double *still; /* [n_still x unknowns] row by row */
    double rounding;
} rsd_spectrum;

/** To be freed in any case. */
resida_status rsd_spectrum_full(rsd_spectrum *s, const resida_linearization *l, resida_message *why);
void rsd_spectrum_free(rsd_spectrum *s, const resida_allocator *alloc);

/** The `count` eigenvalues nearest to i 2 pi near, by ARPACK; RESIDA_ERR_STATE: the library was built without. */
resida_status rsd_spectrum_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                resida_message *why);
int rsd_spectrum_has_near(void);

void rsd_mode_lists_free(rsd_mode_lists *lists, const resida_allocator *alloc);

/** y [A->rows] = A x. */
void rsd_sparse_times(const rsd_sparse *A, const double *x, double *y);

#endif
