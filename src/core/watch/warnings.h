/* warnings.h - stores warnings: contradictions between a model and its callbacks, and hints for less expensive runs.
 * Each kind of warning has one line, for the first case found. */
#ifndef RSD_WARNINGS_H
#define RSD_WARNINGS_H

#include "base/message.h"

/** Kinds of warnings. */
typedef enum rsd_claim {
    RSD_CLAIM_EXCITATION,
    RSD_CLAIM_CONSTRAINT_MATRIX,
    RSD_CLAIM_CONSTRAINT_FORCE,
    RSD_CLAIM_CONSTRAINT_VELOCITY,
    RSD_CLAIM_VELOCITY_BIAS,
    RSD_CLAIM_ACCELERATION_BIAS,
    RSD_CLAIM_NONHOLONOMIC_BIAS,
    RSD_CLAIM_INERTIA,
    RSD_CLAIM_MASS,
    RSD_CLAIM_DERIVATIVES,
    RSD_CLAIM_PRODUCTS,
    RSD_CLAIM_KINEMATICS,
    RSD_CLAIM_POTENTIAL,
    RSD_CLAIM_PATTERN,
    RSD_CLAIM_START,
    RSD_CLAIM_START_VELOCITY,
    RSD_CLAIM_POSITION, /* constraint g; F at the start of a general DAE */
    RSD_CLAIM_VELOCITY,
    RSD_CLAIM_SHARED,
    RSD_CLAIM_REST,
    RSD_CLAIM_SENSITIVITY,
    RSD_CLAIM_QUADRATURE,
    RSD_N_CLAIMS
} rsd_claim;

/** Stored warnings, at most one of each kind. */
typedef struct rsd_warnings {
    int n;                                /* number of warnings */
    const char *line[RSD_N_CLAIMS];       /* [n] warnings in the order in which they were stored, pointers to `text` */
    resida_message text[RSD_N_CLAIMS];    /* warning of each kind */
    unsigned char is_given[RSD_N_CLAIMS]; /* 1: a warning of the kind is stored */
} rsd_warnings;

/** Insert the first warning into the message of a failed step, before possible causes. Skip warnings of starts. */
void rsd_insert_warning(const rsd_warnings *w, resida_message *why);

/** Store a warning of the kind `claim` if no warning of the same kind has been stored. */
void rsd_add_warning(rsd_warnings *w, rsd_claim claim, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
