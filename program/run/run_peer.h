/* run_peer.h - the part of a run that a peer of resida does: from a consistent start to the end. */
#ifndef CMD_RUN_PEER_H
#define CMD_RUN_PEER_H

#include "program/builtin/peer.h"
#include "run.h"

/** Let the peer of that name run the job; "resida" is none.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_job_peer(cmd_job *job, const char *name);

/** Let this peer run the job, in the formalism that suits it unless the user has chosen one. */
void cmd_job_give(cmd_job *job, const rsd_peer *peer);

/** Takes the outputs, from the second on. @return 0; other than 0 ends the run */
typedef int cmd_take_fn(const resida_state *state, void *user);

/** The peers that the settings want to be compared with: how many, and the k-th of them. */
int cmd_peers_wanted(const cmd_settings *s);
const rsd_peer *cmd_peer_wanted(const cmd_settings *s, int k);

/** Those that the build lacks, a line each, where all are wanted. */
void cmd_peers_tell(const cmd_settings *s);

/** Integrate by job->peer what has been started.
 *  @param[in]  handles  started
 *  @param[in]  o        options; the monitor is asked now and then
 *  @param[out] result   with the residual calls of the start
 *  @return result->status */
resida_status cmd_peer_integrate(const cmd_job *job, const cmd_handles *handles, const resida_solver_options *o,
                                 cmd_take_fn *take, void *user, rsd_peer_result *result);

#endif
