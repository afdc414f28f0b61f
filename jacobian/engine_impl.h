/* engine_impl.h - the pieces of the engine, each with fields of its own, and its memory from setup to setup.
 *
 *     jacobian.c -> renewal.c  decides what is renewed, renewal_cost.c by costs
 *                -> setup.c    does it
 *     setup.c -> evaluate.c   evaluates dF/dy: search/ its pattern, differences/ its entries, age/ outdated columns
 *             -> repair.c     repairs dF/dy in a few directions, least_change.c
 *             -> blocks.c     updates the parts that cost no residual call
 *             -> parts/       assembles J */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include "excitations.h"
#include "jacobian/age/outdated.h"
#include "jacobian/search/search.h"
#include "jacobian.h"
#include "repair.h"

/** Values that the model gives, in its order. */
typedef struct rsd_given {
    double *y, *yp;     /* [n_y], [n_yp] known entries */
    double *derivative; /* [n_formalism] of the formalism part */
} rsd_given;

struct resida_jacobian {
    rsd_owner owner; /* of all memory but the handle itself */
    rsd_frame f;
    rsd_parts p;
    rsd_differences d;
    rsd_jumps jumps;
    rsd_search search;
    rsd_outdated_columns outdated; /* of A */
    rsd_excitations excitations;
    rsd_repair repair; /* of A */
    rsd_given given;
    resida_jacobian_counts counts;
    rsd_renewal renewal;
    rsd_factors factors;
    rsd_jacobian_use use;
    rsd_iteration it;        /* of an integrator with the public verbs */
    rsd_refresh_fn *refresh; /* NULL: the system stays */
    void *refresh_user;
};

/** 1: all of the point is given, and its numbers are finite. */
int rsd_is_point_finite(const resida_jacobian_point *at);

/** Collect the facts of the engine at a point. */
void rsd_engine_get_facts(const resida_jacobian *jac, const resida_jacobian_point *at, rsd_engine_facts *facts);

/** Set J up by a plan, and record its calls. @return as resida_jacobian_setup() */
int rsd_engine_set_up(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** Factor J for steps of size h. 0; > 0: singular; < 0: stop */
int rsd_factor(resida_jacobian *jac, double h);

/** b [n] <- J^-1 b. */
void rsd_solve_by_factors(resida_jacobian *jac, double *b);

/** Learn what an iteration and each level of a renewal cost, as far as J and its factors are known. cost.c */
void rsd_learn_costs(resida_jacobian *jac);

/** Evaluate all parts of J at the point. *current 0: dF/dyp or columns of dF/dy were taken as they were.
 *  @return 0; the result of a function if it is not 0.  Cost: that of an evaluation, resida_jacobian_setup(). */
int rsd_evaluate(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** Forget nominal sizes, B and caution of earlier evaluations, for a restart. */
void rsd_evaluate_forget(resida_jacobian *jac);

/** Update the known entries of B; with_C: all of C; with_B: the other entries of B, by differences.
 *  Cost: with_B one residual call for each group with such a column, else none. */
int rsd_blocks(resida_jacobian *jac, const resida_jacobian_point *at, int with_C, int with_B);

/** 1: A is evaluated by groups of columns. */
int rsd_engine_is_grouped(const resida_jacobian *jac);

/** Check a system. RESIDA_ERR_ARGUMENT, with the name of the wrong member. checks.c */
resida_status rsd_check_system(const resida_system *s, resida_message *why);

/** Check options. RESIDA_ERR_ARGUMENT, RESIDA_ERR_OPTION, likewise. */
resida_status rsd_check_jacobian_options(const resida_jacobian_options *o, resida_message *why);

/** Check that the system has a worker for each thread. */
resida_status rsd_check_threads(const resida_system *s, int threads, resida_message *why);

/** Check that options of differences have an effect with the strategy. */
resida_status rsd_check_differences(const rsd_strategy *strategy, const resida_system *s,
                                    const resida_jacobian_options *o, resida_message *why);

#endif
