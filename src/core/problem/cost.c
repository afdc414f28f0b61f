/* cost.c - see cost.h. The cost of a function is the sum of the costs of its callbacks, rows and products. A cost that
 * the model does not give is estimated from the size of the model. */
#include "cost.h"

#include "problem_impl.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/message.h"

#define FORMALISM   600.0  /* operations of the formalism per velocity; built-in models: 200 to 3,000 */
#define MASS        1200.0 /* operations of the mass matrix per velocity */
#define DERIVATIVES 3000.0 /* operations of all derivatives of the formalism per velocity */
#define CONSTRAINT  30.0   /* operations of g or of a bias per constraint */
#define GROUPS      14.0   /* assumed maximum number of column groups in differences for dg/dp */
#define CALLS_OF_G  2.0    /* calls of g in the central difference of a column group or of gI */
#define ENTRY       10.0   /* operations of a matrix callback per entry */
#define PRODUCT     4.0    /* operations of a matrix product per entry */
#define RECURSION   10.0   /* operations of constraint_force or constraint_velocity, per coordinate and constraint */
#define OF_UNKNOWN  50.0   /* operations of F per unknown of a general DAE */
#define ROWS        20.0   /* operations of F per equation, including g and biases whose cost the model does not give */

_Static_assert(sizeof(resida_callback_costs) == RSD_N_COSTS * sizeof(double), "a cost for each callback");
_Static_assert(offsetof(resida_callback_costs, jacobian) == RSD_CALL_DAE_JACOBIAN * sizeof(double),
               "in the same order");

resida_status rsd_call_costs_check(const resida_callback_costs *said, const char *model, resida_message *why)
{
    double cost[RSD_N_COSTS];
    memcpy(cost, said, sizeof cost);
    for (int i = 0; i < RSD_N_COSTS; i++)
        if (!(cost[i] >= 0 && cost[i] < INFINITY))
            return rsd_fail(why, RESIDA_ERR_MODEL, "%s: cost.%s = %g, must be finite and >= 0 (0: assumed by size)",
                            model, rsd_callback_names[i], cost[i]);
    return RESIDA_OK;
}

/* Set the cost of a callback to the given cost, or to the assumed cost if the model gives none. */
static void set_cost(rsd_call_costs *costs, rsd_callback which, double said, double assumed)
{
    costs->is_assumed[which] = said == 0;
    costs->of[which] = said > 0 ? said : assumed;
}

static rsd_call_costs estimate_dae_costs(const resida_problem *q)
{
    rsd_call_costs c = {.of = {0}};
    const resida_callback_costs *said = &q->dae.cost;
    set_cost(&c, RSD_CALL_RESIDUAL, said->residual, OF_UNKNOWN * q->layout.n);
    if (q->dae.jacobian) set_cost(&c, RSD_CALL_DAE_JACOBIAN, said->jacobian, ENTRY * q->J.nnz);
    if (rsd_problem_has_products(q)) set_cost(&c, RSD_CALL_JACOBIAN_TIMES, q->products.cost, c.of[RSD_CALL_RESIDUAL]);
    return c;
}

static rsd_call_costs estimate_mechanism_costs(const resida_problem *q)
{
    const rsd_mechanism *k = q->mechanism;
    const resida_mechanism *m = &k->m;
    const double formalism = FORMALISM * m->n_v, g = CONSTRAINT * m->n_g, product = RECURSION * (m->n_p + m->n_g);
    const struct {
        rsd_callback which;
        int is_there;
        double assumed;
    } all[] = {{RSD_CALL_RESIDUAL, m->residual && !k->is_explicit, formalism},
               {RSD_CALL_ACCELERATION, m->acceleration && k->is_explicit, formalism},
               {RSD_CALL_RESIDUAL_LAM, m->residual_lam && !k->is_explicit, formalism},
               {RSD_CALL_ACCELERATION_LAM, m->acceleration_lam && k->is_explicit, formalism},
               {RSD_CALL_CONSTRAINT, m->n_g > 0, g},
               {RSD_CALL_CONSTRAINT_MATRIX, m->constraint_matrix != NULL, ENTRY * k->gp.nnz},
               {RSD_CALL_CONSTRAINT_FORCE, m->constraint_force != NULL, product},
               {RSD_CALL_CONSTRAINT_VELOCITY, m->constraint_velocity != NULL, product},
               {RSD_CALL_VELOCITY_BIAS, m->velocity_bias != NULL, g},
               {RSD_CALL_ACCELERATION_BIAS, m->acceleration_bias != NULL, g},
               {RSD_CALL_MASS_MATRIX, m->mass_matrix && !k->is_explicit, MASS * m->n_v},
               {RSD_CALL_DERIVATIVES, m->derivatives && !k->is_explicit, DERIVATIVES * m->n_v},
               {RSD_CALL_KINEMATIC_MATRIX, m->kinematic_matrix != NULL, ENTRY * k->T.nnz},
               {RSD_CALL_NONHOLONOMIC_MATRIX, m->n_h > 0, ENTRY * k->Gh.nnz}};
    rsd_call_costs c = {.of = {0}};
    double said[RSD_N_COSTS];
    memcpy(said, &m->cost, sizeof said);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_there) set_cost(&c, all[i].which, said[all[i].which], all[i].assumed);
    if (rsd_problem_has_products(q))
        set_cost(&c, RSD_CALL_RESIDUAL_TIMES, q->products.cost, c.of[RSD_CALL_RESIDUAL] + c.of[RSD_CALL_RESIDUAL_LAM]);
    return c;
}

rsd_call_costs rsd_problem_get_call_costs(const resida_problem *q)
{
    return q->mechanism ? estimate_mechanism_costs(q) : estimate_dae_costs(q);
}

/* Return the cost of dg/dp, computed by its callback, by products, or by differences over groups of columns. */
static double get_matrix_cost(const rsd_mechanism *k, const rsd_call_costs *c)
{
    const double groups = fmin(k->m.n_p, GROUPS);
    if (k->m.constraint_matrix) return c->of[RSD_CALL_CONSTRAINT_MATRIX];
    if (k->m.constraint_velocity) return groups * c->of[RSD_CALL_CONSTRAINT_VELOCITY];
    return CALLS_OF_G * groups * c->of[RSD_CALL_CONSTRAINT];
}

static double get_product_cost(const rsd_call_costs *c)
{
    return 2 * c->of[RSD_CALL_CONSTRAINT_FORCE] + c->of[RSD_CALL_CONSTRAINT_VELOCITY];
}

/* Return the given cost of an inexpensive callback. If no cost is given, return 0, because ROWS includes the cost. */
static double get_given_cost(const rsd_call_costs *c, rsd_callback which)
{
    return c->is_assumed[which] ? 0 : c->of[which];
}

/* Return the cost of gI, or of gamma at acceleration level, if the form contains it. */
static double get_bias_cost(const resida_problem *q, const rsd_call_costs *c)
{
    const resida_mechanism *m = &q->mechanism->m;
    if (m->n_g == 0) return 0;
    if (q->form->level == RSD_ACCELERATION) return get_given_cost(c, RSD_CALL_ACCELERATION_BIAS);
    if (q->form->level != RSD_VELOCITY && !q->form->has_tau) return 0;
    return m->velocity_bias ? get_given_cost(c, RSD_CALL_VELOCITY_BIAS)
                            : CALLS_OF_G * get_given_cost(c, RSD_CALL_CONSTRAINT);
}

void rsd_problem_set_costs(const resida_problem *q, const rsd_call_costs *c, resida_system *system)
{
    const rsd_mechanism *k = q->mechanism;
    const double rows = ROWS * q->layout.n;
    if (!k) {
        system->cost_F = c->of[RSD_CALL_RESIDUAL] + rows;
        system->cost_derivative = c->of[RSD_CALL_DAE_JACOBIAN];
        system->cost_times = c->of[RSD_CALL_JACOBIAN_TIMES];
        return;
    }
    const double formalism = c->of[RSD_CALL_RESIDUAL] + c->of[RSD_CALL_ACCELERATION] + c->of[RSD_CALL_RESIDUAL_LAM] +
                             c->of[RSD_CALL_ACCELERATION_LAM];
    const double T = c->of[RSD_CALL_KINEMATIC_MATRIX] + c->of[RSD_CALL_NONHOLONOMIC_MATRIX];
    const double G = get_matrix_cost(k, c), in_rows = (q->rows->by_products ? get_product_cost(c) : G) + T;
    const double products = PRODUCT * (3.0 * k->gp.nnz + 2.0 * k->T.nnz + 2.0 * k->Gh.nnz);
    const double g = q->form->has_eta || q->form->level == RSD_POSITION ? get_given_cost(c, RSD_CALL_CONSTRAINT) : 0;
    system->cost_F = formalism + in_rows + products + g + get_bias_cost(q, c) + rows;
    system->cost_constraint = in_rows + products + get_bias_cost(q, c) + rows;
    system->cost_known = G + T + c->of[RSD_CALL_MASS_MATRIX] + rows;
    system->cost_derivative = c->of[RSD_CALL_DERIVATIVES];
    system->cost_times = c->of[RSD_CALL_RESIDUAL_TIMES];
}
