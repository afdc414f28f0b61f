/* robot.h - one model of a description: its bodies, what acts at joints, its outputs. */
#ifndef URD_ROBOT_H
#define URD_ROBOT_H

#include <string>
#include <utility>
#include <vector>

#include <resida/model.h>

#include "arm.h"
#include "bodies.h"
#include "adapters/urdf/beside/loops.h"
#include "adapters/urdf/shape/mesh.h"
#include "adapters/urdf/beside/motion.h"
#include "pieces.h"
#include "adapters/urdf/beside/torques.h"

/** A point of a link. */
struct urd_point {
    size_t body;
    KDL::Vector at;
};

/** Points of two bodies that are one, along some axes of body a; with is_rigid their axes are, too. */
struct urd_tie {
    std::string name;
    size_t a, b; /**< of the pieces */
    KDL::Vector at_a, at_b;
    std::vector<int> axes;
    bool is_rigid;
};

/** What becomes of limits. */
enum { URD_NO_LIMITS, URD_EVENTS, URD_HOLD, URD_REBOUNDS };

/** A limit of a joint. */
struct urd_limit {
    std::string name; /**< "JOINT.lower", "JOINT.upper" */
    int q;            /**< coordinate */
    double side, at;  /**< 1: lower, -1: upper; where */

    double gap(const double *p) const
    {
        return side * (p[q] - at);
    }
};

struct urd_robot {
    urd_arm arm;
    bool is_free;      /**< the first URD_BASE joints are motions of the root */
    urd_bodies bodies; /**< the whole tree, for outputs and drawings */
    urd_pieces pieces; /**< the tree as it is cut, for the equations; not cut, it is the same */
    KDL::Vector gravity;
    double smoothing, stiffness, damping;         /**< of stops: [N m/rad], [N m s/rad]; of slides [N/m], [N s/m] */
    std::vector<double> p0, v0;                   /**< [joints], then [halves] (bodies.h) */
    std::vector<double> zeros, forces;            /**< [joints] */
    std::vector<std::string> speed_texts;         /**< "JOINT.v", as its parameter is called */
    std::vector<std::string> half_texts;          /**< coordinates of halves */
    std::vector<const char *> names, speed_names; /**< of p, v */
    std::vector<resida_part> parts;
    std::vector<resida_mesh> meshes;
    std::vector<std::string> part_names;
    std::vector<double> part_colours;      /**< [3 parts] */
    std::vector<urd_point> points;         /**< of all parts */
    int has_limits;                        /**< what becomes of them */
    std::vector<urd_limit> limits;         /**< root functions, in their order */
    std::vector<double> restitution;       /**< [limits] */
    std::vector<const char *> limit_names; /**< [limits] */
    resida_model_contacts contacts;
    urd_motion motion;
    std::vector<int> moved; /**< coordinates, in the order of the motion's joints */
    urd_torques torques;
    std::vector<int> pushed;         /**< coordinates, in the order of the torques' joints */
    std::vector<double> breakpoints; /**< times of both files */
    std::vector<urd_loop> loops;
    std::vector<urd_tie> ties;
    std::vector<KDL::Wrench> wrenches; /**< [bodies of the pieces] of ties */
    urd_places G;
    std::vector<std::string> constraint_texts;
    std::vector<const char *> constraint_names;
    std::vector<const char *> excitation_names; /**< of the moved joints, then of those with torques */
    std::vector<std::string> output_texts;
    std::vector<const char *> output_names, output_units;
    char warning[RESIDA_MESSAGE_SIZE]; /**< of the last output */
    std::vector<size_t> output_bodies; /**< links with a name of the description */

    /** @param[in] cut  joints of a piece (bodies.h); 0: the tree is one */
    urd_robot(urd_arm made, bool has_free_base, int cut);

    /** Limits whose gaps are constraints. */
    const std::vector<urd_limit> &held() const
    {
        static const std::vector<urd_limit> none;
        return has_limits == URD_HOLD ? limits : none;
    }

    /** By more than rounding. */
    bool is_beyond(const urd_limit &limit, const double *p) const;

    /** "elbow is at 3, beyond elbow.upper = 2", with this verb. */
    std::string where(const urd_limit &limit, const double *p, const char *verb) const;

    /** Of a stop at a joint. */
    double stop_energy(const urd_joint &joint, double q) const;

    /** What a joint does against its motion: damping, dry friction, and its stop, which pushes and never pulls. */
    double resistance(const urd_joint &joint, double q, double v) const;
};

/** Lines, and what links look like; surfaces outlive the model. */
void urd_list_parts(urd_robot &robot, const urd_surfaces &surfaces, resida_model &model);

/** energy, then x, y, z, roll, pitch, yaw of each link, then the force at each joint that the motion takes, and the
 *  drive of each that is moved. */
void urd_list_outputs(urd_robot &robot, resida_model &model);

#endif
