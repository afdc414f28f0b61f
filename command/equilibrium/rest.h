/* rest.h - an equilibrium of a model: the search with the options of the command line, and its report. */
#ifndef CMD_REST_H
#define CMD_REST_H

#include <resida/equilibrium.h>
#include <resida/solver.h>

#include "program/cli/model_arg.h"

/** The input and the result of the search. */
typedef struct cmd_rest {
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
} cmd_rest;

/** Search for an equilibrium. @param[out] r  to be freed in any case; r->status is the result of the search
 *  @return 0 if the search was run; else an exit code after one complaint about the settings */
int cmd_rest_find(cmd_rest *r, const cmd_model *model, const cmd_settings *s);
void cmd_rest_free(cmd_rest *r);

/** Report a search that failed or was interrupted in one line. @return exit code */
int cmd_rest_complain(const cmd_rest *r);

/** Report each warning of a solver about its model in one line, as `solve` does. is_found: 1 if a search found the
 *  start of the solver. Then a warning that the start was moved (speed of a support) is omitted. */
void cmd_complain_of_model(const cmd_model *model, const resida_solver *solver, int is_found);

/** Report the warnings about a mechanism when it starts at the equilibrium, or at the end of the search. */
void cmd_rest_examine(const cmd_rest *r);

/** Check that search options are given only with --from-equilibrium. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_rest_check(const cmd_settings *s);

/** Set the start of the model to an equilibrium. r owns its arrays and must be freed, in any case, after the last use
 *  of the model. @return 0; exit code after one complaint */
int cmd_rest_begin(cmd_rest *r, cmd_model *model, const cmd_settings *s);

/** Write the result as text, or as one JSON object. @return 0; CMD_EXIT_IO after one complaint */
int cmd_rest_text(const cmd_rest *r, FILE *stream);
int cmd_rest_json(const cmd_rest *r, FILE *stream);

#endif
