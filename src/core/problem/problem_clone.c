/* problem_clone.c - copies of a problem for other threads, since evaluations use its work space. A copy is created by
 * the same function as the original, from the model that the original keeps. */
#include "problem_impl.h"

#include <string.h>

static resida_pattern pattern_of(const rsd_csr *A)
{
    return (resida_pattern){A->row, A->col};
}

/* Options for another problem of this model: those of q, or the default ones of another form. */
static resida_problem_options options_of(const resida_problem *q, const char *form)
{
    resida_problem_options o;
    resida_problem_options_init(&o);
    if (q->mechanism && form) o.form = form, o.formalism = q->o.formalism;
    if (q->mechanism && !form) o = q->o;
    o.allocator = &q->alloc;
    if (rsd_problem_has_products(q)) o.products = &q->products;
    if (q->contacts.given.n > 0) o.contacts = &q->contacts.given;
    return o;
}

/* The mechanism, and the general DAE, as the caller passed it. */
static resida_mechanism mechanism_of(const resida_problem *q)
{
    const rsd_mechanism *k = q->mechanism;
    resida_mechanism m = k->m;
    if (!k->G_is_learnt) m.G_pattern = pattern_of(&k->gp);
    m.T_pattern = pattern_of(&k->T);
    m.Gh_pattern = pattern_of(&k->Gh);
    m.M_pattern = pattern_of(&k->M);
    m.K_pattern = pattern_of(&k->invariants.K);
    m.Phi_p_pattern = pattern_of(&k->Phi_p);
    m.Phi_v_pattern = pattern_of(&k->Phi_v);
    m.Phi_lam_pattern = pattern_of(&k->Phi_lam);
    return m;
}

static resida_dae dae_of(const resida_problem *q)
{
    resida_dae d = q->dae;
    d.kinds = q->kinds;
    d.J_pattern = pattern_of(&q->J);
    return d;
}

resida_status rsd_problem_in_form(resida_problem **other, const resida_problem *q, const char *form,
                                  resida_message *why)
{
    const resida_problem_options o = options_of(q, form);
    if (!q->mechanism) {
        const resida_dae d = dae_of(q);
        return resida_problem_create_dae(other, &d, &o, why);
    }
    const resida_mechanism m = mechanism_of(q);
    RSD_TRY(resida_problem_create(other, &m, &o, why));
    (*other)->mechanism->calls.at_rest = q->mechanism->calls.at_rest;
    return RESIDA_OK;
}

/* Derivatives are evaluated by the original. */
resida_status rsd_problem_clone(resida_problem **clone, const resida_problem *q, resida_message *why)
{
    const resida_problem_options o = options_of(q, NULL);
    if (q->mechanism) {
        resida_mechanism m = mechanism_of(q);
        m.derivatives = NULL;
        return resida_problem_create(clone, &m, &o, why);
    }
    resida_dae d = dae_of(q);
    d.jacobian = NULL;
    return resida_problem_create_dae(clone, &d, &o, why);
}

void rsd_problem_follow(resida_problem *clone, const resida_problem *q)
{
    rsd_calls_follow(clone->calls, q->calls);
    if (!q->mechanism) return;
    rsd_mechanism *to = clone->mechanism;
    const rsd_mechanism *from = q->mechanism;
    (void)rsd_learnt_follow(to, from); /* without memory it learns by itself */
    memcpy(to->dropped, from->dropped, (size_t)from->n_l);
    memcpy(to->open, from->open, (size_t)from->n_l);
    memcpy(to->slip, from->slip, (size_t)from->n_l * sizeof *from->slip);
    memcpy(to->slips_on, from->slips_on, (size_t)from->n_l * sizeof *from->slips_on);
    memcpy(to->fading.lam, from->fading.lam, (size_t)from->n_l * sizeof *from->fading.lam);
    to->fading.t = from->fading.t;
    to->fading.time = from->fading.time;
    rsd_scales_follow(to, from);
    rsd_projection_follow(&clone->rows->D, &q->rows->D, from);
}

int rsd_problem_thread_safe(const resida_problem *q)
{
    return q->mechanism ? q->mechanism->m.thread_safe : q->dae.thread_safe;
}
