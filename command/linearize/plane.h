/* plane.h - panels with eigenvalues in the complex plane: all, and a part about zero at a larger scale. */
#ifndef CMD_PLANE_H
#define CMD_PLANE_H

#include "program/picture/picture.h"

/** The shown part of the plane. */
typedef struct cmd_plane {
    double left, right; /**< real parts [1/s]; INFINITY with its sign: as far as there are eigenvalues */
    double low, high;   /**< imaginary parts [rad/s], likewise */
    int n_left;         /**< number of eigenvalues to the left */
} cmd_plane;

/** Return the part with all eigenvalues (re, im >= 0) [n], except those that decay faster than the fastest oscillates.
 *  These would compress the others. */
cmd_plane cmd_plane_all(const double *re, const double *im, int n);

/** Begin a picture with panels side by side. */
void cmd_plane_begin(const cmd_picture *picture, const char *title, int panels);

/** Set the axes of the next panel, of which a plot command follows. */
void cmd_plane_axes(const cmd_picture *picture, const cmd_plane *part);

#endif
