/* linearize.h - a model linear about a state, its modes, and what is written of both. */
#ifndef BENCH_LINEARIZE_H
#define BENCH_LINEARIZE_H

#include <jansson.h>
#include <resida/linearize.h>

#include "command/picture/picture.h"
#include "command/run/run.h"

/** What is told. */
typedef struct bench_linear {
    const bench_job *job;
    const char *form; /**< "independent", or the name of the form */
    int n_rows;       /**< constraints that n_redundant is among */
    resida_linear_model model;
    resida_modes modes;
    int n_parts;        /**< components that are positions; of a general DAE all */
    const double *base; /**< [n_parts] the state */
} bench_linear;

/** Of mode k: [Hz], and the damping ratio -re/|lambda|. */
double bench_mode_frequency(const bench_linear *l, int k);
double bench_mode_damping(const bench_linear *l, int k);

void bench_linear_text(const bench_linear *l, FILE *stream);
/** A new reference; NULL without memory. */
json_t *bench_linear_json(const bench_linear *l);

/** A line for each mode, to a file. @return 0; BENCH_EXIT_IO, BENCH_EXIT_FAILED after one complaint */
int bench_linear_csv(const bench_linear *l, const char *path);

/** E, A, B, C, D as PREFIX-E.mtx .. in the Matrix Market format. @return as bench_linear_csv() */
int bench_linear_matrices(const bench_linear *l, const char *prefix);

/** Eigenvalues in the complex plane. */
void bench_linear_draw(const bench_linear *l, const bench_picture *picture);

/** Mode `number` (from 1) in motion, as a page. @return as bench_linear_csv(); BENCH_EXIT_USAGE: no such mode */
int bench_linear_animate(const bench_linear *l, int number, const char *path);

#endif
