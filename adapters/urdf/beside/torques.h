/* torques.h - torques and forces of joints over time, of a CSV file
 *
 *     t,shoulder,elbow
 *     0,0,1
 *     1,5,1         lines from row to row;
 *     1,0,1         two rows of one time are a jump, which parts the file into pieces
 *
 * Before the first row and behind the last one they keep their values. */
#ifndef URD_TORQUES_H
#define URD_TORQUES_H

#include <string>
#include <vector>

struct urd_torques {
    std::vector<std::string> joints;    /**< their names */
    std::vector<double> t;              /**< [rows], not falling */
    std::vector<std::vector<double>> x; /**< [joints][rows] */
    std::vector<size_t> first;          /**< [pieces] row that each begins with */
    size_t piece;                       /**< the one that holds now, which events of the model change */

    /** The piece that holds from a time on. */
    void enter(double time);

    /** Time of the next piece behind a time; INFINITY: there is none. */
    double next(double time) const;

    /** Values and rates [joints] of the piece at a time. */
    void at(double time, double *value, double *rate) const;
};

/** @throws std::runtime_error, one line: what is wrong, and in which line */
urd_torques urd_read_torques(const std::string &path);

#endif
