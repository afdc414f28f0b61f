/* fits.h - refuses given options that would have no effect, with their names, according to the table of
 * resida/option.h. */
#ifndef CMD_FITS_H
#define CMD_FITS_H

#include "model_arg.h"
#include "program/builtin/peer.h"
#include "settings.h"

/** Check the options with the form of the model and the method of the settings. @return 0; CMD_EXIT_USAGE after one
 *  complaint */
int cmd_fits_model(const cmd_settings *s, const cmd_model *model);

/** Check the options for a peer, which uses only some of them. @return as cmd_fits_model() */
int cmd_fits_peer(const cmd_settings *s, const rsd_peer *peer);

#endif
