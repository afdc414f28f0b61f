/* query.c - queries of the Jacobian engine: matrix, groups, counters, reasons of setups. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

resida_status resida_jacobian_get_matrix(const resida_jacobian *jac, resida_jacobian_matrix *J)
{
    if (!jac || !J) return RESIDA_ERR_ARGUMENT;
    if (!jac->renewal.setup.is_ready) return RESIDA_ERR_STATE;
    *J = rsd_parts_get_matrix(&jac->p);
    return RESIDA_OK;
}

const char *resida_jacobian_strategy(const resida_jacobian *jac)
{
    return jac ? jac->f.strategy->name : "";
}

int rsd_engine_is_grouped(const resida_jacobian *jac)
{
    return jac->f.strategy->coloured && jac->p.has_pattern && !jac->search.learning;
}

resida_status resida_jacobian_get_groups(const resida_jacobian *jac, const int **group, int *n_groups)
{
    if (!jac || !group || !n_groups) return RESIDA_ERR_ARGUMENT;
    if (!rsd_engine_is_grouped(jac)) return RESIDA_ERR_STATE;
    *group = jac->p.formalism.colours.group;
    *n_groups = jac->p.formalism.colours.n_groups;
    return RESIDA_OK;
}

const char *resida_jacobian_grouping(const resida_jacobian *jac)
{
    return jac && rsd_engine_is_grouped(jac) ? jac->p.formalism.colours.method : "";
}

resida_status resida_jacobian_get_counts(const resida_jacobian *jac, resida_jacobian_counts *counts)
{
    if (!jac || !counts) return RESIDA_ERR_ARGUMENT;
    *counts = jac->counts;
    counts->nnz = jac->p.pattern.nnz;
    if (rsd_engine_is_grouped(jac)) {
        counts->groups = jac->p.formalism.colours.n_groups;
        counts->groups_bound = jac->p.formalism.colours.bound;
    }
    return RESIDA_OK;
}

int rsd_engine_has_user_jacobian(const resida_jacobian *jac)
{
    return jac->f.strategy->user;
}

const double *rsd_engine_get_dFdyp(const resida_jacobian *jac)
{
    return jac->renewal.setup.is_ready && !jac->f.combined && jac->f.strategy->partitioned ? jac->p.B : NULL;
}

void rsd_engine_scale_increments(resida_jacobian *jac, const double *factor)
{
    jac->d.farther = factor;
}

double rsd_engine_get_increment(const resida_jacobian *jac, const resida_jacobian_point *at, int c)
{
    const rsd_differences *d = &jac->d;
    return fabs(rsd_get_increment(at, c, d->nominal[c], d->work.central)) * (d->farther ? d->farther[c] : 1);
}

resida_status rsd_engine_compute_inertia(const resida_jacobian *jac, const double *w, double *sums)
{
    const rsd_parts *p = &jac->p;
    if (!jac->renewal.setup.is_ready || jac->f.combined || !jac->f.strategy->partitioned) return RESIDA_ERR_STATE;
    memset(sums, 0, (size_t)jac->f.n * sizeof *sums);
    for (int k = 0; k < p->n_B; k++) sums[p->pattern.row[p->B_at[k]]] += fabs(p->B[p->B_at[k]]) / w[p->B_column[k]];
    return RESIDA_OK;
}

static const char *get_reason_for_products(const resida_jacobian *jac)
{
    if (!jac->p.has_pattern) return "the model gives products, the pattern is not known yet";
    if (jac->search.is_given) return "the model gives products: by groups on its pattern";
    if (!jac->search.learning) return "the model gives products: by groups on a learnt pattern, fewer than columns";
    return jac->search.learnt > 1 ? "the model gives products: by columns, groups would not be fewer"
                                  : "the model gives products: by columns, the pattern is being learnt";
}

const char *resida_jacobian_reason(const resida_jacobian *jac)
{
    if (!jac) return "";
    if (jac->f.strategy->user) return "the model gives derivatives";
    if (!jac->f.strategy->learns) return "selected by name";
    if (jac->f.s.times) return get_reason_for_products(jac);
    if (!jac->p.has_pattern) return "no derivatives: differences, the pattern is not known yet";
    if (jac->search.is_given) return "no derivatives: differences by groups on the model's pattern";
    if (!jac->search.learning)
        return "no derivatives: differences by groups on a learnt pattern, fewer calls than columns";
    return jac->search.learnt > 1 ? "no derivatives: differences by columns, groups would not take fewer calls"
                                  : "no derivatives: differences by columns, the pattern is being learnt";
}
