/* arm.h - a robot's description as a tree of bodies: joints that move, in the order of KDL's coordinates.
 *
 * Bodies, joints and frames are those of the Orocos Kinematics and Dynamics Library, which knows neither damping nor
 * friction of joints: the description has them. */
#ifndef URD_ARM_H
#define URD_ARM_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include <kdl/tree.hpp>

#include "adapters/urdf/shape/drawing.h"
#include "outline.h"

/** A joint that moves; with a free base also one of its six motions. */
struct urd_joint {
    std::string name, segment; /**< segment: of the tree, that it moves */
    bool turns;                /**< else it slides */
    double damping, friction;  /**< [N m s], [N m]; of a slide [N s/m], [N] */
    bool is_limited;
    double lower, upper; /**< [rad], [m] */
    std::string mimics;  /**< q = multiplier q_of + offset, q_of that of the joint with this name; "": of its own */
    double multiplier, offset;
    size_t of; /**< its place among the joints */
};

enum { URD_BASE = 6 }; /* motions of a free base, the first joints */

struct urd_arm {
    KDL::Tree tree;
    std::vector<urd_joint> joints;
    std::set<std::string> links;                          /**< of the description */
    std::map<std::string, KDL::RigidBodyInertia> changed; /**< inertias of links in the place of the description's */
    std::vector<urd_drawing> drawings;
    urd_outline outline;
    std::string doubt;          /**< the first odd value that is taken as it is; "": there is none */
    std::vector<size_t> mimics; /**< those that mimic others, each behind the one that it mimics */
};

/** How a joint moves with the one that it mimics, by way of others: q = multiplier q_of + offset. One that mimics none
 *  moves with itself. */
struct urd_lead {
    size_t of;
    double multiplier, offset;
};

/** [joints] */
std::vector<urd_lead> urd_find_leads(const urd_arm &arm);

/** Read a description. With is_free the root moves: three slides, then turns about x, y, z.
 *  @throws std::runtime_error, one line: what is wrong */
urd_arm urd_read(const std::string &path, bool is_free);

#endif
