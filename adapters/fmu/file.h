/* file.h - an FMU that was read: its parameters, and the data shared by its models. */
#ifndef FMU_FILE_H
#define FMU_FILE_H

#include <resida/adapter.h>

#include "adapters/fmu/description/description.h"
#include "adapters/fmu/description/manifest.h"
#include "adapters/fmu/binary/port.h"
#include "adapters/fmu/base/scratch.h"

/** The variable of a parameter of the class. */
typedef struct fmu_target {
    const fmu_variable *variable; /**< NULL: the parameter selects the DAE, 1: it is used, 0: it is not */
    int element;                  /**< index in an array */
} fmu_target;

/** An FMU. */
typedef struct fmu_file {
    const char *name, *text; /**< name and description of the FMU */
    fmu_description about;
    fmu_manifest manifest;
    fmu_scratch scratch;
    char *resources;            /**< path of the resources, in the form for the binary */
    char *path, *stepper_path;  /**< binaries for Model Exchange and Co-Simulation; NULL: none */
    fmu_binary binary, stepper; /**< the binaries, if loaded */
    int n_parameters;
    resida_parameter *parameters; /**< [n_parameters] */
    fmu_target *targets;          /**< [n_parameters] */
    int n_instances;              /**< number of existing instances */
    const char *prefix;           /**< of the names of outputs in lists: "COMPONENT." in a system, else "" */
} fmu_file;

/** Read an FMU. @return 0, or -1 with the reason in `why`; after a failure nothing remains to be freed */
int fmu_file_open(const char *path, fmu_file **file, resida_message *why);
void fmu_file_close(fmu_file *f);

/** Return the default communication step of an FMU [s]. */
double fmu_table_step(const fmu_description *d);

/** Return the name of a parameter of the adapter: it gets the suffix '_' if a variable of the FMU has the same name.
 *  Return NULL without memory. */
const char *fmu_table_name(fmu_file *f, const char *name);

/** Create the parameters of a class: parameters, inputs, and start values of states. @return 0; -1 on an error */
int fmu_table_make(fmu_file *f, resida_message *why);

/** Return 1 for a type of 64-bit integers. */
int fmu_type_is_long(fmu_type type);

/** Return 1 if a type can represent this value. */
int fmu_type_holds(fmu_type type, double value);

/** Load the binary for Model Exchange or for Co-Simulation, unless it is loaded. @return 0, or -1 on an error */
int fmu_file_load(fmu_file *f, int by_steps, resida_message *why);

#endif
