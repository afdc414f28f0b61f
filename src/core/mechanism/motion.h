/* motion.h - the velocity bias gI of a model that does not give it, by a difference of g along a motion p' = r, t' = 1:
 *
 *     G v + gI = G (v - d) + (g(t + s, p+) - g(t - s, p-))/(2 s),    p+- = p +- s r,   d = (p+ - p-)/(2 s)
 *
 * for whatever r. At fixed p, r = 0, the quotient is as large as the speed of an anchor, and so is its error, a part
 * nu^(2/3) of that (scales.h). With the r at the end of the last step p goes with the anchor, and the quotient is
 * small. r and s are the same in all evaluations at one t, so that w is one function, linear in v.
 *
 * s is a part of the length over which g bends along the motion. A bend that begins later may be shorter: s is at most
 * as long as g was evaluated around t, or a part of the step that ends there. */
#ifndef RSD_MOTION_H
#define RSD_MOTION_H

struct rsd_mechanism;

typedef struct rsd_motion {
    double *rate;   /* [n_p] r */
    double *along;  /* [n_p] d */
    double *beside; /* [n_p] v - d */
    double *up;     /* [n_p] p+ */
    double t_last;  /* end of the last accepted step */
    double h;       /* its length; 0: not known */
    int has_rate;   /* 0: p stands still */
    int has_last;   /* t_last is known */
} rsd_motion;

/** A start with p' = rate [n_p]. */
void rsd_motion_begin(struct rsd_mechanism *k, const double *rate);

/** r and steps of `from`. */
void rsd_motion_follow(struct rsd_mechanism *k, const struct rsd_mechanism *from);

/** out [n_g]: the quotient at (t, p). *along: d [n_p], NULL: 0. The excitation is that of t, before and after. The
 *  verdict of g.  Cost: two calls of g, and what rsd_line_renew() takes. */
int rsd_motion_bias(struct rsd_mechanism *k, double t, const double *p, double *out, const double **along);

/** vp - d, [n_p], in memory of k. */
const double *rsd_motion_beside(struct rsd_mechanism *k, const double *vp);

/** A step was accepted at (t, v): r is T v from now on, with the present T. */
void rsd_motion_accepted(struct rsd_mechanism *k, double t, const double *v);

/** A search changed nothing, maybe: *waits steps go unchecked, twice as many each time. */
void rsd_wait_longer(int *in_vain, int *waits);

/** Does the step of an acceleration bias that is found by differences still hold? Quotients of second and fourth order
 *  of the same values agree if it does. A motion of g in time that begins later may be shorter than the step that was
 *  chosen. */
typedef struct rsd_bias_check {
    double *second; /* [n_l] the quotient of second order */
    int has_gamma;  /* it was found by differences since the last accepted step, .. */
    int differs;    /* .. and 1: quotients of both orders differ */
    int waits;      /* so many steps go unchecked .. */
    int in_vain;    /* .. since so many searches one after the other did not mend it */
} rsd_bias_check;

/** A step was accepted. Where the quotients differ, the step is searched again. */
void rsd_bias_accepted(struct rsd_mechanism *k);

/** Do differences of g still hold where the motion has gone?
 *
 *     |g(p + d) - g(p - d) - 2 G d| <= SECANT_ERROR sum |2 G_ij d_j| + rounding,    d = SECANT_PART (p_n - p_n-1)
 *
 * Lengths over which g bends were found where p was then. A ripple, or a tooth, that begins later may be shorter than
 * the increments, and what is checked with increments of the same lengths does not show it. The secant of an accepted
 * step does: it is as short as the steps are. */
typedef struct rsd_secant {
    double *p_G;    /* [n_p] where the dg/dp at hand was found by differences */
    double *p_last; /* [n_p] p_n-1 */
    double *move;   /* [n_p] 2 d */
    double *change; /* [n_g] g(p + d) - g(p - d) */
    int has_G;      /* p_G is known */
    int has_last;   /* p_last is known */
    int fails;      /* attempts since the last accepted step or search */
    int waits;      /* so many steps go unchecked .. */
    int in_vain;    /* .. since so many searches one after the other did not mend it */
} rsd_secant;

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

#endif
