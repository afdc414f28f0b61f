/* packed.h - what the command packs into an FMU for its binary: the model, its parameters and the options of the
 * integration, as the file resources/resida.bin. The binary is packed beside it and has the same structs. */
#ifndef FMU_PACKED_H
#define FMU_PACKED_H

#include <stdio.h>

#include <resida/model.h>
#include <resida/problem.h>
#include <resida/solver.h>
#include <resida/start.h>

#define FMU_PACKED_FILE   "resida.bin"
#define FMU_PACKED_PLUGIN "model.so"

enum { FMU_PACKED_WORD = 64, FMU_PACKED_TEXT = 256, FMU_PACKED_WORDS = 7 };

/** Numbers of variables of a model. */
typedef struct fmu_packed_sizes {
    int n_p, n_v, n_lam; /**< of a mechanism */
    int n_y;             /**< of a general DAE */
    int n_u, n_outputs;
} fmu_packed_sizes;

/** The fixed part of the file. */
typedef struct fmu_packed_head {
    char format[FMU_PACKED_WORD]; /**< name and size of this struct */
    char token[FMU_PACKED_WORD];  /**< GUID or instantiation token of the description */
    char model[FMU_PACKED_WORD];  /**< name of a built-in model; "": the plugin in the resources */
    fmu_packed_sizes sizes;
    double t0; /**< [s] default start time */
    resida_problem_options problem;
    resida_solver_options solver;
    resida_start_options start;
    char words[FMU_PACKED_WORDS][FMU_PACKED_WORD]; /**< the texts among the options */
    int n_parameters;
} fmu_packed_head;

/** The content of the file. */
typedef struct fmu_packed {
    fmu_packed_head head;
    double *values;                 /**< [n_parameters] numbers */
    char (*texts)[FMU_PACKED_TEXT]; /**< [n_parameters] */
} fmu_packed;

/** Return the sizes of a model. */
fmu_packed_sizes fmu_packed_sizes_of(const resida_model *model);

/** Write the file. Texts of the options are copied into `words`, and their pointers are not written.
 *  @return 0, or -1 on a failure to write */
int fmu_packed_write(const fmu_packed *p, FILE *to);

/** Read the file. Call fmu_packed_free() also after a failure. @return 0, or -1 with the reason in `why` */
int fmu_packed_read(fmu_packed *p, const char *path, resida_message *why);
void fmu_packed_free(fmu_packed *p);

#endif
