/* colouring_colpack.cpp - ColPack's partial distance-2 colouring of the columns of a bipartite graph (Gebremedhin,
 * Nguyen, Patwary, Pothen: ColPack: Software for graph coloring and related problems in scientific computing). The
 * only C++ file of the library, and the only one that sees ColPack.
 *
 * Defects of ColPack that are avoided:
 *   - it calls exit where it reads, writes or converts files, and in colourings of other kinds: only a graph in memory
 *     and this one colouring are used;
 *   - it prints where an ordering or a kind of input has a name that it does not know: orderings are called as
 *     functions, never by name, and the constructor without arguments is used;
 *   - its default entry points may run under OpenMP and then colour differently each time: only what is serial;
 *   - its largest-first order leaves columns out now and then, and the colouring then reads past the order's end: that
 *     order is not used, and every order is checked before the colouring reads it;
 *   - a second colouring of one graph returns the first one: every call makes its own graph;
 *   - the graph is read from rows in ADOL-C's form, because its reader of CSR counts one column too many;
 *   - edges are kept twice and counted by int: at most INT_MAX / 2 entries. */
#include "colouring_colpack.h"

#include <algorithm>
#include <climits>
#include <new>
#include <vector>

#include <ColPack/ColPackHeaders.h>

namespace {

typedef ColPack::BipartiteGraphPartialColoring graph;

/* Rows in ADOL-C's form: each one how many columns it has, then the columns. */
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

/* Does the order hold every column once? ColPack counts columns on from the last row. */
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
