/* row_text.h - numbers and texts of rows for output to users. */
#ifndef CMD_ROW_TEXT_H
#define CMD_ROW_TEXT_H

#include <stdio.h>

#include "program/base/number.h"
#include "row.h"
#include "text_table.h"

/** @name Format numbers; unknown numbers give "-". @return as cmd_number() @{ */
const char *cmd_count(long value);
/** Format an error or a drift to two digits. */
const char *cmd_format_error(double value);
/** Format seconds as milliseconds. */
const char *cmd_format_milliseconds(double seconds);
/** @} */

/** Return the strategy. If the library chose it, the requested name precedes it. @return text, or a constant */
enum { CMD_STRATEGY_SIZE = 112 };
const char *cmd_row_strategy(const cmd_row *row, char text[CMD_STRATEGY_SIZE]);

/** Write the parameters of the model, "n = 14, d = 0, ", each followed by a comma. */
void cmd_write_parameters(const cmd_model *model, FILE *stream);

/** Return "ok", "inaccurate", "interrupted", or the name of the failure status. */
const char *cmd_row_state(const cmd_row *row);

/** Return value in percent of whole, "-" if one of them is unknown. @return as cmd_number() */
const char *cmd_format_percent(double value, double whole);

/** Return the number of Jacobians from differences, column by column or by groups; -1 if unknown. */
long cmd_row_evaluations(const cmd_row *row);

#endif
