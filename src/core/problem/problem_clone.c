/* problem_clone.c - copies of a problem. Each thread needs a copy, since evaluations use the work space of the problem.
 * A copy is created by the same function as the original, from the model stored in the original. */
#include "problem_impl.h"

#include <string.h>

/* Return the options for a copy of q: the options of q if form is NULL, else the defaults with the form `form`. */
static resida_problem_options get_options_of_copy(const resida_problem *q, const char *form)
{
    resida_problem_options o;
    resida_problem_options_init(&o);
    if (q->mechanism && form) o.form = form, o.formalism = q->o.formalism, o.root_lam = q->o.root_lam;
    if (q->mechanism && !form) o = q->o;
    o.allocator = &q->alloc;
    if (rsd_problem_has_products(q)) o.products = &q->products;
    if (q->contacts.given.n > 0) o.contacts = &q->contacts.given;
    return o;
}

/* Create a problem with the model of q, optionally without its callbacks for derivatives. */
static resida_status copy_problem(resida_problem **to, const resida_problem *q, const char *form, int has_derivatives,
                                  resida_message *why)
{
    const resida_problem_options o = get_options_of_copy(q, form);
    resida_dae d = q->dae;
    if (q->mechanism) {
        resida_mechanism m = q->mechanism->m;
        if (!has_derivatives) m.derivatives = NULL;
        return resida_problem_create(to, &m, &o, why);
    }
    d.kinds = q->kinds;
    if (!has_derivatives) d.jacobian = NULL;
    return resida_problem_create_dae(to, &d, &o, why);
}

resida_status rsd_problem_create_in_form(resida_problem **other, const resida_problem *q, const char *form,
                                         resida_message *why)
{
    RSD_TRY(copy_problem(other, q, form, 1, why));
    if (q->mechanism) (*other)->mechanism->calls.at_rest = q->mechanism->calls.at_rest;
    return RESIDA_OK;
}

/* The clone has no callbacks for derivatives, because only the original evaluates derivatives of the model. */
resida_status rsd_problem_clone(resida_problem **clone, const resida_problem *q, resida_message *why)
{
    return copy_problem(clone, q, NULL, 0, why);
}

void rsd_problem_copy_state(resida_problem *clone, const resida_problem *q)
{
    rsd_calls_copy_state(clone->calls, q->calls);
    if (!q->mechanism) return;
    rsd_mechanism *to = clone->mechanism;
    const rsd_mechanism *from = q->mechanism;
    (void)rsd_learnt_copy_state(to, from); /* without memory for a copy, the clone learns the pattern itself */
    memcpy(to->dropped, from->dropped, (size_t)from->n_l);
    memcpy(to->open, from->open, (size_t)from->n_l);
    memcpy(to->slip, from->slip, (size_t)from->n_l * sizeof *from->slip);
    memcpy(to->normal_row, from->normal_row, (size_t)from->n_l * sizeof *from->normal_row);
    memcpy(to->fading.lam, from->fading.lam, (size_t)from->n_l * sizeof *from->fading.lam);
    to->fading.t = from->fading.t;
    to->fading.time = from->fading.time;
    rsd_scales_copy_state(to, from);
    rsd_projection_copy_state(&clone->rows->D, &q->rows->D, from);
}

int rsd_problem_is_thread_safe(const resida_problem *q)
{
    return q->mechanism ? q->mechanism->m.thread_safe : q->dae.thread_safe;
}
