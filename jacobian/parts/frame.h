/* frame.h - what an engine works on, fixed for its life: the system, the strategy, and what of each column is open. */
#ifndef RSD_FRAME_H
#define RSD_FRAME_H

#include <resida/jacobian.h>

/** What a strategy does; strategies.c holds the table. */
typedef struct rsd_strategy {
    const char *name;
    int coloured;    /* groups on an estimated pattern, else column by column */
    int partitioned; /* a new alpha is an update */
    int extended;    /* and so are new excitations */
    int fresh;       /* what is old is renewed when that pays */
    int learns;      /* the first evaluations, column by column, find the pattern */
    int user;        /* d(dear)/dy comes from the model */
    int by_calls;    /* what pays is counted in residual calls alone */
} rsd_strategy;

typedef struct rsd_frame {
    resida_allocator alloc;
    resida_system s;
    const rsd_strategy *strategy;
    int n;
    unsigned char *columns;  /* [n] resida_column bits: what is open */
    unsigned char *is_known; /* [n] columns with known entries */
    int n_dear_columns;      /* those with RESIDA_COLUMN_DEAR */
    int has_open_B;          /* some entries of dF/dyp are not known */
    int has_open_C;          /* some entries of d(cheap)/dy are not known */
    int combined;            /* A holds dF/dy + alpha dF/dyp */
} rsd_frame;

/** Look at the columns of f->s with f->strategy. 0: no memory. */
int rsd_frame_create(rsd_frame *f);

/** 1: the pattern of what is differenced comes with the system. */
int rsd_frame_gives_dear(const rsd_frame *f);

/** dF/dyp takes differences of its own. */
static inline int rsd_frame_opens_B(const rsd_frame *f)
{
    return f->has_open_B && !f->combined;
}

const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why);

/** Error weight of component i, 1 when there are none. */
static inline double rsd_weight(const resida_jacobian_point *at, int i)
{
    return at->weights ? at->weights[i] : 1;
}

/** The time by which ages are told. */
static inline double rsd_clock(const resida_jacobian_point *at)
{
    return at->since != 0 ? at->since : at->t;
}

/** The larger one; x that is NaN is none. As fmax, which is a call. */
static inline double rsd_larger(double most, double x)
{
    return x > most ? x : most;
}

#endif
