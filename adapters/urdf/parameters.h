/* parameters.h - the parameters of a model: those of the adapter, the start of each joint, damping and dry friction
 * of each joint, mass and inertia of each link. */
#ifndef URD_PARAMETERS_H
#define URD_PARAMETERS_H

#include <string>
#include <vector>

#include <resida/model.h>

#include "robot.h"

/** Indices of the parameters of the adapter. They are followed by position and speed at the start of each joint, by
 *  damping and friction of each joint, and by mass and inertia of each link. */
enum {
    URD_GRAVITY,
    URD_GRAVITY_X,
    URD_GRAVITY_Y,
    URD_FREE,
    URD_LIMITS,
    URD_RESTITUTION,
    URD_STIFFNESS,
    URD_DAMPING,
    URD_SMOOTHING,
    URD_MOTION,
    URD_TORQUES,
    URD_LOOPS,
    URD_CUT,
    URD_GROUND,
    URD_SPHERES,
    URD_GROUND_Z,
    URD_GROUND_STIFFNESS,
    URD_GROUND_DAMPING,
    URD_GROUND_FRICTION,
    URD_OWN
};

struct urd_parameters {
    std::vector<std::string> names;
    std::vector<resida_parameter> list;
    std::vector<const char *> options; /**< options of the command, for files besides the description */
    std::vector<std::string> starting; /**< joints with a start: of a free base, then joints that mimic none */
    std::vector<std::string> moving;   /**< joints of the description */
    std::vector<std::string> links;    /**< links of the description */
};

/** List the parameters. A name that is already used by a parameter gets the suffix '_'.
 *  @param[in] arm  read with a free base */
void urd_list_parameters(urd_parameters &parameters, const urd_arm &arm);

/** Apply changed values of damping, friction and inertias. */
void urd_change_arm(urd_arm &arm, const urd_parameters &parameters, const double *values);

/** Set positions and speeds at the start. */
void urd_find_start(urd_robot &robot, const urd_parameters &parameters, const double *values);

/** Reject a start value of a joint that differs from its default but has no effect.
 *  @throws std::runtime_error, one line with this reason */
void urd_check_start_has_effect(const urd_parameters &parameters, const double *values, const std::string &joint,
                                const std::string &why);

#endif
