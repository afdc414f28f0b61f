/* run_peer.h - integrates by a peer from a consistent start to the end. */
#ifndef CMD_RUN_PEER_H
#define CMD_RUN_PEER_H

#include "program/builtin/peer.h"
#include "run.h"

/** Select the peer with this name for the job; "resida" selects none. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_job_find_peer(cmd_job *job, const char *name);

/** Select this peer for the job, and its preferred formalism unless the user has selected one. */
void cmd_job_set_peer(cmd_job *job, const rsd_peer *peer);

/** A function that receives the outputs, from the second on. @return 0; another value ends the run */
typedef int cmd_take_fn(const resida_state *state, void *user);

/** Return the number of peers that the settings select for a comparison, or the k-th of them. */
int cmd_peers_count(const cmd_settings *s);
const rsd_peer *cmd_peers_get(const cmd_settings *s, int k);

/** Report the peers that the build lacks, one per line, unless the settings select peers. */
void cmd_peers_report_missing(const cmd_settings *s);

/** Integrate with job->peer.
 *  @param[in]  handles  started handles
 *  @param[in]  o        options; the monitor is called from time to time
 *  @param[out] result   includes the residual calls of the start
 *  @return result->status */
resida_status cmd_peer_integrate(const cmd_job *job, const cmd_handles *handles, const resida_solver_options *o,
                                 cmd_take_fn *take, void *user, rsd_peer_result *result);

#endif
