/* guard.c - budgets, counters by cause, and detection of NaN and Inf. IDA has no such detection and would take 20,000
 * tiny steps. A single non-finite evaluation leads to a smaller step. More than MAX_NONFINITE such evaluations, close
 * together in t, end the integration. The message contains callback, component and time. */
#include "guard.h"

#include "tolerance.h"

#include <limits.h>
#include <math.h>
#include <time.h>

enum {
    MAX_NONFINITE = 10, /* maximum number of evaluations with NaN or Inf at nearby times */
    ROOT_TRIES = 3,     /* maximum number of evaluations of the root functions at one point */
    MAX_GAP = 4         /* maximum distance of a nearby time from the first one, in steps */
};

/* The motion since the start is large if it exceeds RESOLVED or PART_OF_RTOL/rtol tolerances. */
#define RESOLVED     1000
#define PART_OF_RTOL 0.01

static double read_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int stop_run(rsd_guard *g, resida_status status)
{
    g->stop = status;
    return (int)status;
}

int rsd_guard_check_time(rsd_guard *g, double t)
{
    if (!(g->deadline < INFINITY) || read_clock() <= g->deadline) return 0;
    return stop_run(
        g, rsd_fail(g->message, RESIDA_ERR_LIMIT_TIME, "time limit of %g s reached at t = %.9g", g->time_limit_s, t));
}

int rsd_guard_report_exception(rsd_guard *g, double t, const char *callback, const rsd_thrown *thrown)
{
    return stop_run(
        g, rsd_fail(g->message, RESIDA_ERR_USER, "callback %s threw %s at t = %.9g", callback, thrown->text, t));
}

int rsd_guard_call_monitor(rsd_guard *g, double t, int (*monitor)(double t, void *user), void *user)
{
    if (!monitor) return 0;
    rsd_thrown thrown = {0, ""};
    if (!rsd_call_monitor(t, user, &thrown, monitor)) return 0;
    if (thrown.is_new)
        rsd_guard_report_exception(g, t, "monitor", &thrown);
    else
        stop_run(g, rsd_fail(g->message, RESIDA_INTERRUPTED, "interrupted by the monitor at t = %.9g", t));
    return 1;
}

int rsd_guard_has_budget(const rsd_guard *g, long calls)
{
    return g->stop >= 0 && calls <= g->max_calls - g->all_calls;
}

/* Count a call of the formalism at t. Return 0, or < 0 if the run has stopped or the call exceeds a budget. */
static int admit_call(void *context, double t)
{
    rsd_guard *g = context;
    if (g->stop < 0) return (int)g->stop;
    if (!rsd_guard_has_budget(g, 1))
        return stop_run(g, rsd_fail(g->message, RESIDA_ERR_LIMIT_RESIDUALS,
                                    "budget of %ld residual calls spent at t = %.9g", g->max_calls, t));
    if (rsd_guard_check_time(g, t) < 0) return (int)g->stop;
    g->all_calls++;
    return 0;
}

static int admit_constraint(void *context, double t)
{
    rsd_guard *g = context;
    return g->stop < 0 ? (int)g->stop : rsd_guard_check_time(g, t);
}

void rsd_guard_install(rsd_guard *g)
{
    rsd_calls_set_meter(g->problem->calls, (rsd_meter){admit_call, admit_constraint, g, &g->tally});
}

void rsd_guard_copy_limits(rsd_guard *g, const rsd_guard *original)
{
    *g = (rsd_guard){.problem = g->problem,
                     .solver = g->solver,
                     .max_calls = LONG_MAX,
                     .deadline = original->deadline,
                     .time_limit_s = original->time_limit_s,
                     .h = original->h,
                     .message = g->message};
    rsd_guard_install(g);
}

void rsd_guard_add_counts(rsd_guard *original, const rsd_guard *g)
{
    original->all_calls += g->all_calls;
    for (int c = 0; c < RSD_N_CAUSES; c++) original->calls[c] += g->calls[c];
    if (g->stop >= 0 || original->stop < 0) return;
    original->stop = g->stop;
    original->last = g->last;
    original->fault = g->fault;
    *original->message = *g->message;
}

void rsd_guard_begin(rsd_guard *g, double time_limit_s)
{
    g->stop = RESIDA_OK;
    g->last = RSD_FINE;
    rsd_fault_clear(&g->problem->calls->fault);
    g->time_limit_s = time_limit_s;
    g->deadline = time_limit_s < INFINITY ? read_clock() + time_limit_s : INFINITY;
}

/* Move the last failure of a callback from the problem to the guard, for messages. Return the moved failure. */
static const rsd_fault *take_fault(rsd_guard *g)
{
    g->fault = g->problem->calls->fault;
    rsd_fault_clear(&g->problem->calls->fault);
    return &g->fault;
}

static int record_refusal(rsd_guard *g, double t, int verdict)
{
    char what[RSD_FAULT_TEXT];
    const rsd_fault *fault = take_fault(g);
    g->last = RSD_REFUSED;
    if (verdict > 0) {
        g->recoverable++;
        return verdict;
    }
    if (g->stop < 0) return verdict;
    rsd_problem_format_fault(g->problem, fault, what, sizeof what);
    return stop_run(g, rsd_fail(g->message, RESIDA_ERR_USER, "%s %s at t = %.9g", what,
                                rsd_fault_describe(fault, verdict).text, t));
}

static int record_nonfinite(rsd_guard *g, double t, const double *x, long n)
{
    char what[RSD_FAULT_TEXT];
    g->last = RSD_NOT_FINITE;
    g->nonfinite++;
    if (g->run == 0 || fabs(t - g->run_t) > MAX_GAP * g->run_h) {
        g->run = 0;
        g->run_t = t;
        g->run_h = fabs(g->h);
    }
    int counted = g->run > 0 && t == g->run_last; /* a failure of the same attempt counts once */
    g->run_last = t;
    if (!rsd_fault_is_nonfinite(take_fault(g))) { /* no callback reported a fault: x itself overflowed */
        g->fault = (rsd_fault){.t = t};
        while (g->fault.component < n - 1 && isfinite(x[g->fault.component])) g->fault.component++;
    }
    if (counted || ++g->run <= MAX_NONFINITE) return 1;
    rsd_problem_format_fault(g->problem, &g->fault, what, sizeof what);
    return stop_run(g, rsd_fail(g->message, RESIDA_ERR_NONFINITE, "%s is NaN or Inf at t = %.9g, %d consecutive times",
                                what, t, g->run));
}

/* Record a failed evaluation. The function is not inlined, since failures are rare and need buffers for texts. */
__attribute__((noinline)) static int record_failure(rsd_guard *g, double t, int verdict, const double *x, long n)
{
    return verdict ? record_refusal(g, t, verdict) : record_nonfinite(g, t, x, n);
}

int rsd_guard_judge(rsd_guard *g, double t, int verdict, const double *x, long n)
{
    if (verdict || !rsd_all_finite(x, n)) return record_failure(g, t, verdict, x, n);
    rsd_fault_clear(&g->problem->calls->fault); /* a callback has failed, but F does not use its result */
    g->last = RSD_FINE;
    return 0;
}

int rsd_guard_eval_part(rsd_guard *g, rsd_cause cause, rsd_rows_part part, double t, const double *y, const double *yp,
                        double *r)
{
    const long before = g->all_calls;
    const int verdict = rsd_problem_eval_part(g->problem, part, t, y, yp, r);
    g->calls[cause] += g->all_calls - before;
    return rsd_guard_judge(g, t, verdict, r, g->problem->layout.n);
}

int rsd_guard_multiply(double t, const double *y, const double *yp, int k, const double *dy, const double *dyp,
                       double *out, void *guard)
{
    rsd_guard *g = guard;
    int verdict = rsd_problem_multiply(g->problem, t, y, yp, k, dy, dyp, out);
    return rsd_guard_judge(g, t, verdict, out, (long)k * g->problem->layout.n);
}

static double compute_max_motion(const rsd_guard *g, const double *y, int begin, int n)
{
    double max = 0;
    for (int i = begin; i < begin + n; i++) max = fmax(max, fabs(y[i] - g->y_first[i]) / rsd_tolerance(g->o, i, y[i]));
    return max;
}

void rsd_guard_update_motion(rsd_guard *g, const double *y)
{
    const resida_layout *l = &g->problem->layout;
    if (!g->y_first) return;
    const double all = compute_max_motion(g, y, 0, l->n);
    g->moved = fmax(g->moved, all);
    g->state_moved = fmax(g->state_moved, g->problem->mechanism ? compute_max_motion(g, y, l->p, l->n_p) : all);
    if (g->state_moved > fmin(RESOLVED, PART_OF_RTOL / g->o->rtol)) g->y_first = NULL;
}

static int compare_model_with_differences(rsd_guard *g, double t, const double *y)
{
    rsd_model_comparison *l = &g->comparison;
    if (!l->compare || !(fabs(t - l->t) > 0)) return 0;
    l->t = t;
    if (++l->steps < l->next) return 0;
    l->next = 2 * l->steps;
    const int verdict = l->compare(l->user, t, y);
    if (verdict < 0) return record_refusal(g, t, verdict);
    const rsd_fault *fault = &g->problem->calls->fault; /* a failed comparison is counted, but not repeated */
    if (fault->callback) fault->verdict > 0 ? g->recoverable++ : g->nonfinite++;
    rsd_fault_clear(&g->problem->calls->fault);
    return 0;
}

int rsd_guard_process_step(rsd_guard *g, double t, const double *y, const double *yp, int *changed)
{
    rsd_guard_update_motion(g, y);
    if (compare_model_with_differences(g, t, y) < 0) return g->stop;
    int verdict = rsd_problem_process_step(g->problem, t, y, yp, changed, g->message);
    if (verdict < 0 && g->stop == RESIDA_OK && g->problem->calls->fault.callback) return record_refusal(g, t, verdict);
    rsd_fault_clear(&g->problem->calls->fault);
    if (verdict >= 0) return 0; /* verdict > 0: the processing is repeated after a later step */
    return g->stop < 0 ? verdict : stop_run(g, (resida_status)verdict);
}

int rsd_guard_try_roots(rsd_guard *g, double t, const double *y, const double *yp, double *out)
{
    rsd_fault_clear(&g->problem->calls->fault);
    const int verdict = rsd_problem_eval_roots(g->problem, t, y, yp, out);
    g->root_calls++;
    if (verdict < 0) return record_refusal(g, t, verdict);
    if (verdict == 0 && rsd_all_finite(out, rsd_problem_get_n_root(g->problem))) return 0;
    verdict > 0 ? g->recoverable++ : g->nonfinite++;
    return 1;
}

int rsd_guard_eval_roots(rsd_guard *g, double t, const double *y, const double *yp, double *out)
{
    char what[RSD_FAULT_TEXT];
    int verdict = 1;
    for (int i = 0; i < ROOT_TRIES && verdict > 0; i++) verdict = rsd_guard_try_roots(g, t, y, yp, out);
    if (verdict <= 0) return verdict;
    const rsd_fault *fault = take_fault(g);
    rsd_problem_format_fault(g->problem, fault, what, sizeof what);
    const int is_refused = fault->callback && fault->verdict > 0;
    return stop_run(g, rsd_fail(g->message, is_refused ? RESIDA_ERR_USER_REPEATED : RESIDA_ERR_NONFINITE,
                                "%s %s at t = %.9g, %d consecutive times", what,
                                is_refused ? rsd_fault_describe(fault, fault->verdict).text : "is NaN or Inf", t,
                                ROOT_TRIES));
}

resida_status rsd_guard_report_cause(rsd_guard *g, double t, double h)
{
    char what[RSD_FAULT_TEXT];
    if (g->last == RSD_FINE) return RESIDA_OK;
    rsd_problem_format_fault(g->problem, &g->fault, what, sizeof what);
    const int is_nan = g->last == RSD_NOT_FINITE;
    const resida_status status = is_nan ? RESIDA_ERR_NONFINITE : RESIDA_ERR_USER_REPEATED;
    if (h == 0) /* F is evaluated outside of a step */
        return rsd_fail(g->message, status, "%s %s at t = %.9g", what, is_nan ? "is NaN or Inf" : "cannot be evaluated",
                        t);
    return rsd_fail(g->message, status, "%s %s every step size down to %.3g at t = %.9g", what,
                    is_nan ? "is NaN or Inf at" : "refused", h, t);
}
