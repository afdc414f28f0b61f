/* threads.c - several threads at once, by OpenMP. The one file that knows it; without OpenMP lane 0 does all the work.
 * The number of threads is asked for here and not taken from the environment. */
#include "differences.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void rsd_parallel(int n, void (*work)(int lane, void *context), void *context)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(n) default(none) shared(work, context)
    work(omp_get_thread_num(), context);
#else
    (void)n;
    work(0, context);
#endif
}
