/* estimate.h - how wrong a run may be where nobody knows the solution: it is compared with a second, more accurate
 * one. */
#ifndef CMD_ESTIMATE_H
#define CMD_ESTIMATE_H

#include "program/run/run.h"

/** Run once more, at a tenth of rtol and atol (and of the step where it is of a fixed size), and compare the ends.
 *  @param[in]     job   as it ran, and got through; its cut is given the row of the second run
 *  @param[in]     end   where it has come to
 *  @param[in,out] row   of it: gets the estimate, unknown when the second run does not get through, and `fine`
 *  @param[out]    fine  the second run; must live as long as row
 *  @return as cmd_run() of the second run; but for 0 after one complaint */
int cmd_estimate(const cmd_job *job, const cmd_run_end *end, cmd_row *row, cmd_row *fine);

#endif
