/* peer_module.h - a module stands on somebody's library and is loaded in the process of its peer only. */
#ifndef RSD_PEER_MODULE_H
#define RSD_PEER_MODULE_H

#include "peer_impl.h"

#if defined(__GNUC__)
#define RSD_MODULE __attribute__((visibility("default")))
#else
#define RSD_MODULE
#endif

/** @name Integrate, as rsd_peer.solve does @{ */
RSD_MODULE resida_status rsd_peer_solve_dassl(rsd_peer_run *run);
RSD_MODULE resida_status rsd_peer_solve_daspk(rsd_peer_run *run);
RSD_MODULE resida_status rsd_peer_solve_radau5(rsd_peer_run *run);
RSD_MODULE resida_status rsd_peer_solve_petsc_bdf(rsd_peer_run *run);
/** @} */

#endif
