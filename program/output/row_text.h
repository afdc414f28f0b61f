/* row_text.h - numbers and words of rows for people. */
#ifndef CMD_ROW_TEXT_H
#define CMD_ROW_TEXT_H

#include <stdio.h>

#include "program/base/number.h"
#include "row.h"
#include "text_table.h"

/** @name Numbers as text, "-" for what is not known. @return as cmd_number() @{ */
const char *cmd_count(long value);
/** An error or a drift: its size matters, not its digits. */
const char *cmd_tiny(double value);
/** Seconds as milliseconds. */
const char *cmd_millis(double seconds);
/** @} */

/** The strategy, and also what it was asked for, when that left the choice to the library. @return text, or a
 *  constant */
enum { CMD_STRATEGY_SIZE = 112 };
const char *cmd_row_strategy(const cmd_row *row, char text[CMD_STRATEGY_SIZE]);

/** What parameters the model has, "n = 14, d = 0, ", each with a comma behind it. */
void cmd_text_parameters(const cmd_model *model, FILE *stream);

/** "ok", "inaccurate", "interrupted", or the name of the status that ended it. */
const char *cmd_row_state(const cmd_row *row);

/** value in percent of whole, "-" when one of them is not known. @return as cmd_number() */
const char *cmd_percent(double value, double whole);

/** Jacobians found by differences, column by column or by groups; -1: not known. */
long cmd_row_evaluations(const cmd_row *row);

#endif
