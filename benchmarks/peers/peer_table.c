/* peer_table.c - the peers, in the order in which tables show them. Those that stand on a library that need not be
 * there are modules, found by the build; their versions are those of the packages. */
#include "peer_impl.h"

#include <string.h>
#include <sundials/sundials_config.h>

static const rsd_peer peers[] = {
    {.name = "ida",
     .version = "SUNDIALS " SUNDIALS_VERSION,
     .jacobian = "dense",
     .linear_solver = "dense",
     .solve = rsd_peer_solve_ida},
    {.name = "ida+analytic",
     .version = "SUNDIALS " SUNDIALS_VERSION,
     .jacobian = "analytic",
     .linear_solver = "dense",
     .solve = rsd_peer_solve_ida_analytic},
#ifdef RSD_PEER_OCTAVE
    {.name = "dassl",
     .version = "liboctave " RSD_PEER_OCTAVE,
     .jacobian = "dense",
     .linear_solver = "dense",
     .module = "peer_octave.so",
     .symbol = "rsd_peer_solve_dassl"},
    {.name = "daspk",
     .version = "liboctave " RSD_PEER_OCTAVE,
     .jacobian = "dense",
     .linear_solver = "dense",
     .module = "peer_octave.so",
     .symbol = "rsd_peer_solve_daspk"},
#endif
#ifdef RSD_PEER_DESOLVE
    {.name = "radau5",
     .version = "deSolve " RSD_PEER_DESOLVE,
     .jacobian = "dense",
     .linear_solver = "dense",
     .prefers_explicit = 1,
     .module = "peer_desolve.so",
     .symbol = "rsd_peer_solve_radau5"},
#endif
#ifdef RSD_PEER_PETSC
    {.name = "petsc-bdf",
     .version = "PETSc " RSD_PEER_PETSC,
     .jacobian = "coloured",
     .linear_solver = "sparse",
     .module = "peer_petsc.so",
     .symbol = "rsd_peer_solve_petsc_bdf"},
#endif
};

int rsd_peer_count(void)
{
    return (int)(sizeof peers / sizeof peers[0]);
}

const rsd_peer *rsd_peer_at(int i)
{
    return i >= 0 && i < rsd_peer_count() ? &peers[i] : NULL;
}

const rsd_peer *rsd_peer_find(const char *name)
{
    for (int i = 0; name && i < rsd_peer_count(); i++)
        if (strcmp(peers[i].name, name) == 0) return &peers[i];
    return NULL;
}

const char *rsd_peer_name(const rsd_peer *peer)
{
    return peer->name;
}

const char *rsd_peer_version(const rsd_peer *peer)
{
    return peer->version;
}

int rsd_peer_prefers_explicit(const rsd_peer *peer)
{
    return peer->prefers_explicit;
}
