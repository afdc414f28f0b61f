/* linear_models.h - small models whose linearisations tests look at: given matrices, and strips of steel. */
#ifndef RESIDA_TEST_LINEAR_MODELS_H
#define RESIDA_TEST_LINEAR_MODELS_H

#include "benchmarks/models/flexible/beam_model.h"
#include "linear_fixture.h"

/** M a + D v + K p = 0, G p = 0. */
typedef struct matrices {
    int n, n_g;
    double *M, *D, *K, *G; /**< [n x n] by rows, [n_g x n] by rows */
} matrices;

/** M = 1, all others 0. */
matrices matrices_make(int n, int n_g);
/** A spring between i and j. */
void matrices_add_spring(matrices *x, int i, int j, double k);
/** At rest. form NULL: independent coordinates; with all its derivatives or without. */
void matrices_open(linear *out, matrices *x, const char *form, int with_derivatives);

/** A strip of 1 m x 20 mm x 2 mm along x. STRIP_BETWEEN: a hinge and a ball; STRIP_SQUARE: the first of three sides,
 * on a hinge and a ball. */
typedef enum { STRIP_FREE, STRIP_CLAMPED, STRIP_HINGED, STRIP_BETWEEN, STRIP_SQUARE } strip_ends;
typedef struct strip {
    int order, elements;
    strip_ends ends;
    double height;  /**< [m] 0: 2 mm */
    double damping; /**< [s] */
    double lump;    /**< [kg] at its end */
} strip;

/** s is of the caller: bm_end(). form NULL: independent coordinates. */
void strip_open(bm_system *s, linear *x, const char *form, const strip *o);

#endif
