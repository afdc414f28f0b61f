/* result.h - the result of a run of `solve`, as text or as JSON. The JSON object is the row with additional members. */
#ifndef CMD_RESULT_H
#define CMD_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include "command/sensitivity/derivatives.h"
#include "program/output/row.h"

/** Write the result as text. @param[in] d  derivatives at the last state; may be NULL */
void cmd_result_text(const cmd_row *row, const cmd_derivatives *d, FILE *stream);

/** Write the source of the reference of a row and its uncertainty in p (y), v, lam to text; "" if there is none.
 *  @return text */
enum { CMD_REFERENCE_SIZE = RESIDA_MESSAGE_SIZE + 256 };
const char *cmd_row_reference(const cmd_row *row, char text[CMD_REFERENCE_SIZE]);

/** Return a new reference; NULL without memory. */
json_t *cmd_result_json(const cmd_row *row, const cmd_derivatives *d);

#endif
