/* palette.h - many colours that differ from each other as much as that many can. */
#ifndef CMD_PALETTE_H
#define CMD_PALETTE_H

/** The first n of them as 0xRRGGBB; those of a larger n begin with them. None is near to white, black or the grey of
 *  what has no colour.
 *  @param[out] colours  [n] */
void cmd_palette_fill(unsigned *colours, int n);

/** The grey of what has no colour of its own. */
extern const unsigned cmd_palette_grey;

#endif
