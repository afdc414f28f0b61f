/* fits.h - refuses options without effect, by the table of resida/option.h. */
#ifndef CMD_FITS_H
#define CMD_FITS_H

#include "model_arg.h"
#include "program/builtin/peer.h"
#include "settings.h"

/** Check that the options affect the form of the model and the method. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_check_model_options(const cmd_settings *s, const cmd_model *model);

/** Check that the model has continuous states, which `what` is computed of. @return as cmd_check_model_options() */
int cmd_check_has_states(const cmd_model *model, const char *what);

/** Check that a peer uses the options. @return as cmd_check_model_options() */
int cmd_check_peer_options(const cmd_settings *s, const rsd_peer *peer);

#endif
