/* ranks.h - processes of MPI, by a module that is loaded under mpirun alone, so that the command stands without MPI. */
#ifndef CMD_RANKS_H
#define CMD_RANKS_H

#include <stddef.h>

/** What the module exports as `resida_ranks`. All end the program where MPI fails, as MPI does. */
typedef struct cmd_ranks_module {
    size_t size;                                       /**< sizeof(cmd_ranks_module) */
    void (*begin)(int *rank, int *n);                  /**< once */
    void (*send)(const void *bytes, size_t n, int to); /**< returns when the bytes may change */
    int (*probe)(size_t *n, int *from);                /**< 1: so many bytes wait, from there */
    void (*receive)(void *bytes, size_t n, int from);  /**< what probe() told of */
    void (*broadcast)(void *bytes, size_t n);          /**< from rank 0 to all */
    void (*end)(void);                                 /**< all of them */
    void (*give_up)(int code);                         /**< ends all ranks at once */
} cmd_ranks_module;

/** Ranks. `n` = 1 without MPI. */
typedef struct cmd_ranks {
    const cmd_ranks_module *module; /**< NULL: without MPI */
    int rank, n;
} cmd_ranks;

/** Load and begin, where the environment says that this process is one of several.
 *  @return 0; CMD_EXIT_FAILED after one complaint: there is no module */
int cmd_ranks_begin(cmd_ranks *ranks);

/** Wait for bytes from anybody: busily at first, then in naps, `seconds` at most. @return 1; 0 */
int cmd_ranks_wait(const cmd_ranks *ranks, double seconds, size_t *n, int *from);

void cmd_ranks_end(cmd_ranks *ranks);

#endif
