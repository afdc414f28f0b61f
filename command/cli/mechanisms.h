/* mechanisms.h - which of the built-in models are mechanical. */
#ifndef BENCH_MECHANISMS_H
#define BENCH_MECHANISMS_H

enum { BENCH_MECHANISMS_MAX = 64 };

/** Names of those that are no general DAEs, in the order of `resida models`.
 *  @return how many; -1 after one complaint, when a model could not be opened */
int bench_mechanisms(const char *names[BENCH_MECHANISMS_MAX]);

#endif
