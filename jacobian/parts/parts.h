/* parts.h - J in parts on one pattern:
 *
 *     J = A + C + alpha B + sum D_i (u_i - u_old_i)
 *     A = d(dear)/dy   residual calls, by differences or by the model
 *     C = d(cheap)/dy  no residual calls
 *     B = dF/dyp       known, or residual calls once per evaluation
 *     D = d2(dear)/du dy
 *
 * When B cannot be had for nothing and alpha is not to be updated, A + alpha B is differenced in one go
 * ("combined"). */
#ifndef RSD_PARTS_H
#define RSD_PARTS_H

#include "structural_zeros.h"
#include "jacobian/pattern/colouring.h"

/** What one part of F is differenced by: its own pattern, the groups on it, and where its entries are in J. */
typedef struct rsd_grouping {
    rsd_sparsity pattern;
    rsd_colouring colours;
    int *at; /* [pattern.nnz] */
} rsd_grouping;

typedef struct rsd_parts {
    int is_there;               /* there is a pattern */
    long number;                /* counts the patterns */
    rsd_sparsity pattern;       /* of J */
    rsd_grouping dear, cheap;   /* of what is differenced; dear is the whole when combined */
    int *y_at, *yp_at;          /* [n_y], [n_yp] places of the known entries; nnz: a structural zero */
    rsd_structural_zeros y, yp; /* of the known entries */
    int *derived_at;            /* [n_dear] likewise, the entries that the model derives */
    int n_B, *B_at, *B_column;  /* [n_B] entries of B that may not be zero, column by column: where, and in which one */
    double *A, *B, *C, *J;      /* [nnz], and a place for what is no entry */
    double *D;                  /* [n_live x nnz]; NULL before it is known on this pattern */
    double *accepted;           /* [nnz] A as it was last free of jumps; zero: never */
    double *before;             /* [nnz] what is about to be found, as it was */
    int B_same;                 /* evaluations in a row that found B as it was */
} rsd_parts;

/** Places that do not depend on the pattern. 0: no memory. */
int rsd_parts_create(rsd_parts *p, const rsd_frame *f);

/** No pattern, no values. */
void rsd_parts_clear(rsd_parts *p, const rsd_frame *f);

/** Lay J out on these patterns, which become its own: of the dear part (in combined mode of all that is differenced)
 *  and of the cheap one. Values are carried over, but for D. RESIDA_ERR_MEMORY: the patterns are freed, everything is
 *  as it was. */
int rsd_parts_set(rsd_parts *p, const rsd_frame *f, rsd_sparsity *dear, rsd_sparsity *cheap);

/** The pattern of the dear part becomes this one; the cheap one stays. Likewise. */
int rsd_parts_grow(rsd_parts *p, const rsd_frame *f, rsd_sparsity *dear);

/** Activate structural zeros whose values y [n_y], yp [n_yp] are not zero: they get a place. RESIDA_ERR_MEMORY. */
int rsd_parts_activate(rsd_parts *p, const rsd_frame *f, const double *y, const double *yp);

/** Full columns, for the dense strategies. RESIDA_ERR_MEMORY. */
int rsd_parts_fill(rsd_parts *p, const rsd_frame *f);

/** B [nnz] was found; counts how often it stayed the same. */
void rsd_parts_take_B(rsd_parts *p, const double *B);

/** Whether B stays the same is not known. */
void rsd_parts_forget_B(rsd_parts *p);

/** No entry of A was ever free of jumps. */
void rsd_parts_forget_accepted(rsd_parts *p);

/** Room for D of so many inputs. RESIDA_ERR_MEMORY; and drop it. */
int rsd_parts_reserve_D(rsd_parts *p, const rsd_frame *f, int n_live);
void rsd_parts_drop_D(rsd_parts *p, const rsd_frame *f);

/** J = A + C + alpha B, without D. */
void rsd_parts_assemble(rsd_parts *p, const rsd_frame *f, double alpha);

/** Largest entry of each row of J as it was assembled last, columns scaled by the weights: its inverse into per_row
 *  [n]; 0 for an empty row. */
void rsd_parts_size_rows(const rsd_parts *p, const resida_jacobian_point *at, double *per_row);

#endif
