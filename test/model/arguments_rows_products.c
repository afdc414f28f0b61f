/* arguments_rows_products.c - products, of products.h, that there cannot be. */
#include "arguments.h"

static int times_of_dae(double t, const double *y, const double *yp, const resida_excitation *e, int k,
                        const double *dy, const double *dyp, double *out, void *user)
{
    return -1;
}

static int times_of_mechanism(double t, const resida_motion *at, const resida_excitation *e, int k,
                              const resida_motion *d, double *out, void *user)
{
    return -1;
}

/* Products that are right. */
static void of_mechanism(world *w, int way)
{
    w->kept.products.residual_times = times_of_mechanism;
    w->kept.problem_options.products = &w->kept.products;
}

static void of_dae(world *w, int way)
{
    w->kept.products.jacobian_times = times_of_dae;
    w->kept.problem_options.products = &w->kept.products;
}

static void of_both(world *w, int way)
{
    of_mechanism(w, way);
    of_dae(w, way);
}

#define P(field)         kept.products.field
#define M(argument, ...) GIVEN("resida_problem_create", "o." argument, __VA_ARGS__)
#define D(argument, ...) GIVEN("resida_problem_create_dae", "o." argument, __VA_ARGS__)
#define WRONG            0, 8, sizeof(resida_products) + 8.0, 1e18

const arg_row arg_rows_products[] = {
    NULLED("resida_products_init", "products", a.products, OK),
    M("products", "products contains no", of_mechanism, ARG_POINTER, P(residual_times), MODEL, 0),
    M("products", NULL, of_mechanism, ARG_REAL, P(cost), OK, 1),
    M("products.size", "products.size", of_mechanism, ARG_SIZE, P(size), ARGUMENT, WRONG),
    M("products.cost", "products.cost", of_mechanism, ARG_REAL, P(cost), MODEL, NOT_FINITE, -1),
    M("products.jacobian_times", "products.jacobian_times", of_both, ARG_REAL, P(cost), MODEL, 1),
    M("products.residual_times", "products", of_mechanism, ARG_POINTER, P(residual_times), MODEL, 0),
    D("products", "products contains no", of_dae, ARG_POINTER, P(jacobian_times), MODEL, 0),
    D("products", NULL, of_dae, ARG_REAL, P(cost), OK, 1),
    D("products.size", "products.size", of_dae, ARG_SIZE, P(size), ARGUMENT, WRONG),
    D("products.cost", "products.cost", of_dae, ARG_REAL, P(cost), MODEL, NOT_FINITE, -1),
    D("products.jacobian_times", "products", of_dae, ARG_POINTER, P(jacobian_times), MODEL, 0),
    D("products.residual_times", "products.residual_times", of_both, ARG_REAL, P(cost), MODEL, 1),
    END_OF_ROWS,
};
