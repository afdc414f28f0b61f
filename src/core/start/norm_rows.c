/* norm_rows.c - checks rows whose product with T is zero, such as norms of Euler parameters. Invariants k(p) = 0 must
 * satisfy K T = 0, with K = dk/dp. A constraint with (dg/dp) T = 0 should be declared as an invariant. The product of a
 * row with T counts as zero if each sum is small compared with its terms. This test permits rounding, and errors of
 * dg/dp by differences, in any units. The product is zero at all positions only for a norm. */
#include "start_impl.h"

#include "base/linear/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NULL_ROW_TOL      1e-7               /* maximum |sum| of a zero product, relative to the sum of its |terms| */
#define TERMS_NOISE       (16 * DBL_EPSILON) /* rounding error of differences of g or k, relative to their terms */
#define MIN_COEFFICIENT   1e-6 /* minimum coefficient that a message contains, relative to the largest one */
#define UNIT_TOL          1e-6 /* maximum distance from 1 of a coefficient written as 1 */
#define MAX_CONTRADICTION 0.05 /* maximum of |g_i - combination of other components of g|/|g| for a redundant row i */

enum { MAX_TERMS = 8 }; /* maximum number of terms of a combination in a message */

/* Return 1 if row i of A (columns: p) is not zero, but its product with the current T is zero up to the rounding errors
 * of its terms. If scale is not NULL, A is computed by differences. An entry then counts in these terms as at least its
 * rounding error divided by NULL_ROW_TOL. */
static int is_null_product(rsd_mechanism *k, const rsd_csr *A, const double *values, const rsd_scale *scale, int i)
{
    double *sum = k->work.f, *terms = k->work.out, largest = 0;
    const double rounding = TERMS_NOISE * k->probe.terms / NULL_ROW_TOL;
    if (!k->m.kinematic_matrix) return 0;
    memset(sum, 0, (size_t)k->m.n_v * sizeof *sum), memset(terms, 0, (size_t)k->m.n_v * sizeof *terms);
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
        const rsd_scale *s = scale && scale[A->col[e]].length > 0 ? &scale[A->col[e]] : NULL;
        const double size = fmax(fabs(values[e]), s ? rounding / (s->part * s->length) : 0);
        for (int c = k->T.row[A->col[e]]; c < k->T.row[A->col[e] + 1]; c++) {
            sum[k->T.col[c]] += values[e] * k->T_values[c];
            terms[k->T.col[c]] += size * fabs(k->T_values[c]);
        }
        largest = fmax(largest, fabs(values[e]));
    }
    for (int j = 0; j < k->n_w; j++)
        if (!(fabs(sum[j]) <= NULL_ROW_TOL * terms[j])) return 0;
    return largest > 0;
}

static int is_null_row(rsd_mechanism *k, int i)
{
    return i < k->m.n_g && is_null_product(k, &k->gp, k->gp_values, k->gp_groups.scale, i);
}

resida_status rsd_start_find_invariants(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    if (k->m.n_k == 0) return RESIDA_OK;
    int verdict = rsd_eval_excitation(k, s->t);
    if (!verdict) verdict = rsd_eval_invariant(k, s->t, s->p, k->invariants.r);
    RSD_TRY(rsd_start_convert_verdict(s, verdict));
    s->report.k_before = rsd_max_norm(k->invariants.r, k->m.n_k);
    verdict = rsd_project_onto_invariants(k, s->t, s->p);
    const int leads_nowhere =
        verdict > 0 && k->calls.fault.verdict != verdict; /* 1: the projection itself has failed, not a callback */
    if (!leads_nowhere) RSD_TRY(rsd_start_convert_verdict(s, verdict));
    if (rsd_fault_is_nonfinite(&k->calls.fault)) return rsd_start_check_finite(s, "an invariant", &(double){NAN}, 1);
    if (!leads_nowhere) return RESIDA_OK;
    return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                    "%s: no position near the given one satisfies the invariants at t = %g: |k| = %g there, and steps "
                    "along dk/dp do not reduce it",
                    k->m.name, s->t, s->report.k_before);
}

resida_status rsd_start_check_invariants(rsd_start *s)
{
    rsd_mechanism *k = s->k;
    int i = 0;
    while (i < k->m.n_k && is_null_product(k, &k->invariants.K, k->invariants.values, k->invariants.groups.scale, i))
        i++;
    if (i == k->m.n_k) return RESIDA_OK;
    return rsd_fail(s->why, RESIDA_ERR_MODEL,
                    "%s: velocities change invariant k[%d] at t = %g, because (dk/dp) T is not 0: declare it as a "
                    "constraint, or correct kinematic_matrix or invariant_matrix",
                    k->m.name, i, s->t);
}

int rsd_has_null_row(rsd_mechanism *k)
{
    int i = 0;
    while (i < k->m.n_g && !is_null_row(k, i)) i++;
    return i < k->m.n_g;
}

void rsd_clear_null_rows(rsd_mechanism *k, double *A)
{
    for (int i = 0; i < k->m.n_g; i++)
        if (is_null_row(k, i)) memset(A + (long)i * k->m.n_v, 0, (size_t)k->m.n_v * sizeof *A);
}

/* Append the term c times name to the message, as in " + 0.5 name" or " - name". A coefficient of 1 is omitted. */
static void append_term(resida_message *why, double c, const char *name, int is_first)
{
    const char *sign = is_first ? (c < 0 ? " -" : " ") : c < 0 ? " - " : " + ";
    if (fabs(fabs(c) - 1) < UNIT_TOL)
        rsd_message_append(why, "%s%s", sign, name);
    else
        rsd_message_append(why, "%s%.3g %s", sign, fabs(c), name);
}

/* Return max |g|, g [n_g], if the constraints contradict each other, else 0. They do if a redundant row i of dg/dp is a
 * combination of other rows, but g_i is not the same combination of the other components of g. */
static double compute_contradiction_of_g(rsd_start *s, const double *g)
{
    const double max = rsd_finite_norm(g, s->k->m.n_g);
    double left = 0;
    for (int i = 0; i < s->rank.n_redundant; i++) {
        const int row = s->rank.redundant[i];
        const double *c = rsd_rank_compute_combination(&s->rank, i);
        double off = row < s->k->m.n_g ? g[row] : 0;
        for (int q = 0; q < s->rank.rank && row < s->k->m.n_g; q++)
            if (s->rank.perm[q] < s->k->m.n_g) off -= c[q] * g[s->rank.perm[q]];
        left = fmax(left, fabs(off));
    }
    return left > MAX_CONTRADICTION * max && left > RSD_START_FOLLOWS * (1 + rsd_finite_norm(s->p, s->k->m.n_p)) ? max
                                                                                                                 : 0;
}

/* Describe the redundant rows as "g[4] = g[1] - 0.5 g[2]; ...". off is the result of compute_contradiction_of_g(). */
static void describe_redundant_rows(rsd_start *s, double off)
{
    const rsd_mechanism *k = s->k;
    rsd_rank *rank = &s->rank;
    char name[RSD_ROW_NAME];
    if (off > 0)
        rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                 "%s: the guess violates the constraints by |g| = %.3g at t = %g, and G is singular there: give a "
                 "better guess, or constraints that do not contradict each other; rows of G:",
                 k->m.name, off, s->t);
    else
        rsd_fail(s->why, RESIDA_ERR_REDUNDANT, "%s: %d of %d constraints redundant at t = %g:", k->m.name,
                 rank->n_redundant, k->n_l, s->t);
    for (int i = 0; i < rank->n_redundant; i++) {
        const double *c = rsd_rank_compute_combination(rank, i);
        const double largest = rsd_finite_norm(c, rank->rank);
        rsd_message_append(s->why, "%s %s =", i ? ";" : "", rsd_row_name(k, rank->redundant[i], name, sizeof name));
        int terms = 0;
        for (int q = 0; q < rank->rank; q++) {
            if (!(fabs(c[q]) > MIN_COEFFICIENT * largest)) continue;
            if (terms < MAX_TERMS)
                append_term(s->why, c[q], rsd_row_name(k, rank->perm[q], name, sizeof name), terms == 0);
            terms++;
        }
        if (terms == 0) rsd_message_append(s->why, " 0");
        if (terms > MAX_TERMS) rsd_message_append(s->why, " and %d terms more", terms - MAX_TERMS);
    }
}

int rsd_start_describe_redundant(rsd_start *s)
{
    char name[RSD_ROW_NAME];
    double *g = s->lam; /* [n_l] work space: the start has not used s->lam yet */
    const int has_g = s->k->m.n_g > 0, refused = has_g ? rsd_eval_constraint(s->k, s->t, s->p, g) : 0;
    if (refused < 0) return refused;
    rsd_fault_clear(&s->k->calls.fault);
    describe_redundant_rows(s, has_g && !refused ? compute_contradiction_of_g(s, g) : 0);
    for (int i = 0; i < s->rank.n_redundant; i++) {
        const int row = s->rank.redundant[i];
        if (is_null_row(s->k, row))
            rsd_message_append(s->why,
                               "; no velocity changes %s, because (dg/dp) T = 0: if it is a norm of Euler parameters, "
                               "declare it as an invariant (n_k, invariant)",
                               rsd_row_name(s->k, row, name, sizeof name));
    }
    return 0;
}
