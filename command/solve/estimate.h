/* estimate.h - an estimate of the error of a run, by comparison with a second, more accurate run. */
#ifndef CMD_ESTIMATE_H
#define CMD_ESTIMATE_H

#include "program/run/run.h"

/** Run once more at a tenth of rtol and atol (and of a fixed step), and compare the ends.
 *  @param[in]     job   the job, which has run successfully; its cut function receives the row of the second run
 *  @param[in]     end   end state of the first run
 *  @param[in,out] row   row of the first run: receives the estimate, unknown if the second run fails, and `fine`
 *  @param[out]    fine  row of the second run; must live as long as row
 *  @return as cmd_run() of the second run; values other than 0 after one complaint */
int cmd_estimate(const cmd_job *job, const cmd_run_end *end, cmd_row *row, cmd_row *fine);

#endif
