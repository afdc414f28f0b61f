/* engine_impl.h - the engine inside: the pieces that J is made by, each with fields of its own, and what is remembered
 * from setup to setup.
 *
 *     setup.c -> evaluate.c   dF/dy anew: search/ for entries, differences/ of them, age/ of what may stay
 *             -> blocks.c     what costs no residual call
 *             -> parts/       J put together */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include "engine.h"
#include "excitations.h"
#include "jacobian/age/outdated.h"
#include "jacobian/search/search.h"

/** What the model gives, as it comes. */
typedef struct rsd_given {
    double *y, *yp; /* [n_y], [n_yp] known entries */
    double *dear;   /* [n_dear] derivatives of the dear part */
} rsd_given;

/** The last evaluation of dF/dy; evaluate.c. */
typedef struct rsd_evaluation {
    double t;       /* where it was; NaN: nowhere */
    int is_partial; /* it left columns out */
    int skipped_B;  /* it took dF/dyp as it was */
    long updates;   /* since then */
} rsd_evaluation;

/** The last setup; setup.c. */
typedef struct rsd_setup {
    int is_ready;     /* J is there */
    int is_evaluated; /* by an evaluation */
    int is_current;   /* and nothing could have been made better */
    double alpha;     /* of J */
} rsd_setup;

struct resida_jacobian {
    rsd_owner owner; /* of all memory but the handle itself */
    rsd_frame f;
    rsd_parts p;
    rsd_differences d;
    rsd_jumps jumps;
    rsd_search search;
    rsd_outdated_columns outdated; /* columns of A */
    rsd_excitations excitations;
    rsd_given given;
    rsd_evaluation evaluation;
    rsd_setup last;
    rsd_setup_history history;
    int requested; /* resida_request bits since the last setup */
    resida_jacobian_counts counts;
};

/** All parts of J at the point; *current 0: dF/dyp was taken as it was, or columns of dF/dy. The verdict of the
 *  functions.  Cost: what resida_jacobian_setup() says of an evaluation. */
int rsd_evaluate(resida_jacobian *j, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** Sizes, speeds and rates of what was evaluated are not known: a restart. */
void rsd_evaluate_forget(resida_jacobian *j);

/** Known entries of B; with_C: all of C; with_B: the entries of B that are not known, by differences.
 *  Cost: no residual call but for with_B: one for each group that holds such a column. */
int rsd_blocks(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int with_B);

/** 1: A is found by groups of columns. */
int rsd_engine_is_grouped(const resida_jacobian *j);

/** @name checks.c @{ */
resida_status rsd_check_system(const resida_system *s, resida_message *why);
resida_status rsd_check_jacobian_options(const resida_jacobian_options *o, resida_message *why);
resida_status rsd_check_threads(const resida_system *s, int threads, resida_message *why);
resida_status rsd_check_differences(const rsd_strategy *strategy, const resida_system *s,
                                    const resida_jacobian_options *o, resida_message *why);
/** @} */

#endif
