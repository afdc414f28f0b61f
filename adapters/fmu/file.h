/* file.h - an FMU that was read: its class of models, and what all of them share. */
#ifndef FMU_FILE_H
#define FMU_FILE_H

#include <resida/adapter.h>

#include "adapters/fmu/description/description.h"
#include "adapters/fmu/description/manifest.h"
#include "adapters/fmu/binary/port.h"
#include "adapters/fmu/base/scratch.h"

/** Parameters of the adapter. */
typedef enum fmu_own {
    FMU_OF_FMU = 0, /**< of the FMU */
    FMU_SWITCH,     /**< whether the DAE is taken, 0 .. 1 */
    FMU_INPUTS,     /**< file of inputs over time */
    FMU_HOLD,       /**< whether all of them are held, 0 .. 1 */
    FMU_STEP        /**< [s] communication step; 0: Model Exchange */
} fmu_own;

/** Where a parameter of the class goes. */
typedef struct fmu_target {
    const fmu_variable *variable;
    int element; /**< of an array */
    fmu_own own; /**< what it is when it is none of the FMU */
} fmu_target;

/** A file. */
typedef struct fmu_file {
    resida_model_class cls; /**< first: its address is that of the file */
    fmu_description about;
    fmu_manifest manifest;
    fmu_scratch scratch;
    char *resources;              /**< their address, as the binary gets it */
    char *path, *stepper_path;    /**< of the binaries for Model Exchange and Co-Simulation; NULL: none */
    fmu_binary binary, stepper;   /**< those that are loaded */
    resida_parameter *parameters; /**< [cls.n_parameters] */
    fmu_target *targets;          /**< [cls.n_parameters] */
    int n_instances;              /**< there are now */
} fmu_file;

/** Read an FMU. @return 0; -1, the reason in `why`, nothing is left behind */
int fmu_file_open(const char *path, fmu_file **file, resida_message *why);
void fmu_file_close(fmu_file *f);

/** The communication step that an FMU is made for. */
double fmu_table_step(const fmu_description *d);

/** The parameters of a class: parameters, inputs, which are held, and start values of states. @return 0; -1 */
int fmu_table_make(fmu_file *f, resida_message *why);

/** Parameter of the adapter by its number among all; -1: the class has none. */
int fmu_table_own(const fmu_file *f, fmu_own own);

/** The largest whole number of 64 bit that a parameter may have, 2^53 - 1: beyond it a double stands for several. */
#define FMU_WHOLE_LIMIT 9007199254740991.0

/** 1: a type of whole numbers of 64 bit. */
int fmu_type_is_long(fmu_type type);

/** 1: a type has this value. */
int fmu_type_holds(fmu_type type, double value);

/** What is left out, and what is not defined, in words that follow those of the class: "" or "; ..."; NULL without
 *  memory. */
const char *fmu_notes(fmu_file *f);

/** Load the binary for Model Exchange or for Co-Simulation, once. @return 0; -1 */
int fmu_file_load(fmu_file *f, int by_steps, resida_message *why);

/** Make a model, and free it. */
int fmu_model_create(const double *values, resida_model *model, resida_message *why);
void fmu_model_destroy(resida_model *model);

#endif
