/* equilibrium_stability.c - determines the stability of an equilibrium from the eigenvalues of the linearised system,
 * for a mechanism in independent coordinates (resida/linearize.h). Free directions without stiffness and damping are
 * not modes. */
#include "equilibrium_impl.h"

#include "src/kits/linearize/linearize_impl.h"

#include <math.h>

#define ZERO_REAL_PART   1e-6 /* maximum real part that counts as zero, relative to |lambda| */
#define MIRROR_TOLERANCE 0.1  /* maximum distance of a mirror image from -re + i im, relative to |lambda| */

static void count_mode(resida_equilibrium_report *r, int n, double growth, double frequency)
{
    r->n_modes += n;
    if (growth > 0) r->n_growing += n;
    if (growth == 0) r->n_lasting += n;
    if (!isnan(r->growth) && !(growth > r->growth)) return;
    r->growth = growth;
    r->frequency = frequency;
}

/* Return the mode whose eigenvalue is close to -re + i im, the mirror image of the eigenvalue re + i im of mode k, or
 * -1 if no mode is. */
static int find_mirror_image(const resida_modes *m, int k)
{
    for (int j = 0; j < m->n; j++)
        if (j != k && hypot(m->re[j] + m->re[k], m->im[j] - m->im[k]) <= MIRROR_TOLERANCE * hypot(m->re[k], m->im[k]))
            return j;
    return -1;
}

/* Return the slowest mode with is_rest = 0, or -1. */
static int find_slowest(const resida_modes *m, const int *is_rest)
{
    int slowest = -1;
    for (int k = 0; k < m->n; k++)
        if (!is_rest[k] && (slowest < 0 || hypot(m->re[k], m->im[k]) < hypot(m->re[slowest], m->im[slowest])))
            slowest = k;
    return slowest;
}

/* Find modes whose eigenvalues would be zero without errors of the derivatives, and set their is_rest [m->n] to 1. In
 * n_uncertain directions the error of the stiffness k exceeds |k|. The equation m lambda^2 + d lambda + k = 0 with the
 * mass m and the damping d then has a root that would be 0, or without damping two roots lambda and -lambda. These are
 * the slowest modes. Such a lambda is at most sqrt(relative error of k) times the eigenvalue of the fastest mode,
 * unless the directions have all modes. Return the number of eigenvalues found. */
static int find_disturbed_zeros(const rsd_equilibrium *eq, const resida_modes *m, int *is_rest)
{
    double fastest = 0;
    int n_directions = 0, n_rest = 0, n_all = m->n_zero, k;
    for (k = 0; k < m->n; k++) fastest = fmax(fastest, hypot(m->re[k], m->im[k])), n_all += 1 + (m->im[k] > 0);
    if (2 * eq->n_uncertain >= n_all) fastest = INFINITY;
    while ((k = find_slowest(m, is_rest)) >= 0) {
        const int is_pair = m->im[k] > 0, j = find_mirror_image(m, k), n = is_pair && j >= 0 ? 2 : 1;
        if (hypot(m->re[k], m->im[k]) > sqrt(rsd_equilibrium_get_error(eq)) * fastest) break;
        if (n_directions + n + (is_pair || j >= 0 ? 0 : m->n_zero) > eq->n_uncertain) break;
        is_rest[k] = 1;
        if (j >= 0) is_rest[j] = 1;
        n_directions += n;
        n_rest += (1 + is_pair) * (j < 0 ? 1 : 2);
    }
    return n_rest;
}

/* Count the modes, and set growth and frequency to those of the rightmost eigenvalue. Modes with is_rest [m->n] = 1
 * count as zeros. Return the number of other modes whose eigenvalue cannot be distinguished from zero. */
static int count_modes(resida_equilibrium_report *r, const resida_modes *m, const int *is_rest)
{
    int n_uncertain = 0;
    for (int k = 0; k < m->n; k++) {
        const double size = hypot(m->re[k], m->im[k]), part = fmax(ZERO_REAL_PART * size, m->error[k]);
        const int n = 1 + (m->im[k] > 0), is_uncertain = size <= 2 * m->error[k], is_zero = is_uncertain || is_rest[k];
        n_uncertain += is_uncertain && !is_rest[k] ? n : 0;
        count_mode(r, n, is_zero || fabs(m->re[k]) <= part ? 0 : m->re[k], is_zero ? 0 : m->im[k]);
    }
    if (m->n_zero > m->n_still) count_mode(r, m->n_zero - m->n_still, 0, 0);
    return n_uncertain;
}

static resida_status classify_modes(rsd_equilibrium *eq, const resida_modes *m)
{
    resida_equilibrium_report *r = eq->report;
    resida_message *out = &r->judged;
    const int n_missing =
        eq->problem->mechanism ? m->n_infinite : 0; /* independent coordinates have no infinite eigenvalues */
    int *is_rest;
    if (!RSD_INTS(&eq->alloc, m->n, &is_rest)) return RESIDA_ERR_MEMORY;
    const int n_near_zero = find_disturbed_zeros(eq, m, is_rest) + count_modes(r, m, is_rest);
    const int n_unexplained = m->n_zero + n_near_zero - 2 * r->n_free; /* a free direction has at most two zeros */
    const int n_uncertain = m->n_lost + (n_unexplained < 0             ? 0
                                         : n_unexplained < n_near_zero ? n_unexplained
                                                                       : n_near_zero);
    const char *free = r->n_free > 0 ? "; in free directions it does not move" : "";
    if (r->n_growing > 0) {
        r->stability = RESIDA_STABILITY_GROWING;
        rsd_message_append(out, "unstable: %d of %d modes grow%s, the fastest as exp(%.4g t)", r->n_growing, r->n_modes,
                           r->n_growing == 1 ? "s" : "", r->growth);
    } else if (n_missing > 0) {
        rsd_message_append(out, "stability unknown: %d of %d eigenvalues were not found; no other mode grows",
                           n_missing, r->n_modes + m->n_lost + n_missing);
    } else if (n_uncertain > 0) {
        rsd_message_append(out,
                           "stability unknown: %d of %d modes cannot be distinguished from rest; no other mode grows",
                           n_uncertain, r->n_modes + m->n_lost);
    } else if (r->n_lasting > 0) {
        r->stability = RESIDA_STABILITY_NEUTRAL;
        rsd_message_append(out, "neutral: no mode grows, %d of %d do not decay%s", r->n_lasting, r->n_modes, free);
    } else if (r->n_free > 0) {
        r->stability = RESIDA_STABILITY_NEUTRAL;
        rsd_message_append(out, "neutral: all %d modes decay%s", r->n_modes, free);
    } else {
        r->stability = RESIDA_STABILITY_DECAYING;
        if (r->n_modes > 0)
            rsd_message_append(out, "stable: all %d modes decay, the slowest as exp(%.4g t)", r->n_modes, r->growth);
        else
            rsd_message_append(out, "stable: the constraints allow no motion");
    }
    return RESIDA_OK;
}

resida_status rsd_equilibrium_find_stability(rsd_equilibrium *eq)
{
    const rsd_mechanism *k = eq->problem->mechanism;
    const resida_layout *at = &eq->problem->layout;
    const int states = k ? k->n_w + k->m.n_v - 2 * k->n_l : eq->n;
    resida_linearization *l = NULL;
    resida_modes modes;
    resida_message why = {""};
    if (states > RSD_MODES_UNKNOWNS) {
        rsd_message_append(&eq->report->judged, "stability unknown: the model has %d states, more than %d", states,
                           RSD_MODES_UNKNOWNS);
        return RESIDA_OK;
    }
    resida_status status = k ? resida_linearize_mechanism(&l, eq->problem, eq->t, eq->y + at->p, eq->y + at->v,
                                                          eq->yp + at->v, at->lam >= 0 ? eq->y + at->lam : NULL, &why)
                             : resida_linearize(&l, eq->problem, eq->t, eq->y, eq->yp, &why);
    if (status == RESIDA_OK) status = resida_linearization_modes(l, 0, 0, &modes, &why);
    const int is_unknown = status == RESIDA_ERR_SINGULAR || status == RESIDA_ERR_NEWTON;
    if (status == RESIDA_OK)
        status = classify_modes(eq, &modes);
    else if (is_unknown)
        rsd_message_append(&eq->report->judged, "stability unknown: %s", why.text);
    else
        rsd_fail(eq->why, status, "%s", why.text);
    resida_linearization_free(l);
    return is_unknown ? RESIDA_OK : status;
}
