/* rest_stability.c - what becomes of a small displacement. J at two alphas gives dF/dy and dF/dyp; of a mechanism its
 * rows of Phi, K = dPhi/dp with G'lam, D = dPhi/dv, M, L = G' + dPhi/dlam, are taken to independent coordinates:
 *
 *     dp = T Zq q,   dv = Zx x,   G Zq = 0,   (G, Gh) Zx = 0,   Y'L = 0
 *     q' = Zq' Zx x,   Y'M Zx x' = - Y'K T Zq q - Y'D Zx x
 *
 * Zx holds the states z, too. Free directions of q are taken out, with their zero eigenvalues: rounding would make
 * slow modes of them. A general DAE is - dF/dyp x' = dF/dy x. */
#include "modes.h"
#include "rest.h"

#include <math.h>
#include <string.h>

#define ALPHA     1e4  /* at which dF/dyp shows in J beside dF/dy */
#define DEPENDS   1e-9 /* of the largest singular value, columns of norm one */
#define IMAGINARY 1e-6 /* of an eigenvalue: a smaller real part is not told from 0 */

enum { MOST_STATES = 400, MOST_MATRICES = 40 };

/* Matrices column by column; kept together to be freed together. */
typedef struct pool {
    const resida_allocator *alloc;
    double *block[MOST_MATRICES];
    int n, failed;
} pool;

static double *take(pool *w, long rows, long columns)
{
    double *x = w->n < MOST_MATRICES ? rsd_matrix(w->alloc, rows, columns) : NULL;
    if (x)
        w->block[w->n++] = x;
    else
        w->failed = 1;
    return x;
}

/* C [m x n] = A' B for A [k x m], B [k x n]; transposed = 0: A B for A [m x k]. */
static double *product(pool *w, int transposed, int m, int k, int n, const double *A, const double *B)
{
    double *C = take(w, m, n);
    if (!C) return NULL;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += (transposed ? A[(long)i * k + l] : A[(long)l * m + i]) * B[(long)j * k + l];
            C[(long)j * m + i] = sum;
        }
    return C;
}

/* What is orthogonal to the columns of B [m x n], of which `lead` is the leading dimension: [m x *d]. */
static double *complement(pool *w, int m, int n, const double *B, int lead, int *d)
{
    const int n_work = rsd_dense_work(m, n);
    double *A = take(w, m, n), *U = take(w, m, m), *Vt = take(w, n, n), *s = take(w, m < n ? m : n, 1);
    double *work = n_work > 0 ? take(w, n_work, 1) : NULL;
    int rank = 0;
    *d = 0;
    if (w->failed || !work) {
        w->failed = 1;
        return NULL;
    }
    for (int j = 0; j < n; j++) {
        double norm = 0;
        for (int i = 0; i < m; i++) norm = fmax(norm, fabs(B[(long)j * lead + i]));
        for (int i = 0; i < m; i++) A[(long)j * m + i] = norm > 0 ? B[(long)j * lead + i] / norm : 0;
    }
    if (rsd_dense_singular_values(m, n, A, s, U, Vt, work, n_work)) w->failed = 1;
    while (rank < m && rank < n && s[rank] > DEPENDS * s[0]) rank++;
    *d = m - rank;
    double *C = take(w, m, *d);
    if (C) memcpy(C, U + (long)rank * m, (size_t)m * (size_t)*d * sizeof *C);
    for (double **b = (double *[]){A, U, Vt, s, work, NULL}; *b; b++) /* room for others */
        for (int i = 0; i < w->n; i++)
            if (w->block[i] == *b) {
                rsd_free(w->alloc, *b);
                w->block[i] = w->block[--w->n];
            }
    return C;
}

static double *part_of(pool *w, const resida_jacobian_matrix *J, const int rows[2], const int columns[2])
{
    double *B = take(w, rows[1], columns[1]);
    for (int j = 0; j < columns[1] && B; j++)
        for (int c = columns[0] + j, e = J->start[c]; e < J->start[c + 1]; e++)
            if (J->row[e] >= rows[0] && J->row[e] < rows[0] + rows[1])
                B[(long)j * rows[1] + J->row[e] - rows[0]] = J->values[e];
    return B;
}

/* What is linearised. */
typedef struct linear {
    pool w;
    int n_p, n_v, n_w, n_l, n_g;
    double *K, *D, *M, *L, *G; /* G' [n_v x n_l] */
    double *T;                 /* [n_p x n_w]; NULL: unit matrix */
    int n;                     /* of the pencil */
    double *E, *A;
} linear;

/* ALPHA M from J at alpha, less what it has at 0. */
static int read_blocks(rsd_rest *x, linear *q)
{
    const resida_layout *l = &x->q->layout;
    const int dae = !x->q->mechanism, rows[] = {dae ? 0 : l->v, dae ? x->n : l->n_v}, of_p[] = {l->p, l->n_p};
    const int of_l[] = {l->lam, q->n_l};
    resida_jacobian_matrix J;
    int verdict = rsd_rest_renew(x, 0, &J);
    if (verdict) return verdict;
    q->D = part_of(&q->w, &J, rows, rows);
    if (!dae) q->K = part_of(&q->w, &J, rows, of_p);
    if (!dae && q->n_l > 0) q->L = part_of(&q->w, &J, rows, of_l);
    if ((verdict = rsd_rest_renew(x, ALPHA, &J))) return verdict;
    q->M = part_of(&q->w, &J, rows, rows);
    for (long k = 0; k < (long)rows[1] * rows[1] && !q->w.failed; k++) q->M[k] = (q->M[k] - q->D[k]) / ALPHA;
    return 0;
}

/* G' and T at the point. */
static int read_constraints(rsd_rest *x, linear *q)
{
    rsd_mechanism *k = x->q->mechanism;
    rsd_guard *g = &x->s->guard;
    rsd_guard_expect(g);
    const int verdict = rsd_guard_judge(g, x->t, rsd_rows_begin_with_G(x->q->rows, x->t, x->y), NULL, 0);
    if (verdict) return verdict;
    if (q->n_l > 0 && (q->G = take(&q->w, q->n_v, q->n_l))) rsd_full_G(k, q->G); /* by rows: its transpose */
    if (k->m.kinematic_matrix && (q->T = take(&q->w, q->n_p, q->n_w))) {
        double *by_rows = take(&q->w, q->n_p, q->n_w);
        if (by_rows) rsd_csr_to_full(&k->T, k->T_values, by_rows);
        for (int i = 0; i < q->n_p && by_rows; i++)
            for (int j = 0; j < q->n_w; j++) q->T[(long)j * q->n_p + i] = by_rows[(long)i * q->n_w + j];
    }
    return 0;
}

/* dp of free direction k: a null vector, or behind those what turns steadily. b [n_p]. @return its largest part */
static double free_of_p(const rsd_rest *x, const linear *q, int k, double *b)
{
    const resida_layout *l = &x->q->layout;
    double most = 0;
    int turning = x->n_free - 1;
    for (int j = 0; j < x->n_x; j++) {
        const int c = x->column[j], is_rate = c >= l->v && c < l->v + q->n_w;
        turning += is_rate;
        if (k < x->n_free && c < l->p + q->n_p) b[c - l->p] = x->free[(long)k * x->n_x + j];
        if (is_rate && turning == k) b[c - l->v] = 1;
    }
    for (int i = 0; i < q->n_p; i++) most = fmax(most, fabs(b[i]));
    return most;
}

/* Free directions as q [qd x *n], T Zq q = dp. */
static double *free_of_q(rsd_rest *x, linear *q, const double *TZ, int qd, int *n)
{
    const int most = x->n_free + x->report->n_steady, rows = q->n_p > qd ? q->n_p : qd, work = rsd_dense_work(rows, qd);
    double *out = take(&q->w, qd, most), *b = take(&q->w, rows, 1), *A = take(&q->w, q->n_p, qd);
    double *w = take(&q->w, work, 1);
    int *perm = rsd_calloc(q->w.alloc, qd, sizeof *perm);
    q->w.failed |= !perm;
    *n = 0;
    for (int k = 0; k < most && !q->w.failed; k++) {
        memset(b, 0, (size_t)rows * sizeof *b);
        if (!(free_of_p(x, q, k, b) > 0)) continue; /* of multipliers alone */
        memcpy(A, TZ, (size_t)q->n_p * (size_t)qd * sizeof *A);
        (void)rsd_least_norm(q->n_p, qd, A, b, DEPENDS, perm, w, work);
        memcpy(out + (long)(*n)++ * qd, b, (size_t)qd * sizeof *b);
    }
    rsd_free(q->w.alloc, perm);
    return out;
}

static void place(linear *q, double *to, int row, int column, int m, int n, const double *from, double sign)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) to[(long)(column + j) * q->n + row + i] = sign * from[(long)j * m + i];
}

/* The pencil of a mechanism. @return 0: forces and constraints do not fit */
static int reduce(rsd_rest *x, linear *q)
{
    pool *w = &q->w;
    int qd = q->n_w, xd = q->n_v, yd = q->n_v, free = 0, cd = 0;
    const double *none = q->M; /* of no columns */
    double *Zq = complement(w, q->n_w, q->n_g, q->G ? q->G : none, q->n_v, &qd);
    double *Zx = complement(w, q->n_v, q->n_l, q->G ? q->G : none, q->n_v, &xd);
    double *Y = complement(w, q->n_v, q->n_l, q->L ? q->L : none, q->n_v, &yd);
    if (w->failed || xd != yd) return 0;
    double *TZ = q->T ? product(w, 0, q->n_p, q->n_w, qd, q->T, Zq) : Zq;
    double *N = w->failed ? NULL : free_of_q(x, q, TZ, qd, &free);
    double *Zc = N ? complement(w, qd, free, N, qd, &cd) : NULL;
    if (w->failed) return 0;
    q->n = cd + xd;
    double *ZqZc = product(w, 0, q->n_w, qd, cd, Zq, Zc), *TZc = product(w, 0, q->n_p, qd, cd, TZ, Zc);
    double *Zxw = take(w, q->n_w, xd); /* the rows of Zx that move positions */
    for (int j = 0; j < xd && Zxw; j++)
        memcpy(Zxw + (long)j * q->n_w, Zx + (long)j * q->n_v, (size_t)q->n_w * sizeof *Zx);
    if (w->failed) return 0;
    double *YK = product(w, 1, xd, q->n_v, q->n_p, Y, q->K), *YD = product(w, 1, xd, q->n_v, q->n_v, Y, q->D);
    double *YM = product(w, 1, xd, q->n_v, q->n_v, Y, q->M), *C = product(w, 1, cd, q->n_w, xd, ZqZc, Zxw);
    if (w->failed) return 0;
    double *Kr = product(w, 0, xd, q->n_p, cd, YK, TZc), *Dr = product(w, 0, xd, q->n_v, xd, YD, Zx);
    double *Mr = product(w, 0, xd, q->n_v, xd, YM, Zx);
    q->E = rsd_matrix(w->alloc, q->n, q->n), q->A = rsd_matrix(w->alloc, q->n, q->n);
    w->failed |= !q->E || !q->A;
    if (w->failed) return 0;
    for (int i = 0; i < cd; i++) q->E[(long)i * q->n + i] = 1;
    place(q, q->E, cd, cd, xd, xd, Mr, 1);
    place(q, q->A, 0, cd, cd, xd, C, 1);
    place(q, q->A, cd, 0, xd, cd, Kr, -1);
    place(q, q->A, cd, cd, xd, xd, Dr, -1);
    return 1;
}

static resida_status unknown(rsd_rest *x, const char *reason)
{
    rsd_message_append(&x->report->judged, "stability is not judged: %s", reason);
    return RESIDA_OK;
}

/* Full matrices alone show that no mode grows: the eigenvalues nearest to a shift say nothing of the others. */
static resida_status too_many(rsd_rest *x, int states)
{
    rsd_message_append(&x->report->judged,
                       "stability is not judged: %d states, %d at the most; some of their eigenvalues, nearest to a "
                       "frequency: resida_linearize_mechanism(), resida_linearize()",
                       states, MOST_STATES);
    return RESIDA_OK;
}

/* The counts, and the eigenvalue that is farthest to the right. */
static void count(resida_equilibrium_report *r, int hidden, const double *re, const double *im)
{
    for (int i = 0; i < r->n_modes; i++) {
        const int lasts = i < hidden || fabs(re[i]) <= IMAGINARY * hypot(re[i], im[i]);
        const double growth = lasts ? 0 : re[i];
        r->n_lasting += lasts;
        r->n_growing += growth > 0;
        if (isnan(r->growth) || growth > r->growth) {
            r->growth = growth;
            r->frequency = i < hidden ? 0 : fabs(im[i]);
        }
    }
}

static resida_status conclude(rsd_rest *x, int hidden, const double *re, const double *im)
{
    resida_equilibrium_report *r = x->report;
    resida_message *out = &r->judged;
    count(r, hidden, re, im);
    if (r->n_growing > 0) {
        r->stability = RESIDA_STABILITY_GROWING;
        rsd_message_append(out, "unstable: %d of %d modes grow%s, the fastest as exp(%.4g t)", r->n_growing, r->n_modes,
                           r->n_growing == 1 ? "s" : "", r->growth);
    } else if (hidden > r->n_free) {
        rsd_message_append(out,
                           "stability is not judged: %d of %d modes are too slow beside the fastest to be told "
                           "from rest; no other grows",
                           hidden, r->n_modes);
    } else if (r->n_lasting > 0 || r->n_free > 0) {
        r->stability = RESIDA_STABILITY_NEUTRAL;
        rsd_message_append(out, "neutral: no mode grows, %d of %d do not decay%s", r->n_lasting, r->n_modes,
                           r->n_free > 0 ? "; what is free stays where it is put" : "");
    } else {
        r->stability = RESIDA_STABILITY_DECAYING;
        if (r->n_modes > 0)
            rsd_message_append(out, "stable: all %d modes decay, the slowest as exp(%.4g t)", r->n_modes, r->growth);
        else
            rsd_message_append(out, "stable: constraints leave nothing that could move");
    }
    return RESIDA_OK;
}

static resida_status find_modes(rsd_rest *x, linear *q)
{
    const resida_allocator *a = q->w.alloc;
    double *re = rsd_doubles(a, q->n), *im = rsd_doubles(a, q->n);
    resida_status status = RESIDA_ERR_MEMORY;
    int hidden = 0;
    const rsd_modes_outcome outcome =
        re && im ? rsd_modes_find(q->n, q->E, q->A, a, &x->report->n_modes, &hidden, re, im) : RSD_MODES_NO_MEMORY;
    if (outcome == RSD_MODES_FOUND) status = conclude(x, hidden, re, im);
    if (outcome == RSD_MODES_INDEX) status = unknown(x, "the index of the linearised system is above 1");
    if (outcome == RSD_MODES_NOT_CONVERGED) status = unknown(x, "the iteration for eigenvalues does not converge");
    rsd_free(a, re);
    rsd_free(a, im);
    return status;
}

static resida_status judge_mechanism(rsd_rest *x, linear *q)
{
    if (read_constraints(x, q)) return rsd_rest_stopped(x);
    const int fits = q->w.failed ? 0 : reduce(x, q);
    if (q->w.failed) return RESIDA_ERR_MEMORY;
    return fits ? find_modes(x, q) : unknown(x, "forces and constraints have different ranks");
}

static resida_status judge_dae(rsd_rest *x, linear *q)
{
    q->n = x->n;
    q->E = rsd_matrix(q->w.alloc, q->n, q->n), q->A = rsd_matrix(q->w.alloc, q->n, q->n);
    if (!q->E || !q->A) return RESIDA_ERR_MEMORY;
    for (long k = 0; k < (long)q->n * q->n; k++) q->E[k] = q->M[k], q->A[k] = -q->D[k];
    return find_modes(x, q);
}

resida_status rsd_rest_judge(rsd_rest *x)
{
    linear q = {.w = {.alloc = &x->q->alloc}};
    const rsd_mechanism *k = x->q->mechanism;
    if (k) q.n_p = k->m.n_p, q.n_v = k->m.n_v, q.n_w = k->n_w, q.n_l = k->n_l, q.n_g = k->m.n_g;
    const int states = k ? q.n_w + q.n_v - 2 * q.n_l : x->n;
    if (states > MOST_STATES) return too_many(x, states);
    const int verdict = read_blocks(x, &q);
    resida_status status = verdict ? rsd_rest_stopped(x) : k ? judge_mechanism(x, &q) : judge_dae(x, &q);
    for (int i = 0; i < q.w.n; i++) rsd_free(q.w.alloc, q.w.block[i]);
    rsd_free(q.w.alloc, q.E);
    rsd_free(q.w.alloc, q.A);
    return status == RESIDA_ERR_MEMORY
               ? rsd_fail(x->why, status, "no memory for the modes of an equilibrium with %d unknowns", x->n)
               : status;
}
