/* parts.h - J in parts on one pattern, with F = F_a + F_c as in doc/mathematics.md. F_a is the formalism part (public
 * name `formalism`). F_c is the constraint part (public name `constraint`). `curvature` is the differenced part of F_c:
 *
 *     J = A + C + alpha B + sum D_i (u_i - u_old_i)
 *     A = dF_a/dy      residual calls, by differences or by the model
 *     C = dF_c/dy      no residual calls
 *     B = dF/dyp       known, or residual calls in evaluations of dF/dy
 *     D = d2F_a/du dy
 *
 * If B costs residual calls and is not needed separately, A + C + alpha B is differenced ("combined"). */
#ifndef RSD_PARTS_H
#define RSD_PARTS_H

#include "structural_zeros.h"
#include "jacobian/pattern/colouring.h"

/** Pattern and column groups with which one part of F is differenced. */
typedef struct rsd_grouping {
    rsd_sparsity pattern;  /* positions of the entries of the part */
    rsd_colouring colours; /* groups of columns */
    int *at;               /* [pattern.nnz] index in the values of J of each entry */
} rsd_grouping;

typedef struct rsd_parts {
    int has_pattern;            /* 1: the pattern of J is set */
    long number;                /* number of the pattern of J: 1 for the first, one more for each new pattern */
    rsd_sparsity pattern;       /* pattern of J */
    rsd_grouping formalism;     /* formalism part F_a, or the whole F if combined */
    rsd_grouping constraint;    /* constraint part F_c */
    int *y_at, *yp_at;          /* [n_y], [n_yp] index in J of each known entry; nnz: a structural zero */
    rsd_structural_zeros y, yp; /* structural zeros among the known entries */
    int *derived_at;            /* [n_formalism] index in J of the entries of dF_a/dy that the model computes */
    int n_B;                    /* number of entries of dF/dyp */
    int *B_at, *B_column;       /* [n_B] index in J and column of each entry of dF/dyp, by columns */
    double *A, *B, *C, *J;      /* [nnz + 1] values of dF_a/dy, dF/dyp, dF_c/dy, J; [nnz] is for structural zeros */
    double *D;                  /* [n_live x nnz] derivatives of dF_a/dy by the inputs; NULL: none */
    double *accepted;           /* [nnz + 1] last entries of dF_a/dy without jumps of F (jumps.h); 0: none yet */
    double *before;             /* [nnz + 1] dF_a/dy before the current evaluation; work space of a repair */
    int is_B_constant;          /* 1: the last two evaluations of dF/dyp were equal */
} rsd_parts;

/** Allocate the arrays of parts that do not depend on the pattern of J. @return 0 if there is no memory */
int rsd_parts_create(rsd_parts *p, const rsd_frame *f);

/** Free all memory of the parts. */
void rsd_parts_free(rsd_parts *p, const rsd_frame *f);

/** Free the pattern of J and the values of its parts. */
void rsd_parts_clear(rsd_parts *p, const rsd_frame *f);

/** Set the pattern of J from the patterns of the formalism part (the whole F if combined) and of the constraint part.
 *  Both patterns become owned by p. NULL keeps the present pattern of a part. All values except D are kept.
 *  @return 0 on success; RESIDA_ERR_MEMORY: the given patterns are freed, J is unchanged */
int rsd_set_patterns(rsd_parts *p, const rsd_frame *f, const rsd_sparsity *formalism, const rsd_sparsity *constraint);

/** Activate structural zeros whose values y [n_y], yp [n_yp] are nonzero: add them to the pattern of J. @return 0;
 *  RESIDA_ERR_MEMORY */
int rsd_parts_activate_zeros(rsd_parts *p, const rsd_frame *f, const double *y, const double *yp);

/** Set the pattern of J to full columns, for the dense strategies. @return 0 on success; RESIDA_ERR_MEMORY */
int rsd_parts_set_full_pattern(rsd_parts *p, const rsd_frame *f);

/** Copy the values [nnz] of B = dF/dyp, and record whether B has changed. */
void rsd_parts_store_B(rsd_parts *p, const double *B);

/** Assemble J = A + C + alpha B, without the derivatives D by the excitations. */
void rsd_parts_assemble_J(rsd_parts *p, const rsd_frame *f, double alpha);

/** Return a view of J; the arrays are owned by p. */
static inline resida_jacobian_matrix rsd_parts_get_matrix(const rsd_parts *p)
{
    return (resida_jacobian_matrix){p->pattern.cols, p->pattern.nnz, p->pattern.col_start,
                                    p->pattern.row,  p->J,           p->number};
}

/** Set per_row [n] to 1/(largest entry of each row of J), with columns scaled by the weights; 0 for an empty row. J
 *  must be assembled. */
void rsd_parts_set_inverse_row_sizes(const rsd_parts *p, const resida_jacobian_point *at, double *per_row);

#endif
