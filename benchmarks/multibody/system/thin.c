/* thin.c - mb_system_thin(), see system.h. An entry counts as zero if Phi_i changes by no more than the rounding of the
 * largest force when coordinate j changes by +step and -step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/util/model_util.h"
#include "system.h"

static const double near_p = 0.01, near_v = 0.5, step = 1e-3, rounding = 1e-12;

/** A generic state, and work arrays for residuals. */
typedef struct probe {
    double *p, *v, *a, *ahead, *behind, *u; /* [n_q], u [3 n_driven] */
    resida_excitation e;
} probe;

static int open_probe(probe *x, const mb_system *s, resida_message *why)
{
    const int n = s->tree.n_q;
    *x = (probe){.p = bench_alloc(5 * n + 3 * s->n_driven, sizeof(double), why)};
    if (!x->p) return 1;
    x->v = x->p + n, x->a = x->v + n, x->ahead = x->a + n, x->behind = x->ahead + n, x->u = x->behind + n;
    x->e = (resida_excitation){x->u, x->u + s->n_driven, x->u + 2 * s->n_driven};
    return 0;
}

static void move_to(probe *x, const mb_system *s, const double *p, const double *v, int which)
{
    for (int i = 0; i < s->tree.n_q; i++) {
        x->p[i] = p[i] + near_p * sin(1.0 + 0.7 * i + 2.3 * which);
        x->v[i] = v[i] + near_v * cos(1.0 + 0.9 * i + 1.7 * which);
        x->a[i] = cos(2.0 + 1.1 * i + 1.3 * which);
    }
    for (int i = 0; i < 3 * s->n_driven; i++) x->u[i] = near_p * sin(0.5 + 0.8 * i + 1.9 * which);
}

/* Mark the rows of column j that change with *coordinate. @return 0, or 1 if Phi cannot be evaluated */
static int try_column(probe *x, mb_system *s, int j, double *coordinate, const mb_pattern *pattern, char *keep)
{
    const double at = *coordinate;
    double largest = 0;
    *coordinate = at + step;
    int failed = mb_system_residual(0, x->p, x->v, x->a, &x->e, x->ahead, s);
    *coordinate = at - step;
    if (!failed) failed = mb_system_residual(0, x->p, x->v, x->a, &x->e, x->behind, s);
    *coordinate = at;
    for (int i = 0; i < s->tree.n_q && !failed; i++) largest = fmax(largest, fabs(x->ahead[i]));
    for (int i = 0; i < s->tree.n_q && !failed; i++) {
        const int k = mb_pattern_find(pattern, i, j);
        if (k >= 0 && fabs(x->ahead[i] - x->behind[i]) > rounding * largest) keep[k] = 1;
    }
    return failed;
}

int mb_system_thin(mb_system *s, const double *p, const double *v, resida_message *why)
{
    const int n = s->tree.n_q;
    probe x;
    char *keep_p = bench_alloc(s->phi_p.row[n], 1, why), *keep_v = bench_alloc(s->phi_v.row[n], 1, why);
    int failed = open_probe(&x, s, why) || !keep_p || !keep_v;
    for (int which = 0; which < 3 && !failed; which++) {
        move_to(&x, s, p, v, which);
        for (int j = 0; j < n && !failed; j++)
            failed =
                try_column(&x, s, j, &x.p[j], &s->phi_p, keep_p) || try_column(&x, s, j, &x.v[j], &s->phi_v, keep_v);
        if (failed && why) snprintf(why->text, sizeof why->text, "the forces near the start cannot be evaluated");
    }
    if (!failed) mb_pattern_keep(&s->phi_p, n, keep_p), mb_pattern_keep(&s->phi_v, n, keep_v);
    free(x.p), free(keep_p), free(keep_v);
    return failed;
}
