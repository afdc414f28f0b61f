/* threads.c - runs several threads by OpenMP; no other file uses OpenMP. Without OpenMP worker 0 does all the work. The
 * number of threads is an argument; it does not depend on the environment. */
#include "differences.h"

#ifdef _OPENMP
#include <omp.h>
#endif

void rsd_execute_in_threads(int n, void (*work)(int worker, void *context), void *context)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(n) default(none) shared(work, context)
    work(omp_get_thread_num(), context);
#else
    (void)n;
    work(0, context);
#endif
}
