/* kits.c - the table of the kits that are built into this library (-Dkits=), for the core. */
#include "src/core/kits.h"

#include "src/core/start/start_impl.h"
#include "src/kits/check/examine.h"

const rsd_kits rsd_kits_built = {
#ifdef RSD_KIT_CHECK
    .make_examiner = rsd_solver_create_examiner,
    .examine_start = rsd_solver_examine_start,
    .examine_given_start = rsd_solver_examine_given_start,
    .examine_found_start = rsd_solver_examine_computed_start,
    .explain_failure = rsd_solver_explain_failure,
#endif
#ifdef RSD_KIT_CONTACTS
    .find_closed = rsd_start_find_closed_contacts,
#endif
};
