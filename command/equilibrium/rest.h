/* rest.h - an equilibrium of a model: the search with the options of the command line, and its report. */
#ifndef CMD_REST_H
#define CMD_REST_H

#include <resida/equilibrium.h>
#include <resida/solver.h>

#include "program/cli/model_arg.h"

/** Input and result of the search. */
typedef struct cmd_equilibrium {
    const cmd_model *model;
    resida_problem *problem;
    resida_equilibrium_options o;
    resida_layout l;
    double t;
    double *block;       /**< memory of the arrays below */
    double *p, *v, *lam; /**< of a mechanism; for a general DAE p [n] is y. A guess before the search, the
                          *   equilibrium after it */
    double *p0, *v0;     /**< work */
    double *zero;        /**< [n] y' of a general DAE; [n_v] accelerations */
    resida_status status;
    resida_equilibrium_report report;
    resida_message why;
    resida_message warning; /**< warning of the model at p, v, lam; "" if there is none */
} cmd_equilibrium;

/** Search for an equilibrium. @param[out] r  to be freed in any case; r->status: result of the search
 *  @return 0 if the search was run; else an exit code after one complaint about the settings */
int cmd_equilibrium_find(cmd_equilibrium *r, const cmd_model *model, const cmd_settings *s);
void cmd_equilibrium_free(cmd_equilibrium *r);

/** Report a failed or interrupted search on one line. @return exit code */
int cmd_equilibrium_complain(const cmd_equilibrium *r);

/** Report each warning of a solver about its model on one line, as `solve` does. is_found: 1 if a search found the
 *  start. Then a warning that the start was moved is omitted (speed of a support). */
void cmd_report_model_warnings(const cmd_model *model, const resida_solver *solver, int is_found);

/** Report the warnings about a mechanism that starts at the equilibrium, or at the end of a failed search. */
void cmd_equilibrium_examine(const cmd_equilibrium *r);

/** Check that search options are given only with --from-equilibrium. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_equilibrium_check(const cmd_settings *s);

/** Set the start of the model to an equilibrium, found from `guess` [n_p, or n of a general DAE] if possible, else from
 *  the start of the model. guess may be NULL. r owns its arrays and must be freed, in any case, after the last use of
 *  the model. @return 0; exit code after one complaint */
int cmd_equilibrium_set_start(cmd_equilibrium *r, cmd_model *model, const cmd_settings *s, const double *guess);

/** Write the result as text, or as one JSON object. @return 0; CMD_EXIT_IO after one complaint */
int cmd_equilibrium_text(const cmd_equilibrium *r, FILE *stream);
int cmd_equilibrium_json(const cmd_equilibrium *r, FILE *stream);

#endif
