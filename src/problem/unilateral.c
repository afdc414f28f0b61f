/* unilateral.c - contacts that hold: rows of G that are active while their forces push (resida/contact.h). Which of
 * them are closed is decided by each start (src/start/contact_forces.c). */
#include "problem_impl.h"

#include "arguments.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

int rsd_contacts_hold(const resida_model_contacts *c)
{
    return c->size >= offsetof(resida_model_contacts, first_g) + sizeof c->first_g && c->holds;
}

/* What contacts of a mechanism lack; NULL: nothing. */
static const char *find_defect(const resida_model_contacts *c, const rsd_mechanism *k)
{
    if (c->n < 1) return "contacts.n not positive";
    if (c->first < 0 || c->first > k->m.n_root - c->n) return "contacts without root functions for their gaps";
    if (c->first_g < 0 || c->first_g > k->m.n_g - c->n) return "contacts that hold without constraints for their gaps";
    if (!c->restitution) return "contacts.restitution NULL";
    for (int i = 0; i < c->n; i++)
        if (!(c->restitution[i] >= 0 && c->restitution[i] <= 1)) return "contacts.restitution not from 0 to 1";
    return k->uses_lam ? "contacts that hold where forces depend on lam" : NULL;
}

resida_status rsd_problem_take_contacts(resida_problem *q, const resida_model_contacts *c, resida_message *why)
{
    rsd_unilateral *x = &q->contacts;
    if (!c || !rsd_contacts_hold(c)) return RESIDA_OK;
    const char *defect = find_defect(c, q->mechanism);
    if (defect) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: %s", q->mechanism->m.name, defect);
    x->given = *c;
    x->closed = rsd_calloc(&q->own, c->n, 1);
    const int all = x->closed && RSD_INTS(&q->own, c->n, &x->row) &&
                    RSD_DOUBLES(&q->own, c->n, &x->tolerance, &x->margin, &x->most_force, &x->least_force);
    if (!all) return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for %d contacts", q->mechanism->m.name, c->n);
    for (int i = 0; i < c->n; i++) x->row[i] = c->first_g + i;
    return RESIDA_OK;
}

void rsd_problem_mark_open(resida_problem *q, int all)
{
    const rsd_unilateral *x = &q->contacts;
    for (int i = 0; i < x->given.n; i++) q->mechanism->open[x->row[i]] = all || !x->closed[i];
}

void rsd_problem_contact_roots(const resida_problem *q, const double *y, const double *yp, double *roots)
{
    const rsd_unilateral *x = &q->contacts;
    const double *lam = rsd_problem_lam(q, y, yp);
    for (int i = 0; i < x->given.n; i++) {
        double *root = roots + x->given.first + i;
        *root = x->closed[i] ? -lam[x->row[i]] : *root + x->margin[i];
    }
}

const char *rsd_contact_name(const resida_model_contacts *c, int i, char *text, size_t size)
{
    if (c->names && c->names[i]) return c->names[i];
    (void)snprintf(text, size, "%d", i);
    return text;
}
