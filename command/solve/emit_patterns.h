/* emit_patterns.h - patterns that a model leaves out, as C to paste (`solve --emit-patterns FILE.c`). */
#ifndef BENCH_EMIT_PATTERNS_H
#define BENCH_EMIT_PATTERNS_H

#include "command/run/run.h"

/** Write the patterns of the job's model that are not given: an entry is there if it is not zero, or moves a residual,
 *  at one of some points around the start. @return 0; an exit code after one complaint */
int bench_emit_patterns(const bench_job *job, const char *path);

#endif
