/* checks.c - checks the system and the options of an engine. Messages name the wrong member. */
#include "engine_impl.h"

#include <math.h>

#include "base/numbers.h"

/* A list of n positions (row, column) of entries of J, and the range allowed for n. n is -1 if no list is given. */
typedef struct position_list {
    const char *name, *row_name, *column_name; /* names of the members of resida_system, for messages */
    int n, min;                                /* number of positions; minimum of n */
    long max;                                  /* maximum of n */
    const int *row, *column;                   /* [n] positions */
} position_list;

static resida_status check_positions(const position_list *l, const char *name, const int *places, int n,
                                     resida_message *why)
{
    if (l->n > 0 && !places) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is NULL", name);
    for (int k = 0; k < l->n; k++)
        if (places[k] < 0 || places[k] >= n)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s[%d] = %d, must be in 0..%d", name, k, places[k],
                            n - 1);
    return RESIDA_OK;
}

static resida_status check_lists(const resida_system *s, resida_message *why)
{
    const long all = (long)s->n * s->n, of_known = s->constraint ? all : 0, of_constraint = s->constraint ? all : -1;
    const position_list lists[] = {{"n_y", "y_row", "y_column", s->n_y, 0, of_known, s->y_row, s->y_column},
                                   {"n_yp", "yp_row", "yp_column", s->n_yp, 0, all, s->yp_row, s->yp_column},
                                   {"n_formalism", "formalism_row", "formalism_column", s->n_formalism, -1, all,
                                    s->formalism_row, s->formalism_column},
                                   {"n_constraint", "constraint_row", "constraint_column", s->n_constraint, -1,
                                    of_constraint, s->constraint_row, s->constraint_column}};
    for (const position_list *l = lists; l < lists + sizeof lists / sizeof *lists; l++) {
        if (l->n < l->min || l->n > l->max)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s = %d, must be in %d..%ld%s", l->name, l->n, l->min,
                            l->max, l->max == 0 ? " without a constraint part" : "");
        RSD_TRY(check_positions(l, l->row_name, l->row, s->n, why));
        RSD_TRY(check_positions(l, l->column_name, l->column, s->n, why));
    }
    if (s->derivative && s->n_formalism < 0)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT,
                        "system: derivative needs n_formalism, formalism_row and formalism_column");
    if ((s->n_y > 0 || s->n_yp > 0) && !s->known) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: known is NULL");
    const unsigned bits = RESIDA_COLUMN_FORMALISM | RESIDA_COLUMN_CONSTRAINT | RESIDA_COLUMN_YP | RESIDA_COLUMN_LINEAR;
    for (int c = 0; s->columns && c < s->n; c++)
        if (s->columns[c] & ~bits)
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: columns[%d] = %d, must be in 0..%u", c, s->columns[c],
                            bits);
    return RESIDA_OK;
}

static resida_status check_costs(const resida_system *s, resida_message *why)
{
    const struct {
        const char *name;
        double cost;
    } costs[] = {{"cost_F", s->cost_F},
                 {"cost_constraint", s->cost_constraint},
                 {"cost_known", s->cost_known},
                 {"cost_derivative", s->cost_derivative},
                 {"cost_times", s->cost_times}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (!(costs[i].cost >= 0 && costs[i].cost < INFINITY))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s = %g, must be finite and >= 0", costs[i].name,
                            costs[i].cost);
    return RESIDA_OK;
}

static resida_status check_system(const resida_system *s, resida_message *why)
{
    RSD_TRY(rsd_check_size("system", s->size, sizeof *s, why));
    if (s->n < 1 || s->n > RSD_MAX_UNKNOWNS)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n = %d, must be in 1..%d", s->n, RSD_MAX_UNKNOWNS);
    if (!s->F) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: F is NULL");
    if (!s->formalism != !s->constraint)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is given, %s is NULL",
                        s->formalism ? "formalism" : "constraint", s->formalism ? "constraint" : "formalism");
    if (s->curvature && !s->constraint)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: curvature is given, constraint is NULL");
    if (!(s->constraint_rounding >= 0 && s->constraint_rounding < 1))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: constraint_rounding = %g, must be >= 0 and < 1",
                        s->constraint_rounding);
    RSD_TRY(check_lists(s, why));
    RSD_TRY(check_costs(s, why));
    if (s->n_inputs < 0) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_inputs = %d, must be >= 0", s->n_inputs);
    if (s->n_inputs > 0 && (!s->inputs || !s->move_input))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: %s is NULL", s->inputs ? "move_input" : "inputs");
    return RESIDA_OK;
}

static resida_status check_options(const resida_jacobian_options *o, resida_message *why)
{
    RSD_TRY(rsd_check_size("Jacobian options", o->size, sizeof *o, why));
    if (o->allocator && (!o->allocator->allocate || !o->allocator->free))
        return rsd_fail(why, RESIDA_ERR_OPTION, "allocator: allocate and free must both be given");
    if (!o->strategy) return rsd_fail(why, RESIDA_ERR_OPTION, "strategy = NULL, must be a name");
    if ((int)o->differences < 0 || o->differences > RESIDA_DIFFERENCES_CENTRAL)
        return rsd_fail(why, RESIDA_ERR_OPTION, "differences = %d, must be in 0..1", (int)o->differences);
    if (o->threads < 1) return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, must be >= 1", o->threads);
    return RESIDA_OK;
}

static resida_status check_threads(const resida_system *s, int threads, resida_message *why)
{
    if (s->n_workers < 0 || (s->n_workers > 0 && !s->worker))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "system: n_workers = %d, worker is %s", s->n_workers,
                        s->worker ? "given" : "NULL");
    if (threads > 1 && threads > s->n_workers)
        return rsd_fail(why, RESIDA_ERR_OPTION, "threads = %d, but the system has %d workers", threads, s->n_workers);
    return RESIDA_OK;
}

/* Return 1 if columns of the constraint part are differenced. The strategy has no influence on the result. */
static int has_constraint_columns(const resida_system *s)
{
    int n = s->constraint && !s->columns ? s->n : 0;
    for (int c = 0; s->constraint && s->columns && c < s->n; c++) n += (s->columns[c] & RESIDA_COLUMN_CONSTRAINT) != 0;
    return n > 0;
}

/* Check that the options of difference quotients affect the strategy. */
static resida_status check_differences(const rsd_strategy *strategy, const resida_system *s,
                                       const resida_jacobian_options *o, resida_message *why)
{
    if (!strategy->user && !s->times) return RESIDA_OK;
    if (strategy->user && o->threads > 1)
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "threads = %d has no effect with jacobian user, which does not difference the formalism",
                        o->threads);
    if (o->differences == RESIDA_DIFFERENCES_CENTRAL && !has_constraint_columns(s))
        return rsd_fail(why, RESIDA_ERR_OPTION, "differences = central has no effect with %s: nothing is differenced",
                        strategy->user ? "jacobian user" : "products of the model");
    return RESIDA_OK;
}

resida_status rsd_check_engine(const resida_system *s, const resida_jacobian_options *o, const rsd_strategy **strategy,
                               resida_message *why)
{
    RSD_TRY(check_options(o, why));
    RSD_TRY(check_system(s, why));
    RSD_TRY(check_threads(s, o->threads, why));
    *strategy = rsd_find_strategy(o->strategy, s, why);
    return *strategy ? check_differences(*strategy, s, o, why) : RESIDA_ERR_OPTION;
}
