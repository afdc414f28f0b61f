/* restarts.h - events at which the integration restarts from the current state, because the polynomial of a step
 * across them would be wrong: contact with a stop or an elastic ground begins or ends, and its force has a kink;
 * d3u/dt3 of the motion jumps; or a torque jumps. */
#ifndef URD_RESTARTS_H
#define URD_RESTARTS_H

#include "robot.h"

/** Set the event callback of the model. Must be called after urd_list_limits(). Without such events nothing is set. */
void urd_list_restarts(urd_robot &robot, resida_model &model);

#endif
