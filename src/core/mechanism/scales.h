/* scales.h - the length of each coordinate, and the time, over which a function of positions bends, that is, over which
 * its derivatives change by about their own size. Increments of differences are parts of this length. The size of a
 * coordinate gives no information about the length (an angle after many turns, two satellites on a tether).
 *
 * With x = g along one coordinate and h a part of the length L, central quotients with h and h/2 differ by
 *
 *     |x'(h) - x'(h/2)| ~ |x'| (h/L)^2 / 8,    and so do x''(h), x''(h/2)
 *
 * This gives L if h is short enough for the expansion, and long enough not to be lost in rounding. The search begins
 * with h near 1. It does not begin with |p|, over which a slope with a ripple would appear straight. h increases up to
 * |p| while no bend is detected. It is reduced until both quotients agree with each other and with the quotient of the
 * final increment. Larger differences from the quotient of the final increment are rounding of x.
 *
 * If x has a rounding nu, as a part of its change over L, the best increments are nu^(1/3) L for a central quotient,
 * and nu^(1/5) L for one of fourth order. */
#ifndef RSD_SCALES_H
#define RSD_SCALES_H

struct rsd_mechanism;
struct rsd_grouped;

/** Evaluate x [rows] at (t, p). Return the verdict of the callback. */
typedef int rsd_eval_fn(struct rsd_mechanism *k, double t, const double *p, double *x);

/** The scale of one coordinate, of time, or of a motion. */
typedef struct rsd_scale {
    double length;  /* L, rounded to a power of sqrt(2) so that small changes do not alter it; 0: not known yet */
    double part;    /* nu^(1/3): increment of a central quotient, as a part of L */
    double at;      /* coordinate, or time, at which the scale was found */
    double trusted; /* length that limits its use: a new search follows if the coordinate moves `far` times it */
    double reach;   /* x was evaluated up to this distance on both sides of `at`; 0: x bends at any distance */
    double noise;   /* rounding of the terms of x along a line, over the change of x over L; not in part */
    int is_seen;    /* 1: a change of x was detected */
    int is_bent;    /* 1: x bends over L; 0: L is a lower bound, or x is linear */
    int num_empty_searches; /* consecutive searches in which no change of x was detected */
} rsd_scale;

/** A line p + s p', t + s: time at fixed p, or a motion. */
typedef struct rsd_line {
    rsd_scale scale;
    double far;         /* distance, in trusted lengths, beyond which the scale is searched again */
    double speed;       /* max. |p'| when it was found */
    long search_number; /* value of k->search_number at the last search */
} rsd_line;

/** Work space of a search. */
typedef struct rsd_probe_work {
    double *move;    /* [n_p] displacement of a trial */
    double *trial;   /* [n_p] length of the next trial; 0: the search is finished */
    double *tried;   /* [n_p] length of the last trial */
    double *refused; /* [n_p] last length rejected by the check, or minus a trial that bent too much; 0: none */
    double *bend;    /* [n_p] max. of (h/L)^2/16 over the rows */
    double *x[5];    /* [rows] x at the point, and at four displaced points */
    double *slope;   /* [rows] |x'| + L |x''| + L^2 |x'''| */
    double *first;   /* [rows] x' of the trial */
    double *third;   /* [rows] of a motion: x''' of the last trial */
    double terms;    /* size of the terms of x, whose rounding may exceed that of x itself */
    int *owner;      /* [rows] the displaced coordinate on which the row depends, or -1 */
} rsd_probe_work;

/** Update the scales of the columns of q at (t, p). They are searched if they are unknown, or if a coordinate has moved
 *  too far. Return the verdict of the callbacks.
 *  Cost: usually none; a search takes about ten calls of x for each group, and more if lengths are much smaller than 1
 *  or |p| is much larger. */
int rsd_scales_renew(struct rsd_mechanism *k, struct rsd_grouped *q, rsd_eval_fn *x, double t, const double *p);

/** Update the scale of g along a line with p' = rate [n_p]. If rate is NULL, p' = 0. The excitation is that of t before
 *  and after the call. */
int rsd_line_renew(struct rsd_mechanism *k, rsd_line *line, double t, const double *p, const double *rate);

/** Request a new search: the function changes along the line although the last search detected no change. */
void rsd_line_report_change(rsd_line *line);

/** Request a search in the next rsd_line_renew() at any t and p. */
void rsd_line_request_search(rsd_line *line);

/** Discard the lengths of q and of the lines. The next search begins without an initial value. */
void rsd_scales_restart_search(struct rsd_mechanism *k, struct rsd_grouped *q);

/** Discard all scales. Afterwards a start does not depend on earlier starts. */
void rsd_scales_reset(struct rsd_mechanism *k);

/** Allow new searches for coordinates that have moved too far. This is called after an accepted step, and before an
 *  iteration for positions. Between two calls scales are constant, so that a residual is a single function. */
void rsd_scales_allow_search(struct rsd_mechanism *k);

/** Copy the scales of `from`, which are then used until the next call. */
void rsd_scales_copy_state(struct rsd_mechanism *k, const struct rsd_mechanism *from);

/** Return the length over which g bends along p_c, divided by max(|p_c|, 1), p [n_p]. Return 1 if the length is not
 *  known. */
double rsd_scales_factor(const struct rsd_mechanism *k, const double *p, int c);

/** Estimate the largest relative rounding error of a column of dg/dp by differences: the rounding of p [n_p] relative
 *  to the increment, plus that of g. */
double rsd_scales_estimate_error(const struct rsd_mechanism *k, const double *p);

/** Return an increment near `size` that is exact in floating-point arithmetic on both sides of `at`. */
double rsd_round_to_exact_step(double at, double size);

/** Return L nu^(power/3) of a coordinate. If L is not known, max(|at|, 1) replaces it. */
double rsd_scale_get_increment(const rsd_scale *s, double at, double power);

#endif
