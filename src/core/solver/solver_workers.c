/* solver_workers.c - the threads of a solver. Each has its own copy of the problem and its own guard, and all of them
 * can call F simultaneously. The solver's guard checks the budget before such calls and adds the counters of the
 * threads after them. Evaluations that one thread discards and repeats are only in the counters of the callbacks. */
#include "solver_impl.h"

struct rsd_worker {
    rsd_guard guard;         /* guard by which the thread evaluates F of its copy of the problem */
    rsd_profile profile;     /* times of the callbacks that the thread calls, with the option profile */
    resida_problem *problem; /* copy of the problem */
    resida_message message;  /* message of the last failure in the thread */
};

static resida_status create_worker(resida_solver *s, int i, resida_message *why)
{
    rsd_worker *w = &s->workers[i];
    RSD_TRY(rsd_problem_clone(&w->problem, s->problem, why));
    w->guard = (rsd_guard){.problem = w->problem, .solver = s, .message = &w->message};
    s->worker_users[i] = &w->guard;
    return RESIDA_OK;
}

resida_status rsd_solver_make_workers(resida_solver *s, resida_message *why)
{
    int n = s->o.threads;
    if (n == 1) return RESIDA_OK;
    if (!rsd_problem_is_thread_safe(s->problem))
        return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, but the model is not declared thread_safe", n);
    s->workers = rsd_calloc(&s->alloc, n, sizeof *s->workers);
    s->worker_users = rsd_calloc(&s->alloc, n, sizeof *s->worker_users);
    if (!s->workers || !s->worker_users) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for %d threads", n);
    for (int i = 0; i < n; i++) RSD_TRY(create_worker(s, i, why));
    return RESIDA_OK;
}

void rsd_solver_free_workers(resida_solver *s)
{
    for (int i = 0; s->workers && i < s->o.threads; i++) resida_problem_free(s->workers[i].problem);
}

static void begin_worker_profile(rsd_worker *w)
{
    w->profile = (rsd_profile){.at = RSD_IN_REST};
    w->guard.tally.profile = &w->profile;
    rsd_profile_begin(&w->profile);
}

int rsd_solver_begin_workers(long calls, void *user)
{
    resida_solver *s = ((rsd_guard *)user)->solver;
    if (!rsd_guard_has_budget(&s->guard, calls)) return 0;
    for (int i = 0; i < s->o.threads; i++) {
        rsd_problem_copy_state(s->workers[i].problem, s->problem);
        rsd_guard_copy_limits(&s->workers[i].guard, &s->guard);
        if (s->o.profile) begin_worker_profile(&s->workers[i]);
    }
    return 1;
}

void rsd_solver_end_workers(int verdict, void *user)
{
    resida_solver *s = ((rsd_guard *)user)->solver;
    for (int i = 0; i < s->o.threads; i++) {
        rsd_tally_add(&s->guard.tally, &s->workers[i].guard.tally);
        if (s->o.profile) rsd_profile_add_threads(&s->profile, &s->workers[i].profile, s->o.threads);
    }
    for (int i = 0; i < s->o.threads && verdict <= 0; i++) rsd_guard_add_counts(&s->guard, &s->workers[i].guard);
}
