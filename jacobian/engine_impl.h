/* engine_impl.h - the engine inside: J in parts on one pattern, and who fills them.
 *
 *     J = A + C + alpha B + sum D_i (u_i - u_old_i)
 *     A = d(dear)/dy   residual calls     difference.c
 *     C = d(cheap)/dy  no residual calls  blocks.c
 *     B = dF/dyp       known, or residual calls once per evaluation
 *     D = d2(dear)/du dy                  excitation.c
 *
 * When B cannot be had for nothing and alpha is not to be updated, A + alpha B is differenced in one go ("combined"). */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include <resida/jacobian.h>

#include "colouring.h"
#include "memory.h"
#include "message.h"
#include "sparsity.h"

/** What a strategy does; policy.c holds the table. */
typedef struct rsd_strategy {
    const char *name;
    int coloured;    /* groups on an estimated pattern, else column by column */
    int partitioned; /* a new alpha is an update */
    int extended;    /* and so are new excitations */
    int fresh;       /* all that is cheap is renewed at every attempt */
} rsd_strategy;

/** What one part of F is differenced by: its own pattern, the groups on it, and where its entries are in J. */
typedef struct rsd_grouping {
    rsd_sparsity pattern;
    rsd_colouring colours;
    int *at; /* [pattern.nnz] */
} rsd_grouping;

struct resida_jacobian {
    resida_allocator alloc;
    resida_system s;
    const rsd_strategy *strategy;
    int n;
    int has_open_B;         /* some entries of dF/dyp are not known */
    int combined;           /* A holds dF/dy + alpha dF/dyp */
    unsigned char *columns; /* [n] resida_column bits */

    rsd_sparsity pattern;     /* of J */
    rsd_grouping dear, cheap; /* of what is differenced; dear is the whole when combined */
    int *y_at, *yp_at;        /* [n_y], [n_yp] where the known entries are in the values */
    int has_pattern;
    long pattern_number;   /* counts the patterns */
    double *A, *B, *C, *J; /* [nnz] */
    double *D;             /* [n_live x nnz]; NULL before it is known */
    int n_live, *live;     /* inputs that J depends on */

    double *y, *yp, *r, *r0;    /* [n] a perturbed point, a function there, and at the point itself */
    double *delta;              /* [n] increments */
    double *sum, *scale;        /* [n] of the check: what entries explain, how large the terms of a row are */
    double *known_y, *known_yp; /* [n_y], [n_yp] */
    double *u, *u_old;          /* [n_inputs] now, and at A */

    int B_same;              /* evaluations in a row that found B as it was */
    int refused_excitations; /* evaluations in a row at which F was not possible at other excitations */
    int unchecked;           /* evaluations that are not checked any more, after a search that found nothing */
    int B_skipped;           /* the last evaluation took it as it was */
    double t_evaluated;      /* where A was found; NaN: nowhere */
    int just_evaluated;      /* by the last setup */
    int ready;
    resida_jacobian_counts counts;
};

/** Which function is differenced. */
typedef enum rsd_part { RSD_WHOLE, RSD_DEAR, RSD_CHEAP } rsd_part;

/** The part at (t, y, yp) into r; counted. The verdict of the function. */
int rsd_call(resida_jacobian *j, rsd_part part, double t, const double *y, const double *yp, double *r);

/** The part at the point itself, into r0, without a residual call: dear = F - cheap. */
int rsd_base(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double *r0);

/** Difference quotients of a part along y (sy = 1) and yp (syp), eqs. (16), (20): the columns with one of `bits` set,
 *  by groups of the part. The values [nnz] at the part's entries of these columns are overwritten.
 *  Cost: one call for each group that holds such a column. */
int rsd_difference(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double sy, double syp,
                   unsigned bits, double *values);

/** Increment of component i, eq. (17), floored by the error weight, towards the step, exactly representable. */
double rsd_increment(const resida_jacobian_point *at, int i);

/** Known entries of B; with_C: all of C; with_B: the entries of B that are not known, by differences.
 *  Cost: no residual call but for with_B: one for each group that holds such a column. */
int rsd_blocks(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int with_B);

/** Lay J out on these patterns, which become the engine's: of the dear part (in combined mode of all that is
 *  differenced) and of the cheap one. RESIDA_ERR_MEMORY. */
int rsd_set_patterns(resida_jacobian *j, rsd_sparsity *dear, rsd_sparsity *cheap);

/** Full columns, for the dense strategies. RESIDA_ERR_MEMORY. */
int rsd_full_patterns(resida_jacobian *j);

/** Estimated around the point. The verdict of the functions, or RESIDA_ERR_MEMORY. */
int rsd_estimate_patterns(resida_jacobian *j, const resida_jacobian_point *at);

void rsd_free_patterns(resida_jacobian *j);

/** One product with a random direction: do A's entries explain it? *complete 0: entries are missing. 1 residual call. */
int rsd_audit(resida_jacobian *j, const resida_jacobian_point *at, int *complete);

/** Find entries outside of the pattern by full differences, and add them. *grown 1: some were. */
int rsd_grow_patterns(resida_jacobian *j, const resida_jacobian_point *at, int *grown);

/** D by differences of A over the inputs; nothing to do when it is known. */
int rsd_excitation_part(resida_jacobian *j, const resida_jacobian_point *at);

/** Values of the inputs at t into u. */
int rsd_inputs(resida_jacobian *j, double t, double *u);

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why);

#endif
