/* row_json.c - every key is always there; what a solver does not report, what the model has no reference or no
 * constraint for, and what is not finite, is null. */
#include "row_json.h"

#include "derivatives.h"
#include "json_line.h"
#include "row_calls.h"
#include "row_profile.h"
#include "run_end.h"

#include <math.h>
#include <resida/solver.h>

/** "" is unknown. */
static json_t *word(const char *text)
{
    return bench_json_text(text && text[0] ? text : NULL);
}

/** A text, or a number that may be whole, such as 14 rods. */
static json_t *parameter_value(const resida_parameter *parameter, const bench_value *value)
{
    const double x = value->number;
    if (value->word) return bench_json_text(value->word);
    return parameter->whole && fabs(x) < 9e15 ? json_integer((json_int_t)x) : bench_json_real(x);
}

json_t *bench_parameters_json(const bench_model *m)
{
    json_t *object = json_object();
    for (int k = 0; k < m->cls->n_parameters; k++)
        object =
            bench_json_put(object, m->cls->parameters[k].name, parameter_value(&m->cls->parameters[k], &m->values[k]));
    return object;
}

static json_t *versions(const bench_row *row)
{
    char sundials[32];
    int known = resida_sundials_version(sundials, sizeof sundials) >= 0;
    return BENCH_OBJECT({"resida", bench_json_text(resida_version())},
                        {"sundials", bench_json_text(known ? sundials : NULL)}, {"klu", word(bench_klu_version())},
                        {"colpack", word(bench_colpack_version())}, {"compiler", bench_json_text(bench_compiler())},
                        {"peer", bench_json_text(row->version)});
}

static json_t *residual_calls(const resida_stats *s)
{
    return BENCH_OBJECT({"newton", bench_json_count(s->residual_calls.newton)},
                        {"jacobian", bench_json_count(s->residual_calls.jacobian)},
                        {"pattern", bench_json_count(s->residual_calls.pattern)},
                        {"start", bench_json_count(s->residual_calls.start)},
                        {"total", bench_json_count(s->residual_calls.total)});
}

static json_t *updates(const resida_stats *s)
{
    return BENCH_OBJECT({"alpha", bench_json_count(s->jacobian_updates.alpha)},
                        {"excitation", bench_json_count(s->jacobian_updates.excitation)},
                        {"blocks", bench_json_count(s->jacobian_updates.blocks)});
}

static json_t *setups(const resida_stats *s)
{
    return BENCH_OBJECT({"first", bench_json_count(s->setups.first)}, {"alpha", bench_json_count(s->setups.alpha)},
                        {"failure", bench_json_count(s->setups.failure)}, {"other", bench_json_count(s->setups.other)},
                        {"attempt", bench_json_count(s->setups.attempt)});
}

static json_t *evaluations(const resida_stats *s)
{
    return BENCH_OBJECT({"dense", bench_json_count(s->jacobian_evaluations.dense)},
                        {"coloured", bench_json_count(s->jacobian_evaluations.coloured)},
                        {"user", bench_json_count(s->jacobian_evaluations.user)},
                        {"partial", bench_json_count(s->jacobian_evaluations.partial)});
}

static json_t *order_limits(const resida_stats *s)
{
    return BENCH_OBJECT({"set", bench_json_count(s->order_limits.set)},
                        {"freed", bench_json_count(s->order_limits.freed)},
                        {"steps", bench_json_count(s->order_limits.steps)});
}

/** Groups of columns; 0 means that columns are not grouped. */
static json_t *groups(int n)
{
    return n > 0 ? json_integer(n) : json_null();
}

static json_t *cpu(const bench_row *row)
{
    return BENCH_OBJECT({"min", bench_json_real(row->cpu_s.min)}, {"median", bench_json_real(row->cpu_s.median)},
                        {"iqr", bench_json_real(row->cpu_s.iqr)}, {"repeats", bench_json_count(row->cpu_s.repeats)});
}

/** n texts that are `size` apart. */
static json_t *texts(const char *text, size_t size, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++, text += size) list = bench_json_append(list, bench_json_text(text));
    return list;
}

static json_t *three(const bench_groups *x)
{
    return BENCH_OBJECT({"p", bench_json_real(x->p)}, {"v", bench_json_real(x->v)}, {"lam", bench_json_real(x->lam)});
}

/** What a second run says of this one, and what it has cost. */
static json_t *estimate(const bench_row *row)
{
    const bench_row *fine = row->fine;
    if (!fine) return json_null();
    const resida_stats *s = &fine->stats;
    return BENCH_OBJECT({"error", three(&row->estimate.error)}, {"digits", three(&row->estimate.digits)},
                        {"weighted_error", three(&row->estimate.weighted)}, {"rtol", bench_json_real(fine->rtol)},
                        {"atol", bench_json_real(fine->atol)}, {"step", bench_json_real(fine->step)},
                        {"status", bench_json_text(bench_outcome_name(fine->outcome))},
                        {"code", bench_json_text(fine->code)}, {"message", bench_json_text(fine->message)},
                        {"t_reached", bench_json_real(fine->t_reached)}, {"steps", bench_json_count(s->steps)},
                        {"newton_iterations", bench_json_count(s->newton_iterations)},
                        {"residual_calls", residual_calls(s)}, {"jacobian_evaluations", evaluations(s)},
                        {"factorisations", bench_json_count(s->factorisations)},
                        {"cpu_s", bench_json_real(fine->cpu_s.median)}, {"wall_s", bench_json_real(fine->cpu_s.wall)});
}

/** The last state; of a general DAE y alone. */
static json_t *last_state(const bench_row *row)
{
    const bench_run_end *e = row->last;
    if (!e || !isfinite(e->reached)) return json_null();
    json_t *t = bench_json_real(e->reached), *p = bench_json_reals(e->p, e->n_p, 1);
    json_t *d = bench_derivatives_json(row->derivatives);
    if (row->model->model.is_dae) return BENCH_OBJECT({"t", t}, {"y", p}, {"sensitivity", d});
    return BENCH_OBJECT({"t", t}, {"p", p}, {"v", bench_json_reals(e->v, e->n_v, 1)},
                        {"lam", bench_json_reals(e->lam, e->n_lam, 1)}, {"sensitivity", d});
}

/** The model's outputs by name. */
static json_t *outputs(const bench_row *row)
{
    const resida_model *m = &row->model->model;
    if (!row->outputs) return json_null();
    json_t *object = json_object();
    for (int i = 0; i < m->n_outputs; i++)
        object = bench_json_put(object, m->output_names[i], bench_json_real(row->outputs[i]));
    return object;
}

json_t *bench_row_json(const bench_row *row)
{
    const resida_stats *s = &row->stats;
    return BENCH_OBJECT(
        {"solver", bench_json_text(row->solver)}, {"problem", bench_json_text(row->model->cls->name)},
        {"params", bench_parameters_json(row->model)}, {"formalism", word(row->formalism)}, {"form", word(row->form)},
        {"method", word(row->method)}, {"step", bench_json_real(row->step)}, {"jacobian", word(row->jacobian)},
        {"jacobian_asked", word(row->asked)}, {"jacobian_reason", word(s->jacobian_reason)},
        {"rtol", bench_json_real(row->rtol)}, {"atol", bench_json_real(row->atol)},
        {"status", bench_json_text(bench_outcome_name(row->outcome))}, {"code", bench_json_text(row->code)},
        {"message", bench_json_text(row->message)},
        {"warnings", texts(row->warnings[0], sizeof row->warnings[0], row->n_warnings)},
        {"hints", texts(row->hints[0], sizeof row->hints[0], row->n_hints)}, {"t_end", bench_json_real(row->t_end)},
        {"t_reached", bench_json_real(row->t_reached)}, {"end", last_state(row)},
        {"sensitivity", bench_derivatives_counts(row->derivatives)}, {"outputs", outputs(row)},
        {"event_list", row->events ? json_deep_copy(row->events) : json_null()},
        {"max_order", bench_json_count(row->max_order)}, {"steps", bench_json_count(s->steps)},
        {"error_test_fails", bench_json_count(s->error_test_fails)},
        {"error_test_repeats", bench_json_count(s->error_test_repeats)}, {"order_limits", order_limits(s)},
        {"newton_iterations", bench_json_count(s->newton_iterations)},
        {"newton_fails", bench_json_count(s->newton_fails)}, {"residual_calls", residual_calls(s)},
        {"callback_calls", bench_calls_json(s)}, {"callback_costs", bench_costs_json(s)},
        {"profile", bench_profile_json(s)}, {"limits", bench_limits_json(row)},
        {"jacobian_evaluations", evaluations(s)}, {"jacobian_updates", updates(s)},
        {"pattern_updates", bench_json_count(s->pattern_updates)}, {"kinks", bench_json_count(s->kinks)},
        {"jumps", bench_json_count(s->jumps)}, {"setups", setups(s)},
        {"factorisations", bench_json_count(s->factorisations)}, {"solves", bench_json_count(s->solves)},
        {"groups", groups(s->groups)}, {"groups_bound", groups(s->groups_bound)}, {"n", bench_json_count(s->n)},
        {"nnz", bench_json_count(s->nnz)}, {"linear_solver", word(s->linear_solver)},
        {"events", bench_json_count(s->events)}, {"root_calls", bench_json_count(s->root_calls)},
        {"events_in_doubt", bench_json_count(s->events_in_doubt)},
        {"coordinate_changes", bench_json_count(s->coordinate_changes)},
        {"row_changes", bench_json_count(s->row_changes)}, {"row_looks", bench_json_count(s->row_looks)},
        {"dropped_rows", word(row->dropped)}, {"order", bench_json_count(s->order)}, {"h_last", bench_json_real(s->h)},
        {"cpu_s", cpu(row)}, {"wall_s", bench_json_real(row->cpu_s.wall)}, {"error", three(&row->error)},
        {"digits", three(&row->digits)}, {"weighted_error", three(&row->weighted)}, {"estimate", estimate(row)},
        {"drift", BENCH_OBJECT({"g", bench_json_real(row->drift.g)}, {"gv", bench_json_real(row->drift.gv)},
                               {"k", bench_json_real(row->drift.k)})},
        {"versions", versions(row)});
}
