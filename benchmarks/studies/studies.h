/* studies.h - measurements of minutes that belong to no paper; each returns an exit code, after at most one complaint.
 * The words of their settings are what follows the name. */
#ifndef BENCH_STUDIES_H
#define BENCH_STUDIES_H

#include "program/cli/settings.h"

int bench_study_targets(const cmd_settings *s);
int bench_study_train_scaling(const cmd_settings *s);

#endif
