/* loops.h - closed loops of a tree, from a CSV file: a point of link a coincides with a point of link b, along some of
 * the axes of link a; or a rod keeps their distance; or a weld connects the links.
 *
 *     link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along,length
 *     crank,0,0,-0.1,rod,0,0,0,xz,
 *     crank,0,0,-0.1,slide,0,0,0,rod,0.4
 *
 * "xyz" is a spherical joint; "xz" closes a planar loop whose joints rotate about y; "weld" is "xyz" and a fixed
 * relative orientation. The column `length` is optional. Axes and points are those of the frames of the links, as for
 * the visuals in the description. */
#ifndef URD_LOOPS_H
#define URD_LOOPS_H

#include <cmath>
#include <string>
#include <vector>

#include <kdl/frames.hpp>
#include <kdl/tree.hpp>

enum { URD_ROD = 3 }; /* the direction from point a to point b */

/** Coincident points of two links along some axes of link a, or points at a constant distance (URD_ROD). */
struct urd_loop {
    std::string a, b; /**< segments of the tree */
    KDL::Vector at_a, at_b;
    std::vector<int> axes; /**< axes of a: 0, 1, 2; or URD_ROD */
    bool is_rigid;         /**< 1: a weld: the relative orientation is `rest`, too */
    double length;         /**< of a rod; NaN: that of the start */
    KDL::Rotation rest;    /**< R_a' R_b of a weld, that of the start */
    std::string name;      /**< "crank-rod" */

    size_t n_rows() const
    {
        return axes.size() + (is_rigid ? 3 : 0);
    }
};

/** Read a file.
 *  @param[in] tree  contains the links
 *  @throws std::runtime_error, one line with the reason and the line number */
std::vector<urd_loop> urd_read_loops(const std::string &path, const KDL::Tree &tree);

#endif
