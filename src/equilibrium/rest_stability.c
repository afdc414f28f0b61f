/* rest_stability.c - what becomes of a small displacement: the eigenvalues of the system linearised there, of a
 * mechanism in independent coordinates, of a general DAE as it is (resida/linearize.h). Directions in which nothing
 * pulls back nor damps are free, no modes. */
#include "rest.h"

#include "src/linearize/linearize_impl.h"

#include <math.h>

#define IMAGINARY 1e-6 /* of an eigenvalue: a smaller real part is not told from 0 */

static void take(resida_equilibrium_report *r, int n, double growth, double frequency)
{
    r->n_modes += n;
    if (growth > 0) r->n_growing += n;
    if (growth == 0) r->n_lasting += n;
    if (!isnan(r->growth) && !(growth > r->growth)) return;
    r->growth = growth;
    r->frequency = frequency;
}

/* The counts, and the eigenvalue that is farthest to the right. @return how many are not told from zero */
static int count(resida_equilibrium_report *r, const resida_modes *m)
{
    int hidden = 0;
    for (int k = 0; k < m->n; k++) {
        const double size = hypot(m->re[k], m->im[k]), part = fmax(IMAGINARY * size, m->error[k]);
        const int n = 1 + (m->im[k] > 0), is_hidden = size <= 2 * m->error[k];
        hidden += is_hidden ? n : 0;
        take(r, n, is_hidden || fabs(m->re[k]) <= part ? 0 : m->re[k], is_hidden ? 0 : m->im[k]);
    }
    if (m->n_zero > m->n_still) take(r, m->n_zero - m->n_still, 0, 0);
    return hidden;
}

static void conclude(rsd_rest *x, const resida_modes *m)
{
    resida_equilibrium_report *r = x->report;
    resida_message *out = &r->judged;
    const int hidden = count(r, m) + m->n_lost;
    const char *free = r->n_free > 0 ? "; what is free stays where it is put" : "";
    if (r->n_growing > 0) {
        r->stability = RESIDA_STABILITY_GROWING;
        rsd_message_append(out, "unstable: %d of %d modes grow%s, the fastest as exp(%.4g t)", r->n_growing, r->n_modes,
                           r->n_growing == 1 ? "s" : "", r->growth);
    } else if (hidden > 0) {
        rsd_message_append(out, "stability is not judged: %d of %d modes are not told from rest; no other grows",
                           hidden, r->n_modes + m->n_lost);
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
            rsd_message_append(out, "stable: constraints leave nothing that could move");
    }
}

static resida_status linearize(rsd_rest *x, resida_linearization **l, resida_message *why)
{
    const resida_layout *at = &x->q->layout;
    if (!x->q->mechanism) return resida_linearize(l, x->q, x->t, x->y, x->yp, why);
    return resida_linearize_mechanism(l, x->q, x->t, x->y + at->p, x->y + at->v, x->yp + at->v,
                                      at->lam >= 0 ? x->y + at->lam : NULL, why);
}

resida_status rsd_rest_judge(rsd_rest *x)
{
    const rsd_mechanism *k = x->q->mechanism;
    const int states = k ? k->n_w + k->m.n_v - 2 * k->n_l : x->n;
    resida_linearization *l = NULL;
    resida_modes modes;
    resida_message why = {""};
    if (states > RSD_MODES_UNKNOWNS) {
        rsd_message_append(&x->report->judged, "stability is not judged: %d states, %d at the most", states,
                           RSD_MODES_UNKNOWNS);
        return RESIDA_OK;
    }
    resida_status status = linearize(x, &l, &why);
    if (status == RESIDA_OK) status = resida_linearization_modes(l, 0, 0, &modes, &why);
    const int is_unknown = status == RESIDA_ERR_SINGULAR || status == RESIDA_ERR_NEWTON;
    if (status == RESIDA_OK)
        conclude(x, &modes);
    else if (is_unknown)
        rsd_message_append(&x->report->judged, "stability is not judged: %s", why.text);
    else
        rsd_fail(x->why, status, "%s", why.text);
    resida_linearization_free(l);
    return is_unknown ? RESIDA_OK : status;
}
