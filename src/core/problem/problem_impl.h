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

/** End of the error messages about kinds of components that are out of range. */
#define RSD_KINDS_ARE_NOT_IDS "RESIDA_DIFFERENTIAL is 0 and RESIDA_ALGEBRAIC 1, the opposite of the ids of IDA"

typedef struct rsd_start rsd_start; /* work space of consistent starts, start.c */

/** Traits of formulations, bits of rsd_form.traits and rsd_option.forms. An option has an effect with each formulation
 *  that has one of its traits. rsd_form_get_traits() derives the traits, except the last two, from other members of
 *  rsd_form. */
enum {
    RSD_FORM_MECHANISM = 1,    /* all forms of a mechanism */
    RSD_FORM_CONSTRAINED = 2,  /* forms with multipliers lam */
    RSD_FORM_DIRECTED = 4,     /* forms with lam and without a reference point, which can use directions D */
    RSD_FORM_INDEX_3 = 8,      /* forms whose lam enforces position constraints */
    RSD_FORM_WITH_GAMMA = 16,  /* forms that use the option gamma */
    RSD_FORM_WITH_PENALTY = 32 /* forms that use the option penalty */
};

/** A formulation of a mechanism: its unknowns and its rows. The unknowns are a subset of y = (p, v, lam, eta, tau, a,
 *  eta_k). The rows of F are the kinematic and dynamic rows, the constraint rows of lam, of eta (position level) and of
 *  tau (velocity level), the projected rows, and the invariants. The last are the same in every formulation. */
typedef struct rsd_form {
    const char *name;     /* name of the formulation */
    rsd_level level;      /* level (position, velocity, acceleration) of the constraints that lam enforces */
    int has_eta, has_tau; /* 1: y contains eta, or tau */
    int rates;            /* 1: lam and eta are elements of yp, and y contains their integrals */
    int is_frozen;   /* 1: the directions of the projections (D1 of eta, D2 of tau) are kept from a reference point */
    unsigned traits; /* RSD_FORM_WITH_GAMMA or RSD_FORM_WITH_PENALTY; other traits follow from the members above */
    double usual_gamma; /* default of the option gamma [1/s] */
} rsd_form;

/** Set *form to the formulation called `name`, or to the one selected by "auto". Return RESIDA_OK, or
 *  RESIDA_ERR_OPTION, with all names in the message, if there is no formulation `name`. */
resida_status rsd_form_find(const rsd_form **form, const char *name, const rsd_mechanism *k, resida_message *why);

/** Return all traits of the formulation called `name`, or 0 for any other name, including "auto" and "dae". */
unsigned rsd_form_get_traits(const char *name);

/** Set the offsets and n of the layout. The sizes n_p .. n_u of the layout must be set. Return RESIDA_OK, or
 *  RESIDA_ERR_MODEL if the formulation does not apply to the mechanism. */
resida_status rsd_form_set_layout(const rsd_form *form, const rsd_mechanism *k, resida_layout *l, resida_message *why);

/** Set kinds [n], the kind of each component of y. uses_lam is 1 if applied forces or rates of states depend on lam. */
void rsd_form_set_kinds(const rsd_form *form, const resida_layout *l, int uses_lam, resida_kind *kinds);

/** Work space for k directions along the arguments of Phi, and the k products. */
typedef struct rsd_directions {
    double *p, *v, *a, *lam, *out; /* [k x n_p], [k x n_v], [k x n_v], [k x n_l] directions; [k x n_v] products */
} rsd_directions;

struct resida_problem {
    resida_allocator alloc;      /* allocator of the caller */
    rsd_owner owner;             /* owner of all memory of the problem except the struct itself */
    resida_allocator own;        /* allocator whose blocks `owner` frees */
    resida_products products;    /* directional derivatives of the model; NULL callbacks: none */
    rsd_directions directions;   /* work space for directional derivatives of a mechanism */
    const rsd_form *form;        /* formulation of a mechanism; NULL: a general DAE */
    rsd_mechanism *mechanism;    /* copy of the mechanism; NULL: a general DAE */
    rsd_rows *rows;              /* equations of a mechanism; NULL: a general DAE */
    resida_problem_options o;    /* copy of the options, with static strings and without borrowed pointers */
    resida_layout layout;        /* offsets of the unknowns in y */
    resida_kind *kinds;          /* [n] kind of each component of y */
    rsd_start *start;            /* work space of consistent starts; NULL before the first start */
    rsd_start *impact;           /* work space of impacts; NULL before the first impact */
    rsd_active_rows active_rows; /* choice of the constraints in use among redundant ones */
    rsd_unilateral contacts;     /* contacts that can stay closed */
    long starts;                 /* number of successful starts; each selects dropped rows and a reference point */

    rsd_calls *calls; /* points to the calls of the mechanism, or to dae_calls */

    resida_dae dae;      /* copy of the general DAE */
    rsd_calls dae_calls; /* excitation, counters and failures of the callbacks of the general DAE */
    rsd_csr J;           /* pattern of J; row NULL: the DAE gives no pattern */
};

/** Write the cause of a failure to text [size], for instance "callback residual, component 2 (v[2])". */
void rsd_problem_format_fault(const resida_problem *problem, const rsd_fault *fault, char *text, size_t size);

/** Evaluate F, or its part F_a or F_c (rows.h), into r [n]. Components of r without the part are set to 0. For a
 *  general DAE F_c is 0. Return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_problem_eval_part(resida_problem *problem, rsd_rows_part part, double t, const double *y, const double *yp,
                          double *r);
int rsd_problem_eval_dae_residual(resida_problem *problem, double t, const double *y, const double *yp, double *r);

/** Evaluate the excitations u, ud, udd [3 n_u] at t. *u points to memory of the problem. */
int rsd_problem_eval_excitation(resida_problem *problem, double t, const double **u);

/** Copy the excitations u, ud, udd at t to u [3 n_u]. */
int rsd_problem_copy_excitation(resida_problem *problem, double t, double *u);

/** Evaluate dF/dy + alpha dF/dyp of a general DAE that has a Jacobian callback, into J in the order of problem->J.
 *  Return the verdict of the callback. */
int rsd_problem_eval_dae_J(resida_problem *problem, double t, double alpha, const double *y, const double *yp,
                           double *J);

/** Return 1 if dPhi/dlam and G' share positions of dF/dyp. The sum of both is then an unknown entry. Entries are shared
 *  in the residual formalism if forces depend on lam, and lam is an element of yp. */
static inline int rsd_has_shared_force(const resida_problem *problem)
{
    return problem->layout.rates && problem->mechanism->uses_lam && !problem->mechanism->is_explicit;
}

/** @name problem_times.c @{ */
/** Check the products of the options, and copy them. problem->dae or problem->mechanism must be set. Return RESIDA_OK,
 *  or RESIDA_ERR_ARGUMENT or RESIDA_ERR_MODEL with a message if they are wrong. */
resida_status rsd_problem_set_products(resida_problem *problem, const resida_products *products, resida_message *why);

/** Return 1 if the model gives products that apply to the formalism in use. */
int rsd_problem_has_products(const resida_problem *problem);

/** Compute out [k x n] = dF_a/dy dy + (unknown part of dF/dyp) dyp, for k directions dy, dyp [k x n].
 *  @return 0 on success, > 0 if a callback could not be evaluated, < 0 on a fatal error */
int rsd_problem_multiply(resida_problem *problem, double t, const double *y, const double *yp, int k, const double *dy,
                         const double *dyp, double *out);
/** @} */

/** Evaluate the root functions at (t, y, yp), including root functions of contacts, into out [n_root]. Return 0 on
 *  success, > 0 if a callback could not be evaluated, < 0 on a fatal error. */
int rsd_problem_eval_roots(resida_problem *problem, double t, const double *y, const double *yp, double *out);
int rsd_problem_get_n_root(const resida_problem *problem);

/** Set y, yp [n] from p, v, a, lam of a consistent start. yp contains p' = T v with the current T, v' = a, lam if it is
 *  an element of yp, and otherwise 0. In the form "state-space" the start becomes the reference point. */
void rsd_problem_set_y(const resida_problem *problem, const double *p, const double *v, const double *a,
                       const double *lam, double *y, double *yp);

/** Return a pointer into y or yp, to lam (NULL if the formulation has no lam) or to the accelerations a. */
const double *rsd_problem_get_lam(const resida_problem *problem, const double *y, const double *yp);
const double *rsd_problem_get_a(const resida_problem *problem, const double *y, const double *yp);

/** Update the reference point and the choice of active rows after a step or a start that ends at y. *changed is set to
 *  1 if the update changes J, else to 0. If yp is NULL, multipliers in yp are treated as unknown.
 *  @return 0 on success, > 0 if a callback could not be evaluated, or a status < 0 with a message in `why` */
int rsd_problem_process_step(resida_problem *problem, double t, const double *y, const double *yp, int *changed,
                             resida_message *why);

/** Count a failed attempt of a step. After some failures the increments of differences may be searched again.
 *  @return 1 if this search may change the value of F at the same point, otherwise 0 */
int rsd_problem_process_failure(resida_problem *problem);

/** Return 1 if F contains no differences of constraints. The function F then changes only when
 *  rsd_problem_process_step() sets *changed. */
int rsd_problem_is_repeatable(const resida_problem *problem);

/** Return 1 if F depends on decisions of the last start or of later steps: dropped rows, closed contacts, or the
 *  reference point of "state-space". */
int rsd_problem_has_history(const resida_problem *problem);

/** Return 1 if rsd_problem_process_step() needs yp, and not only y. */
int rsd_problem_needs_yp(const resida_problem *problem);

/** Return 1 if each step is projected, onto the constraints (option step_projection) or onto the invariants. */
int rsd_problem_has_projection(const resida_problem *problem);

/** Project y [n], the solution of a step, in place. Return 0 on success, > 0 if a callback could not be evaluated, < 0
 *  on a fatal error. */
int rsd_problem_project(resida_problem *problem, double t, double *y);

/** Project y [n], interpolated between two steps, onto the invariants. If the projection fails, y is unchanged.
 *  @return 0 on success or if the projection fails, < 0 on a fatal error of a callback */
int rsd_problem_project_output(resida_problem *problem, double t, double *y);

/** Copy a problem for another thread, with its own work space. The copy uses the names and callbacks of the original.
 *  Return RESIDA_ERR_MEMORY if there is no memory. */
resida_status rsd_problem_clone(resida_problem **clone, const resida_problem *original, resida_message *why);

/** Create a problem for the mechanism and formalism of q in another form, without dropped rows, or for the same general
 *  DAE. It copies the names and uses the callbacks of q. Return as resida_problem_create(). */
resida_status rsd_problem_create_in_form(resida_problem **other, const resida_problem *q, const char *form,
                                         resida_message *why);

/** Copy the state of the original to the clone: excitation, dropped rows and scales. */
void rsd_problem_copy_state(resida_problem *clone, const resida_problem *original);

/** Return 1 if the model's callbacks may be called by several threads at once. */
int rsd_problem_is_thread_safe(const resida_problem *problem);

/** Allocate the work space of the consistent start. Later starts allocate no memory. */
resida_status rsd_start_allocate(resida_problem *problem, resida_message *why);

/** Free the memory of a start that the problem does not own. */
void rsd_start_free(rsd_start *start);

#endif
