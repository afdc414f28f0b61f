/* description.h - what modelDescription.xml says of a model, FMI 2.0 and 3.0 in one form. */
#ifndef FMU_DESCRIPTION_H
#define FMU_DESCRIPTION_H

#include <stdint.h>

#include <resida/status.h>

#include "adapters/fmu/base/pool.h"
#include "adapters/fmu/base/unit.h"

/** Type of a variable's values. */
typedef enum fmu_type {
    FMU_FLOAT64, /**< Real of FMI 2.0 */
    FMU_FLOAT32,
    FMU_INT8,
    FMU_UINT8,
    FMU_INT16,
    FMU_UINT16,
    FMU_INT32, /**< Integer of FMI 2.0, and its enumerations */
    FMU_UINT32,
    FMU_INT64, /**< and enumerations of FMI 3.0 */
    FMU_UINT64,
    FMU_BOOLEAN,
    FMU_STRING,
    FMU_OTHER /**< binaries and clocks, which nothing here looks at */
} fmu_type;

/** Of a variable that somebody sets, and all others. */
typedef enum fmu_causality {
    FMU_LOCAL, /**< also outputs and calculated parameters */
    FMU_PARAMETER,
    FMU_STRUCTURAL,
    FMU_INPUT,
    FMU_INDEPENDENT
} fmu_causality;

/** A dimension of an array. */
typedef struct fmu_dimension {
    int is_variable; /**< 1: the start value of the variable with this reference, 0: a number */
    uint32_t value;
} fmu_dimension;

enum { FMU_DIMENSIONS = 4 }; /**< of an array, at most */

/** A variable. */
typedef struct fmu_variable {
    const char *name, *text, *unit; /**< NULL: none */
    const char *declared;           /**< name of its type; NULL: none */
    const char *start;              /**< its values in words; NULL: none */
    long line;                      /**< of the file */
    uint32_t reference;
    fmu_type type;
    fmu_causality causality;
    int is_output;     /**< 1: the FMU calls it one */
    int is_constant;   /**< 1: nobody sets it */
    int is_discrete;   /**< 1: its variability: it changes at events alone */
    int is_calculated; /**< 1: `initial` says so */
    int is_state;      /**< 1: another one is its derivative */
    int is_derivative; /**< 1: of the variable `state` */
    uint32_t state;    /**< its reference; in FMI 2.0 its number, from 1 on, until all are read */
    double min, max;   /**< NAN: not given */
    double nominal;    /**< NAN: not given */
    int n_dimensions;  /**< 0: a scalar */
    fmu_dimension dimensions[FMU_DIMENSIONS];
    int extent[FMU_DIMENSIONS]; /**< of each */
    int size;                   /**< number of its values, >= 1 */
} fmu_variable;

/** An unknown of the model's structure, and what it depends on. */
typedef struct fmu_unknown {
    uint32_t reference;    /**< in FMI 2.0 its number, from 1 on, until all are read */
    int number;            /**< of FMI 2.0, where variables share references; 0: the reference is all */
    int depends_on_all;    /**< 1: nothing is said */
    int n;                 /**< of the list */
    const uint32_t *known; /**< [n] references; the same of numbers */
    int index;             /**< of a formulation: of the DAE; 0: not given */
    int residual;          /**< of a formulation: which residual it belongs to, from 0 on */
} fmu_unknown;

/** A list of them. */
typedef struct fmu_unknowns {
    int n;
    fmu_unknown *of;
} fmu_unknowns;

/** An item of an enumeration. */
typedef struct fmu_item {
    const char *name, *value;
} fmu_item;

/** A named type. */
typedef struct fmu_declared {
    const char *name, *unit;
    double min, max, nominal;
    int n_items;
    fmu_item *items; /**< [n_items] of an enumeration */
} fmu_declared;

/** A model. */
typedef struct fmu_description {
    fmu_pool pool;
    int version; /**< 2 or 3 */
    const char *name, *text, *tool, *token;
    const char *identifier;      /**< of Model Exchange; NULL: there is none */
    const char *stepper;         /**< identifier of Co-Simulation; NULL: there is none that is served */
    int steps_in_tool;           /**< 1: Co-Simulation needs the tool that made it */
    int has_event_mode;          /**< of Co-Simulation, FMI 3.0 */
    int has_any_step;            /**< of Co-Simulation: steps may differ */
    int goes_back;               /**< of Co-Simulation: its state can be kept and set */
    double step_size;            /**< [s] of the experiment; NAN: not given */
    int has_derivatives;         /**< directional ones */
    int only_once;               /**< instances in a process */
    int needs_steps;             /**< it wants to hear of completed steps */
    double t0, t_end, tolerance; /**< NAN: not given */
    int n_indicators;            /**< values */
    fmu_unknowns crossing;       /**< FMI 3.0: the variables that they are */
    int n_variables;
    fmu_variable *variables;
    fmu_units units;
    int n_types;
    fmu_declared *types;
    fmu_unknowns derivatives; /**< in the order of the states */
    fmu_unknowns outputs;     /**< as far as they are listed; in FMI 2.0 real ones */
    int *by_reference;        /**< [n_variables] */
} fmu_description;

/** Read it. @return 0; -1, the reason in `why`; fmu_description_free() in both cases */
int fmu_description_read(fmu_description *d, const char *bytes, size_t size, resida_message *why);
void fmu_description_free(fmu_description *d);

/** The variable with a reference, a real one in FMI 2.0; NULL: there is none. */
const fmu_variable *fmu_variable_find(const fmu_description *d, uint32_t reference);

/** The variable that an unknown of the structure names; NULL: there is none. */
const fmu_variable *fmu_unknown_find(const fmu_description *d, const fmu_unknown *u);

/** The type of a name; NULL: there is none. @param name  or NULL */
const fmu_declared *fmu_declared_find(const fmu_description *d, const char *name);

/** Read `dependencies` of an unknown. @return 0; -1 */
int fmu_unknown_read(fmu_pool *pool, fmu_unknowns *list, uint32_t reference, const char **attributes,
                     resida_message *why);

/** Element k of an array as "[i,j]", counted from 1; "" of a scalar. `text` [FMU_ELEMENT]. */
enum { FMU_ELEMENT = 64 };
void fmu_element_name(const fmu_variable *v, int k, char *text);

#endif
