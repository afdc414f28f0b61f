/* problem_times.c - products of the derivatives of F with directions, from the products of the model
 * (resida/products.h). For a mechanism they contain the formalism part, d Phi along p, v, a, lam. Derivatives of the
 * constraint part are known or found by differences. */
#include "problem_impl.h"

#include <math.h>
#include <string.h>

enum { MAX_DIRECTIONS = 8 }; /* maximum number of directions in one call of residual_times */

void resida_products_init(resida_products *products)
{
    if (products) *products = (resida_products){.size = sizeof *products};
}

static resida_status check_products(const resida_problem *q, resida_message *why)
{
    const resida_products *x = &q->products;
    const resida_mechanism *m = q->mechanism ? &q->mechanism->m : NULL;
    const char *name = m ? m->name : q->dae.name;
    if (!(x->cost >= 0 && x->cost < INFINITY))
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%s: products.cost = %g, must be finite and >= 0 (0: as a residual call)", name, x->cost);
    if (m ? x->jacobian_times != NULL : x->residual_times != NULL)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: products.%s is for %s", name,
                        m ? "jacobian_times" : "residual_times", m ? "general DAEs" : "mechanisms");
    if (m && x->residual_times && !m->residual && !m->residual_lam)
        return rsd_fail(why, RESIDA_ERR_MODEL,
                        "%s: products.residual_times needs the callback residual, which is not given", name);
    if (!x->jacobian_times && !x->residual_times)
        return rsd_fail(why, RESIDA_ERR_MODEL, "%s: products contains no callback", name);
    return RESIDA_OK;
}

int rsd_problem_has_products(const resida_problem *q)
{
    if (!q->mechanism) return q->products.jacobian_times != NULL;
    return q->products.residual_times && !q->mechanism->is_explicit;
}

resida_status rsd_problem_set_products(resida_problem *q, const resida_products *products, resida_message *why)
{
    if (!products) return RESIDA_OK;
    if (products->size != sizeof *products)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "products.size = %zu, must be %zu (call resida_products_init)",
                        products->size, sizeof *products);
    q->products = *products;
    RSD_TRY(check_products(q, why));
    if (!q->mechanism) return RESIDA_OK;
    rsd_directions *x = &q->directions;
    const resida_layout *l = &q->layout;
    const long k = MAX_DIRECTIONS;
    const int all = RSD_DOUBLES(&q->own, k * l->n_p, &x->p) &&
                    RSD_DOUBLES(&q->own, k * l->n_v, &x->v, &x->a, &x->out) &&
                    RSD_DOUBLES(&q->own, k * q->mechanism->n_l, &x->lam);
    return all ? RESIDA_OK : rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for directions");
}

/* Count a call that computes k products [n] as k calls. Reduce the failing component to its index in one product. */
static int end_product_call(rsd_calls *c, rsd_callback which, int k, int n, int verdict)
{
    c->meter.tally->calls[which] += k - 1;
    if (c->fault.callback == rsd_callback_names[which] && c->fault.component >= 0) c->fault.component %= n;
    return verdict;
}

/* Add penalty * (dg/dp) dp to dlam in the active rows, with the current dg/dp. */
static void add_penalty(const resida_problem *q, const double *dp, double *dlam)
{
    const rsd_mechanism *k = q->mechanism;
    double *dg = q->rows->level;
    rsd_csr_multiply(&k->gp, k->gp_values, dp, NULL, dg);
    for (int i = 0; i < k->m.n_g; i++)
        if (!k->dropped[i]) dlam[i] += q->rows->penalty * dg[i];
}

/* Split direction i, dy and dyp [n], into directions of the arguments p, v, a, lam of Phi. */
static void split_direction(const resida_problem *q, const double *dy, const double *dyp, int i)
{
    const rsd_mechanism *k = q->mechanism;
    const rsd_directions *x = &q->directions;
    const size_t n_p = (size_t)k->m.n_p, n_v = (size_t)k->m.n_v, n_l = (size_t)k->n_l, at = (size_t)i;
    const double *lam = rsd_problem_get_lam(q, dy, dyp);
    double *dlam = x->lam + at * n_l;
    memcpy(x->p + at * n_p, dy + q->layout.p, n_p * sizeof *dy);
    memcpy(x->v + at * n_v, dy + q->layout.v, n_v * sizeof *dy);
    memcpy(x->a + at * n_v, rsd_problem_get_a(q, dy, dyp), n_v * sizeof *dy);
    if (lam)
        memcpy(dlam, lam, n_l * sizeof *dy);
    else
        memset(dlam, 0, n_l * sizeof *dy);
    if (k->uses_lam && lam && q->rows->penalty != 0) add_penalty(q, dy + q->layout.p, dlam);
}

/* Set *at to the arguments of the formalism at (y, yp). With a penalty, at->lam is lam + penalty g in q->rows. */
static int set_arguments(resida_problem *q, double t, const double *y, const double *yp, resida_motion *at)
{
    rsd_mechanism *k = q->mechanism;
    const double *lam = rsd_problem_get_lam(q, y, yp);
    *at = (resida_motion){y + q->layout.p, y + q->layout.v, rsd_problem_get_a(q, y, yp), k->uses_lam ? lam : NULL};
    if (!k->uses_lam || !lam) return rsd_eval_excitation(k, t);
    int verdict = rsd_rows_eval_common_with_G(q->rows, t, at->p);
    if (verdict || q->rows->penalty == 0) return verdict;
    at->lam = q->rows->lam_star;
    return rsd_eval_penalised_lam(q->rows, t, at->p, lam);
}

/* Compute the products with a block of at most MAX_DIRECTIONS directions. */
static int multiply_block(resida_problem *q, double t, const resida_motion *at, int k, const double *dy,
                          const double *dyp, double *out)
{
    const size_t n = (size_t)q->layout.n, n_v = (size_t)q->layout.n_v, n_l = (size_t)q->mechanism->n_l;
    const rsd_directions *x = &q->directions;
    const resida_motion along = {x->p, x->v, x->a, q->mechanism->uses_lam ? x->lam : NULL};
    for (int i = 0; i < k; i++) split_direction(q, dy + (size_t)i * n, dyp + (size_t)i * n, i);
    int verdict = rsd_calls_check_g_budget(q->calls, t);
    if (verdict) return verdict;
    verdict = rsd_call_residual_times(q->calls, RSD_CALL_RESIDUAL_TIMES, q->products.residual_times, t, at, k, &along,
                                      x->out, k * q->layout.n_v);
    for (int i = 0; i < k && !verdict; i++) {
        double *r = out + (size_t)i * n;
        memset(r, 0, n * sizeof *r);
        memcpy(r + q->layout.v, x->out + (size_t)i * n_v, n_v * sizeof *r);
        if (rsd_has_shared_force(q))
            rsd_add_constraint_force(q->mechanism, 1, x->lam + (size_t)i * n_l, r + q->layout.v);
    }
    return end_product_call(q->calls, RSD_CALL_RESIDUAL_TIMES, k, q->layout.n_v, verdict);
}

static int multiply_dae(resida_problem *q, double t, const double *y, const double *yp, int k, const double *dy,
                        const double *dyp, double *out)
{
    const int n = q->layout.n;
    int verdict = rsd_calls_check_g_budget(q->calls, t);
    if (verdict) return verdict;
    verdict = rsd_call_jacobian_times(q->calls, RSD_CALL_JACOBIAN_TIMES, q->products.jacobian_times, t, y, yp, k, dy,
                                      dyp, out, k * n);
    return end_product_call(q->calls, RSD_CALL_JACOBIAN_TIMES, k, n, verdict);
}

int rsd_problem_multiply(resida_problem *q, double t, const double *y, const double *yp, int k, const double *dy,
                         const double *dyp, double *out)
{
    const size_t n = (size_t)q->layout.n;
    resida_motion at;
    int verdict = q->mechanism ? set_arguments(q, t, y, yp, &at) : rsd_calls_eval_excitation(q->calls, t);
    if (verdict) return verdict;
    if (!q->mechanism) return multiply_dae(q, t, y, yp, k, dy, dyp, out);
    for (int i = 0; i < k && !verdict; i += MAX_DIRECTIONS) {
        const size_t from = (size_t)i * n;
        verdict = multiply_block(q, t, &at, k - i < MAX_DIRECTIONS ? k - i : MAX_DIRECTIONS, dy + from, dyp + from,
                                 out + from);
    }
    return verdict;
}
