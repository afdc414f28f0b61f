/* excitations.h - u(t) from files: coordinates of the joints with prescribed motion, then torques and forces, which
 * are not part of a constraint. */
#ifndef URD_EXCITATIONS_H
#define URD_EXCITATIONS_H

#include "robot.h"

/** Set names, callback and breakpoints of the excitations. */
void urd_list_excitations(urd_robot &robot, resida_model &model);

#endif
