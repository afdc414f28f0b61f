/* mechanism_impl.h - a checked internal copy of a resida_mechanism, and the evaluation of its parts.
 *
 * Only this folder calls the callbacks, by calls.h (root functions: problem_query.c). Therefore differences can replace
 * a missing callback, a failing callback is reported by name, and each call is counted. All functions return the
 * verdict of the callbacks: 0 is success, > 0 is recoverable, < 0 is fatal. */
#ifndef RSD_MECHANISM_IMPL_H
#define RSD_MECHANISM_IMPL_H

#include "base/linear/csr.h"
#include "base/callback.h"
#include "grouped.h"
#include "inertia.h"
#include "learnt.h"
#include "motion.h"

/** Decay to zero of the multipliers of rows that were dropped during a run. */
typedef struct rsd_fading {
    double *lam;    /* [n_l] multipliers at t */
    double t, time; /* start and duration of the decay */
} rsd_fading;

/** Invariants k(p) = 0 of positions, for instance the norms of Euler parameters. No velocity changes them: K T = 0 for
 *  K = dk/dp. They are enforced like position constraints, by multipliers eta_k that are zero for the exact solution,
 *
 *      p' = T v - K' eta_k,   0 = k(p).
 *
 *  Because K T = 0, the multipliers do not affect velocities and forces. */
typedef struct rsd_invariants {
    rsd_csr K;
    double *values;         /* [nnz of K] values of K */
    rsd_grouped groups;     /* differences for K, if the model does not give it */
    double *r, *z, *s, *Kw; /* [n_k] work space of a projection */
    double *w, *dp;         /* [n_p] K' s; correction of p */
} rsd_invariants;

/** Work space of evaluations. */
typedef struct rsd_mechanism_work {
    double *vp;                 /* [n_p] T v, if p' is not v */
    double *f;                  /* [n_v] generalised constraint force */
    double *out;                /* [n_v] output of the formalism */
    double *bias;               /* [n_l] velocity bias */
    double *x_p;                /* [n_p] a force along p */
    double *x_np;               /* [n_p, n_v] a point of a difference quotient, or a direction */
    double *x_g, *x_g2;         /* [n_l, n_k, n_v] values of g, of k; M x */
    double *p_moved, *pd_start; /* [n_p] work space of the acceleration bias */
    double *w_moved;            /* [n_l] work space of the acceleration bias */
} rsd_mechanism_work;

typedef struct rsd_mechanism {
    resida_mechanism m; /* names and patterns are copies */
    rsd_owner owner;    /* owns all memory except this struct */
    resida_allocator alloc;
    int is_explicit;      /* 1: explicit formalism, 0: residual formalism */
    int uses_lam;         /* 1: the formalism depends on lam */
    int n_l;              /* n_g + n_h: number of velocity constraints and of components of lam */
    int n_w;              /* n_v - n_z: number of velocities that change positions; the states follow them in v */
    rsd_csr gp, T, Gh, M; /* patterns of dg/dp, T, Gh, M; a learnt pattern has no rows until it is known */
    rsd_csr Phi_p, Phi_v, Phi_lam; /* patterns of dPhi/dp, dPhi/dv, dPhi/dlam; without rows if not given */
    int G_is_given;                /* 1: the model gives dg/dp with its pattern */
    int G_is_learnt;               /* 1: the pattern of dg/dp is found by a search, and may grow */
    long G_number, M_number;       /* numbers of the learnt patterns, learnt.h; 0: not known yet */
    int G_is_left_out;             /* 1: the current dg/dp is not evaluated: products are used instead */
    double *gp_values, *T_values, *Gh_values;
    rsd_inertia inertia;      /* values of M */
    rsd_curvature curvature;  /* second derivatives of g near a point */
    rsd_grouped gp_groups;    /* differences for dg/dp, if the model does not give it */
    int fourth_order;         /* 1: difference quotients for dg/dp are of fourth order */
    int has_fixed_scales;     /* 1: scales are not updated, for instance because they are copies */
    long search_number;       /* counts the points at which scales may be determined again */
    rsd_line of_t, of_motion; /* scales of g in time at fixed p, and along p' = T v */
    rsd_probe_work probe;
    rsd_motion motion;         /* motion for differences of the velocity bias, if the model does not give it */
    rsd_bias_check bias_check; /* check of the acceleration bias, if it is found by differences */
    rsd_secant secant;         /* secant of the last step, to check differences of g */
    unsigned char *dropped;    /* [n_l] 1: the row is dropped, because it is redundant or belongs to an open contact */
    unsigned char *open;       /* 1: a row of an open contact, or the friction row of a contact that slips */
    double *slip;              /* [n_l] lam_i = slip_i lam_k for the friction of a contact that slips; else 0 */
    int *slips_on;             /* [n_l] index k of the normal force of this contact */
    rsd_fading fading;         /* decay of the multipliers of dropped rows */

    rsd_calls calls; /* calls of the callbacks of m */
    double *u_moved; /* [3 n_u] u, ud, udd at another time, for differences */

    rsd_mechanism_work work;
    rsd_invariants invariants;
    long formalism_calls;
} rsd_mechanism;

/** Check and copy a mechanism. If the model gives both formalisms, `formalism` selects one. */
resida_status rsd_mechanism_create(rsd_mechanism **k, const resida_mechanism *m, int formalism,
                                   const resida_allocator *alloc, resida_message *why);
void rsd_mechanism_free(rsd_mechanism *k);

/** Pass the excitation of the time t + s to the callbacks: u + s ud + s^2/2 udd, ud + s udd. With s = 0 it is that of
 *  t. */
void rsd_move_excitation(rsd_mechanism *k, double s);

/** Pass the excitation u + s ud to the callbacks, for first derivatives. A central quotient of a function that is
 *  quadratic in u is then exact. */
void rsd_move_excitation_straight(rsd_mechanism *k, double s);

/** Evaluate u, ud, udd at t into k->calls.u. */
static inline int rsd_eval_excitation(rsd_mechanism *k, double t)
{
    return rsd_calls_excitation(&k->calls, t);
}

/** Return the name of the callback of the formalism in use: "residual", "acceleration_lam" ... */
const char *rsd_formalism_name(const rsd_mechanism *k);

/** Call the formalism in use once. The residual formalism computes Phi(p,v,a,lam,u), the explicit formalism
 *  phi(p,v,f,lam,u), both into k->work.out. Arguments that the formalism does not need are ignored. lam [n_l] is an
 *  argument of applied forces. Phi does not include the constraint force. */
int rsd_eval_formalism(rsd_mechanism *k, double t, const double *p, const double *v, const double *a, const double *f,
                       const double *lam);

/** Evaluate dg/dp, T and Gh at (t, p) into k->gp_values, k->T_values, k->Gh_values. */
int rsd_eval_matrices(rsd_mechanism *k, double t, const double *p);

/** Evaluate T and Gh, but not dg/dp, if the model gives products. Until the next rsd_eval_matrices(), G v is computed
 *  by a product, and forces must be computed by rsd_add_force_product(). */
int rsd_eval_matrices_except_G(rsd_mechanism *k, double t, const double *p);

/** Compute out [n_p] = (dg/dp)' lam, and out [n_g] = (dg/dp) x, by the model's products. */
int rsd_eval_force_product(rsd_mechanism *k, double t, const double *p, const double *lam, double *out);
int rsd_eval_velocity_product(rsd_mechanism *k, double t, const double *p, const double *x, double *out);

/** Compute the same as rsd_add_constraint_force(), by the model's product instead of dg/dp. */
int rsd_add_force_product(rsd_mechanism *k, double t, const double *p, double s, const double *lam, double *out);

/** Evaluate T. The model must have one. */
int rsd_eval_kinematic_matrix(rsd_mechanism *k, double t, const double *p);

/** Evaluate Gh. The model must have one. */
int rsd_eval_nonholonomic_matrix(rsd_mechanism *k, double t, const double *p);

/** Evaluate M [nnz of k->M] at (t, p). The model must give it. */
int rsd_eval_mass_matrix(rsd_mechanism *k, double t, const double *p, double *values);

/** Evaluate the potential V [1] at (t, p). The model must have one. */
int rsd_eval_potential(rsd_mechanism *k, double t, const double *p, double *V);

/** Evaluate dPhi/dp, dPhi/dv and, if Phi depends on lam, dPhi/dlam at (t, p, v, a, lam). Phi contains their values one
 *  after the other, in the order of k->Phi_p, k->Phi_v, k->Phi_lam. The model must give them. */
int rsd_eval_derivatives(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *Phi);

/** Compute vp = T v with the current T. If there is no T, vp = v. */
void rsd_apply_T(const rsd_mechanism *k, const double *v, double *vp);

/** Return T v in memory of k, or v itself if p' = v. */
static inline const double *rsd_velocity_of_p(const rsd_mechanism *k, const double *v)
{
    if (!k->m.kinematic_matrix) return v;
    rsd_csr_multiply(&k->T, k->T_values, v, k->work.vp);
    return k->work.vp;
}

/** Add s T' (dg/dp)' lam + s Gh' nu to out [n_v], with these values of the matrices. nu is the last part of lam
 *  [n_l]. */
void rsd_add_force(rsd_mechanism *k, const double *gp, const double *T, const double *Gh, double s, const double *lam,
                   double *out);

/** Compute the same with the current matrices. */
static inline void rsd_add_constraint_force(rsd_mechanism *k, double s, const double *lam, double *out)
{
    rsd_add_force(k, k->gp_values, k->T_values, k->Gh_values, s, lam, out);
}

/** Compute w [n_l] = (G x, Gh x) with the current matrices. x [n_v] */
void rsd_apply_G(rsd_mechanism *k, const double *x, double *w);

/** Evaluate g(p, u) [n_g] at (t, p). */
int rsd_eval_constraint(rsd_mechanism *k, double t, const double *p, double *g);

/** Evaluate w [n_l] = (G v + gI, Gh v + gh) with the current matrices. */
int rsd_eval_velocity_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** Evaluate w [n_h] = Gh v + gh, with Gh at (t, p). */
int rsd_eval_nonholonomic_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** Evaluate gamma [n_l], the time derivatives of G v + gI and Gh v + gh at constant v. The constraints require 0 = G a
 *  + gamma. The current matrices are those of (t, p) before and after. */
int rsd_eval_acceleration_bias(rsd_mechanism *k, double t, const double *p, const double *v, double *gamma);

/** Write G = (dg/dp) T, with Gh below it, as a full matrix A [n_l x n_v] row by row, from the current matrices. */
void rsd_write_full_G(const rsd_mechanism *k, double *A);

/** Return the name of velocity row i. Nonholonomic constraints follow the position constraints. */
const char *rsd_row_name(const rsd_mechanism *k, int i, char *text, size_t size);

/** @name invariant.c @{ */
/** Allocate memory, after the pattern of K is set. Return 0 if there is no memory. */
int rsd_invariants_create(rsd_mechanism *k);

/** Evaluate k(p) [n_k], and K at p into k->invariants.values. Return 0 on success, > 0 if a callback could not be
 *  evaluated, < 0 on a fatal error. */
int rsd_eval_invariant(rsd_mechanism *k, double t, const double *p, double *out);
int rsd_eval_invariant_matrix(rsd_mechanism *k, double t, const double *p);

/** Project p [n_p] onto k(p) = 0 by Gauss-Newton steps of minimal |dp|. Return the verdict of the callbacks, or a value
 *  > 0 if the iteration does not converge. */
int rsd_project_onto_invariants(rsd_mechanism *k, double t, double *p);
/** @} */

#endif
