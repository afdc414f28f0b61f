/* colouring_colpack.h - the one door to ColPack (C++). */
#ifndef RSD_COLOURING_COLPACK_H
#define RSD_COLOURING_COLPACK_H

#include <resida/status.h>

#ifdef __cplusplus
#define RSD_NOEXCEPT noexcept
extern "C" {
#else
#define RSD_NOEXCEPT
#endif

/** In which order ColPack's greedy colouring takes the columns. Not by size: that order of ColPack loses columns. */
typedef enum rsd_colpack_order {
    RSD_COLPACK_NATURAL,
    RSD_COLPACK_SMALLEST_LAST,
    RSD_COLPACK_INCIDENCE_DEGREE,
    RSD_COLPACK_DYNAMIC_LARGEST_FIRST
} rsd_colpack_order;

/** A distance-2 colouring of the columns, serial. Prints nothing, never throws, depends on its arguments alone; the
 *  caller verifies the result. Its memory comes from operator new and is all given back.
 *  @param[in]  rows, cols  > 0; no column may be empty
 *  @param[in]  row_start   [rows + 1]
 *  @param[in]  col         [row_start[rows]], at most INT_MAX / 2 entries
 *  @param[out] group       [cols] colours >= 0, untouched after a failure
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (a size that ColPack must not see); RESIDA_ERR_MEMORY; RESIDA_ERR_INTERNAL
 *          (ColPack threw, or a result of it has the wrong length) */
resida_status rsd_colpack_colour(rsd_colpack_order order, int rows, int cols, const int *row_start, const int *col,
                                 int *group) RSD_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
