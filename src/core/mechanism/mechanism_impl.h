/* mechanism_impl.h - a checked copy of what a tool handed over, and the evaluation of its parts.
 *
 * Callbacks are called in this folder alone (root functions in problem_query.c), by calls.h, so that a
 * missing one can be replaced by differences, a failing one named, and each counted. All functions return the verdict
 * of the callbacks: 0, > 0 recoverable, < 0 fatal. */
#ifndef RSD_MECHANISM_IMPL_H
#define RSD_MECHANISM_IMPL_H

#include "base/linear/csr.h"
#include "base/callback.h"
#include "grouped.h"
#include "learnt.h"
#include "motion.h"

/** Multipliers of rows that were dropped on the way go to zero. */
typedef struct rsd_fading {
    double *lam;    /* [n_l] at t */
    double t, time; /* when it began; after so long they are 0 */
} rsd_fading;

/** Invariants k(p) = 0 of positions, which no velocity changes: K T = 0 for K = dk/dp. The norms of Euler
 * parameters are such. They are held like position constraints, by a multiplier of their own that is zero for the exact
 * solution,
 *
 *     p' = T v - K' eta_k,   0 = k(p),
 *
 * which by K T = 0 has no part in velocities or forces. */
typedef struct rsd_invariants {
    rsd_csr K;
    double *values;         /* of K */
    rsd_grouped groups;     /* of K, where the model does not give it */
    double *r, *z, *s, *Kw; /* [n_k] work of a projection */
    double *w, *dp;         /* [n_p] */
} rsd_invariants;

/** Scratch of evaluations. */
typedef struct rsd_mechanism_work {
    double *vp;                 /* [n_p] T v, where p' is not v */
    double *f;                  /* [n_v] generalised constraint force */
    double *out;                /* [n_v] what the formalism gave */
    double *bias;               /* [n_l] velocity bias */
    double *x_p, *x_np;         /* [n_p] a force along p; a point of a difference */
    double *x_g, *x_g2;         /* [n_l, n_k] values of g, of k */
    double *p_moved, *pd_start; /* [n_p] of the acceleration bias */
    double *w_moved;            /* [n_l] likewise */
} rsd_mechanism_work;

typedef struct rsd_mechanism {
    resida_mechanism m; /* names and patterns point into own memory */
    rsd_owner owner;    /* of all memory but the handle itself */
    resida_allocator alloc;
    int is_explicit;               /* the formalism in use */
    int uses_lam;                  /* it depends on lam */
    int n_l;                       /* n_g + n_h: rows of the velocity constraints, components of lam */
    int n_w;                       /* n_v - n_z: velocities that move positions; states follow them in v */
    rsd_csr gp, T, Gh, M;          /* patterns of dg/dp, T, Gh, M; a learnt one without rows: not known yet */
    rsd_csr Phi_p, Phi_v, Phi_lam; /* of dPhi/dp, dPhi/dv, dPhi/dlam, where the model gives them, else without rows */
    int G_is_given;                /* the pattern of dg/dp is the model's */
    int G_is_learnt;               /* it is found, and may grow */
    long G_number, M_number;       /* of learnt patterns; 0: not known yet */
    int G_is_left_out;             /* dg/dp is not at hand: products take its place */
    double *gp_values, *T_values, *Gh_values;
    rsd_curvature curvature;  /* of g, around a point */
    rsd_grouped gp_groups;    /* of dg/dp, where the model does not give it */
    int fourth_order;         /* 1: differences for dg/dp are of fourth order */
    int follows;              /* 1: scales are those of another mechanism, copied */
    long look;                /* counts the places at which scales may be looked for again */
    rsd_line of_t, of_motion; /* scales of g in time at fixed p, and along p' = T v */
    rsd_probe_work probe;
    rsd_motion motion;         /* along which the velocity bias is found, where the model does not give it */
    rsd_bias_check bias_check; /* of the acceleration bias, where it is found by differences */
    rsd_secant secant;         /* of the last step, against which differences of g are checked */
    unsigned char *dropped;    /* [n_l] 1: a row that was left out: it is redundant, or that of an open contact */
    unsigned char *open;       /* [n_l] 1: the row of an open contact, or of one that slips */
    double *slip;              /* [n_l] of a contact that slips: lam_i = slip_i lam_k; else 0 */
    int *slips_on;             /* [n_l] k */
    rsd_fading fading;         /* of its multiplier */

    rsd_calls calls; /* of the callbacks of m */
    double *u_moved; /* [3 n_u] u, ud, udd at a time nearby, for differences */

    rsd_mechanism_work work;
    rsd_invariants invariants;
    long formalism_calls;
} rsd_mechanism;

/** Check and copy. `formalism` chooses when both are there. */
resida_status rsd_mechanism_create(rsd_mechanism **k, const resida_mechanism *m, int formalism,
                                   const resida_allocator *alloc, resida_message *why);
void rsd_mechanism_free(rsd_mechanism *k);

/** Let the callbacks see the excitation of a time s later: u + s ud + s^2/2 udd, ud + s udd; s = 0: its own. */
void rsd_move_excitation(rsd_mechanism *k, double s);

/** The same along a line, u + s ud, for first derivatives: a central quotient of what is quadratic in u is exact then,
 *  however fast ud changes. */
void rsd_move_excitation_straight(rsd_mechanism *k, double s);

/** u, ud, udd at t into k->calls.u. */
static inline int rsd_eval_excitation(rsd_mechanism *k, double t)
{
    return rsd_calls_excitation(&k->calls, t);
}

/** The callback of the formalism in use: "residual", "acceleration_lam" ... */
const char *rsd_formalism_name(const rsd_mechanism *k);

/** One call of the formalism in use: residual gives Phi(p,v,a,lam,u), explicit gives phi(p,v,f,lam,u), both into
 *  k->work.out. The arguments that the formalism does not need are not looked at. lam [n_l], without the constraint
 *  force. */
int rsd_eval_formalism(rsd_mechanism *k, double t, const double *p, const double *v, const double *a, const double *f,
                       const double *lam);

/** Values of dg/dp, T and Gh at (t, p) into k->gp_values, k->T_values, k->Gh_values. */
int rsd_eval_matrices(rsd_mechanism *k, double t, const double *p);

/** T and Gh alone, where the model gives products: until the matrices are evaluated the next time, G v is by products,
 *  and forces are rsd_add_force_product()'s. */
int rsd_eval_matrices_but_G(rsd_mechanism *k, double t, const double *p);

/** out [n_p] = (dg/dp)' lam and out [n_g] = (dg/dp) x by the model's products. */
int rsd_eval_force_product(rsd_mechanism *k, double t, const double *p, const double *lam, double *out);
int rsd_eval_velocity_product(rsd_mechanism *k, double t, const double *p, const double *x, double *out);

/** out += s T' (dg/dp)' lam + s Gh' nu, as rsd_add_constraint_force(), by the product. */
int rsd_add_force_product(rsd_mechanism *k, double t, const double *p, double s, const double *lam, double *out);

/** T alone; the model has one. */
int rsd_eval_kinematic_matrix(rsd_mechanism *k, double t, const double *p);

/** Gh alone; the model has one. */
int rsd_eval_nonholonomic_matrix(rsd_mechanism *k, double t, const double *p);

/** M [nnz of k->M] at (t, p); the model has one. */
int rsd_eval_mass_matrix(rsd_mechanism *k, double t, const double *p, double *values);

/** V [1] at (t, p); needs a potential. */
int rsd_eval_potential(rsd_mechanism *k, double t, const double *p, double *V);

/** dPhi/dp, dPhi/dv and, when Phi depends on lam, dPhi/dlam at (t, p, v, a, lam), one after the other in Phi, in the
 *  order of k->Phi_p, k->Phi_v, k->Phi_lam; the model gives them. */
int rsd_eval_derivatives(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *Phi);

/** vp = T v with the T at hand (vp = v without T). */
void rsd_apply_T(const rsd_mechanism *k, const double *v, double *vp);

/** T v in memory of k; v itself where p' = v. */
static inline const double *rsd_velocity_of_p(const rsd_mechanism *k, const double *v)
{
    if (!k->m.kinematic_matrix) return v;
    rsd_csr_times(&k->T, k->T_values, v, k->work.vp);
    return k->work.vp;
}

/** out += s T' (dg/dp)' lam + s Gh' nu, with the matrices at hand. lam [n_l], out [n_v]. */
void rsd_add_constraint_force(rsd_mechanism *k, double s, const double *lam, double *out);

/** The same with other values of dg/dp, T, Gh. */
typedef struct rsd_matrices {
    const double *gp, *T, *Gh;
} rsd_matrices;
void rsd_add_force(rsd_mechanism *k, const rsd_matrices *at, double s, const double *lam, double *out);

/** w [n_l] = (G x, Gh x), with the matrices at hand. x [n_v] */
void rsd_apply_G(rsd_mechanism *k, const double *x, double *w);

/** g(p, u) [n_g] at (t, p). */
int rsd_eval_constraint(rsd_mechanism *k, double t, const double *p, double *g);

/** G v + gI and Gh v + gh, w [n_l], with the matrices at hand. */
int rsd_eval_velocity_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** Gh v + gh alone, with Gh at (t, p), w [n_h]. */
int rsd_eval_nonholonomic_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** d(G v + gI)/dt and d(Gh v + gh)/dt at constant v, gamma [n_l], so that 0 = G a + gamma. The matrices at hand are
 *  those of (t, p) before and after. */
int rsd_eval_acceleration_bias(rsd_mechanism *k, double t, const double *p, const double *v, double *gamma);

/** All rows of G = (dg/dp) T with Gh below, full, A [n_l x n_v] row by row, from the matrices at hand. */
void rsd_full_G(const rsd_mechanism *k, double *A);

/** Name of velocity row i (constraint i, nonholonomic ones after the others). */
const char *rsd_row_name(const rsd_mechanism *k, int i, char *text, size_t size);

/** @name invariant.c @{ */
/** Memory, after the pattern of K. 0: none */
int rsd_invariants_create(rsd_mechanism *k);

/** k(p) [n_k]; K at p into k->invariants.values. The verdict of the callbacks. */
int rsd_eval_invariant(rsd_mechanism *k, double t, const double *p, double *out);
int rsd_eval_invariant_matrix(rsd_mechanism *k, double t, const double *p);

/** p [n_p] becomes a point near by with k(p) = 0, by Gauss-Newton steps of least |dp|. The verdict of the callbacks; >
 *  0 also when there is none. */
int rsd_hold_invariants(rsd_mechanism *k, double t, double *p);
/** @} */

#endif
