/* callback_names.c - the members of resida_mechanism, resida_dae, resida_model and resida_model_class that are
 * functions. */
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
    OF_MECHANISM(constraint_force),
    OF_MECHANISM(constraint_velocity),
    OF_MECHANISM(velocity_bias),
    OF_MECHANISM(acceleration_bias),
    OF_MECHANISM(mass_matrix),
    OF_MECHANISM(potential),
    OF_MECHANISM(derivatives),
    OF_MECHANISM(kinematic_matrix),
    OF_MECHANISM(invariant),
    OF_MECHANISM(invariant_matrix),
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
    {"output", offsetof(resida_model, output)},
    {"shape", offsetof(resida_model, shape)},
    {"event", offsetof(resida_model, event)},
};

/* The same of what a model points to. */
static const callback of_products[] = {
    {"residual_times", offsetof(resida_products, residual_times)},
    {"jacobian_times", offsetof(resida_products, jacobian_times)},
};
static const callback of_contacts[] = {
    {"contacts.matrix", offsetof(resida_model_contacts, matrix)},
    {"contacts.rate", offsetof(resida_model_contacts, rate)},
};

static int begins_at(const void *function, uintptr_t address)
{
    uintptr_t there;
    memcpy(&there, function, sizeof there); /* a pointer to a function is no pointer to an object */
    return there != 0 && there == address;
}

static const char *name_in(const void *members, const callback *list, size_t n, uintptr_t address)
{
    for (size_t i = 0; i < n && members; i++)
        if (begins_at((const char *)members + list[i].offset, address)) return list[i].name;
    return NULL;
}

const char *bench_callback_name(const resida_model_class *cls, const resida_model *model, uintptr_t address)
{
    if (begins_at(&cls->create, address)) return "create";
    if (begins_at(&cls->destroy, address)) return "destroy";
    const char *name = name_in(model, callbacks, sizeof callbacks / sizeof *callbacks, address);
    if (!name) name = name_in(model->products, of_products, sizeof of_products / sizeof *of_products, address);
    return name ? name : name_in(model->contacts, of_contacts, sizeof of_contacts / sizeof *of_contacts, address);
}
