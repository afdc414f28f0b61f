/* critical.h - eigenvalues over a parameter, and the values of it at which modes begin to grow, or cease. */
#ifndef CMD_CRITICAL_H
#define CMD_CRITICAL_H

#include "linearize.h"

/** Eigenvalues at one value. */
typedef struct cmd_locus_point {
    double value;
    int n;
    double *re, *im, *error; /**< [n] modes of the model, without those of its form */
    int rightmost;           /**< the one with the largest real part; -1: there is none */
    int grows;               /**< 1: by more than errors of it */
    int decays;              /**< 1: all modes, by more than their errors */
} cmd_locus_point;

/** A value beyond which, from low to high, growth begins or has ended. */
typedef struct cmd_critical_change {
    double value;
    double from;   /**< of growth that begins: there all modes decay, and between growth is within its errors; NaN: not
                         known, as without damping */
    int begins;    /**< 1: growth begins; 0: it has ended */
    double re, im; /**< the mode that grows, beside it */
} cmd_critical_change;

typedef struct cmd_critical {
    cmd_settings settings; /**< those of the command, with the parameter behind its others */
    char *name;            /**< of the parameter */
    char *word;            /**< its value */
    double low, high;      /**< from, to: low may be the larger one */
    char *model, *form;    /**< their names, which models take away */
    json_t *parameters;    /**< of the model, but for that one */
    int n;
    cmd_locus_point *points; /**< [n] from low to high */
    int n_changes;
    cmd_critical_change *changes; /**< [n_changes] in their order */
} cmd_critical;

/** Eigenvalues at a value, to be freed. @return 0; exit code after one complaint */
int cmd_locus_find(cmd_critical *c, double value, cmd_locus_point *to);
void cmd_locus_free(cmd_locus_point *x);

/** All changes between the points, and within them where the largest real part has a maximum. @return as above */
int cmd_critical_search(cmd_critical *c);

/** The first value beyond which a mode begins to grow; NULL: one grows at low, or none does. */
const cmd_critical_change *cmd_critical_first(const cmd_critical *c);
int cmd_critical_text(const cmd_critical *c, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_critical_json(const cmd_critical *c);
/** @return 0; exit code after one complaint */
int cmd_critical_csv(const cmd_critical *c, const char *path);
int cmd_critical_draw(const cmd_critical *c, const char *path);

#endif
