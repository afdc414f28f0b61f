/* row_text.c - writes the numbers of the JSON rows as text. Unknown numbers are "-"; times are in milliseconds. */
#include "row_text.h"

#include <math.h>
#include <resida/solver.h>
#include <string.h>

const char *cmd_count(long value)
{
    return value < 0 ? "-" : cmd_number("%ld", value);
}

/** Format a number; infinite numbers are unknown too. */
static const char *format_finite(const char *format, double value)
{
    return isfinite(value) ? cmd_number(format, value) : "-";
}

const char *cmd_format_error(double value)
{
    return value == 0 ? "0" : format_finite("%.1e", value);
}

const char *cmd_format_milliseconds(double seconds)
{
    return format_finite("%.3f", 1e3 * seconds);
}

static const char *get_text_or_dash(const char *text)
{
    return text && text[0] ? text : "-";
}

const char *cmd_row_strategy(const cmd_row *row, char text[CMD_STRATEGY_SIZE])
{
    if (!row->asked[0] || strcmp(row->asked, row->jacobian) == 0) return get_text_or_dash(row->jacobian);
    snprintf(text, CMD_STRATEGY_SIZE, "%s: %s", row->asked, row->jacobian);
    return text;
}

const char *cmd_row_state(const cmd_row *row)
{
    if (row->outcome == CMD_FAILED) return get_text_or_dash(row->code);
    return row->outcome == CMD_OK && !cmd_row_is_valid(row) ? "inaccurate" : cmd_outcome_name(row->outcome);
}

void cmd_write_parameters(const cmd_model *model, FILE *stream)
{
    for (int k = 0; k < model->cls->n_parameters; k++)
        fprintf(stream, "%s = %s, ", model->cls->parameters[k].name, cmd_value_text(&model->values[k]));
}

const char *cmd_format_percent(double value, double whole)
{
    return value >= 0 && whole > 0 ? cmd_number("%.1f", 100 * value / whole) : "-";
}

long cmd_row_evaluations(const cmd_row *row)
{
    const long dense = row->stats.jacobian_evaluations.dense, coloured = row->stats.jacobian_evaluations.coloured;
    return dense < 0 || coloured < 0 ? -1 : dense + coloured;
}
