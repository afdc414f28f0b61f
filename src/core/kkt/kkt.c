/* kkt.c - the constrained linear system of kkt.h: code common to the backends, and the choice of the backend.
 *
 * Units of the coordinates in which masses are about 1: x = U x', M' = U M U, A' = A U, Psi' = U Psi. Singularity and
 * redundancy are decided in the model's own units first. If the system is singular or redundant in these units, and the
 * units of masses of 1 differ much from them, the decision is repeated in the latter. A mass of 1e-16 beside one of 1
 * may be due to the choice of units; then the system is not singular. It may also be a light body between heavy ones,
 * which is regular only in the model's own units. Units are powers of two, so that scaling is exact.
 *
 * If applied forces depend on the constraint forces, Psi is linearised as Psi(lam) + D (x - lam), with D by
 * differences. With a pattern of dPhi/dlam, multipliers without a common force form a group.
 *
 * Rank, three factorisations and solutions of a chain of rods take, in microseconds (x86-64, reference BLAS 3.11):
 *
 *     unknowns a, lam    24    48     96     150      300      3,000    30,000
 *     full               75   290  1,500   8,600   30,000           -         -
 *     sparse             39    80    165     310      510    2,700    30,000
 *
 * With random patterns of three or four entries in a row the sparse backend is faster from the same size on, 5 to 100
 * times at 400 unknowns. */
#include "kkt.h"

#include "base/numbers.h"
#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define MIN_SPARSE_UNKNOWNS                                                                                            \
    64 /* unknowns a and lam from which sparse matrices are used; smaller starts take less than 1 ms */
#define SAME_UNITS     1e4  /* ratio of units up to which the decision is not repeated */
#define MAX_MARGIN     10.0 /* larger margins are not distinguished */
#define SPARSE_DENSITY 8    /* min. ratio of the entries of full matrices to those of sparse ones */
#define MIN_RESPONSE   1e-4 /* min. response, relative to that to a zero input; a smaller one loses digits */

static const rsd_kkt_backend *choose_backend(const rsd_mechanism *k)
{
    double n = (double)k->m.n_v + k->n_l;
    double entries = (double)k->M.nnz + k->T.nnz + 2.0 * k->gp.nnz + 2.0 * k->Gh.nnz;
    if (k->uses_lam) entries += k->Phi_lam.row ? k->Phi_lam.nnz : (double)k->m.n_v * k->n_l;
    if (k->is_explicit) return &rsd_kkt_schur;
    return (k->m.mass_matrix || rsd_needs_learnt_M(k)) && n >= MIN_SPARSE_UNKNOWNS && SPARSE_DENSITY * entries <= n * n
               ? &rsd_kkt_sparse
               : &rsd_kkt_full;
}

/* Create D and the groups of its columns. */
static resida_status create_forces(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    const rsd_mechanism *k = q->k;
    const int is_known = !k->is_explicit && k->Phi_lam.row;
    const resida_pattern all = {NULL, NULL};
    rsd_csr full = {.row = NULL};
    if (!k->uses_lam) return RESIDA_OK;
    if (!is_known) RSD_TRY(rsd_csr_create(&full, "Phi_lam", q->n_v, q->n_l, &all, alloc, why));
    resida_status status = rsd_sparsity_from_csr(&q->D, is_known ? &k->Phi_lam : &full, alloc, NULL);
    if (status >= 0) status = rsd_colour_columns(&q->groups, &q->D, NULL, alloc, NULL);
    if (!RSD_DOUBLES(alloc, q->n_l, &q->moved) || !RSD_DOUBLES(alloc, q->D.nnz, &q->D_values))
        status = RESIDA_ERR_MEMORY;
    rsd_csr_free(&full, alloc);
    return status < 0 ? rsd_fail(why, status, "no memory for forces that depend on %d multipliers", q->n_l) : status;
}

static resida_status allocate_system(rsd_kkt *q, const resida_allocator *alloc, resida_message *why)
{
    RSD_TRY(create_forces(q, alloc, why));
    RSD_TRY(q->backend->create(q, alloc, why));
    q->rows = rsd_calloc(alloc, q->n_l, sizeof(int));
    if (q->rows && RSD_DOUBLES(alloc, q->n_A, &q->A) && RSD_DOUBLES(alloc, q->n_metric, &q->metric) &&
        RSD_DOUBLES(alloc, q->n_v, &q->psi, &q->force, &q->unit) && RSD_DOUBLES(alloc, q->n_l, &q->scale) &&
        RSD_DOUBLES(alloc, (long)q->n_v + q->n_l, &q->rhs))
        return RESIDA_OK;
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the consistent start (%d accelerations, %d multipliers)",
                    q->n_v, q->n_l);
}

resida_status rsd_kkt_create(rsd_kkt *q, rsd_mechanism *k, const rsd_kkt_backend *backend,
                             const resida_allocator *alloc, resida_message *why)
{
    *q = (rsd_kkt){
        .k = k, .backend = backend ? backend : choose_backend(k), .alloc = *alloc, .n_v = k->m.n_v, .n_l = k->n_l};
    return allocate_system(q, alloc, why);
}

static void convert_A_units(rsd_kkt *q)
{
    const int *col = q->rows_of_A.col;
    for (long e = 0; e < q->n_A; e++) q->A[e] *= q->unit[col ? col[e] : e % q->n_v];
}

static void convert_metric_units(rsd_kkt *q)
{
    const double *unit = q->unit;
    const rsd_csr *M = &q->k->M;
    for (long e = 0; e < q->n_metric && q->k->is_explicit; e++) q->metric[e] /= unit[e % q->n_v];
    for (int i = 0; i < q->n_v && !q->k->is_explicit; i++)
        if (q->backend->is_full)
            for (int j = 0; j < q->n_v; j++) q->metric[(long)i * q->n_v + j] *= unit[i] * unit[j];
        else
            for (int e = M->row[i]; e < M->row[i + 1]; e++) q->metric[e] *= unit[i] * unit[M->col[e]];
}

/* Convert the units of forces or, in the explicit formalism, of accelerations. */
static void convert_force_units(rsd_kkt *q)
{
    for (int i = 0; i < q->n_v; i++) q->psi[i] *= q->k->is_explicit ? 1 / q->unit[i] : q->unit[i];
    for (int e = 0; e < q->D.nnz; e++) {
        const double unit = q->unit[q->D.row[e]];
        q->D_values[e] *= q->k->is_explicit ? 1 / unit : unit;
    }
}

int rsd_kkt_eval_rows(rsd_kkt *q, double t, const double *p)
{
    int verdict = rsd_eval_excitation(q->k, t);
    if (!verdict) verdict = rsd_eval_matrices(q->k, t, p);
    if (!verdict && q->backend->follow) verdict = q->backend->follow(q);
    if (!verdict) q->backend->rows(q);
    if (!verdict && q->is_scaled) convert_A_units(q);
    return verdict;
}

int rsd_kkt_eval_at_rest(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    memset(q->rhs, 0, (size_t)(q->n_v + q->n_l) * sizeof *q->rhs);
    return rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, lam);
}

int rsd_kkt_eval_metric(rsd_kkt *q, double t, const double *p, const double *v)
{
    if (q->D.nnz > 0) memset(q->D_values, 0, (size_t)q->D.nnz * sizeof *q->D_values);
    int verdict = rsd_kkt_eval_at_rest(q, t, p, v, q->rhs + q->n_v);
    if (verdict) return verdict;
    memcpy(q->psi, q->k->work.out, (size_t)q->n_v * sizeof *q->psi);
    verdict = q->backend->metric(q, t, p, v);
    if (!q->k->is_explicit)
        for (int i = 0; i < q->n_v; i++) q->psi[i] = -q->psi[i]; /* Psi = -Phi(a = 0) */
    if (q->is_scaled) convert_metric_units(q), convert_force_units(q);
    return verdict;
}

/* Return the smallest power of two above x. */
static double round_up_to_power_of_two(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return ldexp(1, exponent);
}

double rsd_kkt_compute_growth(double response, double at_rest)
{
    if (!(at_rest < INFINITY) || response >= MIN_RESPONSE * at_rest) return 1;
    return round_up_to_power_of_two(at_rest / fmax(response, DBL_EPSILON * at_rest));
}

/* Choose the factor by which the input of rsd_kkt_eval_response() must grow. */
static double compute_growth(const rsd_kkt *q, const double *base, const double *unit, const double *answer, double s)
{
    double response = 0, at_rest = 0;
    for (int i = 0; i < q->n_v; i++) {
        response = fmax(response, fabs(q->rhs[i] * answer[i] * s));
        at_rest = fmax(at_rest, fabs(q->rhs[i] * base[i]) * (unit ? unit[i] : 1));
    }
    return rsd_kkt_compute_growth(response, at_rest);
}

int rsd_kkt_eval_response(rsd_kkt *q, double t, const double *p, const double *v, const double *base,
                          const double *unit, double *answer)
{
    double s = 1, by = round_up_to_power_of_two(rsd_kkt_row_scale(q->rhs, q->n_v)) / 2;
    memset(q->rhs + q->n_v, 0, (size_t)q->n_l * sizeof *q->rhs);
    for (int tries = 0; tries < RSD_RESPONSE_TRIES && (tries == 0 || by > 1); tries++) {
        for (int i = 0; i < q->n_v; i++) q->rhs[i] *= by;
        s *= by;
        const int verdict = rsd_eval_formalism(q->k, t, p, v, q->rhs, q->rhs, q->rhs + q->n_v);
        if (verdict > 0 && tries > 0) rsd_fault_clear(&q->k->calls.fault); /* use the result of the smaller input */
        if (verdict) return verdict > 0 && tries > 0 ? 0 : verdict;
        for (int i = 0; i < q->n_v; i++) answer[i] = (q->k->work.out[i] - base[i] * (unit ? unit[i] : 1)) / s;
        by = compute_growth(q, base, unit, answer, s);
    }
    return 0;
}

int rsd_kkt_set_force(rsd_kkt *q, double t, const double *p, const double *v, const double *f, const double *base)
{
    const double *unit = q->is_scaled ? q->unit : NULL;
    memcpy(q->k->is_explicit ? q->rhs : q->psi, f, (size_t)q->n_v * sizeof *f);
    const int verdict = q->k->is_explicit ? rsd_kkt_eval_response(q, t, p, v, base, unit, q->psi) : 0;
    for (int i = 0; i < q->n_v && unit; i++) q->psi[i] *= q->k->is_explicit ? 1 / unit[i] : unit[i];
    return verdict;
}

const double *rsd_kkt_row(const rsd_kkt *q, int i, int *n)
{
    const int *row = q->rows_of_A.row;
    *n = row ? row[i + 1] - row[i] : q->n_v;
    return q->A + (row ? row[i] : (long)i * q->n_v);
}

double rsd_kkt_scale_of(const rsd_kkt *q, int i)
{
    int n;
    const double *row = rsd_kkt_row(q, i, &n);
    return rsd_kkt_row_scale(row, n);
}

int rsd_kkt_rank_margin(rsd_kkt *q, double max_scale, double *margin)
{
    double largest = 1 / MAX_MARGIN;
    int verdict = q->backend->span(q);
    *margin = 0;
    if (verdict <= 0) return verdict;
    for (int i = 0, r = 0; i < q->n_l; i++) {
        if (r < q->n_rows && q->rows[r] == i) {
            r++;
            continue;
        }
        if (!q->k->open[i] && rsd_kkt_scale_of(q, i) <= max_scale)
            largest = fmax(largest, rsd_finite_norm(q->backend->combine(q, i), q->n_rows));
    }
    *margin = 1 / largest;
    return 0;
}

void rsd_kkt_solve(rsd_kkt *q, int forces, const double *c, double *x, double *mu)
{
    memset(mu, 0, (size_t)q->n_l * sizeof *mu);
    q->backend->solve(q, forces, c, x, mu);
    for (int i = 0; i < q->n_v && q->is_scaled; i++) x[i] *= q->unit[i];
}

double rsd_kkt_row_scale(const double *row, long n)
{
    const double norm = rsd_norm(row, n);
    return norm > 0 ? 1 / norm : 1;
}

double rsd_kkt_metric_size(const rsd_kkt *q)
{
    const double size = rsd_max_norm(q->metric, q->n_metric);
    return size > 0 ? size : 1;
}

void rsd_kkt_set_rhs(rsd_kkt *q, int forces, const double *c, const int *at)
{
    double *below = q->rhs + q->n_v;
    for (int i = 0; i < q->n_v; i++) q->rhs[i] = forces ? q->psi[i] / q->m_scale : 0;
    memset(below, 0, (size_t)q->n_l * sizeof *below);
    for (int r = 0; r < q->n_rows; r++) below[at ? at[r] : r] = q->scale[r] * c[q->rows[r]];
}

void rsd_kkt_get_solution(const rsd_kkt *q, double *x, double *mu, const int *at)
{
    const double *below = q->rhs + q->n_v;
    memcpy(x, q->rhs, (size_t)q->n_v * sizeof *x);
    for (int r = 0; r < q->n_rows; r++) mu[q->rows[r]] = below[at ? at[r] : r] * q->m_scale * q->scale[r];
}

/* Estimate mass i in the explicit formalism: for a diagonal M it is sum |A'|/sum |M^-1 A'|. */
static double estimate_explicit_mass(const rsd_kkt *q, int i)
{
    double force = 0, effect = 0;
    for (long e = i; e < q->n_A; e += q->n_v) {
        force += fabs(q->A[e]);
        effect += fabs(q->metric[e]);
    }
    return effect > 0 ? force / effect : 0;
}

/* Estimate the mass of coordinate i to its order of magnitude. Return 0 if it is not known. */
static double estimate_mass(const rsd_kkt *q, int i)
{
    const rsd_csr *M = &q->k->M;
    if (q->k->is_explicit) return estimate_explicit_mass(q, i);
    if (q->backend->is_full) return q->metric[(long)i * q->n_v + i];
    for (int e = M->row[i]; e < M->row[i + 1]; e++)
        if (M->col[e] == i) return q->metric[e];
    return 0;
}

int rsd_kkt_find_units(rsd_kkt *q)
{
    double least = INFINITY, most = 0;
    if (q->is_scaled) return 0;
    for (int i = 0; i < q->n_v; i++) {
        double m = fabs(estimate_mass(q, i));
        if (!(m > 0) || !isfinite(m)) m = 1;
        q->unit[i] = round_up_to_power_of_two(1 / sqrt(m));
        least = fmin(least, q->unit[i]);
        most = fmax(most, q->unit[i]);
    }
    return most > SAME_UNITS * least;
}

void rsd_kkt_use_units(rsd_kkt *q, int on)
{
    if (on == q->is_scaled) return;
    if (!on)
        for (int i = 0; i < q->n_v; i++) q->unit[i] = 1 / q->unit[i];
    convert_A_units(q), convert_metric_units(q), convert_force_units(q);
    q->is_scaled = on;
}

void rsd_kkt_full_rows(const rsd_kkt *q, double *A)
{
    rsd_write_full_G(q->k, A);
    for (long i = 0; i < q->n_l; i++)
        if (q->k->open[i]) memset(A + i * q->n_v, 0, (size_t)q->n_v * sizeof *A);
    for (long i = 0; i < q->n_l && q->is_scaled; i++)
        for (int j = 0; j < q->n_v; j++) A[i * q->n_v + j] *= q->unit[j];
}

void rsd_kkt_add_D(const rsd_kkt *q, int j, double s, double *x)
{
    if (!q->D.col_start) return;
    for (int e = q->D.col_start[j]; e < q->D.col_start[j + 1]; e++) x[q->D.row[e]] += s * q->D_values[e];
}

/* Store Psi(lam), the current value of the formalism. */
static void store_force(rsd_kkt *q)
{
    for (int i = 0; i < q->n_v; i++) q->force[i] = (q->k->is_explicit ? 1 : -1) * q->k->work.out[i];
}

int rsd_kkt_force(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    const int verdict = rsd_kkt_eval_at_rest(q, t, p, v, lam);
    if (verdict) return verdict;
    store_force(q);
    for (int i = 0; i < q->n_v; i++)
        q->psi[i] = q->force[i] * (!q->is_scaled ? 1 : q->k->is_explicit ? 1 / q->unit[i] : q->unit[i]);
    for (int j = 0; j < q->n_l; j++) rsd_kkt_add_D(q, j, -lam[j], q->psi);
    return 0;
}

/* Return the largest constraint force along a row of norm one, or the largest entry of Psi if all are zero. */
static double compute_force_size(const rsd_kkt *q, const double *lam)
{
    double most = 0;
    for (int r = 0; r < q->n_rows; r++) most = fmax(most, fabs(lam[q->rows[r]]) / rsd_kkt_scale_of(q, q->rows[r]));
    if (!(most > 0) && !q->k->is_explicit) most = rsd_max_norm(q->force, q->n_v);
    return most > 0 ? most : 1;
}

/* Compute the columns of D in a group, by differences. An increment is a fraction of the force along the row. */
static int difference_group(rsd_kkt *q, double t, const double *p, const double *v, const double *lam, double force,
                            int g)
{
    const double sign = q->k->is_explicit ? 1 : -1;
    int members = 0;
    memcpy(q->moved, lam, (size_t)q->n_l * sizeof *lam);
    for (int r = 0; r < q->n_rows; r++)
        if (q->groups.group[q->rows[r]] == g) {
            q->moved[q->rows[r]] += RSD_SQRT_EPS * force * rsd_kkt_scale_of(q, q->rows[r]);
            members++;
        }
    if (members == 0) return 0;
    const int verdict = rsd_kkt_eval_at_rest(q, t, p, v, q->moved);
    for (int r = 0; r < q->n_rows && !verdict; r++) {
        const int j = q->rows[r];
        if (q->groups.group[j] != g) continue;
        for (int e = q->D.col_start[j]; e < q->D.col_start[j + 1]; e++)
            q->D_values[e] = (sign * q->k->work.out[q->D.row[e]] - q->force[q->D.row[e]]) / (q->moved[j] - lam[j]);
    }
    return verdict;
}

int rsd_kkt_linearise(rsd_kkt *q, double t, const double *p, const double *v, const double *lam)
{
    const double force = compute_force_size(q, lam);
    int verdict = 0;
    for (int g = 0; g < q->groups.n_groups && !verdict; g++) verdict = difference_group(q, t, p, v, lam, force, g);
    memcpy(q->psi, q->force, (size_t)q->n_v * sizeof *q->psi);
    for (int j = 0; j < q->n_l && !verdict; j++) rsd_kkt_add_D(q, j, -lam[j], q->psi);
    if (q->is_scaled) convert_force_units(q);
    return verdict;
}
