/* linearize_impl.h - the linear model of a mechanism or a DAE. */
#ifndef RSD_LINEARIZE_IMPL_H
#define RSD_LINEARIZE_IMPL_H

#include <resida/linearize.h>

#include "pencil.h"

#include <complex.h>

typedef double complex rsd_number;

#define RSD_TWO_PI 6.283185307179586476925 /* radians of a turn */
enum { RSD_LINEAR_NAME = RSD_COMPONENT_NAME };
enum { RSD_MODES_UNKNOWNS = 2000 }; /* unknowns of full matrices: some minutes, and 0.4 GB */
enum { RSD_NAMES_X, RSD_NAMES_U, RSD_NAMES_Y };

/** The state as an argument of outputs: p, v, a, lam, or y, y' and two parts of size 0; then the excitations u. */
enum { RSD_OF_U = 4, RSD_POINT_PARTS };
typedef struct rsd_linear_point {
    int first[RSD_POINT_PARTS + 1]; /* of each part in x */
    double *x;                      /* [first[RSD_POINT_PARTS]] */
    int is_dae;
    int a, lam; /* offsets among the unknowns; < 0: not unknowns */
} rsd_linear_point;

typedef struct rsd_entry {
    int row, column;
    double value;
} rsd_entry;

/** Results of modes. */
typedef struct rsd_mode_lists {
    double *re, *im, *error, *shape_re, *shape_im, *still;
    int *breaks, *still_breaks;
} rsd_mode_lists;

struct resida_linearization {
    rsd_owner owner;
    resida_allocator alloc;    /* by it, but for the handle itself and .. */
    rsd_owner mode_memory;     /* .. the lists of modes */
    resida_linear_model model; /* views of what follows */
    rsd_sparse E, A, B, C, D;
    char **names[3]; /* by RSD_NAMES_X ..; each a block of its own */
    int n_positions; /* of the outputs, the first ones; 0: of a general DAE */
    rsd_entry *H;    /* [n_H] derivatives of the constraints [n_H_rows x outputs]: modes with H y != 0 violate them */
    int n_H, n_H_rows;
    rsd_linear_point at;
    double *answers; /* [(n_v + n_l) x (n + n_inputs)] da, dlam of each column of C and D, NaN where they do not follow;
                        NULL of a problem as it is */
    rsd_sparse A_error;     /* bounds of the errors of A's entries; in independent coordinates of those of .. */
    rsd_sparse left, right; /* .. N with A = left' N right; empty: A itself */
    rsd_number *room;       /* [N's rows and columns] */
    double noise;           /* errors of derivatives, as parts of them */
    rsd_mode_lists lists;
};

/** Eigenvalues; of a pair the one with im > 0. */
typedef struct rsd_spectrum {
    rsd_owner owner;
    resida_allocator alloc; /* of its memory, and of what was needed to find it */
    int n;                  /* pairs */
    rsd_number *lambda, *x; /* [n], [n x unknowns] row by row */
    double *error;          /* [n] what errors of A may change */
    int n_zero, n_infinite, n_still, n_lost;
    rsd_number *still; /* [n_still x unknowns] row by row, real */
} rsd_spectrum;

/** A state of a mechanism. */
typedef struct rsd_state_by_parts {
    double t;
    const double *p, *v, *a, *lam;
} rsd_state_by_parts;

/** E, A, B, C, D and sizes of l in independent coordinates. @return as resida_linearize_mechanism() */
resida_status rsd_independent(resida_linearization *l, resida_problem *problem, const rsd_state_by_parts *at,
                              resida_message *why);

/** The model's matrices and names as the handle has them. */
void rsd_linear_view(resida_linearization *l);

/** A list of n names, each with room for RSD_LINEAR_NAME characters behind the list; NULL without memory. */
char **rsd_linear_names(int n, const resida_allocator *alloc);

/** y [rows] += A x, x [columns]. */
void rsd_sparse_add_product(const rsd_sparse *A, const rsd_number *x, rsd_number *y);

/** Room for `most` of them, and for as many null vectors as `still`. RESIDA_ERR_MEMORY. */
resida_status rsd_spectrum_open(rsd_spectrum *s, int most, int still, int unknowns);
void rsd_spectrum_add(rsd_spectrum *s, rsd_number lambda, double error, const rsd_number *x, int unknowns);

/** What errors of A may change of y A x. */
double rsd_entry_errors(const resida_linearization *l, const rsd_number *y, const rsd_number *x);

/** lambda by right and left vectors x, y, and what errors of A may change of it. norm: of y, A and x together, as they
 *  were found; gap: to the next one; fastest: the largest there is; room [n]. @return what it is: RSD_OPEN: with a
 *  residual |y| |A x - lambda E x| above RSD_RESIDUAL |lambda y E x|; RSD_FAR: the vectors' lambda is another one;
 *  RSD_ZERO, but for rounding, or RSD_LOST: fast, and not larger than what rounding makes of it */
enum { RSD_KNOWN, RSD_OPEN, RSD_FAR, RSD_ZERO, RSD_LOST };
#define RSD_RESIDUAL 1e-6
int rsd_improve(const resida_linearization *l, const rsd_number *x, const rsd_number *y, double norm, double gap,
                double fastest, rsd_number *room, rsd_number *lambda, double *error);
/** lambda near what it is, with x, by inverse iteration; gap, fastest as above. y [n] gets the left vector.
 *  @return RESIDA_ERR_NEWTON, _SINGULAR: it does not settle, or is zero but for rounding; RESIDA_ERR_MEMORY */
resida_status rsd_refine(const resida_linearization *l, rsd_number *x, rsd_number *y, double gap, double fastest,
                         rsd_number *lambda, double *error);

/** All of them, where E and A are those of a symmetric system of the second order. 0: they are not. */
int rsd_spectrum_symmetric(rsd_spectrum *s, const resida_linearization *l, resida_status *status);

/** All of them, by full matrices. */
resida_status rsd_spectrum_full(rsd_spectrum *s, const resida_linearization *l, resida_message *why);

/** The `count` eigenvalues nearest to i 2 pi near, by shift-invert; zeros are left out. */
resida_status rsd_spectrum_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                resida_message *why);

#endif
