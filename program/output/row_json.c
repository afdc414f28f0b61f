/* row_json.c - writes a row as JSON. Every key is always present. A value is null if the solver does not report it, if
 * the model has no reference or constraint for it, or if it is not finite. Sensitivities and profiles are null here,
 * because only `solve` has them (command/solve/result.c). */
#include "row_json.h"

#include "json_line.h"
#include "run_end.h"

#include <math.h>
#include <resida/solver.h>
#include <string.h>

/** A member with a counter of stats `s`. */
#define COUNT(key, member)                                                                                             \
    {                                                                                                                  \
        key, cmd_json_count(s->member)                                                                                 \
    }

/** Return a text; null if it is "". */
static json_t *text_or_null(const char *text)
{
    return cmd_json_text(text && text[0] ? text : NULL);
}

/** Return the value of a parameter: a text, or a number, which may be an integer. */
static json_t *parameter_value(const resida_parameter *parameter, const cmd_value *value)
{
    const double x = value->number;
    if (value->word) return cmd_json_text(value->word);
    return parameter->whole && fabs(x) < 9e15 ? json_integer((json_int_t)x) : cmd_json_real(x);
}

json_t *cmd_parameters_json(const cmd_model *m)
{
    json_t *object = json_object();
    for (int k = 0; k < m->cls->n_parameters; k++)
        object =
            cmd_json_put(object, m->cls->parameters[k].name, parameter_value(&m->cls->parameters[k], &m->values[k]));
    return object;
}

static json_t *versions_json(const cmd_row *row)
{
    char sundials[32];
    int known = resida_sundials_version(sundials, sizeof sundials) >= 0;
    return CMD_OBJECT({"resida", cmd_json_text(resida_version())}, {"sundials", cmd_json_text(known ? sundials : NULL)},
                      {"klu", text_or_null(cmd_klu_version())}, {"colpack", text_or_null(cmd_colpack_version())},
                      {"compiler", cmd_json_text(cmd_compiler())}, {"peer", cmd_json_text(row->version)});
}

static json_t *residual_calls_json(const resida_stats *s)
{
    return CMD_OBJECT(COUNT("newton", residual_calls.newton), COUNT("jacobian", residual_calls.jacobian),
                      COUNT("pattern", residual_calls.pattern), COUNT("start", residual_calls.start),
                      COUNT("total", residual_calls.total));
}

static json_t *updates_json(const resida_stats *s)
{
    return CMD_OBJECT(COUNT("alpha", jacobian_updates.alpha), COUNT("excitation", jacobian_updates.excitation),
                      COUNT("blocks", jacobian_updates.blocks));
}

static json_t *setups_json(const resida_stats *s)
{
    return CMD_OBJECT(COUNT("first", setups.first), COUNT("alpha", setups.alpha), COUNT("failure", setups.failure),
                      COUNT("other", setups.other), COUNT("attempt", setups.attempt));
}

static json_t *evaluations_json(const resida_stats *s)
{
    return CMD_OBJECT(COUNT("dense", jacobian_evaluations.dense), COUNT("coloured", jacobian_evaluations.coloured),
                      COUNT("user", jacobian_evaluations.user), COUNT("partial", jacobian_evaluations.partial),
                      COUNT("repaired", repairs), COUNT("repair_calls", repair_calls));
}

static json_t *order_limits_json(const resida_stats *s)
{
    return CMD_OBJECT(COUNT("set", order_limits.set), COUNT("freed", order_limits.freed),
                      COUNT("steps", order_limits.steps));
}

/** Return the number of calls of each callback. */
static json_t *callback_calls_json(const resida_stats *s)
{
    json_t *object = json_object();
    const char *name;
    for (int i = 0; (name = resida_callback_at(i)); i++)
        object = cmd_json_put(object, name, cmd_json_count(cmd_calls_of(s, i)));
    return object;
}

/** Return the assumed cost of a call of each callback, and of a product, in operations. 0: the callback does not exist,
 *  or no decision depends on its cost. */
static json_t *callback_costs_json(const resida_stats *s)
{
    enum { N = sizeof s->callback_costs / sizeof(double) };
    double operations[N];
    json_t *object = json_object();
    memcpy(operations, &s->callback_costs, sizeof operations);
    for (int i = 0; i < N; i++) object = cmd_json_put(object, resida_callback_at(i), cmd_json_real(operations[i]));
    return cmd_json_put(object, "products", cmd_json_real(s->product_cost));
}

/** Return the number of groups of columns; null for 0, if columns are not grouped. */
static json_t *groups_json(int n)
{
    return n > 0 ? json_integer(n) : json_null();
}

static json_t *cpu_json(const cmd_row *row)
{
    return CMD_OBJECT({"min", cmd_json_real(row->cpu_s.min)}, {"median", cmd_json_real(row->cpu_s.median)},
                      {"iqr", cmd_json_real(row->cpu_s.iqr)}, {"repeats", cmd_json_count(row->cpu_s.repeats)});
}

/** Return a list of n texts that are `size` bytes apart. */
static json_t *texts_json(const char *text, size_t size, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++, text += size) list = cmd_json_append(list, cmd_json_text(text));
    return list;
}

static json_t *groups_of_unknowns_json(const cmd_groups *x)
{
    return CMD_OBJECT({"p", cmd_json_real(x->p)}, {"v", cmd_json_real(x->v)}, {"lam", cmd_json_real(x->lam)});
}

/** Return the uncertainty of the reference; null if there is none. */
static json_t *uncertainty_json(const cmd_row *row)
{
    const double *x = row->model->model.reference_doubt;
    return row->has_reference && x ? groups_of_unknowns_json(&(cmd_groups){x[0], x[1], x[2]}) : json_null();
}

/** Return the error estimate from the second run, and the cost of that run. */
static json_t *estimate_json(const cmd_row *row)
{
    const cmd_row *fine = row->fine;
    if (!fine) return json_null();
    const resida_stats *s = &fine->stats;
    return CMD_OBJECT({"error", groups_of_unknowns_json(&row->estimate.error)},
                      {"digits", groups_of_unknowns_json(&row->estimate.digits)},
                      {"weighted_error", groups_of_unknowns_json(&row->estimate.weighted)},
                      {"rtol", cmd_json_real(fine->rtol)}, {"atol", cmd_json_real(fine->atol)},
                      {"step", cmd_json_real(fine->step)}, {"status", cmd_json_text(cmd_outcome_name(fine->outcome))},
                      {"code", cmd_json_text(fine->code)}, {"message", cmd_json_text(fine->message)},
                      {"t_reached", cmd_json_real(fine->t_reached)}, COUNT("steps", steps),
                      COUNT("newton_iterations", newton_iterations), {"residual_calls", residual_calls_json(s)},
                      {"jacobian_evaluations", evaluations_json(s)}, COUNT("factorisations", factorisations),
                      {"cpu_s", cmd_json_real(fine->cpu_s.median)}, {"wall_s", cmd_json_real(fine->cpu_s.wall)});
}

/** Return the last state; for a general DAE only y. */
static json_t *last_state_json(const cmd_row *row)
{
    const cmd_run_end *e = row->last;
    if (!e || !isfinite(e->reached)) return json_null();
    json_t *t = cmd_json_real(e->reached), *p = cmd_json_reals(e->p, e->n_p, 1);
    if (row->model->model.is_dae) return CMD_OBJECT({"t", t}, {"y", p}, {"sensitivity", json_null()});
    return CMD_OBJECT({"t", t}, {"p", p}, {"v", cmd_json_reals(e->v, e->n_v, 1)},
                      {"lam", cmd_json_reals(e->lam, e->n_lam, 1)}, {"sensitivity", json_null()});
}

/** Return the outputs of the model by name. */
static json_t *outputs_json(const cmd_row *row)
{
    const resida_model *m = &row->model->model;
    if (!row->outputs) return json_null();
    json_t *object = json_object();
    for (int i = 0; i < m->n_outputs; i++)
        object = cmd_json_put(object, m->output_names[i], cmd_json_real(row->outputs[i]));
    return object;
}

json_t *cmd_row_json(const cmd_row *row)
{
    const resida_stats *s = &row->stats;
    return CMD_OBJECT(
        {"solver", cmd_json_text(row->solver)}, {"problem", cmd_json_text(row->model->cls->name)},
        {"params", cmd_parameters_json(row->model)}, {"formalism", text_or_null(row->formalism)},
        {"form", text_or_null(row->form)}, {"method", text_or_null(row->method)}, {"step", cmd_json_real(row->step)},
        {"jacobian", text_or_null(row->jacobian)}, {"jacobian_asked", text_or_null(row->asked)},
        {"jacobian_reason", text_or_null(s->jacobian_reason)}, {"rtol", cmd_json_real(row->rtol)},
        {"atol", cmd_json_real(row->atol)}, {"status", cmd_json_text(cmd_outcome_name(row->outcome))},
        {"code", cmd_json_text(row->code)}, {"message", cmd_json_text(row->message)},
        {"warnings", texts_json(row->warnings[0], sizeof row->warnings[0], row->n_warnings)},
        {"hints", texts_json(row->hints[0], sizeof row->hints[0], row->n_hints)}, {"t_end", cmd_json_real(row->t_end)},
        {"t_reached", cmd_json_real(row->t_reached)}, {"end", last_state_json(row)}, {"sensitivity", json_null()},
        {"outputs", outputs_json(row)}, {"event_list", row->events ? json_deep_copy(row->events) : json_null()},
        {"max_order", cmd_json_count(row->max_order)}, COUNT("steps", steps),
        COUNT("error_test_fails", error_test_fails), COUNT("error_test_repeats", error_test_repeats),
        {"order_limits", order_limits_json(s)}, COUNT("newton_iterations", newton_iterations),
        COUNT("newton_fails", newton_fails), {"residual_calls", residual_calls_json(s)},
        {"callback_calls", callback_calls_json(s)}, {"callback_costs", callback_costs_json(s)},
        {"profile", json_null()}, {"limits", json_null()}, {"jacobian_evaluations", evaluations_json(s)},
        {"jacobian_updates", updates_json(s)}, COUNT("pattern_updates", pattern_updates), COUNT("kinks", kinks),
        COUNT("jumps", jumps), {"setups", setups_json(s)}, COUNT("factorisations", factorisations),
        COUNT("solves", solves), {"groups", groups_json(s->groups)}, {"groups_bound", groups_json(s->groups_bound)},
        COUNT("n", n), COUNT("nnz", nnz), {"linear_solver", text_or_null(s->linear_solver)}, COUNT("events", events),
        COUNT("root_calls", root_calls), COUNT("events_in_doubt", events_in_doubt),
        COUNT("coordinate_changes", coordinate_changes), COUNT("row_changes", row_changes),
        COUNT("row_looks", row_looks), {"dropped_rows", text_or_null(row->dropped)}, COUNT("order", order),
        {"h_last", cmd_json_real(s->h)}, {"cpu_s", cpu_json(row)}, {"wall_s", cmd_json_real(row->cpu_s.wall)},
        {"error", groups_of_unknowns_json(&row->error)}, {"digits", groups_of_unknowns_json(&row->digits)},
        {"weighted_error", groups_of_unknowns_json(&row->weighted)},
        {"reference", text_or_null(row->has_reference ? row->model->model.reference_source : NULL)},
        {"reference_doubt", uncertainty_json(row)}, {"estimate", estimate_json(row)},
        {"drift", CMD_OBJECT({"g", cmd_json_real(row->drift.g)}, {"gv", cmd_json_real(row->drift.gv)},
                             {"k", cmd_json_real(row->drift.k)})},
        {"versions", versions_json(row)});
}
