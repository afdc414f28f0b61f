/* motion.h - joints that are moved: their coordinates over time, of a CSV file
 *
 *     t,shoulder,elbow
 *     0,0.1,0
 *     0.5,0.2,0.3
 *
 * Between the times each is a natural cubic spline: u, du/dt and d2u/dt2 are continuous. Before the first time and
 * behind the last one a joint goes on at the speed that it has there. d3u/dt3 jumps at the times, and with it the slope
 * of forces: the polynomial of a step that has both sides in its history misses them. */
#ifndef URD_MOTION_H
#define URD_MOTION_H

#include <string>
#include <vector>

struct urd_motion {
    std::vector<std::string> joints;             /**< their names */
    std::vector<double> t;                       /**< [times], rising */
    std::vector<std::vector<double>> u, bending; /**< [joints][times]: values, and second derivatives */
    std::vector<double> kinks;                   /**< those of the times at which d3u/dt3 jumps by much */

    /** u, ud, udd [joints] at a time. */
    void at(double time, double *value, double *rate, double *second) const;
};

/** @throws std::runtime_error, one line: what is wrong, and in which line */
urd_motion urd_read_motion(const std::string &path);

#endif
