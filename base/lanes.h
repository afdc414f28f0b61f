/* lanes.h - loops over vectors of whole lanes, four doubles each, which compilers turn into vector instructions of any
 * width. A sum has one partial sum for each place in a lane, so its bits do not depend on that width. */
#ifndef RSD_LANES_H
#define RSD_LANES_H

/** Of a static function: compiled once more for machines with wider vectors, chosen when the library is loaded. No
 *  fused multiplications: the bits are the same. (Of one that is not static, compilers export the choice.) */
#ifdef RSD_HAVE_CLONES
#define RSD_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RSD_WIDE
#endif

/** Of a static function that is a part of wide ones, and is compiled with them. */
#ifdef __GNUC__
#define RSD_PART __attribute__((always_inline)) inline
#else
#define RSD_PART inline
#endif

/** Before a loop in which an element of what is written depends on elements of the same place alone. */
#ifdef __clang__
#define RSD_ELEMENTWISE _Pragma("clang loop vectorize(assume_safety)")
#elif defined __GNUC__
#define RSD_ELEMENTWISE _Pragma("GCC ivdep")
#else
#define RSD_ELEMENTWISE
#endif

enum { RSD_LANE = 4 };

/** n rounded up to whole lanes; where the lane of component i begins. */
static inline int rsd_whole_lanes(int n)
{
    return (n + RSD_LANE - 1) & ~(RSD_LANE - 1);
}

static inline int rsd_lane_of(int i)
{
    return i & ~(RSD_LANE - 1);
}

/** Four doubles anywhere in memory, with which compilers calculate at once; and those at x. */
typedef double rsd_lane __attribute__((vector_size(RSD_LANE * sizeof(double)), aligned(sizeof(double)), may_alias));
#define RSD_LANE_AT(x) (*(const rsd_lane *)(x))

/** y -= c x, n a multiple of a lane. */
static inline void rsd_lanes_subtract(int n, double c, const double *__restrict x, double *__restrict y)
{
    for (int i = 0; i < n; i += RSD_LANE) *(rsd_lane *)(y + i) -= c * RSD_LANE_AT(x + i);
}

/** The sum over a lane. */
static inline double rsd_lane_sum(const rsd_lane *sum)
{
    return ((*sum)[0] + (*sum)[1]) + ((*sum)[2] + (*sum)[3]);
}

#endif
