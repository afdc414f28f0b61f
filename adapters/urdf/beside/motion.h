/* motion.h - prescribed motion of joints: their coordinates over time, from a CSV file
 *
 *     t,shoulder,elbow
 *     0,0.1,0
 *     0.5,0.2,0.3
 *
 * Between the times each coordinate is a natural cubic spline: u, du/dt and d2u/dt2 are continuous. Before the first
 * time and after the last time the speed is constant. d3u/dt3 jumps at the times, and so does the slope of the forces.
 * The polynomial of a step with both sides in its history cannot represent this. */
#ifndef URD_MOTION_H
#define URD_MOTION_H

#include "table.h"

struct urd_motion : urd_series {
    std::vector<std::vector<double>> bending; /**< [joints][times] second derivatives */
    std::vector<double> kinks;                /**< times at which d3u/dt3 has a significant jump */

    /** Compute u, ud, udd [joints] at a time. */
    void at(double time, double *value, double *rate, double *second) const;
};

/** Read a file. @throws std::runtime_error, one line with the reason and the line number */
urd_motion urd_read_motion(const std::string &path);

#endif
