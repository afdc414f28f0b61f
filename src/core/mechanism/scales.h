/* scales.h - the length L of each coordinate, and the time, over which a function of positions bends. Over L the
 * derivatives of the function change by about their own size. Increments of differences are fractions of L. The value
 * of a coordinate gives no information about L. Examples are an angle after many turns, and two satellites on a tether.
 *
 * Let x be the function along one coordinate, and let x'(h) denote its central difference quotient with the increment
 * h. If h is a fraction of L, the quotients with h and h/2 differ by
 *
 *     |x'(h) - x'(h/2)| ~ |x'| (h/L)^2 / 8,    and likewise for x''
 *
 * This difference determines L if h is short enough for the expansion, and long enough for the difference to exceed the
 * rounding error. The search begins with h near 1. It does not begin with |p|, because over |p| a slope with a ripple
 * would appear straight. h is increased up to |p| while no bend is detected. h is reduced until both quotients agree
 * with each other and with the quotient of the final increment. A difference from the quotient of the final increment
 * that does not decrease with h is rounding of x.
 *
 * Let nu be the rounding error of x, relative to the change of x over L. The increment with the smallest error is
 * nu^(1/3) L for a central quotient of second order, and nu^(1/5) L for a quotient of fourth order. */
#ifndef RSD_SCALES_H
#define RSD_SCALES_H

struct rsd_mechanism;
struct rsd_grouped;

/** Function of positions that evaluates x [rows] at (t, p). Return 0 on success, > 0 if x could not be evaluated, < 0
 *  on a fatal error. */
typedef int rsd_eval_fn(struct rsd_mechanism *k, double t, const double *p, double *x);

/** Characteristic length of a function x along a coordinate, time or a motion: its derivatives change by their own
 *  size. */
typedef struct rsd_scale {
    double length;  /* characteristic length, rounded to a power of sqrt(2); 0: unknown */
    double part;    /* increment of a central difference, relative to the characteristic length */
    double at;      /* coordinate, or time, at which the length was determined */
    double trusted; /* trusted length: after a change by `far` times it the scale is searched again */
    double reach;   /* distance on both sides of `at` within which x was evaluated; 0: x is nonlinear at any distance */
    double noise;   /* rounding error of x along a line, relative to the change of x over the characteristic length */
    int is_seen;    /* 1: a change of x was detected */
    int is_bent;    /* 1: x is nonlinear over `length`; 0: `length` is a lower bound, or x is linear */
    int num_empty_searches; /* number of consecutive searches without a change of x */
} rsd_scale;

/** State of the searches for the scales of a line, or of the columns of a matrix. */
typedef struct rsd_scale_search {
    int is_done; /* 1: the scales are known; 0: the next update searches them */
    long number; /* number of the last search (k->search_number) */
    double far;  /* change after which scales are searched again, in units of rsd_scale.trusted */
} rsd_scale_search;

/** Line of points (t + s, p + s p'): a motion, or time at fixed p if p' = 0. */
typedef struct rsd_line {
    rsd_scale scale;
    rsd_scale_search search;
    double speed; /* max |p'| when the scale was determined */
} rsd_line;

/** Work space of a search for characteristic lengths. */
typedef struct rsd_probe_work {
    double *move; /* [n_p] displacement of each coordinate in a trial */
    double
        *trial; /* [n_p] length of the next trial, whose displacement is TRIAL_PART of it; 0: the search is finished */
    double *tried; /* [n_p] length of the last trial */
    double *
        refused; /* [n_p] last length that the check rejected, or minus a trial length with too large a bend; 0: none */
    double *bend;        /* [n_p] nonlinearity (h/L)^2/16 of x over the increment h, maximum over the rows */
    double *x[5];        /* [rows] x at the point, and at four displaced points */
    double *slope;       /* [rows] |x'| + L |x''| + L^2 |x'''|/8 with the characteristic length L */
    double *first;       /* [rows] first derivative of x in the current trial */
    double *third;       /* [rows] x'''/8 in the last trial along a motion */
    double terms;        /* size of the terms of x, whose rounding error may exceed that of x */
    double moving_terms; /* size of the terms of dx/dt along the line, which may cancel */
    int *owner;          /* [rows] displaced coordinate on which the row depends, or -1 */
} rsd_probe_work;

/** Update the scales of the columns of q at (t, p). Scales are searched if they are unknown, or if a coordinate has
 *  moved by more than q->far times its trusted length. Return < 0 on a fatal error, else 0.
 *  Cost: usually none; a search takes about ten calls of x for each group, and more if lengths are much smaller than 1
 *  or |p| is much larger. */
int rsd_scales_update(struct rsd_mechanism *k, struct rsd_grouped *q, rsd_eval_fn *x, double t, const double *p);

/** Update the scale of g along a line with p' = rate [n_p]. If rate is NULL, p' = 0. The current excitation must be the
 *  excitation at t, and is the same after the call. Return as rsd_scales_update(). */
int rsd_line_update_scale(struct rsd_mechanism *k, rsd_line *line, double t, const double *p, const double *rate);

/** Request a new search, because the function changes along the line although the last search detected no change. After
 *  repeated searches without success, mark the line as a line with changes. */
void rsd_line_report_change(rsd_line *line);

/** Discard the lengths L of the columns of q and of the lines. The next search begins without an initial value. */
void rsd_scales_restart_search(struct rsd_mechanism *k, struct rsd_grouped *q);

/** Discard all scales, so that a start does not depend on earlier starts. */
void rsd_scales_reset(struct rsd_mechanism *k);

/** Allow new searches of scales. This function is called after each accepted step, and before each iteration for
 *  positions. Between two calls scales are constant, so that the residual is the same function in all evaluations. */
void rsd_scales_allow_search(struct rsd_mechanism *k);

/** Copy the scales of `from`, and use the copy without searches until the next call of rsd_scales_copy_state(). */
void rsd_scales_copy_state(struct rsd_mechanism *k, const struct rsd_mechanism *from);

/** Return the length over which g bends along p_c, divided by max(|p_c|, 1), or 1 if the length is not known. */
double rsd_scales_get_factor(const struct rsd_mechanism *k, const double *p, int c);

/** Estimate the largest relative error of a column of dg/dp that is computed by differences. The error of a column is
 *  the rounding of p [n_p] relative to the increment, or the error part^2 of the quotient, whichever is larger. */
double rsd_scales_estimate_error(const struct rsd_mechanism *k, const double *p);

/** Return an increment near `size` that is exact in floating-point arithmetic on both sides of `at`. */
double rsd_round_to_exact_step(double at, double size);

/** Return L nu^(power/3), with nu^(1/3) = s->part. If L is not known, use max(|at|, 1) as L and eps as nu. */
double rsd_scale_get_increment(const rsd_scale *s, double at, double power);

#endif
