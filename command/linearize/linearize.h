/* linearize.h - a model linear about a state, its modes, and what is written of both. */
#ifndef CMD_LINEARIZE_H
#define CMD_LINEARIZE_H

#include <jansson.h>
#include <resida/linearize.h>

#include "program/picture/picture.h"
#include "program/run/run.h"

/** What is told. */
typedef struct cmd_linear {
    const cmd_job *job;
    resida_linearization *handle;
    const char *form; /**< "independent", or the name of the form */
    int n_rows;       /**< constraints that n_redundant is among */
    resida_linear_model model;
    resida_modes modes;
    int n_parts;        /**< components that are positions; of a general DAE all */
    const double *base; /**< [n_parts] the state */
} cmd_linear;

/** Says what it has to say of the linear model, whose modes are not known yet. @return exit code */
typedef int cmd_linear_told(cmd_linear *l, const cmd_settings *s, void *self);

/** Go to the state that the settings name, by a run from the start of the model or from an equilibrium, make the model
 *  linear there with its outputs, and tell, with self. @return exit code after at most one complaint */
int cmd_linear_about(cmd_model *model, const cmd_settings *s, cmd_linear_told *tell, void *self);

/** What failed, or that a signal came. @return exit code */
int cmd_linear_complain(const cmd_job *job, const resida_message *why);

/** Where and in which coordinates; whether the state is at rest. */
void cmd_linear_head(const cmd_linear *l, FILE *stream);

/** [1/s] Fastest growth of a mode of the model itself, beyond errors; 0: none grows. */
double cmd_linear_growth(const cmd_linear *l);

/** 1: all modes of the model itself decay, beyond errors. */
int cmd_linear_decays(const cmd_linear *l);

/** Of mode k: [Hz], and the damping ratio -re/|lambda|. */
double cmd_mode_frequency(const cmd_linear *l, int k);
double cmd_mode_damping(const cmd_linear *l, int k);

void cmd_linear_text(const cmd_linear *l, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_linear_json(const cmd_linear *l);

enum { CMD_BODY = 64 };

/** Shares of bodies in the kinetic energy of a mode, whose sum is 1. */
typedef struct cmd_energy {
    int n;                   /**< 0: the mode has no velocity */
    char (*names)[CMD_BODY]; /**< [n] of bodies, or of coordinates without one */
    double *share;           /**< [n] */
} cmd_energy;

/** Of mode k; to be freed in any case. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_linear_energy(const cmd_linear *l, int k, cmd_energy *e);
void cmd_energy_free(cmd_energy *e);
/** Can it be told of the model? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_energy_check(const cmd_model *model);
/** The largest shares of all modes. @return as cmd_linear_energy() */
int cmd_energy_text(const cmd_linear *l, FILE *stream);
/** A new reference; NULL without memory, or after a complaint. */
json_t *cmd_energy_json(const cmd_linear *l, int k);

/** A line for each mode, to a file. @return 0; CMD_EXIT_IO, CMD_EXIT_FAILED after one complaint */
int cmd_linear_csv(const cmd_linear *l, const char *path);

/** E, A, B, C, D as PREFIX-E.mtx .. in the Matrix Market format. @return as cmd_linear_csv() */
int cmd_linear_matrices(const cmd_linear *l, const char *prefix);

/** Eigenvalues in the complex plane. */
void cmd_linear_draw(const cmd_linear *l, const cmd_picture *picture);

/** Mode `number` (from 1) in motion, as a page. @return as cmd_linear_csv(); CMD_EXIT_USAGE: no such mode */
int cmd_linear_animate(const cmd_linear *l, int number, const char *path);

#endif
