/* arguments_rows_cost.c - costs of calls, of mechanism.h and dae.h, that there cannot be. */
#include "arguments.h"

#define NO_COST NOT_FINITE, -1

/* Each member of both, refused and taken. */
#define COST(member)                                                                                                   \
    REALS("resida_problem_create", "m.cost." #member, kept.m.cost.member, MODEL, NO_COST),                             \
        REALS("resida_problem_create", "m.cost." #member, kept.m.cost.member, OK, 0, 1e-300, 1e300),                   \
        REALS("resida_problem_create_dae", "d.cost." #member, kept.d.cost.member, MODEL, NO_COST),                     \
        REALS("resida_problem_create_dae", "d.cost." #member, kept.d.cost.member, OK, 0, 1e-300, 1e300)

const arg_row arg_rows_cost[] = {
    REALS("resida_problem_create", "m.cost", kept.m.cost.excitation, MODEL, NO_COST),
    REALS("resida_problem_create_dae", "d.cost", kept.d.cost.excitation, MODEL, NO_COST),
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
