/* engine_impl.h - the engine inside: J in parts on one pattern, and who fills them.
 *
 *     J = A + C + alpha B + sum D_i (u_i - u_old_i)
 *     A = d(dear)/dy   residual calls     difference.c
 *     C = d(cheap)/dy  no residual calls  blocks.c
 *     B = dF/dyp       known, or residual calls once per evaluation
 *     D = d2(dear)/du dy                  excitation.c
 *
 * When B cannot be had for nothing and alpha is not to be updated, A + alpha B is differenced in one go
 * ("combined"). */
#ifndef RSD_ENGINE_IMPL_H
#define RSD_ENGINE_IMPL_H

#include <resida/jacobian.h>

#include "engine.h"
#include "jacobian/pattern/colouring.h"
#include "jacobian/differences/difference.h"
#include "jacobian/pattern/entries.h"
#include "src/base/callback.h"
#include "src/base/memory.h"
#include "src/base/message.h"
#include "jacobian/pattern/sparsity.h"

#include <stdint.h>

/** What a strategy does; policy.c holds the table. */
typedef struct rsd_strategy {
    const char *name;
    int coloured;    /* groups on an estimated pattern, else column by column */
    int partitioned; /* a new alpha is an update */
    int extended;    /* and so are new excitations */
    int fresh;       /* all that is cheap is renewed at every attempt */
    int learns;      /* the first evaluations, column by column, find the pattern */
    int user;        /* d(dear)/dy comes from the model */
} rsd_strategy;

/** What one part of F is differenced by: its own pattern, the groups on it, and where its entries are in J. */
typedef struct rsd_grouping {
    rsd_sparsity pattern;
    rsd_colouring colours;
    int *at; /* [pattern.nnz] */
} rsd_grouping;

struct resida_jacobian {
    resida_allocator alloc;
    resida_system s;
    const rsd_strategy *strategy;
    int n;
    int has_open_B;         /* some entries of dF/dyp are not known */
    int combined;           /* A holds dF/dy + alpha dF/dyp */
    unsigned char *columns; /* [n] resida_column bits */
    int n_dear_columns;     /* those with RESIDA_COLUMN_DEAR */

    rsd_sparsity pattern;     /* of J */
    rsd_grouping dear, cheap; /* of what is differenced; dear is the whole when combined */
    int *y_at, *yp_at;        /* [n_y], [n_yp] where the known entries are in the values */
    int *derived_at;          /* [n_dear] likewise, the entries that the model derives */
    int has_pattern;
    long pattern_number;   /* counts the patterns */
    double *A, *B, *C, *J; /* [nnz] */
    double *D;             /* [n_live x nnz]; NULL before it is known */
    int n_live, *live;     /* inputs that J depends on */

    double *y, *yp, *r, *r0;    /* [n] a perturbed point, a function there, and at the point itself */
    double *delta;              /* [n] increments */
    double *nominal;            /* [n] sizes of components near zero, for increments */
    double *most_increment;     /* [n] what these may come to */
    unsigned char *is_known;    /* [n] columns with known entries */
    double *sum, *scale;        /* [n] of the check: what entries explain, how large the terms of a row are */
    double *known_y, *known_yp; /* [n_y], [n_yp] */
    double *derived;            /* [n_dear] what the model derived */
    double *u, *u_old;          /* [n_inputs] now, and at A */

    int B_same;               /* evaluations in a row that found B as it was */
    int refused_excitations;  /* evaluations in a row at which F was not possible at other excitations */
    int learning;             /* evaluations go column by column and list what they see */
    int learnt;               /* such evaluations so far */
    rsd_entries seen, seen_B; /* by the last of them: of dF/dy, of dF/dyp */
    int is_given;             /* the dear pattern is the one given with the system */
    long checked_from;        /* coloured evaluations before it was */
    int bends;                /* d(cheap)/dy has entries that are not known */
    double *bend, *t_renewed; /* [n] how fast its columns move, and when they were found */
    unsigned char *bent;      /* [n] columns in which the renewal under way takes differences of it */
    int requested, request;   /* resida_request bits: since the last setup; those that the one under way is to fulfil */
    int is_doubtful;          /* the iteration is in trouble soon after an evaluation */
    int fruitless;            /* searches in a row that found nothing */
    int unchecked;            /* evaluations with no search after one that found nothing, ... */
    int false_alarm;          /* and no check, if it was a check that asked for it */
    int B_skipped;            /* the last evaluation took it as it was */
    double alpha;             /* of J */
    double t_evaluated;       /* where A was found; NaN: nowhere */
    int has_history;          /* columns were found before, at t_found */
    double *t_found, *drift;  /* [n] when a column was found, and how fast it changes */
    double *per_row;          /* [n] 1 / largest of a row of J, columns scaled by the weights; 0: it is empty */
    unsigned char *stale;     /* [n] columns to be found by the evaluation under way */
    int is_partial;           /* the last evaluation left columns out */
    int after_partial;        /* the one before it did */
    double caution;           /* of the next ones, 1 or more: by how much less is left out */
    int is_first;             /* this setup is the first one, or the first after a restart */
    int just_evaluated;       /* by the last setup */
    long updates;             /* since A was found */
    int was_slow;             /* this setup is asked for because the iteration was slow */
    int ready;
    rsd_walkers walkers;   /* who takes differences */
    double *accepted;      /* [nnz] A as it was last accepted; zero: never */
    unsigned char *marked; /* [n] columns that look like a jump */
    int unsettled;         /* A has entries that look like a jump, but do no harm at this alpha */
    unsigned char *jumped; /* [n] rows of A that went across one: no check explains them */
    resida_jacobian_counts counts;
};

/** The part at (t, y, yp) into r; counted. The verdict of the function. */
int rsd_call(resida_jacobian *j, rsd_part part, double t, const double *y, const double *yp, double *r);

/** The part at the point itself, into r0, without a residual call: dear = F - cheap. */
int rsd_base(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double *r0);

/** Difference quotients of a part along y (sy = 1) and yp (syp), eqs. (16), (20): the columns with one of `bits` set,
 *  by groups of the part. The values [nnz] at the part's entries of these columns are overwritten.
 *  Cost: one call for each group that holds such a column, two with central differences. */
int rsd_difference(resida_jacobian *j, rsd_part part, const resida_jacobian_point *at, double sy, double syp,
                   unsigned bits, const unsigned char *marked, double *values);

/** Increment of component i, eq. (17) with a nominal size, floored by the error weight, towards the step, exactly
 *  representable. */
double rsd_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** The same of yp_i, where it is moved alone. */
double rsd_rate_increment(const resida_jacobian_point *at, int i, double nominal, int is_central);

/** What part of the size of a component an increment is. */
double rsd_increment_part(int is_central);

#define RSD_LEAST_NOMINAL 1.2207031250000000e-04 /* eps^(1/4), that of (17) */

/** Nominal sizes of all components before there is a dF/dy, and those for the next one, from the one before. */
void rsd_first_nominals(resida_jacobian *j);
void rsd_choose_nominals(resida_jacobian *j, const resida_jacobian_point *at);

/** Error weight of component i, 1 when there are none. */
static inline double rsd_weight(const resida_jacobian_point *at, int i)
{
    return at->weights ? at->weights[i] : 1;
}

/** The larger one; x that is NaN is none. As fmax, which is a call. */
static inline double rsd_larger(double most, double x)
{
    return x > most ? x : most;
}

/** What increments are a part of: the size of component i, not less than its nominal one and the error weight's. */
double rsd_size(const resida_jacobian_point *at, int i, double nominal);

/** Differences of d(dear)/dy that went across a jump of F are replaced by those beyond it. B must be known, C too.
 *  @param before  [nnz] what the values were when they were last free of jumps
 *  Cost: none where nothing looks like a jump; else a call for each group that does (two with central differences). */
int rsd_replace_jumps(resida_jacobian *j, const resida_jacobian_point *at, double *values, const double *before);

/** The same for A, after which it is accepted. */
int rsd_accept(resida_jacobian *j, const resida_jacobian_point *at);

/** A kept at a new alpha: what did no harm at the old one may now. Cost: two calls for each group that looks like a
 *  jump. */
int rsd_accept_again(resida_jacobian *j, const resida_jacobian_point *at);

/** Known entries of B; with_C: all of C; with_B: the entries of B that are not known, by differences.
 *  Cost: no residual call but for with_B: one for each group that holds such a column. */
int rsd_blocks(resida_jacobian *j, const resida_jacobian_point *at, int with_C, int with_B);

/** Lay J out on these patterns, which become the engine's: of the dear part (in combined mode of all that is
 *  differenced) and of the cheap one. RESIDA_ERR_MEMORY: they are freed, everything is as it was. */
int rsd_set_patterns(resida_jacobian *j, rsd_sparsity *dear, rsd_sparsity *cheap);

/** Full columns, for the dense strategies. RESIDA_ERR_MEMORY. */
int rsd_full_patterns(resida_jacobian *j);

/** The patterns as they are given, or estimated around the point; of a strategy that learns the dear one begins empty.
 *  The verdict of the functions, or RESIDA_ERR_MEMORY. */
int rsd_find_patterns(resida_jacobian *j, const resida_jacobian_point *at);

/** 1: the pattern of what is differenced comes with the system. */
int rsd_dear_is_given(const resida_jacobian *j);

/** -1 .. 1, the same sequence in every run. */
double rsd_random(uint64_t *seed);

/** 1: the change is more than rounding. */
int rsd_differs(double r, double r0);

#define RSD_NOISE 1e-12 /* of a row: less is rounding */

/** B is what j->J holds; counts how often it stayed the same. */
void rsd_take_B(resida_jacobian *j);

void rsd_free_patterns(resida_jacobian *j);

/** One product with a random direction: do A's entries explain it? *complete 0: entries are missing. 1 residual
 *  call. */
int rsd_audit(resida_jacobian *j, const resida_jacobian_point *at, int *complete);

/** Which columns an evaluation is to find: all; those that can have changed; those left out before at this point. */
typedef enum rsd_extent { RSD_ALL, RSD_STALE, RSD_REST } rsd_extent;

/** Mark them in j->stale. 1: some are left out. */
int rsd_mark_stale(resida_jacobian *j, const resida_jacobian_point *at, rsd_extent extent);

/** An evaluation is asked for; 1: because the last one, which left columns out, did not do. */
void rsd_learn_caution(resida_jacobian *j, int was_too_little);

/** Largest entry of each row of J as it was set up last, columns scaled by the weights: its inverse into j->per_row. */
void rsd_size_rows(resida_jacobian *j, const resida_jacobian_point *at);

/** 1: what costs no residual call may have changed much by t. */
int rsd_is_bent(const resida_jacobian *j, double t);

/** How fast they move is not known. */
void rsd_forget_bend(resida_jacobian *j);

/** The renewal of C that follows takes all differences. */
void rsd_renew_all(resida_jacobian *j);

/** Before and after C and B are found by an update: in which columns, and how fast do they change? j->J is scratch in
 *  between. */
void rsd_begin_bend(resida_jacobian *j, const resida_jacobian_point *at);
void rsd_end_bend(resida_jacobian *j, const resida_jacobian_point *at);

/** Before and after the marked columns of A are found: how fast do they change? j->J is scratch in between. */
void rsd_begin_change(resida_jacobian *j, const resida_jacobian_point *at);
void rsd_end_change(resida_jacobian *j, const resida_jacobian_point *at);

/** All parts of J at the point; *current 0: dF/dyp was taken as it was. The verdict of the functions.
 *  Cost: what resida_jacobian_setup() says of an evaluation. */
int rsd_evaluate(resida_jacobian *j, const resida_jacobian_point *at, int *current);

/** A column by column, with_B: what of B is not known too. Entries outside of the pattern that are not less than this
 *  part of their row are added to it: *news 1; without with_B B is then lost. Cost: one call for each column, and for
 *  each one that is open in dF/dyp. */
int rsd_learn(resida_jacobian *j, const resida_jacobian_point *at, int with_B, double least, int *news);

/** D by differences of A over the inputs; nothing to do when it is known. */
int rsd_excitation_part(resida_jacobian *j, const resida_jacobian_point *at);

/** Values of the inputs at t into u. */
int rsd_inputs(resida_jacobian *j, double t, double *u);

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why);

#endif
