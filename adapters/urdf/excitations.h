/* excitations.h - u(t) from files: coordinates of the joints with prescribed motion, then torques and forces, which
 * are not part of a constraint. And events at which the integration restarts from the current state, because the
 * polynomial of a step across them would be wrong: d3u/dt3 of the motion jumps; a torque jumps; or contact with a stop
 * or an elastic ground begins or ends, and its force has a kink. */
#ifndef URD_EXCITATIONS_H
#define URD_EXCITATIONS_H

#include "robot.h"

/** Set names, callback and breakpoints of the excitations. */
void urd_list_excitations(urd_robot &robot, resida_model &model);

/** Set the event callback of the model. Must be called after urd_list_limits(). Without such events nothing is set. */
void urd_list_restarts(urd_robot &robot, resida_model &model);

#endif
