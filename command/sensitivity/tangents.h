/* tangents.h - derivatives of `solve --sensitivity`, from models with a changed parameter that accompany a run. */
#ifndef CMD_TANGENTS_H
#define CMD_TANGENTS_H

#include "program/run/run.h"

/** The follower for a job whose `followed` is a cmd_derivatives. It stores the derivatives of the last output, and of
 *  the model's outputs if the job computes these. The settings of the job list the parameters. A job that checks
 *  another run (`aside`) has no derivatives. */
extern const cmd_follower cmd_tangents;

#endif
