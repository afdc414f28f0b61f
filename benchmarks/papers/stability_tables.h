/* stability_tables.h - Tables 4.1 to 4.8 of U. Ascher, L. Petzold, Stability of computational methods for constrained
 * dynamics systems (UBC TR 91-3), as printed: backward Euler, h = 0.01, to t = 1. */
#ifndef CMD_STABILITY_TABLES_H
#define CMD_STABILITY_TABLES_H

#include "stability_examples.h"

#define CMD_STABILITY_PAPER                                                                                            \
    "U. Ascher, L. Petzold, Stability of computational methods for constrained dynamics systems, UBC TR 91-3, 1991"

/** What a row prints, and what it measures. NaN: not in the table. */
typedef struct cmd_stability_values {
    double mu, error_p, error_v, drift; /**< Tables 4.1, 4.2: error_p is that of x */
} cmd_stability_values;

/** A row; of Tables 4.1 and 4.2 by `linear`, else a form of Example 3. */
typedef struct cmd_stability_row {
    const char *method; /**< "Baumgarte", "B" ... */
    double parameter;   /**< gamma, or nu; NaN: none */
    cmd_linear_form linear;
    const char *form;       /**< "projected1", "ggl", "index2" */
    const char *projection; /**< "B", "C'", "unit"; NULL: none */
    cmd_stability_values printed;
    const char *note;    /**< why it differs; "": it does not */
    int is_bias_doubled; /**< 4 C' v in the place of 2 C' v */
} cmd_stability_row;

enum { CMD_STABILITY_ROWS = 24 };

typedef struct cmd_stability_table {
    const char *name;  /**< "table4.1" */
    const char *about; /**< one line */
    int example;
    double force; /**< of Example 3 */
    cmd_stability_row rows[CMD_STABILITY_ROWS + 1];
} cmd_stability_table;

extern const cmd_stability_table cmd_stability_tables[];
enum { CMD_STABILITY_TABLES = 8 };

#endif
