/* frame.h - the fixed data of an engine: the system, the strategy, and the open entries of each column. Open entries
 * are not known and must be differenced. */
#ifndef RSD_FRAME_H
#define RSD_FRAME_H

#include <resida/jacobian.h>

/** Jacobian strategy; the table is in strategies.c. */
typedef struct rsd_strategy {
    const char *name; /* name of the strategy (option strategy) */
    int coloured;     /* 1: dF/dy is differenced by groups of columns, not column by column */
    int partitioned;  /* 1: dF/dy is stored separately, and kept when alpha changes */
    int extended;     /* 1: each setup adds the change of J by the excitations u (excitations.h) */
    int by_costs;     /* 1: a part of J is renewed if that costs less than the avoided iterations */
    int learns;       /* 1: the pattern of J is found by the first evaluations of dF/dy, column by column */
    int user;         /* 1: the model gives dF_a/dy, and nothing is differenced */
    int by_calls;     /* 1: the costs of renewals are counted in residual calls, not in operations */
} rsd_strategy;

typedef struct rsd_frame {
    resida_allocator alloc;       /* allocator of the engine's memory */
    resida_system s;              /* the system F(t, y, yp) */
    const rsd_strategy *strategy; /* Jacobian strategy */
    int n;                        /* number of unknowns */
    unsigned char *columns;       /* [n] resida_column bits: derivatives with unknown entries in the column */
    unsigned char *is_known;      /* [n] 1: the column has known entries */
    int n_formalism_columns;      /* number of columns with unknown entries of dF_a/dy */
    int has_open_B;               /* 1: dF/dyp has unknown entries */
    int has_open_C;               /* 1: dF_c/dy has unknown entries */
    int combined;                 /* 1: dF/dy + alpha dF/dyp is differenced as a whole, instead of dF_a/dy */
} rsd_frame;

/** Allocate and set the members of *f after n, from the system and the strategy. @return 0 if there is no memory */
int rsd_frame_create(rsd_frame *f);

/** Set the members of *f after n again, for another system of the same size. */
void rsd_frame_set_open_entries(rsd_frame *f);

/** Return 1 if the system gives the pattern of the differenced part of F. */
int rsd_frame_gives_pattern(const rsd_frame *f);

/** Return 1 if dF/dyp is differenced separately from dF/dy. */
static inline int rsd_frame_is_B_differenced(const rsd_frame *f)
{
    return f->has_open_B && !f->combined;
}

/** Return the strategy called `name`; "auto" selects "user" if the model gives derivatives. Return NULL, with a
 *  message, if there is no strategy `name` for the system s. */
const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why);

/** Return the error weight of component i, or 1 if there are no weights. */
static inline double rsd_get_weight(const resida_jacobian_point *at, int i)
{
    return at->weights ? at->weights[i] : 1;
}

/** Return the larger of two numbers, or `max` if x is NaN. This inline function is faster than a call of fmax(). */
static inline double rsd_max(double max, double x)
{
    return x > max ? x : max;
}

#endif
