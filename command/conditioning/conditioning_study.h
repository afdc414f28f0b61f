/* conditioning_study.h - all of conditioning.h for one model, over a series of step sizes. */
#ifndef BENCH_CONDITIONING_STUDY_H
#define BENCH_CONDITIONING_STUDY_H

#include <jansson.h>

#include "conditioning.h"
#include "command/picture/picture.h"

enum { BENCH_H_MOST = 8, BENCH_N_RUNS = 7, BENCH_N_RUN_METHODS = 2 };

/** Names of the library's scalings, and of the methods that are run. */
extern const char *const bench_run_scalings[BENCH_N_RUNS];
extern const char *const bench_run_methods[BENCH_N_RUN_METHODS];

typedef struct bench_conditioning {
    const bench_job *job;
    int n_h, first_fitted; /**< exponents are fitted from this step size on */
    double h[BENCH_H_MOST];
    double condition[BENCH_N_SYSTEMS][BENCH_N_SCALINGS][BENCH_H_MOST];
    double exponent[BENCH_N_SYSTEMS][BENCH_N_SCALINGS];
    bench_corrections corrections[BENCH_N_RUN_METHODS][BENCH_N_RUNS][BENCH_H_MOST]; /**< no steps: the run failed */
} bench_conditioning;

/** h = 1e-1, 1e-2 .. 1e-8; the last decades are fitted. */
void bench_conditioning_init(bench_conditioning *c, const bench_job *job);
/** Condition numbers. @return 0; BENCH_EXIT_* after one complaint */
int bench_conditioning_matrices(bench_conditioning *c);
/** Corrections, of 100 steps each. @return 0; 128 + signal */
int bench_conditioning_runs(bench_conditioning *c);

void bench_conditioning_text(const bench_conditioning *c, FILE *stream);
/** @return 0; BENCH_EXIT_IO after one complaint */
int bench_conditioning_json(const bench_conditioning *c, FILE *stream);
void bench_conditioning_draw(const bench_conditioning *c, const bench_picture *picture);

#endif
