/* pool.h - processes that run cases: forked once, each takes many. What a case does to its process is a row; another
 * process takes the place. */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "benchmarks/util/subprocess.h"
#include "sweep.h"

/** A process, or a place for one. */
typedef struct bench_worker {
    bench_subprocess process; /**< numbers of cases go there, what they came to comes back */
    long number;              /**< of the case that it runs; -1: none */
    int attempts;             /**< how often that case was begun */
    double began, due;        /**< wall clock [s]; due: it is ended then */
} bench_worker;

/** All of them. Zeroed: none. */
typedef struct bench_pool {
    bench_sweep *sweep;
    bench_worker *workers; /**< [n] */
    int n;
    int spared; /**< a descriptor that workers do not keep; -1: none */
} bench_pool;

/** Places for n processes, which begin with their first case. @return 0; BENCH_EXIT_FAILED after one complaint */
int bench_pool_open(bench_pool *pool, bench_sweep *sweep, int n, int spared);

/** Is there a process without a case? */
int bench_pool_is_free(const bench_pool *pool);

/** Does any process run a case? */
int bench_pool_is_busy(const bench_pool *pool);

/** Have a free process run a case. @return 0; BENCH_EXIT_FAILED after one complaint */
int bench_pool_give(bench_pool *pool, long number);

/** Wait for what one of the cases came to, `seconds` at most, or for a signal.
 *  @return 1: it is in c; 0: nothing yet; < 0: -BENCH_EXIT_FAILED after one complaint */
int bench_pool_wait(bench_pool *pool, double seconds, bench_sweep_case *c);

/** End all processes, whatever they do. A zeroed pool is fine. */
void bench_pool_close(bench_pool *pool);

#endif
