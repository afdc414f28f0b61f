/* form.c - the table of formulations, and what follows from an entry of it: layout and kinds. */
#include "problem_impl.h"

#include <string.h>

/* Each in its file, form_*.c. */
extern const rsd_form rsd_form_ggl, rsd_form_index2, rsd_form_ode, rsd_form_index1, rsd_form_baumgarte, rsd_form_index3,
    rsd_form_projected1, rsd_form_projected2, rsd_form_state_space, rsd_form_hiller_anantharaman, rsd_form_augmented;

/* In the order in which messages and help list them. */
static const rsd_form *const forms[] = {&rsd_form_ggl,
                                        &rsd_form_index2,
                                        &rsd_form_ode,
                                        &rsd_form_index1,
                                        &rsd_form_baumgarte,
                                        &rsd_form_index3,
                                        &rsd_form_augmented,
                                        &rsd_form_projected1,
                                        &rsd_form_projected2,
                                        &rsd_form_state_space,
                                        &rsd_form_hiller_anantharaman};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

const char *resida_form_at(int i)
{
    return i >= 0 && i < N_FORMS ? forms[i]->name : NULL;
}

unsigned rsd_form_traits(const char *name)
{
    int i = 0;
    while (i < N_FORMS && strcmp(name, forms[i]->name) != 0) i++;
    if (i == N_FORMS) return 0;
    const rsd_form *f = forms[i];
    unsigned traits = RSD_FORM_MECHANISM | f->traits;
    if (f->level != RSD_NO_LAM) traits |= RSD_FORM_CONSTRAINED;
    if (f->level != RSD_NO_LAM && !f->is_frozen) traits |= RSD_FORM_DIRECTED;
    if (f->level == RSD_POSITION) traits |= RSD_FORM_INDEX_3;
    return traits;
}

resida_status rsd_form_find(const rsd_form **form, const char *name, const rsd_mechanism *k, resida_message *why)
{
    if (strcmp(name, "auto") == 0) name = k->n_l > 0 ? "ggl" : "ode";
    for (int i = 0; i < N_FORMS; i++)
        if (strcmp(name, forms[i]->name) == 0) {
            *form = forms[i];
            return RESIDA_OK;
        }
    rsd_fail(why, RESIDA_ERR_OPTION, "no form '%s': there are auto", name);
    for (int i = 0; i < N_FORMS; i++) rsd_message_append(why, ", %s", forms[i]->name);
    return RESIDA_ERR_OPTION;
}

/* The offset of the next `size` unknowns; -1 when there are none. */
static int take(resida_layout *l, int size)
{
    int at = l->n;
    l->n += size;
    return size > 0 ? at : -1;
}

resida_status rsd_form_layout(const rsd_form *form, const rsd_mechanism *k, resida_layout *l, resida_message *why)
{
    if (form->level == RSD_NO_LAM && k->n_l > 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form %s is for mechanisms without constraints, this one has %d",
                        k->m.name, form->name, k->n_l);
    if (form->level != RSD_NO_LAM && k->n_l == 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form %s needs constraints, take ode", k->m.name, form->name);
    l->n = 0;
    l->p = take(l, l->n_p);
    l->v = take(l, l->n_v);
    l->lam = take(l, k->n_l);
    l->eta = take(l, form->has_eta ? l->n_g : 0);
    l->tau = take(l, form->has_tau ? k->n_l : 0);
    l->a = take(l, form->has_tau ? l->n_v : 0);
    l->eta_k = take(l, l->n_k);
    l->rates = form->rates;
    return RESIDA_OK;
}

/* lam of a position constraint at some level; of a nonholonomic one the level counts from the velocities. Next to
 * accelerations lam is of index 1, but as rough as they are, derivatives of v that no error test sees: in it, the
 * linear mechanism with a stiff constraint takes 100,000 steps at 1e-7 instead of 50. */
static resida_kind kind_of_lam(const rsd_form *form, int is_nonholonomic)
{
    if (form->rates) return RESIDA_DIFFERENTIAL;
    return form->level == RSD_POSITION && !is_nonholonomic ? RESIDA_ALGEBRAIC_3 : RESIDA_ALGEBRAIC_2;
}

/* Where g = 0 stands alone v is as rough as the integral of lam; and so are states where their rates may depend on
 * lam. */
void rsd_form_kinds(const rsd_form *form, const resida_layout *l, int uses_lam, resida_kind *kinds)
{
    int end = l->v + l->n_v, rough_end = uses_lam ? end : end - l->n_z,
        position_alone = form->level == RSD_POSITION && l->n_g > 0;
    for (int i = 0; i < l->n; i++)
        if (i < end)
            kinds[i] = i >= l->v && i < rough_end && position_alone ? RESIDA_DIFFERENTIAL_2 : RESIDA_DIFFERENTIAL;
        else if (i < end + l->n_g + l->n_h)
            kinds[i] = kind_of_lam(form, i >= end + l->n_g);
        else
            kinds[i] = form->rates ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC_2;
}
