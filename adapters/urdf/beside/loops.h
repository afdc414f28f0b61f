/* loops.h - what closes loops of a tree, of a CSV file: a point of link a and one of link b are one, along some of the
 * axes of link a.
 *
 *     link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along
 *     crank,0,0,-0.1,rod,0,0,0,xz
 *
 * "xyz" is a ball; "xz" closes a loop that turns about y. Axes and points are those of the frames of links, in which
 * the description gives its visuals. */
#ifndef URD_LOOPS_H
#define URD_LOOPS_H

#include <string>
#include <vector>

#include <kdl/frames.hpp>
#include <kdl/tree.hpp>

struct urd_loop {
    std::string a, b; /**< segments of the tree */
    KDL::Vector at_a, at_b;
    std::vector<int> axes; /**< of a: 0, 1, 2 */
    std::string name;      /**< "crank-rod" */
};

/** @param[in] tree  has the links
 *  @throws std::runtime_error, one line: what is wrong, and in which line */
std::vector<urd_loop> urd_read_loops(const std::string &path, const KDL::Tree &tree);

#endif
