/* arm.h - the description of a robot as a tree of bodies, with its moving joints in the order of KDL's coordinates.
 *
 * Bodies, joints and frames are those of the Orocos Kinematics and Dynamics Library. KDL has no damping and friction of
 * joints; they are read from the description. */
#ifndef URD_ARM_H
#define URD_ARM_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include <kdl/tree.hpp>

#include "adapters/urdf/shape/drawing.h"
#include "adapters/urdf/text/text.h"

/** A coordinate: a moving joint of the description, or one of the joints that replace a planar joint, a floating joint
 *  or a free base. */
struct urd_joint {
    std::string name, segment; /**< segment: the segment of the tree that the joint moves */
    std::string element;       /**< name of the joint in the description; "": of a free base */
    bool turns;                /**< 1: revolute; 0: prismatic */
    double damping, friction;  /**< [N m s/rad], [N m]; prismatic: [N s/m], [N] */
    bool is_limited;
    double lower, upper; /**< [rad], [m] */
    std::string mimics;  /**< name of the joint whose coordinate is q_of in q = multiplier q_of + offset; "": none */
    double multiplier, offset;
    size_t of; /**< index of the mimicked joint */
};

/** A sphere on a link that can touch the ground. */
struct urd_sphere {
    std::string link, name; /**< "LINK", "LINK.ground" */
    KDL::Vector at;         /**< centre, in the frame of the link */
    double radius;
    size_t body, piece; /**< indices of the link in the bodies of the whole tree and of the pieces */
    KDL::Vector force;  /**< last computed force of the ground, in the axes of the world */
};

enum { URD_BASE = 6 }; /* number of joints of a free base, the first joints */

struct urd_arm {
    KDL::Tree tree;
    std::vector<urd_joint> joints;
    std::set<std::string> links;                          /**< names of the links of the description */
    std::map<std::string, KDL::RigidBodyInertia> changed; /**< inertias that replace those of the description */
    std::vector<urd_drawing> drawings;
    std::vector<urd_sphere> spheres; /**< of collisions */
    urd_outline outline;
    std::string doubt;          /**< warning about unusual inertias and unknown elements, with their names; "": none */
    std::vector<size_t> mimics; /**< joints that mimic others, each after the joint that it mimics */
};

/** The dependence of a joint on the joint that it finally mimics: q = multiplier q_of + offset. For a joint that mimics
 *  none, `of` is the joint itself. */
struct urd_lead {
    size_t of;
    double multiplier, offset;
};

/** Return the dependence of each joint, [joints]. */
std::vector<urd_lead> urd_find_leads(const urd_arm &arm);

/** Return the text of a description, with macros expanded if the file ends in .xacro.
 *  @throws std::runtime_error, one line with the reason */
std::string urd_read_text(const std::string &path);

/** Read a description from its text. With is_free the root has six joints: three prismatic ones, then three revolute
 *  ones about x, y, z. The same joints replace a floating joint: JOINT_x to JOINT_turn_z. JOINT_x, JOINT_y and
 *  JOINT_turn replace a planar one, along the axes to which the shortest rotation from z to its axis moves x and y, and
 *  about its axis.
 *  @throws std::runtime_error, one line with the reason */
urd_arm urd_read(const std::string &text, bool is_free);

#endif
