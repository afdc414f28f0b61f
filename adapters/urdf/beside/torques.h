/* torques.h - torques and forces of joints over time, from a CSV file
 *
 *     t,shoulder,elbow
 *     0,0,1
 *     1,5,1         linear between rows;
 *     1,0,1         two rows with the same time are a jump, which separates two pieces of the file
 *
 * Before the first row and after the last row the values are constant. */
#ifndef URD_TORQUES_H
#define URD_TORQUES_H

#include "table.h"

struct urd_torques : urd_series {
    std::vector<size_t> first; /**< [pieces] first row of each piece */
    std::vector<double> state; /**< [joints + 1] values that replace those of the file, NAN: none; the current piece,
                                    changed by events of the model */

    /** Set the piece that applies from a time on. */
    void enter(double time);

    /** Return the time of the next piece after a time, or INFINITY if there is none. */
    double next(double time) const;

    /** Compute values and rates [joints] of the current piece at a time. */
    void at(double time, double *value, double *rate) const;
};

/** Read a file. @throws std::runtime_error, one line with the reason and the line number */
urd_torques urd_read_torques(const std::string &path);

#endif
