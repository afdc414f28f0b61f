/* start_parts.c - the common parts of a consistent start and an impact: work space, matrices at a point, redundant rows
 * of G, factors, and messages on failures of callbacks. */
#include "start_impl.h"

#include "base/linear/dense.h"
#include "base/linear/linear_solver.h"

#include <math.h>
#include <string.h>

#define MIN_NEW_PART 1e-3 /* minimum s->new_part; below, rsd_start_suggest_accuracy() advises to drop s->min_row */
#define UNITS_RCOND  1e-9 /* reciprocal condition number below which other units of coordinates (kkt.c) are tried */

resida_status rsd_start_allocate_for(resida_problem *q, rsd_start **out, const char *task, resida_message *why)
{
    if (*out) return RESIDA_OK;
    const resida_allocator *a = &q->own;
    rsd_mechanism *k = q->mechanism;
    rsd_start *s = rsd_calloc(a, 1, sizeof *s);
    if (!s) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the %s", task);
    s->k = k;
    s->problem = q;
    s->task = task;
    const int all = RSD_DOUBLES(a, k->m.n_p, &s->p, &s->p_try, &s->dp, &s->dp_next, &s->dp_sum) &&
                    RSD_DOUBLES(a, k->m.n_v, &s->v, &s->a, &s->dq, &s->base) &&
                    RSD_DOUBLES(a, k->n_l, &s->lam, &s->c, &s->mu, &s->faint, &s->g, &s->g_try);
    resida_status status =
        all ? rsd_kkt_create(&s->kkt, k, a, why) : rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the %s", task);
    if (status >= 0) status = rsd_rank_create(&s->rank, k->n_l, k->m.n_v, &q->alloc, why);
    if (status >= 0 && !s->kkt.is_large) status = rsd_rank_allocate_Q(&s->rank, &q->alloc, why);
    if (status < 0)
        rsd_start_free(s);
    else
        *out = s;
    return status;
}

resida_status rsd_start_allocate(resida_problem *q, resida_message *why)
{
    return rsd_start_allocate_for(q, &q->start, "consistent start", why);
}

void rsd_start_free(rsd_start *s)
{
    if (!s) return;
    rsd_linear_free(s->kkt.matrix.ls);
    rsd_rank_free(&s->rank, &s->k->owner.from);
}

void rsd_start_begin(rsd_start *s, double t, const double *p, const double *v, const resida_start_options *o,
                     resida_message *why)
{
    s->t = t;
    s->given = *o;
    s->o = &s->given;
    s->why = why;
    s->report = (resida_start_report){.rank = 0};
    rsd_kkt_reset_units(&s->kkt);
    if (s->kkt.matrix.ls) rsd_linear_discard_factors(s->kkt.matrix.ls); /* a start must not depend on earlier factors */
    s->calls_before = s->k->formalism_calls;
    rsd_fault_clear(&s->k->calls.fault);
    s->k->calls.t_u = NAN; /* u must be evaluated again, because the model may have changed */
    memcpy(s->p, p, (size_t)s->k->m.n_p * sizeof *p);
    memcpy(s->v, v, (size_t)s->k->m.n_v * sizeof *v);
}

resida_status rsd_start_convert_verdict(rsd_start *s, int verdict)
{
    if (verdict == 0) return RESIDA_OK;
    const rsd_fault *fault = &s->k->calls.fault;
    if (verdict > 0 && rsd_fault_is_nonfinite(fault)) return rsd_start_check_finite(s, "a matrix", &(double){NAN}, 1);
    if (fault->verdict != verdict || !fault->callback)
        return (resida_status)verdict; /* the maximum number of calls is reached, and the message is set */
    return rsd_fail(s->why, RESIDA_ERR_USER, "%s: callback %s %s in the %s at t = %g", s->k->m.name, fault->callback,
                    rsd_fault_describe(fault, verdict).text, s->task, s->t);
}

resida_status rsd_start_check_finite(rsd_start *s, const char *what, const double *x, long n)
{
    const rsd_fault *fault = &s->k->calls.fault;
    if (rsd_all_finite(x, n)) return RESIDA_OK;
    if (!rsd_fault_is_nonfinite(fault))
        return rsd_fail(s->why, RESIDA_ERR_NONFINITE, "%s: %s overflowed in the %s at t = %g", s->k->m.name, what,
                        s->task, s->t);
    return rsd_fail(s->why, RESIDA_ERR_NONFINITE, "%s: callback %s, component %d%s is NaN or Inf in the %s at t = %g",
                    s->k->m.name, fault->callback, fault->component, fault->is_unset ? ", which it does not set," : "",
                    s->task, s->t);
}

resida_status rsd_start_eval_rows(rsd_start *s, const double *p)
{
    RSD_TRY(rsd_start_convert_verdict(s, rsd_kkt_eval_rows(&s->kkt, s->t, p)));
    RSD_TRY(rsd_start_check_finite(s, "the kinematic matrix", s->k->T_values, s->k->T.nnz));
    return rsd_start_check_finite(s, "the constraint matrix", s->kkt.A, s->kkt.rows_of_A.nnz);
}

resida_status rsd_start_eval_metric(rsd_start *s)
{
    RSD_TRY(rsd_start_convert_verdict(s, rsd_kkt_eval_metric(&s->kkt, s->t, s->p, s->v)));
    RSD_TRY(rsd_start_check_finite(s, "the formalism at zero acceleration", s->kkt.psi, s->k->m.n_v));
    return rsd_start_check_finite(s, "the mass matrix", s->kkt.metric, s->kkt.n_metric);
}

resida_status rsd_start_eval_velocity_level(rsd_start *s, double *w)
{
    RSD_TRY(rsd_start_convert_verdict(s, rsd_eval_velocity_level(s->k, s->t, s->p, s->v, w)));
    return rsd_start_check_finite(s, "the velocity constraint", w, s->k->n_l);
}

/* Remove rows of open contacts from the list of redundant rows. They are in it because they were set to zero. */
static void remove_open_rows(rsd_rank *rank, const unsigned char *open)
{
    int n = 0;
    for (int i = 0; i < rank->n_redundant; i++)
        if (!open[rank->redundant[i]]) rank->redundant[n++] = rank->redundant[i];
    rank->n_redundant = n;
}

/* Set s->min_row to the independent row whose component orthogonal to the preceding rows is smallest, and s->new_part
 * to the norm of that component divided by `size`, the largest entry of G. */
static void find_min_row(rsd_start *s, double size)
{
    const rsd_rank *r = &s->rank;
    s->min_row = -1;
    for (int i = 0; i < r->rank; i++) {
        const double part = fabs(r->Q[(long)i * r->n_v + i]) * r->scale[r->perm[i]] / size;
        if (s->min_row < 0 || part < s->new_part) s->min_row = r->perm[i], s->new_part = part;
    }
}

void rsd_start_suggest_accuracy(const rsd_start *s)
{
    char name[RSD_ROW_NAME];
    if (s->min_row < 0 || s->new_part > MIN_NEW_PART) return;
    rsd_message_append(s->why,
                       "; except for %.1g of the largest entry of G, constraint %s depends on the others: to drop it, "
                       "set redundant = drop and rank_tolerance = %.0e",
                       s->new_part, rsd_row_name(s->k, s->min_row, name, sizeof name),
                       pow(10, ceil(log10(2 * s->new_part))));
}

/* Compute the rank of G in the current units of coordinates. Return the number of redundant rows. */
static int count_redundant(rsd_start *s)
{
    rsd_kkt_write_full_rows(&s->kkt, s->rank.Q);
    rsd_clear_null_rows(s->k, s->rank.Q);
    const double size = rsd_max_norm(s->rank.Q, (long)s->k->n_l * s->k->m.n_v);
    const double accuracy = rsd_start_accuracy(s->o) > 0 ? 1 : 0;
    for (int i = 0; i < s->k->n_l; i++) s->rank.min_scale[i] = size * fmax(s->faint[i], accuracy);
    rsd_rank_compute_rank(&s->rank, s->rank.Q, s->o->rank_tolerance);
    find_min_row(s, size);
    remove_open_rows(&s->rank, s->k->open);
    return s->rank.n_redundant;
}

/* Find and describe the redundant rows of G, with a full matrix. */
static resida_status find_redundant_rows(rsd_start *s)
{
    RSD_TRY(rsd_rank_allocate_Q(&s->rank, &s->k->owner.from, s->why));
    int redundant = count_redundant(s);
    if (redundant > 0 && rsd_kkt_change_units(&s->kkt) && count_redundant(s) >= redundant) {
        rsd_kkt_reset_units(&s->kkt);
        count_redundant(s);
    }
    int verdict = 0;
    if (s->rank.n_redundant > 0) verdict = rsd_start_describe_redundant(s);
    return rsd_start_convert_verdict(s, verdict);
}

static resida_status report_no_memory(rsd_start *s)
{
    return rsd_fail(s->why, RESIDA_ERR_MEMORY, "%s: no memory for a sparse factorisation in the %s at t = %g",
                    s->k->m.name, s->task, s->t);
}

resida_status rsd_start_find_independent_rows(rsd_start *s)
{
    RSD_TRY(rsd_start_find_faint_rows(s));
    s->min_row = -1;
    const int can_tell = s->kkt.is_large && s->n_faint == 0 && rsd_start_accuracy(s->o) == 0 && !rsd_has_null_row(s->k);
    s->kkt.n_rows = 0;
    for (int i = 0; i < s->k->n_l; i++)
        if (!s->k->open[i]) s->kkt.rows[s->kkt.n_rows++] = i;
    const int independent = can_tell ? rsd_kkt_test_independence(&s->kkt, s->o->rank_tolerance) : 0;
    if (independent < 0) return report_no_memory(s);
    if (independent)
        rsd_rank_set_full(&s->rank, s->kkt.n_rows);
    else
        RSD_TRY(find_redundant_rows(s));
    s->report.rank = s->rank.rank;
    s->report.n_redundant = s->rank.n_redundant;
    s->report.redundant = s->rank.redundant;
    s->kkt.n_rows = 0;
    for (int i = 0, r = 0; i < s->k->n_l; i++)
        if (r < s->rank.n_redundant && s->rank.redundant[r] == i)
            r++;
        else if (!s->k->open[i])
            s->kkt.rows[s->kkt.n_rows++] = i;
    int may_drop = s->o->redundant == RESIDA_REDUNDANT_DROP;
    if (!may_drop) RSD_TRY(rsd_start_check_faint_rows(s, &may_drop));
    return may_drop ? RESIDA_OK : RESIDA_ERR_REDUNDANT;
}

resida_status rsd_start_report_singular(rsd_start *s)
{
    return rsd_fail(s->why, RESIDA_ERR_SINGULAR,
                    "%s: accelerations and multipliers are not determined at t = %g: the mass matrix is singular in "
                    "directions that the constraints leave free",
                    s->k->m.name, s->t);
}

resida_status rsd_start_factor(rsd_start *s)
{
    int verdict = rsd_kkt_factor(&s->kkt);
    const double rcond = s->kkt.rcond;
    if (verdict >= 0 && rcond < UNITS_RCOND && rsd_kkt_change_units(&s->kkt)) {
        verdict = rsd_kkt_factor(&s->kkt);
        if (verdict >= 0 && s->kkt.rcond <= rcond) {
            rsd_kkt_reset_units(&s->kkt);
            verdict = rsd_kkt_factor(&s->kkt);
        }
    }
    return verdict > 0 ? RESIDA_OK : verdict < 0 ? report_no_memory(s) : rsd_start_report_singular(s);
}
