/* linear_fixture.h - linearisations of mechanisms, and what is looked for in their modes. Every failure ends the
 * test. */
#ifndef RESIDA_TEST_LINEAR_FIXTURE_H
#define RESIDA_TEST_LINEAR_FIXTURE_H

#include <resida/all.h>

#include "test/fixtures/claims.h"

/** A problem with its linearisation and modes. */
typedef struct linear {
    resida_problem *problem;
    resida_linearization *l;
    resida_linear_model model;
    resida_modes modes;
} linear;

/** Of a mechanism in independent coordinates, from a consistent start at t near p0, v0. */
void linear_open(linear *x, const resida_mechanism *m, resida_formalism formalism, double t, const double *p0,
                 const double *v0);
/** The same, which may be refused with that status: 0, and *x is closed. */
int linear_may_open(linear *x, const resida_mechanism *m, resida_formalism formalism, double t, const double *p0,
                    const double *v0, resida_status refusal);
/** The same of the form as it is. */
void linear_open_form(linear *x, const resida_mechanism *m, const char *form, double t, const double *p0,
                      const double *v0);
/** Only so many modes, those nearest to a frequency [Hz]; count 0: all. */
void linear_open_near(linear *x, const resida_mechanism *m, const char *form, int count, double near, double t,
                      const double *p0, const double *v0);

/** Have x->l freed with the claim, which the functions above do. */
void linear_own(linear *x);

/** The mode whose eigenvalue is re + i im, to `part` of its size. */
int linear_find(const linear *x, double re, double im, double part);

/** Entry (i, j); 0: none. */
double linear_entry(const resida_matrix *A, int i, int j);

#endif
