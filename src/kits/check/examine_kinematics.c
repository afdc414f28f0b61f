/* examine_kinematics.c - compares T with the formalism. The model gives nothing with which T could be compared
 * directly, but gyroscopic forces depend on the meaning of velocities. For two velocities v, w, derivatives X_v, X_w
 * along the fields T(p) v, T(p) w, and their Lie bracket [X_v, X_w] = T b (G. Hamel, 1904):
 *
 *     w' Psi_2(v) = -w' (X_v M) v + (X_w (v' M v)) / 2 + (M v)' b        Psi_2: the part of Psi quadratic in v
 *
 * A wrong factor or sign in T violates this. If no such b exists, p' = T v does not remain on any surface of positions.
 * This is checked first, with velocities of equal size. In the equation above, v_i is proportional to m_i^(-1/3) with
 * the masses m_i, so that light and heavy bodies contribute equally. No velocity exceeds 1, so that increments along T
 * v remain small. M v is a difference of the formalism. In the explicit formalism v = M^-1 x and w = M^-1 y with given
 * x, y, and X M is computed from X M^-1 = -M^-1 (X M) M^-1. T is not judged if the even part of the forces is not
 * quadratic in v. States are 0 throughout. */
#include "examine.h"

#include "base/linear/dense.h"

#include <math.h>
#include <string.h>

#define ALONG_STEP         1e-4  /* increment along the velocity; truncation errors 1e-8, rounding errors 1e-12 */
#define HAMEL_AGREES       1e-3  /* maximum error of the equation, relative to the terms of its sum */
#define MIN_BRACKET        1e-6  /* minimum size of the bracket of two velocities; smaller ones are too inaccurate */
#define REST_SHARE         1e-6  /* error of a difference of forces, relative to the force at rest */
#define MIN_TERMS          1e-9  /* minimum sum that is no rounding error, relative to w' M v and forces at rest */
#define MIN_MASS           1e-12 /* minimum mass for the choice of velocities, relative to the largest */
#define QUADRATIC_STRICTER 10    /* forces are quadratic in v within HAMEL_AGREES/QUADRATIC_STRICTER */
enum { MAX_UNKNOWNS = 300 };     /* maximum number of velocities; with more, a full T' T takes too long */

/** Work arrays. x, y, v, w, b: head comment. Nx: M x or M^-1 x. zero_force, even: force at v = 0, part even in v. */
typedef struct hamel {
    rsd_examiner *e;                                                  /* examiner */
    double *x, *y, *v, *w, *Nx, *near, *zero_force, *even, *b, *none; /* [n_v] */
    double *zero, *bracket;                                           /* [n_l] 0, as none; [n_p] [X_v, X_w] */
    double *normal;                                                   /* [n_v n_v] matrix T' T */
    int *pivots;                                                      /* [n_v] pivots of the factors of `normal` */
} hamel;

/** Compute out = N x at p, with N = M or M^-1. */
static int multiply_by_inertia(const hamel *h, const double *p, const double *x, double *out)
{
    int verdict = rsd_examine_eval_formalism(h->e, p, h->none, h->none, h->zero, h->near);
    if (!verdict) verdict = rsd_examine_eval_formalism(h->e, p, h->none, x, h->zero, out);
    for (int i = 0; i < h->e->k->m.n_v; i++) out[i] -= h->near[i];
    return verdict;
}

/** Compute *slope = z' (X_v N) x, and add sign times the derivative of T w along T v to the bracket. slope may be
 *  NULL. */
static int differentiate_along(const hamel *h, const double *v, const double *w, const double *z, double sign,
                               double *slope)
{
    rsd_examiner *e = h->e;
    rsd_mechanism *k = e->k;
    if (slope) *slope = 0;
    for (int side = -1; side <= 1; side += 2) {
        memcpy(e->d_v, v, (size_t)k->m.n_v * sizeof *v);
        int verdict = rsd_eval_kinematic_matrix(k, e->t, e->p);
        if (!verdict) rsd_apply_T(k, v, e->d_p);
        if (!verdict) verdict = rsd_examine_move_position(e, side * ALONG_STEP);
        if (!verdict) verdict = rsd_eval_kinematic_matrix(k, e->t, e->p_moved);
        if (verdict) return verdict;
        rsd_csr_multiply(&k->T, k->T_values, w, NULL, e->p_half);
        for (int i = 0; i < k->m.n_p; i++) h->bracket[i] += sign * side * e->p_half[i] / (2 * ALONG_STEP);
        if (!slope) continue;
        if ((verdict = multiply_by_inertia(h, e->p_moved, h->x, h->b))) return verdict;
        *slope += side * rsd_dot(z, h->b, k->m.n_v) / (2 * ALONG_STEP);
    }
    return 0;
}

/** Compute out = (f(w) + f(-w))/2 - f(0), the even part of the force f at the velocity w = times v. */
static int compute_even_force(const hamel *h, double times, double *out)
{
    int n = h->e->k->m.n_v,
        verdict = rsd_examine_eval_formalism(h->e, h->e->p, h->none, h->none, h->zero, h->zero_force);
    for (int i = 0; i < n; i++) out[i] = -h->zero_force[i];
    for (int side = -1; side <= 1 && !verdict; side += 2) {
        for (int i = 0; i < n; i++) h->e->v_moved[i] = side * times * h->v[i];
        verdict = rsd_examine_eval_formalism(h->e, h->e->p, h->e->v_moved, h->none, h->zero, h->near);
        for (int i = 0; i < n; i++) out[i] += h->near[i] / 2;
    }
    return verdict;
}

/** Solve T b = bracket by least squares. Return the relative residual, or INFINITY if T is rank-deficient. */
static double solve_bracket(const hamel *h)
{
    rsd_mechanism *k = h->e->k;
    const rsd_csr *T = &k->T;
    int n = k->n_w;
    memset(h->normal, 0, (size_t)n * (size_t)n * sizeof *h->normal);
    memset(h->b, 0, (size_t)n * sizeof *h->b);
    for (int i = 0; i < T->rows; i++)
        for (int e = T->row[i]; e < T->row[i + 1]; e++) {
            h->b[T->col[e]] += k->T_values[e] * h->bracket[i];
            for (int f = T->row[i]; f < T->row[i + 1]; f++)
                h->normal[(long)T->col[f] * n + T->col[e]] += k->T_values[e] * k->T_values[f];
        }
    double size = sqrt(rsd_dot(h->bracket, h->bracket, T->rows));
    if (rsd_lu_factor(n, h->normal, h->pivots)) return INFINITY;
    rsd_lu_solve(n, h->normal, h->pivots, h->b);
    rsd_csr_multiply(T, k->T_values, h->b, NULL, h->e->p_half);
    for (int i = 0; i < T->rows; i++) h->e->p_half[i] -= h->bracket[i];
    return size > 0 ? sqrt(rsd_dot(h->e->p_half, h->e->p_half, T->rows)) / fmax(size, MIN_BRACKET) : 0;
}

/** Return 1 if Hamel's equation (see the head of the file) is violated. */
static int is_equation_violated(const hamel *h, double along_v, double along_w)
{
    const rsd_mechanism *k = h->e->k;
    int n = k->n_w;
    double sign = k->is_explicit ? -1 : 1, force = -sign * rsd_dot(h->y, h->even, n);
    const double *momentum = k->is_explicit ? h->x : h->Nx;
    double rest = sign * (-along_v + along_w / 2) + rsd_dot(momentum, h->b, n), size = fabs(along_v) + fabs(along_w);
    double min = 0;
    for (int i = 0; i < n; i++) {
        size += fabs(momentum[i] * h->b[i]) + fabs(h->y[i] * h->even[i]);
        min += MIN_TERMS * (fabs(momentum[i] * h->w[i]) + fabs(h->y[i] * h->zero_force[i]));
    }
    return size > min && fabs(force - rest) > HAMEL_AGREES * size;
}

/** Return 1 if the even part of the force is quadratic in the velocity. */
static int is_force_quadratic(const hamel *h)
{
    double sum = 0, all = 0;
    for (int i = 0; i < h->e->k->n_w; i++) {
        sum += fabs(h->near[i] - 4 * h->even[i]);
        all += fabs(h->near[i]) + fabs(h->zero_force[i]) * REST_SHARE;
    }
    return sum <= HAMEL_AGREES * all / QUADRATIC_STRICTER;
}

/** Check that p' = T v has integral surfaces, with velocities of equal size. Set *leaves to 1 if there are none. */
static int check_integrability(const hamel *h, int *leaves)
{
    rsd_examiner *e = h->e;
    int verdict = differentiate_along(h, h->x, h->y, NULL, 1, NULL);
    if (!verdict) verdict = differentiate_along(h, h->y, h->x, NULL, -1, NULL);
    if (!verdict) verdict = rsd_eval_kinematic_matrix(e->k, e->t, e->p);
    if (verdict) return verdict;
    *leaves = solve_bracket(h) > HAMEL_AGREES;
    memset(h->bracket, 0, (size_t)e->k->m.n_p * sizeof *h->bracket);
    return 0;
}

/** Scale x and y by the masses, which are estimated from the product N x. Set v and w such that no component exceeds
 *  1. */
static int choose_velocities(const hamel *h)
{
    const rsd_mechanism *k = h->e->k;
    const int n = k->n_w;
    double max = 0, fastest = 0;
    int verdict = multiply_by_inertia(h, h->e->p, h->x, h->Nx);
    for (int i = 0; i < n; i++) {
        const double seen = fabs(h->Nx[i] / h->x[i]);
        h->v[i] = !k->is_explicit ? seen : seen > 0 ? 1 / seen : 0;
        max = fmax(max, h->v[i]);
    }
    for (int i = 0; i < n && !verdict && max > 0; i++) {
        const double mass = fmax(h->v[i], MIN_MASS * max), times = cbrt(k->is_explicit ? mass * mass : 1 / mass);
        h->x[i] *= times;
        h->y[i] *= times;
    }
    memcpy(h->v, h->x, (size_t)n * sizeof *h->v);
    memcpy(h->w, h->y, (size_t)n * sizeof *h->w);
    if (!verdict && k->is_explicit) verdict = multiply_by_inertia(h, h->e->p, h->x, h->v);
    if (!verdict && k->is_explicit) verdict = multiply_by_inertia(h, h->e->p, h->y, h->w);
    for (int i = 0; i < n; i++) fastest = fmax(fastest, fmax(fabs(h->v[i]), fabs(h->w[i])));
    for (int i = 0; i < n && fastest > 0; i++)
        h->x[i] /= fastest, h->y[i] /= fastest, h->v[i] /= fastest, h->w[i] /= fastest;
    return verdict || k->is_explicit ? verdict : multiply_by_inertia(h, h->e->p, h->x, h->Nx);
}

/** Set *broken to 1 if Hamel's equation (see the head of the file) is violated. */
static int check_hamel_equation(const hamel *h, int *broken)
{
    rsd_examiner *e = h->e;
    double along_v, along_w;
    int verdict = choose_velocities(h);
    if (!verdict) verdict = differentiate_along(h, h->v, h->w, h->y, 1, &along_v);
    if (!verdict) verdict = differentiate_along(h, h->w, h->v, h->x, -1, &along_w);
    if (!verdict) verdict = rsd_eval_kinematic_matrix(e->k, e->t, e->p);
    if (!verdict) verdict = compute_even_force(h, 1, h->even);
    if (!verdict) verdict = compute_even_force(h, 2, h->b);
    if (verdict) return verdict;
    memcpy(h->near, h->b, (size_t)e->k->m.n_v * sizeof *h->near);
    *broken = is_force_quadratic(h) && solve_bracket(h) <= HAMEL_AGREES && is_equation_violated(h, along_v, along_w);
    return 0;
}

static int check_kinematic_matrix(const hamel *h)
{
    rsd_examiner *e = h->e;
    int leaves = 0, broken = 0, verdict = check_integrability(h, &leaves);
    if (!verdict && !leaves) verdict = check_hamel_equation(h, &broken);
    if (leaves)
        rsd_add_warning(e->warnings, RSD_CLAIM_KINEMATICS,
                        "kinematic_matrix: p' = T v is not integrable at t = %.6g: T is wrong, or contains "
                        "nonholonomic constraints",
                        e->t);
    if (broken)
        rsd_add_warning(
            e->warnings, RSD_CLAIM_KINEMATICS,
            "kinematic_matrix: the gyroscopic forces of %s do not agree with T and M at t = %.6g: T may be wrong "
            "by a factor or a sign",
            rsd_formalism_name(e->k), e->t);
    return verdict;
}

int rsd_examine_kinematics(rsd_examiner *e, double t, const double *p)
{
    rsd_mechanism *k = e->k;
    int n = k->m.n_v, verdict = 0;
    if (!k->m.kinematic_matrix || n > MAX_UNKNOWNS) return 0;
    hamel h = {.e = e};
    rsd_owner owner;
    const resida_allocator own = rsd_get_owned_allocator(&owner, &k->alloc), *a = &own;
    if (RSD_INTS(a, n, &h.pivots) && RSD_DOUBLES(a, k->n_l, &h.zero) && RSD_DOUBLES(a, k->m.n_p, &h.bracket) &&
        RSD_DOUBLES(a, (long)n * n, &h.normal) &&
        RSD_DOUBLES(a, n, &h.x, &h.y, &h.v, &h.w, &h.Nx, &h.near, &h.zero_force, &h.even, &h.b, &h.none)) {
        for (int i = 0; i < k->n_w; i++)
            h.x[i] = rsd_get_random_component(i), h.y[i] = rsd_get_random_component(3 * i + n);
        verdict = rsd_examine_set_state(e, t, p, h.none);
        if (!verdict) verdict = check_kinematic_matrix(&h);
    }
    rsd_owner_free(&owner);
    return verdict;
}
