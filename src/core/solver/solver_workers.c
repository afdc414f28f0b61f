/* solver_workers.c - the threads of a solver: each with the problem once more and a guard of its own, so that F can be
 * called by all of them at once. Budgets and counters are kept by the solver's guard, before and after such calls.
 * What was evaluated in vain, and is evaluated again by one thread, is in no counter but those of callbacks. */
#include "solver_impl.h"

struct rsd_worker {
    rsd_evaluator as; /* handed to F */
    rsd_guard guard;
    rsd_profile profile; /* of its callbacks */
    resida_problem *problem;
    resida_message message;
};

static resida_status make_worker(resida_solver *s, int i, resida_message *why)
{
    rsd_worker *w = &s->workers[i];
    RSD_TRY(rsd_problem_clone(&w->problem, s->problem, why));
    w->as = (rsd_evaluator){&w->guard, s};
    w->guard = (rsd_guard){.problem = w->problem, .message = &w->message};
    s->worker_users[i] = &w->as;
    return RESIDA_OK;
}

resida_status rsd_solver_make_workers(resida_solver *s, resida_message *why)
{
    int n = s->o.threads;
    if (n == 1) return RESIDA_OK;
    if (!rsd_problem_thread_safe(s->problem))
        return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, but the model is not declared thread_safe", n);
    s->workers = rsd_calloc(&s->alloc, n, sizeof *s->workers);
    s->worker_users = rsd_calloc(&s->alloc, n, sizeof *s->worker_users);
    if (!s->workers || !s->worker_users) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for %d threads", n);
    for (int i = 0; i < n; i++) RSD_TRY(make_worker(s, i, why));
    return RESIDA_OK;
}

void rsd_solver_free_workers(resida_solver *s)
{
    for (int i = 0; s->workers && i < s->o.threads; i++) resida_problem_free(s->workers[i].problem);
}

static void begin_profile(rsd_worker *w)
{
    w->profile = (rsd_profile){.at = RSD_IN_REST};
    w->guard.tally.profile = &w->profile;
    rsd_profile_begin(&w->profile);
}

int rsd_solver_begin_workers(long calls, void *user)
{
    resida_solver *s = ((rsd_evaluator *)user)->solver;
    if (!rsd_guard_admits(&s->guard, calls)) return 0;
    for (int i = 0; i < s->o.threads; i++) {
        rsd_problem_follow(s->workers[i].problem, s->problem);
        rsd_guard_fork(&s->workers[i].guard, &s->guard);
        if (s->o.profile) begin_profile(&s->workers[i]);
    }
    return 1;
}

void rsd_solver_end_workers(int verdict, void *user)
{
    resida_solver *s = ((rsd_evaluator *)user)->solver;
    for (int i = 0; i < s->o.threads; i++) {
        rsd_tally_add(&s->guard.tally, &s->workers[i].guard.tally);
        if (s->o.profile) rsd_profile_share(&s->profile, &s->workers[i].profile, s->o.threads);
    }
    for (int i = 0; i < s->o.threads && verdict <= 0; i++) rsd_guard_join(&s->guard, &s->workers[i].guard);
}
