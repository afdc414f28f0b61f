/* evaluate.c - dF/dy found anew: from the model, column by column, or by groups on a pattern that is checked and grows;
 * and with it all other parts of J. */
#include "engine_impl.h"

#include <math.h>
#include <string.h>

#include "src/base/callback.h"

enum {
    SETTLED_B = 1,  /* evaluations that found the same dF/dyp as the one before: the next ones take it as it is */
    MANY_CALLS = 20 /* an evaluation by groups that takes fewer is made as a whole */
};

/* One evaluation under way. */
typedef struct evaluation {
    resida_jacobian *j;
    const resida_jacobian_point *at;
    rsd_trouble trouble;
    int is_partial; /* columns are left out */
    int with_B;     /* dF/dyp is to be found too, by a walk column by column or else by groups */
} evaluation;

/* An evaluation by columns costs its part where some are left out; by groups, that share columns, it pays where there
 * are many. */
static int may_leave_out(const resida_jacobian *j)
{
    if (!j->f.strategy->learns) return 0;
    return j->search.learning ? j->search.learnt > 1 : rsd_engine_cost(j) >= MANY_CALLS;
}

static int mark(resida_jacobian *j, const resida_jacobian_point *at, rsd_extent extent)
{
    return rsd_outdated_mark(&j->outdated, &j->f, &j->p, at, extent, j->search.learning, may_leave_out(j));
}

/* Columns of A were found: how fast do they change? */
static void note_change(resida_jacobian *j, const resida_jacobian_point *at)
{
    if (j->f.strategy->learns) rsd_outdated_record_new(&j->outdated, &j->p, at);
}

static int differences_of_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    const unsigned any = RESIDA_COLUMN_DEAR | RESIDA_COLUMN_CHEAP | RESIDA_COLUMN_YP;
    const int all = j->f.combined;
    int verdict = rsd_difference(&j->d, all ? RSD_WHOLE : RSD_DEAR, &j->p.dear, at, 1, all ? at->alpha : 0,
                                 all ? any : RESIDA_COLUMN_DEAR, j->outdated.marked, j->p.A);
    if (!verdict) note_change(j, at);
    *(j->f.strategy->coloured ? &j->counts.evaluations_coloured : &j->counts.evaluations_dense) += verdict == 0;
    return verdict;
}

/* d(dear)/dy as the model gives it. */
static int user_A(resida_jacobian *j, const resida_jacobian_point *at)
{
    const resida_system *s = &j->f.s;
    int verdict = rsd_call_derivative(at->t, at->alpha, at->y, at->yp, j->given.dear, NULL, s);
    memset(j->p.A, 0, (size_t)j->p.pattern.nnz * sizeof *j->p.A);
    for (int k = 0; k < s->n_dear; k++) j->p.A[j->p.derived_at[k]] += j->given.dear[k];
    j->counts.evaluations_user += verdict == 0;
    return verdict;
}

static int knows_B(const resida_jacobian *j)
{
    return !rsd_frame_opens_B(&j->f) || j->p.B_same > 0;
}

/* Column by column. */
static int columns_of_A(evaluation *x, int with_B, double least, int *news)
{
    resida_jacobian *j = x->j;
    int verdict = rsd_search_columns(&j->search, &j->d, &j->p, x->at, j->outdated.marked, with_B, least, news);
    if (verdict) return verdict;
    note_change(j, x->at);
    if (with_B) rsd_search_take_B(&j->search, &j->f, &j->p);
    return 0;
}

/* Check the pattern of A. The known entries of B are renewed before, for the sizes of terms. */
static int check_A(evaluation *x, int *complete)
{
    resida_jacobian *j = x->j;
    int verdict = rsd_blocks(j, x->at, 0, 0);
    if (!verdict && knows_B(j)) verdict = rsd_jumps_accept(&j->jumps, &j->d, &j->p, x->at);
    return verdict ? verdict : rsd_search_check_A(&j->d, &j->p, j->jumps.jumped, j->outdated.marked, x->at, complete);
}

/* Are groups, with the call that checks them, cheaper than a call for each column? */
static int groups_pay(const resida_jacobian *j)
{
    return j->p.dear.colours.n_groups + 1 < j->f.n_dear_columns;
}

/* Column by column, and again with those that were left out when they are missed, or with all of them when groups did
 * not see everything. */
static int learn_A(evaluation *x)
{
    resida_jacobian *j = x->j;
    int news, complete = 1;
    const double least = rsd_search_least(&j->search);
    int verdict = rsd_blocks(j, x->at, 0, 0); /* B tells the size of the terms of a row */
    if (!verdict) verdict = columns_of_A(x, x->with_B, least, &news);
    const int by_groups = j->search.mode_A.by_groups;
    if (!verdict && (x->is_partial || by_groups)) verdict = check_A(x, &complete);
    if (!verdict && !complete) {
        int first = news;
        j->search.mode_A.is_scattered |= by_groups;
        mark(j, x->at, by_groups ? RSD_ALL : RSD_REST);
        x->is_partial = 0;
        verdict = columns_of_A(x, 0, least, &news);
        news |= first;
    }
    if (verdict) return verdict;
    *(j->search.mode_A.by_groups ? &j->counts.evaluations_coloured : &j->counts.evaluations_dense) += 1;
    if (news && j->search.learnt > 0) j->counts.pattern_updates++;
    rsd_search_learnt(&j->search, news, groups_pay(j));
    return 0;
}

/* Check the pattern of B where it is differenced. is_new: difference it first. */
static int check_B(evaluation *x, int is_new, int *complete)
{
    resida_jacobian *j = x->j;
    if (!rsd_frame_opens_B(&j->f)) return 0;
    int verdict = is_new ? rsd_blocks(j, x->at, 0, 1) : 0;
    if (!verdict) verdict = rsd_search_check_B(&j->d, &j->p, x->at, j->jumps.jumped, is_new, complete);
    if (is_new) x->with_B = 0; /* done */
    return verdict;
}

/* Difference the candidate columns of A, which was evaluated by groups. *done 0: difference all columns; also if there
 * is no candidate though the caller requested a search, or the iteration fails. */
static int search_candidates(evaluation *x, int *news, int *done)
{
    resida_jacobian *j = x->j;
    int n;
    int verdict = rsd_search_candidate_columns(&j->d, &j->p, x->at, j->jumps.jumped, j->outdated.marked, &n);
    *done = !verdict && (n > 0 || (n == 0 && !x->trouble.is_requested && !x->trouble.is_failing));
    if (!*done) return verdict;
    if (n > 0) verdict = columns_of_A(x, 0, rsd_search_least(&j->search), news);
    mark(j, x->at, RSD_ALL);
    if (!verdict && n > 0) verdict = check_A(x, done);
    return verdict || !*done ? verdict : check_B(x, n > 0, done);
}

static int search_columns(evaluation *x, int *news)
{
    mark(x->j, x->at, RSD_ALL);
    const int verdict = columns_of_A(x, rsd_frame_opens_B(&x->j->f), rsd_search_least(&x->j->search), news);
    x->with_B = 0; /* done */
    return verdict;
}

/* The pattern lacks entries, or its model says so: what is seen column by column is added to it. by_check: A has been
 * found by groups. */
static int search_A(evaluation *x, int by_check)
{
    resida_jacobian *j = x->j;
    int news = 0, done = 0, verdict = 0;
    mark(j, x->at, RSD_ALL);
    if (!by_check && rsd_search_has_many_columns(&j->f)) verdict = differences_of_A(j, x->at);
    if (verdict) return verdict;
    const long calls = j->counts.residual_calls, before = j->counts.pattern_calls;
    if (rsd_search_has_many_columns(&j->f)) verdict = search_candidates(x, &news, &done);
    const int first = news;
    if (!verdict && !done) verdict = search_columns(x, &news);
    news |= first;
    j->counts.pattern_calls = before;
    rsd_note_pattern_calls(&j->d, calls, verdict);
    if (verdict) return verdict;
    j->counts.pattern_updates += news;
    rsd_search_ended(&j->search, news, by_check);
    return 0;
}

/* The columns that a partial evaluation left out. */
static int rest_of_A(evaluation *x)
{
    mark(x->j, x->at, RSD_REST);
    int verdict = differences_of_A(x->j, x->at);
    mark(x->j, x->at, RSD_ALL);
    x->is_partial = 0;
    return verdict;
}

/* A by groups; on an estimated pattern checked, and column by column when the pattern has to grow. What columns do not
 * explain that were left out is not taken for a missing entry before they are found. */
static int coloured_A(evaluation *x)
{
    resida_jacobian *j = x->j;
    int complete;
    if (rsd_search_is_wanted(&j->search, &j->f, &x->trouble)) return search_A(x, 0);
    int verdict = differences_of_A(j, x->at);
    if (verdict || !j->f.strategy->coloured ||
        !rsd_search_is_to_check(&j->search, j->counts.evaluations_coloured, &x->trouble))
        return verdict;
    verdict = check_A(x, &complete);
    if (!verdict && !complete && x->is_partial) {
        verdict = rest_of_A(x);
        if (!verdict) verdict = check_A(x, &complete);
    }
    return verdict || complete ? verdict : search_A(x, 1);
}

/* A, and B with it when a walk column by column finds it too. */
static int find_A(evaluation *x)
{
    resida_jacobian *j = x->j;
    if (j->f.strategy->user) return user_A(j, x->at);
    if (!j->search.learning) return coloured_A(x);
    int verdict = learn_A(x), is_lost = rsd_frame_opens_B(&j->f) && j->p.B_same == 0;
    x->with_B = x->with_B ? 0 : is_lost;
    return verdict;
}

/* The parts beside A, at the point where A was found. */
static int find_others(evaluation *x)
{
    resida_jacobian *j = x->j;
    int verdict = rsd_blocks(j, x->at, 1, x->with_B);
    if (!verdict && !j->f.strategy->user) verdict = rsd_jumps_accept(&j->jumps, &j->d, &j->p, x->at);
    if (verdict || !j->f.strategy->extended) return verdict;
    verdict = rsd_excitations_note(&j->excitations, &j->f, x->at->t);
    return verdict ? verdict : rsd_excitations_find(&j->excitations, &j->d, &j->p, &j->jumps, x->at);
}

/* All parts. dF/dyp that has settled, and columns of dF/dy that can have changed but little, are taken as they are at
 * first; *current 0 then, so that they are found when that fails. */
int rsd_evaluate(resida_jacobian *j, const rsd_plan *plan, const resida_jacobian_point *at, int *current)
{
    const rsd_evaluation last = j->evaluation;
    const int is_rest = plan->extent == RSD_REST, open = rsd_frame_opens_B(&j->f);
    const int with_B = open && ((is_rest && last.skipped_B) || j->p.B_same < SETTLED_B);
    rsd_outdated_adjust_caution(&j->outdated, is_rest && last.is_partial);
    evaluation x = {j, at, plan->trouble, mark(j, at, plan->extent), with_B};
    if (!isnan(last.t)) rsd_choose_nominals(&j->d, &j->p, j->last.alpha, at);
    if (j->f.strategy->learns) {
        rsd_outdated_record_old(&j->outdated, &j->p, at);
        rsd_forget_sides(&j->d); /* columns left out are of no point nearby */
    }
    j->search.is_failing = plan->trouble.is_failing;
    int verdict = find_A(&x);
    if (!verdict) verdict = find_others(&x);
    j->counts.evaluations_partial += verdict == 0 && x.is_partial;
    j->evaluation = (rsd_evaluation){rsd_clock(at), x.is_partial, open && !with_B, 0};
    *current = !j->evaluation.skipped_B && !x.is_partial;
    return verdict;
}

void rsd_evaluate_forget(resida_jacobian *j)
{
    rsd_parts_forget_B(&j->p);
    rsd_first_nominals(&j->d);
    rsd_outdated_reset_caution(&j->outdated);
    j->evaluation.t = NAN;
}
