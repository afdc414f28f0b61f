/* bodies.h - the links of a tree as a list, each behind the one that it hangs on, for the recursive Newton-Euler
 * equations and for where links are, in O(links). KDL's own solvers look each link up by its name in each call.
 *
 *     v_i = X_i^-1 v_l + S_i v,      a_i = X_i^-1 a_l + S_i a + v_i x S_i v
 *     f_i = I_i a_i + v_i x* I_i v_i + sum X_k f_k
 *
 * of link i on link l with k on it; the force at its joint is S_i . f_i (Featherstone, Rigid Body Dynamics Algorithms,
 * 2008, section 5.3). */
#ifndef URD_BODIES_H
#define URD_BODIES_H

#include <string>
#include <unordered_map>
#include <vector>

#include <kdl/tree.hpp>

struct urd_bodies {
    struct body {
        KDL::Segment segment;
        size_t parent; /**< its place in the list; of the first, the root, 0 */
        int q;         /**< coordinate; -1: fixed */
    };
    std::vector<body> list;
    std::unordered_map<std::string, size_t> places; /**< by the names of links */
    std::vector<KDL::Frame> at;                     /**< of place(): where each link is */

    explicit urd_bodies(const KDL::Tree &tree);

    /** at, of all links. */
    void place(const double *q);

    /** f: forces at the joints that a motion takes, against gravity g along -z. */
    void inverse(double g, const double *q, const double *v, const double *a, double *f);

    /** Of the velocities of the last inverse(). */
    double kinetic() const;

    /** Of gravity, by the places of the last place(). */
    double potential(double g) const;

  private:
    std::vector<KDL::Frame> to; /* from a link to the one that it hangs on */
    std::vector<KDL::Twist> axis, rate, change;
    std::vector<KDL::Wrench> force;
};

#endif
