/* response.h - frequency responses of a linear model to one excitation, and their output. */
#ifndef CMD_RESPONSE_H
#define CMD_RESPONSE_H

#include "linearize.h"

typedef struct cmd_response {
    const cmd_linear *l;
    int excitation;
    int n_outputs, *output; /**< [n_outputs] indices among the outputs of the model, in the requested order */
    int n;
    double *frequency; /**< [n] [Hz] */
    double *re, *im;   /**< [n x all outputs of the model] row by row */
    double grows;      /**< [1/s] growth rate of the fastest growing mode; 0 if no mode grows; NaN if unknown */
} cmd_response;

/** Return the amplitude |Y| of output i (of n_outputs) at frequency k, or compute its phases arg Y in degrees. Phases
 *  are continuous: neighbours differ by less than half a turn. */
double cmd_response_amplitude(const cmd_response *r, int k, int i);
void cmd_response_phases(const cmd_response *r, int i, double *degrees);

int cmd_response_text(const cmd_response *r, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_response_json(const cmd_response *r);
/** @return 0; exit code after one complaint */
int cmd_response_csv(const cmd_response *r, const char *path);
int cmd_response_draw(const cmd_response *r, const char *path);

#endif
