/* motion.h - the velocity bias gI of a model that does not give it, by a difference of g along a motion p' = r, t' = 1:
 *
 *     G v + gI = G (v - d) + (g(t + s, p+) - g(t - s, p-))/(2 s),    p+- = p +- s r,   d = (p+ - p-)/(2 s)
 *
 * The equation is valid for any r. If p were fixed (r = 0), the quotient would be as large as the speed of an anchor,
 * and its error would be the part nu^(2/3) of this speed (scales.h). With r = p' at the end of the last step, p follows
 * the anchor, and the quotient is small. r and s are the same in all evaluations at one t. Therefore w is a single
 * function, linear in v.
 *
 * s is a part of the length over which g bends along the motion. A bend that begins later may be shorter. Therefore s
 * is bounded by the interval around t in which g was evaluated, or by a part of the step that ends there. */
#ifndef RSD_MOTION_H
#define RSD_MOTION_H

struct rsd_mechanism;

typedef struct rsd_motion {
    double *rate;   /* [n_p] r */
    double *along;  /* [n_p] d */
    double *beside; /* [n_p] v - d */
    double *up;     /* [n_p] p+ */
    double t_last;  /* end of the last accepted step */
    double h;       /* its step size; 0: not known */
    int has_rate;   /* 0: r is not known, p is kept fixed */
    int has_last;   /* 1: t_last is known */
} rsd_motion;

/** Set r at a start with p' = rate [n_p]. */
void rsd_motion_begin(struct rsd_mechanism *k, const double *rate);

/** Copy r and the step of `from`. */
void rsd_motion_copy_state(struct rsd_mechanism *k, const struct rsd_mechanism *from);

/** Compute the difference quotient of g at (t, p) into out [n_g]. *along is set to d [n_p], or to NULL if d = 0. The
 *  excitation is that of t before and after the call. Return the verdict of g.
 *  Cost: two calls of g, and those of rsd_line_renew(). */
int rsd_motion_compute_quotient(struct rsd_mechanism *k, double t, const double *p, double *out, const double **along);

/** Return vp - d [n_p], in memory of k. */
const double *rsd_motion_relative_rate(struct rsd_mechanism *k, const double *vp);

/** Set r to T v, with the current T, after a step accepted at t. */
void rsd_motion_update(struct rsd_mechanism *k, double t, const double *v);

/** Double the number *waits of steps without a check. Called after a search that changed nothing; *in_vain counts such
 *  searches. */
void rsd_double_check_interval(int *in_vain, int *waits);

/** A check of the increment with which an acceleration bias is differenced. If the increment is suitable, quotients of
 *  second and fourth order of the same values agree. A motion of g in time that begins later may be shorter than the
 *  increment. */
typedef struct rsd_bias_check {
    double *second; /* [n_l] quotient of second order */
    int has_gamma;  /* 1: the bias was computed since the last accepted step */
    int differs;    /* 1: the quotients of both orders differ */
    int waits;      /* number of steps that remain unchecked */
    int in_vain;    /* number of consecutive searches without success */
} rsd_bias_check;

/** Check the increment of the acceleration bias after an accepted step. If both orders differ, search it again. */
void rsd_bias_check_step(struct rsd_mechanism *k);

/** A check of differences of g along the motion:
 *
 *      |g(p + d) - g(p - d) - 2 G d| <= SECANT_ERROR sum |2 G_ij d_j| + rounding,    d = SECANT_PART (p_n - p_n-1)
 *
 *  The lengths over which g bends were found at earlier positions. A ripple, or a tooth, that begins later may be
 *  shorter than the increments. A check with increments of the same lengths does not detect it. The secant of an
 *  accepted step detects it, since it is as short as the steps. */
typedef struct rsd_secant {
    double *p_G;    /* [n_p] point at which the current dg/dp was found by differences */
    double *p_last; /* [n_p] p_n-1 */
    double *move;   /* [n_p] 2 d */
    double *change; /* [n_g] g(p + d) - g(p - d) */
    int has_G;      /* 1: p_G is known */
    int has_last;   /* 1: p_last is known */
    int fails;      /* failed attempts since the last accepted step or search */
    int waits;      /* number of steps that remain unchecked */
    int in_vain;    /* number of consecutive searches without success */
} rsd_secant;

/** Store the point p [n_p] at which dg/dp was found by differences, or NULL if it was found in another way. */
void rsd_secant_set_point(struct rsd_mechanism *k, const double *p);

/** Compare differences of g with dg/dp along the step accepted at (t, p). If they disagree, the lengths of the
 *  increments are searched again, and *changed is set to 1.
 *  Cost: two calls of g.
 *  @return 0 on success, or the verdict of g if it is fatal (< 0) */
int rsd_secant_check_step(struct rsd_mechanism *k, double t, const double *p, int *changed);

/** Count a failed attempt. After SEARCH_AFTER consecutive failures the lengths are searched again, because the step may
 *  end where g bends or rounds differently.
 *  @return 1 if the lengths will be searched, which may change G at the same point; else 0 */
int rsd_secant_count_failure(struct rsd_mechanism *k);

#endif
