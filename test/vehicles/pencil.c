/* pencil.c - see pencil.h. Rows are scaled to one before QZ: equations of motion have entries from 1e-4 to 1e8. */
#include "pencil.h"
#include "test/fixtures/solver_fixture.h"

void dggev_(const char *left, const char *right, const int *n, double *a, const int *lda, double *b, const int *ldb,
            double *alpha_re, double *alpha_im, double *beta, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info);

void pencil_open(pencil *k, bench *b)
{
    const resida_model *m = &b->model;
    resida_message why = {""};
    *k = (pencil){.t = m->t0};
    k->problem = test_problem(&m->mechanism, NULL);
    assert_int_equal(resida_problem_layout(k->problem, &k->layout), RESIDA_OK);
    const resida_layout *l = &k->layout;
    k->n = l->n;
    k->y = bench_doubles(l->n), k->yp = bench_doubles(l->n);
    double *lam = bench_doubles(l->n_g + l->n_h);
    if (resida_problem_start(k->problem, m->t0, m->p0, m->v0, NULL, k->y + l->p, k->y + l->v, k->yp + l->v, lam, NULL,
                             &why) < 0)
        fail_msg("%s", why.text);
    for (int i = 0; i < l->n_p; i++) k->yp[l->p + i] = k->y[l->v + i];
    for (int i = 0; i < l->n_g; i++) k->y[l->lam + i] = lam[i];
}

void pencil_jacobian(pencil *k, int of_rate, double h, double *J)
{
    double *ahead = bench_doubles(k->n), *behind = bench_doubles(k->n), *x = of_rate ? k->yp : k->y;
    for (int j = 0; j < k->n; j++) {
        const double at = x[j], step = h * (1 + fabs(at));
        x[j] = at + step;
        assert_int_equal(resida_problem_residual(k->t, k->y, k->yp, ahead, k->problem), 0);
        x[j] = at - step;
        assert_int_equal(resida_problem_residual(k->t, k->y, k->yp, behind, k->problem), 0);
        x[j] = at;
        for (int i = 0; i < k->n; i++) J[(ptrdiff_t)i * k->n + j] = (ahead[i] - behind[i]) / (2 * step);
    }
}

/* A = -dF/dy, B = dF/dyp by columns, rows scaled by their largest entry. */
static void matrices(pencil *k, double *A, double *B)
{
    const int n = k->n;
    double *J = bench_doubles((long)n * n), *E = bench_doubles((long)n * n);
    pencil_jacobian(k, 0, 1e-7, J);
    pencil_jacobian(k, 1, 1e-3, E);
    for (int i = 0; i < n; i++) {
        const double size = fmax(bench_largest(n, J + (ptrdiff_t)i * n), bench_largest(n, E + (ptrdiff_t)i * n));
        for (int j = 0; j < n; j++) {
            A[i + (ptrdiff_t)j * n] = -J[(ptrdiff_t)i * n + j] / size;
            B[i + (ptrdiff_t)j * n] = E[(ptrdiff_t)i * n + j] / size;
        }
    }
}

typedef struct value {
    double re, im;
} value;

static int by_im(const void *a, const void *b)
{
    const value *x = a, *y = b;
    return x->im > y->im ? 1 : x->im < y->im ? -1 : (x->re > y->re) - (x->re < y->re);
}

int pencil_eigenvalues(pencil *k, double most, double *re, double *im)
{
    const int n = k->n, lwork = 16 * n, one = 1;
    double *A = bench_doubles((long)n * n), *B = bench_doubles((long)n * n), *alpha = bench_doubles(3 * n);
    double *work = bench_doubles(lwork), none = 0;
    value *found = claims_zeros((size_t)n, sizeof *found);
    int info = 0, count = 0;
    assert_non_null(found);
    matrices(k, A, B);
    dggev_("N", "N", &n, A, &n, B, &n, alpha, alpha + n, alpha + 2 * n, &none, &one, &none, &one, work, &lwork, &info);
    assert_int_equal(info, 0);
    for (int i = 0; i < n; i++) {
        const double beta = alpha[2 * n + i];
        if (hypot(alpha[i], alpha[n + i]) < most * fabs(beta) && alpha[n + i] >= 0)
            found[count++] = (value){alpha[i] / beta, alpha[n + i] / beta};
    }
    qsort(found, (size_t)count, sizeof *found, by_im);
    for (int i = 0; i < count; i++) re[i] = found[i].re, im[i] = found[i].im;
    return count;
}

void pencil_has(int count, const double *re, const double *im, double hertz, double unit, double damping,
                double unit_damping)
{
    const double turn = 4 * acos(0.0);
    for (int i = 0; i < count; i++) {
        const double size = hypot(re[i], im[i]);
        /* frequencies are printed either damped or undamped */
        const int fits = fabs(im[i] / turn - hertz) <= unit / 2 || fabs(size / turn - hertz) <= unit / 2;
        if (im[i] > 0 && fits && fabs(-re[i] / size - damping) <= unit_damping / 2) return;
    }
    fail_msg("no eigenvalue at %g Hz with damping %g", hertz, damping);
}
