/* method.h - the interface of a method that takes steps of a given size h, as used by the stepping loop (fixed_step.c)
 * and its Newton iteration (fixed_newton.c). The unknowns of a step from t_n are s vectors X_1 .. X_s [n]. X_s is
 * y_{n+1}. Each stage i = 1 .. s satisfies
 *
 *     F(t_n + c_i h, Y_i, Y'_i) = 0,   Y_i  = y_n + sum_j e_ij (X_j - y_n),
 *                                      Y'_i = sum_j d_ij (X_j - y_n) / h + k_i,
 *
 * where e and d may differ between the fields of y (positions, velocities, states, and the rest, such as multipliers)
 * and k is known before the step. BDF, midpoint, Newmark's family, Radau IIA and the energy-decaying scheme are defined
 * by these coefficients, each in one file method_*.c. Constraint rows may be evaluated at (t_n + b_i h, X_i) instead of
 * at stage i.
 *
 * Instead of F at Y_i, a method may use an average of F along a straight path of positions through Y_i, with nodes x_k
 * in -1/2 .. 1/2 and weights w_k:
 *
 *     sum_k w_k F(t_n + c_i h, Y_i + x_k way_i, Y'_i) = 0,   way_i = sum_j way_ij (X_j - y_n) in positions.
 *
 * J is evaluated in the middle of the path, at Y_i. */
#ifndef RSD_METHOD_H
#define RSD_METHOD_H

#include <resida/solver.h>

#include "src/core/events/integrator.h"

/* Maximum numbers of stages, of previous values, and of nodes of an average. */
enum { RSD_MAX_STAGES = 3, RSD_MAX_BACK_VALUES = 7, RSD_MAX_POINTS = 4 };

/** Parts (fields) of y: positions, velocities, first-order states, others. Differential components of a general DAE are
 *  in RSD_FIELD_V, its other components in RSD_FIELD_REST. */
typedef enum rsd_field { RSD_FIELD_P, RSD_FIELD_V, RSD_FIELD_Z, RSD_FIELD_REST, RSD_N_FIELDS } rsd_field;

/** Return 1 for velocities and states: components other than positions whose derivative appears in F. */
static inline int rsd_is_rate(unsigned char field)
{
    return field == RSD_FIELD_V || field == RSD_FIELD_Z;
}

/** The properties of a collocation method of three stages that takes steps of variable size. e is the identity, and d
 *  is A^-1 for all fields, with the matrix A of the method. T transforms the stages to a real and a complex system. */
typedef struct rsd_collocation {
    double gamma, re, im;          /* eigenvalues of the inverse Butcher matrix A^-1: gamma, re + i im, re - i im */
    double T[3][3], inverse[3][3]; /* transformation T with T^-1 A^-1 T = (gamma; re -im; im re); its inverse */
    double embedded[3];            /* weights of the stages in the embedded formula (fixed_error.c) */
    int order;                     /* order q of the error estimate, e = C h^q */
} rsd_collocation;

/** Back values, which are the values y_n, y_{n-1} .. of previous steps and their derivatives. */
typedef struct rsd_past {
    int n;                          /* number of components of y */
    resida_problem *problem;        /* the problem, borrowed */
    const resida_solver_options *o; /* options of the solver, borrowed */
    unsigned char *field;           /* [n] part of y (rsd_field) of each component */
    int count;                      /* number of previous values, 1 .. RSD_MAX_BACK_VALUES */
    double *y[RSD_MAX_BACK_VALUES]; /* [n] values at t_n, t_{n-1} .. */
    double h[RSD_MAX_BACK_VALUES];  /* size of the step from y[i + 1] to y[i] [s] */
    double *yp, *yp_before;         /* [n] y' at t_n; at t_{n-1} */
    double *b;                      /* [n] pseudo-accelerations at t_n, or y' of the last midpoint */
    double *b_start, *slope;        /* [n] copy of b for repeated attempts; time derivative of b */
    double h_b;                     /* step size for which b_start and the velocities at t_n were computed [s] */
    /* The polynomial of the last step of a collocation method of three stages (fixed_past.c). */
    int has_polynomial;        /* 1: the next members are set */
    double c[2], *differences; /* nodes c_1, c_2 of the polynomial; [4 n] its divided differences */
} rsd_past;

/** Points at which constraints are evaluated in a step. */
typedef enum rsd_holding {
    RSD_IN_STAGES,   /* at the stages (Y_i, Y'_i), as all equations */
    RSD_AT_UNKNOWNS, /* at the unknowns X_i and times t_n + b_i h */
    RSD_AT_END       /* at the last unknowns X_s only; the multipliers of all stages are equal */
} rsd_holding;

/** The coefficients of one step, in the notation of the head comment. */
typedef struct rsd_stages {
    int s;                                                  /* number of stages */
    double c[RSD_MAX_STAGES];                               /* nodes c_i of the stages */
    double e[RSD_N_FIELDS][RSD_MAX_STAGES][RSD_MAX_STAGES]; /* coefficients e_ij of each part of y */
    double d[RSD_N_FIELDS][RSD_MAX_STAGES][RSD_MAX_STAGES]; /* coefficients d_ij of each part of y */
    rsd_holding holding;                                    /* points at which constraints are evaluated */
    double b[RSD_MAX_STAGES];                               /* nodes b_i of constraints; unused with RSD_IN_STAGES */
    int points;                                             /* number of nodes of an average of F; 0: F at the stages */
    double x[RSD_MAX_POINTS], w[RSD_MAX_POINTS];            /* nodes and weights of the average */
    double way[RSD_MAX_STAGES][RSD_MAX_STAGES];             /* coefficients way_ij of the path of positions */
} rsd_stages;

typedef struct rsd_method rsd_method;
struct rsd_method {
    const char *name; /* name of the method (option method) */
    int steps;        /* number of previous values that the method uses */
    int order;        /* order of positions, velocities and extrapolation */
    unsigned traits;  /* traits RSD_METHOD_WITH_.. */
    /** Check problem and options. Return RESIDA_OK, or RESIDA_ERR_OPTION with a message. NULL: no check. */
    resida_status (*check)(const resida_problem *problem, const resida_solver_options *o, resida_message *why);
    /** Set the coefficients of a step, and k [s n], which is zero before the call. */
    void (*begin)(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k);
    /** Set y'_{n+1} [n] from Y' [s n] of the stages, and update b [n] from its value at t_n. */
    void (*end)(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp, double *yp,
                double *b);
    /** Convert b and the velocities at t_n from steps of size past->h_b to steps of size h. May be NULL. */
    void (*resize)(const rsd_method *m, rsd_past *past, double h);
    /** Estimate the local error e [n] of the step from y'_{n+1} and b. Components without an estimate get 0. NULL: the
     *  method has no error estimate, and its steps cannot be adaptive. */
    void (*error)(const rsd_method *m, const rsd_past *past, double h, double *e);
    /** Properties for steps of variable size. NULL: the method takes steps of fixed size only. */
    const rsd_collocation *collocation;
    /** Set the initial values of the method from the end y1, yp1 [n] of a step of Radau IIA of order 5. May be NULL. */
    void (*start)(const rsd_method *m, rsd_past *past, double h, const double *y1, const double *yp1);
};

/** The methods. radau_3 also takes the first steps of other methods. */
extern const rsd_method rsd_method_bdf[6], rsd_method_midpoint, rsd_method_newmark, rsd_method_hht,
    rsd_method_generalized_alpha, rsd_method_radau_2, rsd_method_radau_3, rsd_method_energy_decaying;

/** Return the method called `name`. Return NULL if there is no method `name`, and for the name "bdf". */
const rsd_method *rsd_method_find(const char *name);

/** Set one stage with e = 1, c = 1 and the given coefficient d for all fields of y. */
void rsd_stages_set_plain(rsd_stages *st, double d);

/** An rsd_method.end: set y'_{n+1} to Y' of the last stage. */
void rsd_set_end_from_stage(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp,
                            double *yp, double *b);

/** An rsd_method.end: extrapolate Y' of the last stage, in the middle of the step, to y'_{n+1}, and copy Y' to b. */
void rsd_set_end_from_middle(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st,
                             const double *Yp, double *yp, double *b);

/** Return 1 if p' = v for each component. */
int rsd_is_plain_motion(const resida_problem *problem);

#endif
