/* result.c - the result of a run as text and as JSON, with the same numbers. Unknown numbers are "-" or null. */
#include "result.h"

#include "program/output/json_line.h"
#include "program/output/row_json.h"
#include "program/output/row_text.h"
#include "row_profile.h"

#include <math.h>
#include <resida/solver.h>
#include <string.h>

enum {
    WIDTH = 118, /* of a line, in characters */
    MARGIN = 15, /* indentation of values */
    CELL = 64,
    MANY_PARAMETERS = 30 /* up to this number all are listed; else only those that are not defaults */
};

/** Return a number of correct digits as text. */
static const char *format_digits(double value)
{
    return isfinite(value) ? cmd_number("%.1f", value) : "-";
}

static const char *get_text_or_dash(const char *text)
{
    return text && text[0] ? text : "-";
}

/** Write the number of calls of each callback, if the solver reports them. */
static void write_calls(const resida_stats *s, FILE *f)
{
    const char *name;
    int column = 0;
    for (int i = 0; (name = resida_callback_at(i)); i++) {
        char text[CELL];
        if (cmd_calls_of(s, i) <= 0) continue;
        const int length = snprintf(text, sizeof text, "%s %ld", name, cmd_calls_of(s, i));
        if (column == 0)
            column = fprintf(f, "  %-*s", MARGIN - 2, "callbacks");
        else if (column + length + 2 > WIDTH)
            column = fprintf(f, ",\n%*s", MARGIN, "") - 2;
        else
            column += fprintf(f, ", ");
        column += fprintf(f, "%s", text);
    }
    if (column > 0) fputc('\n', f);
}

const char *cmd_row_reference(const cmd_row *row, char text[CMD_REFERENCE_SIZE])
{
    const resida_model *m = &row->model->model;
    const double *doubt = m->reference_doubt;
    const char *source = m->reference_source ? m->reference_source : "the model's";
    snprintf(text, CMD_REFERENCE_SIZE, "%s", row->has_reference ? source : "");
    if (!row->has_reference || !doubt) return text;
    const size_t used = strlen(text), room = CMD_REFERENCE_SIZE - used;
    if (m->is_dae)
        snprintf(text + used, room, "; doubt y %s", cmd_format_error(doubt[0]));
    else
        snprintf(text + used, room, "; doubt p %s, v %s, lam %s", cmd_format_error(doubt[0]),
                 cmd_format_error(doubt[1]), cmd_format_error(doubt[2]));
    return text;
}

/** Write the parameters; if there are many, only those that differ from the defaults. */
static void write_parameters(const cmd_model *m, FILE *f)
{
    const int n = m->cls->n_parameters;
    const char *before = "  parameters   ";
    int n_usual = 0;
    for (int k = 0; k < n; k++) {
        if (n > MANY_PARAMETERS && cmd_value_is_default(&m->values[k], &m->cls->parameters[k])) {
            n_usual++;
            continue;
        }
        fprintf(f, "%s%s = %s", before, m->cls->parameters[k].name, cmd_value_text(&m->values[k]));
        before = ", ";
    }
    if (n_usual > 0) fprintf(f, "%s%d with default values (resida models)", n_usual < n ? "; " : before, n_usual);
    if (n > 0) fputc('\n', f);
}

static void write_problem(const cmd_row *row, FILE *f)
{
    char jacobian[CMD_STRATEGY_SIZE];
    const cmd_model *m = row->model;
    fprintf(f, "%s: %s\n", m->cls->name, m->cls->text);
    write_parameters(m, f);
    fprintf(f, "  solved by    %s, ", row->solver);
    if (m->model.is_dae)
        fputs("general DAE, ", f);
    else
        fprintf(f, "%s formalism, form %s, ", get_text_or_dash(row->formalism), get_text_or_dash(row->form));
    fprintf(f, "Jacobian %s, linear solver %s\n", cmd_row_strategy(row, jacobian),
            get_text_or_dash(row->stats.linear_solver));
    if (isfinite(row->step)) fprintf(f, "  method       %s, step %s\n", row->method, cmd_format_shortest(row->step));
    fprintf(f, "  tolerances   rtol %s, atol %s\n", cmd_format_shortest(row->rtol), cmd_format_shortest(row->atol));
}

static void write_result(const cmd_row *row, FILE *f)
{
    fprintf(f, "  result       %s", cmd_outcome_name(row->outcome));
    if (isfinite(row->t_reached)) fprintf(f, ", t = %.8g", row->t_reached);
    if (row->outcome != CMD_OK && isfinite(row->t_reached)) fprintf(f, " of %.8g", row->t_end);
    if (!isfinite(row->t_reached)) fputs(" at the start", f);
    if (row->code) fprintf(f, " (%s)", row->code);
    fputc('\n', f);
    if (row->outcome == CMD_FAILED) fprintf(f, "  reason       %s\n", row->message);
    if (row->code && strcmp(row->code, resida_status_name(RESIDA_ERR_REDUNDANT)) == 0 &&
        strstr(row->message, "redundant at")) /* otherwise constraints or contacts are contradictory */
        fputs("  remedy       --drop-redundant drops the constraints that depend on others\n", f);
    if (row->outcome == CMD_FAILED && strstr(row->message, "redundant = drop and rank_tolerance"))
        fputs("  remedy       --drop-redundant with --rank-tolerance, if the data of the model are less accurate\n", f);
    for (int i = 0; i < row->n_warnings; i++) fprintf(f, "  warning      %s\n", row->warnings[i]);
}

static void write_time(const cmd_row *row, FILE *f)
{
    fprintf(f, "  cpu time     %s ms", cmd_format_milliseconds(row->cpu_s.median));
    if (row->cpu_s.repeats > 1)
        fprintf(f, " median of %ld runs, min %s, interquartile range %s", row->cpu_s.repeats,
                cmd_format_milliseconds(row->cpu_s.min), cmd_format_milliseconds(row->cpu_s.iqr));
    fputc('\n', f);
}

/** Write the counters of a run that failed at its start. */
static void write_start(const resida_stats *s, FILE *f)
{
    fprintf(f, "  size         %s unknowns\n", cmd_count(s->n));
    fprintf(f, "  residuals    %s, no step was attempted\n", cmd_count(s->residual_calls.total));
    write_calls(s, f);
}

static void write_counters(const cmd_row *row, FILE *f)
{
    const resida_stats *s = &row->stats;
    fprintf(f, "  size         %s unknowns, %s entries in J", cmd_count(s->n), cmd_count(s->nnz));
    if (s->groups > 0) fprintf(f, ", columns in %d groups (at least %s)", s->groups, cmd_count(s->groups_bound));
    fputc('\n', f);
    fprintf(f, "  steps        %s, %s error test failures; order %s and h = %s s at last\n", cmd_count(s->steps),
            cmd_count(s->error_test_fails), cmd_count(s->order), cmd_format_error(s->h));
    if (s->order_limits.set > 0)
        fprintf(f,
                "  order        limited to 2 or 3 for stability %s times, limit removed %s times, %s steps with the "
                "limit\n",
                cmd_count(s->order_limits.set), cmd_count(s->order_limits.freed), cmd_count(s->order_limits.steps));
    fprintf(f, "  Newton       %s iterations, %s failures\n", cmd_count(s->newton_iterations),
            cmd_count(s->newton_fails));
    fprintf(f, "  residuals    %s = Newton %s + Jacobian %s + pattern %s + start %s\n",
            cmd_count(s->residual_calls.total), cmd_count(s->residual_calls.newton),
            cmd_count(s->residual_calls.jacobian), cmd_count(s->residual_calls.pattern),
            cmd_count(s->residual_calls.start));
    fprintf(f, "  Jacobian     evaluated %s dense, %s coloured; updated %s, %s with excitation, %s with blocks\n",
            cmd_count(s->jacobian_evaluations.dense), cmd_count(s->jacobian_evaluations.coloured),
            cmd_count(s->jacobian_updates.alpha), cmd_count(s->jacobian_updates.excitation),
            cmd_count(s->jacobian_updates.blocks));
    if (s->repairs > 0)
        fprintf(f, "  repairs      %s times in place of an evaluation, with %s residual calls\n", cmd_count(s->repairs),
                cmd_count(s->repair_calls));
    fprintf(f, "  set up       %s first, %s alpha, %s failure, %s other, %s attempt\n", cmd_count(s->setups.first),
            cmd_count(s->setups.alpha), cmd_count(s->setups.failure), cmd_count(s->setups.other),
            cmd_count(s->setups.attempt));
    write_calls(s, f);
    if (s->root_calls > 0)
        fprintf(f, "  events       %s%s, %s in doubt, %s root calls\n", cmd_count(s->events),
                row->model->model.contacts ? " including those of open contacts, which have no row" : "",
                cmd_count(s->events_in_doubt), cmd_count(s->root_calls));
}

/* Write the redundant constraints that were dropped. */
static void write_dropped_rows(const cmd_row *row, FILE *f)
{
    if (row->dropped[0])
        fprintf(f, "  dropped      %s; chosen %s times more\n", row->dropped, cmd_count(row->stats.row_changes));
}

/** Write "p 1.0e-05, v 2.0e-05, lam 1.0e-03, absolute; relative: 5.1, 4.4, 3.0 digits". */
static void write_groups(int is_dae, const cmd_groups *error, const cmd_groups *digits, FILE *f)
{
    if (is_dae) {
        fprintf(f, "%s, absolute; relative: %s digits", cmd_format_error(error->p), format_digits(digits->p));
        return;
    }
    fprintf(f, "p %s, v %s, lam %s, absolute; ", cmd_format_error(error->p), cmd_format_error(error->v),
            cmd_format_error(error->lam));
    fprintf(f, "relative: %s, %s, %s digits", format_digits(digits->p), format_digits(digits->v),
            format_digits(digits->lam));
}

static void write_estimate(const cmd_row *row, FILE *f)
{
    const cmd_row *fine = row->fine;
    if (!fine) return;
    fputs("  estimate     ", f);
    if (fine->outcome == CMD_OK)
        write_groups(row->model->model.is_dae, &row->estimate.error, &row->estimate.digits, f);
    else
        fprintf(f, "none: %s", fine->message);
    fprintf(f, "\n  second run   rtol %s, atol %s", cmd_format_shortest(fine->rtol), cmd_format_shortest(fine->atol));
    if (isfinite(fine->step)) fprintf(f, ", step %s", cmd_format_shortest(fine->step));
    fprintf(f, ": %s steps, %s residual calls", cmd_count(fine->stats.steps),
            cmd_count(fine->stats.residual_calls.total));
    fprintf(f, ", %s ms\n", cmd_format_milliseconds(fine->cpu_s.median));
}

static void write_errors(const cmd_row *row, FILE *f)
{
    char source[CMD_REFERENCE_SIZE];
    int known = isfinite(row->error.p) || isfinite(row->error.v) || isfinite(row->error.lam);
    if (known) fputs("  error        ", f);
    if (known) write_groups(row->model->model.is_dae, &row->error, &row->digits, f);
    if (row->has_reference && !known)
        fprintf(f, "  error        below %d times the uncertainty of the reference", CMD_CREDIBLE);
    if (row->has_reference) fprintf(f, "\n  reference    %s\n", cmd_row_reference(row, source));
    write_estimate(row, f);
    const int has_g = isfinite(row->drift.gv), has_k = isfinite(row->drift.k);
    if (has_g || has_k) fputs("  drift        ", f);
    if (has_g) fprintf(f, "|g| %s, |G v + gI| %s", cmd_format_error(row->drift.g), cmd_format_error(row->drift.gv));
    if (has_k) fprintf(f, "%s|k| %s", has_g ? ", " : "", cmd_format_error(row->drift.k));
    if (has_g || has_k) fputs("\n", f);
}

void cmd_result_text(const cmd_row *row, const cmd_derivatives *d, FILE *stream)
{
    char sundials[32];
    write_problem(row, stream);
    write_result(row, stream);
    write_time(row, stream);
    if (row->outcome == CMD_FAILED && row->stats.steps <= 0 && row->stats.newton_iterations <= 0)
        write_start(&row->stats, stream);
    else if (row->model->model.counted && *row->model->model.counted)
        fprintf(stream, "  counted      %s\n", row->model->model.counted);
    else
        write_counters(row, stream);
    cmd_derivatives_text(d, stream);
    write_dropped_rows(row, stream);
    write_errors(row, stream);
    cmd_limits_text(row, stream);
    cmd_profile_text(&row->stats, stream);
    if (resida_sundials_version(sundials, sizeof sundials) < 0) sundials[0] = 0;
    fprintf(stream, "  versions     resida %s, SUNDIALS %s, %s", resida_version(), get_text_or_dash(sundials),
            cmd_compiler());
    fprintf(stream, "%s%s\n", row->version ? ", by " : "", row->version ? row->version : "");
    for (int i = 0; i < row->n_hints; i++) fprintf(stream, "  hint         %s\n", row->hints[i]);
}

json_t *cmd_result_json(const cmd_row *row, const cmd_derivatives *d)
{
    json_t *object = CMD_EXTENDED(cmd_row_json(row), {"sensitivity", cmd_derivatives_counts(d)},
                                  {"profile", cmd_profile_json(&row->stats)}, {"limits", cmd_limits_json(row)});
    json_t *end = json_object_get(object, "end");
    if (json_is_null(end)) return object;
    return cmd_json_put(object, "end", cmd_json_put(json_incref(end), "sensitivity", cmd_derivatives_json(d)));
}
