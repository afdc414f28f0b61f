/* response.h - frequency responses of a linear model to one excitation, and what is written of them. */
#ifndef CMD_RESPONSE_H
#define CMD_RESPONSE_H

#include "linearize.h"

typedef struct cmd_response {
    const cmd_linear *l;
    int excitation;
    int n_outputs, *output; /**< [n_outputs] which of the model's, in their order */
    int n;
    double *frequency; /**< [n] [Hz] */
    double *re, *im;   /**< [n x all outputs of the model] row by row */
    double grows;      /**< [1/s] fastest growth of a mode; 0: none grows; NaN: not known */
} cmd_response;

/** Of output number i (of n_outputs) at frequency k: |Y|, and arg Y in degrees, from where the frequency before has it
 *  by less than half a turn. */
double cmd_response_amplitude(const cmd_response *r, int k, int i);
void cmd_response_phases(const cmd_response *r, int i, double *degrees);

int cmd_response_text(const cmd_response *r, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_response_json(const cmd_response *r);
/** @return 0; exit code after one complaint */
int cmd_response_csv(const cmd_response *r, const char *path);
int cmd_response_draw(const cmd_response *r, const char *path);

#endif
