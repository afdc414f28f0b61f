/* kits.h - functions of kits that the core calls. src/kits/kits.c fills the table. The functions of a kit that is not
 * built are NULL. */
#ifndef RSD_KITS_H
#define RSD_KITS_H

#include <resida/solver.h>

struct rsd_start;

typedef struct rsd_kits {
    /** contacts: find the contacts that are closed at a consistent state, and their number. */
    resida_status (*find_closed)(struct rsd_start *s, int *n_closed);

    /** check: allocate its data in the solver's memory. */
    resida_status (*make_examiner)(resida_solver *s);
    /** Check the derivatives that the model provides, at a first start y_new found from p0, v0. Warn if y_new differs
     *  from p0, v0. Return RESIDA_OK; RESIDA_ERR_MEMORY; RESIDA_ERR_MODEL if the given dg/dp is not the derivative of
     *  g, or the mass matrix contradicts the residual; or the status of the guard. */
    resida_status (*examine_start)(resida_solver *s, double t, const double *p0, const double *v0,
                                   const resida_start_options *o);
    /** Check F = 0 at the start y_new, yp_new of a general DAE whose yp0 was given. */
    resida_status (*examine_given_start)(resida_solver *s, double t);
    /** Check the start y_new of a general DAE without yp0, after the search from y0 [n] has ended with this status. If
     *  a component that is not algebraic differs from y0 by more than its tolerance, return RESIDA_ERR_INCONSISTENT if
     *  kinds are declared or the jacobian is wrong, else warn. After a failed search, report a wrong jacobian. F is
     *  evaluated only after such a difference or a failure. */
    resida_status (*examine_found_start)(resida_solver *s, double t, const double *y0, resida_status status);
    /** Check if steps have failed because of a wrong jacobian of a general DAE; the message then says so. Return the
     *  status. */
    resida_status (*explain_failure)(resida_solver *s, resida_status status);
} rsd_kits;

extern const rsd_kits rsd_kits_built;

#endif
