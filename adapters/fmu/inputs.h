/* inputs.h - inputs of an FMU over time, from a CSV file: a column `time`, and one for each input that has a row.
 *
 *     time,force,gear
 *     0,0,1
 *     2,5,1        continuous inputs are lines from row to row, others hold from a row on;
 *     2,7,2        two rows of one time are a jump; what is held changes by an event
 *
 * Where the slope of a line changes, by more than rounding, a step ends (breakpoints of resida_model).
 * Before the first row and behind the last one all keep their values. Inputs without a column keep that of the
 * parameter of their name. */
#ifndef FMU_INPUTS_H
#define FMU_INPUTS_H

#include "file.h"

/** A column of the file. */
typedef struct fmu_input_column {
    const fmu_variable *variable;
    int parameter; /**< of the class */
    int element;   /**< of an array */
    int u;         /**< place among continuous inputs; -1: it is held */
} fmu_input_column;

/** Inputs. All memory is of the pool. */
typedef struct fmu_inputs {
    int n_u;                         /**< values of continuous inputs */
    const fmu_variable **continuous; /**< [n_continuous] */
    int n_continuous;
    const char **names; /**< [n_u] */
    int *parameter;     /**< [n_u] of the class, whose value holds without a column */
    int *column;        /**< [n_u] of the file; -1: none */
    double *u, *ud;     /**< [n_u] work */
    double *given;      /**< [n_u] what the instance has; NAN: not known */
    double *before;     /**< [n_u] what it had in the last communication step; NAN: not known */
    int n_columns, n_rows;
    fmu_input_column *columns; /**< [n_columns] */
    double *t;                 /**< [n_rows] rising, jumps twice */
    double *x;                 /**< [n_rows x n_columns] of a text its number among `texts` */
    int has_wholes;            /**< 1: some are whole numbers of 64 bit */
    uint64_t *wholes, *room;   /**< [n_rows x n_columns] bits of those, or NULL; [parameters] work */
    const char **texts;        /**< [n_texts] */
    int n_texts;
    int holds;           /**< 1: all are held */
    int n_pieces, piece; /**< between events; the one that holds now */
    int piece_before;    /**< that of the last communication step */
    int *first;          /**< [n_pieces + 1] row that a piece begins with */
    int n_breaks;
    double *breaks; /**< [n_breaks] times of rows at which u' jumps, and u does not */
} fmu_inputs;

/** List continuous inputs, and read the file. @param path  "": none. @return 0; -1, the reason in `why` */
int fmu_inputs_make(fmu_inputs *in, const fmu_file *f, const char *path, int holds, fmu_pool *pool,
                    resida_message *why);

/** Its file, which gives columns and rows. @return 0; -1, the reason in `why` */
int fmu_inputs_read(fmu_inputs *in, const fmu_file *f, const char *path, fmu_pool *pool, resida_message *why);

int fmu_is_input(const fmu_target *t);

/** Is the time `a` before `b` by more than rounding? */
int fmu_is_earlier(double a, double b);

/** u, ud [n_u] of the piece at t; ud NULL: not wanted. */
void fmu_inputs_at(const fmu_inputs *in, const double *values, double t, double *u, double *ud);

/** The piece that holds behind t, and what it holds, into the values of parameters. */
void fmu_inputs_enter(fmu_inputs *in, double t, double *values);

/** Time of the next piece; INFINITY: there is none. */
double fmu_inputs_next(const fmu_inputs *in);

/** Hand continuous inputs to the instance, unless it has them. @return as port.h */
int fmu_inputs_give(fmu_inputs *in, fmu_instance *i, const double *u);

/** Hand over those that are held. @return as port.h */
int fmu_inputs_give_held(const fmu_inputs *in, fmu_instance *i, const double *values);

/** A communication point begins: what the instance has is what it had in the last step. */
void fmu_inputs_begin_point(fmu_inputs *in);

/** Set once more, by way of their last values, inputs that have changed at this communication point: some binaries mark
 *  a change when an input is set, and forget it when an output is read. @param takes_held  1: also those
 *  that are held. @return as port.h */
int fmu_inputs_repeat(fmu_inputs *in, fmu_instance *i, double t, double *values, int takes_held);

#endif
