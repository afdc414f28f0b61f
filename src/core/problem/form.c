/* form.c - the table of the formulations of a mechanism. The rows of F, the layout of y, and the kinds of its
 * components are derived from an entry of the table.
 *
 * Equation numbers are those of Arnold, Fuchs, Fuehrer; "AP" marks those of Ascher, Petzold, TR 91-3. Nonholonomic
 * constraints w = Gh v + gh have multipliers in lam and tau. They have none in eta, because they do not restrict p. */
#include "problem_impl.h"

#include <string.h>

#define DEFAULT_GAMMA 1.0 /* [1/s] default of gamma, as in section 4.2, case 1, of AP */

/* The formulations, in the order of messages and help. */
static const rsd_form forms[] = {
    /* The stabilised index-2 formulation of Gear, Gupta, Leimkuhler (J. Comp. Appl. Math. 12&13, 1985, 77-90), (7):
     *
     *     0 = p' - T v + D1 eta            (7a), where D1 = (dg/dp)'; AP (4.15) with another D1
     *     0 = M v' - Psi + G' lam          (7b)
     *     0 = G v + gI, w                  (7c)
     *     0 = g                            (7d) */
    {.name = "ggl", .level = RSD_VELOCITY, .has_eta = 1},

    /* (7a)-(7c) without eta; 0 = G v + gI + gamma g. With gamma = 0, velocity errors accumulate in the positions, which
     * drift off g = 0. With gamma > 0, AP (3.11), (3.14), g decays like exp(-gamma t). */
    {.name = "index2", .level = RSD_VELOCITY, .traits = RSD_FORM_WITH_GAMMA},

    /* Without constraints:   0 = p' - T v,   0 = M v' - Psi. */
    {.name = "ode", .level = RSD_NO_LAM},

    /* The constraints differentiated twice, section 3.1 of AP:   0 = g'' + 2 gamma g' + gamma^2 g   (3.2), (3.10), and
     * 0 = w' + gamma w. gamma = 0 is (3.1): then errors of g grow linearly in time, with the initial error of g'. */
    {.name = "index1", .level = RSD_ACCELERATION},
    {.name = "baumgarte", .level = RSD_ACCELERATION, .traits = RSD_FORM_WITH_GAMMA, .usual_gamma = DEFAULT_GAMMA},

    /* The position constraints themselves, (1), (5b):   0 = g,   0 = w.   "augmented" adds a penalty force, (7) of O.
     * Bauchau, A. Epple, C. Bottasso, Scaling of Constraints and Augmented Lagrangian Formulations in Multibody
     * Dynamics Simulations: G' (lam + penalty g). The solution is the same. */
    {.name = "index3", .level = RSD_POSITION},
    {.name = "augmented", .level = RSD_POSITION, .traits = RSD_FORM_WITH_PENALTY},

    /* Projected invariants, section 3.5 of AP. The accelerations satisfy the constraint differentiated twice. The
     * constraints themselves are enforced along directions D that can be chosen:
     *
     *     0 = p' - T v + D1 eta          (4.14a), (3.27a)
     *     0 = M a - Psi + G' lam         (4.14b)
     *     0 = G a + gamma                and the same for nonholonomic rows
     *     0 = g                          (3.25), j = 1
     *     0 = G v + gI, w                (3.25), j = 2
     *     0 = v' - a + D2 tau            (3.27b)
     *
     * "projected1": k = 1, a = v', without the last two rows. "projected2": k = 2; since a is an unknown, no product of
     * M and D2 is needed. "state-space": projected2 with D of a reference point. By (3.23), (3.24) this is the ODE in
     * constant coordinates R p, R D = 0, (3.17). The unknowns remain p and v: new coordinates need no restart. */
    {.name = "projected1", .level = RSD_ACCELERATION, .has_eta = 1},
    {.name = "projected2", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1},
    {.name = "state-space", .level = RSD_ACCELERATION, .has_eta = 1, .has_tau = 1, .is_frozen = 1},

    /* "ggl" with lam = Lam', eta = Eta'; y = (p, v, Lam, Eta). Lam and Eta are 0 at the start. The index is 1 (C. W.
     * Gear, Differential-algebraic equation index transformations, SIAM J. Sci. Stat. Comput. 9, 1988, 39-47). All of y
     * can be included in the error test. */
    {.name = "hiller-anantharaman", .level = RSD_VELOCITY, .has_eta = 1, .rates = 1}};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

const char *resida_form_at(int i)
{
    return i >= 0 && i < N_FORMS ? forms[i].name : NULL;
}

unsigned rsd_form_get_traits(const char *name)
{
    int i = 0;
    while (i < N_FORMS && strcmp(name, forms[i].name) != 0) i++;
    if (i == N_FORMS) return 0;
    const rsd_form *f = &forms[i];
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
        if (strcmp(name, forms[i].name) == 0) {
            *form = &forms[i];
            return RESIDA_OK;
        }
    rsd_fail(why, RESIDA_ERR_OPTION, "unknown form '%s': use auto", name);
    for (int i = 0; i < N_FORMS; i++) rsd_message_append(why, ", %s", forms[i].name);
    return RESIDA_ERR_OPTION;
}

/* Return the offset of the next `size` unknowns, or -1 if size is 0. */
static int assign_next_offset(resida_layout *l, int size)
{
    int at = l->n;
    l->n += size;
    return size > 0 ? at : -1;
}

resida_status rsd_form_set_layout(const rsd_form *form, const rsd_mechanism *k, resida_layout *l, resida_message *why)
{
    if (form->level == RSD_NO_LAM && k->n_l > 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: form %s is for mechanisms without constraints, but this one has %d",
                        k->m.name, form->name, k->n_l);
    if (form->level != RSD_NO_LAM && k->n_l == 0)
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%s: form %s needs constraints, and this mechanism has none: use form ode", k->m.name,
                        form->name);
    l->n = 0;
    l->p = assign_next_offset(l, l->n_p);
    l->v = assign_next_offset(l, l->n_v);
    l->lam = assign_next_offset(l, k->n_l);
    l->eta = assign_next_offset(l, form->has_eta ? l->n_g : 0);
    l->tau = assign_next_offset(l, form->has_tau ? k->n_l : 0);
    l->a = assign_next_offset(l, form->has_tau ? l->n_v : 0);
    l->eta_k = assign_next_offset(l, l->n_k);
    l->rates = form->rates;
    return RESIDA_OK;
}

/* Return the kind of lam, which depends on the level of its constraints. At acceleration level lam has index 1. It is
 * nevertheless excluded from the error test, because it is as rough as the accelerations. With lam in the error test,
 * the linear mechanism with a stiff constraint takes 100,000 steps at the tolerance 1e-7, otherwise 50. */
static resida_kind get_lam_kind(const rsd_form *form, int is_nonholonomic)
{
    if (form->rates) return RESIDA_DIFFERENTIAL;
    return form->level == RSD_POSITION && !is_nonholonomic ? RESIDA_ALGEBRAIC_3 : RESIDA_ALGEBRAIC_2;
}

/* If lam enforces only g = 0, v is as rough as the integral of lam. So are the states z whose rates depend on lam. */
void rsd_form_set_kinds(const rsd_form *form, const resida_layout *l, int uses_lam, resida_kind *kinds)
{
    int end = l->v + l->n_v, rough_end = uses_lam ? end : end - l->n_z,
        position_alone = form->level == RSD_POSITION && l->n_g > 0;
    for (int i = 0; i < l->n; i++)
        if (i < end)
            kinds[i] = i >= l->v && i < rough_end && position_alone ? RESIDA_DIFFERENTIAL_2 : RESIDA_DIFFERENTIAL;
        else if (i < end + l->n_g + l->n_h)
            kinds[i] = get_lam_kind(form, i >= end + l->n_g);
        else
            kinds[i] = form->rates ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC_2;
}

int rsd_problem_eval_part(resida_problem *q, rsd_rows_part part, double t, const double *y, const double *yp, double *r)
{
    const rsd_form *form = q->form;
    const resida_layout *l = &q->layout;
    if (!form) return rsd_problem_eval_dae_residual(q, t, y, yp, r);
    const double *x = l->rates ? yp : y, *a = l->a < 0 ? yp + l->v : y + l->a;
    const double *lam = l->lam < 0 ? NULL : x + l->lam,
                 *force = form->traits & RSD_FORM_WITH_PENALTY ? q->rows->lam_star : lam;
    const rsd_F_arguments at = {.x = q->rows, .l = l, .part = part, .t = t, .yp = yp, .p = y, .v = y + l->v};
    memset(r, 0, (size_t)l->n * sizeof *r);
    int verdict = rsd_rows_eval_common(&at);
    if (!verdict && force != lam) verdict = rsd_eval_penalised_lam(at.x, t, at.p, lam);
    if (!verdict) rsd_rows_eval_kinematic(&at, r + l->p);
    if (!verdict && l->eta >= 0) verdict = rsd_rows_add_D1(&at, x + l->eta, r + l->p);
    if (!verdict) verdict = rsd_rows_eval_dynamic(&at, a, force, r + l->v);
    if (!verdict && lam) verdict = rsd_rows_eval_lam(&at, form->level, a, lam, r + l->lam);
    if (!verdict && l->eta >= 0) verdict = rsd_rows_eval_eta(&at, RSD_POSITION, x + l->eta, r + l->eta);
    if (!verdict && l->tau >= 0) verdict = rsd_rows_eval_eta(&at, RSD_VELOCITY, x + l->tau, r + l->tau);
    if (!verdict && l->a >= 0) rsd_rows_eval_projected(&at, a, x + l->tau, r + l->a);
    return verdict || l->eta_k < 0 ? verdict : rsd_rows_add_invariant(&at, x + l->eta_k, r + l->p, r + l->eta_k);
}
