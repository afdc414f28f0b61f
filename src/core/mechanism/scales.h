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
 * rounding error. A search consists of trials. A trial of length l evaluates x at +-h and +-h/2, where h is a fixed
 * part of l. If L is unknown, the first l is at most 1, not |p|, because over |p| a slope with a ripple would appear
 * straight. While no bend is detected, l is increased up to |p|. Then l is reduced until both quotients agree with that
 * of the final increment. A difference from this quotient that does not decrease with h is rounding of x.
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

/** Characteristic length L of a function x along a coordinate, time or a motion. Over L the derivatives of x change by
 *  about their own size. */
typedef struct rsd_scale {
    double length;  /* characteristic length L, rounded to a power of sqrt(2); 0: unknown */
    double part;    /* increment of a central difference, relative to `length` */
    double at;      /* coordinate, or time, at which the length was determined */
    double trusted; /* `length`, but at most 4 times the previous value of `trusted`; unit of rsd_scale_search.far */
    double reach;   /* distance from `at` up to which the last trial has evaluated x; 0: no trial has found a length */
    double noise;   /* only along a line (rsd_line): rounding error of x, relative to the change of x over `length` */
    int is_seen;    /* 1: a search found that x changes; also set after several searches without a change */
    int is_bent;    /* 1: x is nonlinear over `length`; 0: no nonlinearity was found, L may be longer */
    int num_empty_searches; /* number of consecutive searches without a change of x */
} rsd_scale;

/** State of the searches for the scales of a line, or of the columns of a matrix. */
typedef struct rsd_scale_search {
    int is_done; /* 1: the scales are known; 0: the next update searches them */
    long number; /* number of the last search (k->search_number) */
    double far;  /* change of the coordinate or time that requires a new search [rsd_scale.trusted] */
} rsd_scale_search;

/** Line of points (t + s, p + s p') with parameter s, along which g is differenced. p' = 0: time only. */
typedef struct rsd_line {
    rsd_scale scale;         /* time over which g bends along the line */
    rsd_scale_search search; /* state of the searches for `scale` */
    double speed;            /* max |p'| when the scale was determined */
} rsd_line;

/** Work space of a search for characteristic lengths. */
typedef struct rsd_probe_work {
    double *move; /* [n_p] displacement of each coordinate in a trial */
    double
        *trial; /* [n_p] length of the next trial, whose increment h is TRIAL_PART of it; 0: the search is finished */
    double *tried; /* [n_p] length of the last trial */
    double *
        refused; /* [n_p] length at the last check, or minus the length of a later trial that bends too much; 0: none */
    double *bend;        /* [n_p] maximum over the rows of the nonlinearity (h/L)^2/16 of x over the increment h */
    double *x[5];        /* x[i][rows]: x at the point for i = 0, and at four displaced points for i > 0 */
    double *slope;       /* [rows] |x'| + L |x''| + L^2 |x'''|/8, bound of the slope of x over the length L */
    double *first;       /* [rows] first derivative of x in the current trial */
    double *third;       /* [rows] x'''/8 in the last trial along a motion; otherwise 0 */
    double terms;        /* maximum row sum of |dx_i/dp_c p_c|, whose rounding may exceed that of x */
    double moving_terms; /* maximum row sum of |dx_i/dp_c p_c'| along a motion; otherwise 0 */
    int *owner;          /* [rows] index of the displaced column on which the row depends, or -1 */
} rsd_probe_work;

/** Update the scales of the columns of q = dx/dp at (t, p). A scale is searched if it is unknown, or if its coordinate
 *  has moved by more than q->far times its trusted length. Return < 0 on a fatal error, else 0.
 *  Cost: usually none; a search takes about ten calls of x for each group, and more if lengths are much smaller than 1
 *  or |p| is much larger. */
int rsd_scales_update(struct rsd_mechanism *k, struct rsd_grouped *q, rsd_eval_fn *x, double t, const double *p);

/** Update the scale of g along a line with p' = rate [n_p]. If rate is NULL, p' = 0. The current excitation must be the
 *  excitation at t, and is the same after the call. Return as rsd_scales_update(). */
int rsd_line_update_scale(struct rsd_mechanism *k, rsd_line *line, double t, const double *p, const double *rate);

/** Report that g changes along a line on which the last search detected no change. This requests a new search. After
 *  repeated searches without a detected change, scale.is_seen is set to 1 instead. */
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
