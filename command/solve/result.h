/* result.h - how a run of `solve` went: a block of lines, or the row with what solve alone has. */
#ifndef CMD_RESULT_H
#define CMD_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include "command/sensitivity/derivatives.h"
#include "program/output/row.h"

/** @param[in] d  derivatives at the last state; NULL: none */
void cmd_result_text(const cmd_row *row, const cmd_derivatives *d, FILE *stream);

/** The source of the reference at the end of a row, and its doubt in p (y), v, lam; "": there is none. @return text */
enum { CMD_REFERENCE_SIZE = RESIDA_MESSAGE_SIZE + 256 };
const char *cmd_row_reference(const cmd_row *row, char text[CMD_REFERENCE_SIZE]);

/** A new reference, NULL without memory. */
json_t *cmd_result_json(const cmd_row *row, const cmd_derivatives *d);

#endif
