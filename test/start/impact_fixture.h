/* impact_fixture.h - a mechanism with constant M and G, which is all that an impact sees of one, and an impact of it.
 * Residual and explicit formalism. */
#ifndef RESIDA_TEST_IMPACT_FIXTURE_H
#define RESIDA_TEST_IMPACT_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/file_util.h"

enum { MOST = 8 };

/** M v' = 0,  G v + gI = 0; p' = T v with a diagonal T. */
typedef struct body {
    int n_v, n_g, n_z, weightless, fails; /* 1: residual or acceleration fails, 2: gives NaN */
    double M[MOST * MOST], M_inverse[MOST * MOST], G[MOST * MOST], gI[MOST], T[MOST];
    const char *names[MOST];
} body;

/** An impact, and what came of it. */
typedef struct hit {
    body b;
    resida_contacts contacts;
    resida_start_options o;
    resida_problem *problem;
    double v[MOST], after[MOST], push[MOST], lam[MOST];
    resida_impact_report report;
    resida_message why;
    resida_status status;
} hit;

static const resida_formalism formalisms[] = {RESIDA_FORMALISM_RESIDUAL, RESIDA_FORMALISM_EXPLICIT};

/** A body at p = 0; G may be NULL without joints. */
hit one(int n_v, int n_g, const double *M, const double *G);

/** Rows [n x n_v] and coefficients [n] of its contacts; borrowed. */
void touch(hit *h, int n, const double *rows, const double *e);

/** Make the problem; strike it, and see that outputs are untouched after a failure; all of it. */
void open_hit(hit *h, resida_formalism formalism, const resida_allocator *allocator);
void strike_open(hit *h);
void strike(hit *h, resida_formalism formalism);

#endif
