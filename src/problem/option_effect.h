/* option_effect.h - options that were set and would have no effect are refused by name. What has an effect is said by
 * the table of resida/option.h; what is set, and whether the words of its column `when` hold, by the three lists
 * here. */
#ifndef RSD_OPTION_EFFECT_H
#define RSD_OPTION_EFFECT_H

#include <resida/solver.h>

#include "problem_impl.h"

/** The order to which the detection of the stability limit goes back. */
enum { RSD_ORDER_LIMIT = 2 };

/** Of a problem with its layout and names, from the options it was made of. RESIDA_ERR_OPTION. */
resida_status rsd_check_problem_effects(const resida_problem *problem, const resida_problem_options *o,
                                        resida_message *why);

/** Of a solver on a problem; o is in range. RESIDA_ERR_OPTION. */
resida_status rsd_check_solver_effects(const resida_problem *problem, const resida_solver_options *o,
                                       resida_message *why);

/** Of a solver whose strategy, with "auto" resolved, is known. RESIDA_ERR_OPTION. */
resida_status rsd_check_strategy_effects(const char *strategy, const resida_problem *problem,
                                         const resida_solver_options *o, resida_message *why);

/** Of a start of a mechanism; o is in range. RESIDA_ERR_OPTION. */
resida_status rsd_check_start_effects(const resida_problem *problem, const resida_start_options *o,
                                      resida_message *why);

#endif
