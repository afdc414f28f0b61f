/* description.h - the content of modelDescription.xml, FMI 2.0 and 3.0 in one form. */
#ifndef FMU_DESCRIPTION_H
#define FMU_DESCRIPTION_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include <resida/status.h>

#include "adapters/fmu/base/archive.h"
#include "adapters/fmu/base/pool.h"
#include "adapters/fmu/base/unit.h"

/** Largest 64-bit integer value of a parameter, 2^53 - 1: a larger double may represent several integers. */
#define FMU_WHOLE_LIMIT 9007199254740991.0

/** The types that are converted to and from double: constant, name in FMI 3.0, type in C, range of a parameter.
 *  FMU_INT32: also Integer of FMI 2.0, and its enumerations. FMU_INT64: also enumerations of FMI 3.0. */
#define FMU_CONVERTED(X)                                                                                               \
    X(FMU_FLOAT32, Float32, float, -FLT_MAX, FLT_MAX)                                                                  \
    X(FMU_INT8, Int8, int8_t, INT8_MIN, INT8_MAX)                                                                      \
    X(FMU_UINT8, UInt8, uint8_t, 0, UINT8_MAX)                                                                         \
    X(FMU_INT16, Int16, int16_t, INT16_MIN, INT16_MAX)                                                                 \
    X(FMU_UINT16, UInt16, uint16_t, 0, UINT16_MAX)                                                                     \
    X(FMU_INT32, Int32, int32_t, INT32_MIN, INT32_MAX)                                                                 \
    X(FMU_UINT32, UInt32, uint32_t, 0, UINT32_MAX)                                                                     \
    X(FMU_INT64, Int64, int64_t, -FMU_WHOLE_LIMIT, FMU_WHOLE_LIMIT)                                                    \
    X(FMU_UINT64, UInt64, uint64_t, 0, FMU_WHOLE_LIMIT)                                                                \
    X(FMU_BOOLEAN, Boolean, bool, 0, 1)

/** Type of the values of a variable. */
typedef enum fmu_type {
    FMU_FLOAT64, /**< Real of FMI 2.0 */
#define FMU_CONSTANT(constant, ...) constant,
    FMU_CONVERTED(FMU_CONSTANT) FMU_STRING,
    FMU_OTHER /**< binaries and clocks, which are ignored */
} fmu_type;

/** Causality, as far as the importer can set the variable. */
typedef enum fmu_causality {
    FMU_LOCAL, /**< also outputs and calculated parameters */
    FMU_PARAMETER,
    FMU_STRUCTURAL,
    FMU_INPUT,
    FMU_INDEPENDENT
} fmu_causality;

/** A dimension of an array. */
typedef struct fmu_dimension {
    int is_variable; /**< 1: `value` is the reference of a variable that starts with the size; 0: it is the size */
    uint32_t value;
} fmu_dimension;

enum { FMU_DIMENSIONS = 4 }; /**< max. number of dimensions of an array */

/** A variable. */
typedef struct fmu_variable {
    const char *name, *text, *unit; /**< NULL: none */
    const char *declared;           /**< name of its declared type; NULL: none */
    const char *start;              /**< start values as a text; NULL: none */
    long line;                      /**< line in the file */
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    int is_output;     /**< 1: the FMU declares it an output */
    int is_constant;   /**< 1: it cannot be set */
    int is_discrete;   /**< 1: declared discrete: it changes only at events */
    int is_calculated; /**< 1: `initial` is "calculated" */
    int is_tunable;    /**< 1: declared tunable: it may be set between steps */
    int is_fixed;      /**< 1: declared constant, fixed or tunable: it does not change by itself */
    int is_state;      /**< 1: another variable is its derivative */
    int is_derivative; /**< 1: it is the derivative of the variable `state` */
    uint32_t state;    /**< reference of the state; in FMI 2.0 its number, from 1, until the references are known */
    double min, max;   /**< NAN: not given */
    double nominal;    /**< NAN: not given */
    int n_dimensions;  /**< 0: a scalar */
    fmu_dimension dimensions[FMU_DIMENSIONS];
    int extent[FMU_DIMENSIONS]; /**< size of each dimension */
    int size;                   /**< number of values, >= 1 */
} fmu_variable;

/** A second name of a variable, FMI 3.0. */
typedef struct fmu_alias {
    const char *name;
    int variable; /**< index */
} fmu_alias;

/** An unknown of the model structure, and its dependencies. */
typedef struct fmu_unknown {
    uint32_t reference;    /**< in FMI 2.0 its number, from 1, until the references are known */
    int number;            /**< FMI 2.0, where variables share references: its number; else 0 */
    int depends_on_all;    /**< 1: no dependencies are declared */
    int n;                 /**< number of dependencies */
    const uint32_t *known; /**< [n] references of the dependencies; before in FMI 2.0 their numbers */
    int index;             /**< of a formulation: index of the DAE; 0: not given */
    int residual;          /**< of a formulation: the residual that it belongs to, from 0 */
} fmu_unknown;

/** A list of unknowns. */
typedef struct fmu_unknowns {
    int n;
    fmu_unknown *of;
} fmu_unknowns;

/** An item of an enumeration type. */
typedef struct fmu_item {
    const char *name, *value;
} fmu_item;

/** A declared type. */
typedef struct fmu_declared {
    const char *name, *unit;
    double min, max, nominal;
    int n_items;
    fmu_item *items; /**< [n_items] items of an enumeration */
} fmu_declared;

/** The description of a model. */
typedef struct fmu_description {
    fmu_pool pool;
    int version; /**< 2 or 3 */
    const char *name, *text, *tool, *token;
    const char *identifier;      /**< model identifier of Model Exchange; NULL: not available */
    const char *stepper;         /**< model identifier of Co-Simulation; NULL: not available or not supported */
    int steps_in_tool;           /**< 1: Co-Simulation requires the tool that exported the FMU */
    int has_event_mode;          /**< of Co-Simulation, FMI 3.0 */
    int has_any_step;            /**< of Co-Simulation: communication steps may have different sizes */
    int takes_rates;             /**< of Co-Simulation of FMI 2.0: derivatives of inputs may be set */
    int goes_back[2];            /**< of Model Exchange, of Co-Simulation: its state can be saved and restored */
    int serializes[2];           /**< the same: the saved state can be written as bytes */
    double step_size;            /**< [s] of the default experiment; NAN: not given */
    int has_derivatives;         /**< it provides directional derivatives */
    int only_once;               /**< it can be instantiated only once in a process */
    int needs_steps;             /**< it must be informed of completed integrator steps */
    double t0, t_end, tolerance; /**< NAN: not given */
    int n_indicators;            /**< number of event indicators */
    fmu_unknowns crossing;       /**< FMI 3.0: the variables that are event indicators */
    int n_variables;
    fmu_variable *variables;
    int n_aliases;
    fmu_alias *aliases;
    fmu_units units;
    int n_types;
    fmu_declared *types;
    fmu_unknowns derivatives;    /**< in the order of the states */
    fmu_unknowns outputs;        /**< listed outputs; in FMI 2.0 only real ones */
    fmu_variable **by_reference; /**< [n_variables] sorted by reference */
} fmu_description;

/** Read a description. Call fmu_description_free() also after a failure. @return 0, or -1 with the reason in `why` */
int fmu_description_read(fmu_description *d, fmu_archive *a, resida_message *why);
void fmu_description_free(fmu_description *d);

/** Complete a description: apply types, compute sizes of arrays, convert numbers to references, sort the variables.
 *  @return as above */
int fmu_description_link(fmu_description *d, resida_message *why);

/** Return the variable with a reference, in FMI 2.0 a real one, or NULL if there is none. */
const fmu_variable *fmu_variable_find(const fmu_description *d, uint32_t reference);

/** Return the variable with this name, or with an alias of this name, or NULL if there is none. */
const fmu_variable *fmu_variable_named(const fmu_description *d, const char *name);

/** Return the variable of an unknown of the structure, or NULL if there is none. */
const fmu_variable *fmu_unknown_find(const fmu_description *d, const fmu_unknown *u);

/** Return the declared type with this name, or NULL if there is none. @param name  may be NULL */
const fmu_declared *fmu_declared_find(const fmu_description *d, const char *name);

/** Add an unknown to a list, and read its attribute `dependencies`. @return 0, or -1 on an error */
int fmu_unknown_read(fmu_pool *pool, fmu_unknowns *list, uint32_t reference, const char **attributes,
                     resida_message *why);

/** Write the indices of element k of an array as "[i,j]", counted from 1, or "" for a scalar. `text` [FMU_ELEMENT]. */
enum { FMU_ELEMENT = 64 };
void fmu_element_name(const fmu_variable *v, int k, char *text);

#endif
