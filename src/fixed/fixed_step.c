/* fixed_step.c - the integrator with steps of a fixed size h, by any method of method.h: an rsd_integrator_ops.
 *
 * Steps end at t_0 + k h, computed as such for an integer k, so that rounding does not add up. The step that would go
 * over the stop time is made shorter, or by a rounding longer, to end there; the grid goes on from there when the stop
 * time moves. What the user asks for between two grid points is interpolated. A multistep method begins with lower
 * orders, or with steps of Radau IIA; a method with pseudo-accelerations tries a step of Radau IIA to begin them. A
 * step that cannot be solved ends the integration: there is no other size to be tried. But for methods that estimate
 * their error the option `adaptive` begins a new grid with every step, whose size keeps the error in the tolerances.
 *
 * Times are counted from the last start on, but for those that come in and go out by the table of functions, and by
 * callbacks. */
#include "src/integrator/integrator.h"

#include "src/integrator/events.h"
#include "fixed_newton.h"
#include "fixed_past.h"
#include "src/newton/singular.h"
#include "src/watch/tolerance.h"

#include <math.h>
#include <string.h>

#define SAFETY    0.9
#define SAME_TIME 1e-9 /* of h: a stop time so near to the grid is taken for a grid point */

typedef struct fixed_integrator {
    resida_allocator alloc;
    const resida_solver_options *o;
    rsd_guard *guard;
    resida_problem *problem;
    const rsd_method *method;
    int n;
    rsd_past past;
    rsd_fixed_newton newton;
    rsd_events events;
    double *X, *k;          /* [s n] of a step */
    double *y_end, *yp_end; /* [n] its end in the making */
    double *y, *yp;         /* [n] at the time reached */
    double origin;          /* t of the last start */
    double t_origin, t;     /* of the grid, t_0; end of the last step */
    double reached;         /* time that the user has reached */
    long on_grid;           /* steps from there on */
    double t_event;         /* found but not yet told; INFINITY: none */
    double step_from;       /* where the last step began */
    int is_begun;           /* the method's own beginning is done */
    int order;              /* of the last step */
    long steps, error_test_fails;
    int is_rough;     /* the last try failed the error test */
    double h, h_next; /* of the grid; where steps adapt, of the next one */
} fixed_integrator;

/* As the user counts it. */
static double time_of(const fixed_integrator *it, double t)
{
    return it->origin + t;
}

static void release(void *self)
{
    fixed_integrator *it = self;
    if (!it) return;
    resida_allocator alloc = it->alloc;
    rsd_fixed_newton_free(&it->newton, &alloc);
    rsd_events_free(&it->events, &alloc);
    rsd_past_free(&it->past, &alloc);
    double *blocks[] = {it->X, it->k, it->y_end, it->yp_end, it->y, it->yp};
    for (int i = 0; i < 6; i++) rsd_free(&alloc, blocks[i]);
    rsd_free(&alloc, it);
}

/* Stages of the method, and of the one that it begins with. */
static int most_stages(const fixed_integrator *it)
{
    int radau = it->method->start || (it->method->steps > 1 && it->o->start_up == RESIDA_START_UP_RADAU);
    return radau || it->method == &rsd_method_radau_3 ? 3 : 2;
}

static resida_status reserve(fixed_integrator *it, resida_jacobian *engine)
{
    const int n = it->n, s = most_stages(it);
    double **vectors[] = {&it->y_end, &it->yp_end, &it->y, &it->yp};
    for (int i = 0; i < 4; i++)
        if (!(*vectors[i] = rsd_doubles(&it->alloc, n))) return RESIDA_ERR_MEMORY;
    it->X = rsd_matrix(&it->alloc, s, n);
    it->k = rsd_matrix(&it->alloc, s, n);
    if (!it->X || !it->k) return RESIDA_ERR_MEMORY;
    RSD_TRY(rsd_past_create(&it->past, &it->alloc));
    RSD_TRY(rsd_fixed_newton_create(&it->newton, &it->past, it->guard, engine, s, &it->alloc));
    return rsd_events_create(&it->events, &it->alloc);
}

static int dense(void *self, double t, double *y, double *yp)
{
    fixed_integrator *it = self;
    rsd_past_interpolate(&it->past, t == it->t ? 1 : 1 - (it->t - t) / it->past.h[0], y, yp);
    return 0;
}

static resida_status create(void **self, const resida_solver_options *o, rsd_guard *guard, resida_jacobian *engine,
                            resida_message *why)
{
    const rsd_method *method = rsd_method_find(o->method);
    if (method->check) RSD_TRY(method->check(guard->problem, o, why));
    fixed_integrator *it = rsd_calloc(&guard->problem->alloc, 1, sizeof *it);
    if (!it) return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator");
    it->alloc = guard->problem->alloc;
    it->o = o;
    it->guard = guard;
    it->problem = guard->problem;
    it->method = method;
    it->n = guard->problem->layout.n;
    it->past = (rsd_past){.problem = it->problem, .o = o};
    it->events = (rsd_events){.guard = guard, .o = o, .dense = dense, .self = it};
    if (reserve(it, engine) < 0) {
        release(it);
        return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the integrator (%d unknowns)", guard->problem->layout.n);
    }
    *self = it;
    return RESIDA_OK;
}

static void copy(const fixed_integrator *it, double *to, const double *from)
{
    if (to != from) memcpy(to, from, (size_t)it->n * sizeof *to);
}

/* From now on the grid of steps h from t_n. */
static void begin_grid(fixed_integrator *it, double h)
{
    it->t_origin = it->t;
    it->on_grid = 0;
    it->h = h;
}

static resida_status restart(void *self, double t0, const double *y0, const double *yp0)
{
    fixed_integrator *it = self;
    rsd_past_begin(&it->past, y0, yp0);
    rsd_fixed_newton_reset(&it->newton);
    copy(it, it->y, y0);
    copy(it, it->yp, yp0);
    it->origin = it->events.origin = t0;
    it->t = it->reached = 0;
    begin_grid(it, it->o->step);
    it->is_rough = 0;
    it->t_event = INFINITY;
    it->is_begun = 0;
    it->guard->run = 0;
    return RESIDA_OK;
}

/* Why no step was possible: the guard, the matrix, or the iteration. */
static resida_status failure(fixed_integrator *it, double h)
{
    const int column = it->newton.matrix.singular_column;
    const double t = time_of(it, it->t);
    char names[RSD_BLAME_TEXT];
    resida_message *why = it->guard->message;
    if (it->guard->stop != RESIDA_OK) return it->guard->stop;
    RSD_TRY(rsd_guard_blame(it->guard, t, h));
    if (it->is_rough)
        return rsd_fail(why, RESIDA_ERR_ERROR_TEST,
                        "%s: the error test failed at every step size down to %.3g at t = %.9g (a discontinuity?)",
                        it->method->name, h, t);
    if (column > 0) {
        const rsd_fixed_matrix *m = &it->newton.matrix;
        const rsd_singular_at at = {it->method->name, (column - 1) % it->n + 1, t, h};
        return rsd_singular(m->linear[m->s - 1], it->problem, &at, why);
    }
    rsd_blame_text(&it->newton.newton.blame, it->problem, names);
    return rsd_fail(why, RESIDA_ERR_NEWTON,
                    "%s: the Newton iteration did not converge at t = %.9g, h = %.3g; largest corrections: %s; %s",
                    it->method->name, t, h, names, rsd_likely_cause(it->problem, it->o, it->past.y[0]));
}

/* Solve a step of size h by some method: its end in y_end, yp_end. The method keeps its b only of steps that count. */
static int solve(fixed_integrator *it, const rsd_method *m, double h, int is_step)
{
    rsd_stages st;
    memset(it->k, 0, (size_t)most_stages(it) * (size_t)it->n * sizeof *it->k);
    m->begin(m, &it->past, h, &st, it->k);
    const int degree = m->steps > 1 ? m->steps : m->order < 3 ? m->order : 3;
    for (int i = 0; i < st.s; i++) {
        double at = st.holding ? st.b[i] : st.c[i], *X = it->X + (size_t)i * (size_t)it->n;
        rsd_past_extrapolate(&it->past, h, at, degree, X);
    }
    const rsd_fixed_step step = {.method = m, .stages = &st, .t = time_of(it, it->t), .h = h, .k = it->k, .X = it->X};
    int verdict = rsd_fixed_newton_solve(&it->newton, &step, is_step);
    if (verdict) return verdict;
    copy(it, it->y_end, it->X + (size_t)(st.s - 1) * (size_t)it->n);
    m->end(m, &it->past, h, &st, it->newton.Yp, it->yp_end, it->past.b);
    return 0;
}

/* What the method begins with, from a step of Radau IIA that is not taken. */
static int begin_method(fixed_integrator *it, double h)
{
    if (!it->method->start) return 0;
    int verdict = solve(it, &rsd_method_radau_3, h, 0);
    if (!verdict) it->method->start(it->method, &it->past, h, it->y_end, it->yp_end);
    return verdict;
}

/* Where the next step ends, which is not beyond t_stop. */
static double next_time(const fixed_integrator *it, double t_stop)
{
    double t = it->t_origin + (double)(it->on_grid + 1) * it->h;
    return t >= t_stop - SAME_TIME * it->h ? t_stop : t;
}

/* h of a step that ends at t: exactly that of the grid, on the grid. */
static double size_of(const fixed_integrator *it, double t)
{
    double grid = it->t_origin + (double)(it->on_grid + 1) * it->h;
    return fabs(t - grid) <= SAME_TIME * it->h ? it->h : t - it->t;
}

static void accept(fixed_integrator *it, double t, double h)
{
    rsd_past_push(&it->past, h, it->y_end, it->yp_end);
    it->t = t;
    it->on_grid++;
    if (h != it->h) begin_grid(it, it->h);
    it->steps++;
}

/* After a step is solved: projected where that is so. */
static int finish(fixed_integrator *it, double t)
{
    if (!rsd_problem_projects(it->problem)) return 0;
    rsd_guard_expect(it->guard);
    int verdict = rsd_problem_project(it->problem, time_of(it, t), it->y_end);
    return rsd_guard_judge(it->guard, time_of(it, t), verdict, it->y_end, it->n);
}

/* The step counts: the formulation is told. */
static int tell_problem(fixed_integrator *it, double t)
{
    int changed = 0, verdict = rsd_guard_accepted(it->guard, time_of(it, t), it->y_end, it->yp_end, &changed);
    if (changed) resida_jacobian_request(it->newton.engine, RESIDA_REQUEST_EVALUATION);
    return verdict;
}

/* What must end the integration before a step. */
static resida_status may_step(fixed_integrator *it)
{
    rsd_guard *g = it->guard;
    const double t = time_of(it, it->t);
    const int i = rsd_without_tolerance(it->o, it->n, it->past.y[0]);
    if (i >= 0) return rsd_no_tolerance(it->problem, i, t, g->message);
    if (it->steps >= it->o->max_steps)
        return rsd_fail(g->message, RESIDA_ERR_LIMIT_STEPS, "budget of %ld steps spent at t = %.9g", it->o->max_steps,
                        t);
    if (rsd_guard_interrupted(g, t, it->o->monitor, it->o->monitor_user)) return g->stop;
    return rsd_guard_check_time(g, t) < 0 ? g->stop : RESIDA_OK;
}

/* A try of the next step by the method m, which ends at *t. */
static int try_step(fixed_integrator *it, const rsd_method *m, double t_stop, double *t, double *h)
{
    *t = next_time(it, t_stop);
    *h = size_of(it, *t);
    copy(it, it->past.b, it->past.b_start);
    if (m->resize && *h != it->past.h_b) {
        m->resize(m, &it->past, *h);
        rsd_past_keep(&it->past, *h);
    }
    int verdict = solve(it, m, *h, 1);
    return verdict ? verdict : finish(it, *t);
}

/* Root mean square of the local error in the error weights, of what is in the error test. */
static double error_of(fixed_integrator *it, double h)
{
    double *e = it->k, sum = 0, count = 0;
    it->method->error(it->method, &it->past, h, e);
    for (int i = 0; i < it->n; i++) {
        sum += e[i] * e[i] * it->newton.ewt[i] * it->newton.ewt[i];
        count += it->past.field[i] == RSD_FIELD_P;
    }
    return sqrt(sum / count);
}

/* Where steps adapt: tries until one passes, each with a new grid; and the size of the step after it. */
static int try_until_it_passes(fixed_integrator *it, double t_stop, double *t, double *h)
{
    for (;;) {
        int verdict = try_step(it, it->method, t_stop, t, h);
        if (verdict < 0) return verdict;
        const double error = verdict ? INFINITY : error_of(it, *h);
        const double factor = verdict ? 0.25 : SAFETY / cbrt(fmax(error, 1e-6));
        const double next = fmin(*h * fmin(fmax(factor, 0.2), 2), it->o->h_max);
        if (error <= 1) {
            it->h_next = *h < it->h ? fmax(next, it->h) : next > 1.2 * *h || next < *h ? next : *h;
            return 0;
        }
        it->error_test_fails += !verdict;
        begin_grid(it, next);
        it->is_rough = !verdict;
        if (!(it->t + next > it->t)) return 1;
    }
}

/* What the method needs before its first step. */
static int begin(fixed_integrator *it, double h)
{
    if (it->is_begun) return 0;
    int verdict = rsd_events_begin(&it->events, it->t, h, it->past.y[0], it->past.yp);
    if (!verdict) verdict = begin_method(it, h);
    if (!verdict) rsd_past_keep(&it->past, 0);
    it->is_begun = verdict == 0;
    return verdict;
}

/* One step, and the events in it. */
static resida_status step(fixed_integrator *it, double t_stop)
{
    double t = next_time(it, t_stop), h = size_of(it, t), from = it->t;
    const rsd_method *m = it->method;
    resida_status status = may_step(it);
    if (status != RESIDA_OK) return status;
    if (!(it->t + h > it->t))
        return rsd_fail(it->guard->message, RESIDA_ERR_STEP_TOO_SMALL, "step = %g is below the rounding of t = %.17g",
                        h, time_of(it, it->t));
    if (begin(it, h)) return failure(it, h);
    it->order = m->steps > it->past.count ? it->past.count : m->order;
    if (m->steps > it->past.count && it->o->start_up == RESIDA_START_UP_RADAU)
        m = &rsd_method_radau_3, it->order = m->order;
    int verdict = it->o->adaptive ? try_until_it_passes(it, t_stop, &t, &h) : try_step(it, m, t_stop, &t, &h);
    if (verdict || tell_problem(it, t)) return failure(it, h);
    accept(it, t, h);
    if (it->o->adaptive) begin_grid(it, it->h_next);
    it->step_from = from;
    return RESIDA_OK;
}

static resida_status interpolate_at(fixed_integrator *it, double t, double *y, double *yp)
{
    if (t == it->t) {
        copy(it, y, it->past.y[0]);
        copy(it, yp, it->past.yp);
        return RESIDA_OK;
    }
    if (it->past.count < 2 || t > it->t || t < it->t - it->past.h[0] * (1 + SAME_TIME)) return RESIDA_ERR_ARGUMENT;
    rsd_past_interpolate(&it->past, 1 - (it->t - t) / it->past.h[0], y, yp);
    return RESIDA_OK;
}

static resida_status move_to(fixed_integrator *it, double t_new, double *t)
{
    *t = t_new;
    return interpolate_at(it, t_new, it->y, it->yp);
}

static resida_status go_to(fixed_integrator *it, double t_out, double t_stop, int one_step, double *t)
{
    const double from = *t;
    for (int taken = 0;; taken = 1) {
        if (it->t_event == INFINITY && it->events.t < it->t &&
            rsd_events_find(&it->events, it->step_from, it->t, &it->t_event)) {
            move_to(it, fmin(it->t, t_out), t);
            return it->guard->stop;
        }
        if (it->t_event <= fmin(t_out, it->t)) {
            double t_event = fmax(it->t_event, from); /* later than it was, where a failure came between */
            it->t_event = INFINITY;
            RSD_TRY(move_to(it, t_event, t));
            return RESIDA_EVENT;
        }
        if (it->t >= t_out || (taken && one_step)) return move_to(it, fmin(t_out, it->t), t);
        resida_status status = step(it, t_stop);
        if (status != RESIDA_OK) {
            move_to(it, fmin(t_out, it->t), t);
            return status;
        }
    }
}

/* To the times of the user and back: the ones he names come back as he named them. */
static resida_status advance(void *self, double t_out, double t_stop, int one_step, double *t)
{
    fixed_integrator *it = self;
    const double out = t_out - it->origin, before = it->reached;
    resida_status status = go_to(it, out, t_stop - it->origin, one_step, &it->reached);
    if (it->reached == out)
        *t = t_out;
    else if (it->reached != before)
        *t = fmin(fmax(time_of(it, it->reached), *t), t_out);
    return status;
}

/* A time between both ends, as they are rounded, is one within the step. */
static resida_status interpolate(void *self, double t, double *y, double *yp)
{
    fixed_integrator *it = self;
    const double from = it->past.count < 2 ? it->t : it->t - it->past.h[0];
    double at = t - it->origin;
    if (t >= time_of(it, from) && t <= time_of(it, it->t)) at = fmin(fmax(at, from), it->t);
    return interpolate_at(it, at, y, yp);
}

static double *state_y(void *self)
{
    return ((fixed_integrator *)self)->y;
}

static double *state_yp(void *self)
{
    return ((fixed_integrator *)self)->yp;
}

static void roots(void *self, int *direction)
{
    const rsd_events *e = &((fixed_integrator *)self)->events;
    memcpy(direction, e->direction, (size_t)e->n_root * sizeof *direction);
}

static double internal_time(void *self)
{
    return time_of(self, ((fixed_integrator *)self)->t);
}

static void stats(const void *self, resida_stats *s)
{
    const fixed_integrator *it = self;
    const rsd_fixed_newton *nw = &it->newton;
    const rsd_newton_counts *counts = &nw->newton.counts;
    s->steps = it->steps;
    s->events_in_doubt = it->events.in_doubt;
    s->error_test_fails = it->error_test_fails;
    s->order = it->order;
    s->h = it->past.h[0];
    s->step_attempts = counts->attempts;
    s->newton_iterations = counts->iterations;
    s->newton_fails = counts->fails;
    s->setups.first = counts->setups[RESIDA_SETUP_FIRST];
    s->setups.alpha = counts->setups[RESIDA_SETUP_ALPHA];
    s->setups.failure = counts->setups[RESIDA_SETUP_FAILURE];
    s->setups.other = counts->setups[RESIDA_SETUP_OTHER];
    s->setups.attempt = counts->setups[RESIDA_SETUP_ATTEMPT];
    s->factorisations = nw->matrix.factorisations;
    s->solves = counts->solves;
    s->last_correction.norm = nw->largest[0];
    s->last_correction.p = nw->largest[1 + RSD_FIELD_P];
    s->last_correction.v = nw->largest[1 + RSD_FIELD_V];
    s->last_correction.lam = nw->largest[1 + RSD_FIELD_REST];
    const rsd_linear_solver *linear = nw->matrix.s > 0 ? nw->matrix.linear[nw->matrix.s - 1] : NULL;
    s->linear_solver = linear ? rsd_linear_get_report(linear).name : "";
}

const rsd_integrator_ops rsd_integrator_fixed = {
    .create = create,
    .free = release,
    .restart = restart,
    .advance = advance,
    .y = state_y,
    .yp = state_yp,
    .interpolate = interpolate,
    .roots = roots,
    .internal_time = internal_time,
    .stats = stats,
};
