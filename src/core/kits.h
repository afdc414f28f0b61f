/* kits.h - functions of kits that the core calls. src/kits/kits.c fills the table; those of a kit that is not built are
 * NULL. */
#ifndef RSD_KITS_H
#define RSD_KITS_H

#include <resida/solver.h>

struct rsd_start;

typedef struct rsd_kits {
    /** contacts: which of the contacts that hold are closed at a consistent state, and their number. */
    resida_status (*find_closed)(struct rsd_start *s, int *n_closed);

    /** check: prepare, in the solver's memory. */
    resida_status (*make_examiner)(resida_solver *s);
    /** At a first start y_new that was found from p0, v0: derivatives that the model gives, and a warning where it is
     *  another state. RESIDA_ERR_MEMORY; RESIDA_ERR_MODEL: dg/dp is not that of g; what the guard stopped for. */
    resida_status (*examine_start)(resida_solver *s, double t, const double *p0, const double *v0,
                                   const resida_start_options *o);
    /** The same for a general DAE whose yp0 is given, y_new and yp_new: is F = 0? */
    resida_status (*examine_given_start)(resida_solver *s, double t);
    /** The same without yp0, where the search for a start from y0 [n] ended with this status: is y_new such a start? A
     *  move of a component that is not algebraic, beyond its tolerance, is RESIDA_ERR_INCONSISTENT where kinds are
     *  declared or the jacobian is wrong, else a warning; a failure names a wrong jacobian. No residual call without
     *  one of them. */
    resida_status (*examine_found_start)(resida_solver *s, double t, const double *y0, resida_status status);
    /** Steps have ended with this status: by a wrong jacobian of a general DAE, which the message then names? @return
     *  it */
    resida_status (*explain_failure)(resida_solver *s, resida_status status);
} rsd_kits;

extern const rsd_kits rsd_kits_built;

#endif
