/* problem.c - checks the arguments of a problem, creates it and frees it. Queries are in problem_query.c. */
#include "problem_impl.h"

#include "arguments.h"
#include "cost.h"
#include "option_impl.h"
#include "base/numbers.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int get_projection_kind(const resida_problem_options *o)
{
    return rsd_find_name(rsd_projection_names, o->projection);
}

static resida_status check_options(const resida_problem_options *o, resida_message *why)
{
    RSD_TRY(rsd_check_size("problem options", o->size, sizeof *o, why));
    if (o->allocator && (!o->allocator->allocate || !o->allocator->free))
        return rsd_fail(why, RESIDA_ERR_OPTION, "allocator: allocate and free must both be given");
    RSD_TRY(rsd_option_check_ranges(&rsd_problem_table, o, why));
    if ((get_projection_kind(o) == RSD_PROJECTION_OWN) != (o->projection_matrix != NULL))
        return rsd_fail(why, RESIDA_ERR_OPTION, "projection '%s', but projection_matrix is%s given", o->projection,
                        o->projection_matrix ? "" : " not");
    return RESIDA_OK;
}

static resida_status create_rows(resida_problem *q, resida_message *why)
{
    const rsd_form *form = q->form;
    rsd_rows what = {.gamma = q->o.gamma, .penalty = q->o.penalty};
    what.D.kind = form->is_frozen ? RSD_PROJECTION_FROZEN : (rsd_projection_kind)get_projection_kind(&q->o);
    what.D.matrix = q->o.projection_matrix;
    what.D.in_rows = q->layout.eta >= 0 || q->layout.tau >= 0;
    what.by_products = q->mechanism->m.constraint_force && form->level != RSD_ACCELERATION && q->layout.tau < 0 &&
                       what.D.kind == RSD_PROJECTION_G;
    return rsd_rows_create(&q->rows, q->mechanism, &what, q->o.step_projection, why);
}

/* Store the caller's options with static names, and with the chosen values in place of 0. */
static void store_options(resida_problem *q, const resida_problem_options *o)
{
    q->o = *o;
    q->o.form = q->form->name;
    q->o.projection = rsd_projection_names[get_projection_kind(o)];
    q->o.formalism = q->mechanism->is_explicit ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
    q->o.allocator = NULL;
    q->o.products = NULL;
    q->o.contacts = NULL;
    if (o->gamma == 0) q->o.gamma = q->form->usual_gamma;
}

static resida_status check_kinds(const char *name, const resida_dae *d, resida_message *why)
{
    int n_tested = 0;
    for (int i = 0; i < d->n; i++) {
        if ((int)d->kinds[i] < 0 || d->kinds[i] > RESIDA_DIFFERENTIAL_2)
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s: kinds[%d] = %d, must be 0..4; " RSD_KINDS_ARE_NOT_IDS, name, i,
                            (int)d->kinds[i]);
        n_tested += d->kinds[i] < RESIDA_ALGEBRAIC_2;
    }
    if (n_tested > 0) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MODEL, "%s: kinds has only components of index 2 and 3, none in the error test",
                    name);
}

static resida_status check_dae(const resida_dae *d, resida_message *why)
{
    if (d->size != sizeof *d)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "dae.size = %zu, must be %zu (call resida_dae_init)", d->size,
                        sizeof *d);
    const char *name = d->name ? d->name : "dae";
    if (d->n < 1 || d->n > RSD_MAX_UNKNOWNS)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n = %d, must be in 1..%d", name, d->n, RSD_MAX_UNKNOWNS);
    if (d->n_u < 0 || d->n_root < 0)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n_u = %d, n_root = %d, must be >= 0", name, d->n_u, d->n_root);
    if (d->n_u > RSD_MAX_UNKNOWNS || d->n_root > RSD_MAX_UNKNOWNS)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: %s is more than %d", name, d->n_root > d->n_u ? "n_root" : "n_u",
                        RSD_MAX_UNKNOWNS);
    if (!d->residual) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: residual is NULL", name);
    if (d->thread_safe != 0 && d->thread_safe != 1)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: thread_safe must be 0 or 1", name);
    if ((d->n_u > 0) != (d->excitation != NULL))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n_u = %d, but excitation is%s given", name, d->n_u,
                        d->excitation ? "" : " not");
    if ((d->n_root > 0) != (d->root != NULL))
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n_root = %d, but root is%s given", name, d->n_root,
                        d->root ? "" : " not");
    RSD_TRY(rsd_call_costs_check(&d->cost, name, why));
    return d->kinds ? check_kinds(name, d, why) : RESIDA_OK;
}

static resida_status check_roots(const char *name, const resida_mechanism *m, const resida_problem_options *o,
                                 resida_message *why)
{
    if (m->root && o->root_lam) return rsd_fail(why, RESIDA_ERR_MODEL, "%s: root and root_lam are both given", name);
    if ((m->n_root > 0) == (m->root || o->root_lam)) return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MODEL, "%s: n_root = %d, but %s", name, m->n_root,
                    m->n_root > 0 ? "neither root nor root_lam is given"
                    : m->root     ? "root is given"
                                  : "root_lam is given");
}

static resida_status build_from_mechanism(resida_problem *q, const resida_mechanism *m, const resida_problem_options *o,
                                          resida_message *why)
{
    RSD_TRY(rsd_mechanism_create(&q->mechanism, m, (int)o->formalism, &q->alloc, why));
    q->calls = &q->mechanism->calls;
    RSD_TRY(rsd_call_costs_check(&m->cost, q->mechanism->m.name, why));
    RSD_TRY(check_roots(q->mechanism->m.name, m, o, why));
    RSD_TRY(rsd_form_find(&q->form, o->form, q->mechanism, why));
    if (q->form->is_frozen) RSD_TRY(rsd_use_full_G(q->mechanism, why)); /* a frozen D needs the full matrix G */
    store_options(q, o);
    q->layout = (resida_layout){
        .n_p = m->n_p, .n_v = m->n_v, .n_z = m->n_z, .n_g = m->n_g, .n_h = m->n_h, .n_u = m->n_u, .n_k = m->n_k};
    return rsd_form_set_layout(q->form, q->mechanism, &q->layout, why);
}

static resida_status build_from_dae(resida_problem *q, const resida_dae *d, const resida_problem_options *o,
                                    resida_message *why)
{
    RSD_TRY(check_dae(d, why));
    if (strcmp(o->form, "auto") != 0)
        return rsd_fail(why, RESIDA_ERR_OPTION, "form '%s' is for mechanisms: use auto for a general DAE", o->form);
    q->layout = (resida_layout){
        .n = d->n, .p = -1, .v = -1, .lam = -1, .eta = -1, .tau = -1, .a = -1, .eta_k = -1, .n_u = d->n_u};
    q->dae = *d;
    q->dae.names = NULL;
    if (d->jacobian || d->J_pattern.row) RSD_TRY(rsd_csr_create(&q->J, "J", d->n, d->n, &d->J_pattern, &q->own, why));
    q->dae.J_pattern = (resida_pattern){q->J.row, q->J.col};
    q->dae.name = rsd_strdup(&q->own, d->name ? d->name : "dae");
    const int has_names = rsd_copy_names(&q->dae.names, d->names, d->n, &q->own);
    q->calls = &q->dae_calls;
    if (rsd_calls_init(q->calls, d->n_u, d->excitation, d->user, &q->own) < 0 || !q->dae.name || !has_names)
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a DAE with %d unknowns", d->n);
    return RESIDA_OK;
}

/* Build the problem from the mechanism m or from the general DAE d; the other pointer is NULL. */
static resida_status build_problem(resida_problem *q, const resida_mechanism *m, const resida_dae *d,
                                   const resida_problem_options *o, resida_message *why)
{
    const int *n = &q->layout.n;
    RSD_TRY(m ? build_from_mechanism(q, m, o, why) : build_from_dae(q, d, o, why));
    RSD_TRY(rsd_problem_set_products(q, o->products, why));
    q->kinds = rsd_calloc(&q->own, *n, sizeof *q->kinds);
    if (!q->kinds) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for %d unknowns", *n);
    if (m)
        rsd_form_set_kinds(q->form, &q->layout, q->mechanism->uses_lam, q->kinds);
    else if (d->kinds)
        q->dae.kinds = memcpy(q->kinds, d->kinds, (size_t)*n * sizeof *q->kinds);
    if (m) RSD_TRY(rsd_unilateral_create(&q->contacts, q->mechanism, o->contacts, &q->own, why));
    RSD_TRY(rsd_option_check_effects(&rsd_problem_table, &(rsd_option_case){q, o, NULL}, NULL, why));
    return m ? create_rows(q, why) : RESIDA_OK;
}

static resida_status create_problem(resida_problem **problem, int is_dae, const resida_mechanism *m,
                                    const resida_dae *d, const resida_problem_options *o, resida_message *why)
{
    const char *const call = is_dae ? "resida_problem_create_dae" : "resida_problem_create";
    resida_problem_options defaults;
    resida_problem_options_init(&defaults);
    if (!o) o = &defaults;
    if (!problem) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: problem is NULL", call);
    *problem = NULL;
    if (!m && !d) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "%s: %s is NULL", call, is_dae ? "d" : "m");
    RSD_TRY(check_options(o, why));
    const resida_allocator alloc = rsd_allocator(o->allocator);
    resida_problem *q = rsd_calloc(&alloc, 1, sizeof *q);
    if (!q) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for a problem");
    q->alloc = alloc;
    q->own = rsd_get_owned_allocator(&q->owner, &alloc);
    const resida_status status = build_problem(q, m, d, o, why);
    if (status < 0)
        resida_problem_free(q);
    else
        *problem = q;
    return status < 0 ? status : RESIDA_OK;
}

resida_status resida_problem_create(resida_problem **problem, const resida_mechanism *m,
                                    const resida_problem_options *o, resida_message *why)
{
    return create_problem(problem, 0, m, NULL, o, why);
}

resida_status resida_problem_create_dae(resida_problem **problem, const resida_dae *d, const resida_problem_options *o,
                                        resida_message *why)
{
    return create_problem(problem, 1, NULL, d, o, why);
}

void resida_problem_free(resida_problem *q)
{
    if (!q) return;
    const resida_allocator alloc = q->alloc;
    rsd_start_free(q->start);
    rsd_start_free(q->impact);
    rsd_mechanism_free(q->mechanism);
    rsd_owner_free(&q->owner);
    rsd_free(&alloc, q);
}
