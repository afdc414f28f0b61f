/* rest.h - an equilibrium of a model: the search, as the settings say, and what is said of it. */
#ifndef CMD_REST_H
#define CMD_REST_H

#include <resida/equilibrium.h>
#include <resida/solver.h>

#include "program/cli/model_arg.h"

/** What is asked for and what was found. */
typedef struct cmd_rest {
    const cmd_model *model;
    resida_problem *problem;
    resida_equilibrium_options o;
    resida_layout l;
    double t;
    double *block;       /**< the next ones: */
    double *p, *v, *lam; /**< of a mechanism; p [n] is y of a general DAE; a guess, then the equilibrium */
    double *p0, *v0;     /**< work */
    double *zero;        /**< [n] y' of a general DAE; [n_v] accelerations */
    resida_status status;
    resida_equilibrium_report report;
    resida_message why;
    resida_message warning; /**< of the model at p, v, lam; "": none */
} cmd_rest;

/** @param[out] r  to be freed in any case; r->status: what the search came to
 *  @return 0: there was a search; else an exit code after one complaint about the settings */
int cmd_rest_find(cmd_rest *r, const cmd_model *model, const cmd_settings *s);
void cmd_rest_free(cmd_rest *r);

/** One line about a search that found none, or was interrupted. @return exit code */
int cmd_rest_complain(const cmd_rest *r);

/** One line for each warning of a solver about its model, as `solve` has them; is_found 1: its start was found by a
 *  search, so that it is no news where that is moved (the speed of a support). */
void cmd_complain_of_model(const cmd_model *model, const resida_solver *solver, int is_found);

/** The same of a start at the equilibrium, or where the search ended, of a mechanism. */
void cmd_rest_examine(const cmd_rest *r);

/** Options of the search without --from-equilibrium? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_rest_check(const cmd_settings *s);

/** The model's start becomes an equilibrium, which stays in r, to be freed in any case behind the model's last use.
 *  @return 0; exit code after one complaint */
int cmd_rest_begin(cmd_rest *r, cmd_model *model, const cmd_settings *s);

/** As text, or as one object. @return 0; CMD_EXIT_IO after one complaint */
int cmd_rest_text(const cmd_rest *r, FILE *stream);
int cmd_rest_json(const cmd_rest *r, FILE *stream);

#endif
