/* Entries of J that wake late, and alarms where none wakes.
 *
 * 100 random mechanisms (contact_mechanism.h: masses, springs, where the contact is), each whose contact closes after
 * the pattern was found: it is complete within three evaluations from then on, in whole integrations within four. On
 * the engine alone the evaluations are told where to be made; in integrations they come when the iteration asks for
 * them. */
#include "test/fixtures/bench_fixture.h"
#include "contact_mechanism.h"
#include "test/fixtures/solver_fixture.h"

enum { CASES = 100, AWAY = 4, ATTEMPTS = 5, WITHIN = 3, WITHIN_A_RUN = 4, MAX_STEPS = 4000 };

static int size_of_case(int k)
{
    return 6 + k % (CONTACT_MAX - 6);
}

/* F of a mechanism, not in parts, and a state. */
typedef struct subject {
    contact c;
    resida_problem *problem;
    resida_jacobian *engine;
    int n;
    uint64_t seed;
    double t, y[4 * CONTACT_MAX], yp[4 * CONTACT_MAX], F[4 * CONTACT_MAX];
} subject;

static void open_subject(subject *s, int k, const char *strategy)
{
    resida_layout l;
    resida_system system;
    resida_jacobian_options o;
    contact_make(&s->c, size_of_case(k), 100 + (uint64_t)k, k % 2);
    s->seed = 1 + (uint64_t)k;
    s->t = 0;
    resida_mechanism m = contact_mechanism(&s->c, CONTACT_NO_PATTERN);
    s->problem = test_problem(&m, NULL);
    assert_int_equal(resida_problem_layout(s->problem, &l), RESIDA_OK);
    s->n = l.n;
    resida_system_init(&system);
    resida_jacobian_options_init(&o);
    system.n = l.n;
    system.F = resida_problem_residual;
    system.user = s->problem;
    o.strategy = strategy;
    s->engine = test_jacobian(&system, &o);
}

/* A random state with that much room between mass 0 and its target; room < 0: in contact. */
static void move(subject *s, double room)
{
    for (int i = 0; i < s->n; i++) {
        s->y[i] = bench_random(&s->seed);
        s->yp[i] = bench_random(&s->seed);
    }
    s->t += 0.5;
    s->y[0] = s->y[s->c.target] - room;
    assert_int_equal(resida_problem_residual(s->t, s->y, s->yp, s->F, s->problem), 0);
}

/* Evaluated, after some step attempts: an evaluation that is asked for right after another one would be a search. */
static resida_jacobian_counts evaluate(subject *s)
{
    int current;
    resida_jacobian_counts counts;
    resida_jacobian_point at = {.t = s->t, .alpha = 50, .h = 0.02, .y = s->y, .yp = s->yp, .F = s->F};
    assert_int_equal(resida_jacobian_get_counts(s->engine, &counts), RESIDA_OK);
    for (int k = 0; k < ATTEMPTS && counts.nnz > 0; k++)
        assert_int_equal(resida_jacobian_setup(s->engine, RESIDA_SETUP_ATTEMPT, &at, &current), 0);
    assert_int_equal(resida_jacobian_setup(s->engine, RESIDA_SETUP_OTHER, &at, &current), 0);
    assert_int_equal(resida_jacobian_get_counts(s->engine, &counts), RESIDA_OK);
    return counts;
}

/* Evaluations in contact until its entries are there. */
static int evaluations_to_find(subject *s)
{
    int tries = 0;
    for (int k = 0; k < AWAY; k++) {
        move(s, 1);
        evaluate(s);
    }
    assert_false(contact_is_kept(&s->c, s->engine));
    long grown = evaluate(s).pattern_updates;
    do {
        move(s, -0.01);
        resida_jacobian_counts counts = evaluate(s);
        tries++;
        assert_true(counts.pattern_updates <= grown + tries);
    } while (!contact_is_kept(&s->c, s->engine) && tries < 10);
    return tries;
}

CLAIM(a_late_entry_is_found_within_three_evaluations)
{
    static const char *const strategies[] = {"sparse", "sparse+partitioned", "fresh"};
    for (int i = 0; i < 3; i++) {
        int worst = 0, first = 0;
        for (int k = 0; k < CASES; k++) {
            subject s;
            open_subject(&s, k, strategies[i]);
            int tries = evaluations_to_find(&s);
            worst = tries > worst ? tries : worst;
            first += tries == 1;
        }
        print_message("  %-18s %d of %d found at once, all within %d evaluations\n", strategies[i], first, CASES,
                      worst);
        assert_true(worst <= WITHIN);
    }
}

static long evaluations(const resida_solver *s)
{
    resida_stats stats = test_stats(s);
    return stats.jacobian_evaluations.dense + stats.jacobian_evaluations.coloured;
}

/* Evaluations from the last step before the contact until its entries are there; *found 0: the run ended before. */
static long evaluations_of_a_run(int k, const char *strategy, int *found)
{
    contact c;
    resida_solver_options o = test_solver_options();
    long before = 0, after = 0;
    contact_make(&c, size_of_case(k), 100 + (uint64_t)k, k % 2);
    resida_mechanism m = contact_mechanism(&c, CONTACT_NO_PATTERN);
    o.jacobian = strategy;
    o.rtol = o.atol = 1e-5;
    resida_solver *solver = test_solver(&m, NULL, &o);
    assert_int_equal(resida_solver_start(solver, 0, c.p0, c.v0, NULL, NULL), RESIDA_OK);
    *found = 0;
    for (int steps = 0; steps < 20000 && !*found; steps++) {
        resida_status status = resida_solver_step(solver, 15);
        if (status < 0) fail_msg("case %d: %s", k, resida_solver_message(solver));
        if (isnan(c.first_contact)) before = evaluations(solver);
        after = evaluations(solver);
        *found = !isnan(c.first_contact) && contact_is_kept(&c, resida_solver_jacobian(solver));
        resida_state state = test_state(solver);
        if (state.t >= 15) break;
    }
    return after - before;
}

/* One more where a step across the contact is cut: dF/dy of its far end is not kept for the shorter step. */
CLAIM(an_integration_finds_a_late_entry_within_four_evaluations)
{
    static const char *const strategies[] = {"sparse+partitioned", "fresh"};
    for (int i = 0; i < 2; i++) {
        long worst = 0;
        for (int k = 0; k < CASES; k++) {
            int found;
            long tries = evaluations_of_a_run(k, strategies[i], &found);
            assert_true(found);
            worst = tries > worst ? tries : worst;
        }
        print_message("  %-18s all %d within %ld evaluations\n", strategies[i], CASES, worst);
        assert_true(worst <= WITHIN_A_RUN);
    }
}

/* A model with a strategy. */
typedef struct smooth_run {
    resida_model model;
    resida_problem *problem;
    resida_solver *solver;
    long learnt; /* times the pattern had grown when columns were first grouped; -1: they were not */
} smooth_run;

/* 0: the model does not have this formalism. */
static int open_run(smooth_run *r, const resida_model_class *cls, const char *strategy, resida_formalism formalism)
{
    resida_problem_options po = test_problem_options();
    resida_solver_options o = test_solver_options();
    memset(r, 0, sizeof *r);
    r->model = test_model(cls, 0, NULL, NULL);
    po.formalism = formalism;
    if (!r->model.is_dae)
        (void)resida_problem_create(&r->problem, &r->model.mechanism, &po, NULL);
    else if (formalism == RESIDA_FORMALISM_RESIDUAL)
        (void)resida_problem_create_dae(&r->problem, &r->model.dae, NULL, NULL);
    if (!r->problem) return 0;
    test_own_problem(r->problem);
    o.rtol = r->model.rtol;
    o.atol = r->model.atol;
    o.jacobian = strategy;
    o.t_stop = r->model.t_end;
    r->solver = test_solver_of(r->problem, &o);
    return 1;
}

/* To the end, or as far as so many steps go: entries that wake do so early. */
static resida_stats step_to_end(smooth_run *r)
{
    const resida_model *m = &r->model;
    resida_state state = {.t = m->t0};
    resida_start_options start = test_start_options();
    if (!m->is_dae && m->mechanism.n_g > 0) start.redundant = RESIDA_REDUNDANT_DROP;
    resida_status status = m->is_dae ? resida_solver_start_dae(r->solver, m->t0, m->y0, m->yp0)
                                     : resida_solver_start(r->solver, m->t0, m->p0, m->v0, &start, NULL);
    r->learnt = -1;
    for (int k = 0; k < MAX_STEPS && status >= 0 && state.t < m->t_end; k++) {
        status = resida_solver_step(r->solver, m->t_end);
        resida_stats stats = test_stats(r->solver);
        if (r->learnt < 0 && stats.groups > 0) r->learnt = stats.pattern_updates;
        state = test_state(r->solver);
    }
    if (status < 0) fail_msg("%s", resida_solver_message(r->solver));
    return test_stats(r->solver);
}

/* What is found after the learning, and is no false alarm: entries that are zero at the start (v = 0), and such of 1e-5
 * and less of their row that begin to rise above its rounding: how many depends on the compiler. */
static const struct {
    const char *model, *strategy;
    resida_formalism formalism;
    long most;
} awakenings[] = {
    {"andrews", "fresh", RESIDA_FORMALISM_EXPLICIT, 3},
    {"slider-crank-flexible", "fresh", RESIDA_FORMALISM_EXPLICIT, 3},
    {"flyball", "sparse+partitioned", RESIDA_FORMALISM_RESIDUAL, 3},
    {"train", "fresh", RESIDA_FORMALISM_RESIDUAL, 20},
    {"train", "fresh", RESIDA_FORMALISM_EXPLICIT, 20},
    {"rear-axle", "fresh", RESIDA_FORMALISM_EXPLICIT, 8},
    {"car", "fresh", RESIDA_FORMALISM_RESIDUAL, 8},
    {"car", "fresh", RESIDA_FORMALISM_EXPLICIT, 8},
    {"car", "sparse+partitioned", RESIDA_FORMALISM_EXPLICIT, 3},
    {"flyball", "sparse+partitioned", RESIDA_FORMALISM_EXPLICIT, 3},
    {"flyball", "fresh", RESIDA_FORMALISM_EXPLICIT, 6}, /* searched more often, behind repairs that fail */
    {"bricard", "sparse+partitioned", RESIDA_FORMALISM_RESIDUAL, 4},
    {"bushing-pendulum", "fresh", RESIDA_FORMALISM_RESIDUAL, 3}, /* k l/2 cos(phi): 0 while the rods lie, .. */
    {"bushing-pendulum", "fresh", RESIDA_FORMALISM_EXPLICIT, 3}, /* .. found in two or three evaluations */
};

static long max_awakenings(const char *model, const char *strategy, resida_formalism formalism)
{
    for (size_t i = 0; i < sizeof awakenings / sizeof awakenings[0]; i++)
        if (strcmp(awakenings[i].model, model) == 0 && strcmp(awakenings[i].strategy, strategy) == 0 &&
            awakenings[i].formalism == formalism)
            return awakenings[i].most;
    return 0;
}

static void raise_no_alarm(const resida_model_class *cls, const char *strategy, resida_formalism formalism)
{
    smooth_run r;
    if (open_run(&r, cls, strategy, formalism)) {
        resida_stats stats = step_to_end(&r);
        long late = r.learnt < 0 ? 0 : stats.pattern_updates - r.learnt;
        if (late > 0 || r.learnt > 0)
            print_message("  %-22s %-8s %-18s: grew %ld times while it was learnt, %ld later\n", cls->name,
                          resida_problem_formalism(r.problem), strategy, r.learnt, late);
        assert_true(late <= max_awakenings(cls->name, strategy, formalism));
    }
}

CLAIM(smooth_models_fail_no_pattern_check)
{
    for (const resida_model_class *const *cls = bench_models; *cls; cls++)
        for (int f = 0; f < 2 && *cls != &bench_cam_contact.cls; f++) { /* which is not smooth */
            resida_formalism formalism = f ? RESIDA_FORMALISM_EXPLICIT : RESIDA_FORMALISM_RESIDUAL;
            raise_no_alarm(*cls, "sparse+partitioned", formalism);
            raise_no_alarm(*cls, "fresh", formalism);
        }
}
