/* user_run.h - how a run with derivatives of the model ended: by its own J, differenced nowhere. */
#ifndef RESIDA_TEST_USER_RUN_H
#define RESIDA_TEST_USER_RUN_H

#include <resida/all.h>

#include "test/fixtures/bench_fixture.h"

/** Residual calls that a run may take. */
enum { USER_BUDGET = 20000 };

typedef struct outcome {
    resida_status status;
    char message[RESIDA_MESSAGE_SIZE], strategy[40];
    resida_stats stats;
    resida_jacobian_counts counts;
    double error;
    int is_the_users; /**< entries of J that are the callback's alone are so bit for bit */
} outcome;

/** What a callback returns at last, 0: NaN, and what becomes of the run. */
enum { USER_VERDICTS = 3 };
typedef struct user_verdict {
    int verdict;
    resida_status status;
} user_verdict;
extern const user_verdict user_verdicts[USER_VERDICTS];

/** The started solver to t_end: all but error and is_the_users. */
outcome user_run(resida_solver *s, double t_end);

/** No call of the formalism but those of the iteration and of the start. */
void user_differenced_nothing(const outcome *r);

/** A run by a wrong J: it was not replaced, and what ends well has three figures at least. */
void user_wrong_is_kept(const outcome *r);

/** The verdict of `callback` is what the message is about; NaN is in `component`. After one that is fatal there are no
 *  calls more. */
void user_passed_on(const outcome *r, const user_verdict *v, const char *callback, const char *component,
                    long calls_after);

#endif
