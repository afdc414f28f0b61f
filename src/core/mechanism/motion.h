/* motion.h - computes the velocity bias gI = dg/dt at fixed p if the model does not give it, by a difference of g along
 * a motion p' = r, t' = 1:
 *
 *     G v + gI = G (v - d) + (g(t + s, p+) - g(t - s, p-))/(2 s),    p+- = p +- s r,   d = (p+ - p-)/(2 s)
 *
 * The equation is valid for any r. If p were fixed (r = 0), the quotient would be as large as the speed of a moving
 * support. Its error would be nu^(2/3) times this speed, where nu is the relative rounding error of g (scales.h). r is
 * the p' at the end of the last step. Then p follows the support, and the quotient is small. r and s are the same in
 * all evaluations at one t. Therefore w = G v + gI is the same linear function of v in these evaluations.
 *
 * s is a fraction of the time over which g bends along the motion. A bend that begins later may be shorter. Therefore s
 * is bounded by the interval around t in which g was evaluated, or by a fraction of the last step size. */
#ifndef RSD_MOTION_H
#define RSD_MOTION_H

struct rsd_mechanism;

typedef struct rsd_motion {
    double *rate;     /* [n_p] rate r = p' of the motion, set after each step */
    double *searched; /* [n_p] rate r at the last search for the scale of the motion */
    double *along;    /* [n_p] mean rate d = (p+ - p-)/(2 s) */
    double *beside;   /* [n_p] T v - d */
    double *up;       /* [n_p] displaced positions p+ */
    double t_last;    /* time of the last accepted step [s] */
    double h;         /* size of the last accepted step [s]; 0: unknown */
    int has_rate;     /* 1: r is known; 0: g is differenced at fixed p */
    int has_last;     /* 1: t_last is known */
} rsd_motion;

/** Set the rate r of the motion at a start with p' = rate [n_p]. */
void rsd_motion_set_rate(struct rsd_mechanism *k, const double *rate);

/** Compute the difference quotient of g at (t, p) into out [n_g]. *along is set to the mean rate d [n_p], or NULL if
 *  d = 0. The current excitation must be the excitation at t, and is kept. Return 0 on success, > 0 if g could not be
 *  evaluated, < 0 on a fatal error.
 *  Cost: two calls of g, and the calls of rsd_line_update_scale(). */
int rsd_motion_compute_quotient(struct rsd_mechanism *k, double t, const double *p, double *out, const double **along);

/** Return vp - d [n_p] in memory of k, where vp = T v, and d is the mean rate of the last quotient. */
const double *rsd_motion_get_relative_rate(struct rsd_mechanism *k, const double *vp);

/** Set the rate r of the motion to T v, with the current T, after a step accepted at t. */
void rsd_motion_update(struct rsd_mechanism *k, double t, const double *v);

/** Checks of the increments of differences after each accepted step. A ripple of g, or a motion of g in time, that
 *  begins after the last search may be shorter than the increments. dg/dp is checked along the secant of the step,
 *
 *      |g(p + d) - g(p - d) - 2 G d| <= SECANT_ERROR sum |2 G_ij d_j| + rounding,    d = SECANT_PART (p_n - p_n-1)
 *
 *  whose length is not that of the increments. The acceleration bias is checked by comparing its quotients of second
 *  and fourth order. If a check fails, the lengths over which g bends are searched again. */
typedef struct rsd_step_check {
    double *p_G;       /* [n_p] positions at which the current dg/dp was found by differences */
    double *p_last;    /* [n_p] positions after the previous step */
    double *second;    /* [n_l] acceleration bias gamma by a quotient of second order */
    int has_G;         /* 1: p_G is known */
    int has_last;      /* 1: p_last is known */
    int has_gamma;     /* 1: gamma was computed by differences since the last accepted step */
    int gamma_differs; /* 1: gamma differs between the quotients of second and fourth order */
    int fails;         /* number of failed attempts since the last accepted step or search */
    int waits;         /* number of further steps without a check */
    int failed_checks; /* number of consecutive failed checks, at most MAX_UNCHECKED; it determines `waits` */
} rsd_step_check;

/** Store the point p [n_p] at which dg/dp was found by differences, or NULL if it was found in another way. */
void rsd_step_check_set_point(struct rsd_mechanism *k, const double *p);

/** Check the increments after the step accepted at (t, p). If a check fails, the lengths are searched again, and the
 *  interval to the next check doubles. *changed is set to 1 if the check of dg/dp fails.
 *  Cost: two calls of g, or four for quotients of fourth order.
 *  @return 0 on success, also if g could not be evaluated, or < 0 on a fatal error */
int rsd_step_check_run(struct rsd_mechanism *k, double t, const double *p, int *changed);

/** Count a failed attempt of a step. After SEARCH_AFTER consecutive failures the lengths over which g bends are
 *  searched again, because bends or rounding errors of g may be different at the end of the step.
 *  @return 1 if the lengths will be searched, so that G at the same point may change; otherwise 0 */
int rsd_step_check_count_failure(struct rsd_mechanism *k);

#endif
