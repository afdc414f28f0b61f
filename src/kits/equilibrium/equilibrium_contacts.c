/* equilibrium_contacts.c - finds the closed contacts of an equilibrium. A search solves r(x) = 0 with the contacts that
 * are closed now. Its linearisation at the solution is a linear complementarity problem in the gaps z of closed
 * contacts and the normal forces z of open ones:
 *
 *     w = D z + q,   0 <= w, z,   w'z = 0,   w: normal forces of closed contacts, gaps of open ones
 *
 * q are the present w, and a column of D is the change of w if one z becomes 1. The solution tells which contacts the
 * next search closes. For linear forces the next search is the last one. */
#include "equilibrium_impl.h"

#include "src/kits/contacts/complementarity.h"

#include <math.h>
#include <string.h>

#define CONTACT_TOLERANCE 1e-7 /* tolerance of gaps, relative to their terms; of forces, relative to max |lam| */
#define Q_ROUNDING        1e-9 /* rounding error of q, relative to its largest entry */

enum { MAX_CHOICES = 20 }; /* maximum number of times that contacts are chosen again; linear forces need one choice */

static int is_closed(const rsd_equilibrium *eq, int i)
{
    return !eq->problem->mechanism->open[eq->problem->contacts.row[i]];
}

static int get_lam(const rsd_equilibrium *eq, int i)
{
    return eq->problem->layout.lam + eq->problem->contacts.row[i];
}

/* Return the largest term of the force equations in the last linearisation. */
static double get_force_scale(const rsd_equilibrium *eq)
{
    return eq->min_weight[0] / RSD_SQRT_EPS;
}

static void switch_contact(rsd_equilibrium *eq, int i)
{
    const rsd_unilateral *held = &eq->problem->contacts;
    rsd_mechanism *k = eq->problem->mechanism;
    held->closed[i] = !is_closed(eq, i);
    k->open[held->row[i]] = k->dropped[held->row[i]] = !held->closed[i];
    eq->y[get_lam(eq, i)] = held->closed[i] ? -get_force_scale(eq) : 0; /* lam gives the weights of the equations */
    eq->has_J = 0;                                                      /* the rows of J change */
}

/* Set w [n], forces or gaps at the current point. Set *wrong to the contact with the most negative w, or to -1. */
static resida_status find_wrong_contact(rsd_equilibrium *eq, double *w, int *wrong)
{
    const rsd_unilateral *held = &eq->problem->contacts;
    const resida_layout *l = &eq->problem->layout;
    const rsd_csr *gp = &eq->problem->mechanism->gp;
    const double *values = eq->problem->mechanism->gp_values;
    double force = 0, max = CONTACT_TOLERANCE;
    *wrong = -1;
    const int verdict = rsd_eval_constraint(eq->problem->mechanism, eq->t, eq->y + l->p, eq->F_trial);
    if (rsd_guard_judge(&eq->solver->guard, eq->t, verdict, eq->F_trial, l->n_g))
        return rsd_equilibrium_get_failure(eq);
    for (int i = 0; i < l->n_g; i++) force = fmax(force, fabs(eq->y[l->lam + i]));
    for (int i = 0; i < held->given.n; i++) {
        w[i] = is_closed(eq, i) ? -eq->y[get_lam(eq, i)] : eq->F_trial[held->row[i]];
        double size = is_closed(eq, i) ? force : 0;
        for (int e = gp->row[held->row[i]]; e < gp->row[held->row[i] + 1] && !is_closed(eq, i); e++)
            size = fmax(size, fabs(values[e]) * rsd_equilibrium_full_size(eq, l->p + gp->col[e]));
        const double part = -w[i] / size;
        if (part > max) max = part, *wrong = i;
    }
    return RESIDA_OK;
}

/* Set column j of D [n x n], the change of w for z_j = 1. Uses the last factors. Overwrites r, d, dx and F_trial. */
static void compute_column(rsd_equilibrium *eq, int j, double *D)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    const rsd_unilateral *held = &eq->problem->contacts;
    const int n = held->given.n;
    memset(eq->r, 0, (size_t)eq->n_r * sizeof *eq->r);
    eq->r[eq->equation_of[get_lam(eq, j)]] = is_closed(eq, j) ? -1 : 1; /* the gap becomes 1, or lam becomes -1 */
    (void)rsd_equilibrium_solve(eq, eq->d);
    rsd_equilibrium_unscale(eq, eq->d, eq->dx);
    rsd_csr_multiply(&k->gp, k->gp_values, eq->dx, NULL, eq->F_trial); /* dx begins with the change of p */
    for (int i = 0; i < n; i++)
        D[(long)i * n + j] = is_closed(eq, i) ? -eq->dx[eq->unknown_of[get_lam(eq, i)]] : eq->F_trial[held->row[i]];
}

/* Factor the matrix at the current point. The lam of open contacts are not 0, for the weights of their rows. */
static resida_status factor_matrix(rsd_equilibrium *eq)
{
    resida_jacobian_matrix J;
    const int n = eq->problem->contacts.given.n;
    for (int i = 0; i < n; i++)
        if (!is_closed(eq, i)) eq->y[get_lam(eq, i)] = -get_force_scale(eq);
    if (rsd_equilibrium_evaluate(eq, 0) || rsd_equilibrium_linearize(eq, &J)) return rsd_equilibrium_get_failure(eq);
    const resida_status status = rsd_equilibrium_correct(eq, &J);
    for (int i = 0; i < n; i++)
        if (!is_closed(eq, i)) eq->y[get_lam(eq, i)] = 0;
    return status;
}

/* Return the largest stiffness of a contact, normal force per gap, from the diagonal of D [n x n]. */
static double find_stiffness(const rsd_equilibrium *eq, const double *D)
{
    const int n = eq->problem->contacts.given.n;
    double stiffness = 0, compliance = 0;
    for (int i = 0; i < n; i++) {
        double *max = is_closed(eq, i) ? &stiffness : &compliance;
        *max = fmax(*max, fabs(D[(long)i * n + i]));
    }
    return stiffness > 0 ? stiffness : compliance > 0 ? 1 / compliance : 1;
}

/* Open and close contacts as the complementarity problem of D [n x n], q [n] requires. In the problem, forces are
 * divided by a stiffness. *n_switched: number of contacts that were opened or closed; -1 if there is no solution */
static resida_status choose_contacts(rsd_equilibrium *eq, double *D, double *q, int *n_switched)
{
    const int n = eq->problem->contacts.given.n;
    double *z;
    int found;
    if (!RSD_DOUBLES(&eq->alloc, n, &z)) return RESIDA_ERR_MEMORY;
    RSD_TRY(factor_matrix(eq));
    for (int j = 0; j < n; j++) compute_column(eq, j, D);
    const double stiffness = find_stiffness(eq, D);
    for (int i = 0; i < n; i++) {
        const double scale = is_closed(eq, i) ? 1 / stiffness : 1;
        q[i] *= scale;
        for (int j = 0; j < n; j++) D[(long)i * n + j] *= is_closed(eq, j) ? scale : scale * stiffness;
    }
    rsd_complementarity x = {.n = n, .D = D, .q = q, .force = z, .rounding = Q_ROUNDING * rsd_max_norm(q, n)};
    RSD_TRY(rsd_complementarity_solve(&x, &eq->alloc, &found));
    *n_switched = found > 0 ? 0 : -1;
    for (int i = 0; i < n && found > 0; i++)
        if (z[i] > 0) switch_contact(eq, i), ++*n_switched;
    return RESIDA_OK;
}

/* Close the open contacts whose gaps decrease if the mechanism is released from rest at the guess. Return the number of
 * closed contacts. */
static int close_falling_contacts(rsd_equilibrium *eq)
{
    const rsd_unilateral *held = &eq->problem->contacts;
    rsd_mechanism *k = eq->problem->mechanism;
    int n = 0;
    if (rsd_equilibrium_start_from_guess(eq) != RESIDA_OK) return 0;
    rsd_apply_T(k, eq->accelerations, eq->y_trial);
    rsd_csr_multiply(&k->gp, k->gp_values, eq->y_trial, NULL, eq->F_trial);
    for (int i = 0; i < held->given.n; i++)
        if (!is_closed(eq, i) && eq->F_trial[held->row[i]] < 0) switch_contact(eq, i), n++;
    return n;
}

resida_status rsd_equilibrium_search_contacts(rsd_equilibrium *eq)
{
    const resida_model_contacts *c = &eq->problem->contacts.given;
    char name[RSD_ROW_NAME];
    int wrong = -1, iterations = 0, n_switched = 1;
    double *D, *q;
    if (c->n == 0) return rsd_equilibrium_search(eq);
    if (!RSD_DOUBLES(&eq->alloc, (long)c->n * c->n, &D) || !RSD_DOUBLES(&eq->alloc, c->n, &q)) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < MAX_CHOICES && n_switched > 0; k++) {
        eq->report->iterations = 0; /* each search may take max_iterations */
        const resida_status status = rsd_equilibrium_search(eq);
        eq->report->iterations = iterations += eq->report->iterations;
        const resida_message said = *eq->why;
        if (status == RESIDA_ERR_NEWTON && k == 0 && close_falling_contacts(eq) > 0) continue;
        if (status != RESIDA_OK) {
            *eq->why = said;
            return status;
        }
        RSD_TRY(find_wrong_contact(eq, q, &wrong));
        if (wrong < 0) return RESIDA_OK;
        RSD_TRY(choose_contacts(eq, D, q, &n_switched));
        if (n_switched == 0) return RESIDA_OK;                                 /* the wrong signs are rounding errors */
        if (n_switched < 0 && k == 0) n_switched = close_falling_contacts(eq); /* a maximum of energy was found */
    }
    return rsd_fail(eq->why, RESIDA_ERR_INCONSISTENT,
                    "contact %.60s pulls if it is closed, and penetrates if it is open",
                    rsd_get_contact_name(c, wrong, name, sizeof name));
}
