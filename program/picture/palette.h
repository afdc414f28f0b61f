/* palette.h - the colours of all pictures. */
#ifndef CMD_PALETTE_H
#define CMD_PALETTE_H

/** Return the first n colours as 0xRRGGBB. They do not depend on n. All differ from white, black and cmd_palette_grey.
 *  @param[out] colours  [n] */
void cmd_palette_fill(unsigned *colours, int n);

/** The grey for items without a colour. */
extern const unsigned cmd_palette_grey;

#endif
