/* unilateral.c - unilateral constraints of contacts that can stay closed (resida/contact.h). Each start decides which
 * contacts are closed (src/kits/contacts/contact_forces.c). */
#include "unilateral.h"

#include "src/core/kits.h"

#include "mechanism_impl.h"
#include "base/memory.h"
#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_NUMBERS = 7 }; /* number of arrays of numbers [n] before `moves` in `decided` */

/* Return the description of the first error in the contacts c of a mechanism, or NULL if there is no error. */
static const char *find_contacts_error(const resida_model_contacts *c, const rsd_mechanism *k)
{
    if (c->n < 1) return "contacts.n must be > 0";
    if (c->first < 0 || c->first > k->m.n_root - c->n) return "contacts need root functions for their gaps";
    if (c->first_g < 0 || c->first_g > k->m.n_g - c->n) return "contacts that hold need constraints for their gaps";
    if (!c->restitution) return "contacts.restitution NULL";
    for (int i = 0; i < c->n; i++)
        if (!(c->restitution[i] >= 0 && c->restitution[i] <= 1)) return "contacts.restitution not from 0 to 1";
    if (c->friction) {
        if (c->first_h < 0 || c->first_h > k->m.n_h - c->n)
            return "contacts with friction need nonholonomic constraints for their speeds of sliding";
        if ((int)c->law < 0 || (int)c->law > RESIDA_IMPACT_POISSON) return "contacts.law must be 0 or 1";
        for (int i = 0; i < c->n; i++)
            if (!(c->friction[i] >= 0 && isfinite(c->friction[i]))) return "contacts.friction must be >= 0 and finite";
    }
    if (!rsd_kits_built.find_closed)
        return "contacts that hold: this library is built without the kit contacts (-Dkits=contacts)";
    return k->uses_lam ? "contacts that hold do not support forces that depend on lam" : NULL;
}

resida_status rsd_unilateral_create(rsd_unilateral *x, rsd_mechanism *k, const resida_model_contacts *c,
                                    const resida_allocator *a, resida_message *why)
{
    if (c) RSD_TRY(rsd_check_size("contacts", c->size, sizeof *c, why));
    if (!c || !c->holds) return RESIDA_OK;
    const char *defect = find_contacts_error(c, k);
    if (defect) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: %s", k->m.name, defect);
    x->given = *c;
    const long n_numbers = c->n * (N_NUMBERS + 2 * rsd_unilateral_get_width(k));
    x->decided_size = (size_t)n_numbers * sizeof(double) + (size_t)c->n * (sizeof *x->slides + sizeof *x->closed);
    double *numbers = x->decided = rsd_calloc(a, (long)x->decided_size, 1);
    const int all = numbers && RSD_INTS(a, c->n, &x->row) && RSD_DOUBLES(a, k->m.n_h, &x->speeds) &&
                    RSD_DOUBLES(a, k->n_l, &x->lam) && (!c->friction || RSD_INTS(a, c->n, &x->row_t));
    if (!all) return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for %d contacts", k->m.name, c->n);
    double **const parts[] = {&x->tolerance, &x->slide_tolerance, &x->slide_margin, &x->loosened,
                              &x->margin,    &x->max_force,       &x->min_force,    &x->moves};
    for (int i = 0; i <= N_NUMBERS; i++) *parts[i] = numbers + (long)i * c->n;
    x->slides = (int *)(numbers + n_numbers);
    x->closed = (unsigned char *)(x->slides + c->n);
    for (int i = 0; i < c->n; i++) x->row[i] = c->first_g + i;
    for (int i = 0; x->row_t && i < c->n; i++) {
        x->row_t[i] = k->m.n_g + c->first_h + i;
        k->normal_row[x->row_t[i]] = x->row[i];
    }
    return RESIDA_OK;
}

resida_status rsd_unilateral_refuse_friction(const rsd_unilateral *x, const char *task, resida_message *why)
{
    if (!x->row_t) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MODEL,
                    "%s does not support contacts that hold with dry friction: they may begin or stop slipping", task);
}

void rsd_unilateral_mark_open(const rsd_unilateral *x, rsd_mechanism *k, int all)
{
    for (int i = 0; i < x->given.n; i++) {
        k->open[x->row[i]] = all || !x->closed[i];
        if (!x->row_t) continue;
        k->open[x->row_t[i]] = all || x->closed[i] != 1 || x->slides[i] != 0;
        k->slip[x->row_t[i]] = all || !x->closed[i] ? 0 : -x->slides[i] * x->given.friction[i];
    }
}

void rsd_unilateral_copy_state(rsd_mechanism *to, const rsd_mechanism *from)
{
    memcpy(to->open, from->open, (size_t)from->n_l);
    memcpy(to->dropped, from->dropped, (size_t)from->n_l);
}

/* Compute the root function of closed contact i with friction, from its normal force N, friction force T and sliding
 * speed. The function is zero when the contact opens, and when sticking or slipping ends. */
static double eval_friction_root(const rsd_unilateral *x, int i, double N, double T, double speed)
{
    if (x->given.friction[i] == 0) return N;
    if (x->closed[i] == RSD_FOLLOWS) return fmin(N, x->slide_margin[i] - fabs(speed));
    if (x->slides[i] == 0) return x->given.friction[i] * N - fabs(T);
    return fmin(N, x->slides[i] * speed + x->slide_margin[i]);
}

int rsd_unilateral_eval_roots(const rsd_unilateral *x, rsd_mechanism *k, const rsd_unilateral_state *at, double *roots)
{
    const double *lam = at->lam;
    int verdict = 0;
    if (x->row_t) verdict = rsd_eval_nonholonomic_level(k, at->t, at->p, at->v, x->speeds);
    for (int i = 0; i < x->given.n && !verdict; i++) {
        double *root = roots + x->given.first + i;
        if (!x->closed[i])
            *root += x->margin[i];
        else if (!x->row_t)
            *root = -lam[x->row[i]];
        else
            *root = eval_friction_root(x, i, -lam[x->row[i]], lam[x->row_t[i]], x->speeds[x->row_t[i] - k->m.n_g]);
    }
    return verdict;
}

const char *rsd_get_contact_name(const resida_model_contacts *c, int i, char *text, size_t size)
{
    if (c->names && c->names[i]) return c->names[i];
    (void)snprintf(text, size, "%d", i);
    return text;
}
