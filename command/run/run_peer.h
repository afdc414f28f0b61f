/* run_peer.h - the part of a run that a peer of resida does: from a consistent start to the end. */
#ifndef BENCH_RUN_PEER_H
#define BENCH_RUN_PEER_H

#include "benchmarks/peers/peer.h"
#include "run.h"

/** Let the peer of that name run the job; "resida" is none.
 *  @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_job_peer(bench_job *job, const char *name);

/** Let this peer run the job, in the formalism that suits it unless the user has chosen one. */
void bench_job_give(bench_job *job, const rsd_peer *peer);

/** Takes the outputs, from the second on. @return 0; other than 0 ends the run */
typedef int bench_take_fn(const resida_state *state, void *user);

/** The peers that the settings want to be compared with: how many, and the k-th of them. */
int bench_peers_wanted(const bench_settings *s);
const rsd_peer *bench_peer_wanted(const bench_settings *s, int k);

/** Those that the build lacks, a line each, where all are wanted. */
void bench_peers_tell(const bench_settings *s);

/** Integrate by job->peer what has been started.
 *  @param[in]  handles  started
 *  @param[in]  o        options; the monitor is asked now and then
 *  @param[out] result   with the residual calls of the start
 *  @return result->status */
resida_status bench_peer_integrate(const bench_job *job, const bench_handles *handles, const resida_solver_options *o,
                                   bench_take_fn *take, void *user, rsd_peer_result *result);

#endif
