/* secant.h - do differences of g still hold where the motion has gone?
 *
 *     |g(p + d) - g(p - d) - 2 G d| <= SECANT_ERROR sum |2 G_ij d_j| + rounding,    d = SECANT_PART (p_n - p_n-1)
 *
 * Lengths over which g bends were found where p was then. A ripple, or a tooth, that begins later may be shorter than
 * the increments, and what is checked with increments of the same lengths does not show it. The secant of an accepted
 * step does: it is as short as the steps are. */
#ifndef RSD_SECANT_H
#define RSD_SECANT_H

struct rsd_mechanism;

typedef struct rsd_secant {
    double *p_of_G; /* [n_p] where the dg/dp at hand was found by differences */
    double *p_last; /* [n_p] p_n-1 */
    double *move;   /* [n_p] 2 d */
    double *change; /* [n_g] g(p + d) - g(p - d) */
    int has_G;      /* p_of_G is known */
    int has_last;   /* p_last is known */
    int fails;      /* attempts since the last accepted step or search */
    int waits;      /* so many steps go unchecked .. */
    int in_vain;    /* .. since so many searches one after the other did not mend it */
} rsd_secant;

/** 0: no memory */
int rsd_secant_create(struct rsd_mechanism *k);

/** dg/dp was found by differences at p [n_p]; NULL: in another way. */
void rsd_secant_note(struct rsd_mechanism *k, const double *p);

/** A step was accepted at (t, p). Where dg/dp is found by differences and does not explain the change of g along the
 *  step, the lengths of its increments are searched anew: *changed 1, else as it was.  Cost: two calls of g.
 *  @return the verdict of g; < 0 stops */
int rsd_secant_accepted(struct rsd_mechanism *k, double t, const double *p, int *changed);

/** An attempt failed. After some in succession the lengths are searched anew: the step may end where g bends or rounds
 *  otherwise than where they were found.
 *  @return 1: they will be, so that G at the same point may be another one; 0: not */
int rsd_secant_failed(struct rsd_mechanism *k);

/** A start: no step has been accepted. */
void rsd_secant_forget(struct rsd_mechanism *k);

#endif
