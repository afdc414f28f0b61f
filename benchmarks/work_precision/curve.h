/* curve.h - work over error of one method, from runs at a series of tolerances. */
#ifndef CMD_CURVE_H
#define CMD_CURVE_H

/** A run: its error, and what it cost. One that is not known is NaN. */
typedef struct cmd_point {
    double error, work;
} cmd_point;

/** Keep the runs whose error every run at a tighter tolerance is below, with the least work of these and their own.
 *  @param[in,out] points [n] in order of falling tolerance; those that are kept come first, in the same order
 *  @return how many are kept */
int cmd_curve_hull(cmd_point *points, int n);

/** Work at an error: a straight line between neighbours of the hull in logarithms.
 *  @param[in] hull [n] as cmd_curve_hull() leaves it
 *  @return NaN where the hull does not reach */
double cmd_curve_work(const cmd_point *hull, int n, double error);

#endif
