/* tangents.h - derivatives of `solve --sensitivity`: models with a parameter moved go along with a run. */
#ifndef CMD_TANGENTS_H
#define CMD_TANGENTS_H

#include "program/run/run.h"

/** Of a job whose `followed` is a cmd_derivatives, which takes those of the last output, and of its outputs where the
 *  job asks for these. Its settings say by which parameters; of a job that runs aside there are none. */
extern const cmd_follower cmd_tangents;

#endif
