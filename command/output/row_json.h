/* row_json.h - a row as one line of JSON. The keys are a contract: they stay, new ones may be added. */
#ifndef BENCH_ROW_JSON_H
#define BENCH_ROW_JSON_H

#include <jansson.h>

#include "row.h"

/** The row; a new reference, NULL without memory. */
json_t *bench_row_json(const bench_row *row);

/** The parameters in use, by name. */
json_t *bench_parameters_json(const bench_model *m);

#endif
