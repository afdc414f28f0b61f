/* statics.c - see statics.h. Each correction solves
 *
 *     [ dPhi/dp + d(G'lam)/dp   G' ] [ dp   ]     [ Phi + G'lam ]
 *     [ G                       0  ] [ dlam ] = - [ g           ]
 *
 * by KLU. */
#include "statics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "constraint.h"

enum { MOST_ITERATIONS = 60 };

typedef struct work {
    const bm_system *s;
    resida_excitation e;
    double *K, *G, *r; /* r [n + n_row] */
    bm_entry *entry;
    int *start, *row; /* the matrix by columns */
    double *value;
} work;

/* --- the matrix --- */

static int by_column(const void *a, const void *b)
{
    const bm_entry *x = a, *y = b;
    return x->col != y->col ? (x->col > y->col) - (x->col < y->col) : (x->row > y->row) - (x->row < y->row);
}

/* Entries of a matrix in a pattern, and those of its transpose where `mirrored`. @return the number of all */
static int collect(bm_entry *entry, int n, const resida_pattern *pattern, int rows, const double *value, int first_row,
                   int mirrored)
{
    for (int i = 0; i < rows; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            entry[n++] = (bm_entry){first_row + i, pattern->col[k], value[k]};
            if (mirrored) entry[n++] = (bm_entry){pattern->col[k], first_row + i, value[k]};
        }
    return n;
}

/* Sorted entries to columns, pieces of one entry added. */
static void to_columns(work *w, int n_entry, int n)
{
    int size = 0;
    qsort(w->entry, (size_t)n_entry, sizeof *w->entry, by_column);
    for (int j = 0, k = 0; j < n; j++) {
        w->start[j] = size;
        for (; k < n_entry && w->entry[k].col == j; k++) {
            const int is_piece = size > w->start[j] && w->row[size - 1] == w->entry[k].row;
            if (!is_piece) w->row[size] = w->entry[k].row, w->value[size++] = 0;
            w->value[size - 1] += w->entry[k].value;
        }
    }
    w->start[n] = size;
}

static void fill_matrix(work *w, const double *p, const double *lam)
{
    const bm_system *s = w->s;
    const int n = BM_P * s->n_node;
    bm_stiffness(s, p, NULL, &w->e, w->K, NULL);
    int entries = bm_curvature(s, &w->e, lam, w->entry);
    entries = collect(w->entry, entries, &s->Phi_p_pattern, n, w->K, 0, 0);
    entries = collect(w->entry, entries, &s->G_pattern, s->n_row, w->G, n, 1);
    to_columns(w, entries, n + s->n_row);
}

/* w->r = matrix^-1 w->r. @return 0; 1 when it is singular */
static int solve(work *w, int n)
{
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(n, w->start, w->row, &common);
    klu_numeric *numeric = symbolic ? klu_factor(w->start, w->row, w->value, symbolic, &common) : NULL;
    const int solved = numeric && klu_solve(symbolic, numeric, n, 1, w->r, &common);
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
    return !solved;
}

/* --- Newton's method --- */

static void fill_residual(work *w, const double *p, const double *lam)
{
    const bm_system *s = w->s;
    const int n = BM_P * s->n_node;
    bm_forces(s, p, NULL, &w->e, w->r);
    for (int i = 0; i < n; i++) w->r[i] = -w->r[i];
    (void)bm_constraint_matrix(0, p, &w->e, w->G, (void *)s);
    (void)bm_constraint(0, p, &w->e, w->r + n, (void *)s);
    for (int i = 0; i < s->n_row; i++)
        for (int k = s->G_pattern.row[i]; k < s->G_pattern.row[i + 1]; k++)
            w->r[s->G_pattern.col[k]] += w->G[k] * lam[i];
}

/* One correction. @return its largest part of p; negative when there is none */
static double correct(work *w, double *p, double *lam)
{
    const int n = BM_P * w->s->n_node;
    double size = 0;
    fill_residual(w, p, lam);
    fill_matrix(w, p, lam);
    if (solve(w, n + w->s->n_row)) return -1;
    for (int i = 0; i < n; i++) p[i] -= w->r[i], size = fmax(size, fabs(w->r[i]));
    for (int i = 0; i < w->s->n_row; i++) lam[i] -= w->r[n + i];
    return isfinite(size) ? size : -1;
}

/* Until corrections no longer shrink: then rounding is all that is left. On the way to it, until they are small. */
static int converge(work *w, int is_last, double *p, double *lam)
{
    const double small = 1e-9, on_the_way = 1e-4; /* of a director's length */
    double before = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        const double now = correct(w, p, lam);
        if (now < 0) return 1;
        if (is_last ? now < small && now >= before / 2 : now < on_the_way) return 0;
        before = now;
    }
    return 1;
}

static int open_work(work *w, const bm_system *s, int n_u)
{
    const int n = BM_P * s->n_node, all = n + s->n_row;
    const double *none = s->p0; /* any values: bm_curvature() counts */
    const resida_excitation e = {none, none, none};
    const int of_K = s->Phi_p_pattern.row[n], of_G = s->G_pattern.row[s->n_row];
    const int entries = of_K + 2 * of_G + bm_curvature(s, &e, none, NULL);
    double *still = calloc((size_t)(3 * n_u + 1), sizeof *still);
    *w = (work){.s = s, .e = {still, still ? still + n_u : NULL, still ? still + 2 * n_u : NULL}};
    w->K = calloc((size_t)of_K, sizeof *w->K), w->G = calloc((size_t)of_G, sizeof *w->G);
    w->r = calloc((size_t)all, sizeof *w->r);
    w->entry = calloc((size_t)entries, sizeof *w->entry), w->value = calloc((size_t)entries, sizeof *w->value);
    w->start = calloc((size_t)(all + 1), sizeof *w->start), w->row = calloc((size_t)entries, sizeof *w->row);
    return !still || !w->K || !w->G || !w->r || !w->entry || !w->value || !w->start || !w->row;
}

static void close_work(work *w)
{
    free((void *)w->e.u);
    free(w->K), free(w->G), free(w->r), free(w->entry), free(w->value), free(w->start), free(w->row);
}

int bm_equilibrium(const bm_system *s, int n_u, const double *u, int steps, double *p, double *lam, resida_message *why)
{
    work w;
    int k = 0, failed = open_work(&w, s, n_u);
    double *now = (double *)w.e.u;
    while (!failed && k < steps) {
        k++;
        for (int i = 0; i < n_u; i++) now[i] = u[i] * k / steps;
        failed = converge(&w, k == steps, p, lam);
    }
    close_work(&w);
    if (failed && why) snprintf(why->text, sizeof why->text, "no equilibrium at load step %d of %d", k, steps);
    return failed;
}
