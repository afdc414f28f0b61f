/* blame.h - which components an integration is lost by: remembered of failed attempts, and put in words. */
#ifndef RSD_BLAME_H
#define RSD_BLAME_H

#include <resida/solver.h>

#include "src/core/problem/problem_impl.h"

enum {
    RSD_BLAMED = 10,
    RSD_BLAME_TEXT = 120,
    RSD_JUMP_TEXT = 140, /* of an excitation that jumps */
    RSD_CAUSE_TEXT = RSD_JUMP_TEXT + RSD_ROW_NAME + 60
};

/** The components that dominated the last failed attempts, the latest last. */
typedef struct rsd_blame {
    int component[RSD_BLAMED];
    int count;
} rsd_blame;

/** The component with the largest part x_i w_i, of x [n] and weights w [n]; one that is not finite before all
 *  others. */
int rsd_largest(int n, const double *x, const double *w);

/** Count a failed attempt for the component; -1: not known, not counted. */
void rsd_blame_component(rsd_blame *b, int component);

/** "v[1] (8 of 10), lam[0] (2 of 10)", the most frequent first; "" when nothing was noted. text [RSD_BLAME_TEXT] */
void rsd_blame_text(const rsd_blame *b, const resida_problem *q, char *text);

/** The name of a component; of a multiplier with that of its constraint, where the model gives one. text [size] */
void rsd_blame_name(const resida_problem *q, int component, char *text, size_t size);

/** 1: an excitation jumps within four h of t, or four roundings of t: text [RSD_JUMP_TEXT] says which. */
int rsd_excitation_jumps(resida_problem *q, double t, double h, char *text);

/** A step of size h from t, y [n], or to there, that failed. */
typedef struct rsd_blamed_step {
    double t, h;
    const double *y;
} rsd_blamed_step;

/** Why it may have failed, and what to do: a jump, or a G that is nearly singular, by name. text [RSD_CAUSE_TEXT]
 *  Cost: three calls of the excitation for each of its components, at the most twice; rsd_constraint_jumps();
 *  dg/dp, and the memory and O(n_l^2 n_v) operations of its rank. */
void rsd_likely_cause(resida_problem *q, const resida_solver_options *o, const rsd_blamed_step *step, char *text);

#endif
