/* callback_names.c - the members of resida_mechanism, resida_dae and resida_model that are functions. */
#include "callback_names.h"

#include <string.h>

typedef struct callback {
    const char *name;
    size_t offset; /* in resida_model */
} callback;

#define OF_MECHANISM(member)                                                                                           \
    {                                                                                                                  \
#member, offsetof(resida_model, mechanism) + offsetof(resida_mechanism, member)                                \
    }
#define OF_DAE(member)                                                                                                 \
    {                                                                                                                  \
#member, offsetof(resida_model, dae) + offsetof(resida_dae, member)                                            \
    }

static const callback callbacks[] = {
    OF_MECHANISM(residual),
    OF_MECHANISM(acceleration),
    OF_MECHANISM(residual_lam),
    OF_MECHANISM(acceleration_lam),
    OF_MECHANISM(constraint),
    OF_MECHANISM(constraint_matrix),
    OF_MECHANISM(velocity_bias),
    OF_MECHANISM(acceleration_bias),
    OF_MECHANISM(mass_matrix),
    OF_MECHANISM(potential),
    OF_MECHANISM(derivatives),
    OF_MECHANISM(kinematic_matrix),
    OF_MECHANISM(nonholonomic_matrix),
    OF_MECHANISM(nonholonomic_bias),
    OF_MECHANISM(nonholonomic_acceleration_bias),
    OF_MECHANISM(excitation),
    OF_MECHANISM(root),
    OF_DAE(residual),
    OF_DAE(excitation),
    OF_DAE(root),
    OF_DAE(jacobian),
    {"reference", offsetof(resida_model, reference)},
};

const char *bench_callback_name(const resida_model *model, uintptr_t address)
{
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++) {
        uintptr_t there;
        memcpy(&there, (const char *)model + callbacks[i].offset, sizeof there);
        if (there != 0 && there == address) return callbacks[i].name;
    }
    return NULL;
}
