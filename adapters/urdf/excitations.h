/* excitations.h - u(t) of files: coordinates of the joints that are moved, then torques and forces, which constrain
 * nothing. */
#ifndef URD_EXCITATIONS_H
#define URD_EXCITATIONS_H

#include "robot.h"

/** Names, callback and breakpoints. */
void urd_list_excitations(urd_robot &robot, resida_model &model);

#endif
