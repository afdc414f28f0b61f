/* row_json.h - a row as one line of JSON. Keys are stable; new ones may be added. */
#ifndef CMD_ROW_JSON_H
#define CMD_ROW_JSON_H

#include <jansson.h>

#include "row.h"

/** Return the row; a new reference, NULL without memory. */
json_t *cmd_row_json(const cmd_row *row);

/** Return the parameters in use by name. */
json_t *cmd_parameters_json(const cmd_model *m);

#endif
