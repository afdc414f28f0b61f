/* impact.h - the run of section 5 of C. Bottasso, O. Bauchau, A. Cardona, SIAM J. Sci. Comput. 29 (2007) 397-414: a cam
 * strikes a beam. */
#ifndef BENCH_IMPACT_H
#define BENCH_IMPACT_H

#include "command/run/run.h"

/** Places of the nodes of beam and cam at one time. */
enum { BENCH_IMPACT_BEAM = 13, BENCH_IMPACT_CAM = 4, BENCH_IMPACT_NODES = BENCH_IMPACT_BEAM + BENCH_IMPACT_CAM };
typedef struct bench_impact_shape {
    double t; /**< NaN: not reached */
    double x[BENCH_IMPACT_NODES], y[BENCH_IMPACT_NODES];
} bench_impact_shape;

enum { BENCH_IMPACT_START, BENCH_IMPACT_TOUCH, BENCH_IMPACT_END, BENCH_IMPACT_SHAPES };

/** A run; zeroed: none. */
typedef struct bench_impact {
    double m_ave;
    double newton; /**< tolerance of the iteration in the units of the scaling; 0: the default, aware of h */
    long n;
    double *t, *h, *s; /**< [n] ends of the steps, their sizes, s = k_ave + m_ave/h^2 */
    bench_impact_shape shapes[BENCH_IMPACT_SHAPES];
    double impulse; /**< of the contact, until the end */
    resida_status status;
    resida_message why;
} bench_impact;

extern const double bench_impact_k_ave;

/** Elements and order for as many nodes, in the order of the parameters "elements", "order". */
extern const double bench_impact_elements, bench_impact_order;

/** Run it with run->m_ave and run->newton: steps of 1e-2 s up to 0.4 s, then of their own choice.
 *  @param[in] job  of "cam-contact" in the form "index3"; its tolerances are those of the local error
 *  @return 0, also where the run failed; BENCH_EXIT_FAILED without memory or problem, after one complaint;
 *          128 + signal. To be freed in any case */
int bench_impact_run(bench_impact *run, const bench_job *job);
void bench_impact_free(bench_impact *run);

#endif
