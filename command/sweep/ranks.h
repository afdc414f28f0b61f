/* ranks.h - ranks of MPI, through a module that is loaded only under mpirun. Thus the command runs without MPI. */
#ifndef CMD_RANKS_H
#define CMD_RANKS_H

#include <stddef.h>

/** The functions that the module exports as `resida_ranks`. If MPI fails, each ends the program, as MPI does. */
typedef struct cmd_ranks_module {
    size_t size;                                       /**< sizeof(cmd_ranks_module) */
    void (*begin)(int *rank, int *n);                  /**< called once */
    void (*send)(const void *bytes, size_t n, int to); /**< returns when the bytes may be changed */
    int (*probe)(size_t *n, int *from);                /**< returns 1 if a message of n bytes from this rank is
                                                        *   available */
    void (*receive)(void *bytes, size_t n, int from);  /**< receives the message found by probe() */
    void (*broadcast)(void *bytes, size_t n);          /**< from rank 0 to all ranks */
    void (*end)(void);                                 /**< called by all ranks */
    void (*give_up)(int code);                         /**< ends all ranks immediately */
} cmd_ranks_module;

/** The ranks. n = 1 without MPI. */
typedef struct cmd_ranks {
    const cmd_ranks_module *module; /**< NULL without MPI */
    int rank, n;
} cmd_ranks;

/** Load the module and initialize MPI if the environment shows that there are several ranks. @return 0; CMD_EXIT_FAILED
 *  after one complaint: the module is missing */
int cmd_ranks_begin(cmd_ranks *ranks);

/** Wait for a message of any rank, at most `seconds`: first polling, later sleeping. @return 1 if there is one; 0 */
int cmd_ranks_wait(const cmd_ranks *ranks, double seconds, size_t *n, int *from);

void cmd_ranks_end(cmd_ranks *ranks);

#endif
