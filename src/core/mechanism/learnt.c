/* learnt.c - see learnt.h. A large displacement of an argument shows whether g, or the formalism, depends on the
 * argument. If a function does not depend on the argument, its value stays the same to the last bit. Arguments are
 * displaced at a random point near p, because entries may be zero at p itself. */
#include "learnt.h"

#include "mechanism_impl.h"

#include "base/numbers.h"
#include "base/vector_ops.h"
#include "jacobian/pattern/entries.h"
#include "jacobian/search/bisection.h"
#include "jacobian/dependence.h"
#include "jacobian/search/search.h"

#include <math.h>
#include <string.h>

#define MAX_DISTANCE       0.05 /* maximum distance of the first search from p, relative to max(|p_c|, 1) */
#define NEAR_DISTANCE      1e-6 /* maximum distance of later searches, where the same forces act */
#define LEARN_DISPLACEMENT 1e-3 /* displacement of p_c in a search, relative to max(|p_c|, 1) */

enum { MAX_PLACES = 4 }; /* maximum attempts if g cannot be evaluated; each divides the distance by 8 */

int rsd_needs_learnt_G(const rsd_mechanism *k)
{
    const resida_mechanism *m = &k->m;
    return m->n_g > 0 && m->n_p >= RSD_BISECTION_FROM && !m->constraint_matrix && !m->constraint_velocity &&
           !k->is_explicit && !k->G_is_given;
}

int rsd_needs_learnt_M(const rsd_mechanism *k)
{
    return k->m.n_v >= RSD_BISECTION_FROM && !k->m.mass_matrix && !k->is_explicit;
}

/* A search for the entries of a matrix A with a learnt pattern. A is the derivative of a function at a point. */
typedef struct search {
    rsd_mechanism *k;
    double t;
    int is_M;               /* 1: the function is the formalism Phi(a), A = M; 0: the function is g(p), A = dg/dp */
    rsd_csr *A;             /* learnt pattern of A */
    double **values;        /* [nnz of A] values of A */
    rsd_grouped *groups;    /* column groups of A */
    long *number;           /* number of the learnt pattern (learnt.h) */
    double *p, *at, *moved; /* [n_p] positions; [cols] arguments before and after displacement */
    double *base;           /* [rows] value of the function before displacement */
    double *far;            /* [cols] displacement of each argument if it is displaced */
} search;

/* Evaluate the function at the argument x [cols] into out [rows]. Return > 0 also if a value is not finite. */
static int eval_searched_function(search *s, const double *x, double *out)
{
    rsd_mechanism *k = s->k;
    const int verdict = s->is_M ? rsd_eval_formalism(k, s->t, s->p, k->inertia.v, x, k->inertia.zero, out)
                                : rsd_eval_constraint(k, s->t, x, out);
    return !verdict && !rsd_all_finite(out, s->A->rows) ? 1 : verdict;
}

static int eval_function_change(const double *move, double *out, void *self)
{
    search *s = self;
    for (int i = 0; i < s->A->cols; i++) s->moved[i] = move[i] != 0 ? s->at[i] + s->far[i] * move[i] : s->at[i];
    const int verdict = eval_searched_function(s, s->moved, out);
    for (int i = 0; i < s->A->rows && !verdict; i++) out[i] -= s->base[i];
    return verdict;
}

/* Choose a point near p at which the function can be evaluated before and after the displacement. `off` is the distance
 * from p, relative to max(|p_c|, 1). Return 0 on success, > 0 if no such point was found, < 0 on a fatal error. */
static int choose_nearby_point(search *s, const double *p, double off)
{
    const int n_p = s->k->m.n_p;
    double part = 1;
    int verdict = 1;
    for (int i = 0; i < MAX_PLACES && verdict > 0; i++, part /= 8) {
        uint64_t seed = 20041111u;
        for (int c = 0; c < n_p; c++) s->p[c] = p[c] + part * off * rsd_random(&seed) * fmax(fabs(p[c]), 1);
        for (int c = 0; c < s->A->cols; c++) {
            s->at[c] = s->is_M ? 0 : s->p[c];
            s->far[c] = !s->is_M        ? part * LEARN_DISPLACEMENT * fmax(fabs(p[c]), 1)
                        : c < s->k->n_w ? RSD_LARGE_ACCELERATION
                                        : 0;
            s->moved[c] = s->at[c] + s->far[c];
        }
        verdict = eval_searched_function(s, s->moved, s->base);
        if (!verdict) verdict = eval_searched_function(s, s->at, s->base);
    }
    return verdict;
}

static int search_pattern_at_point(search *s, const double *p, double off, rsd_sparsity *pattern, int *grows)
{
    const resida_allocator *a = &s->k->alloc;
    const rsd_dependence f = {s->A->rows, s->A->cols, eval_function_change, s};
    const rsd_fault before = s->k->calls.fault;
    const int n = s->A->cols;
    int verdict = RESIDA_ERR_MEMORY;
    if (RSD_DOUBLES(a, s->k->m.n_p, &s->p) && RSD_DOUBLES(a, n, &s->at, &s->moved, &s->far) &&
        RSD_DOUBLES(a, s->A->rows, &s->base))
        verdict = choose_nearby_point(s, p, off);
    if (!verdict) verdict = rsd_find_dependence(&f, pattern, grows, a);
    if (verdict > 0 && off == MAX_DISTANCE)
        s->k->calls.fault = before, verdict = 0; /* a search nearer to p may succeed */
    RSD_FREE(a, s->p, s->at, s->moved, s->far, s->base);
    return verdict;
}

/* Extend the pattern q to a symmetric pattern with a full diagonal. */
static resida_status make_symmetric(rsd_sparsity *q, const resida_allocator *a)
{
    rsd_entries all = {.n = 0};
    rsd_sparsity both;
    for (int j = 0; j < q->cols; j++) {
        rsd_entries_add(&all, a, 4L * q->cols, j, j, 0);
        for (int e = q->col_start[j]; e < q->col_start[j + 1]; e++) {
            rsd_entries_add(&all, a, 4L * q->cols, q->row[e], j, 0);
            rsd_entries_add(&all, a, 4L * q->cols, j, q->row[e], 0);
        }
    }
    const resida_status status = rsd_build_pattern(&all, q->rows, q->cols, &both, a);
    rsd_entries_free(&all, a);
    if (status < 0) return status;
    rsd_sparsity_free(q, a);
    *q = both;
    return RESIDA_OK;
}

/* Replace the pattern of A by q, and rebuild its groups. */
static resida_status replace_pattern(const search *s, const rsd_sparsity *q)
{
    const resida_allocator *a = &s->k->alloc;
    rsd_csr new;
    double *values = rsd_doubles(a, q->nnz);
    if (rsd_csr_copy(&new, q->rows, q->cols, q->row_start, q->col, a) < 0 || !values) {
        rsd_csr_free(&new, a);
        rsd_free(a, values);
        return RESIDA_ERR_MEMORY;
    }
    rsd_csr_free(s->A, a);
    rsd_free(a, *s->values);
    *s->A = new;
    *s->values = values;
    ++*s->number;
    return rsd_grouped_rebuild_groups(s->groups, a) ? RESIDA_OK : RESIDA_ERR_MEMORY;
}

/* Search for entries at a point at NEAR_DISTANCE from p. The first search also uses a point at MAX_DISTANCE. If a later
 * search finds no new entry, it also uses p itself. *grows is set to 1 if there are new entries, else to 0. */
static int search_pattern(search *s, const double *p, int *grows)
{
    rsd_sparsity pattern;
    const int is_first = *s->number == 0;
    int more = 0, verdict = rsd_sparsity_from_csr(&pattern, s->A, &s->k->alloc, NULL);
    *grows = 0;
    if (verdict < 0) return verdict;
    if (is_first) verdict = search_pattern_at_point(s, p, MAX_DISTANCE, &pattern, &more);
    if (!verdict) verdict = search_pattern_at_point(s, p, NEAR_DISTANCE, &pattern, grows);
    if (!is_first && verdict >= 0 && !*grows) verdict = search_pattern_at_point(s, p, 0, &pattern, grows);
    *grows |= more;
    if (!verdict && *grows && s->is_M) verdict = make_symmetric(&pattern, &s->k->alloc);
    if (!verdict && *grows) verdict = replace_pattern(s, &pattern);
    rsd_sparsity_free(&pattern, &s->k->alloc);
    return verdict;
}

/* Evaluate A, the derivative of f at the argument `at`, by groups of columns. While the check of grouped.h fails,
 * search for new entries near the positions p. If a search finds none, accept the difference as noise. */
static int evaluate_learnt_derivative(search *s, const rsd_function *f, const double *p, const double *at)
{
    int grows, verdict = *s->number == 0 ? search_pattern(s, p, &grows) : 0;
    while (!verdict) {
        verdict = rsd_difference_matrix(s->k, s->groups, f, s->t, at, *s->values);
        if (verdict || !s->groups->may_lack_entries) return verdict;
        s->groups->up = s->groups->down = NULL; /* a search may change the number of groups */
        verdict = search_pattern(s, p, &grows);
        if (verdict || grows) continue;
        rsd_grouped_tolerate_error(s->groups, at, *s->values);
        return 0;
    }
    return verdict;
}

/* --- dg/dp --- */

static search make_search_for_G(rsd_mechanism *k, double t)
{
    return (search){
        .k = k, .t = t, .A = &k->gp, .values = &k->gp_values, .groups = &k->gp_groups, .number = &k->G_number};
}

int rsd_eval_learnt_G(rsd_mechanism *k, const rsd_function *g, double t, const double *p)
{
    search s = make_search_for_G(k, t);
    return evaluate_learnt_derivative(&s, g, p, p);
}

resida_status rsd_use_full_G(rsd_mechanism *k, resida_message *why)
{
    const resida_pattern all = {NULL, NULL};
    if (!k->G_is_learnt) return RESIDA_OK;
    k->G_is_learnt = 0;
    rsd_csr_free(&k->gp, &k->alloc);
    RSD_TRY(rsd_csr_create(&k->gp, "G", k->m.n_g, k->m.n_p, &all, &k->alloc, why));
    if (RSD_DOUBLES(&k->alloc, k->gp.nnz, &k->gp_values) && rsd_grouped_create(&k->gp_groups, &k->gp, 0, &k->alloc))
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "%s: no memory for dg/dp with %d entries", k->m.name, k->gp.nnz);
}

resida_status rsd_learnt_copy_state(rsd_mechanism *k, const rsd_mechanism *from)
{
    rsd_sparsity pattern;
    if (k->G_number == from->G_number || !k->G_is_learnt) return RESIDA_OK;
    RSD_TRY(rsd_sparsity_from_csr(&pattern, &from->gp, &k->alloc, NULL));
    const search s = make_search_for_G(k, 0);
    const resida_status status = replace_pattern(&s, &pattern);
    rsd_sparsity_free(&pattern, &k->alloc);
    k->G_number = from->G_number;
    return status;
}

/* --- M --- */

int rsd_eval_learnt_M(rsd_mechanism *k, const rsd_function *Phi, double t)
{
    rsd_inertia *x = &k->inertia;
    search s = {
        .k = k, .t = t, .is_M = 1, .A = &k->M, .values = &x->values, .groups = &x->groups, .number = &k->M_number};
    return evaluate_learnt_derivative(&s, Phi, x->p, x->zero);
}
