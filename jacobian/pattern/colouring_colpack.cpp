/* colouring_colpack.cpp - ColPack's partial distance-2 colouring of the columns of a bipartite graph (Gebremedhin,
 * Nguyen, Patwary, Pothen: ColPack: Software for graph coloring and related problems in scientific computing). Only
 * this file uses ColPack.
 *
 * Defects of ColPack, and how this file avoids each of them:
 *   - it calls exit if it reads, writes or converts files, and in other kinds of colourings: only a graph in memory
 *     and this one colouring are used;
 *   - it prints if the name of an ordering or of an input is unknown: orderings are called as functions, not by name,
 *     and the constructor without arguments is used;
 *   - its default functions may run under OpenMP and then give different colours each time: only serial functions are
 *     used;
 *   - its largest-first order can leave columns out, and the colouring then reads past the end of the order: this
 *     order is not used, and every order is checked before the colouring reads it;
 *   - a second colouring of one graph returns the first one: every call builds its own graph;
 *   - the graph is built from rows in ADOL-C's form, because the reader of CSR counts one column too many;
 *   - edges are stored twice and counted by int: at most INT_MAX / 2 entries are allowed. */
#include "colouring_colpack.h"

#include <algorithm>
#include <climits>
#include <new>
#include <vector>

#include <ColPack/ColPackHeaders.h>

namespace {

typedef ColPack::BipartiteGraphPartialColoring graph;

/* Build the graph from rows in ADOL-C's form: each row begins with its number of columns, followed by the columns. */
void build(graph &g, int rows, int cols, const int *row_start, const int *col)
{
    std::vector<unsigned int> entries(static_cast<std::size_t>(row_start[rows]) + static_cast<std::size_t>(rows));
    std::vector<unsigned int *> row(static_cast<std::size_t>(rows));
    unsigned int *at = entries.data();
    for (int i = 0; i < rows; i++) {
        row[static_cast<std::size_t>(i)] = at;
        *at++ = static_cast<unsigned int>(row_start[i + 1] - row_start[i]);
        at = std::copy(col + row_start[i], col + row_start[i + 1], at);
    }
    g.BuildBPGraphFromRowCompressedFormat(row.data(), rows, cols);
}

void take_order(graph &g, rsd_colpack_order order)
{
    switch (order) {
    case RSD_COLPACK_NATURAL:
        g.ColumnNaturalOrdering();
        break;
    case RSD_COLPACK_SMALLEST_LAST:
        g.ColumnSmallestLastOrdering_serial();
        break;
    case RSD_COLPACK_INCIDENCE_DEGREE:
        g.ColumnIncidenceDegreeOrdering();
        break;
    case RSD_COLPACK_DYNAMIC_LARGEST_FIRST:
        g.ColumnDynamicLargestFirstOrdering();
        break;
    }
}

/* Returns true if the order contains every column once. ColPack numbers columns after the last row. */
bool order_is_complete(graph &g, int rows, int cols)
{
    std::vector<int> order;
    g.GetOrderedVertices(order);
    if (order.size() != static_cast<std::size_t>(cols)) return false;
    std::vector<bool> seen(order.size());
    for (int vertex : order) {
        if (vertex < rows || vertex - rows >= cols || seen[static_cast<std::size_t>(vertex - rows)]) return false;
        seen[static_cast<std::size_t>(vertex - rows)] = true;
    }
    return true;
}

resida_status colour(rsd_colpack_order order, int rows, int cols, const int *row_start, const int *col, int *group)
{
    graph g;
    build(g, rows, cols, row_start, col);
    take_order(g, order);
    if (!order_is_complete(g, rows, cols)) return RESIDA_ERR_INTERNAL;
    g.PartialDistanceTwoColumnColoring_serial();
    std::vector<int> colours;
    g.GetRightVertexColors(colours);
    if (colours.size() != static_cast<std::size_t>(cols)) return RESIDA_ERR_INTERNAL;
    std::copy(colours.begin(), colours.end(), group);
    return RESIDA_OK;
}

} // namespace

extern "C" resida_status rsd_colpack_colour(rsd_colpack_order order, int rows, int cols, const int *row_start,
                                            const int *col, int *group) noexcept
{
    if (rows < 1 || cols < 1 || rows > INT_MAX - cols) return RESIDA_ERR_ARGUMENT;
    if (row_start[rows] < 1 || row_start[rows] > INT_MAX / 2) return RESIDA_ERR_ARGUMENT;
    try {
        return colour(order, rows, cols, row_start, col, group);
    } catch (const std::bad_alloc &) {
        return RESIDA_ERR_MEMORY;
    } catch (...) {
        return RESIDA_ERR_INTERNAL;
    }
}
