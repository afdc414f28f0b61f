/* mechanism_impl.h - a checked internal copy of a resida_mechanism, and the evaluation of its parts.
 *
 * Only this folder calls the callbacks of a mechanism (base/callback.h). problem_query.c calls root functions.
 * Therefore differences can replace a missing callback, a failing callback is reported by name, and each call is
 * counted. All functions of type int return the verdict of the callbacks: 0 on success, > 0 if one could not be
 * evaluated, < 0 on a fatal error. */
#ifndef RSD_MECHANISM_IMPL_H
#define RSD_MECHANISM_IMPL_H

#include "base/linear/csr.h"
#include "base/callback.h"
#include "grouped.h"
#include "inertia.h"
#include "learnt.h"
#include "motion.h"

/** Decay of the multipliers of constraints that were dropped during a run. */
typedef struct rsd_fading {
    double *lam;    /* [n_l] multipliers of the dropped constraints at time t */
    double t, time; /* start and duration of the decay [s] */
} rsd_fading;

/** Invariants k(p) = 0 of positions, for instance the norms of Euler parameters. No velocity changes k, because K T = 0
 *  for K = dk/dp. Invariants are enforced like position constraints. Their multipliers eta_k are zero for the exact
 *  solution,
 *
 *      p' = T v - K' eta_k,   0 = k(p).
 *
 *  Because K T = 0, the multipliers do not affect velocities and forces. */
typedef struct rsd_invariants {
    rsd_csr K;              /* pattern of K = dk/dp */
    double *values;         /* [nnz of K] values of K */
    rsd_grouped groups;     /* column groups of K, for differences */
    double *r, *z, *s, *Kw; /* [n_k] residual, preconditioned residual, direction s, K K' s of a projection */
    double *w, *dp;         /* [n_p] product of K' with a vector; correction of p */
} rsd_invariants;

/** Work space of evaluations of a mechanism. */
typedef struct rsd_mechanism_work {
    double *vp;                 /* [n_p] p' = T v; unused if p' = v */
    double *f;                  /* [n_v] constraint force, G' lam + Gh' nu */
    double *out;                /* [n_v] output of the formalism */
    double *bias;               /* [n_l] velocity bias (gI, gh) */
    double *x_p;                /* [n_p] constraint force (dg/dp)' lam */
    double *x_np;               /* [n_p, n_v] displaced point of a difference, or direction of a product */
    double *x_g, *x_g2;         /* [max(n_l, n_k, n_v)] g or k at p + d; at p - d; or the product M x */
    double *p_moved, *pd_start; /* [n_p] for gamma: displaced point p + s p'; p' = T v at p */
    double *w_moved;            /* [n_l] for gamma: (G v + gI, Gh v + gh) at p_moved */
} rsd_mechanism_work;

typedef struct rsd_mechanism {
    resida_mechanism m;                       /* the model, with copies of its names and patterns */
    rsd_owner owner;                          /* owner of all memory of the mechanism except the struct itself */
    resida_allocator alloc;                   /* allocator whose blocks `owner` frees */
    int is_explicit;                          /* 1: explicit formalism, 0: residual formalism */
    int uses_lam;                             /* 1: the formalism depends on lam */
    int n_l;                                  /* number of constraints at velocity level, n_g + n_h */
    int n_w;                                  /* number of velocities, n_v - n_z; they precede the states in v */
    rsd_csr gp, T, Gh, M;                     /* patterns of dg/dp, T, Gh, M; a learnt one is empty until it is found */
    rsd_csr Phi_p, Phi_v, Phi_lam;            /* patterns of dPhi/dp, dPhi/dv, dPhi/dlam; not given: member row NULL */
    int G_is_given;                           /* 1: the model gives dg/dp with its pattern */
    int G_is_learnt;                          /* 1: the pattern of dg/dp is found by a search, and may grow */
    long G_number, M_number;                  /* versions of the learnt patterns (learnt.h); 0: not found yet */
    int G_is_left_out;                        /* 1: products replace dg/dp at the current point */
    double *gp_values, *T_values, *Gh_values; /* current values of dg/dp, T and Gh */
    rsd_inertia inertia;                      /* mass matrix and its column groups */
    rsd_curvature curvature;                  /* second derivatives of g at a reference point */
    rsd_grouped gp_groups;                    /* column groups of dg/dp, for differences */
    int fourth_order;                         /* 1: difference quotients for dg/dp are of fourth order */
    int has_fixed_scales;      /* 1: scales (scales.h) are not updated, for example because they are copies */
    long search_number;        /* number of calls of rsd_scales_allow_search(), each of which allows one search */
    rsd_line of_t, of_motion;  /* scales of g (scales.h): in time at fixed p; along the motion p' = T v */
    rsd_probe_work probe;      /* work space of a search for scales */
    rsd_motion motion;         /* motion along which g is differenced for gI = dg/dt */
    rsd_step_check step_check; /* checks of the increments after a step */
    unsigned char *dropped;    /* [n_l] 1: the constraint is dropped, because it is redundant or its contact is open */
    unsigned char *open;       /* [n_l] 1: constraint of an open contact, or friction constraint of a slipping one */
    double *slip;              /* [n_l] signed ratio of friction to normal force of a slipping contact; else 0 */
    int *normal_row;           /* [n_l] for friction constraints: index of the normal force in lam */
    rsd_fading fading;         /* decay of the multipliers of constraints dropped during the run */

    rsd_calls calls; /* calls of the callbacks: excitation, counters, last failure */
    double *u_moved; /* [3 n_u] u, ud, udd at a displaced time, for differences in time */

    rsd_mechanism_work work;   /* work space of evaluations */
    rsd_invariants invariants; /* invariants of positions; empty without them */
    long formalism_calls;      /* number of calls of the formalism */
} rsd_mechanism;

/** Check and copy a mechanism. If the model gives both formalisms, `formalism` selects one. */
resida_status rsd_mechanism_create(rsd_mechanism **k, const resida_mechanism *m, int formalism,
                                   const resida_allocator *alloc, resida_message *why);
void rsd_mechanism_free(rsd_mechanism *k);

/** Pass an approximation of the excitation at the time t + s to the callbacks: u + s ud + bend udd and ud + s udd. bend
 *  is s^2/2, or 0 for first derivatives. With bend = 0 the central difference quotient of a function that is quadratic
 *  in u is exact. With s = 0, pass the excitation at t. */
void rsd_move_excitation(rsd_mechanism *k, double s, double bend);

/** Evaluate u, ud, udd at t into k->calls.u. */
static inline int rsd_eval_excitation(rsd_mechanism *k, double t)
{
    return rsd_calls_eval_excitation(&k->calls, t);
}

/** Return the name of the callback of the selected formalism, for example "residual" or "acceleration_lam". */
const char *rsd_formalism_name(const rsd_mechanism *k);

/** Call the selected formalism once. The residual formalism computes out [n_v] = Phi(p,v,x,lam,u) with accelerations x.
 *  The explicit formalism computes phi(p,v,x,lam,u) with constraint forces x. lam [n_l] is ignored unless applied
 *  forces depend on lam. Phi excludes constraint forces. */
int rsd_eval_formalism(rsd_mechanism *k, double t, const double *p, const double *v, const double *x, const double *lam,
                       double *out);

/** Evaluate dg/dp, T and Gh at (t, p) into k->gp_values, k->T_values, k->Gh_values. */
int rsd_eval_matrices(rsd_mechanism *k, double t, const double *p);

/** Evaluate T and Gh at (t, p), but not dg/dp. The model must give products with dg/dp. Until the next call of
 *  rsd_eval_matrices(), G v is a product, and constraint forces must be computed by rsd_add_force_product(). */
int rsd_eval_matrices_except_G(rsd_mechanism *k, double t, const double *p);

/** Compute out [n_p] = (dg/dp)' lam, and out [n_g] = (dg/dp) x, by the callbacks constraint_force,
 *  constraint_velocity. */
int rsd_eval_force_product(rsd_mechanism *k, double t, const double *p, const double *lam, double *out);
int rsd_eval_velocity_product(rsd_mechanism *k, double t, const double *p, const double *x, double *out);

/** Add s T' (dg/dp)' lam + s Gh' nu to out [n_v], by rsd_eval_force_product(). nu: last n_h elements of lam. */
int rsd_add_force_product(rsd_mechanism *k, double t, const double *p, double s, const double *lam, double *out);

/** Evaluate T at (t, p) into k->T_values. The model must give T. */
int rsd_eval_kinematic_matrix(rsd_mechanism *k, double t, const double *p);

/** Evaluate Gh at (t, p) into k->Gh_values. The model must give Gh. */
int rsd_eval_nonholonomic_matrix(rsd_mechanism *k, double t, const double *p);

/** Evaluate M [nnz of k->M] at (t, p). The model must give M. */
int rsd_eval_mass_matrix(rsd_mechanism *k, double t, const double *p, double *values);

/** Evaluate the potential V [1] at (t, p). The model must give V. */
int rsd_eval_potential(rsd_mechanism *k, double t, const double *p, double *V);

/** Evaluate dPhi/dp, dPhi/dv and, if Phi depends on lam, dPhi/dlam at (t, p, v, a, lam). Phi is set to the values of
 *  the three matrices, in the order of k->Phi_p, k->Phi_v, k->Phi_lam. The model must give these derivatives. */
int rsd_eval_derivatives(rsd_mechanism *k, double t, const double *p, const double *v, const double *a,
                         const double *lam, double *Phi);

/** Compute vp = T v with the current T. If p' = v, set vp = v. */
void rsd_apply_T(const rsd_mechanism *k, const double *v, double *vp);

/** Return T v in memory of k, or v itself if p' = v. */
static inline const double *rsd_get_rate_of_p(const rsd_mechanism *k, const double *v)
{
    if (!k->m.kinematic_matrix) return v;
    rsd_csr_multiply(&k->T, k->T_values, v, NULL, k->work.vp);
    return k->work.vp;
}

/** Add s T' (dg/dp)' lam + s Gh' nu to out [n_v], with the given values gp, T, Gh. nu: last n_h elements of lam. */
void rsd_add_force(rsd_mechanism *k, const double *gp, const double *T, const double *Gh, double s, const double *lam,
                   double *out);

/** Add s T' (dg/dp)' lam + s Gh' nu to out [n_v], with the current matrices. nu: the last n_h elements of lam [n_l]. */
static inline void rsd_add_constraint_force(rsd_mechanism *k, double s, const double *lam, double *out)
{
    if (k->m.kinematic_matrix || k->m.n_h > 0)
        rsd_add_force(k, k->gp_values, k->T_values, k->Gh_values, s, lam, out);
    else
        rsd_csr_add_transposed(&k->gp, k->gp_values, s, lam, out);
}

/** Compute w [n_l] = (G x, Gh x) with the current matrices. x [n_v] */
void rsd_apply_G(rsd_mechanism *k, const double *x, double *w);

/** Evaluate g(p, u) [n_g] at (t, p). */
int rsd_eval_constraint(rsd_mechanism *k, double t, const double *p, double *g);

/** Evaluate w [n_l] = (G v + gI, Gh v + gh) with the current matrices. */
int rsd_eval_velocity_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** Evaluate w [n_h] = Gh v + gh, with Gh at (t, p). */
int rsd_eval_nonholonomic_level(rsd_mechanism *k, double t, const double *p, const double *v, double *w);

/** Evaluate the acceleration bias gamma [n_l], the time derivatives of G v + gI and Gh v + gh at constant v. The
 *  accelerations a satisfy 0 = (G, Gh) a + gamma. The current matrices at (t, p) are required, and are kept. */
int rsd_eval_acceleration_bias(rsd_mechanism *k, double t, const double *p, const double *v, double *gamma);

/** Write G = (dg/dp) T, with Gh below it, as a full matrix A [n_l x n_v] row by row, from the current matrices. */
void rsd_write_full_G(const rsd_mechanism *k, double *A);

/** Return the name of velocity constraint i, in 0 .. n_l - 1. A default name is written to text [size]. */
const char *rsd_row_name(const rsd_mechanism *k, int i, char *text, size_t size);

/** @name invariant.c @{ */
/** Allocate memory, after the pattern of K is set. Return 1 on success, or 0 if there is no memory. */
int rsd_invariants_create(rsd_mechanism *k);

/** rsd_eval_invariant() evaluates k(p) into out [n_k]. rsd_eval_invariant_matrix() evaluates K at p into
 *  k->invariants.values. Return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_eval_invariant(rsd_mechanism *k, double t, const double *p, double *out);
int rsd_eval_invariant_matrix(rsd_mechanism *k, double t, const double *p);

/** Project p [n_p] onto k(p) = 0 by Gauss-Newton steps of minimal |dp|. Return 0 on success, > 0 if a callback could
 *  not be evaluated or the iteration does not converge, < 0 on a fatal error. */
int rsd_project_onto_invariants(rsd_mechanism *k, double t, double *p);
/** @} */

#endif
