/* curve.h - work as a function of error for one method, from runs at a series of tolerances. */
#ifndef CMD_CURVE_H
#define CMD_CURVE_H

/** Error and work of a run; NaN: unknown. */
typedef struct cmd_point {
    double error, work;
} cmd_point;

/** Keep the runs whose error is larger than that of every run at a tighter tolerance. Their work is the minimum over
 *  the run and all tighter runs.
 *  @param[in,out] points [n] ordered by decreasing tolerance; the remaining points come first, in the same order
 *  @return number of remaining points */
int cmd_curve_hull(cmd_point *points, int n);

/** Interpolate the work at an error linearly in logarithms.
 *  @param[in] hull [n] result of cmd_curve_hull()
 *  @return NaN outside the range of the hull */
double cmd_curve_work(const cmd_point *hull, int n, double error);

#endif
