/* peer_fixture.c - the residual of a model is replaced by one that counts, in memory shared with the process of the
 * peer. */
#include "peer_fixture.h"
#include "test/fixtures/solver_fixture.h"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/** The model under watch; one at a time. */
static struct {
    resida_residual_fn *residual;
    resida_acceleration_fn *acceleration;
    resida_dae_residual_fn *dae_residual;
    long *calls; /* shared; since the start */
    peer_mischief mischief;
    long from;
} watch;

/** @return 0: call the model; else its answer */
static int misbehave(void)
{
    static const struct timespec nap = {0, 100000000}, night = {3600, 0};
    if (++*watch.calls < watch.from) return 0;
    switch (watch.mischief) {
    case PEER_REFUSE:
        return 1;
    case PEER_FAIL:
        return -1;
    case PEER_DIE:
        raise(SIGKILL);
        return -1;
    case PEER_LEAVE:
        printf("leaving\n");
        fflush(stdout);
        _exit(3);
    case PEER_SLEEP:
        nanosleep(&nap, NULL);
        return 0;
    case PEER_HANG:
        while (nanosleep(&night, NULL) != 0) continue; /* signals do not wake it for good */
        return 0;
    default:
        return 0;
    }
}

/** What the model has answered, spoiled where that is asked for. */
static int spoil(int verdict, double *r)
{
    if (watch.mischief == PEER_NAN && *watch.calls >= watch.from) r[0] = NAN;
    return verdict;
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    int verdict = misbehave();
    return verdict != 0 ? verdict : spoil(watch.residual(t, p, v, a, e, r, user), r);
}

static int acceleration(double t, const double *p, const double *v, const double *f, const resida_excitation *e,
                        double *a, void *user)
{
    int verdict = misbehave();
    return verdict != 0 ? verdict : spoil(watch.acceleration(t, p, v, f, e, a, user), a);
}

static int dae_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    int verdict = misbehave();
    return verdict != 0 ? verdict : spoil(watch.dae_residual(t, y, yp, e, r, user), r);
}

/** A counter that the process of the peer shares. */
static long *shared_counter(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), sizeof(long)), 0);
    long *counter = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    assert_true(counter != MAP_FAILED);
    fclose(file);
    return counter;
}

long peer_calls_so_far(void)
{
    return watch.calls ? *watch.calls : 0;
}

static resida_problem *watched_problem(bench *b, const rsd_peer *peer)
{
    resida_message why = {""};
    resida_problem *problem = NULL;
    resida_problem_options o = test_problem_options();
    resida_mechanism *m = &b->model.mechanism;
    watch.residual = m->residual;
    watch.acceleration = m->acceleration;
    watch.dae_residual = b->model.dae.residual;
    if (m->residual) m->residual = residual;
    if (m->acceleration) m->acceleration = acceleration;
    if (b->model.is_dae) b->model.dae.residual = dae_residual;
    if (rsd_peer_prefers_explicit(peer) && m->acceleration) o.formalism = RESIDA_FORMALISM_EXPLICIT;
    resida_status status = b->model.is_dae ? resida_problem_create_dae(&problem, &b->model.dae, &o, &why)
                                           : resida_problem_create(&problem, m, &o, &why);
    if (status < 0) fail_msg("%s: %s", b->cls->name, why.text);
    test_own_problem(problem);
    return problem;
}

/** Who takes the outputs. */
typedef struct taker {
    const bench *b;
    const peer_order *order;
    resida_layout layout;
    double t0, t_end, last;
    long n;
    peer_outcome *out;
} taker;

static double output_time(long k, void *user)
{
    const taker *x = user;
    return k >= x->n ? x->t_end : x->t0 + (x->t_end - x->t0) * (double)k / (double)x->n;
}

/** Largest |p - reference|, NaN without one. */
static double error_of(const taker *x, double t, const double *y)
{
    const resida_model *model = &x->b->model;
    int n = model->is_dae ? model->dae.n : model->mechanism.n_p;
    double *p = bench_doubles(n), *v = bench_doubles(n), error = 0;
    int known = model->reference && model->reference(model, t, p, model->is_dae ? NULL : v, NULL) == 0;
    const double *at = model->is_dae ? y : y + x->layout.p;
    for (int i = 0; i < n && known; i++) error = fmax(error, fabs(at[i] - p[i]));
    return known ? error : NAN;
}

static int take(double t, const double *y, const double *yp, void *user)
{
    taker *x = user;
    peer_outcome *out = x->out;
    const resida_layout *l = &x->layout;
    out->rising &= t > x->last && t == output_time(++out->outputs, x);
    x->last = t;
    for (int i = 0; i < out->n; i++)
        if (!isfinite(y[i]) || !isfinite(yp[i])) {
            out->nonfinite++;
            break;
        }
    out->error_p = error_of(x, t, y);
    out->worst_p = fmax(out->worst_p, out->error_p); /* ignores a NaN */
    for (int i = 0; i < l->n_v && l->n_p == l->n_v && !x->b->model.is_dae; i++)
        out->worst_yp = fmax(out->worst_yp, fabs(yp[l->p + i] - y[l->v + i]));
    return out->outputs == x->order->refuse_output;
}

static resida_solver_options options_of(const peer_order *order, const resida_model *model)
{
    resida_solver_options o = test_solver_options();
    o.rtol = order->rtol > 0 ? order->rtol : model->rtol;
    o.atol = order->atol > 0 ? order->atol : order->rtol > 0 ? order->rtol : model->atol;
    o.t_stop = order->t_end > 0 ? order->t_end : model->t_end;
    o.h_first = order->h_first;
    if (order->max_order > 0) o.max_order = order->max_order;
    if (order->max_steps > 0) o.max_steps = order->max_steps;
    if (order->max_residuals > 0) o.max_residuals = order->max_residuals;
    if (order->time_limit > 0) o.time_limit_s = order->time_limit;
    o.monitor = order->monitor;
    return o;
}

/** The start of resida, which the peer goes on from. */
static resida_solver *start(resida_problem *problem, const resida_model *model, resida_state *state)
{
    resida_solver *solver = test_solver_of(problem, NULL);
    resida_status status = model->is_dae ? resida_solver_start_dae(solver, model->t0, model->y0, model->yp0)
                                         : resida_solver_start(solver, model->t0, model->p0, model->v0, NULL, NULL);
    assert_int_equal(status, RESIDA_OK);
    assert_int_equal(resida_solver_state(solver, state), RESIDA_OK);
    return solver;
}

peer_outcome peer_run(peer_order order)
{
    resida_state state;
    peer_outcome out = {.rising = 1, .error_p = NAN};
    const rsd_peer *peer = rsd_peer_find(order.peer);
    assert_non_null(peer);
    bench *b = bench_make(order.model, NULL);
    watch.calls = shared_counter();
    watch.mischief = PEER_BEHAVE;
    watch.from = order.from;
    resida_problem *problem = watched_problem(b, peer);
    start(problem, &b->model, &state);
    out.start_calls = *watch.calls;
    *watch.calls = 0;
    watch.mischief = order.mischief;
    resida_solver_options o = options_of(&order, &b->model);
    taker x = {.b = b, .order = &order, .t0 = state.t, .t_end = o.t_stop, .last = state.t, .out = &out};
    x.n = order.outputs > 0 ? order.outputs : 10;
    assert_int_equal(resida_problem_layout(problem, &x.layout), RESIDA_OK);
    out.n = x.layout.n;
    rsd_peer_task task = {.problem = problem, .options = &o, .t0 = state.t, .y0 = state.y, .yp0 = state.yp};
    task.n_outputs = x.n, task.output_time = output_time, task.output = take, task.user = &x;
    resida_status status = rsd_peer_solve(peer, &task, &out.result);
    assert_int_equal(status, out.result.status);
    out.rising &= out.result.status != RESIDA_OK || (out.outputs == x.n && x.last == x.t_end);
    out.model_calls = *watch.calls;
    munmap(watch.calls, sizeof *watch.calls);
    return out;
}
