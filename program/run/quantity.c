/* quantity.c - see quantity.h. Units are texts of the model. They are written behind each other, not computed with. */
#include "quantity.h"

#include <stdio.h>
#include <string.h>

static const char *copy_unit(const char *const *units, int i, char text[CMD_UNIT_SIZE])
{
    snprintf(text, CMD_UNIT_SIZE, "%s", units && units[i] ? units[i] : "");
    return text;
}

int cmd_unit_is_written(const char *unit)
{
    return *unit && strcmp(unit, "-") != 0 && strcmp(unit, "1") != 0;
}

/** Return 1 if the unit is a product or a quotient. */
static int is_compound(const char *unit)
{
    return strpbrk(unit, " /*.") != NULL;
}

const char *cmd_unit_ratio(const char *unit, const char *by, char text[CMD_UNIT_SIZE])
{
    const int divides = cmd_unit_is_written(by) && *unit, is_quotient = strchr(unit, '/') != NULL;
    if (!divides)
        snprintf(text, CMD_UNIT_SIZE, "%s", unit);
    else
        snprintf(text, CMD_UNIT_SIZE, "%s%.34s%s/%s%.34s%s", is_quotient ? "(" : "",
                 cmd_unit_is_written(unit) ? unit : "1", is_quotient ? ")" : "", is_compound(by) ? "(" : "", by,
                 is_compound(by) ? ")" : "");
    return text;
}

/** Replace a unit by that of the time derivative: "m/s", "m/s^2". */
static const char *differentiate(char text[CMD_UNIT_SIZE])
{
    char of[CMD_UNIT_SIZE];
    const size_t n = strlen(text);
    if (n >= 2 && n + sizeof "^2" <= CMD_UNIT_SIZE && strcmp(text + n - 2, "/s") == 0) return strcat(text, "^2");
    return cmd_unit_ratio(strcpy(of, text), "s", text);
}

/** Write the unit of a velocity or state. */
static const char *write_velocity_unit(const resida_model *m, int i, char text[CMD_UNIT_SIZE])
{
    const resida_mechanism *k = &m->mechanism;
    if (*copy_unit(m->v_units, i, text) || k->kinematic_matrix || i >= k->n_v - k->n_z) return text;
    copy_unit(m->p_units, i, text);
    return differentiate(text);
}

const char *cmd_unit_of(const resida_model *m, cmd_quantity quantity, int i, char text[CMD_UNIT_SIZE])
{
    switch (quantity) {
    case CMD_OF_P:
        return copy_unit(m->p_units, i, text);
    case CMD_OF_V:
        return write_velocity_unit(m, i, text);
    case CMD_OF_A:
        write_velocity_unit(m, i, text);
        return differentiate(text);
    case CMD_OF_LAM:
        return copy_unit(m->lam_units, i, text);
    case CMD_OF_Y:
        return copy_unit(m->y_units, i, text);
    case CMD_OF_YP:
        copy_unit(m->y_units, i, text);
        return differentiate(text);
    case CMD_OF_OUT:
        return copy_unit(m->output_units, i, text);
    case CMD_OF_U:
        return copy_unit(m->excitation_units, i, text);
    case CMD_OF_DERIVATIVE:
        break;
    }
    return copy_unit(NULL, 0, text);
}

const char *cmd_unit_of_parameter(const resida_model_class *cls, const char *name)
{
    for (int k = 0; k < cls->n_parameters; k++)
        if (strcmp(cls->parameters[k].name, name) == 0) return cls->parameters[k].unit ? cls->parameters[k].unit : "";
    return "";
}

const char *cmd_unit_label(const char *what, const char *unit, char *text, size_t size)
{
    snprintf(text, size, *unit ? "%s [%s]" : "%s", what, unit);
    return text;
}
