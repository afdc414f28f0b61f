/* method.h - a method that takes steps of a given size h, as the stepping loop (fixed_step.c) and its Newton iteration
 * (fixed_newton.c) see it. Unknowns of a step from t_n are s vectors X_1 .. X_s [n], the last of them y_{n+1}. In each
 * stage i = 1 .. s
 *
 *     F(t_n + c_i h, Y_i, Y'_i) = 0,   Y_i  = y_n + sum_j e_ij (X_j - y_n),
 *                                      Y'_i = sum_j d_ij (X_j - y_n) / h + k_i,
 *
 * where e and d may differ between the fields of y: positions, velocities, states, and the rest (multipliers), and k is
 * known. That is all that BDF, midpoint, Newmark's family, Radau IIA and the energy-decaying scheme have to say; one
 * file each, method_*.c. Rows of constraints may be held at (t_n + b_i h, X_i) instead of at stage i.
 *
 * F may be an average along a way instead, with nodes x_k in -1/2 .. 1/2 and weights w_k:
 *
 *     sum_k w_k F(t_n + c_i h, Y_i + x_k way_i, Y'_i) = 0,   way_i = sum_j way_ij (X_j - y_n) in positions.
 *
 * J is taken in the middle of the way, at Y_i. */
#ifndef RSD_METHOD_H
#define RSD_METHOD_H

#include <resida/solver.h>

#include "src/watch/guard.h"

enum { RSD_MOST_STAGES = 3, RSD_MOST_BACK = 7, RSD_MOST_POINTS = 4 };

/** The fields of y: positions, velocities, first-order states, the rest. A general DAE has velocities (kind
 *  differential) and the rest. */
typedef enum rsd_field { RSD_FIELD_P, RSD_FIELD_V, RSD_FIELD_Z, RSD_FIELD_REST, RSD_N_FIELDS } rsd_field;

/** 1: velocities and states, which have a derivative in F and are no positions. */
static inline int rsd_is_rate(unsigned char field)
{
    return field == RSD_FIELD_V || field == RSD_FIELD_Z;
}

/** What is known at t_n. */
typedef struct rsd_past {
    int n;
    resida_problem *problem;
    const resida_solver_options *o;
    unsigned char *field;     /* [n] rsd_field */
    int count;                /* of the back values that there are, 1 .. RSD_MOST_BACK */
    double *y[RSD_MOST_BACK]; /* [n] y_n, y_{n-1} .. */
    double h[RSD_MOST_BACK];  /* h[i]: from y[i + 1] to y[i] */
    double *yp, *yp_before;   /* [n] derivatives at t_n and t_{n-1} */
    double *b;                /* [n] what the method keeps besides: pseudo-accelerations, or y' of the last midpoint */
    double *b_start, *slope;  /* [n] b at t_n, kept for other tries; its derivative */
    double h_b;               /* size of the steps that b_start, and the velocities at t_n, are for */
} rsd_past;

/** Where the rows of constraints are taken. */
typedef enum rsd_holding {
    RSD_IN_STAGES,   /* at (Y_i, Y'_i), like all rows */
    RSD_AT_UNKNOWNS, /* at (t_n + b_i h, X_i) */
    RSD_AT_END       /* so at X_s alone; multipliers of the other X_i are those of X_s */
} rsd_holding;

/** The numbers of one step. */
typedef struct rsd_stages {
    int s;
    double c[RSD_MOST_STAGES];
    double e[RSD_N_FIELDS][RSD_MOST_STAGES][RSD_MOST_STAGES];
    double d[RSD_N_FIELDS][RSD_MOST_STAGES][RSD_MOST_STAGES];
    rsd_holding holding;
    double b[RSD_MOST_STAGES]; /* when rows are held */
    int points;                /* of the average along a way; 0: F at Y_i alone */
    double x[RSD_MOST_POINTS], w[RSD_MOST_POINTS];
    double way[RSD_MOST_STAGES][RSD_MOST_STAGES]; /* of positions */
} rsd_stages;

/** What options are for (src/solver/solver_options.c): methods that have one of these traits. */
enum {
    RSD_METHOD_VARIABLE = 1,  /* "bdf", whose steps are IDA's */
    RSD_METHOD_FIXED = 2,     /* any of rsd_method */
    RSD_METHOD_ADAPTIVE = 4,  /* knows its error */
    RSD_METHOD_MULTISTEP = 8, /* takes more than one back value */
    RSD_METHOD_WITH_RHO = 16, /* takes rho_infinity; this and the next do not follow from rsd_method */
    RSD_METHOD_WITH_BETA = 32 /* takes newmark_beta, newmark_gamma */
};

typedef struct rsd_method rsd_method;
struct rsd_method {
    const char *name;
    int steps;       /* back values that it takes */
    int order;       /* of p and v, and of the extrapolation that a step begins with */
    unsigned traits; /* that do not follow: RSD_METHOD_WITH_.. */
    /** RESIDA_OK; RESIDA_ERR_OPTION, with what this problem, or these options, lack. NULL: good for all. */
    resida_status (*check)(const resida_problem *problem, const resida_solver_options *o, resida_message *why);
    /** The numbers, and k [s n], which is zero before. */
    void (*begin)(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k);
    /** After the stages, Y' [s n] among them, are found: y'_{n+1} [n] and, where it has them, the pseudo-accelerations
     *  b [n], which are those at t_n before. */
    void (*end)(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp, double *yp,
                double *b);
    /** b from b_start, and the velocities at t_n, moved from steps of past->h_b to another size h; NULL: nothing is. */
    void (*resize)(const rsd_method *m, rsd_past *past, double h);
    /** The local error e [n] of the step that ended with y'_{n+1} and b, from b_n before; zero where it is not known.
     *  NULL: the method has no estimate, and steps of one size only. */
    void (*error)(const rsd_method *m, const rsd_past *past, double h, double *e);
    /** Where the first step begins, given what Radau IIA of order 5 makes of it: y1, yp1 [n]; NULL: nothing is
     *  needed. */
    void (*start)(const rsd_method *m, rsd_past *past, double h, const double *y1, const double *yp1);
};

/** Methods that others begin with. */
extern const rsd_method rsd_method_bdf[6], rsd_method_radau_3;

/** The method of that name; NULL: there is none, "bdf" is none. */
const rsd_method *rsd_method_find(const char *name);

/** All traits of the method of that name, "bdf" too; 0: there is none. */
unsigned rsd_method_traits(const char *name);

/** All fields alike: e = I, c = (.., 1), d of the last stage alone. */
void rsd_stages_plain(rsd_stages *st, double d);

/** y'_{n+1} is that of the last stage. An rsd_method.end. */
void rsd_end_at_stage(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp,
                      double *yp, double *b);

/** The Y' of the last stage belongs to the middle of the step: y'_{n+1} is extrapolated from there, and b keeps it. An
 *  rsd_method.end. */
void rsd_end_at_middle(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp,
                       double *yp, double *b);

/** 1: p' = v, component by component. */
int rsd_is_plain_motion(const resida_problem *problem);

#endif
