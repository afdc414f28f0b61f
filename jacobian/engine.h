/* engine.h - what the policy and the iteration ask of the engine: facts, costs, and a setup as it was decided. The
 * engine decides nothing about J. */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "jacobian/parts/plan.h"
#include "src/base/profile.h"

/** Memory of setups. Only the policy writes it. */
typedef struct rsd_setup_history {
    int failures; /* iterations that failed with a current J, each soon after the other */
    int setups;   /* since the last one that failed */
} rsd_setup_history;

/** What the engine knows at a point. */
typedef struct rsd_engine_facts {
    int has_J;          /* the last setup succeeded */
    int is_partitioned; /* the strategy updates J for another alpha */
    int renews;         /* the strategy renews parts of J whenever that pays */
    int learns;         /* the strategy learns the pattern, and no pattern was given */
    int request;        /* resida_request bits that no setup has fulfilled yet */
    int was_evaluated;  /* the last setup was an evaluation */
    int was_current;    /* and left nothing to make better */
    int was_partial;    /* the last evaluation left columns out */
    int is_incomplete;  /* it left columns or dF/dyp out */
    int is_same_point;  /* it was at this time */
    int has_history;    /* columns were found before */
    long updates;       /* setups since the last evaluation */
} rsd_engine_facts;

void rsd_engine_get_facts(const resida_jacobian *j, const resida_jacobian_point *at, rsd_engine_facts *facts);
rsd_setup_history *rsd_engine_history(resida_jacobian *j);

/** Set J up as planned. @return as resida_jacobian_setup() */
int rsd_engine_set_up(resida_jacobian *j, const rsd_plan *plan, const resida_jacobian_point *at, int *current);

/** The profile that is charged for differences of F; NULL: none. */
void rsd_engine_set_profile(resida_jacobian *j, rsd_profile *profile);

/** 1: the strategy renews parts of J whenever that pays. 0: J is kept as it is until the iteration fails. */
int rsd_engine_renews(const resida_jacobian *j);

/** What J costs, in operations. */
typedef struct rsd_engine_costs {
    double F;          /* a call of F */
    double assembly;   /* J put together */
    double blocks;     /* all that costs no residual call */
    double evaluation; /* all columns of dF/dy, besides */
    int calls;         /* residual calls in that */
    int has_blocks, has_dFdy;
    int by_calls; /* strategy "fresh": calls alone count */
} rsd_engine_costs;
void rsd_engine_get_costs(const resida_jacobian *j, rsd_engine_costs *c);

/** From now on calls cost what the members cost_... say, in the place of what those of the engine's own system said. */
void rsd_engine_set_costs(resida_jacobian *j, const resida_system *costs);

/** Residual calls of an evaluation of all columns of dF/dy, as far as that is known. 0 for "user". */
int rsd_engine_cost(const resida_jacobian *j);

/** 1: what pays is counted in residual calls alone. */
int rsd_engine_counts_calls(const resida_jacobian *j);

/** 1: dF/dy is the model's own, not one of differences. */
int rsd_engine_is_told(const resida_jacobian *j);

/** 1: the last setup evaluated dF/dy. 0: it was an update, or failed. */
int rsd_engine_is_new(const resida_jacobian *j);

/** Inertia by rows: sum over c of |dF_i/dyp_c| / w_c, how much F_i changes where every y' moves by 1/w.
 *  @param[in]  w     [n] weights, > 0
 *  @param[out] sums  [n] 0 in a row without y'
 *  @return RESIDA_OK; RESIDA_ERR_STATE before the first setup, and where dF/dyp is not kept apart ("dense", "sparse",
 *          "user")
 *  Cost: no residual call. */
resida_status rsd_engine_inertia(const resida_jacobian *j, const double *w, double *sums);

/** dF/dyp, values in the order of the entries of J, in memory of the engine; NULL before the first setup, and where
 *  dF/dyp is not kept apart ("dense", "sparse", "user"). */
const double *rsd_engine_dFdyp(const resida_jacobian *j);

/** Increments of y are so many times the usual ones from now on; factor [n], borrowed; NULL: 1. */
void rsd_engine_scale_increments(resida_jacobian *j, const double *factor);

#endif
