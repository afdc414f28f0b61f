/* test_repair.c - dF/dy is repaired in a few directions: what J is then, and what is not repaired. F = y' + K y with a
 * K that the tests change, alone and in whole runs of the governor. */
#include "jacobian/jacobian.h"
#include "jacobian/repair.h"
#include "base/linear/linear_solver.h"
#include "test/fixtures/claims.h"
#include "test/fixtures/run_model.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 30, ROOM = 2 };
#define LEFT    0.03 /* of the correction */
#define FAR_OFF 5e-3 /* of F: what a J of before leaves */

typedef struct linear_system {
    double K[N][N];
    rsd_linear_solver *linear;
    resida_jacobian *engine;
    double y[N], yp[N], F[N], weights[N];
    resida_jacobian_point at;
} linear_system;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const linear_system *s = user;
    for (int i = 0; i < N; i++) {
        r[i] = yp[i];
        for (int j = 0; j < N; j++) r[i] += s->K[i][j] * y[j];
    }
    return 0;
}

static int factor(void *self)
{
    linear_system *s = self;
    resida_jacobian_matrix J;
    assert_int_equal(resida_jacobian_get_matrix(s->engine, &J), RESIDA_OK);
    assert_int_equal(rsd_linear_set_pattern(s->linear, J.start, J.row, NULL), RESIDA_OK);
    return rsd_linear_factor(s->linear, J.values);
}

static void solve(void *self, double *b)
{
    rsd_linear_solve(((linear_system *)self)->linear, b);
}

static void change_K(linear_system *s, int rank, double size)
{
    for (int k = 0; k < rank; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (s->K[i][j] != 0) s->K[i][j] += size * sin(1 + i + 7 * k) * cos(3.0 * j + 2.0 * k) / sqrt(N);
}

/* A J of K, full or with three diagonals, at a point where F is not zero. */
static void open_system(linear_system *s, int is_full)
{
    resida_system o;
    resida_jacobian_options options;
    int current;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (i == j || is_full || abs(i - j) == 1) s->K[i][j] = i == j ? 3 + i : 0.3 * cos(i + 2.0 * j);
    for (int i = 0; i < N; i++) s->y[i] = sin(1 + i), s->yp[i] = cos(1 + i), s->weights[i] = 1e4;
    resida_system_init(&o);
    o.n = N, o.F = residual, o.user = s;
    resida_jacobian_options_init(&options);
    options.strategy = "auto";
    const rsd_jacobian_use use = {.linear_solver = "dense", .repairs = 1};
    s->engine = test_jacobian(&o, &options);
    assert_int_equal(rsd_linear_create(&s->linear, N, "dense", NULL, NULL), RESIDA_OK);
    assert_int_equal(rsd_jacobian_attach(s->engine, &use), RESIDA_OK);
    residual(0, s->y, s->yp, s->F, s);
    s->at = (resida_jacobian_point){0, 10, 0.1, s->y, s->yp, s->F, s->weights, 0};
    for (int k = 0; k < 4; k++, s->at.t += 1) /* the pattern is learnt */
        assert_int_equal(resida_jacobian_setup(s->engine, RESIDA_SETUP_OTHER, &s->at, &current), 0);
}

static void close_system(linear_system *s)
{
    rsd_linear_free(s->linear);
}

/* Repair at the next point. @return the counts of that */
static resida_jacobian_counts repair(linear_system *s, int *current)
{
    const rsd_plan plan = {.level = RSD_DFDY, .repairs = 1, .reason = RESIDA_SETUP_OTHER};
    resida_jacobian_counts before, behind;
    s->at.t += 1;
    residual(s->at.t, s->y, s->yp, s->F, s);
    assert_int_equal(resida_jacobian_get_counts(s->engine, &before), RESIDA_OK);
    assert_int_equal(rsd_jacobian_set_up(s->engine, &plan, &s->at), 0);
    *current = rsd_jacobian_get_renewal(s->engine)->setup.is_current;
    assert_int_equal(resida_jacobian_get_counts(s->engine, &behind), RESIDA_OK);
    behind.residual_calls -= before.residual_calls;
    behind.repair_calls -= before.repair_calls;
    return behind;
}

/* |J d + F|/|F| of a correction d, with J = K + alpha. */
static double left_by(const linear_system *s, const double *d)
{
    double left = 0, all = 0;
    for (int i = 0; i < N; i++) {
        double sum = s->F[i] + s->at.alpha * d[i];
        for (int j = 0; j < N; j++) sum += s->K[i][j] * d[j];
        left += sum * sum, all += s->F[i] * s->F[i];
    }
    return sqrt(left / all);
}

/* |J d + F|/|F| of the correction by the J of the engine, which this function factors. */
static double left_of(linear_system *s)
{
    double d[N];
    assert_int_equal(factor(s), 0);
    for (int i = 0; i < N; i++) d[i] = -s->F[i];
    solve(s, d);
    return left_by(s, d);
}

/* |J d + F|/|F| of the correction by the engine. After a repair the engine has the factors of the J before it. */
static double left_by_engine(linear_system *s)
{
    double d[N];
    rsd_renewal *r = rsd_jacobian_get_renewal(s->engine);
    r->attempt.stages = 1, r->alpha_J = s->at.alpha;
    rsd_jacobian_solve(s->engine, s->at.alpha, s->F, d);
    return left_by(s, d);
}

CLAIM(a_change_of_low_rank_is_repaired_by_few_calls)
{
    for (int is_full = 0; is_full < 2; is_full++)
        for (int rank = 1; rank <= 3; rank++) {
            linear_system s;
            int current;
            open_system(&s, is_full);
            change_K(&s, rank, 12);
            const double before = left_of(&s);
            const resida_jacobian_counts c = repair(&s, &current);
            print_message("full %d rank %d: %ld repairs, %ld calls, %.1e left\n", is_full, rank, c.repairs,
                          c.residual_calls, left_of(&s));
            assert_int_equal(c.repairs, 1);
            assert_int_equal(c.residual_calls, c.repair_calls);
            assert_true(c.residual_calls <= RSD_MAX_DIRECTIONS && c.residual_calls < N / 2);
            assert_true(before > FAR_OFF && left_of(&s) < LEFT * before);
            assert_true(left_by_engine(&s) < LEFT * before);
            for (int i = 0; i < N; i++) s.weights[i] *= 3; /* of a later step: solutions do not depend on them */
            assert_true(left_by_engine(&s) < LEFT * before);
            assert_false(current); /* an evaluation may do better */
            close_system(&s);
        }
}

/* A second repair begins with the dF/dy that the first one left: a change in its directions is one of these alone. */
CLAIM(a_repair_begins_with_what_the_last_one_left)
{
    linear_system s;
    int current;
    open_system(&s, 1);
    change_K(&s, 3, 12);
    const long first = repair(&s, &current).residual_calls;
    const resida_jacobian_counts again = repair(&s, &current);
    print_message("%ld calls, then %ld\n", first, again.residual_calls);
    assert_int_equal(again.repairs, 2);
    assert_true(first > 2 && again.residual_calls <= first / 2);
    close_system(&s);
}

/* Errors of repairs in turn add up, here those of small changes of full rank, until dF/dy is evaluated. */
CLAIM(an_evaluation_ends_what_repairs_have_left)
{
    linear_system s;
    int current;
    open_system(&s, 1);
    for (int k = 0; k < 5; k++) {
        change_K(&s, 1 + k % 3, k % 2 ? -12 : 12);
        for (int i = 0; i < N * N; i++) s.K[i / N][i % N] += 1e-3 * sin(1.0 * k + i * i);
        repair(&s, &current);
    }
    for (int i = 0; i < N; i++) s.y[i] = cos(3.0 * i); /* another F than that of the repairs */
    residual(s.at.t, s.y, s.yp, s.F, &s);
    const double before = left_of(&s);
    s.at.t += 1;
    assert_int_equal(resida_jacobian_setup(s.engine, RESIDA_SETUP_FIRST, &s.at, &current), 0);
    print_message("%.1e left by repairs, %.1e by the evaluation\n", before, left_of(&s));
    assert_true(before > 1e-4 && left_of(&s) < 1e-6);
    close_system(&s);
}

/* Nothing has changed, so that one difference shows it; J stays what it was. */
CLAIM(a_correct_J_is_not_repaired)
{
    linear_system s;
    int current;
    open_system(&s, 1);
    const double before = left_of(&s);
    const resida_jacobian_counts c = repair(&s, &current);
    assert_int_equal(c.residual_calls, 1);
    assert_true(before < 1e-6 && left_of(&s) < 1e-6);
    close_system(&s);
}

CLAIM(a_change_of_full_rank_is_evaluated)
{
    linear_system s;
    int current;
    open_system(&s, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) s.K[i][j] = 40 * sin(1 + i * i + 3.7 * j * (i + 2));
    const resida_jacobian_counts c = repair(&s, &current);
    assert_int_equal(c.repairs, 0);
    assert_true(c.repair_calls >= RSD_MAX_DIRECTIONS && c.repair_calls <= 2 * RSD_MAX_DIRECTIONS); /* some twice */
    assert_true(c.residual_calls >= N);
    assert_true(left_of(&s) < 1e-5);
    close_system(&s);
}

CLAIM(the_governor_takes_a_third_of_the_calls)
{
    run_result with = run_model((run_order){.model = "flyball"}),
               without = run_model((run_order){.model = "flyball", .no_repair = 1}),
               dense = run_model((run_order){.model = "flyball", .jacobian = "dense", .t_end = 1});
    print_message("flyball: %ld calls, %ld repairs by %ld, error %.1e; without %ld, %.1e\n",
                  with.stats.residual_calls.total, with.stats.repairs, with.stats.repair_calls, with.error_p,
                  without.stats.residual_calls.total, without.error_p);
    assert_true(with.status >= 0 && without.status >= 0 && dense.status >= 0);
    assert_true((double)with.stats.residual_calls.total < 0.4 * (double)without.stats.residual_calls.total);
    assert_true(with.error_p < ROOM * without.error_p);
    assert_true(with.stats.repairs > 100 && with.stats.repair_calls >= with.stats.repairs);
    assert_true(without.stats.repairs == 0 && dense.stats.repairs == 0);
}

/* --- Whole runs ---
 *
 *     y' = s'(t) - (y - s(t)) - sum_k stiffness u_k(t) u_k(t)' (y - s(t))
 *
 * has the solution s(t) whatever the stiff directions u_k do. They turn: dF/dy is full, and changes in few
 * directions. */

enum { DIRECTIONS = 3, TIMES = 3 };

typedef struct turning {
    double unit, second; /* of y, of t */
    double stiffness;    /* of each direction, in 1/second */
    double stiffens;     /* times as stiff from a time on, in seconds, by an event that F does not tell */
    double contact;      /* times as stiff where y_0 is above s_0 + a thousandth of a tolerance */
    double enters;       /* the time from which a direction has its last half of components, in seconds */
    double rate;         /* of the turn, per second */
} turning;

static double solution(const turning *x, int i, double t)
{
    return x->unit * sin(t / x->second / 3 + i);
}

static double slope(const turning *x, int i, double t)
{
    return x->unit / x->second / 3 * cos(t / x->second / 3 + i);
}

static double component(const turning *x, int k, int i, double t)
{
    if (t < x->enters * x->second && i >= N / 2) return 0;
    return sin(1 + i * (k + 1) + x->rate * t / x->second * (1 + 0.3 * (i % 5))) / sqrt(N / 2.0);
}

static int turning_residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                            void *user)
{
    const turning *x = user;
    double off[N];
    for (int i = 0; i < N; i++) off[i] = y[i] - solution(x, i, t);
    const double touches = off[0] > 1e-9 * x->unit ? x->contact : 1;
    const double k = x->stiffness / x->second * (t > 5 * x->second ? x->stiffens : 1) * touches;
    for (int i = 0; i < N; i++) r[i] = yp[i] - slope(x, i, t) + off[i] / x->second;
    for (int d = 0; d < DIRECTIONS; d++) {
        double along = 0;
        for (int i = 0; i < N; i++) along += component(x, d, i, t) * off[i];
        for (int i = 0; i < N; i++) r[i] += k * along * component(x, d, i, t);
    }
    return 0;
}

typedef struct turning_end {
    resida_status status;
    double error; /* in tolerances */
    resida_stats stats;
} turning_end;

static turning_end run_turning(turning x, const char *strategy, int repairs, double tolerance, double end)
{
    turning_end r = {.stats = {.size = sizeof r.stats}};
    resida_dae dae = test_dae();
    resida_solver_options o = test_solver_options();
    double y[N], yp[N];
    resida_state state;
    dae.n = N, dae.residual = turning_residual, dae.user = &x;
    o.rtol = tolerance, o.atol = tolerance * x.unit, o.jacobian = strategy, o.max_steps = 100000;
    if (strcmp(strategy, "auto") == 0) o.repair = repairs;
    resida_solver *solver = test_solver_dae(&dae, NULL, &o);
    for (int i = 0; i < N; i++) y[i] = solution(&x, i, 0), yp[i] = slope(&x, i, 0);
    r.status = resida_solver_start_dae(solver, 0, y, yp);
    for (int k = 1; k <= 50 && r.status >= 0; k++) {
        r.status = resida_solver_advance(solver, end * x.second * k / 50);
        state = test_state(solver);
        for (int i = 0; i < N; i++)
            r.error = fmax(r.error, fabs(state.y[i] - solution(&x, i, state.t)) / x.unit / tolerance);
    }
    if (r.status < 0) print_message("%s\n", resida_solver_message(solver));
    assert_int_equal(resida_solver_stats(solver, &r.stats), RESIDA_OK);
    return r;
}

/* Each breaks the trust in a dF/dy that was repaired: turned, suddenly stiffer, with entries that were not there,
 * behind a contact, in other units, for long. */
CLAIM(runs_with_repairs_are_as_right_as_those_of_dense)
{
    static const turning cases[] = {{1, 1, 1e4, 1, 1, 0, 2},      {1, 1, 1e4, 1e3, 1, 0, 2},
                                    {1, 1, 1e4, 1, 1, 3, 2},      {1, 1, 1e4, 1, 100, 0, 2},
                                    {1e-9, 1e3, 1e4, 1, 1, 0, 2}, {1e6, 1e-6, 1e4, 100, 1, 3, 2},
                                    {1, 1, 1e8, 1, 1, 0, 20},     {1, 1, 10, 1e6, 1, 3, 5}};
    long repairs = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 4; k <= 7; k += 3) {
            const double tolerance = pow(10, -k), end = i == 0 ? 100 : 10;
            const turning_end with = run_turning(cases[i], "auto", 1, tolerance, end),
                              without = run_turning(cases[i], "auto", 0, tolerance, end),
                              dense = run_turning(cases[i], "dense", 0, tolerance, end);
            print_message(
                "case %zu at %g: %ld repairs; steps %ld, %ld, dense %ld; calls %ld, %ld, %ld; errors %.2g, %.2g, "
                "%.2g tolerances\n",
                i, tolerance, with.stats.repairs, with.stats.steps, without.stats.steps, dense.stats.steps,
                with.stats.residual_calls.total, without.stats.residual_calls.total, dense.stats.residual_calls.total,
                with.error, without.error, dense.error);
            assert_true(with.status >= 0 && without.status >= 0 && dense.status >= 0);
            assert_true(with.error <= 10 + TIMES * fmax(dense.error, without.error));
            repairs += with.stats.repairs;
        }
    assert_true(repairs > 100);
}
