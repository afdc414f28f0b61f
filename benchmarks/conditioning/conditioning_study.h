/* conditioning_study.h - the measurements of conditioning.h for one model over a series of step sizes. */
#ifndef CMD_CONDITIONING_STUDY_H
#define CMD_CONDITIONING_STUDY_H

#include <jansson.h>

#include "conditioning.h"
#include "program/picture/picture.h"

enum { CMD_H_MAX = 8, CMD_N_RUNS = 7, CMD_N_RUN_METHODS = 2 };

/** Names of the library's scalings and methods for which runs are made. */
extern const char *const cmd_run_scalings[CMD_N_RUNS];
extern const char *const cmd_run_methods[CMD_N_RUN_METHODS];

typedef struct cmd_conditioning_work {
    const cmd_job *job;
    int n_h, first_fitted; /**< first_fitted: index of the first step size in the fit of the exponents */
    double h[CMD_H_MAX];
    double condition[CMD_N_SYSTEMS][CMD_N_SCALINGS][CMD_H_MAX];
    double exponent[CMD_N_SYSTEMS][CMD_N_SCALINGS];
    cmd_corrections corrections[CMD_N_RUN_METHODS][CMD_N_RUNS][CMD_H_MAX]; /**< steps = 0: the run failed */
} cmd_conditioning_work;

/** Set h = 1e-1, 1e-2 .. 1e-8. Exponents are fitted to the last decades. */
void cmd_conditioning_init(cmd_conditioning_work *c, const cmd_job *job);
/** Compute the condition numbers and their exponents. @return 0, or CMD_EXIT_* after one error message */
int cmd_conditioning_matrices(cmd_conditioning_work *c);
/** Measure the corrections in runs of 100 steps each. @return 0, or 128 + signal number */
int cmd_conditioning_runs(cmd_conditioning_work *c);

void cmd_conditioning_text(const cmd_conditioning_work *c, FILE *stream);
/** @return 0, or CMD_EXIT_IO after one error message */
int cmd_conditioning_json(const cmd_conditioning_work *c, FILE *stream);
void cmd_conditioning_draw(const cmd_conditioning_work *c, const cmd_picture *picture);

#endif
