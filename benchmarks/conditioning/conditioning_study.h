/* conditioning_study.h - all of conditioning.h for one model, over a series of step sizes. */
#ifndef CMD_CONDITIONING_STUDY_H
#define CMD_CONDITIONING_STUDY_H

#include <jansson.h>

#include "conditioning.h"
#include "program/picture/picture.h"

enum { CMD_H_MAX = 8, CMD_N_RUNS = 7, CMD_N_RUN_METHODS = 2 };

/** Names of the library's scalings, and of the methods that are run. */
extern const char *const cmd_run_scalings[CMD_N_RUNS];
extern const char *const cmd_run_methods[CMD_N_RUN_METHODS];

typedef struct cmd_conditioning_work {
    const cmd_job *job;
    int n_h, first_fitted; /**< exponents are fitted from this step size on */
    double h[CMD_H_MAX];
    double condition[CMD_N_SYSTEMS][CMD_N_SCALINGS][CMD_H_MAX];
    double exponent[CMD_N_SYSTEMS][CMD_N_SCALINGS];
    cmd_corrections corrections[CMD_N_RUN_METHODS][CMD_N_RUNS][CMD_H_MAX]; /**< no steps: the run failed */
} cmd_conditioning_work;

/** h = 1e-1, 1e-2 .. 1e-8; the last decades are fitted. */
void cmd_conditioning_init(cmd_conditioning_work *c, const cmd_job *job);
/** Condition numbers. @return 0; CMD_EXIT_* after one complaint */
int cmd_conditioning_matrices(cmd_conditioning_work *c);
/** Corrections, of 100 steps each. @return 0; 128 + signal */
int cmd_conditioning_runs(cmd_conditioning_work *c);

void cmd_conditioning_text(const cmd_conditioning_work *c, FILE *stream);
/** @return 0; CMD_EXIT_IO after one complaint */
int cmd_conditioning_json(const cmd_conditioning_work *c, FILE *stream);
void cmd_conditioning_draw(const cmd_conditioning_work *c, const cmd_picture *picture);

#endif
