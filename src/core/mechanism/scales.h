/* scales.h - over which length of each coordinate, and over which time, a function of positions bends: increments of
 * its differences are parts of that, not of the size of a coordinate, which says nothing of it (an angle after many
 * turns, two satellites on a tether).
 *
 * With x = g along one of them and h a part of the length L, central quotients with h and h/2 differ by
 *
 *     |x'(h) - x'(h/2)| ~ |x'| (h/L)^2 / 8,    and so do x''(h), x''(h/2)
 *
 * which says L where h is neither too long for that nor lost in rounding. h begins near 1, not |p|, over which a slope
 * with a ripple is a straight line: it goes up to |p| as long as nothing bends, or down until the quotients agree, and
 * with them that of the final increment. What quotients with the final increment leave beyond that is rounding of x.
 * With a rounding nu of x, as a part of what x changes by over L, the best increments are nu^(1/3) L for a central
 * quotient, nu^(1/5) L for one of fourth order. */
#ifndef RSD_SCALES_H
#define RSD_SCALES_H

struct rsd_mechanism;
struct rsd_grouped;

/** x [rows] at (t, p). The verdict of the callback. */
typedef int rsd_eval_fn(struct rsd_mechanism *k, double t, const double *p, double *x);

/** The scale of one coordinate, of time, of a motion. */
typedef struct rsd_scale {
    double length;  /* L, a power of sqrt(2), so that it is mostly found again to the bit; 0: not known yet */
    double part;    /* nu^(1/3): the increment of a central quotient as a part of it */
    double at;      /* the coordinate, the time, where it was found */
    double trusted; /* of L, how far the coordinate may go before it is looked for again */
    double reach;   /* x was looked at so far to both sides of `at`; 0: and bends at any length */
    double noise;   /* of a line: rounding of the terms of x as a part of what x changes by over L; it is not in part */
    int is_seen;    /* 1: x depended on it */
    int is_bent;    /* 1: x bends over L; 0: over L or more, or not at all */
    int looks;      /* how often it was looked for in vain */
} rsd_scale;

/** A line p + s p', t + s: time at fixed p, or a motion. */
typedef struct rsd_line {
    rsd_scale scale;
    double far;   /* lengths: after so many it is looked for again */
    double speed; /* largest |p'| when it was found */
    long look;    /* where it was looked at */
} rsd_line;

/** Work space. */
typedef struct rsd_probe_work {
    double *move;    /* [n_p] */
    double *trial;   /* [n_p] length that is tried; 0: found */
    double *tried;   /* [n_p] the last one */
    double *refused; /* [n_p] the last length that the check found wrong, minus a trial that bent too much; 0: none */
    double *bend;    /* [n_p] the largest (h/L)^2/16 of a row */
    double *x[5];    /* [rows] x at the point, and at four places */
    double *slope;   /* [rows] |x'| + L |x''| */
    double *first;   /* [rows] x' of the trial */
    double *third;   /* [rows] of a motion: x''' of the last trial */
    double terms;    /* what rounding of x is a part of, besides x itself */
    int *owner;      /* [rows] which of the coordinates that are moved the row depends on; -1: none */
} rsd_probe_work;

/** Scales of the columns of q at (t, p), where they are not known or a coordinate has moved far since. The verdict of
 * the callbacks.  Cost: nothing; or some ten calls of x for each group, more where lengths are far below 1 or |p| is
 * far above. */
int rsd_scales_renew(struct rsd_mechanism *k, struct rsd_grouped *q, rsd_eval_fn *x, double t, const double *p);

/** The same of g along a line; rate [n_p] p', NULL: 0. The excitation is that of t, before and after. */
int rsd_line_renew(struct rsd_mechanism *k, rsd_line *line, double t, const double *p, const double *rate);

/** The function changes along a line although the search saw nothing: it begins again, a few times. */
void rsd_line_doubt(rsd_line *line);

/** The next rsd_line_renew() searches, wherever it is. */
void rsd_line_outdate(rsd_line *line);

/** The lengths are no longer those of q: the next search begins where the first one did, along lines, too. */
void rsd_scales_restart_search(struct rsd_mechanism *k, struct rsd_grouped *q);

/** A start is the same whatever was started before. */
void rsd_scales_forget(struct rsd_mechanism *k);

/** What has moved far may be looked for again: behind an accepted step, before an iteration of a search for positions.
 *  Between them scales stay, so that the residual of an iteration is one function. */
void rsd_scales_look_again(struct rsd_mechanism *k);

/** Scales of `from`, until the next time. */
void rsd_scales_follow(struct rsd_mechanism *k, const struct rsd_mechanism *from);

/** The length over which g bends along p_c, over max(|p_c|, 1); 1 where the model gives dg/dp or no bend was found.
 * p [n_p] */
double rsd_scales_factor(const struct rsd_mechanism *k, const double *p, int c);

/** Relative error that rounding may leave in the worst column of a dg/dp that is found by differences: of p [n_p], as a
 *  part of the increment, and of g, nu L/(nu^(1/3) L). */
double rsd_scales_error(const struct rsd_mechanism *k, const double *p);

/** An increment from `at` to both sides that is exact, near `size`. */
double rsd_exact_step(double at, double size);

/** L nu^(power/3) of a coordinate; with max(|at|, 1) in the place of L where that is not known. */
double rsd_scale_part(const rsd_scale *s, double at, double power);

#endif
