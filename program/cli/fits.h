/* fits.h - options that were given and would have no effect are refused by name, as the table of resida/option.h
 * says. */
#ifndef CMD_FITS_H
#define CMD_FITS_H

#include "model_arg.h"
#include "program/builtin/peer.h"
#include "settings.h"

/** With the form of the settings on that model, and their method.
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_fits_model(const cmd_settings *s, const cmd_model *model);

/** With a peer in the place of resida, which knows but some of the options. Likewise. */
int cmd_fits_peer(const cmd_settings *s, const rsd_peer *peer);

#endif
