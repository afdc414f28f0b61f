/* linearize_impl.h - the linear model of a mechanism or a DAE. */
#ifndef RSD_LINEARIZE_IMPL_H
#define RSD_LINEARIZE_IMPL_H

#include <resida/linearize.h>

#include "pencil.h"

#include <complex.h>

typedef double complex rsd_number; /* complex number */

#define RSD_TWO_PI 6.283185307179586476925      /* 2 pi, radians per revolution */
enum { RSD_LINEAR_NAME = RSD_COMPONENT_NAME };  /* maximum size of a name */
enum { RSD_MODES_UNKNOWNS = 2000 };             /* maximum number of unknowns with full matrices (minutes, 0.4 GB) */
enum { RSD_NAMES_X, RSD_NAMES_U, RSD_NAMES_Y }; /* lists of names: unknowns, inputs, outputs */

/** The arguments of output(): p, v, a, lam of a mechanism, or y, y' and two empty parts of a DAE, followed by
 *  excitations u. */
enum { RSD_OF_U = 4, RSD_POINT_PARTS }; /* index of the part u; number of parts */
typedef struct rsd_linear_point {
    int first[RSD_POINT_PARTS + 1]; /* index of the first component of each part in x */
    double *x;                      /* [first[RSD_POINT_PARTS]] arguments of output(), part by part */
    int is_dae;                     /* 1: a point of a general DAE */
    int a, lam;                     /* offsets of a and of lam in the unknowns; < 0: not an unknown */
} rsd_linear_point;

/** Entry of a sparse matrix. */
typedef struct rsd_entry {
    int row, column; /* row and column of the entry */
    double value;    /* value of the entry */
} rsd_entry;

struct resida_linearization {
    rsd_owner owner;           /* owner of all memory except the handle and the lists of modes */
    resida_allocator alloc;    /* allocator whose blocks `owner` frees */
    rsd_owner mode_memory;     /* owner of the lists of modes */
    resida_linear_model model; /* the public model, which points to the matrices and names below */
    rsd_sparse E, A, B, C, D;  /* matrices of the linear model */
    char **names[3];           /* names of unknowns, inputs, outputs (RSD_NAMES_X, _U, _Y), each list in one block */
    int n_positions;           /* number of positions, the first outputs; 0: a general DAE */
    rsd_entry *H;              /* [n_H] entries of the constraint derivatives H; a mode y satisfies H y = 0 */
    int n_H, n_H_rows;         /* number of entries of H; number of rows of H */
    rsd_linear_point at;       /* point of linearisation */
    double *answers; /* [(n_v + n_l) x (n + n_inputs)] da, dlam of each column of C and D; NaN: unknown; NULL: none */
    rsd_sparse A_error;     /* error bounds of the entries of A, or of N in A = left' N right */
    rsd_sparse left, right; /* factors of A = left' N right in independent coordinates; else empty */
    rsd_number *room;       /* work space */
    double noise;           /* relative error of the derivatives of F */
};

/** Eigenvalues, one of each complex pair with im > 0, and vectors. */
typedef struct rsd_spectrum {
    rsd_owner owner;        /* owner of the arrays */
    resida_allocator alloc; /* allocator of the results and of temporary arrays */
    int n;                  /* number of eigenvalues, with one of each pair */
    rsd_number *lambda, *x; /* [n] eigenvalues; [n x unknowns] right vectors, by rows */
    double *error;          /* [n] bounds of the errors of the eigenvalues that errors of A cause */
    int n_zero, n_infinite, n_still,
        n_lost;        /* numbers of zero and infinite eigenvalues; of null vectors; of lost eigenvalues */
    rsd_number *still; /* [n_still x unknowns] real null vectors of A, by rows */
} rsd_spectrum;

/** Compute E, A, B, C, D in independent coordinates. @return as resida_linearize_mechanism() */
resida_status rsd_linearize_independent(resida_linearization *l, resida_problem *problem, const resida_state *at,
                                        resida_message *why);

/** Allocate n names of RSD_LINEAR_NAME characters each, in one block. @return NULL if memory is exhausted */
char **rsd_linear_allocate_names(int n, const resida_allocator *alloc);

/** Compute y [rows] += A x [columns]. */
void rsd_sparse_add_product(const rsd_sparse *A, const rsd_number *x, rsd_number *y);

/** Allocate memory for `max` eigenvalues and `still` null vectors. @return RESIDA_OK; RESIDA_ERR_MEMORY */
resida_status rsd_spectrum_allocate(rsd_spectrum *s, int max, int still, int unknowns);
void rsd_spectrum_append(rsd_spectrum *s, rsd_number lambda, double error, const rsd_number *x, int unknowns);

/** Return a bound of the change of the product y A x that errors of A cause. */
double rsd_bound_entry_errors(const resida_linearization *l, const rsd_number *y, const rsd_number *x);

/** Improve an eigenvalue by its right and left vectors x, y [n]: lambda = y A x/(y E x). Set *error to a bound of the
 *  error of lambda that errors of A cause. norm: |y| |A| |x| of the matrices from which x and y were computed. gap:
 *  distance to the closest other eigenvalue. fastest: largest |lambda| of the spectrum. room [n]: work space.
 *  @return RSD_KNOWN if lambda is accepted; RSD_OPEN if |y| |A x - lambda E x| exceeds RSD_RESIDUAL |lambda y E x|;
 *  RSD_FAR if the quotient differs from lambda by more than the gap; RSD_ZERO if lambda cannot be distinguished from
 *  zero within rounding, and is small compared with `fastest`; RSD_LOST if lambda cannot be distinguished from zero,
 *  but is not small */
enum { RSD_KNOWN, RSD_OPEN, RSD_FAR, RSD_ZERO, RSD_LOST };
#define RSD_RESIDUAL 1e-6 /* maximum residual of an accepted eigenvalue, relative to |lambda y E x| */
int rsd_improve_eigenvalue(const resida_linearization *l, const rsd_number *x, const rsd_number *y, double norm,
                           double gap, double fastest, rsd_number *room, rsd_number *lambda, double *error);
/** Refine lambda and x by inverse iteration. gap: distance to the closest other one; fastest: largest |lambda|; y [n]:
 *  left vector on return.
 *  @return RESIDA_OK; RESIDA_ERR_NEWTON: no convergence, or lambda is rounding; RESIDA_ERR_SINGULAR, _MEMORY */
resida_status rsd_refine_eigenpair(const resida_linearization *l, rsd_number *x, rsd_number *y, double gap,
                                   double fastest, rsd_number *lambda, double *error);

/** Compute all eigenvalues if E and A belong to an undamped symmetric system of second order.
 *  @return 1: *status is the result; 0: the system is not of that kind */
int rsd_spectrum_compute_symmetric(rsd_spectrum *s, const resida_linearization *l, resida_status *status);

/** Compute all eigenvalues of the pencil (A, E) by full matrices. */
resida_status rsd_spectrum_compute_full(rsd_spectrum *s, const resida_linearization *l, resida_message *why);

/** Compute the `count` eigenvalues closest to i 2 pi near by shift-invert; zero eigenvalues are omitted. */
resida_status rsd_spectrum_compute_near(rsd_spectrum *s, const resida_linearization *l, int count, double near,
                                        resida_message *why);

#endif
