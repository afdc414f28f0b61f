/* bodies.h - the links of a tree as a list, each after its parent, for the recursive Newton-Euler equations and for the
 * positions of links, in O(links). KDL's own solvers search each link by name in each call.
 *
 *     v_i = X_i^-1 v_l + S_i v,      a_i = X_i^-1 a_l + S_i a + v_i x S_i v
 *     f_i = I_i a_i + v_i x* I_i v_i + sum X_k f_k
 *
 * for link i with parent l and children k. The force at its joint is S_i . f_i (Featherstone, Rigid Body Dynamics
 * Algorithms, 2008, section 5.3). S_i is constant in the frame of the link.
 *
 * The list may be cut: a link is then replaced by two halves, each with half its mass. The first half is connected to
 * the joint of the link. The second half floats and supports the children of the link. p has the coordinates of the n
 * joints, then from n + 7 k on position and Euler parameters of half k; v has their rates:
 *
 *     x, y, z, q0, q1, q2, q3,    w = 4/|q|^2 T(q)' q'    (resida/quaternion.h)
 *
 * |q| = 1 is a constraint, so that p' = v. */
#ifndef URD_BODIES_H
#define URD_BODIES_H

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <kdl/tree.hpp>

enum { URD_HALF = 7, URD_PLACE = 3, URD_TURN = 4 }; /* numbers of coordinates of a half, its position, its rotation */

struct urd_bodies {
    struct body {
        KDL::Segment segment;
        KDL::RigidBodyInertia inertia;
        size_t parent; /**< index of the parent; 0 for the root and for floating halves */
        int q;         /**< coordinate; -1: fixed or floating */
        int half;      /**< number of the floating half; -1: not floating */
    };
    std::vector<body> list;
    std::unordered_map<std::string, size_t> places; /**< index of each link by name; of a cut link, its first half */
    std::vector<KDL::Frame> at, to;                 /**< by place(): frame of each body in the world; in its parent */
    std::vector<KDL::Twist> axis;                   /**< S_i; zero for fixed joints */
    int n_joints;                                   /**< number of coordinates of joints */
    std::vector<size_t> halves;                     /**< floating halves; the first half precedes each of them */

    /** @param[in] changed  inertias that replace those of the tree */
    urd_bodies(const KDL::Tree &tree, const std::map<std::string, KDL::RigidBodyInertia> &changed);

    /** Cut the tree at links with a mass, into pieces of about `most` joints. Return the cut tree. */
    urd_bodies cut(int most) const;

    /** Return the number of coordinates of joints and halves. */
    int n() const
    {
        return first(static_cast<int>(halves.size()));
    }

    /** Return the first coordinate of half k. */
    int first(int k) const
    {
        return n_joints + URD_HALF * k;
    }

    /** Compute `at` and `to` of all bodies. */
    void place(const double *p);

    /** Compute the generalized forces f [n] of a motion, with gravity g. */
    void inverse(const KDL::Vector &g, const double *p, const double *v, const double *a, double *f);

    /** Return the twists of the bodies, in their own frames, for x = p'. */
    const std::vector<KDL::Twist> &move(const double *p, const double *x);

    /** Set position and velocity of each floating half to those of its link in `whole`, from the last inverse()
     *  there. */
    void start_halves(const urd_bodies &whole, double *p, double *v) const;

    /** Compute the composite inertia of each body with all bodies that it supports, at the positions of the last
     *  place(). */
    void compose(std::vector<KDL::RigidBodyInertia> &composite) const;

    /** Return the kinetic energy, with the velocities of the last inverse(). */
    double kinetic() const;

    /** Return the potential energy of gravity, at the positions of the last place(). */
    double potential(const KDL::Vector &g) const;

    /** Return the angular velocity w for a rate of the Euler parameters q. */
    static KDL::Vector turn(const double *q, const double *rate);

    /** Transform a wrench from a body to the root of its piece. Call take(coordinate, work along it) at each joint on
     *  the path, and for the coordinates of a floating half at its end. */
    template <class T> void climb(const double *p, size_t i, KDL::Wrench w, const T &take) const
    {
        for (; i > 0 && list[i].half < 0; i = list[i].parent) {
            if (list[i].q >= 0) take(list[i].q, dot(axis[i], w));
            w = to[i] * w;
        }
        if (list[i].half < 0) return;
        double work[URD_HALF];
        work_on(i, p, w, work);
        for (int k = 0; k < URD_HALF; k++) take(first(list[i].half) + k, work[k]);
    }

  private:
    urd_bodies() : n_joints(0)
    {
    }
    void allocate();
    void work_on(size_t i, const double *p, const KDL::Wrench &w, double *out) const;
    void gather(const double *p, double *f);
    KDL::Twist twist(size_t i, const double *p, const double *x) const;
    void drift(size_t i, const KDL::Vector &g, const double *p, const double *v, const double *a);
    std::vector<double> placed; /* p at the last place() */
    std::vector<KDL::Twist> rate, change;
    std::vector<KDL::Wrench> force;
};

#endif
