/* restarts.h - where the integration begins anew from the state that it has, as the polynomial of a step that goes
 * across does not see what is there: a stop that is met or left, whose force has a kink, a time of the motion at which
 * d3u/dt3 jumps, and one at which a torque jumps. */
#ifndef URD_RESTARTS_H
#define URD_RESTARTS_H

#include "robot.h"

/** The event of the model, behind its limits; none where there is nothing to begin anew for. */
void urd_list_restarts(urd_robot &robot, resida_model &model);

#endif
