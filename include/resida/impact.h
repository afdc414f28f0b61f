/* resida/impact.h - velocities after an impact of a mechanism.
 *
 * Contact i has a row n_i = dphi_i/dp, a rate d_i = dphi_i/dt, a speed w_i = n_i T v + d_i, and a coefficient of
 * restitution e_i. Positions and states z stay; velocities jump from v- to v+:
 *
 *     M (v+ - v-) = -G' Lam + sum_i (n_i T)' P_i       impulses Lam of joints, P_i of contacts
 *     G v+ + gI = 0,  Gh v+ + gh = 0                   joints hold
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
    int n;                     /**< > 0 */
    const double *rows;        /**< [n x n_p] dphi/dp at (t, p), by rows */
    const double *rates;       /**< [n] dphi/dt at constant p; NULL: 0 */
    const double *restitution; /**< [n] e, 0 <= e <= 1 */
    const char *const *names;  /**< [n] for messages; NULL: contact 0, contact 1 ... */
    const double *friction;    /**< [n] mu >= 0; NULL: none */
    const double *slides;      /**< [n x n_v] with friction: rows of the sliding speeds s = slides v + slide_rates */
    const double *slide_rates; /**< [n] NULL: 0 */
    resida_impact_law law;     /**< with friction */
} resida_contacts;

/** Set defaults. */
RESIDA_API void resida_contacts_init(resida_contacts *c);

/** Results of an impact. */
typedef struct resida_impact_report {
    int n_pushing;        /**< contacts with P_i > 0 */
    double energy_change; /**< [J] of the kinetic energy; < 0: a loss */
    double gv_before;     /**< max |G v + gI|, |Gh v + gh| of v- */
    double gv_after;      /**< of v+ */
    int rank;             /**< rank of G with the nonholonomic rows */
    int n_redundant;      /**< rows beyond the rank */
    const int *redundant; /**< [n_redundant] their numbers; owned by the problem, valid until the next impact */
    long residual_calls;  /**< calls of the formalism */
} resida_impact_report;

/** Compute the velocities after an impact at (t, p). Start solvers of the problem from v_after.
 *  @param[in]  p, v      [n_p], [n_v] state before; p is consistent; v is corrected M-orthogonally
 *  @param[in]  o         redundant joints; max_change limits the correction of v
 *  @param[out] v_after   [n_v], may be v
 *  @param[out] push      [n] P [N s]; may be NULL
 *  @param[out] lam_push  [n_g + n_h] Lam, 0 for redundant rows; may be NULL
 *  @param[out] why       names dropped rows after a success
 *  @return RESIDA_OK;
 *          RESIDA_ERR_REDUNDANT: joints are redundant and refused, or contradictory, or prescribe a contact;
 *          RESIDA_ERR_INCONSISTENT: no velocity satisfies all conditions, v needs more than max_change, or an impact
 *          with friction gains energy beyond the work of moving surfaces;
 *          RESIDA_ERR_SINGULAR: M is singular or negative on the free directions;
 *          RESIDA_ERR_USER, _NONFINITE: a callback failed; RESIDA_ERR_OPTION
 *  Cost in residual calls: 1 with a mass matrix; else n_v - n_z + 1 (residual formalism) or n_g + n_h + 1 + n (explicit
 *  formalism). */
RESIDA_API resida_status resida_problem_impact(resida_problem *problem, double t, const double *p, const double *v,
                                               const resida_contacts *contacts, const resida_start_options *o,
                                               double *v_after, double *push, double *lam_push,
                                               resida_impact_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
