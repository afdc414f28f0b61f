/* limits.h - limits of joints: root functions that are events, gaps of contacts, or positions of elastic stops.
 *
 *     JOINT.lower = q - lower,     JOINT.upper = upper - q */
#ifndef URD_LIMITS_H
#define URD_LIMITS_H

#include "robot.h"

/** Select the limits. Must be called before urd_list_constraints(), because held limits are also constraints. Joints
 *  with prescribed motion, and joints that mimic one of them, have no contacts. Of several joints that move together by
 *  mimicking, only the narrowest limits are contacts.
 *  @param[in] kind  a constant of the enumeration in robot.h
 *  @throws std::runtime_error, one line: empty range; both contacts and stops; a start beyond a limit */
void urd_select_limits(urd_robot &robot, int kind);

/** Set the gaps of limits and spheres as root functions of the model, and as contacts. Must be called after
 *  urd_list_slides(). */
void urd_list_limits(urd_robot &robot, resida_model &model, double restitution);

#endif
