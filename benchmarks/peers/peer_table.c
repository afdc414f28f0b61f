/* peer_table.c - the peers, in the order of output tables. Peers with optional libraries are modules, which are enabled
 * by the build system; their versions are those of the packages. */
#include "peer_impl.h"

#include <resida/option.h>
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
     .ignores = "max_order error_test",
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

static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return 1;
    return 0;
}

int rsd_peer_takes(const rsd_peer *peer, const char *option)
{
    static const char taken[] = "rtol atol max_order h_first h_max max_steps max_residuals time_limit_s error_test";
    const resida_option *o = resida_option_find(option);
    if (!o || strcmp(option, "step_projection") == 0) return 0;
    if (o->place != RESIDA_OPTION_OF_SOLVER) return 1;
    return has_word(taken, option) && !(peer->ignores && has_word(peer->ignores, option));
}
