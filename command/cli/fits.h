/* fits.h - options that were given and would have no effect are refused by name, as the table of resida/option.h
 * says. */
#ifndef BENCH_FITS_H
#define BENCH_FITS_H

#include "model_arg.h"
#include "benchmarks/peers/peer.h"
#include "settings.h"

/** With the form of the settings on that model, and their method.
 *  @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_fits_model(const bench_settings *s, const bench_model *model);

/** With a peer in the place of resida, which knows but some of the options. Likewise. */
int bench_fits_peer(const bench_settings *s, const rsd_peer *peer);

#endif
