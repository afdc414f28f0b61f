/* parameters.h - what a description leaves open, and what may be changed in it: those of the model, the start of each
 * joint, its damping and dry friction, mass and inertia of each link. */
#ifndef URD_PARAMETERS_H
#define URD_PARAMETERS_H

#include <string>
#include <vector>

#include <resida/model.h>

#include "robot.h"

/** Those of the model, in their order; behind them a start and a speed for each joint, then damping and friction of
 *  each joint, then mass and inertia of each link. */
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
    URD_OWN
};

struct urd_parameters {
    std::vector<std::string> names;
    std::vector<resida_parameter> list;
    std::vector<const char *> options; /**< of the command, for files beside the description */
    std::vector<std::string> starting; /**< joints that start somewhere: of a free base, then those that mimic none */
    std::vector<std::string> moving;   /**< joints of the description */
    std::vector<std::string> links;    /**< of the description */
};

/** A name that is taken by a parameter before it gets a '_' at its end.
 *  @param[in] arm  with a free base; without one its six motions are not looked at */
void urd_list_parameters(urd_parameters &parameters, const urd_arm &arm);

/** Damping, friction and inertias that are not those of the description. */
void urd_change_arm(urd_arm &arm, const urd_parameters &parameters, const double *values);

/** Where joints start, and how fast. */
void urd_find_start(urd_robot &robot, const urd_parameters &parameters, const double *values);

/** A start of a joint that has no effect is none that was set.
 *  @throws std::runtime_error, one line with this reason */
void urd_refuse_start(const urd_parameters &parameters, const double *values, const std::string &joint,
                      const std::string &why);

#endif
