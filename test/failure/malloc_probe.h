/* malloc_probe.h - takes the place of malloc and its family in the whole process, libraries included: counts, keeps
 * book of what is not given back, and fails the k-th allocation. For glibc; not together with a sanitizer, which takes
 * the same place. Only the thread that started the probe is watched. */
#ifndef RESIDA_TEST_MALLOC_PROBE_H
#define RESIDA_TEST_MALLOC_PROBE_H

#include <stddef.h>

typedef struct malloc_probe {
    long allocations; /**< calls of malloc, calloc, realloc ... since the start */
    long live;        /**< blocks taken since then and not given back */
    long bytes;       /**< in these blocks */
    long failed;      /**< allocations that were made to fail */
} malloc_probe;

/** Watch from now on; fail the allocation number fail_at (from 1, 0: none), with `for_ever` all later ones too. */
void malloc_probe_start(long fail_at, int for_ever);

/** The same, failing what would bring the blocks taken since then to more than `bytes` together. */
void malloc_probe_start_with_budget(long bytes);

/** Who asked for allocation k (from 1) since the start, innermost first: "function < function ..." as far as
 *  functions have public names. text [size]; "" when it is not known. */
void malloc_probe_site(long k, char *text, size_t size);

/** Stop watching. */
malloc_probe malloc_probe_stop(void);

#endif
