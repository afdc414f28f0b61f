/* problem_query.c - answers queries of a problem: sizes, kinds, names, residual, constraints, roots, faults. */
#include "problem_impl.h"

#include <math.h>
#include <string.h>

resida_status resida_problem_layout(const resida_problem *q, resida_layout *layout)
{
    if (!q || !layout) return RESIDA_ERR_ARGUMENT;
    *layout = q->layout;
    return RESIDA_OK;
}

const resida_kind *resida_problem_kinds(const resida_problem *q)
{
    return q ? q->kinds : NULL;
}

const char *resida_problem_form(const resida_problem *q)
{
    return !q ? "" : q->form ? q->form->name : "dae";
}

const char *resida_problem_formalism(const resida_problem *q)
{
    return !q ? "" : !q->mechanism ? "dae" : q->mechanism->is_explicit ? "explicit" : "residual";
}

/* A part of y, such as p or lam, with the names of its components in messages. */
typedef struct named_part {
    int first;                /* index in y of the first component; -1: y does not contain the part */
    const char *letter;       /* name of the part; component i is called letter[i] if names is NULL */
    const char *const *names; /* names of the components in the model, or NULL */
} named_part;

resida_status resida_problem_component_name(const resida_problem *q, int i, char *text, size_t size)
{
    if (!q || !text || size == 0 || i < 0 || i >= q->layout.n) return RESIDA_ERR_ARGUMENT;
    const resida_layout *l = &q->layout;
    const resida_mechanism *m = q->mechanism ? &q->mechanism->m : NULL;
    const int has_z = m && l->n_z > 0 && !m->v_names;
    const named_part parts[] = {{l->eta_k, "eta_k", NULL},
                                {l->a, "a", NULL},
                                {l->tau, "tau", NULL},
                                {l->eta, "eta", NULL},
                                {l->lam, "lam", NULL},
                                {has_z ? l->v + l->n_v - l->n_z : -1, "z", NULL},
                                {l->v, "v", m ? m->v_names : NULL},
                                {l->p, "p", m ? m->p_names : NULL},
                                {0, "y", q->dae.names}};
    const named_part *x = parts;
    while (x->first < 0 || i < x->first) x++;
    if (x->names)
        rsd_write(text, size, "%s", x->names[i - x->first]);
    else
        rsd_write(text, size, "%s[%d]", x->letter, i - x->first);
    return RESIDA_OK;
}

int rsd_problem_eval_dae_residual(resida_problem *q, double t, const double *y, const double *yp, double *r)
{
    int verdict = rsd_calls_eval_excitation(q->calls, t);
    if (!verdict) verdict = rsd_calls_check_budget(q->calls, t);
    return verdict ? verdict
                   : rsd_call_velocity(q->calls, RSD_CALL_RESIDUAL, q->dae.residual, t, y, yp, r, q->layout.n);
}

int rsd_problem_eval_dae_J(resida_problem *q, double t, double alpha, const double *y, const double *yp, double *J)
{
    const int verdict = rsd_calls_eval_excitation(q->calls, t);
    return verdict
               ? verdict
               : rsd_call_dae_jacobian(q->calls, RSD_CALL_DAE_JACOBIAN, q->dae.jacobian, t, alpha, y, yp, J, q->J.nnz);
}

int resida_problem_residual(double t, const double *y, const double *yp, double *r, void *problem)
{
    resida_problem *q = problem;
    if (!q || !y || !yp || !r || !isfinite(t)) return RESIDA_ERR_ARGUMENT;
    if (rsd_arrays_overlap(r, q->layout.n, y, q->layout.n) || rsd_arrays_overlap(r, q->layout.n, yp, q->layout.n))
        return RESIDA_ERR_ARGUMENT;
    return rsd_problem_eval_part(q, RSD_ROWS_ALL, t, y, yp, r);
}

resida_status resida_problem_constraints(resida_problem *q, double t, const double *p, const double *v, double *g,
                                         double *gv)
{
    if (!q || !q->mechanism || !p || (gv && !v) || !isfinite(t)) return RESIDA_ERR_ARGUMENT;
    rsd_mechanism *k = q->mechanism;
    int n_p = k->m.n_p, n_v = k->m.n_v, n_g = k->m.n_g, n_l = k->n_l;
    if (rsd_arrays_overlap(g, n_g, gv, n_l) || rsd_arrays_overlap(g, n_g, p, n_p) ||
        rsd_arrays_overlap(g, n_g, v, n_v) || rsd_arrays_overlap(gv, n_l, p, n_p) ||
        rsd_arrays_overlap(gv, n_l, v, n_v))
        return RESIDA_ERR_ARGUMENT;
    const int follows = k->has_fixed_scales;
    k->has_fixed_scales = 1; /* a query must not change the scales of differences that a run uses */
    const rsd_F_arguments at = {.x = q->rows, .l = &q->layout, .part = RSD_ROWS_ALL, .t = t, .p = p, .v = v};
    int verdict = rsd_rows_eval_common(&at);
    if (!verdict && g) verdict = rsd_eval_constraint(k, t, p, g);
    if (!verdict && gv) verdict = rsd_eval_velocity_level(k, t, p, v, gv);
    for (int i = 0; i < n_l; i++) {
        if (k->open[i] && g && i < n_g) g[i] = 0;
        if (k->open[i] && gv) gv[i] = 0;
    }
    k->has_fixed_scales = follows;
    return verdict ? RESIDA_ERR_USER : RESIDA_OK;
}

resida_status resida_problem_invariants(resida_problem *q, double t, const double *p, double *k)
{
    if (!q || !q->mechanism || !p || !isfinite(t)) return RESIDA_ERR_ARGUMENT;
    const resida_mechanism *m = &q->mechanism->m;
    if ((m->n_k > 0 && !k) || rsd_arrays_overlap(k, m->n_k, p, m->n_p)) return RESIDA_ERR_ARGUMENT;
    if (rsd_eval_excitation(q->mechanism, t)) return RESIDA_ERR_USER;
    return rsd_eval_invariant(q->mechanism, t, p, k) ? RESIDA_ERR_USER : RESIDA_OK;
}

int rsd_problem_eval_excitation(resida_problem *q, double t, const double **u)
{
    *u = q->calls->u;
    return rsd_calls_eval_excitation(q->calls, t);
}

int rsd_problem_copy_excitation(resida_problem *q, double t, double *u)
{
    const double *now;
    int verdict = rsd_problem_eval_excitation(q, t, &now);
    memcpy(u, now, 3 * (size_t)q->layout.n_u * sizeof *u);
    return verdict;
}

/* Return the component of y that corresponds to the first output of a callback, or -1 if no component does. */
static int find_first_component(const resida_problem *q, const char *callback)
{
    const char *formalism = q->mechanism ? rsd_formalism_name(q->mechanism) : "residual";
    const char *products = q->mechanism ? "residual_times" : "jacobian_times";
    const int is_one = strcmp(callback, formalism) == 0 || strcmp(callback, products) == 0;
    return !is_one ? -1 : q->mechanism ? q->layout.v : 0;
}

void rsd_problem_format_fault(const resida_problem *q, const rsd_fault *fault, char *text, size_t size)
{
    char name[RSD_COMPONENT_NAME] = "";
    const int c = fault->component, first = fault->callback ? find_first_component(q, fault->callback) : 0;
    if (c >= 0 && first >= 0 && resida_problem_component_name(q, first + c, name, sizeof name) < 0) name[0] = 0;
    rsd_write(text, size, "%s%s", fault->callback ? "callback " : "F", fault->callback ? fault->callback : "");
    if (c >= 0) rsd_append(text, size, ", component %d", c);
    if (c >= 0 && name[0]) rsd_append(text, size, " (%s)", name);
    if (c >= 0 && fault->is_unset) rsd_append(text, size, ", which it does not set,");
}

int rsd_problem_get_n_root(const resida_problem *q)
{
    return q->mechanism ? q->mechanism->m.n_root : q->dae.n_root;
}

int rsd_problem_eval_roots(resida_problem *q, double t, const double *y, const double *yp, double *out)
{
    const rsd_mechanism *k = q->mechanism;
    const double *v = k ? y + q->layout.v : yp, *lam = k ? rsd_problem_get_lam(q, y, yp) : NULL;
    const int n_root = rsd_problem_get_n_root(q);
    int verdict = rsd_calls_eval_excitation(q->calls, t);
    if (!verdict && q->o.root_lam)
        verdict = rsd_call_root_lam(q->calls, q->o.root_lam, t, y, v, lam, out, n_root);
    else if (!verdict)
        verdict = rsd_call_velocity(q->calls, RSD_CALL_ROOT, k ? k->m.root : q->dae.root, t, y, v, out, n_root);
    if (q->o.root_lam && q->calls->fault.callback == rsd_callback_names[RSD_CALL_ROOT])
        q->calls->fault.callback = "root_lam";
    if (verdict || q->contacts.given.n == 0) return verdict;
    const rsd_unilateral_state at = {t, y, v, lam};
    return rsd_unilateral_eval_roots(&q->contacts, q->mechanism, &at, out);
}

const double *rsd_problem_get_lam(const resida_problem *q, const double *y, const double *yp)
{
    return q->layout.lam < 0 ? NULL : (q->layout.rates ? yp : y) + q->layout.lam;
}

const double *rsd_problem_get_a(const resida_problem *q, const double *y, const double *yp)
{
    return q->layout.a < 0 ? yp + q->layout.v : y + q->layout.a;
}

int rsd_problem_needs_yp(const resida_problem *q)
{
    return q->active_rows.kkt && q->layout.rates;
}

int rsd_problem_process_failure(resida_problem *q)
{
    return q->mechanism && rsd_step_check_count_failure(q->mechanism);
}

int rsd_problem_is_repeatable(const resida_problem *q)
{
    if (!q->mechanism) return 1;
    const resida_mechanism *m = &q->mechanism->m;
    const rsd_level level = q->form->level;
    const int has_velocity = level == RSD_VELOCITY || q->layout.tau >= 0, has_acceleration = level == RSD_ACCELERATION;
    if (m->n_h > 0 || (m->n_k > 0 && !m->invariant_matrix)) return 0;
    return m->n_g == 0 ||
           (m->constraint_matrix && (!has_velocity || m->velocity_bias) && (!has_acceleration || m->acceleration_bias));
}

/* Update the active rows, and the reference point of a frozen projection. Set *changed to 1 if either has changed. */
static int update_formulation(resida_problem *q, double t, const double *y, const double *yp, int *changed,
                              resida_message *why)
{
    if (q->active_rows.kkt) {
        const double *lam = q->layout.rates && !yp ? NULL : rsd_problem_get_lam(q, y, yp);
        const rsd_active_rows_state at = {t, y + q->layout.p, y + q->layout.v, lam};
        int verdict = rsd_active_rows_check_step(&q->active_rows, &at, changed, why);
        if (verdict) return verdict;
    }
    if (!q->form || !q->form->is_frozen) return 0;
    rsd_mechanism *k = q->mechanism;
    rsd_projection *D = &q->rows->D;
    if (!*changed && rsd_projection_is_outdated(D, k, t, y + q->layout.p) != 1) return 0;
    rsd_projection_freeze(D, k);
    D->changes++;
    *changed = 1;
    return 0;
}

int rsd_problem_process_step(resida_problem *q, double t, const double *y, const double *yp, int *changed,
                             resida_message *why)
{
    *changed = 0;
    if (q->mechanism) rsd_scales_allow_search(q->mechanism);
    const int verdict = update_formulation(q, t, y, yp, changed, why);
    if (verdict || !q->mechanism) return verdict;
    const int stops = rsd_step_check_run(q->mechanism, t, y + q->layout.p, changed);
    if (!stops) rsd_motion_update(q->mechanism, t, y + q->layout.v);
    return stops;
}

int rsd_problem_has_projection(const resida_problem *q)
{
    return q->o.step_projection || q->layout.n_k > 0;
}

int rsd_problem_project(resida_problem *q, double t, double *y)
{
    rsd_mechanism *k = q->mechanism;
    if (q->o.step_projection) return rsd_project_step(&q->rows->D, k, t, y + q->layout.p, y + q->layout.v);
    int verdict = rsd_eval_excitation(k, t);
    return verdict ? verdict : rsd_project_onto_invariants(k, t, y + q->layout.p);
}

int rsd_problem_project_output(resida_problem *q, double t, double *y)
{
    if (q->layout.n_k == 0) return 0;
    rsd_mechanism *k = q->mechanism;
    const size_t bytes = (size_t)k->m.n_p * sizeof *y;
    memcpy(k->work.p_moved, y + q->layout.p, bytes);
    int verdict = rsd_eval_excitation(k, t);
    if (!verdict) verdict = rsd_project_onto_invariants(k, t, k->work.p_moved);
    if (verdict < 0) return verdict;
    if (!verdict) memcpy(y + q->layout.p, k->work.p_moved, bytes);
    rsd_fault_clear(&k->calls.fault);
    return 0;
}

int rsd_problem_has_history(const resida_problem *q)
{
    return (q->form && q->form->is_frozen) || q->active_rows.n_dropped > 0 || q->contacts.given.n > 0;
}

void rsd_problem_set_y(const resida_problem *q, const double *p, const double *v, const double *a, const double *lam,
                       double *y, double *yp)
{
    const resida_layout *l = &q->layout;
    size_t each = sizeof(double), n = (size_t)l->n * each;
    memset(y, 0, n);
    memset(yp, 0, n);
    memcpy(y + l->p, p, (size_t)l->n_p * each);
    memcpy(y + l->v, v, (size_t)l->n_v * each);
    memcpy(yp + l->v, a, (size_t)l->n_v * each);
    if (l->a >= 0) memcpy(y + l->a, a, (size_t)l->n_v * each);
    if (l->lam >= 0) memcpy((l->rates ? yp : y) + l->lam, lam, (size_t)(l->n_g + l->n_h) * each);
    rsd_apply_T(q->mechanism, v, yp + l->p);
    rsd_motion_set_rate(q->mechanism, yp + l->p);
    if (q->form->is_frozen) rsd_projection_freeze(&q->rows->D, q->mechanism);
}
