/* export.h - what `resida export` packs into an FMU: variables of the model, and their description. */
#ifndef CMD_EXPORT_H
#define CMD_EXPORT_H

#include "adapters/fmu/export/component.h"
#include "command/trajectory/columns.h"

/** A model to export. */
typedef struct cmd_export {
    const cmd_job *job;
    const cmd_model *model;
    int version;              /**< of FMI: 2 or 3 */
    const char *const *words; /**< [n_parameters] default texts; NULL: a number */
    cmd_columns columns;      /**< outputs */
    char identifier[FMU_PACKED_WORD];
    char token[FMU_PACKED_WORD]; /**< "" while it is determined */
} cmd_export;

/** Write the file modelDescription.xml. */
void cmd_export_describe(const cmd_export *e, FILE *to);

/** Return the value reference of an output. */
unsigned cmd_export_reference(const cmd_place_of *of);

#endif
