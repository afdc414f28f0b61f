/* check_contract.h - what every failing call must leave behind: a status < 0, the last accepted state bit for bit,
 * the caller's arrays untouched, nothing printed, a reason in words, and a solver that can be freed.
 *
 *     contract c;
 *     contract_begin(&c, s);                        s NULL: the call is about no solver
 *     contract_keep(&c, p0, sizeof p0);             arrays that the call may not touch, as many as wanted
 *     resida_status status = resida_solver_...;     no assertion in between: stdout and stderr are caught
 *     check_contract(&c, status, CONTRACT_SAME_STATE, NULL);
 */
#ifndef RESIDA_TEST_CHECK_CONTRACT_H
#define RESIDA_TEST_CHECK_CONTRACT_H

#include <resida/solver.h>

#include "file_util.h"

enum { CONTRACT_MAX_ARRAYS = 16 };

/** The caller's view before a call. */
typedef struct contract {
    resida_solver *s; /**< NULL: none */
    int n;            /**< unknowns */
    int started;      /**< there was a state */
    double t;         /**< its time */
    double *y, *yp;   /**< [n] copies */
    struct {
        const void *array;
        void *copy;
        size_t bytes;
    } kept[CONTRACT_MAX_ARRAYS];
    int n_kept;
} contract;

enum {
    CONTRACT_SAME_STATE = 0, /**< the call could not accept a step: state and time are as before, bit for bit */
    CONTRACT_STEPPED = 1,    /**< it could: the state is there, finite, not earlier, and settled (asked twice) */
    CONTRACT_FREE = 2,       /**< free the solver too, as part of the contract */
    CONTRACT_NO_MESSAGE = 4  /**< the function has no way to say why */
};

/** Take down what there is before a call, and catch stdout and stderr until contract_end() or check_contract(). */
void contract_begin(contract *c, resida_solver *s);

/** Remember an array of the caller that the call may not touch. */
void contract_keep(contract *c, const void *array, size_t bytes);

/** End without a claim about the call but that nothing was printed: for calls that succeeded. */
void contract_end(contract *c);

/** Assert the contract after a failing call, and end.
 *  @param flags    of the list above
 *  @param message  the reason that the call gave; NULL: that of the solver */
void check_contract(contract *c, resida_status status, int flags, const char *message);

#endif
