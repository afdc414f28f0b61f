/* cost.c - see cost.h. What nothing is said of is assumed by size. */
#include "cost.h"

#include "problem_impl.h"

#include <math.h>

#define FORMALISM  600.0  /* for each velocity: built-in formalisms take 200 to 3,000 instructions */
#define MASS       1200.0 /* for each velocity, of a mass matrix */
#define CONSTRAINT 30.0   /* for each constraint */
#define GROUPS     14.0   /* of coordinates, by which dg/dp is differenced, at the most */
#define CALLS_OF_G 2.0    /* for each group, one for each side */
#define ENTRY      10.0   /* for each entry of a matrix */
#define PRODUCT    4.0    /* for each entry of a matrix that is multiplied */
#define OF_UNKNOWN 50.0   /* for each unknown of a general DAE */
#define ROWS       20.0   /* for each row */

/* dg/dp, T, Gh at a point. */
static double matrices(const rsd_mechanism *k)
{
    const double g = CONSTRAINT * k->m.n_g;
    const double G = k->m.constraint_matrix ? ENTRY * k->gp.nnz : CALLS_OF_G * fmin(k->m.n_p, GROUPS) * g;
    return G + ENTRY * (k->T.nnz + k->Gh.nnz);
}

rsd_problem_costs rsd_problem_get_costs(const resida_problem *q)
{
    const rsd_mechanism *k = q->mechanism;
    const double rows = ROWS * q->layout.n;
    if (!k) return (rsd_problem_costs){.F = OF_UNKNOWN * q->layout.n + rows};
    const double at_p = matrices(k), products = PRODUCT * (3.0 * k->gp.nnz + 2.0 * k->T.nnz + 2.0 * k->Gh.nnz);
    return (rsd_problem_costs){.F = FORMALISM * k->m.n_v + at_p + products + rows,
                               .curved = at_p + products + rows,
                               .known = at_p + (k->m.mass_matrix && !k->is_explicit ? MASS * k->m.n_v : 0) + rows};
}
