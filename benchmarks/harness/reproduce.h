/* reproduce.h - tables and figures of a paper: what it published, beside what is measured here. */
#ifndef BENCH_REPRODUCE_H
#define BENCH_REPRODUCE_H

#include <jansson.h>

#include "run.h"

#define BENCH_PAPER                                                                                                    \
    "M. Arnold, A. Fuchs, C. Fuehrer, Efficient corrector iteration for DAE time integration in multibody dynamics"

/** The paper's "omega = 0.05 Hz" [rad/s]: as a frequency, and as an angular frequency. */
enum { BENCH_READINGS = 2 };
extern const double bench_omega[BENCH_READINGS];
extern const char *const bench_omega_name[BENCH_READINGS];

/** The chain of pendulums of section 4.2.1 with the paper's tolerances. Points into itself: not to be copied. */
typedef struct bench_chain_case {
    bench_settings settings;
    bench_model model;
    char n_name[8], omega_name[8], *names[2];
    double values[2];
    int used[2];
} bench_chain_case;

/** @return 0; BENCH_EXIT_* after one complaint, and nothing is open */
int bench_chain_case_open(bench_chain_case *c, const bench_settings *s, int n, double omega);
void bench_chain_case_close(bench_chain_case *c);

/** A row of a table as it was printed; -1: not in that table. */
typedef struct bench_published {
    double cpu_s, percent;  /**< seconds of their machine, percentage of their first row */
    int calls, other_calls; /**< #fc, #fcw: residual calls, all, and without those for J */
    int evaluations, updates;
} bench_published;

/** The row with "percent" and "published"; a new reference, NULL without memory.
 *  @param[in] percent  of processor time, NaN: not known
 *  @param[in] source   paper and table
 *  @param[in] p        NULL: the paper has no such row */
json_t *bench_reproduced_json(const bench_row *row, double percent, const char *source, const bench_published *p);

/** What can be reproduced, named by the only word of the settings; each returns an exit code after at most one complaint. */
int bench_reproduce_table2(const bench_settings *s);
int bench_reproduce_fig7(const bench_settings *s);
int bench_reproduce_vehicle(const bench_settings *s); /**< table1, table3 */
int bench_reproduce_pattern(const bench_settings *s); /**< fig3, fig4, fig5 */

#endif
