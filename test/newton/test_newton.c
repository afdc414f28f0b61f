/* test_newton.c - the iteration on equations that are known: F(x) = x, whose J is off by a factor, so that corrections
 * shrink at a rate that is known. The calls of the table of functions are recorded in their order. */
#include "src/core/newton/newton.h"
#include "test/fixtures/bench_fixture.h"
#include "test/fixtures/solver_fixture.h"

enum { N = 3, MAX_CALLS = 400 };
#define TOLERANCE 1e-3

/* b is solved for as q b, where J were 1: corrections shrink at the rate |1 - q|. */
typedef struct rig {
    rsd_newton newton;
    resida_problem problem;
    rsd_guard guard;
    resida_message why;
    resida_solver_options o;
    resida_kind kinds[N];
    resida_jacobian *engine;
    rsd_owner owner;
    resida_allocator alloc;
    double from, x[2 * N], q, q_better; /* x begins there; after a setup for a failure */
    double floor;                       /* F is not below it: rounding */
    int current;                        /* of a setup */
    int refuses;                        /* so many evaluations are refused */
    int singular;                       /* so many factorisations fail */
    int begun, evaluated, factored, has_diverged;
    char calls[MAX_CALLS]; /* b begin, F, causes of setups as numbers, s solve */
} rig;

static void note(rig *r, char c)
{
    const size_t length = strlen(r->calls);
    assert_true(length + 1 < MAX_CALLS);
    r->calls[length] = c;
}

static void begin(void *self, int tries)
{
    rig *r = self;
    note(r, 'b');
    for (int i = 0; i < 2 * N; i++) r->x[i] = r->from;
}

static int evaluate(void *self, double *F)
{
    rig *r = self;
    note(r, 'F');
    for (int i = 0; i < r->newton.size; i++) F[i] = fabs(r->x[i]) < r->floor ? r->floor : r->x[i];
    return r->refuses > 0 ? r->refuses-- : 0;
}

static int set_up(void *self, const rsd_plan *plan)
{
    rig *r = self;
    note(r, (char)('0' + (int)plan->reason));
    r->newton.renewal->setup =
        (rsd_setup){.is_current = r->current, .level = plan->reason == RESIDA_SETUP_FAILURE ? RSD_DFDY : RSD_BLOCKS};
    if (plan->reason == RESIDA_SETUP_FAILURE) r->q = r->q_better;
    return 0;
}

static int factor(void *self)
{
    rig *r = self;
    return r->singular > 0 ? r->singular-- : 0;
}

static void solve(void *self, double *b)
{
    rig *r = self;
    note(r, 's');
    for (int i = 0; i < r->newton.size; i++) b[i] *= r->q;
}

static double norm(void *self, const double *delta)
{
    return fabs(delta[0]);
}

static int has_diverged(void *self, const double *delta)
{
    rig *r = self;
    r->has_diverged++;
    return fabs(delta[0]) > 0.1;
}

static const rsd_newton_ops ops = {begin, evaluate, norm, has_diverged};
static const rsd_matrix_ops matrix = {.set_up = set_up, .factor = factor, .solve = solve};

static int F_of_engine(double t, const double *y, const double *yp, double *F, void *user)
{
    memcpy(F, y, N * sizeof *F);
    return 0;
}

/* J is kept whole by this engine; it has no costs. */
static void open_rig(rig *r, const rsd_newton_rules *rules, double q)
{
    resida_system system;
    resida_jacobian_options jo;
    memset(r, 0, sizeof *r);
    resida_system_init(&system);
    resida_jacobian_options_init(&jo);
    resida_solver_options_init(&r->o);
    system.n = N;
    system.F = F_of_engine;
    jo.strategy = "dense";
    r->engine = test_jacobian(&system, &jo);
    rsd_jacobian_attach(r->engine, &(rsd_jacobian_use){.ops = &matrix, .self = r, .why = &r->why});
    r->problem.kinds = r->kinds;
    r->guard = (rsd_guard){.problem = &r->problem, .message = &r->why};
    r->from = 1;
    r->q = r->q_better = q;
    r->alloc = test_allocator();
    const rsd_newton_system s = {.ops = &ops,
                                 .self = r,
                                 .rules = rules,
                                 .guard = &r->guard,
                                 .engine = r->engine,
                                 .o = &r->o,
                                 .n = N,
                                 .stages = 2};
    assert_int_equal(rsd_newton_create(&r->newton, &s, &r->alloc), RESIDA_OK);
}

static int attempt(rig *r, double alpha, int stages)
{
    static const double weights[N] = {1, 1, 1};
    const rsd_attempt a = {.at = {.t = 1, .alpha = alpha, .h = 1 / alpha, .y = r->x, .yp = r->x, .weights = weights},
                           .tolerance = TOLERANCE,
                           .x = r->x,
                           .stages = stages};
    memset(r->calls, 0, sizeof r->calls);
    return rsd_newton_solve(&r->newton, &a);
}

CLAIM(the_iteration_continues_until_the_error_is_below_the_tolerance)
{
    const rsd_newton_rules *const rules[] = {&rsd_rules_of_variable_size, &rsd_rules_of_fixed_size};
    for (int k = 0; k < 2; k++) {
        rig r;
        open_rig(&r, rules[k], 0.9); /* x = 0.1, 0.01, 1e-3, 1e-4: what the third correction, 0.009, leaves */
        assert_int_equal(attempt(&r, 1, 1), 0);
        assert_string_equal(r.calls, "bF0sFsFs");
        for (int i = 0; i < N; i++) bench_near(r.x[i], 1e-3, 1e-15);
        assert_int_equal(r.newton.counts.iterations, 3);
        assert_int_equal(r.newton.counts.solves, 3);
        assert_int_equal(r.newton.counts.attempts, 1);
        assert_int_equal(r.newton.counts.fails, 0);
    }
}

CLAIM(where_F_refuses_fixed_steps_try_again_and_others_leave_it_to_the_step)
{
    rig r;
    open_rig(&r, &rsd_rules_of_variable_size, 1);
    r.refuses = 1;
    assert_int_equal(attempt(&r, 1, 1), 1);
    assert_string_equal(r.calls, "bF");
    assert_int_equal(r.newton.counts.fails, 0);
    open_rig(&r, &rsd_rules_of_fixed_size, 1);
    r.refuses = 1;
    assert_int_equal(attempt(&r, 1, 1), 0);
    assert_string_equal(r.calls, "bFbF0sF0s");
    assert_int_equal(r.newton.counts.fails, 1);
}

CLAIM(a_singular_J_is_set_up_again_until_it_is_current)
{
    rig r;
    open_rig(&r, &rsd_rules_of_variable_size, 1);
    r.singular = 2;
    assert_int_equal(attempt(&r, 1, 1), 0);
    assert_string_equal(r.calls, "bF022sFs");
    open_rig(&r, &rsd_rules_of_variable_size, 1);
    r.singular = 9;
    r.current = 1;
    assert_true(attempt(&r, 1, 1) > 0);
    assert_string_equal(r.calls, "bF0");
    open_rig(&r, &rsd_rules_of_fixed_size, 1);
    r.singular = 1;
    r.current = 1;
    assert_int_equal(attempt(&r, 1, 1), 0);
    assert_string_equal(r.calls, "bF0bF0sF0s");
}

/* q = 0.9: corrections 0.9, 0.09, .., until F is 1e-4: then one as large as that before. */
CLAIM(to_rounding_the_correction_that_does_not_decrease_is_left_out)
{
    rig r;
    open_rig(&r, &rsd_rules_to_rounding, 0.9);
    r.floor = 1e-4;
    assert_int_equal(attempt(&r, 1, 1), 0);
    assert_int_equal(r.has_diverged, 1);
    assert_true(r.newton.last_applied == r.newton.before);
    assert_true(fabs(r.newton.delta[0]) >= fabs(r.newton.last_applied[0]));
    double sum = 1;
    for (double x = 1, F = 1, before = INFINITY;; before = 0.9 * F) {
        F = fabs(x) < r.floor ? r.floor : x;
        if (0.9 * F >= before) {
            sum = x;
            break;
        }
        x -= 0.9 * F;
    }
    bench_near(r.x[0], sum, 1e-16);
}

CLAIM(to_rounding_a_correction_that_is_no_rounding_fails)
{
    rig r;
    open_rig(&r, &rsd_rules_to_rounding, 2);
    assert_true(attempt(&r, 1, 1) > 0);
    assert_int_equal(r.has_diverged, 4);
    assert_string_equal(r.calls, "bF0sF0sF0sbF0sF0sF0s"); /* the second correction may be larger than the first */
}

/* --- What is left of F, of one row whose unit is 1 --- */

CLAIM(an_unchanged_F_shows_a_wrong_J)
{
    static const struct {
        int by_costs;
        double before, after;
        int is_unmoved;
    } cases[] = {
        {0, 10, 5.1, 1},   {0, 10, 4.9, 0},   /* kept whole, it removes half of F */
        {0, 10, -5.1, 1},  {0, 1.9, 1.01, 1}, /* more than a tolerance */
        {0, 1.9, 0.99, 0},                    /* less of it does no harm */
        {1, 10, 9.1, 1},   {1, 10, 8.9, 0},   /* renewed, it moves F by a tenth */
        {1, 10, 10.9, 1},  {1, 10, -10, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double per = 1, F = cases[i].before;
        const rsd_residual_norm x = {.n = 1,
                                     .stages = 1,
                                     .by_costs = cases[i].by_costs,
                                     .is_measured = 1,
                                     .before = fabs(F),
                                     .per = &per,
                                     .F = &F};
        assert_int_equal(rsd_residual_norm_is_unchanged(&x, &cases[i].after), cases[i].is_unmoved);
    }
}

CLAIM(a_small_correction_hides_F)
{
    const rsd_residual_norm x = {.n = 1, .stages = 1, .before = 60}, little = {.n = 1, .stages = 1, .before = 0.9},
                            no_unit = {.n = 1};
    assert_true(rsd_residual_norm_is_large(&x, 1.9));
    assert_false(rsd_residual_norm_is_large(&x, 2.1));
    assert_false(rsd_residual_norm_is_large(&little, 0)); /* which does no harm */
    assert_false(rsd_residual_norm_is_large(&no_unit, 0));
}

CLAIM(up_to_a_tolerance_of_F_may_be_left)
{
    double per = 1, F = 10;
    const rsd_residual_norm x = {.n = 1, .stages = 1, .by_costs = 1, .is_measured = 1, .per = &per, .F = &F},
                            no_unit = {.n = 1};
    assert_true(rsd_residual_norm_is_solved(&x, (const double[]){0.99}));
    assert_false(rsd_residual_norm_is_solved(&x, (const double[]){-1.01}));
    assert_true(rsd_residual_norm_is_solved(&no_unit, (const double[]){1e9}));
    assert_false(rsd_residual_norm_is_unchanged(&no_unit, (const double[]){1e9}));
}

/* Two rows without y' in a system with algebraic unknowns. A tolerance of one may be large for the other. */
CLAIM(no_algebraic_row_may_be_left_where_it_was)
{
    double per[] = {1, 1}, size[] = {1, 1}, F[] = {5, 0.4};
    const rsd_residual_norm x = {
        .n = 2, .stages = 1, .has_algebraic = 1, .is_measured = 1, .per = per, .size = size, .F = F};
    rsd_residual_norm rows_of_mechanism = x;
    rows_of_mechanism.has_algebraic = 0;
    assert_true(rsd_residual_norm_is_solved(&x, (const double[]){1e-3, 0.19}));
    assert_false(rsd_residual_norm_is_solved(&x, (const double[]){1e-3, 0.21}));
    assert_true(rsd_residual_norm_is_solved(&rows_of_mechanism, (const double[]){1e-3, 0.21}));
    F[1] = 0.009; /* a hundredth of a tolerance */
    assert_true(rsd_residual_norm_is_solved(&x, (const double[]){1e-3, 0.009}));
}

CLAIM(a_row_with_inertia_is_no_algebraic_row)
{
    double size[] = {1, 1}, inertia[] = {0, 1};
    rsd_residual_norm x = {.n = 2, .stages = 1, .has_algebraic = 1, .has_inertia = 1, .size = size, .inertia = inertia};
    bench_near(rsd_residual_norm_get_algebraic(&x, (const double[]){3, 1e9}), 3 / sqrt(2), 1e-12);
    x.has_inertia = 0;
    bench_near(rsd_residual_norm_get_algebraic(&x, (const double[]){3, 4}), 5 / sqrt(2), 1e-12);
    x.has_algebraic = 0;
    bench_near(rsd_residual_norm_get_algebraic(&x, (const double[]){3, 4}), 0, 0);
}
