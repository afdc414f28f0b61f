/* inputs.h - inputs of an FMU over time, from a CSV file: a column `time`, and a column for each input that varies.
 *
 *     time,force,gear
 *     0,0,1
 *     2,5,1        continuous inputs are linear between rows, other inputs are held from each row on;
 *     2,7,2        two rows with the same time are a jump; a held input changes by an event
 *
 * A step ends where the slope changes by more than rounding (breakpoints of resida_model). Before the first row and
 * after the last row all inputs are constant. Inputs without a column keep the value of the parameter with their
 * name. */
#ifndef FMU_INPUTS_H
#define FMU_INPUTS_H

#include "file.h"

/** A file of inputs over time. */
typedef struct fmu_series {
    const char *path; /**< "": no file */
    int holds;        /**< 1: all inputs are held */
    /** Return 1 if a column gives a parameter of the FMU the value factor x + offset. */
    int (*is_column)(const struct fmu_series *series, const char *column, int parameter, double *factor,
                     double *offset);
    const void *system;
    int component;
} fmu_series;

/** A column of the file. */
typedef struct fmu_input_column {
    const fmu_variable *variable;
    int field; /**< index in a row */
    double factor, offset;
    int parameter; /**< index of the parameter of the class */
    int element;   /**< index in an array */
    int u;         /**< index among continuous inputs; -1: held */
} fmu_input_column;

/** The inputs of a model. The memory belongs to the pool. */
typedef struct fmu_inputs {
    int n_u;                         /**< number of values of continuous inputs */
    const fmu_variable **continuous; /**< [n_continuous] */
    int n_continuous;
    const int *is_connected; /**< [n_continuous] 1: another FMU gives the value; NULL: no input is connected */
    const char **names;      /**< [n_u], then [n_tuned] */
    const char **units;      /**< [n_u] */
    int *parameter;          /**< [n_u + n_tuned] parameter of the class, whose value applies without a column */
    int *column;             /**< [n_u] column of the file; -1: none */
    double *u, *ud, *ahead;  /**< [n_u] work */
    double *set; /**< [n_u] values that replace those of columns and parameters, then [n_tuned] values that may be
                         set at events; NAN: none (resida_model.state) */
    int n_tuned; /**< number of values of tunable parameters and discrete inputs, which are numbers */
    double *tuned_before;            /**< [n_tuned] values set in the instance; NAN: that of the parameter */
    double *given;                   /**< [n_u] values set in the instance; NAN: unknown */
    double *before;                  /**< [n_u] values in the last communication step; NAN: unknown */
    int n_fields, n_columns, n_rows; /**< a row of the file has n_fields */
    fmu_input_column *columns;       /**< [n_columns] */
    double *t;                       /**< [n_rows] increasing, twice the same at a jump */
    double *x;                       /**< [n_rows x n_columns] values; a text as its index in `texts` */
    int has_wholes;                  /**< 1: some inputs are 64-bit integers */
    uint64_t *wholes, *room;         /**< [n_rows x n_columns] their bits, or NULL; [parameters] work */
    const char **texts;              /**< [n_texts] */
    int n_texts;
    int holds;           /**< 1: all inputs are held */
    int n_pieces, piece; /**< number of pieces between events; the current piece */
    int piece_before;    /**< the piece of the last communication step */
    int *first;          /**< [n_pieces + 1] first row of each piece */
    int n_breaks;
    double *breaks; /**< [n_breaks] times of rows at which u' jumps, but u does not */
} fmu_inputs;

/** List the continuous inputs, and read the file. @return 0, or -1 with the reason in `why` */
int fmu_inputs_make(fmu_inputs *in, const fmu_file *f, const fmu_series *series, fmu_pool *pool, resida_message *why);

/** Read the columns and rows of the file. @return 0, or -1 with the reason in `why` */
int fmu_inputs_read(fmu_inputs *in, const fmu_file *f, const fmu_series *series, fmu_pool *pool, resida_message *why);

int fmu_is_input(const fmu_target *t);

/** Return 1 if time `a` is before `b` by more than rounding. */
int fmu_is_earlier(double a, double b);

/** Compute u, ud [n_u] of the current piece at t; ud may be NULL. */
void fmu_inputs_at(const fmu_inputs *in, const double *values, double t, double *u, double *ud);

/** Enter the piece that applies after t, and copy its held values to the parameters. */
void fmu_inputs_enter(fmu_inputs *in, double t, double *values);

/** Return the time of the next piece, or INFINITY if there is none. */
double fmu_inputs_next(const fmu_inputs *in);

/** Set continuous inputs in the instance, unless they are already set. @return as port.h */
int fmu_inputs_set(fmu_inputs *in, fmu_instance *i, const double *u);

/** Set held inputs in the instance. @return as port.h */
int fmu_inputs_set_held(const fmu_inputs *in, fmu_instance *i, const double *values);

/** Set tunable parameters whose values in `set` differ from those of the instance. The other elements of an array get
 *  the values of the parameters. @param got  [parameters] work. @return as port.h */
int fmu_inputs_set_tuned(fmu_inputs *in, fmu_instance *i, const fmu_file *f, const double *values, double *got);

/** Set the slopes of continuous inputs with a column in the instance, for a step from t to `to`. The values at both
 *  ends are those of the file. For FMI 2.0, which has no arrays. @return as port.h */
int fmu_inputs_set_rates(fmu_inputs *in, fmu_instance *i, const double *values, double t, double to);

/** Start a communication point. The current inputs of the instance become those of the last step. */
void fmu_inputs_begin_point(fmu_inputs *in);

/** Set changed inputs again at this communication point, first to their last values. Some binaries detect a change when
 *  an input is set, and forget it when an output is read. @param takes_held  1: including held inputs
 *  @return as port.h */
int fmu_inputs_set_again(fmu_inputs *in, fmu_instance *i, double t, double *values, int takes_held);

#endif
