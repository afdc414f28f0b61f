/* engine.h - what the iteration asks of the engine: how it deals with J, and how dear an evaluation is. The engine
 * decides none of what follows from it. */
#ifndef RSD_ENGINE_H
#define RSD_ENGINE_H

#include <resida/jacobian.h>

#include "src/base/profile.h"

/** Whose clock stands at differences while F is differenced (src/base/profile.h); NULL: nobody's. */
void rsd_engine_set_profile(resida_jacobian *j, rsd_profile *profile);

/** 1 when the strategy wants setups between evaluations: RESIDA_SETUP_ATTEMPT whenever J is due, RESIDA_SETUP_ALPHA
 *  whenever alpha is a new one. */
int rsd_engine_renews(const resida_jacobian *j);

/** 1 when a step attempt at t should begin with a setup: what costs no residual call may have changed by more than a
 *  fiftieth of a row of J since it was found, at the speed at which it changed before (with more than 30 unknowns,
 *  whose factors are dearer, n/30 fiftieths, up to a fifth, which also holds where an evaluation is dear). */
int rsd_engine_is_due(const resida_jacobian *j, double t);

/** 1: dF/dy is kept from setup to setup and grows old, though what costs no residual call is renewed: strategy "fresh".
 *  0: no setup between evaluations, or it is the model's own, exact at each. */
int rsd_engine_ages(const resida_jacobian *j);

/** Residual calls of an evaluation of all columns of dF/dy, as far as that is known. 0 for "user". */
int rsd_engine_cost(const resida_jacobian *j);

/** 1: what is renewed, and when, is weighed by what it costs (src/newton/account.h): strategy "weighed". */
int rsd_engine_weighs(const resida_jacobian *j);

/** What J costs, in operations. */
typedef struct rsd_engine_costs {
    double F;          /* a call of F */
    double assembly;   /* J put together */
    double blocks;     /* all that costs no residual call */
    double evaluation; /* all columns of dF/dy, besides */
    int has_blocks, has_dFdy;
} rsd_engine_costs;
void rsd_engine_get_costs(const resida_jacobian *j, rsd_engine_costs *c);

/** From now on calls cost what the members cost_... say, in the place of what those of the engine's own system said. */
void rsd_engine_set_costs(resida_jacobian *j, const resida_system *costs);

/** Residual calls of an evaluation that is dear: with 36 of the rear axle corrections of J cost more iterations than
 *  they save. Guarded by the tests rates and counters. */
#define RSD_DEAR_CALLS 40.0

/** 1: an evaluation takes 40 residual calls or more, as far as a setup has shown, so that it pays to correct J by what
 *  the corrector iteration sees, and to renew the rest of it more rarely. */
int rsd_engine_is_dear(const resida_jacobian *j);

/** 1: the last setup evaluated dF/dy. 0: it was an update, or failed. */
int rsd_engine_is_new(const resida_jacobian *j);

/** Inertia by rows: sum over c of |dF_i/dyp_c| / w_c, how much F_i changes where every y' moves by 1/w.
 *  @param[in]  w     [n] weights, > 0
 *  @param[out] sums  [n] 0 in a row without y'
 *  @return RESIDA_OK; RESIDA_ERR_STATE before the first setup, and where dF/dyp is not kept apart ("dense", "sparse",
 *          "user")
 *  Cost: no residual call. */
resida_status rsd_engine_inertia(const resida_jacobian *j, const double *w, double *sums);

#endif
