/* linearize.h - the linearization of a model about a state, its modes, and their output. */
#ifndef CMD_LINEARIZE_H
#define CMD_LINEARIZE_H

#include <jansson.h>
#include <resida/linearize.h>

#include "program/picture/picture.h"
#include "program/run/run.h"

/** A linearized model and its modes. */
typedef struct cmd_linear {
    const cmd_job *job;
    resida_linearization *handle;
    const char *form; /**< "independent", or the name of the form */
    int n_rows;       /**< number of constraints, including n_redundant redundant ones */
    resida_linear_model model;
    resida_modes modes;
    int n_parts;        /**< number of components that are positions; all components of a general DAE */
    const double *base; /**< [n_parts] positions of the state */
} cmd_linear;

/** Report on the linear model, whose modes have not been computed yet. @return exit code */
typedef int cmd_linear_told(cmd_linear *l, const cmd_settings *s, void *self);

/** Integrate to the state that the settings specify, from the start of the model or from an equilibrium near `guess`
 *  (cmd_equilibrium_set_start()). Linearize there with the outputs of the model, and call `tell` with self.
 *  @return exit code after at most one complaint */
int cmd_linearize_at_state(cmd_model *model, const cmd_settings *s, const double *guess, cmd_linear_told *tell,
                           void *self);

/** Report a failure, unless a signal has interrupted. @return exit code */
int cmd_linear_complain(const cmd_job *job, const resida_message *why);

/** Write the time and the coordinates of the linearization, and whether the state is at rest. */
void cmd_linear_head(const cmd_linear *l, FILE *stream);

/** Return the largest growth rate [1/s] of a mode of the model that exceeds its error; 0 if no mode grows. */
double cmd_linear_growth(const cmd_linear *l);

/** Return 1 if all modes of the model decay by more than their errors. */
int cmd_linear_decays(const cmd_linear *l);

/** Return the frequency [Hz] and the damping ratio -re/|lambda| of mode k. */
double cmd_mode_frequency(const cmd_linear *l, int k);
double cmd_mode_damping(const cmd_linear *l, int k);

/** Return the slowest mode of the model that swings, or -1: its damping ratio is below 1/sqrt(2), so that it has a
 *  resonance. */
int cmd_linear_swinging(const cmd_linear *l);

void cmd_linear_text(const cmd_linear *l, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_linear_json(const cmd_linear *l);

enum { CMD_BODY = 64 };

/** The shares of bodies in the kinetic energy of a mode. Their sum is 1. */
typedef struct cmd_energy {
    int n;                   /**< 0 if the mode has no velocity */
    char (*names)[CMD_BODY]; /**< [n] names of bodies, or of coordinates that belong to no body */
    double *share;           /**< [n] */
} cmd_energy;

/** Compute the shares of mode k. The caller frees *e in any case. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_linear_energy(const cmd_linear *l, int k, cmd_energy *e);
void cmd_energy_free(cmd_energy *e);
/** Check that the model has a kinetic energy. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_energy_check(const cmd_model *model);
/** Write the largest shares of all modes. @return as cmd_linear_energy() */
int cmd_energy_text(const cmd_linear *l, FILE *stream);
/** A new reference; NULL without memory, or after a complaint. */
json_t *cmd_energy_json(const cmd_linear *l, int k);

/** Write one line for each mode to a file. @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED after one complaint */
int cmd_linear_csv(const cmd_linear *l, const char *path);

/** Write E, A, B, C, D to PREFIX-E.mtx .. in the Matrix Market format. @return as cmd_linear_csv() */
int cmd_linear_matrices(const cmd_linear *l, const char *prefix);

/** Draw the eigenvalues in the complex plane. */
void cmd_linear_draw(const cmd_linear *l, const cmd_picture *picture);

/** Write a page that animates mode `number` (from 1). @return as cmd_linear_csv(); CMD_EXIT_USAGE: no such mode */
int cmd_linear_animate(const cmd_linear *l, int number, const char *path);

#endif
