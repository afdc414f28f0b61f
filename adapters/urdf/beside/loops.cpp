/* loops.cpp - see loops.h. */
#include "loops.h"

#include <algorithm>
#include <stdexcept>

#include "table.h"

namespace {

const std::vector<std::string> columns = {"link_a", "x_a", "y_a", "z_a",   "link_b",
                                          "x_b",    "y_b", "z_b", "along", "length"};
enum { LINK_A = 0, POINT_A = 1, LINK_B = 4, POINT_B = 5, ALONG = 8, LENGTH = 9 };

std::string read_link(const urd_table::row &row, size_t column, const KDL::Tree &tree)
{
    const std::string &name = row.fields[column];
    if (tree.getSegments().count(name) == 0) throw std::runtime_error(row.where + ": there is no link " + name);
    return name;
}

/* Throw if a rod or weld connects two links that a joint connects. */
void check_joint(const urd_loop &loop, const urd_table::row &row, const KDL::Tree &tree)
{
    if (loop.axes[0] != URD_ROD && !loop.is_rigid) return;
    for (const std::string &child : {loop.a, loop.b}) {
        const KDL::SegmentMap::const_iterator segment = tree.getSegment(child), parent = segment->second.parent;
        if (segment == tree.getRootSegment() || parent->first != (child == loop.a ? loop.b : loop.a)) continue;
        throw std::runtime_error(row.where + ": joint " + segment->second.segment.getJoint().getName() +
                                 " already joins " + loop.a + " and " + loop.b +
                                 "; to lock it, give it the type fixed");
    }
}

KDL::Vector read_point(const urd_table &table, const urd_table::row &row, size_t column)
{
    return {urd_number(table, row, column), urd_number(table, row, column + 1), urd_number(table, row, column + 2)};
}

std::vector<int> read_axes(const urd_table::row &row)
{
    const std::string all = "xyz", &letters = row.fields[ALONG];
    if (letters == "rod") return {URD_ROD};
    if (letters == "weld") return {0, 1, 2};
    std::vector<int> axes;
    for (size_t k = 0; k < all.size(); k++)
        if (letters.find(all[k]) != std::string::npos) axes.push_back(static_cast<int>(k));
    if (axes.empty() || axes.size() != letters.size() || letters.find_first_not_of(all) != std::string::npos)
        throw std::runtime_error(row.where + ": along = \"" + letters +
                                 "\" must consist of x, y, z, or be rod or weld");
    return axes;
}

double read_length(const urd_table &table, const urd_table::row &row, bool is_rod)
{
    if (table.columns.size() <= LENGTH || row.fields[LENGTH].empty()) return NAN;
    if (!is_rod) throw std::runtime_error(row.where + ": length is not empty, but along is not rod");
    const double length = urd_number(table, row, LENGTH);
    if (!(length > 0)) throw std::runtime_error(row.where + ": length must be greater than 0");
    return length;
}

} // namespace

std::vector<urd_loop> urd_read_loops(const std::string &path, const KDL::Tree &tree)
{
    const urd_table table = urd_read_table(path);
    if (table.columns != columns &&
        table.columns != std::vector<std::string>(columns.begin(), columns.begin() + LENGTH))
        throw std::runtime_error(path + ": the first line must be link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along, and "
                                        "optionally ,length");
    std::vector<urd_loop> loops;
    for (const urd_table::row &row : table.rows) {
        urd_loop loop;
        loop.a = read_link(row, LINK_A, tree);
        loop.b = read_link(row, LINK_B, tree);
        if (loop.a == loop.b) throw std::runtime_error(row.where + ": link " + loop.a + " twice");
        loop.at_a = read_point(table, row, POINT_A);
        loop.at_b = read_point(table, row, POINT_B);
        loop.axes = read_axes(row);
        loop.is_rigid = row.fields[ALONG] == "weld";
        check_joint(loop, row, tree);
        loop.length = read_length(table, row, loop.axes[0] == URD_ROD);
        loop.name = loop.a + "-" + loop.b;
        const auto is_same = [&](const urd_loop &x) { return x.a == loop.a && x.b == loop.b; };
        const auto others = std::count_if(loops.begin(), loops.end(), is_same);
        if (others > 0) loop.name += "_" + std::to_string(others + 1);
        loops.push_back(loop);
    }
    if (loops.empty()) throw std::runtime_error(path + " closes no loop");
    return loops;
}
