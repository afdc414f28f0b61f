/* result.h - how a run of `solve` went: a block of lines, or the row with what solve alone has. */
#ifndef CMD_RESULT_H
#define CMD_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include "command/sensitivity/derivatives.h"
#include "program/output/row.h"

/** @param[in] d  derivatives at the last state; NULL: none */
void cmd_result_text(const cmd_row *row, const cmd_derivatives *d, FILE *stream);

/** A new reference, NULL without memory. */
json_t *cmd_result_json(const cmd_row *row, const cmd_derivatives *d);

#endif
