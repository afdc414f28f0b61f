/* reproduce.h - tables and figures of a paper: what it published, beside what is measured here. */
#ifndef BENCH_REPRODUCE_H
#define BENCH_REPRODUCE_H

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

/** What can be reproduced; each returns an exit code after at most one complaint. */
int bench_reproduce_table2(const bench_settings *s);
int bench_reproduce_fig7(const bench_settings *s);

#endif
