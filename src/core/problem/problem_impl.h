/* problem_impl.h - a problem: a mechanism in a formulation, or a general DAE, as F(t, y, yp, u(t)) = 0.
 *
 * A formulation is a row of the table in form.c (rsd_form), which selects rows of rows.c. */
#ifndef RSD_PROBLEM_IMPL_H
#define RSD_PROBLEM_IMPL_H

#include <resida/problem.h>
#include <resida/start.h>

#include "rows.h"
#include "src/core/kkt/active_rows.h"
#include "src/core/mechanism/mechanism_impl.h"
#include "src/core/mechanism/unilateral.h"

typedef struct rsd_start rsd_start; /* work space of the consistent start, start.c */

/** What options are for (option_impl.h): forms that have one of these traits. All but the last two follow from
 *  rsd_form. */
enum {
    RSD_FORM_MECHANISM = 1,    /* any form */
    RSD_FORM_CONSTRAINED = 2,  /* has lam */
    RSD_FORM_DIRECTED = 4,     /* and D is not a frozen one */
    RSD_FORM_INDEX_3 = 8,      /* lam belongs to positions */
    RSD_FORM_WITH_GAMMA = 16,  /* takes gamma */
    RSD_FORM_WITH_PENALTY = 32 /* takes penalty */
};

/** One formulation of a mechanism: which unknowns and rows there are. y = (p, v, lam, eta, tau, a, eta_k), as far as
 *  they are there; rows: kinematic, dynamic, those of lam, of eta (position level), of tau (velocity level), projected,
 *  and invariants, which are the same in every form. */
typedef struct rsd_form {
    const char *name;
    rsd_level level;
    int has_eta, has_tau;
    int rates;          /* lam, eta are not in y but in yp */
    int is_frozen;      /* D is that of a reference point, whatever the options say */
    unsigned traits;    /* that do not follow: RSD_FORM_WITH_.. */
    double usual_gamma; /* 1/s, where the option gamma is 0 */
} rsd_form;

/** The formulation of that name, "auto" resolved. RESIDA_ERR_OPTION: the message lists them. */
resida_status rsd_form_find(const rsd_form **form, const char *name, const rsd_mechanism *k, resida_message *why);

/** All traits of the formulation of that name; 0: there is none ("auto" and "dae" are none). */
unsigned rsd_form_traits(const char *name);

/** Offsets and n into the layout, whose sizes n_p .. n_u are set. Refuses a mechanism that the formulation is not
 *  for. */
resida_status rsd_form_layout(const rsd_form *form, const rsd_mechanism *k, resida_layout *l, resida_message *why);

/** What the components of y are, kinds [n]; uses_lam: forces, and rates of states, depend on lam. */
void rsd_form_kinds(const rsd_form *form, const resida_layout *l, int uses_lam, resida_kind *kinds);

/** Directions in parts, and products with them. */
typedef struct rsd_directions {
    double *p, *v, *a, *lam, *out; /* [k x n_p], [k x n_v], [k x n_v], [k x n_l], [k x n_v] */
} rsd_directions;

struct resida_problem {
    resida_allocator alloc; /* the caller's */
    rsd_owner owner;
    resida_allocator own;      /* by it: of all memory but the handle itself and large matrices of a while */
    resida_products products;  /* of the model; callbacks NULL: none */
    rsd_directions directions; /* of a mechanism with products: a block of them */
    const rsd_form *form;      /* NULL: a general DAE */
    rsd_mechanism *mechanism;  /* NULL: a general DAE */
    rsd_rows *rows;            /* of the mechanism; NULL: a general DAE */
    resida_problem_options o;  /* of a mechanism: options of the formulation; names are static */
    resida_layout layout;
    resida_kind *kinds;          /* [n] */
    rsd_start *start;            /* made by the first consistent start */
    rsd_start *impact;           /* made by the first impact */
    rsd_active_rows active_rows; /* of dependent constraints, since the last one */
    rsd_unilateral contacts;
    long starts; /* that have chosen dropped rows and the reference point */

    rsd_calls *calls; /* of the mechanism, or dae_calls */

    /* A general DAE: a copy. */
    resida_dae dae;
    rsd_calls dae_calls;
    rsd_csr J; /* pattern of its J, where it gives one, else without rows */
};

/** "callback residual, component v[2]" in words. */
void rsd_problem_fault_text(const resida_problem *problem, const rsd_fault *fault, char *text, size_t size);

/** A part of F = F_a + F_c, see rows.h, into r [n], whose rows without the part are 0. Of a general DAE F_c is 0. The
 *  verdict of the callbacks. */
int rsd_problem_part(resida_problem *problem, rsd_rows_part part, double t, const double *y, const double *yp,
                     double *r);
int rsd_problem_dae_residual(resida_problem *problem, double t, const double *y, const double *yp, double *r);

/** *u: the excitations u, ud, udd [3 n_u] at t, in memory of the problem. */
int rsd_problem_excitation(resida_problem *problem, double t, const double **u);

/** The same copied. */
int rsd_problem_inputs(resida_problem *problem, double t, double *u);

/** dF/dy + alpha dF/dyp of a general DAE that gives it, in the order of problem->J. The verdict of the callback. */
int rsd_problem_dae_jacobian(resida_problem *problem, double t, double alpha, const double *y, const double *yp,
                             double *J);

/** 1: residual formalism, forces depend on lam, and lam is a derivative. Then dPhi/dlam and G' share positions of
 *  dF/dyp, and both belong to its unknown part. */
static inline int rsd_force_is_open(const resida_problem *problem)
{
    return problem->layout.rates && problem->mechanism->uses_lam && !problem->mechanism->is_explicit;
}

/** @name problem_times.c @{ */
/** Take the products of the options over. q->dae, or q->mechanism, is set. RESIDA_ERR_ARGUMENT, _MODEL, with a
 *  message. */
resida_status rsd_problem_take_products(resida_problem *problem, const resida_products *products, resida_message *why);

/** 1: the model gives products, and they fit the formalism in use. */
int rsd_problem_has_products(const resida_problem *problem);

/** out [k x n]: products of dF_a/dy and of the unknown part of dF/dyp with k directions dy, dyp [k x n].
 *  @return the verdict of the callbacks */
int rsd_problem_times(resida_problem *problem, double t, const double *y, const double *yp, int k, const double *dy,
                      const double *dyp, double *out);
/** @} */

/** Root functions at (t, y, yp), out [n_root], those of contacts that hold as above; the verdict of the callback. */
int rsd_problem_roots(resida_problem *problem, double t, const double *y, const double *yp, double *out);
int rsd_problem_n_root(const resida_problem *problem);

/** Set y and yp to the state of the last consistent start: p' = T v with the current T, v' = a, all other components of
 *  yp 0. It becomes the reference point of "state-space". */
void rsd_problem_pack(const resida_problem *problem, const double *p, const double *v, const double *a,
                      const double *lam, double *y, double *yp);

/** lam, and the accelerations, in y or in yp. */
const double *rsd_problem_lam(const resida_problem *problem, const double *y, const double *yp);
const double *rsd_problem_a(const resida_problem *problem, const double *y, const double *yp);

/** A step, or a start, has ended in y. *changed: 1 when the formulation has changed its coordinates there, or which of
 *  dependent constraints are taken, and J with them. yp may be NULL; where lam is in it, it is not continuous then.
 *  @return verdict of the callbacks, or a status < 0 with a message in `why` */
int rsd_problem_accepted(resida_problem *problem, double t, const double *y, const double *yp, int *changed,
                         resida_message *why);

/** An attempt failed: increments of differences of the model may be searched again before the next one.
 *  @return 1: F at the same point may be another one; 0: it is the same */
int rsd_problem_failed(resida_problem *problem);

/** 1: F is the same function after rsd_problem_accepted(), unless that says otherwise: it has no differences of the
 *  constraints. */
int rsd_problem_repeats(const resida_problem *problem);

/** 1: F depends on what the last start and the steps since have chosen: dropped rows, contacts that hold, or the
 *  reference point of "state-space". */
int rsd_problem_has_history(const resida_problem *problem);

/** 1: rsd_problem_accepted() needs yp. */
int rsd_problem_needs_yp(const resida_problem *problem);

/** 1: steps are projected after they were solved, onto the constraints (an option) or the invariants. */
int rsd_problem_projects(const resida_problem *problem);

/** Project such a step, y [n] in place. The verdict of the callbacks. */
int rsd_problem_project(resida_problem *problem, double t, double *y);

/** Project y [n], interpolated between two steps, onto the invariants; if that fails, y is unchanged. @return < 0: a
 *  fatal verdict of a callback; else 0 */
int rsd_problem_settle(resida_problem *problem, double t, double *y);

/** Copy a problem for another thread, with its own work space; names and callbacks are those of the original.
 *  RESIDA_ERR_MEMORY. */
resida_status rsd_problem_clone(resida_problem **clone, const resida_problem *original, resida_message *why);

/** The same mechanism and formalism in another form, with nothing dropped; or the same general DAE. Names and callbacks
 *  are copied, resp. those of the original. As resida_problem_create(). */
resida_status rsd_problem_in_form(resida_problem **other, const resida_problem *q, const char *form,
                                  resida_message *why);

/** Copy the excitation, dropped rows and scales of the original. */
void rsd_problem_follow(resida_problem *clone, const resida_problem *original);

/** 1: the model's callbacks may be called by several threads at once. */
int rsd_problem_thread_safe(const resida_problem *problem);

/** Allocate the work space of the consistent start, so that a start allocates nothing. */
resida_status rsd_start_reserve(resida_problem *problem, resida_message *why);

/** Free what is not memory of the problem. */
void rsd_start_free(rsd_start *start);

#endif
