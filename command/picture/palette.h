/* palette.h - many colours that differ from each other as much as that many can. */
#ifndef BENCH_PALETTE_H
#define BENCH_PALETTE_H

/** The first n of them as 0xRRGGBB; those of a larger n begin with them. None is near to white, black or the grey of
 *  what has no colour.
 *  @param[out] colours  [n] */
void bench_palette_fill(unsigned *colours, int n);

/** The grey of what has no colour of its own. */
extern const unsigned bench_palette_grey;

#endif
