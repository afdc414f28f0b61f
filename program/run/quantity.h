/* quantity.h - the quantities of a model, and their units as text for axes, tables and files. */
#ifndef CMD_QUANTITY_H
#define CMD_QUANTITY_H

#include <resida/model.h>

typedef enum cmd_quantity {
    CMD_OF_P,
    CMD_OF_V,
    CMD_OF_A,
    CMD_OF_LAM,
    CMD_OF_Y,
    CMD_OF_YP,
    CMD_OF_OUT,
    CMD_OF_DERIVATIVE, /**< by a parameter */
    CMD_OF_U
} cmd_quantity;

enum { CMD_UNIT_SIZE = 80 };

/** Write the unit of component i of a quantity; "" if it is unknown. A velocity without a unit in the model has that of
 *  its position per second if p' = v. The same is true of accelerations and y'. @return text */
const char *cmd_unit_of(const resida_model *m, cmd_quantity quantity, int i, char text[CMD_UNIT_SIZE]);

/** Return 1 if numbers have this unit behind them: it is known and no "-" or "1". */
int cmd_unit_is_written(const char *unit);

/** Return the unit of a parameter; "" if it is unknown. */
const char *cmd_unit_of_parameter(const resida_model_class *cls, const char *name);

/** Write the unit of a quantity in `unit` divided by one in `by`: "N/m", "N/(m/s)"; `unit` if `by` is unknown or the
 *  quantity has no dimension, "-". `text` is none of the arguments. @return text */
const char *cmd_unit_ratio(const char *unit, const char *by, char text[CMD_UNIT_SIZE]);

/** Write the label of an axis, "p [m]"; without a unit only "p". @return text */
const char *cmd_unit_label(const char *what, const char *unit, char *text, size_t size);

#endif
