/* frame.h - the fixed data of an engine: system, strategy, and the open entries of each column. */
#ifndef RSD_FRAME_H
#define RSD_FRAME_H

#include <resida/jacobian.h>

/** A strategy; strategies.c has the table. */
typedef struct rsd_strategy {
    const char *name;
    int coloured;    /* 1: groups on an estimated pattern; 0: column by column */
    int partitioned; /* 1: a new alpha is an update */
    int extended;    /* 1: new excitations are an update, too */
    int by_costs;    /* 1: old parts are renewed when that pays */
    int learns;      /* 1: the first evaluations, column by column, find the pattern */
    int user;        /* 1: the model gives dF_a/dy */
    int by_calls;    /* 1: residual calls alone count as costs */
} rsd_strategy;

typedef struct rsd_frame {
    resida_allocator alloc;
    resida_system s;
    const rsd_strategy *strategy;
    int n;
    unsigned char *columns;  /* [n] resida_column bits: open entries */
    unsigned char *is_known; /* [n] 1: the column has known entries */
    int n_formalism_columns; /* columns with RESIDA_COLUMN_FORMALISM */
    int has_open_B;          /* 1: dF/dyp has open entries */
    int has_open_C;          /* 1: dF_c/dy has open entries */
    int combined;            /* 1: A holds dF/dy + alpha dF/dyp */
} rsd_frame;

/** Set the members behind n from the system and the strategy. 0: no memory. */
int rsd_frame_create(rsd_frame *f);

/** Set them again, for another system of the same size. */
void rsd_frame_set(rsd_frame *f);

/** 1: the system gives the pattern of the differenced part of F. */
int rsd_frame_gives_pattern(const rsd_frame *f);

/** 1: dF/dyp has differences of its own. */
static inline int rsd_frame_opens_B(const rsd_frame *f)
{
    return f->has_open_B && !f->combined;
}

/** Find a strategy by its name, "auto" resolved. NULL: there is none for this system, with a message. */
const rsd_strategy *rsd_find_strategy(const char *name, const resida_system *s, resida_message *why);

/** Error weight of component i, 1 when there are none. */
static inline double rsd_weight(const resida_jacobian_point *at, int i)
{
    return at->weights ? at->weights[i] : 1;
}

/** [s] The time that measures the age of parts of J. */
static inline double rsd_clock(const resida_jacobian_point *at)
{
    return at->since != 0 ? at->since : at->t;
}

/** The larger number; `most` if x is NaN. Inline, as fmax is a call. */
static inline double rsd_larger(double most, double x)
{
    return x > most ? x : most;
}

#endif
