/* resida/impact.h - velocities after an impact: bodies of a mechanism meet, and rebound by Newton's law.
 *
 * A contact i has a gap phi_i(t, p) >= 0, its row n_i = dphi_i/dp and its rate d_i = dphi_i/dt at a fixed p (0 but for
 * walls that move), so that the gap changes with
 *
 *     w_i = n_i T v + d_i            (w-: before, w+: after the impact)
 *
 * and a coefficient of restitution e_i. Positions stay, velocities jump from v- to v+, states z stay:
 *
 *     M (v+ - v-) = -G' Lam + sum_i (n_i T)' P_i       impulses Lam of the joints, P_i of the contacts
 *     G v+ + gI = 0,  Gh v+ + gh = 0                   joints hold (rows of both in G and Lam)
 *     0 <= P_i,  w_i+ >= -e_i min(w_i-, 0),  and of these one at least with "="
 *
 * A contact pushes, it does not pull. One that is left faster than by its e, because others push it away, or that was
 * leaving before, has P_i = 0. One that was closed without speed stays closed or opens. With one contact this is
 * w+ = -e w-, and the energy changes by -(1 - e^2) (w-)^2 / (2 n T M_G^-1 (n T)') where nothing moves from outside,
 * M_G^-1 the inverse of M on the velocities that the joints leave.
 *
 * The velocities after it are unique. Where contacts depend on each other (four feet of a stiff table) the impulses are
 * not: those are found that are 0 for as many as can be. Several contacts whose e differ may gain energy, as Newton's
 * law has it; the report says how it changes.
 *
 * With friction there are impulses Q_i along slides_i besides, |Q_i| <= mu_i P_i, so that s_i+ = 0, or Q_i is at the
 * bound that is against s_i+. With Newton's law all this holds for the speeds behind the impact. With Poisson's it
 * holds for those of a compression, e = 0, with impulses P_c; then for those of an expansion, w+ >= 0, P >= e_i P_c,i
 * and one of the two with "=". An impact with friction that has no solution, or gains energy, fails by name.
 *
 * Applied forces do not act in an impact, also those that depend on lam; they are finite. A body that stays in contact
 * after it needs a constraint, which this is not: resida/contact.h. */
#ifndef RESIDA_IMPACT_H
#define RESIDA_IMPACT_H

#include <resida/contact.h>
#include <resida/problem.h>
#include <resida/start.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Contacts that are closed at the time of an impact. */
typedef struct resida_contacts {
    size_t size;               /**< set by resida_contacts_init() */
    int n;                     /**< > 0 */
    const double *rows;        /**< [n x n_p] dphi/dp at (t, p), row by row */
    const double *rates;       /**< [n] dphi/dt at a fixed p; NULL (default): 0 */
    const double *restitution; /**< [n] e, 0 <= e <= 1 */
    const char *const *names;  /**< [n] for messages; NULL (default): contact 0, contact 1 ... */
    const double *friction;    /**< [n] mu >= 0; NULL (default): none */
    const double *slides;      /**< [n x n_v] with friction: rows of the speeds of sliding s = slides v + slide_rates */
    const double *slide_rates; /**< [n] NULL (default): 0 */
    resida_impact_law law;     /**< with friction; default RESIDA_IMPACT_NEWTON */
} resida_contacts;

/** Set `size` to its value, and all else to "not there". */
RESIDA_API void resida_contacts_init(resida_contacts *c);

/** What an impact did. */
typedef struct resida_impact_report {
    int n_pushing;        /**< contacts with P_i > 0 */
    double energy_change; /**< [J] of the kinetic energy; negative: it is lost */
    double gv_before;     /**< largest |G v + gI|, |Gh v + gh| of v- */
    double gv_after;      /**< of v+ */
    int rank;             /**< rank of G (with the nonholonomic rows) */
    int n_redundant;      /**< rows beyond the rank */
    const int *redundant; /**< [n_redundant] their numbers, owned by the problem, until the next impact */
    long residual_calls;  /**< formalism calls spent */
} resida_impact_report;

/** Velocities behind an impact at t, p.
 *  @param[in]  p, v      [n_p], [n_v] the state before; p satisfies its constraints. A v that is off them is made
 *                        M-orthogonally consistent in the same solution
 *  @param[in]  contacts  those that are closed
 *  @param[in]  o         what becomes of redundant joints, and how they are found; max_change bounds what makes v-
 *                        consistent. NULL: defaults
 *  @param[out] v_after   [n_v] may be v
 *  @param[out] push      [n] P [N s], or NULL
 *  @param[out] lam_push  [n_g + n_h] Lam, integrals of lam over the impact, 0 for redundant rows; or NULL
 *  @param[out] report    or NULL
 *  @param[out] why       or NULL
 *  @return RESIDA_OK (with rows that were dropped named in why);
 *          RESIDA_ERR_REDUNDANT joints depend on each other (and the options refuse, or they contradict), or the joints
 *          hold a contact that closes, so that no impulse stops it;
 *          RESIDA_ERR_INCONSISTENT no velocity fulfils all: contacts against each other; or v is farther than
 *          max_change off the joints;
 *          RESIDA_ERR_SINGULAR v+ is not determined (mass matrix singular or negative on the free directions);
 *          RESIDA_ERR_USER, _NONFINITE a callback failed; RESIDA_ERR_ARGUMENT, _OPTION, _MEMORY.
 *          After a failure v_after, push, lam_push are untouched.
 *  Cost: n_v - n_z + 1 residual calls without a mass matrix (residual formalism), n_g + n_h + 1 + n (explicit
 *  formalism); 1 call with a mass matrix. Dense or sparse matrices as a start; memory of n (n_v + n_g + n_h + 3 n)
 *  numbers for the time of the call. Neither a solver on the problem nor its multipliers are touched: it may be called
 *  between calls of a solver, which is started again from v_after (resida_solver_start()). */
RESIDA_API resida_status resida_problem_impact(resida_problem *problem, double t, const double *p, const double *v,
                                               const resida_contacts *contacts, const resida_start_options *o,
                                               double *v_after, double *push, double *lam_push,
                                               resida_impact_report *report, resida_message *why);

#ifdef __cplusplus
}
#endif
#endif
