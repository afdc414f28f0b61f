/* complex_mechanism.c - see complex_mechanism.h. Coefficients c are a hash of what they are for, in [-1, 1]:
 *
 *     g_i  = 2 p_i + sum_j (c p_j / 2 + 0.4 c sin(p_j + q_i) + 0.2 c p_j^2) + 0.2 p_i p_(i+1) + c u + 0.2 c sin t + offset,
 *            q_i = c u + c t / 2
 *     T    = 1 + 0.2 c sin p,     Gh = 2 at (i, n_g + i) + c / 2 + 0.3 c sin p + 0.2 c u,     gh = 0.3 sin p_i + c u + 0.1 sin t
 *     M    = 2 + L L'/n_v,        L  = c + 0.3 sin(p + c u)
 *     Psi  = - 3 p - 2 v + 0.5 c sin p + 0.2 c v v + c u
 *     u_k  = 0.3 sin(w_k t + k),  w_k = 1 + 0.7 k */
#include "complex_mechanism.h"

#include <string.h>

#include "bench_fixture.h"

#define TINY 1e-40 /* imaginary step: its square is lost, so derivatives have rounding only */

/* Uniform in [-1, 1], always the same for the same arguments. */
static double c(const cm *m, int what, int i, int j)
{
    uint64_t x = m->seed + UINT64_C(1000003) * (uint64_t)what + UINT64_C(1009) * (uint64_t)i + (uint64_t)j;
    bench_random(&x);
    x ^= x >> 29;
    bench_random(&x);
    x ^= x >> 31;
    return bench_random(&x);
}

/* Is entry (i, j) of a matrix there? */
int cm_present(const cm *m, cm_matrix pattern, int i, int j)
{
    if (!m->sparse || i == j) return 1;
    if (pattern == CM_OF_G && j == (i + 1) % m->n_p) return 1; /* the term p_i p_(i+1) */
    if (pattern == CM_OF_GH && j == i + m->n_g) return 1;
    if (pattern == CM_OF_M) return 1;
    return c(m, 90 + (int)pattern, i, j) > -0.2;
}

/* sum_k c u_k */
static cm_number of_u(const cm *m, int what, int i, const cm_number *u)
{
    cm_number sum = 0;
    for (int k = 0; k < m->n_u; k++) sum += c(m, what, i, k) * u[k];
    return sum;
}

static void excitation_at(const cm *m, cm_number t, cm_number *u, cm_number *ud, cm_number *udd)
{
    for (int k = 0; k < m->n_u; k++) {
        double w = 1 + 0.7 * k;
        u[k] = 0.3 * csin(w * t + k);
        ud[k] = 0.3 * w * ccos(w * t + k);
        udd[k] = -0.3 * w * w * csin(w * t + k);
    }
}

static cm_number phase(const cm *m, const cm_point *x, int i)
{
    return of_u(m, 1, i, x->u) + 0.5 * c(m, 2, i, 0) * x->t;
}

void cm_constraint(const cm *m, const cm_point *x, cm_number *g)
{
    for (int i = 0; i < m->n_g; i++) {
        cm_number q = phase(m, x, i), sum = 0;
        for (int j = 0; j < m->n_p; j++)
            if (cm_present(m, CM_OF_G, i, j))
                sum += (0.5 * c(m, 3, i, j) + 2 * (i == j)) * x->p[j] + 0.4 * c(m, 4, i, j) * csin(x->p[j] + q) +
                       0.2 * c(m, 5, i, j) * x->p[j] * x->p[j];
        g[i] = sum + 0.2 * x->p[i] * x->p[(i + 1) % m->n_p] + of_u(m, 6, i, x->u) + 0.2 * c(m, 7, i, 0) * csin(x->t) +
               m->offset[i];
    }
}

void cm_constraint_matrix(const cm *m, const cm_point *x, cm_number *gp)
{
    for (int i = 0; i < m->n_g; i++) {
        cm_number q = phase(m, x, i), *row = gp + i * m->n_p;
        for (int j = 0; j < m->n_p; j++)
            row[j] = !cm_present(m, CM_OF_G, i, j)
                         ? 0
                         : 0.5 * c(m, 3, i, j) + 2 * (i == j) + 0.4 * c(m, 4, i, j) * ccos(x->p[j] + q) +
                               0.4 * c(m, 5, i, j) * x->p[j];
        row[i] += 0.2 * x->p[(i + 1) % m->n_p];
        row[(i + 1) % m->n_p] += 0.2 * x->p[i];
    }
}

static void velocity_bias_at(const cm *m, const cm_point *x, cm_number *gI)
{
    for (int i = 0; i < m->n_g; i++) {
        cm_number q = phase(m, x, i), rate = of_u(m, 1, i, x->ud) + 0.5 * c(m, 2, i, 0);
        gI[i] = of_u(m, 6, i, x->ud) + 0.2 * c(m, 7, i, 0) * ccos(x->t);
        for (int j = 0; j < m->n_p; j++)
            if (cm_present(m, CM_OF_G, i, j)) gI[i] += 0.4 * c(m, 4, i, j) * ccos(x->p[j] + q) * rate;
    }
}

void cm_T(const cm *m, const cm_point *x, cm_number *T)
{
    for (int k = 0; k < m->n_p; k++)
        for (int j = 0; j < m->n_v; j++) {
            cm_number *entry = &T[k * m->n_v + j];
            *entry = k == j;
            if (m->with_T && cm_present(m, CM_OF_T, k, j))
                *entry += 0.2 * c(m, 8, k, j) * csin(x->p[(k + j + 1) % m->n_p]);
        }
}

void cm_nonholonomic_matrix(const cm *m, const cm_point *x, cm_number *Gh)
{
    for (int i = 0; i < m->n_h; i++)
        for (int j = 0; j < m->n_v; j++)
            Gh[i * m->n_v + j] = !cm_present(m, CM_OF_GH, i, j)
                                     ? 0
                                     : 0.5 * c(m, 9, i, j) + 2 * (j == i + m->n_g) +
                                           0.3 * c(m, 10, i, j) * csin(x->p[(i + j) % m->n_p]) +
                                           0.2 * of_u(m, 11, i + j, x->u);
}

void cm_nonholonomic_bias(const cm *m, const cm_point *x, cm_number *gh)
{
    for (int i = 0; i < m->n_h; i++) gh[i] = 0.3 * csin(x->p[i]) + of_u(m, 12, i, x->u) + 0.1 * csin(x->t);
}

void cm_rows(const cm *m, const cm_point *x, cm_number *A)
{
    cm_number gp[CM_MOST * CM_MOST], T[CM_MOST * CM_MOST];
    cm_constraint_matrix(m, x, gp);
    cm_T(m, x, T);
    for (int i = 0; i < m->n_g; i++)
        for (int j = 0; j < m->n_v; j++) {
            A[i * m->n_v + j] = 0;
            for (int k = 0; k < m->n_p; k++) A[i * m->n_v + j] += gp[i * m->n_p + k] * T[k * m->n_v + j];
        }
    cm_nonholonomic_matrix(m, x, A + m->n_g * m->n_v);
}

void cm_velocity_level(const cm *m, const cm_point *x, cm_number *w)
{
    cm_number A[2 * CM_MOST * CM_MOST];
    cm_rows(m, x, A);
    velocity_bias_at(m, x, w);
    cm_nonholonomic_bias(m, x, w + m->n_g);
    for (int i = 0; i < m->n_g + m->n_h; i++)
        for (int j = 0; j < m->n_v; j++) w[i] += A[i * m->n_v + j] * x->v[j];
}

void cm_mass(const cm *m, const cm_point *x, cm_number *M)
{
    int n = m->n_v;
    cm_number L[CM_MOST * CM_MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            L[i * n + j] = c(m, 13, i, j) + 0.3 * csin(x->p[(i + j) % m->n_p] + of_u(m, 14, i, x->u));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 2 : 0;
            for (int k = 0; k < n; k++) M[i * n + j] += L[i * n + k] * L[j * n + k] / n;
        }
}

void cm_forces(const cm *m, const cm_point *x, cm_number *psi)
{
    for (int i = 0; i < m->n_v; i++) {
        psi[i] = -3 * x->p[i] - 2 * x->v[i] + of_u(m, 15, i, x->u);
        for (int j = 0; j < m->n_v; j++)
            psi[i] += 0.5 * c(m, 16, i, j) * csin(x->p[j]) + 0.2 * c(m, 17, i, j) * x->v[i] * x->v[j];
        for (int l = 0; m->friction > 0 && l < m->n_g + m->n_h; l++)
            psi[i] -= m->friction * (0.7 + 0.3 * c(m, 18, i, l)) * (x->lam[l] + csin(x->lam[l])) * csin(1 + x->v[i]);
    }
}

/* x = A^-1 x by Gaussian elimination; A is overwritten. */
void cm_solve(int n, cm_number *A, cm_number *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(A[i * n + k]) > cabs(A[best * n + k])) best = i;
        for (int j = 0; j <= n; j++) {
            cm_number *a = j < n ? &A[k * n + j] : &x[k], *b = j < n ? &A[best * n + j] : &x[best], old = *a;
            *a = *b;
            *b = old;
        }
        for (int i = k + 1; i < n; i++) {
            cm_number factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
}

/* (7b): M a - Psi + A' lam, or a - M^-1 (Psi - A' lam). */
static void dynamic_rows(const cm *m, const cm_point *x, int is_explicit, const cm_number *A, const cm_number *a,
                         const cm_number *lam, cm_number *r)
{
    int n = m->n_v;
    cm_number M[CM_MOST * CM_MOST], f[CM_MOST];
    cm_mass(m, x, M);
    cm_forces(m, x, f);
    for (int l = 0; l < m->n_g + m->n_h; l++)
        for (int i = 0; i < n; i++) f[i] -= A[l * n + i] * lam[l];
    if (is_explicit) {
        cm_solve(n, M, f);
        for (int i = 0; i < n; i++) r[i] = a[i] - f[i];
        return;
    }
    for (int i = 0; i < n; i++) {
        r[i] = -f[i];
        for (int j = 0; j < n; j++) r[i] += M[i * n + j] * a[j];
    }
}

void cm_F(const cm *m, const char *form, int is_explicit, double t, const cm_number *y, const cm_number *yp,
          cm_number *r)
{
    int n_p = m->n_p, n_v = m->n_v, n_l = m->n_g + m->n_h, ggl = strcmp(form, "ggl") == 0;
    const cm_number *v = y + n_p, *lam = v + n_v, *eta = lam + n_l;
    cm_number gp[CM_MOST * CM_MOST], T[CM_MOST * CM_MOST], A[2 * CM_MOST * CM_MOST], udd[CM_MOST];
    cm_point x = {.t = t};
    memcpy(x.p, y, (size_t)n_p * sizeof *y);
    memcpy(x.v, v, (size_t)n_v * sizeof *v);
    if (strcmp(form, "ode") != 0) memcpy(x.lam, lam, (size_t)n_l * sizeof *lam);
    excitation_at(m, t, x.u, x.ud, udd);
    cm_constraint_matrix(m, &x, gp);
    cm_T(m, &x, T);
    cm_rows(m, &x, A);
    for (int k = 0; k < n_p; k++) { /* (7a) */
        r[k] = yp[k];
        for (int j = 0; j < n_v; j++) r[k] -= T[k * n_v + j] * v[j];
        for (int i = 0; ggl && i < m->n_g; i++) r[k] += gp[i * n_p + k] * eta[i];
    }
    dynamic_rows(m, &x, is_explicit, A, yp + n_p, lam, r + n_p);
    if (strcmp(form, "ode") == 0) return;
    cm_velocity_level(m, &x, r + n_p + n_v);            /* (7c) */
    if (ggl) cm_constraint(m, &x, r + n_p + n_v + n_l); /* (7d) */
}

void cm_jacobian(const cm *m, const char *form, int is_explicit, int n, double t, double alpha, const double *y,
                 const double *yp, double *J)
{
    cm_number Y[CM_MOST_Y], YP[CM_MOST_Y], r[CM_MOST_Y];
    for (int i = 0; i < n; i++) Y[i] = y[i], YP[i] = yp[i];
    for (int j = 0; j < n; j++) {
        Y[j] = y[j] + I * TINY;
        YP[j] = yp[j] + I * (TINY * alpha);
        cm_F(m, form, is_explicit, t, Y, YP, r);
        for (int i = 0; i < n; i++) J[j * n + i] = cimag(r[i]) / TINY;
        Y[j] = y[j];
        YP[j] = yp[j];
    }
}

cm_point cm_at(const cm *m, double t, const double *p, const double *v, double *udd)
{
    cm_point x = {.t = t};
    cm_number second[CM_MOST];
    for (int k = 0; k < m->n_p; k++) x.p[k] = p[k];
    for (int j = 0; v && j < m->n_v; j++) x.v[j] = v[j];
    excitation_at(m, t, x.u, x.ud, second);
    for (int k = 0; udd && k < m->n_u; k++) udd[k] = creal(second[k]);
    return x;
}

static void imaginary_parts(int n, const cm_number *z, double *out)
{
    for (int i = 0; i < n; i++) out[i] = cimag(z[i]) / TINY;
}

void cm_exact_matrix(const cm *m, const cm_point *x, double *gp)
{
    cm_number g[CM_MOST];
    for (int k = 0; k < m->n_p; k++) {
        cm_point moved = *x;
        moved.p[k] += I * TINY;
        cm_constraint(m, &moved, g);
        for (int i = 0; i < m->n_g; i++) gp[i * m->n_p + k] = cimag(g[i]) / TINY;
    }
}

void cm_exact_velocity_bias(const cm *m, const cm_point *x, double *gI)
{
    cm_point moved = *x;
    cm_number g[CM_MOST];
    moved.t += I * TINY;
    for (int k = 0; k < m->n_u; k++) moved.u[k] += I * TINY * x->ud[k];
    cm_constraint(m, &moved, g);
    imaginary_parts(m->n_g, g, gI);
}

void cm_exact_bias(const cm *m, const cm_point *x, const double *udd, double *gamma)
{
    cm_point moved = *x;
    cm_number T[CM_MOST * CM_MOST], w[2 * CM_MOST];
    cm_T(m, x, T);
    moved.t += I * TINY;
    for (int k = 0; k < m->n_p; k++)
        for (int j = 0; j < m->n_v; j++) moved.p[k] += I * TINY * T[k * m->n_v + j] * x->v[j];
    for (int k = 0; k < m->n_u; k++) {
        moved.u[k] += I * TINY * x->ud[k];
        moved.ud[k] += I * TINY * udd[k];
    }
    cm_velocity_level(m, &moved, w);
    imaginary_parts(m->n_g + m->n_h, w, gamma);
}
