/* pool.h - worker processes, which are forked once and run many cases. A worker that crashes gives a row and is
 * replaced. */
#ifndef CMD_POOL_H
#define CMD_POOL_H

#include "program/process/subprocess.h"
#include "sweep.h"

/** A worker, running or not yet started. */
typedef struct cmd_worker {
    bench_subprocess process; /**< receives numbers of cases and returns results */
    long number;              /**< current case; -1 if there is none */
    int attempts;             /**< number of starts of the current case */
    double began, due;        /**< wall clock [s] of the start of the case, and of the time when the worker is killed */
} cmd_worker;

/** All workers. A zeroed struct has none. */
typedef struct cmd_pool {
    cmd_sweep_work *sweep;
    cmd_worker *workers; /**< [n] */
    int n;
    int spared; /**< a descriptor that workers close; -1 if there is none */
} cmd_pool;

/** Allocate n workers. Each starts with its first case. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_pool_open(cmd_pool *pool, cmd_sweep_work *sweep, int n, int spared);

/** Return 1 if a worker has no case. */
int cmd_pool_is_free(const cmd_pool *pool);

/** Return 1 if a worker runs a case. */
int cmd_pool_is_busy(const cmd_pool *pool);

/** Give a case to a free worker. @return 0; CMD_EXIT_FAILED after one complaint */
int cmd_pool_assign(cmd_pool *pool, long number);

/** Wait for the result of a case, for a signal, or at most `seconds`. @return 1 if the result is in c; 0 if there is
 *  none yet; -CMD_EXIT_FAILED after one complaint */
int cmd_pool_wait(cmd_pool *pool, double seconds, cmd_sweep_case *c);

/** Kill all workers. The pool may be zeroed. */
void cmd_pool_close(cmd_pool *pool);

#endif
