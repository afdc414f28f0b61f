/* tally.c - see tally.h. */
#include "tally.h"

#include <string.h>

const char *const rsd_callback_names[RSD_N_CALLBACKS] = {
    [RSD_CALL_RESIDUAL] = "residual",
    [RSD_CALL_ACCELERATION] = "acceleration",
    [RSD_CALL_RESIDUAL_LAM] = "residual_lam",
    [RSD_CALL_ACCELERATION_LAM] = "acceleration_lam",
    [RSD_CALL_CONSTRAINT] = "constraint",
    [RSD_CALL_CONSTRAINT_MATRIX] = "constraint_matrix",
    [RSD_CALL_CONSTRAINT_FORCE] = "constraint_force",
    [RSD_CALL_CONSTRAINT_VELOCITY] = "constraint_velocity",
    [RSD_CALL_VELOCITY_BIAS] = "velocity_bias",
    [RSD_CALL_ACCELERATION_BIAS] = "acceleration_bias",
    [RSD_CALL_MASS_MATRIX] = "mass_matrix",
    [RSD_CALL_POTENTIAL] = "potential",
    [RSD_CALL_DERIVATIVES] = "derivatives",
    [RSD_CALL_KINEMATIC_MATRIX] = "kinematic_matrix",
    [RSD_CALL_INVARIANT] = "invariant",
    [RSD_CALL_INVARIANT_MATRIX] = "invariant_matrix",
    [RSD_CALL_NONHOLONOMIC_MATRIX] = "nonholonomic_matrix",
    [RSD_CALL_NONHOLONOMIC_BIAS] = "nonholonomic_bias",
    [RSD_CALL_NONHOLONOMIC_ACCELERATION_BIAS] = "nonholonomic_acceleration_bias",
    [RSD_CALL_PROJECTION_MATRIX] = "projection_matrix",
    [RSD_CALL_EXCITATION] = "excitation",
    [RSD_CALL_ROOT] = "root",
    [RSD_CALL_DAE_JACOBIAN] = "jacobian",
    [RSD_CALL_JACOBIAN_TIMES] = "jacobian_times",
    [RSD_CALL_RESIDUAL_TIMES] = "residual_times",
};

_Static_assert(sizeof(resida_callback_calls) == sizeof((rsd_tally *)0)->calls, "one count for each callback");
_Static_assert(offsetof(resida_callback_calls, residual_times) == RSD_CALL_RESIDUAL_TIMES * sizeof(long),
               "in the same order");

const char *resida_callback_at(int i)
{
    return i >= 0 && i < RSD_N_CALLBACKS ? rsd_callback_names[i] : NULL;
}

void rsd_tally_add(rsd_tally *tally, const rsd_tally *more)
{
    for (int i = 0; i < RSD_N_CALLBACKS; i++) tally->calls[i] += more->calls[i];
}

resida_callback_calls rsd_tally_calls(const rsd_tally *tally)
{
    resida_callback_calls calls;
    memcpy(&calls, tally->calls, sizeof calls);
    return calls;
}
