/* bodies.h - the links of a tree as a list, each behind the one that it hangs on, for the recursive Newton-Euler
 * equations and for where links are, in O(links). KDL's own solvers look each link up by its name in each call.
 *
 *     v_i = X_i^-1 v_l + S_i v,      a_i = X_i^-1 a_l + S_i a + v_i x S_i v
 *     f_i = I_i a_i + v_i x* I_i v_i + sum X_k f_k
 *
 * of link i on link l with k on it; the force at its joint is S_i . f_i (Featherstone, Rigid Body Dynamics Algorithms,
 * 2008, section 5.3). S_i is constant in the frame of the link.
 *
 * The list may be cut: a link is two halves then, each with half its mass. The upper one is on its joint, the lower one
 * floats, with all that hangs on the link. Behind the n joints p has the place and the Euler parameters of half k, from
 * n + 7 k on, and v their rates:
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

enum { URD_HALF = 7, URD_PLACE = 3, URD_TURN = 4 }; /* coordinates of a half: of its place, then of its turn */

struct urd_bodies {
    struct body {
        KDL::Segment segment;
        KDL::RigidBodyInertia inertia;
        size_t parent; /**< its place in the list; of the first, the root, and of those that float 0 */
        int q;         /**< coordinate; -1: fixed, or floats */
        int half;      /**< its number of those that float; -1: it does not */
    };
    std::vector<body> list;
    std::unordered_map<std::string, size_t> places; /**< by the names of links; of one that is cut, the upper half */
    std::vector<KDL::Frame> at, to;                 /**< of place(): where a body is, and where on the one before */
    std::vector<KDL::Twist> axis;                   /**< S_i; zero where it is fixed */
    int n_joints;                                   /**< coordinates of joints */
    std::vector<size_t> halves;                     /**< those that float; the upper one of each is just before it */

    /** @param[in] changed  inertias of links in the place of the tree's */
    urd_bodies(const KDL::Tree &tree, const std::map<std::string, KDL::RigidBodyInertia> &changed);

    /** The same, cut at links with a mass so that no piece has many more joints than `most`. */
    urd_bodies cut(int most) const;

    /** Coordinates: of joints, then of halves. */
    int n() const;

    /** Of half k. */
    int first(int k) const
    {
        return n_joints + URD_HALF * k;
    }

    /** at and to, of all bodies. */
    void place(const double *p);

    /** f: forces along v that a motion takes, against gravity g. */
    void inverse(const KDL::Vector &g, const double *p, const double *v, const double *a, double *f);

    /** Velocities of the bodies, in their own axes, where x = p'. */
    const std::vector<KDL::Twist> &move(const double *p, const double *x);

    /** out [n]: work along p of a wrench on each body, in its own axes; `on` is changed. */
    void work(const double *p, std::vector<KDL::Wrench> &on, double *out);

    /** Place and velocity of each half that floats: that of its link in `whole`, of the last inverse() there. */
    void start_halves(const urd_bodies &whole, double *p, double *v) const;

    /** Inertias of bodies with all that hangs on them, as they were placed last. */
    void compose(std::vector<KDL::RigidBodyInertia> &composite) const;

    /** Of the velocities of the last inverse(). */
    double kinetic() const;

    /** Of gravity, by the places of the last place(). */
    double potential(const KDL::Vector &g) const;

    /** w of a rate of the Euler parameters q. */
    static KDL::Vector turn(const double *q, const double *rate);

    /** Take a wrench from a body to the root of its piece, and call take(coordinate, work along it) at each joint on
     *  the way. @return the root */
    template <class T> size_t climb(size_t i, KDL::Wrench &w, const T &take) const
    {
        for (; i > 0 && list[i].half < 0; i = list[i].parent) {
            if (list[i].q >= 0) take(list[i].q, dot(axis[i], w));
            w = to[i] * w;
        }
        return i;
    }

    /** The same with the coordinates of a half that floats at the end. */
    template <class T> void climb_all(const double *p, size_t i, KDL::Wrench w, const T &take) const
    {
        const size_t root = climb(i, w, take);
        if (list[root].half < 0) return;
        double work[URD_HALF];
        work_on(root, p, w, work);
        for (int k = 0; k < URD_HALF; k++) take(first(list[root].half) + k, work[k]);
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
    std::vector<double> placed; /* p of at and to */
    std::vector<KDL::Twist> rate, change;
    std::vector<KDL::Wrench> force;
};

#endif
