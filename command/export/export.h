/* export.h - what `resida export` packs into an FMU: a model, and its description. */
#ifndef CMD_EXPORT_H
#define CMD_EXPORT_H

#include "adapters/fmu/export/component.h"
#include "command/trajectory/columns.h"

/** A model to export. */
typedef struct cmd_export {
    const cmd_job *job;
    int version;         /**< of FMI: 2 or 3 */
    fmu_packed packed;   /**< with its token, "" while that is determined */
    cmd_columns columns; /**< outputs */
    char identifier[FMU_PACKED_WORD];
} cmd_export;

/** Write the file modelDescription.xml. */
void cmd_export_describe(const cmd_export *e, FILE *to);

#endif
