/* rest_find.h - looks for an equilibrium of a model, as the settings say: guesses, time, the way there, budgets. */
#ifndef CMD_REST_FIND_H
#define CMD_REST_FIND_H

#include "rest_result.h"

/** @param[out] r  to be freed in any case; r->status: what the search came to
 *  @return 0: there was a search; else an exit code after one complaint about the settings */
int cmd_rest_find(cmd_rest *r, const cmd_model *model, const cmd_settings *s);
void cmd_rest_free(cmd_rest *r);

/** One line about a search that found none, or was interrupted. @return exit code */
int cmd_rest_complain(const cmd_rest *r);

#endif
