/* loops.h - closed loops of a tree, from a CSV file: a point of link a coincides with a point of link b, along some of
 * the axes of link a.
 *
 *     link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along
 *     crank,0,0,-0.1,rod,0,0,0,xz
 *
 * "xyz" is a spherical joint; "xz" closes a planar loop whose joints rotate about y. Axes and points are those of the
 * frames of the links, as for the visuals in the description. */
#ifndef URD_LOOPS_H
#define URD_LOOPS_H

#include <string>
#include <vector>

#include <kdl/frames.hpp>
#include <kdl/tree.hpp>

struct urd_loop {
    std::string a, b; /**< segments of the tree */
    KDL::Vector at_a, at_b;
    std::vector<int> axes; /**< axes of a: 0, 1, 2 */
    std::string name;      /**< "crank-rod" */
};

/** Read a file.
 *  @param[in] tree  contains the links
 *  @throws std::runtime_error, one line with the reason and the line number */
std::vector<urd_loop> urd_read_loops(const std::string &path, const KDL::Tree &tree);

#endif
