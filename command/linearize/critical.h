/* critical.h - eigenvalues over a parameter, and the values of the parameter at which modes begin or cease to grow. */
#ifndef CMD_CRITICAL_H
#define CMD_CRITICAL_H

#include "linearize.h"

/** The eigenvalues at one value of the parameter. */
typedef struct cmd_locus_point {
    double value;
    int n;
    double *re, *im, *error; /**< [n] modes of the model, without modes that its form adds */
    int rightmost;           /**< index of the mode with the largest real part; -1 if there is none */
    int grows;               /**< 1 if a mode grows by more than its error */
    int decays;              /**< 1 if all modes decay by more than their errors */
} cmd_locus_point;

/** A value at which growth begins or ends, from low to high. */
typedef struct cmd_critical_change {
    double value;
    double from;   /**< if growth begins: the value at which all modes still decay; between `from` and `value` growth
                    *   is within its error; NaN if unknown, as without damping */
    int begins;    /**< 1 if growth begins; 0 if it ends */
    int jumps;     /**< 1 if the growth rate is not continuous, as between two equilibria */
    double re, im; /**< the growing mode close to this value */
} cmd_critical_change;

/** The equilibrium at a value of the parameter. */
typedef struct cmd_locus_start {
    double value, *p; /**< value; positions, or y of a general DAE */
} cmd_locus_start;

typedef struct cmd_critical {
    cmd_settings settings; /**< settings of the command, with the parameter appended */
    char *name;            /**< name of the parameter */
    char *word;            /**< text of its value */
    double low, high;      /**< FROM, TO; low may be the larger one */
    char *model, *form;    /**< copies of the names, because models are closed */
    char *unit;            /**< unit of the parameter; "" if unknown */
    json_t *parameters;    /**< parameters of the model except the varied one */
    int n;
    cmd_locus_point *points; /**< [n] from low to high */
    int n_starts;
    cmd_locus_start *starts; /**< [n_starts] equilibria at the values computed so far */
    int n_changes;
    cmd_critical_change *changes; /**< [n_changes] in the order from low to high */
} cmd_critical;

/** Compute the eigenvalues at a value. The caller frees `to`. @return 0; exit code after one complaint */
int cmd_locus_compute(cmd_critical *c, double value, cmd_locus_point *to);
void cmd_locus_free(cmd_locus_point *x);

/** Find all changes between two points, or near a maximum of the largest real part. @return as above */
int cmd_critical_search(cmd_critical *c);

/** Return the first value at which a mode begins to grow; NULL if a mode grows at low or no mode grows. */
const cmd_critical_change *cmd_critical_first(const cmd_critical *c);
int cmd_critical_text(const cmd_critical *c, FILE *stream);
/** Return a new reference; NULL without memory. */
json_t *cmd_critical_json(const cmd_critical *c);
/** @return 0; exit code after one complaint */
int cmd_critical_csv(const cmd_critical *c, const char *path);
int cmd_critical_draw(const cmd_critical *c, const char *path);

#endif
