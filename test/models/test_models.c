/* test_models.c - the equations of the built-in models, each callback against another one or against differences:
 * both formalisms, M, G, the biases, the start, the two DAEs. Energy is the claim of test_model_energy.c, the reference
 * states that of test_model_references.c.
 *
 * Central differences over a step h of a function that varies over lengths of 1/w err by (h w)^2/6 of its derivative
 * and by eps/(h w) of it through rounding: with h w = 1e-5 both are about 2e-11. Where functions are a sum that nearly
 * cancels, the sum of the sizes counts. DIFFERENCES is that with a factor 50 for sums over coordinates. */
#include "test/fixtures/bench_fixture.h"

#define REACH       1e-5
#define DIFFERENCES 1e-9

enum { STATES = 5 };

static const bench_subject subjects[] = {
    {"pendulum", {{NULL, 0}}, 0.5, 2, 3, 99},
    {"bushing-pendulum", {{"k", 300}, {"c", 7}, {"l", 0.8}, {NULL, 0}}, 0.5, 2, 3, 99},
    {"bushing-pendulum", {{"k", 300}, {"root", 1}, {NULL, 0}}, 0.5, 2, 3, 99},
    {"andrews", {{NULL, 0}}, 0.5, 200, 400, 99},
    {"car-axis", {{NULL, 0}}, 0.1, 1, 10, 99},
    {"slider-crank", {{NULL, 0}}, 0.3, 1, 3, 99},
    {"slider-crank-flexible", {{"damping", 1}, {"grav", 9.81}, {NULL, 0}}, 0.3, 100, 150, 3},
    {"bricard", {{"mass", 0.7}, {"length", 1.3}, {NULL, 0}}, 0.5, 1, 3, 99},
    {"rear-axle", {{NULL, 0}}, 0.02, 1, 3, 99},
    {"car", {{NULL, 0}}, 0.02, 1, 3, 99},
    {"car", {{"rigid", 2}, {NULL, 0}}, 0.02, 1, 3, 99},
    {"chain", {{"n", 1}, {NULL, 0}}, 1, 1, 3, 99},
    {"chain", {{"n", 2}, {"d", 0.7}, {NULL, 0}}, 1, 1, 3, 99},
    {"chain", {{NULL, 0}}, 1, 1, 3, 99},
    {"chain", {{"n", 200}, {"m", 0.3}, {"l", 0.4}, {NULL, 0}}, 1, 1, 3, 999},
    {"chain-cartesian", {{"n", 1}, {"omega", 2}, {NULL, 0}}, 0.3, 1, 3, 99},
    {"chain-cartesian", {{"n", 2}, {"omega", 2}, {"d", 0.7}, {NULL, 0}}, 0.3, 1, 3, 99},
    {"chain-cartesian", {{"alpha0", 0.5}, {"d", 0.7}, {NULL, 0}}, 0.3, 1, 3, 99},
};

#define N_SUBJECTS ((int)(sizeof subjects / sizeof *subjects))

/* Call claim() for every subject at every state. */
static void for_all(void (*claim)(bench_trial *k))
{
    for (int i = 0; i < N_SUBJECTS; i++) {
        bench_trial k;
        bench_trial_open(&k, &subjects[i]);
        for (int state = 0; state < STATES; state++) {
            bench_trial_move(&k);
            claim(&k);
        }
    }
}

/* The size of the terms that are summed in M a - Psi. */
static double force_size(bench_trial *k, const double *a)
{
    double most = 0;
    bench_mass(&k->b, k->p, k->M);
    memset(k->z, 0, (size_t)k->n * sizeof *k->z);
    bench_residual(&k->b, k->p, k->v, k->z, k->y);
    for (int i = 0; i < k->n; i++) {
        double sum = fabs(k->y[i]) + fabs(k->f[i]);
        for (int j = 0; j < k->n; j++) sum += fabs(k->M[i * k->n + j] * a[j]);
        most = fmax(most, sum);
    }
    return most;
}

/* A backward stable solve leaves a residual of a few n eps of the terms. */
static void phi_inverts(bench_trial *k)
{
    bench_acceleration(&k->b, k->p, k->v, k->f, k->a);
    bench_residual(&k->b, k->p, k->v, k->a, k->x);
    const double tolerance = 4 * k->n * DBL_EPSILON * force_size(k, k->a);
    for (int i = 0; i < k->n; i++) bench_near(k->x[i], k->f[i], tolerance);
}

CLAIM(explicit_and_residual_formalism_are_inverse)
{
    for_all(phi_inverts);
}

static void mass_matches(bench_trial *k)
{
    double *e = k->f, *with = k->x, *without = k->y;
    memset(e, 0, (size_t)k->n * sizeof *e);
    const double tolerance = 4 * k->n * DBL_EPSILON * (force_size(k, e) + bench_largest(k->n * k->n, k->M));
    bench_residual(&k->b, k->p, k->v, e, without);
    for (int j = 0; j < k->n; j++) {
        e[j] = 1;
        bench_residual(&k->b, k->p, k->v, e, with);
        e[j] = 0;
        for (int i = 0; i < k->n; i++) {
            bench_near(k->M[i * k->n + j], with[i] - without[i], tolerance);
            assert_true(fabs(k->M[i * k->n + j] - k->M[j * k->n + i]) <= tolerance);
        }
    }
}

CLAIM(mass_matrix_is_what_the_residual_multiplies_accelerations_with)
{
    for_all(mass_matches);
}

static void matrix_matches(bench_trial *k)
{
    double *moved = k->a, *ahead = k->x, *behind = k->y;
    if (k->n_g == 0) return;
    bench_G(&k->b, k->p, k->G);
    for (int j = 0; j < k->n; j++) {
        memcpy(moved, k->p, (size_t)k->n * sizeof *moved);
        moved[j] = k->p[j] + REACH;
        bench_g(&k->b, moved, ahead);
        moved[j] = k->p[j] - REACH;
        bench_g(&k->b, moved, behind);
        for (int i = 0; i < k->n_g; i++)
            bench_near(k->G[i * k->n + j], (ahead[i] - behind[i]) / (2 * REACH), DIFFERENCES);
    }
}

CLAIM(constraint_matrix_is_the_derivative_of_the_constraints)
{
    for_all(matrix_matches);
}

static void rate_matches(bench_trial *k)
{
    const double t = k->b.t, h = REACH / k->s->rate;
    if (k->n_g == 0) return;
    memset(k->v, 0, (size_t)k->n * sizeof *k->v);
    bench_g_rate(&k->b, k->p, k->v, k->z);
    bench_at(&k->b, t + h);
    bench_g(&k->b, k->p, k->x);
    bench_at(&k->b, t - h);
    bench_g(&k->b, k->p, k->y);
    for (int i = 0; i < k->n_g; i++) bench_near(k->z[i], (k->x[i] - k->y[i]) / (2 * h), DIFFERENCES * k->s->rate);
}

CLAIM(velocity_bias_is_the_time_derivative_of_the_constraints)
{
    for_all(rate_matches);
}

static void bias_matches(bench_trial *k)
{
    const double t = k->b.t, h = REACH / k->s->rate;
    if (k->n_g == 0) return;
    bench_bias(&k->b, k->p, k->v, k->z);
    bench_along_v(&k->b, k->p, k->v, k->f);
    bench_at(&k->b, t + h);
    bench_along(k->n, k->p, h, k->f, k->a);
    bench_g_rate(&k->b, k->a, k->v, k->x);
    bench_at(&k->b, t - h);
    bench_along(k->n, k->p, -h, k->f, k->a);
    bench_g_rate(&k->b, k->a, k->v, k->y);
    const double size = bench_largest(k->n_g, k->z) + k->s->rate * bench_largest(k->n_g, k->x);
    for (int i = 0; i < k->n_g; i++) bench_near(k->z[i], (k->x[i] - k->y[i]) / (2 * h), DIFFERENCES * size);
}

CLAIM(acceleration_bias_is_the_derivative_at_constant_velocity)
{
    for_all(bias_matches);
}

/* To rounding. */
CLAIM(starts_are_consistent)
{
    for (int s = 0; s < N_SUBJECTS; s++) {
        bench_trial k;
        bench_trial_open(&k, &subjects[s]);
        bench_at(&k.b, k.b.model.t0);
        if (k.n_g > 0) {
            bench_g(&k.b, k.b.model.p0, k.x);
            bench_g_rate(&k.b, k.b.model.p0, k.b.model.v0, k.y);
        }
        for (int i = 0; i < k.n_g; i++) {
            bench_near(k.x[i], 0, 1e-14);
            bench_near(k.y[i], 0, 1e-15 * (1 + bench_largest(k.n, k.b.model.v0)));
        }
    }
}

/* Callbacks of a chain without touching more than O(n) memory: nothing here is a full matrix. */
CLAIM(cartesian_chain_of_ten_thousand_rods_is_sparse)
{
    enum { RODS = 10000 };
    const bench_setting settings[] = {{"n", RODS}, {NULL, 0}};
    bench *b = bench_make("chain-cartesian", settings);
    bench_at(b, 0);
    const int *row = b->m->G_pattern.row, *col = b->m->G_pattern.col;
    assert_int_equal(row[RODS], 4 * RODS - 2);
    for (int i = 0; i < RODS; i++)
        for (int k = row[i]; k < row[i + 1]; k++) assert_int_equal(col[k], 2 * i + 2 - (row[i + 1] - k));
    assert_int_equal(b->m->M_pattern.row[2 * RODS], 2 * RODS);
    double *a = bench_doubles(2 * RODS), *r = bench_doubles(2 * RODS), *entries = bench_doubles(4 * RODS);
    bench_residual(b, b->model.p0, b->model.v0, a, r);
    assert_int_equal(b->m->constraint_matrix(0, b->model.p0, &b->e, entries, b->m->user), 0);
    for (int i = 0; i < RODS; i++) {
        assert_true(r[2 * i] >= 0 && r[2 * i] <= 0);
        bench_near(r[2 * i + 1], 9.81, 0); /* at rest, but for the weight */
        bench_near(entries[row[i + 1] - 1], -2, 0);
    }
    assert_string_equal(b->m->p_names[2 * RODS - 1], "y10000");
    assert_string_equal(b->m->g_names[0], "rod 1");
}

CLAIM(starts_of_the_daes_satisfy_them_with_their_derivative)
{
    const char *const names[] = {"akzo", "robertson"};
    for (int i = 0; i < 2; i++) {
        bench *b = bench_make(names[i], NULL);
        assert_true(b->model.is_dae);
        const resida_dae *d = &b->model.dae;
        double r[6], y[6], later[6];
        assert_int_equal(d->residual(0, b->model.y0, b->model.yp0, &b->e, r, d->user), 0);
        for (int j = 0; j < d->n; j++) bench_near(r[j], 0, 1e-16);
        bench_along(d->n, b->model.y0, REACH, b->model.yp0, y);
        assert_int_equal(d->residual(0, y, b->model.yp0, &b->e, later, d->user), 0);
        for (int j = 0; j < d->n; j++)
            if (d->kinds[j] == RESIDA_ALGEBRAIC) bench_near(later[j], 0, REACH * REACH);
    }
}

/* Equation j of both DAEs has yp[j] when y[j] is differential, and no derivative otherwise. */
CLAIM(kinds_say_whose_derivative_occurs)
{
    const char *const names[] = {"akzo", "robertson"};
    for (int i = 0; i < 2; i++) {
        bench *b = bench_make(names[i], NULL);
        const resida_dae *d = &b->model.dae;
        double before[6], after[6], yp[6] = {0};
        assert_int_equal(d->residual(0, b->model.y0, yp, &b->e, before, d->user), 0);
        for (int j = 0; j < d->n; j++) {
            yp[j] = 1;
            assert_int_equal(d->residual(0, b->model.y0, yp, &b->e, after, d->user), 0);
            yp[j] = 0;
            for (int r = 0; r < d->n; r++)
                bench_near(after[r] - before[r], r == j && d->kinds[j] == RESIDA_DIFFERENTIAL, 4 * DBL_EPSILON);
        }
    }
}

CLAIM(akzo_refuses_a_negative_concentration)
{
    bench *b = bench_make("akzo", NULL);
    double y[6] = {0.4, -1e-9, 0, 0, 0, 0}, r[6];
    assert_true(b->model.dae.residual(0, y, b->model.yp0, &b->e, r, b->model.dae.user) > 0);
}

CLAIM(every_model_is_found_by_its_name_and_names_its_variables)
{
    int count = 0;
    for (const resida_model_class *const *cls = bench_models; *cls; cls++, count++) {
        assert_ptr_equal(bench_model_find((*cls)->name), *cls);
        for (int i = 0; i < (*cls)->n_parameters; i++) {
            const resida_parameter *q = &(*cls)->parameters[i];
            assert_true(q->min <= q->value && q->value <= q->max);
            assert_true(q->name && q->unit && q->text);
        }
        bench *b = bench_make((*cls)->name, NULL);
        assert_true(b->model.t_end > b->model.t0 && b->model.rtol > 0 && b->model.atol > 0);
        const resida_mechanism *m = &b->model.mechanism;
        const char *const *lists[] = {m->p_names, m->v_names, m->g_names, b->model.dae.names};
        const int lengths[] = {m->n_p, m->n_v, m->n_g, b->model.dae.n};
        for (int l = 0; l < 4; l++)
            for (int i = 0; i < lengths[l]; i++) {
                assert_non_null(lists[l][i]);
                for (int j = 0; j < i; j++) assert_string_not_equal(lists[l][i], lists[l][j]);
            }
    }
    assert_int_equal(count, 24);
    assert_null(bench_model_find("pendulums"));
    assert_null(bench_model_find(NULL));
}
