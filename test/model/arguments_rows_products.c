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

/* Products that are right, of one kind. */
static resida_products *hand_over(world *w, int of_dae)
{
    resida_products *p = &w->kept.products;
    resida_products_init(p);
    if (of_dae)
        p->jacobian_times = times_of_dae;
    else
        p->residual_times = times_of_mechanism;
    w->kept.problem_options.products = p;
    return p;
}

static size_t wrong_size(int way)
{
    return (const size_t[]){0, 8, sizeof(resida_products) + 8, SIZE_MAX}[way];
}

static double no_cost(int way)
{
    return (const double[]){NAN, INFINITY, -INFINITY, -1}[way];
}

static void size_with_dae(world *w, int way)
{
    hand_over(w, 1)->size = wrong_size(way);
}

static void size_with_mechanism(world *w, int way)
{
    hand_over(w, 0)->size = wrong_size(way);
}

static void cost_with_dae(world *w, int way)
{
    hand_over(w, 1)->cost = no_cost(way);
}

static void cost_with_mechanism(world *w, int way)
{
    hand_over(w, 0)->cost = no_cost(way);
}

static void nothing_with_dae(world *w, int way)
{
    hand_over(w, 1)->jacobian_times = NULL;
}

static void nothing_with_mechanism(world *w, int way)
{
    hand_over(w, 0)->residual_times = NULL;
}

static void of_a_dae_with_mechanism(world *w, int way)
{
    hand_over(w, 0)->jacobian_times = times_of_dae;
}

static void of_a_mechanism_with_dae(world *w, int way)
{
    hand_over(w, 1)->residual_times = times_of_mechanism;
}

static void right_with_dae(world *w, int way)
{
    hand_over(w, 1)->cost = 1;
}

static void right_with_mechanism(world *w, int way)
{
    hand_over(w, 0)->cost = 1;
}

#define M(argument, named, n_ways, spoil, S) WAYS_SAYING("resida_problem_create", argument, named, n_ways, spoil, S)
#define D(argument, named, n_ways, spoil, S) WAYS_SAYING("resida_problem_create_dae", argument, named, n_ways, spoil, S)

const arg_row arg_rows_products[] = {
    NULLED("resida_products_init", "products", a.products, RESIDA_OK),
    M("o.products", "products contains no", 1, nothing_with_mechanism, RESIDA_ERR_MODEL),
    M("o.products", "products", 1, right_with_mechanism, RESIDA_OK),
    M("o.products.size", "products.size", 4, size_with_mechanism, RESIDA_ERR_ARGUMENT),
    M("o.products.cost", "products.cost", 4, cost_with_mechanism, RESIDA_ERR_MODEL),
    M("o.products.jacobian_times", "products.jacobian_times", 1, of_a_dae_with_mechanism, RESIDA_ERR_MODEL),
    M("o.products.residual_times", "products", 1, nothing_with_mechanism, RESIDA_ERR_MODEL),
    D("o.products", "products contains no", 1, nothing_with_dae, RESIDA_ERR_MODEL),
    D("o.products", "products", 1, right_with_dae, RESIDA_OK),
    D("o.products.size", "products.size", 4, size_with_dae, RESIDA_ERR_ARGUMENT),
    D("o.products.cost", "products.cost", 4, cost_with_dae, RESIDA_ERR_MODEL),
    D("o.products.jacobian_times", "products", 1, nothing_with_dae, RESIDA_ERR_MODEL),
    D("o.products.residual_times", "products.residual_times", 1, of_a_mechanism_with_dae, RESIDA_ERR_MODEL),
    END_OF_ROWS,
};
