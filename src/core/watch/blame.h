/* blame.h - records which components dominate failed attempts, and describes likely causes of failures. */
#ifndef RSD_BLAME_H
#define RSD_BLAME_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

/* A jump is searched near a failed step, up to RSD_JUMP_DISTANCE steps, roundings of t, or increments of difference
 * quotients in t. A change is a jump if it exceeds RSD_JUMP_RATIO times the next change. A smooth function has the
 * ratio 2. */
#define RSD_JUMP_DISTANCE 4.0
#define RSD_JUMP_RATIO    10.0

enum {
    RSD_BLAMED = 10,                                   /* number of the last failures that are recorded */
    RSD_BLAME_TEXT = 120,                              /* size of the text of rsd_blame_text() */
    RSD_JUMP_TEXT = 140,                               /* size of the text about a jump of an excitation */
    RSD_CAUSE_TEXT = RSD_JUMP_TEXT + RSD_ROW_NAME + 60 /* size of the text of rsd_likely_cause() */
};

/** Components that dominated the last failed attempts of steps. */
typedef struct rsd_blame {
    int component[RSD_BLAMED]; /* dominating component of failure i at index i % RSD_BLAMED */
    int count;                 /* number of recorded failures so far */
} rsd_blame;

/** Return the component with the largest |x_i w_i|, or the first component that is not finite. x [n], weights w [n]. */
int rsd_find_max_component(int n, const double *x, const double *w);

/** Record the component that dominated a failed attempt. If the component is unknown, -1, nothing is recorded. */
void rsd_blame_record(rsd_blame *b, int component);

/** Write the recorded components to text [RSD_BLAME_TEXT] by frequency, as "v[1] (8 of 10), lam[0] (2 of 10)". */
void rsd_blame_text(const rsd_blame *b, const resida_problem *q, char *text);

/** Write the name of a component to text [size]. If the constraint of a multiplier has a name, the name is added. */
void rsd_format_component(const resida_problem *q, int component, char *text, size_t size);

/** Find an excitation that jumps within four h, or four roundings, of t. Return 1 and write its name to text
 *  [RSD_JUMP_TEXT] if an excitation jumps, else return 0. */
int rsd_find_excitation_jump(resida_problem *q, double t, double h, char *text);

/** A failed step. */
typedef struct rsd_blamed_step {
    double t, h;     /* start or end of the step [s]; step size [s] */
    const double *y; /* [n] state at t */
} rsd_blamed_step;

/** Write a likely cause of the failure and a remedy to text [RSD_CAUSE_TEXT]: a jump, or a nearly singular G. Cost:
 *  three, at most six, calls of the excitation for each of its components; rsd_find_constraint_jump(); dg/dp, and the
 *  memory and O(n_l^2 n_v) operations of a rank decision. */
void rsd_likely_cause(resida_problem *q, const resida_solver_options *o, const rsd_blamed_step *step, char *text);

#endif
