/* arguments_rows_cost.c - costs of calls, of mechanism.h and dae.h, that there cannot be. */
#include "arguments.h"

#define NO_COST NAN, INFINITY, -INFINITY, -1

/* Each member of both, refused and taken. */
#define COST(member)                                                                                                   \
    REALS("resida_problem_create", "m.cost." #member, kept.m.cost.member, RESIDA_ERR_MODEL, NO_COST),                  \
        REALS("resida_problem_create", "m.cost." #member, kept.m.cost.member, RESIDA_OK, 0, 1e-300, 1e300),            \
        REALS("resida_problem_create_dae", "d.cost." #member, kept.d.cost.member, RESIDA_ERR_MODEL, NO_COST),          \
        REALS("resida_problem_create_dae", "d.cost." #member, kept.d.cost.member, RESIDA_OK, 0, 1e-300, 1e300)

static void no_cost_of_a_mechanism(world *w, int way)
{
    w->kept.m.cost.excitation = (const double[]){NO_COST}[way];
}

static void no_cost_of_a_dae(world *w, int way)
{
    w->kept.d.cost.excitation = (const double[]){NO_COST}[way];
}

const arg_row arg_rows_cost[] = {
    WAYS("resida_problem_create", "m.cost", 4, no_cost_of_a_mechanism, RESIDA_ERR_MODEL),
    WAYS("resida_problem_create_dae", "d.cost", 4, no_cost_of_a_dae, RESIDA_ERR_MODEL),
    COST(residual),
    COST(acceleration),
    COST(residual_lam),
    COST(acceleration_lam),
    COST(constraint),
    COST(constraint_matrix),
    COST(constraint_force),
    COST(constraint_velocity),
    COST(velocity_bias),
    COST(acceleration_bias),
    COST(mass_matrix),
    COST(potential),
    COST(derivatives),
    COST(kinematic_matrix),
    COST(invariant),
    COST(invariant_matrix),
    COST(nonholonomic_matrix),
    COST(nonholonomic_bias),
    COST(nonholonomic_acceleration_bias),
    COST(projection_matrix),
    COST(excitation),
    COST(root),
    COST(jacobian),
    END_OF_ROWS,
};
