/* result.h - the result of a run of `solve`, as text or as JSON. JSON is the row with additional members. */
#ifndef CMD_RESULT_H
#define CMD_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include "command/sensitivity/derivatives.h"
#include "program/output/row.h"

/** Write the result as text. @param[in] d  derivatives at the last state; may be NULL */
void cmd_result_text(const cmd_row *row, const cmd_derivatives *d, FILE *stream);

/** Return the source of a row's reference and its uncertainty in p (y), v, lam; "" if there is none. @return text */
enum { CMD_REFERENCE_SIZE = RESIDA_MESSAGE_SIZE + 256 };
const char *cmd_row_reference(const cmd_row *row, char text[CMD_REFERENCE_SIZE]);

/** Return a new reference; NULL without memory. */
json_t *cmd_result_json(const cmd_row *row, const cmd_derivatives *d);

#endif
