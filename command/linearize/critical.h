/* critical.h - eigenvalues over a parameter, and the first value of it at which a mode begins to grow. */
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
} cmd_locus_point;

typedef struct cmd_critical {
    cmd_settings settings; /**< those of the command, with the parameter behind its others */
    char *name;            /**< of the parameter */
    char *word;            /**< its value */
    double low, high;
    char *model, *form; /**< their names, which models take away */
    json_t *parameters; /**< of the model, but for that one */
    int n;
    cmd_locus_point *points;      /**< [n] from low to high */
    cmd_locus_point below, above; /**< beside the critical value; above.re NULL: no mode begins to grow */
} cmd_critical;

/** 1: a mode begins to grow between low and high; 0: it does at low, or does not. */
int cmd_critical_is_found(const cmd_critical *c);
/** The mode that grows swings. */
int cmd_critical_flutters(const cmd_critical *c);

int cmd_critical_text(const cmd_critical *c, FILE *stream);
/** A new reference; NULL without memory. */
json_t *cmd_critical_json(const cmd_critical *c);
/** @return 0; exit code after one complaint */
int cmd_critical_csv(const cmd_critical *c, const char *path);
int cmd_critical_draw(const cmd_critical *c, const char *path);

#endif
