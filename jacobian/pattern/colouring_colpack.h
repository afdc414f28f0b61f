/* colouring_colpack.h - the interface to ColPack (C++). */
#ifndef RSD_COLOURING_COLPACK_H
#define RSD_COLOURING_COLPACK_H

#include <resida/status.h>

#ifdef __cplusplus
#define RSD_NOEXCEPT noexcept
extern "C" {
#else
#define RSD_NOEXCEPT
#endif

/** The order in which ColPack's greedy colouring visits the columns. ColPack's largest-first order is not offered,
 *  because it can leave columns out. */
typedef enum rsd_colpack_order {
    RSD_COLPACK_NATURAL,
    RSD_COLPACK_SMALLEST_LAST,
    RSD_COLPACK_INCIDENCE_DEGREE,
    RSD_COLPACK_DYNAMIC_LARGEST_FIRST
} rsd_colpack_order;

/** Compute a distance-2 colouring of the columns, serially. Nothing is printed or thrown, and the result depends on the
 *  arguments alone. The caller must verify it. Memory is from operator new, and freed on return.
 *  @param[in]  rows, cols  > 0; no column may be empty
 *  @param[in]  row_start   [rows + 1]
 *  @param[in]  col         [row_start[rows]], at most INT_MAX / 2 entries
 *  @param[out] group       [cols] colours >= 0, unchanged after a failure
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (a size that ColPack does not support); RESIDA_ERR_MEMORY;
 *          RESIDA_ERR_INTERNAL (ColPack threw, or its result has the wrong length) */
resida_status rsd_colpack_colour(rsd_colpack_order order, int rows, int cols, const int *row_start, const int *col,
                                 int *group) RSD_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
