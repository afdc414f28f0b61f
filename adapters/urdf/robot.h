/* robot.h - a model of a robot: its bodies, the forces at its joints, its outputs. */
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

/** A point of a body. */
struct urd_point {
    size_t body;
    KDL::Vector at;
};

/** A loop, or the halves of a link, with the bodies that it connects: indices in the bodies of `pieces`. */
struct urd_tie : urd_loop {
    size_t body_a, body_b;
};

/** Use of the limits. */
enum { URD_NO_LIMITS, URD_EVENTS, URD_HOLD, URD_REBOUNDS };

/** Kinds of ground. */
enum { URD_NO_GROUND, URD_ELASTIC, URD_RIGID };

/** A limit of a joint. */
struct urd_limit {
    std::string name; /**< "JOINT.lower", "JOINT.upper" */
    int q;            /**< coordinate */
    double side, at;  /**< 1: lower, -1: upper; value of the limit */

    double gap(const double *p) const
    {
        return side * (p[q] - at);
    }
};

struct urd_robot {
    urd_arm arm;
    bool is_free;      /**< the first URD_BASE joints are those of the root */
    urd_bodies bodies; /**< the whole tree, for outputs and drawings */
    urd_pieces pieces; /**< the tree after cutting, for the equations; the whole tree if it is not cut */
    KDL::Vector gravity;
    double smoothing, stiffness, damping;         /**< v_s; stops: [N m/rad], [N m s/rad]; [N/m], [N s/m] */
    std::vector<double> p0, v0;                   /**< [joints], then [halves] (bodies.h) */
    std::vector<double> zeros, forces;            /**< [joints] */
    std::vector<std::string> speed_texts;         /**< "JOINT.v", the name of its parameter */
    std::vector<std::string> half_texts;          /**< coordinates of halves */
    std::vector<const char *> names, speed_names; /**< of p, v */
    std::vector<const char *> units;              /**< of p */
    std::vector<resida_part> parts;
    std::vector<resida_mesh> meshes;
    std::vector<std::string> part_names;
    std::vector<double> part_colours;                                   /**< [3 parts] */
    std::vector<urd_point> points;                                      /**< of all parts */
    int has_limits;                                                     /**< use of the limits, see above */
    std::vector<urd_limit> limits;                                      /**< root functions, in their order */
    int ground;                                                         /**< kind of ground, see above */
    double ground_z, ground_stiffness, ground_damping, ground_friction; /**< [m], [N/m], [N s/m], mu */
    std::vector<urd_sphere> spheres;        /**< that can touch the ground; root functions after the limits */
    std::vector<std::string> slide_texts;   /**< of friction on a rigid ground: held limits, then spheres */
    std::vector<double> restitution, grips; /**< [contacts] e, mu */
    std::vector<const char *> root_names;   /**< of limits and spheres */
    resida_model_contacts contacts;
    urd_motion motion;
    std::vector<int> moved; /**< coordinates of the joints with prescribed motion, in the order of the file */
    urd_torques torques;
    std::vector<int> pushed;         /**< coordinates of the joints with torques, in the order of the file */
    std::vector<double> breakpoints; /**< times of both files */
    std::vector<urd_loop> loops;
    std::vector<urd_tie> ties;
    urd_places G, Gh;
    std::vector<std::string> constraint_texts;
    std::vector<const char *> constraint_names;
    /** Of the joints with prescribed motion, then of those with torques. */
    std::vector<const char *> excitation_names, excitation_units;
    std::vector<std::string> output_texts;
    std::vector<const char *> output_names, output_units;
    char warning[RESIDA_MESSAGE_SIZE]; /**< of the last output */
    std::vector<size_t> output_bodies; /**< bodies that are links of the description */

    /** @param[in] cut  number of joints of a piece (bodies.h); 0: the tree is not cut */
    urd_robot(urd_arm made, bool has_free_base, int cut);

    /** Return the limits whose gaps are constraints. */
    const std::vector<urd_limit> &held() const
    {
        static const std::vector<urd_limit> none;
        return has_limits == URD_HOLD ? limits : none;
    }

    /** Return the number of constraints before those of spheres on a rigid ground. */
    size_t n_before_spheres() const
    {
        return moved.size() + arm.mimics.size() + held().size();
    }

    /** Return 1 if p is beyond the limit by more than rounding. */
    bool is_beyond(const urd_limit &limit, const double *p) const;

    /** Return a message with this verb, such as "elbow is at 3, beyond elbow.upper = 2". */
    std::string where(const urd_limit &limit, const double *p, const char *verb) const;

    /** Return the resisting force of a joint: damping, dry friction, and its stop, which never pulls. */
    double resistance(const urd_joint &joint, double q, double v) const;
};

/** List lines and the shapes of links for drawing. The surfaces must exist as long as the model. */
void urd_list_parts(urd_robot &robot, const urd_surfaces &surfaces, resida_model &model);

/** List the outputs: energy; x, y, z, roll, pitch, yaw of each link, velocity of its origin and angular velocity in the
 *  axes of the world; the force at each joint from inverse dynamics; the drive force of each joint with prescribed
 *  motion. */
void urd_list_outputs(urd_robot &robot, resida_model &model);

#endif
