/* limits.h - limits of joints: root functions that are events, gaps of contacts, or places of elastic stops.
 *
 *     JOINT.lower = q - lower,     JOINT.upper = upper - q */
#ifndef URD_LIMITS_H
#define URD_LIMITS_H

#include "robot.h"

/** Choose limits, of which those that hold are constraints, too: before these are listed. Of joints that a file moves,
 *  or that mimic one, none are contacts; of joints that move together, as one mimics the other, the narrowest are.
 *  @param[in] kind  one of the enum in robot.h
 *  @throws std::runtime_error, one line: limits that are no range; contacts and stops at once; a start beyond them */
void urd_choose_limits(urd_robot &robot, int kind);

/** As root functions of the model, and as contacts. */
void urd_list_limits(urd_robot &robot, resida_model &model, double restitution);

#endif
