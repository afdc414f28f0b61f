/* engine_fixture.c - see engine_fixture.h. Differences of fourth order,
 *
 *     f' = (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h)))/(12 h) + O(h^4 f''''')
 *
 * with h a thousandth of the size of the component: 1e-12 of truncation, 1e-13 of rounding. */
#include "engine_fixture.h"
#include "test/fixtures/solver_fixture.h"
#include "test/fixtures/bench_fixture.h"

#include <limits.h>

#define STEP 1e-3

const bench_subject rig_subjects[RIG_SUBJECTS] = {
    {"pendulum", {{NULL, 0}}, 0.5, 2, 3, 99},
    {"andrews", {{NULL, 0}}, 0.5, 200, 400, 99},
    {"car-axis", {{NULL, 0}}, 0.1, 1, 10, 99},
    {"slider-crank", {{NULL, 0}}, 0.3, 1, 3, 99},
    {"slider-crank-flexible", {{"damping", 1}, {"grav", 9.81}, {NULL, 0}}, 0.3, 100, 150, 3},
    {"chain", {{"n", 5}, {"d", 0.7}, {"omega", 3}, {NULL, 0}}, 1, 1, 3, 99},
    {"chain-cartesian", {{"n", 4}, {"omega", 3}, {NULL, 0}}, 0.3, 1, 3, 99},
    {"chain, bare", {{"n", 3}, {NULL, 0}}, 1, 1, 3, 99},
    {"random", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, bare", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, free", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, friction", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, invariant", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, states", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, states, bare", {{NULL, 0}}, 1, 1, 1, 99},
    {"random, plain states, friction", {{NULL, 0}}, 1, 1, 1, 99},
};

const resida_products *rig_products;

static const char *const first_forms[RIG_FIRST_FORMS] = {"ggl", "index2", "baumgarte"};

static int is_first(const char *name)
{
    for (int i = 0; i < RIG_FIRST_FORMS; i++)
        if (strcmp(name, first_forms[i]) == 0) return 1;
    return 0;
}

const char *rig_form(int i)
{
    if (i < RIG_FIRST_FORMS) return first_forms[i];
    const char *name;
    for (int at = 0, k = RIG_FIRST_FORMS; (name = resida_form_at(at)); at++)
        if (strcmp(name, "ode") != 0 && !is_first(name) && k++ == i) return name;
    return NULL;
}

const bench_subject *rig_subject(const char *name)
{
    for (int i = 0; i < RIG_SUBJECTS; i++)
        if (strcmp(rig_subjects[i].name, name) == 0) return &rig_subjects[i];
    fail_msg("no subject %s", name);
    return NULL;
}

static int is_random(const bench_subject *s)
{
    return strncmp(s->name, "random", 6) == 0;
}

static int is_bare(const bench_subject *s)
{
    return strstr(s->name, ", bare") != NULL;
}

static resida_mechanism open_model(rig *r)
{
    const char *name = claims_text("%.*s", (int)strcspn(r->s->name, ","), r->s->name);
    bench_open(&r->b, name, r->s->settings);
    resida_mechanism m = *r->b.m;
    if (is_bare(r->s)) {
        m.mass_matrix = NULL;
        m.constraint_matrix = NULL;
        m.G_pattern = (resida_pattern){NULL, NULL};
    }
    return m;
}

/* k = sum (1 + i) p_i^2 / 2 + sin(p_0 p_1) */
static int invariant(double t, const double *p, const resida_excitation *e, double *k, void *user)
{
    k[0] = sin(p[0] * p[1]);
    for (int i = 0; i < ((const cm *)user)->n_p; i++) k[0] += (1 + i) * p[i] * p[i] / 2;
    return 0;
}

static int invariant_matrix(double t, const double *p, const resida_excitation *e, double *K, void *user)
{
    for (int i = 0; i < ((const cm *)user)->n_p; i++) K[i] = (1 + i) * p[i];
    K[0] += p[1] * cos(p[0] * p[1]);
    K[1] += p[0] * cos(p[0] * p[1]);
    return 0;
}

static resida_mechanism with_invariant(resida_mechanism m)
{
    m.n_k = 1;
    m.invariant = invariant;
    m.invariant_matrix = invariant_matrix;
    return m;
}

static resida_mechanism open_mechanism(rig *r)
{
    const char *name = r->s->name;
    if (!is_random(r->s)) return open_model(r);
    if (strcmp(name, "random, free") == 0) {
        r->c = (cm){.n_p = 7, .n_v = 6, .n_u = 2, .with_T = 1, .sparse = 1};
        cm_make(&r->c, 5);
    } else if (strstr(name, "plain")) {
        r->c = (cm){.n_p = 5, .n_v = 5, .n_g = 2, .n_h = 1, .n_u = 1, .sparse = 1};
        cm_make(&r->c, 7);
    } else {
        cm_make_rich(&r->c, 3);
    }
    if (strstr(name, "friction")) r->c.friction = 0.2;
    resida_mechanism m = cm_mechanism(&r->c, is_bare(r->s) ? CM_NOTHING : CM_ALL);
    if (strstr(name, "states")) return ws_mechanism(&r->w, &m, 0);
    return strcmp(name, "random, invariant") == 0 ? with_invariant(m) : m;
}

int rig_has_mass(const rig *r)
{
    return !is_bare(r->s);
}

static void open_solver(rig *r)
{
    resida_solver_options o = test_solver_options();
    o.jacobian = r->strategy;
    r->solver = test_solver_of(r->problem, &o);
    assert_string_equal(resida_jacobian_strategy(r->solver->engine), r->strategy);
}

void rig_open(rig *r, const bench_subject *s, const char *form, resida_formalism formalism, const char *strategy)
{
    *r = (rig){.s = s, .form = form, .strategy = strategy, .seed = 20080229};
    resida_mechanism m = open_mechanism(r);
    resida_problem_options o = test_problem_options();
    o.form = form;
    o.formalism = formalism;
    o.products = rig_products;
    if (resida_option_fits(resida_option_find("gamma"), form, NULL)) o.gamma = 3;
    if (resida_option_fits(resida_option_find("penalty"), form, NULL)) o.penalty = 2;
    r->problem = test_problem(&m, &o);
    assert_int_equal(resida_problem_layout(r->problem, &r->l), RESIDA_OK);
    r->formalism = resida_problem_formalism(r->problem);
    r->n = r->l.n;
    open_solver(r);
    double **vectors[] = {&r->y, &r->yp, &r->F, &r->scale, &r->rate_of_scale};
    for (int i = 0; i < 5; i++) *vectors[i] = bench_doubles(r->n);
    rig_move(r);
    if (strcmp(form, "state-space") != 0) return;
    rsd_projection_freeze(&r->problem->rows->D, r->problem->mechanism); /* with the matrices of that state */
    rig_move(r);
}

/* Sizes: p and v as the subject says, lam 5, eta 0.1. */
static void set_sizes(rig *r, int i, double *size, double *rate_size)
{
    const resida_layout *l = &r->l;
    int is_p = i < l->v, is_v = !is_p && i < l->v + l->n_v, k = is_p ? i - l->p : i - l->v;
    double small = k < r->s->small ? 1 : 1e-3;
    double a_size = r->s->v_size * r->s->rate, multiplier = l->eta_k >= 0 && i >= l->eta_k ? 0.1
                                                            : l->tau >= 0 && i >= l->tau   ? 0.1 * a_size
                                                            : l->eta >= 0 && i >= l->eta   ? 0.1
                                                                                           : 5;
    *size = is_p                                                       ? small * r->s->p_size
            : is_v                                                     ? small * r->s->v_size
            : l->a >= 0 && i >= l->a && (l->eta_k < 0 || i < l->eta_k) ? a_size
                                                                       : multiplier;
    *rate_size = is_p ? small * r->s->v_size : is_v ? small * a_size : l->rates ? multiplier : 1;
}

void rig_refresh(rig *r)
{
    r->at.y = r->y;
    r->at.yp = r->yp;
    r->at.F = r->F;
    r->at.h = 1 / r->at.alpha;
    assert_int_equal(rsd_guard_eval_part(&r->solver->guard, RSD_FOR_START, RSD_ROWS_ALL, r->at.t, r->y, r->yp, r->F),
                     0);
}

void rig_move(rig *r)
{
    const double *p0 = is_random(r->s) ? r->c.p0 : r->b.model.p0;
    r->at.t = (1 + bench_random(&r->seed)) / r->s->rate;
    r->at.alpha = 10 * r->s->rate * (3 + bench_random(&r->seed));
    for (int i = 0; i < r->n; i++) {
        set_sizes(r, i, &r->scale[i], &r->rate_of_scale[i]);
        r->y[i] = r->scale[i] * bench_away(&r->seed) + (i < r->l.v ? p0[i] : 0);
        r->yp[i] = r->rate_of_scale[i] * bench_away(&r->seed);
    }
    rig_refresh(r);
}

/* Where the loop is thinned one of so many; another one for each caller. */
static void each(int n_forms, const char *strategy, void (*check)(rig *r, void *user), void *user)
{
    static const resida_formalism formalisms[] = {RESIDA_FORMALISM_RESIDUAL, RESIDA_FORMALISM_EXPLICIT};
    static long turn;
    turn++;
    for (int i = 0; i < RIG_SUBJECTS; i++) {
        const char *name = rig_subjects[i].name;
        int is_free =
            strcmp(name, "chain") == 0 || strcmp(name, "chain, bare") == 0 || strcmp(name, "random, free") == 0;
        for (int k = 0; k < 2; k++)
            for (int f = 0; f < (is_free ? 1 : n_forms) && rig_form(f); f++) {
                rig r;
                if (turn++ % claims_one_of() != 0) continue;
                rig_open(&r, &rig_subjects[i], is_free ? "ode" : rig_form(f), formalisms[k], strategy);
                check(&r, user);
            }
    }
}

void rig_each(const char *strategy, void (*check)(rig *r, void *user), void *user)
{
    each(RIG_FIRST_FORMS, strategy, check, user);
}

void rig_each_form(const char *strategy, void (*check)(rig *r, void *user), void *user)
{
    each(INT_MAX, strategy, check, user);
}

void rig_part(rig *r, rsd_rows_part part, int c, double dy, double dyp, double *out)
{
    double y = r->y[c], yp = r->yp[c];
    r->y[c] += dy;
    r->yp[c] += dyp;
    assert_int_equal(rsd_problem_eval_part(r->problem, part, r->at.t, r->y, r->yp, out), 0);
    r->y[c] = y;
    r->yp[c] = yp;
}

void rig_differences(rig *r, rsd_rows_part part, double sy, double syp, double *J)
{
    static const double shifts[] = {1, -1, 2, -2}, factors[] = {8, -8, -1, 1};
    double *f = bench_doubles(r->n);
    memset(J, 0, (size_t)r->n * (size_t)r->n * sizeof *J);
    for (int c = 0; c < r->n; c++) {
        double h = STEP * (sy != 0 ? r->scale[c] : r->rate_of_scale[c]);
        for (int k = 0; k < 4; k++) {
            rig_part(r, part, c, sy * shifts[k] * h, syp * shifts[k] * h, f);
            for (int i = 0; i < r->n; i++) {
                assert_true(isfinite(f[i]));
                J[c * r->n + i] += factors[k] * f[i] / (12 * h);
            }
        }
    }
}

int rig_setup(rig *r, resida_setup_reason reason, long *calls)
{
    int current = -1;
    long before = r->problem->mechanism->formalism_calls, counted = rig_counts(r).residual_calls;
    assert_int_equal(resida_jacobian_setup(r->solver->engine, reason, &r->at, &current), 0);
    long made = r->problem->mechanism->formalism_calls - before;
    assert_int_equal(made, rig_counts(r).residual_calls - counted);
    if (calls) *calls = made;
    return current;
}

void rig_full(rig *r, double *J)
{
    get_full(r->solver->engine, r->n, J);
}

resida_jacobian_counts rig_counts(const rig *r)
{
    resida_jacobian_counts counts;
    assert_int_equal(resida_jacobian_get_counts(r->solver->engine, &counts), RESIDA_OK);
    return counts;
}
