/* lanes.h - loops over vectors in whole lanes of four doubles, which compilers translate to vector instructions of any
 * width. A sum has one partial sum for each position in a lane, so its bits do not depend on that width. */
#ifndef RSD_LANES_H
#define RSD_LANES_H

/** Attribute of a function that is compiled twice, for AVX2 and for the default processor. The version is chosen when
 *  the library is loaded. Both give the same bits, because fused multiplications are not used. */
#ifdef RSD_HAVE_CLONES
#define RSD_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RSD_WIDE
#endif

/** Attribute of a static function that is inlined into RSD_WIDE functions and uses their registers. */
#ifdef __GNUC__
#define RSD_PART __attribute__((always_inline)) inline
#else
#define RSD_PART inline
#endif

/** Allow vectorisation of a loop in which each written element depends only on elements with the same index. */
#ifdef __clang__
#define RSD_ELEMENTWISE _Pragma("clang loop vectorize(assume_safety)")
#elif defined __GNUC__
#define RSD_ELEMENTWISE _Pragma("GCC ivdep")
#else
#define RSD_ELEMENTWISE
#endif

enum { RSD_LANE = 4 }; /* number of doubles in a lane (vector register) */

/** Round a length n up, and an index i down, to a multiple of RSD_LANE. */
static inline int rsd_round_up_to_lane(int n)
{
    return (n + RSD_LANE - 1) & ~(RSD_LANE - 1);
}

static inline int rsd_round_down_to_lane(int i)
{
    return i & ~(RSD_LANE - 1);
}

/** Four doubles at any address that are processed at once. RSD_LANE_AT(x) is the lane that begins at x. */
typedef double rsd_lane __attribute__((vector_size(RSD_LANE * sizeof(double)), aligned(sizeof(double)), may_alias));
#define RSD_LANE_AT(x) (*(const rsd_lane *)(x))

/** Mask of a lane: all bits of a selected element are 1, and those of other elements are 0. */
typedef long long rsd_lane_mask __attribute__((vector_size(RSD_LANE * sizeof(long long)), aligned(sizeof(double))));

/** Compute y -= c x for vectors of n elements; n must be a multiple of RSD_LANE. */
static inline void rsd_lanes_subtract(int n, double c, const double *__restrict x, double *__restrict y)
{
    for (int i = 0; i < n; i += RSD_LANE) *(rsd_lane *)(y + i) -= c * RSD_LANE_AT(x + i);
}

/** Return the sum of the four elements of a lane. */
static inline double rsd_sum_lane(const rsd_lane *sum)
{
    return ((*sum)[0] + (*sum)[1]) + ((*sum)[2] + (*sum)[3]);
}

#endif
