/* resida/impact.h - velocities after an impact of a mechanism.
 *
 * Contact i has a gap phi_i with the rate w_i = dphi_i/dp T v + dphi_i/dt, and a coefficient of restitution e_i.
 * Positions and states z stay; impulses P_i of contacts and Lam of joints change the velocities from v- to v+
 * (doc/mathematics.md, section 11):
 *
 *     0 <= P_i,   w_i+ >= -e_i min(w_i-, 0),   one of the two with "="
 *
 * v+ is unique; P has few P_i > 0. doc/contacts.md has friction, energy and the laws of restitution. */
#ifndef RESIDA_IMPACT_H
#define RESIDA_IMPACT_H

#include <resida/contact.h>
#include <resida/problem.h>
#include <resida/start.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Contacts that are closed at an impact. */
typedef struct resida_contacts {
    size_t size;               /**< set by resida_contacts_init() */
    int n;                     /**< number of contacts, > 0 */
    const double *rows;        /**< [n x n_p] derivatives dphi/dp of the gaps at (t, p), by rows */
    const double *rates;       /**< [n] dphi/dt of the gaps at constant p; NULL: 0 */
    const double *restitution; /**< [n] coefficients of restitution e, 0 <= e <= 1 */
    const char *const *names;  /**< [n] names in messages; NULL: contact 0, contact 1 ... */
    const double *friction;    /**< [n] friction coefficients mu >= 0; NULL: no friction */
    const double *slides;      /**< [n x n_v] rows of the sliding speeds s = slides v + slide_rates, with friction */
    const double *slide_rates; /**< [n] constant terms of the sliding speeds; NULL: 0 */
    resida_impact_law law;     /**< law of restitution, with friction */
} resida_contacts;

/** Set defaults. */
RESIDA_API void resida_contacts_init(resida_contacts *c);

/** Results of an impact. */
typedef struct resida_impact_report {
    int n_pushing;        /**< number of contacts with an impulse > 0 */
    double energy_change; /**< change of the kinetic energy [J]; < 0: a loss */
    double gv_before;     /**< max |G v + gI|, |Gh v + gh| before the impact */
    double gv_after;      /**< max |G v + gI|, |Gh v + gh| after the impact */
    int rank;             /**< rank of G with the nonholonomic rows */
    int n_redundant;      /**< number of redundant rows */
    const int *redundant; /**< [n_redundant] indices of redundant rows; owned by the problem, valid until the next
                               impact */
    long residual_calls;  /**< number of residual calls */
} resida_impact_report;

/** Compute the velocities after an impact at (t, p). Start solvers of the problem from v_after.
 *  @param[in]  p, v      [n_p], [n_v] state before; p is consistent; v is corrected M-orthogonally
 *  @param[in]  o         redundant joints; max_change limits the correction of v
 *  @param[out] v_after   [n_v], may be v
 *  @param[out] push      [n] impulses P of contacts [N s]; may be NULL
 *  @param[out] lam_push  [n_g + n_h] impulses Lam, 0 for redundant rows; may be NULL
 *  @param[out] why       names dropped rows after a success
 *  @return RESIDA_OK;
 *          RESIDA_ERR_REDUNDANT: joints are redundant and refused, or contradictory, or prescribe a contact;
 *          RESIDA_ERR_INCONSISTENT: no velocity satisfies all conditions, v needs more than max_change, or an impact
 *          with friction gains energy beyond the work of moving surfaces;
 *          RESIDA_ERR_SINGULAR: M is singular or negative on the free directions;
 *          RESIDA_ERR_OPTION; RESIDA_ERR_USER, _NONFINITE: from callbacks
 *  Cost in residual calls: 1 with a mass matrix; else n_v - n_z + 1 (residual) or n_g + n_h + 1 + n (explicit
 *  formalism). */
RESIDA_API resida_status resida_problem_impact(resida_problem *problem, double t, const double *p, const double *v,
                                               const resida_contacts *contacts, const resida_start_options *o,
                                               double *v_after, double *push, double *lam_push,
                                               resida_impact_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
