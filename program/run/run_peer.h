/* run_peer.h - the part of a run that a peer integrates: from a consistent start to the end. */
#ifndef CMD_RUN_PEER_H
#define CMD_RUN_PEER_H

#include "program/builtin/peer.h"
#include "run.h"

/** Let the peer with this name run the job; "resida" is no peer. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_job_peer(cmd_job *job, const char *name);

/** Let this peer run the job, in its preferred formalism unless the user has selected one. */
void cmd_job_give(cmd_job *job, const rsd_peer *peer);

/** A function that receives the outputs, from the second on. @return 0; another value ends the run */
typedef int cmd_take_fn(const resida_state *state, void *user);

/** Return the number of peers to compare according to the settings, or the k-th of them. */
int cmd_peers_wanted(const cmd_settings *s);
const rsd_peer *cmd_peer_wanted(const cmd_settings *s, int k);

/** Report the peers that the build lacks, one per line, unless the settings select peers. */
void cmd_peers_tell(const cmd_settings *s);

/** Integrate with job->peer.
 *  @param[in]  handles  started handles
 *  @param[in]  o        options; the monitor is called from time to time
 *  @param[out] result   includes the residual calls of the start
 *  @return result->status */
resida_status cmd_peer_integrate(const cmd_job *job, const cmd_handles *handles, const resida_solver_options *o,
                                 cmd_take_fn *take, void *user, rsd_peer_result *result);

#endif
