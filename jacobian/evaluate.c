/* evaluate.c - evaluates dF/dy, and with it all other parts of J. dF/dy is computed by the model, by differences column
 * by column, or by differences of groups of columns. In the last case its pattern is checked and extended. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "base/callback.h"

typedef struct evaluation {
    resida_jacobian *jac;            /* engine */
    const resida_jacobian_point *at; /* point of the evaluation */
    rsd_check_reasons check;         /* reasons to check or extend the pattern */
    int is_partial;                  /* 1: columns of A are omitted */
    int with_B;                      /* 1: dF/dyp must be evaluated, too, and has not been evaluated yet */
} evaluation;

static int mark_columns_of_A(resida_jacobian *jac, const resida_jacobian_point *at, rsd_column_set columns)
{
    return rsd_outdated_columns_mark(&jac->outdated, &jac->f, &jac->p, at, columns, jac->search.learning);
}

static void record_column_changes(resida_jacobian *jac, const resida_jacobian_point *at)
{
    if (jac->f.strategy->learns) rsd_outdated_columns_record(&jac->outdated, &jac->p, at);
}

static int compute_A_by_differences(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const rsd_task t = rsd_task_create_for_A(&jac->d, at);
    int verdict = rsd_evaluate_quotients(&jac->d, t.part, &jac->p.formalism, at, t.sy, t.syp, t.bits,
                                         jac->outdated.marked, jac->p.A);
    if (!verdict) record_column_changes(jac, at);
    *(jac->f.strategy->coloured ? &jac->counts.evaluations_coloured : &jac->counts.evaluations_dense) += verdict == 0;
    return verdict;
}

static int evaluate_user_A(resida_jacobian *jac, const resida_jacobian_point *at)
{
    const resida_system *s = &jac->f.s;
    int verdict = rsd_call_derivative(at->t, at->alpha, at->y, at->yp, jac->given.derivative, NULL, s);
    memset(jac->p.A, 0, (size_t)jac->p.pattern.nnz * sizeof *jac->p.A);
    for (int k = 0; k < s->n_formalism; k++) jac->p.A[jac->p.derived_at[k]] += jac->given.derivative[k];
    jac->counts.evaluations_user += verdict == 0;
    return verdict;
}

static int is_B_known(const resida_jacobian *jac)
{
    return !rsd_frame_is_B_differenced(&jac->f) || jac->p.is_B_constant;
}

/* Evaluate the marked columns of A column by column, and search them for new entries. */
static int evaluate_columns(evaluation *ev, int with_B, int *grows)
{
    resida_jacobian *jac = ev->jac;
    int verdict = rsd_search_columns(&jac->search, &jac->d, &jac->p, ev->at, jac->outdated.marked, with_B, grows);
    if (verdict) return verdict;
    record_column_changes(jac, ev->at);
    if (with_B) rsd_search_set_B(&jac->search, &jac->f, &jac->p);
    return 0;
}

/* Check the pattern of A. First update the known entries of B, because they are terms of the rows of F. */
static int check_pattern_of_A(evaluation *ev, int *complete)
{
    resida_jacobian *jac = ev->jac;
    int verdict = rsd_update_B(jac, ev->at);
    if (!verdict && is_B_known(jac)) verdict = rsd_jumps_replace_and_accept(&jac->jumps, &jac->d, &jac->p, ev->at);
    return verdict ? verdict
                   : rsd_search_check_A(&jac->d, &jac->p, jac->jumps.jumped, jac->outdated.marked, ev->at, complete);
}

/* Return 1 if an evaluation by groups, including the pattern check, takes fewer calls than an evaluation by columns. */
static int are_groups_cheaper(const resida_jacobian *jac)
{
    return jac->p.formalism.colours.n_groups + 1 < jac->f.n_formalism_columns;
}

/* Evaluate A column by column, and learn its pattern. If the check of the pattern fails, also evaluate the columns that
 * were left out. If groups were used, which may have hidden entries, evaluate all columns instead. */
static int evaluate_and_learn(evaluation *ev)
{
    resida_jacobian *jac = ev->jac;
    int grows, complete = 1;
    int verdict = rsd_update_B(jac, ev->at); /* B determines the sizes of the terms of rows */
    if (!verdict) verdict = evaluate_columns(ev, ev->with_B, &grows);
    const int by_groups = jac->search.mode_A.by_groups;
    if (!verdict && (ev->is_partial || by_groups)) verdict = check_pattern_of_A(ev, &complete);
    if (!verdict && !complete) {
        int first = grows;
        jac->search.mode_A.is_scattered |= by_groups;
        mark_columns_of_A(jac, ev->at, by_groups ? RSD_ALL : RSD_OMITTED);
        ev->is_partial = 0;
        verdict = evaluate_columns(ev, 0, &grows);
        grows |= first;
    }
    if (verdict) return verdict;
    *(jac->search.mode_A.by_groups ? &jac->counts.evaluations_coloured : &jac->counts.evaluations_dense) += 1;
    if (grows && jac->search.learnt > 0) jac->counts.pattern_updates++;
    rsd_search_record_learning(&jac->search, grows, are_groups_cheaper(jac));
    return 0;
}

/* Evaluate all columns of A one by one, and add new entries to its pattern. by_check is 1 after a failed check of the
 * pattern, and 0 for a search on request. */
static int find_new_entries_of_A(evaluation *ev, int by_check)
{
    resida_jacobian *jac = ev->jac;
    int grows = 0;
    const long calls = jac->counts.residual_calls, before = jac->counts.pattern_calls;
    mark_columns_of_A(jac, ev->at, RSD_ALL);
    const int verdict = evaluate_columns(ev, rsd_frame_is_B_differenced(&jac->f), &grows);
    ev->with_B = 0; /* B has been evaluated */
    jac->counts.pattern_calls = before;
    rsd_count_pattern_calls(&jac->d, calls, verdict);
    if (verdict) return verdict;
    jac->counts.pattern_updates += grows;
    rsd_search_record_new_entries(&jac->search, grows, by_check);
    return 0;
}

static int evaluate_omitted_columns(evaluation *ev)
{
    mark_columns_of_A(ev->jac, ev->at, RSD_OMITTED);
    int verdict = compute_A_by_differences(ev->jac, ev->at);
    mark_columns_of_A(ev->jac, ev->at, RSD_ALL);
    ev->is_partial = 0;
    return verdict;
}

/* Evaluate A by groups, check its pattern, and search for new entries if the check fails. If columns were left out,
 * they are evaluated before the search. */
static int evaluate_groups(evaluation *ev)
{
    resida_jacobian *jac = ev->jac;
    int complete;
    if (rsd_search_is_wanted(&jac->search, &jac->f, &ev->check)) return find_new_entries_of_A(ev, 0);
    int verdict = compute_A_by_differences(jac, ev->at);
    if (verdict || !jac->f.strategy->coloured ||
        !rsd_search_is_check_due(&jac->search, jac->counts.evaluations_coloured, &ev->check))
        return verdict;
    verdict = check_pattern_of_A(ev, &complete);
    if (!verdict && !complete && ev->is_partial) {
        verdict = evaluate_omitted_columns(ev);
        if (!verdict) verdict = check_pattern_of_A(ev, &complete);
    }
    return verdict || complete ? verdict : find_new_entries_of_A(ev, 1);
}

/* Evaluate A = dF/dy (parts.h). An evaluation column by column also evaluates B = dF/dyp if ev->with_B is 1. */
static int evaluate_A(evaluation *ev)
{
    resida_jacobian *jac = ev->jac;
    if (jac->f.strategy->user) return evaluate_user_A(jac, ev->at);
    if (!jac->search.learning) return evaluate_groups(ev);
    int verdict = evaluate_and_learn(ev), is_lost = rsd_frame_is_B_differenced(&jac->f) && !jac->p.is_B_constant;
    ev->with_B = ev->with_B ? 0 : is_lost;
    return verdict;
}

/* Evaluate B, C and, for extended strategies, D after A. Replace entries of A that cross a jump of F. */
static int evaluate_B_C_and_D(evaluation *ev)
{
    resida_jacobian *jac = ev->jac;
    int verdict = ev->with_B ? rsd_evaluate_B(jac, ev->at) : rsd_update_B(jac, ev->at);
    if (!verdict) verdict = rsd_update_C(jac, ev->at);
    if (!verdict && !jac->f.strategy->user)
        verdict = rsd_jumps_replace_and_accept(&jac->jumps, &jac->d, &jac->p, ev->at);
    if (verdict || !jac->f.strategy->extended) return verdict;
    verdict = rsd_excitations_store_inputs(&jac->excitations, &jac->f, ev->at->t);
    return verdict ? verdict : rsd_excitations_compute_D(&jac->excitations, &jac->d, &jac->p, &jac->jumps, ev->at);
}

/* If dF/dyp or a column is kept, J is not current, and the next setup evaluates the kept part if the iteration fails. A
 * request that arrives during the evaluation applies to the next setup. */
int rsd_evaluate_J(resida_jacobian *jac, const rsd_plan *plan, const resida_jacobian_point *at)
{
    const rsd_evaluation last = jac->renewal.evaluation;
    jac->renewal.requested = 0;
    rsd_repair_undo(&jac->repair, &jac->p);
    jac->repair.pattern = 0;
    rsd_outdated_columns_adjust_caution(&jac->outdated, plan->columns == RSD_OMITTED && last.is_partial);
    evaluation ev = {jac, at, plan->check, mark_columns_of_A(jac, at, plan->columns), plan->with_dFdyp};
    if (!isnan(last.t)) rsd_choose_nominals(&jac->d, &jac->p, jac->renewal.setup.alpha, at);
    if (jac->f.strategy->learns) {
        rsd_outdated_columns_save_A(&jac->outdated, &jac->p, at);
        rsd_reset_sides(&jac->d); /* the columns that were left out have values from another point */
    }
    int verdict = evaluate_A(&ev);
    if (!verdict) verdict = evaluate_B_C_and_D(&ev);
    if (verdict) return verdict;
    jac->counts.evaluations_partial += ev.is_partial;
    const int skips_B = rsd_frame_is_B_differenced(&jac->f) && !plan->with_dFdyp;
    jac->renewal.evaluation = (rsd_evaluation){at->since, last.y, ev.is_partial, skips_B, 0};
    memcpy(last.y, at->y, (size_t)jac->f.n * sizeof *last.y);
    jac->renewal.setup.is_current = !skips_B && !ev.is_partial;
    return 0;
}

void rsd_reset_difference_settings(resida_jacobian *jac)
{
    jac->p.is_B_constant = 0;
    rsd_set_first_nominals(&jac->d);
    jac->outdated.caution = 1;
    jac->renewal.evaluation.t = NAN;
}
