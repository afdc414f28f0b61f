/* query.c - what the engine says of itself. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

resida_status resida_jacobian_get_matrix(const resida_jacobian *j, resida_jacobian_matrix *J)
{
    if (!j || !J) return RESIDA_ERR_ARGUMENT;
    if (!j->last.is_ready) return RESIDA_ERR_STATE;
    *J = (resida_jacobian_matrix){j->f.n,           j->p.pattern.nnz, j->p.pattern.col_start,
                                  j->p.pattern.row, j->p.J,           j->p.number};
    return RESIDA_OK;
}

const char *resida_jacobian_strategy(const resida_jacobian *j)
{
    return j ? j->f.strategy->name : "";
}

void rsd_engine_set_profile(resida_jacobian *j, rsd_profile *profile)
{
    j->d.profile = profile;
}

int rsd_engine_is_grouped(const resida_jacobian *j)
{
    return j->f.strategy->coloured && j->p.is_there && !j->search.learning;
}

resida_status resida_jacobian_get_groups(const resida_jacobian *j, const int **group, int *n_groups)
{
    if (!j || !group || !n_groups) return RESIDA_ERR_ARGUMENT;
    if (!rsd_engine_is_grouped(j)) return RESIDA_ERR_STATE;
    *group = j->p.dear.colours.group;
    *n_groups = j->p.dear.colours.n_groups;
    return RESIDA_OK;
}

const char *resida_jacobian_grouping(const resida_jacobian *j)
{
    return j && rsd_engine_is_grouped(j) ? j->p.dear.colours.method : "";
}

resida_status resida_jacobian_get_counts(const resida_jacobian *j, resida_jacobian_counts *counts)
{
    if (!j || !counts) return RESIDA_ERR_ARGUMENT;
    *counts = j->counts;
    counts->nnz = j->p.pattern.nnz;
    if (rsd_engine_is_grouped(j)) {
        counts->groups = j->p.dear.colours.n_groups;
        counts->groups_bound = j->p.dear.colours.bound;
    }
    return RESIDA_OK;
}

int rsd_engine_renews(const resida_jacobian *j)
{
    return j->f.strategy->fresh;
}

int rsd_engine_counts_calls(const resida_jacobian *j)
{
    return j->f.strategy->by_calls;
}

int rsd_engine_is_told(const resida_jacobian *j)
{
    return j->f.strategy->user;
}

int rsd_engine_is_new(const resida_jacobian *j)
{
    return j->last.is_ready && j->last.is_evaluated;
}

const double *rsd_engine_dFdyp(const resida_jacobian *j)
{
    return j->last.is_ready && !j->f.combined && j->f.strategy->partitioned ? j->p.B : NULL;
}

void rsd_engine_scale_increments(resida_jacobian *j, const double *factor)
{
    j->d.farther = factor;
}

resida_status rsd_engine_inertia(const resida_jacobian *j, const double *w, double *sums)
{
    const rsd_parts *p = &j->p;
    if (!j->last.is_ready || j->f.combined || !j->f.strategy->partitioned) return RESIDA_ERR_STATE;
    memset(sums, 0, (size_t)j->f.n * sizeof *sums);
    for (int k = 0; k < p->n_B; k++) sums[p->pattern.row[p->B_at[k]]] += fabs(p->B[p->B_at[k]]) / w[p->B_column[k]];
    return RESIDA_OK;
}

static const char *reason_of_products(const resida_jacobian *j)
{
    if (!j->p.is_there) return "the model gives products, the pattern is not known yet";
    if (j->search.is_given) return "the model gives products: by groups on its pattern";
    if (!j->search.learning) return "the model gives products: by groups on a learnt pattern, fewer than columns";
    return j->search.learnt > 1 ? "the model gives products: by columns, groups would not be fewer"
                                : "the model gives products: by columns, the pattern is being learnt";
}

const char *resida_jacobian_reason(const resida_jacobian *j)
{
    if (!j) return "";
    if (j->f.strategy->user) return "the model gives derivatives";
    if (!j->f.strategy->learns) return "asked for by name";
    if (j->f.s.times) return reason_of_products(j);
    if (!j->p.is_there) return "no derivatives: differences, the pattern is not known yet";
    if (j->search.is_given) return "no derivatives: differences by groups on the model's pattern";
    if (!j->search.learning)
        return "no derivatives: differences by groups on a learnt pattern, fewer calls than columns";
    return j->search.learnt > 1 ? "no derivatives: differences by columns, groups would not take fewer calls"
                                : "no derivatives: differences by columns, the pattern is being learnt";
}
