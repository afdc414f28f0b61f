/* engine_impl.h - declares the data of the Jacobian engine, which persist from setup to setup.
 *
 *     jacobian.c -> renewal.c  decides which parts are renewed
 *                -> setup.c    carries out the plan, with the parts that cost no residual call, and factors J
 *     setup.c -> evaluate.c   evaluates dF/dy: search/ its pattern, differences/ its entries, age/ outdated columns
 *             -> repair.c     repairs dF/dy in a few directions; least_change.c updates its entries
 *             -> parts/       assembles J */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include "excitations.h"
#include "jacobian/age/outdated.h"
#include "jacobian/search/search.h"
#include "jacobian.h"
#include "repair.h"

/** Entries of J that the model computes, in the order of the lists of positions in resida_system. */
typedef struct rsd_given {
    double *y, *yp;     /* [n_y] known entries of dF_c/dy; [n_yp] known entries of dF/dyp */
    double *derivative; /* [n_formalism] entries of dF_a/dy, with the strategy "user" */
} rsd_given;

struct resida_jacobian {
    rsd_owner owner;               /* owner of all memory of the engine except the struct itself */
    rsd_frame f;                   /* fixed data: system, strategy, unknown entries */
    rsd_parts p;                   /* pattern and values of J and its parts */
    rsd_differences d;             /* increments and work space of differences */
    rsd_jumps jumps;               /* columns and rows whose differences cross a jump of F */
    rsd_search search;             /* state of the search for the pattern of J */
    rsd_outdated_columns outdated; /* rates of change of the columns of A, by which outdated columns are found */
    rsd_excitations excitations;   /* inputs u at the last evaluation of A */
    rsd_repair repair;             /* directions and changes of the last repair of A */
    rsd_given given;               /* entries of J that the model computes */
    resida_jacobian_counts counts; /* counters since the creation */
    rsd_renewal renewal;           /* state of J, and the current attempt */
    rsd_factors factors;           /* factors of J */
    rsd_jacobian_use use;          /* integrator that uses J */
    rsd_iteration it;              /* iteration that resida_jacobian_prepare() has begun (iteration.c) */
    rsd_refresh_fn *refresh; /* function that updates the lists of known entries before a setup; NULL: fixed lists */
    void *refresh_user;      /* argument `user` of refresh */
};

/** Return 1 if the arrays y, yp and F of a point are given, and its scalars t, alpha and h are finite. */
int rsd_is_point_valid(const resida_jacobian_point *at);

/** Factor J for steps of size h. @return 0 on success; > 0 if J is singular; < 0 on a fatal error */
int rsd_factor_J(resida_jacobian *jac, double h);

/** Compute b [n] = J^-1 b with the current factors. */
void rsd_solve_by_factors(resida_jacobian *jac, double *b);

/** Estimate the costs of an iteration and of the renewal of each level, if J and its factors are known. cost.c */
void rsd_estimate_costs(resida_jacobian *jac);

/** Evaluate all parts of J at the point. If dF/dyp or columns of dF/dy are kept, J is not current (rsd_setup).
 *  @return 0 on success; else the nonzero result of a callback, or RESIDA_ERR_MEMORY
 *  Cost: as an evaluation by resida_jacobian_setup(). */
int rsd_evaluate_J(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at);

/** Discard the results of earlier evaluations at a restart: nominal sizes of components, the number of evaluations with
 *  the same dF/dyp, and the caution in the choice of outdated columns (outdated.h). */
void rsd_reset_difference_settings(resida_jacobian *jac);

/** Update the known entries of B = dF/dyp. @return 0 on success; else the result of the callback that failed */
int rsd_update_B(resida_jacobian *jac, const resida_jacobian_point *at);

/** Update the known entries of B, and compute its other entries by differences. @return as rsd_update_B()
 *  Cost: a residual call for each group with an unknown entry of B. */
int rsd_evaluate_B(resida_jacobian *jac, const resida_jacobian_point *at);

/** Update C = dF_c/dy by differences and from known entries. B must be updated first. @return as rsd_update_B() */
int rsd_update_C(resida_jacobian *jac, const resida_jacobian_point *at);

/** Return 1 if A = dF_a/dy is differenced by groups of columns, and 0 if by single columns or not at all. */
int rsd_engine_is_grouped(const resida_jacobian *jac);

/** Check the system and the options of an engine, and find its strategy. @return RESIDA_OK; RESIDA_ERR_ARGUMENT,
 *  RESIDA_ERR_OPTION, and *why names the wrong member. checks.c */
resida_status rsd_check_engine(const resida_system *s, const resida_jacobian_options *o, const rsd_strategy **strategy,
                               resida_message *why);

#endif
