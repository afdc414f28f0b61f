/* pool.h - processes that run cases: forked once, each takes many. What a case does to its process is a row; another
 * process takes the place. */
#ifndef CMD_POOL_H
#define CMD_POOL_H

#include "program/process/subprocess.h"
#include "sweep.h"

/** A process, or a place for one. */
typedef struct cmd_worker {
    bench_subprocess process; /**< numbers of cases go there, what they came to comes back */
    long number;              /**< of the case that it runs; -1: none */
    int attempts;             /**< how often that case was begun */
    double began, due;        /**< wall clock [s]; due: it is ended then */
} cmd_worker;

/** All of them. Zeroed: none. */
typedef struct cmd_pool {
    cmd_sweep_work *sweep;
    cmd_worker *workers; /**< [n] */
    int n;
    int spared; /**< a descriptor that workers do not keep; -1: none */
} cmd_pool;

/** Places for n processes, which begin with their first case. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_pool_open(cmd_pool *pool, cmd_sweep_work *sweep, int n, int spared);

/** Is there a process without a case? */
int cmd_pool_is_free(const cmd_pool *pool);

/** Does any process run a case? */
int cmd_pool_is_busy(const cmd_pool *pool);

/** Have a free process run a case. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_pool_give(cmd_pool *pool, long number);

/** Wait for what one of the cases came to, `seconds` at most, or for a signal.
 *  @return 1: it is in c; 0: nothing yet; < 0: -CMD_EXIT_FAILED after one complaint */
int cmd_pool_wait(cmd_pool *pool, double seconds, cmd_sweep_case *c);

/** End all processes, whatever they do. A zeroed pool is fine. */
void cmd_pool_close(cmd_pool *pool);

#endif
