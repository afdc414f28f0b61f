/* curves.h - the colours and dashes of curves in one panel. Curves that coincide remain distinguishable. */
#ifndef CMD_CURVES_H
#define CMD_CURVES_H

/** Curves with common abscissas. */
typedef struct cmd_curves {
    int n;
    long rows;
    /** Return the ordinate of a curve in a row as it is drawn (of a logarithmic axis its logarithm); NaN: no point. */
    double (*at)(const void *self, int curve, long row);
    const void *self;
} cmd_curves;

/** Store the dash type of gnuplot for each curve: 1 is a full line. A curve that coincides with k curves before it, to
 *  the width of a line, has another one, through whose gaps the others are seen. Beyond CMD_PICTURE_COLOURS curves
 *  colours repeat with the next dash type.
 *  @param[out] dash  [n] */
void cmd_curves_dash(const cmd_curves *curves, int *dash);

#endif
