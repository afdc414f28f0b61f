/* bench_fixture.c - see bench_fixture.h. Models are made through their class, without the checks of
 * resida_model_create(), so that these tests say something about the models alone. */
#include "bench_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_open(bench *b, const char *name, const bench_setting *settings)
{
    memset(b, 0, sizeof *b);
    b->cls = bench_model_find(name);
    assert_non_null(b->cls);
    double *values = bench_doubles(b->cls->n_parameters);
    for (int i = 0; i < b->cls->n_parameters; i++) values[i] = b->cls->parameters[i].value;
    for (const bench_setting *s = settings; s && s->name; s++) {
        int i = 0;
        while (i < b->cls->n_parameters && strcmp(b->cls->parameters[i].name, s->name) != 0) i++;
        assert_true(i < b->cls->n_parameters);
        values[i] = s->value;
    }
    resida_message why = {""};
    b->model.size = sizeof b->model;
    b->model.mechanism.size = sizeof b->model.mechanism;
    b->model.dae.size = sizeof b->model.dae;
    assert_int_equal(b->cls->create(values, &b->model, &why), 0);
    free(values);
    b->m = &b->model.mechanism;
    b->e = (resida_excitation){b->u, b->ud, b->udd};
    assert_true(b->m->n_u <= BENCH_MOST_U);
}

void bench_close(bench *b)
{
    b->cls->destroy(&b->model);
}

void bench_at(bench *b, double t)
{
    b->t = t;
    if (b->m->n_u > 0) assert_int_equal(b->m->excitation(t, b->u, b->ud, b->udd, b->m->user), 0);
}

void bench_residual(bench *b, const double *p, const double *v, const double *a, double *r)
{
    assert_int_equal(b->m->residual(b->t, p, v, a, &b->e, r, b->m->user), 0);
}

void bench_acceleration(bench *b, const double *p, const double *v, const double *f, double *a)
{
    assert_int_equal(b->m->acceleration(b->t, p, v, f, &b->e, a, b->m->user), 0);
}

/* Values in the order of a pattern to a full matrix; without a pattern they are one already. */
static void expand(const resida_pattern *pattern, int rows, int cols, double *matrix)
{
    if (!pattern->row) return;
    const int entries = pattern->row[rows];
    double *values = bench_doubles(entries);
    memcpy(values, matrix, (size_t)entries * sizeof *values);
    memset(matrix, 0, (size_t)rows * (size_t)cols * sizeof *matrix);
    for (int i = 0; i < rows; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            matrix[(ptrdiff_t)i * cols + pattern->col[k]] = values[k];
    free(values);
}

void bench_mass(bench *b, const double *p, double *M)
{
    assert_int_equal(b->m->mass_matrix(b->t, p, &b->e, M, b->m->user), 0);
    expand(&b->m->M_pattern, b->m->n_v, b->m->n_v, M);
}

void bench_g(bench *b, const double *p, double *g)
{
    assert_int_equal(b->m->constraint(b->t, p, &b->e, g, b->m->user), 0);
}

void bench_G(bench *b, const double *p, double *G)
{
    assert_int_equal(b->m->constraint_matrix(b->t, p, &b->e, G, b->m->user), 0);
    expand(&b->m->G_pattern, b->m->n_g, b->m->n_p, G);
}

void bench_along_v(bench *b, const double *p, const double *v, double *pd)
{
    const int n_p = b->m->n_p, n_v = b->m->n_v;
    memcpy(pd, v, (size_t)n_v * sizeof *pd);
    if (!b->m->kinematic_matrix) return;
    double *T = bench_doubles((long)n_p * n_v);
    assert_int_equal(b->m->kinematic_matrix(b->t, p, &b->e, T, b->m->user), 0);
    expand(&b->m->T_pattern, n_p, n_v, T);
    for (int i = 0; i < n_p; i++) {
        pd[i] = 0;
        for (int j = 0; j < n_v; j++) pd[i] += T[(ptrdiff_t)i * n_v + j] * v[j];
    }
    free(T);
}

void bench_g_rate(bench *b, const double *p, const double *v, double *rate)
{
    const int n_g = b->m->n_g, n = b->m->n_p;
    double *G = bench_doubles((long)n_g * n), *pd = bench_doubles(n);
    bench_G(b, p, G);
    bench_along_v(b, p, v, pd);
    assert_int_equal(b->m->velocity_bias(b->t, p, &b->e, rate, b->m->user), 0);
    for (int i = 0; i < n_g; i++)
        for (int j = 0; j < n; j++) rate[i] += G[(ptrdiff_t)i * n + j] * pd[j];
    free(G);
    free(pd);
}

void bench_bias(bench *b, const double *p, const double *v, double *bias)
{
    assert_int_equal(b->m->acceleration_bias(b->t, p, v, &b->e, bias, b->m->user), 0);
}

double *bench_doubles(long n)
{
    double *x = calloc((size_t)(n > 0 ? n : 1), sizeof *x);
    assert_non_null(x);
    return x;
}

double bench_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's MMIX generator */
    return (double)(*seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

void bench_trial_open(bench_trial *k, const bench_subject *s)
{
    memset(k, 0, sizeof *k);
    bench_open(&k->b, s->name, s->settings);
    k->s = s, k->seed = 20080229;
    k->n = k->b.m->n_v, k->n_g = k->b.m->n_g;
    double **vectors[] = {&k->p, &k->v, &k->a, &k->f, &k->x, &k->y, &k->z};
    for (int i = 0; i < 7; i++) *vectors[i] = bench_doubles(k->n + k->n_g);
    k->M = bench_doubles((long)k->n * k->n);
    k->G = bench_doubles((long)k->n_g * k->n);
}

void bench_trial_close(bench_trial *k)
{
    double *all[] = {k->p, k->v, k->a, k->f, k->x, k->y, k->z, k->M, k->G};
    for (int i = 0; i < 9; i++) free(all[i]);
    bench_close(&k->b);
}

void bench_trial_move(bench_trial *k)
{
    bench_at(&k->b, (1 + bench_random(&k->seed)) / k->s->rate);
    for (int i = 0; i < k->n; i++) {
        const double size = i < k->s->small ? 1 : 1e-3;
        k->p[i] = k->b.model.p0[i] + size * k->s->p_size * bench_random(&k->seed);
        k->v[i] = size * k->s->v_size * bench_random(&k->seed);
        k->a[i] = size * k->s->v_size * k->s->rate * bench_random(&k->seed);
        k->f[i] = bench_random(&k->seed);
    }
}

double bench_largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

void bench_along(int n, const double *x, double h, const double *y, double *out)
{
    for (int i = 0; i < n; i++) out[i] = x[i] + h * y[i];
}

void bench_near_at(double x, double y, double tolerance, const char *file, int line)
{
    if (fabs(x - y) <= tolerance) return;
    print_error("%.17g and %.17g are more than %.3g apart\n", x, y, tolerance);
    _fail(file, line);
}

void bench_all_near_at(int n, const double *x, const double *y, double tolerance, const char *file, int line)
{
    for (int i = 0; i < n; i++) bench_near_at(x[i], y[i], tolerance, file, line);
}
