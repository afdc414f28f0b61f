/* picture.h - a picture drawn by gnuplot, which appears complete or not at all. */
#ifndef CMD_PICTURE_H
#define CMD_PICTURE_H

#include <stdio.h>

#include "program/files/out_file.h"

/** Number of line types with colours of the palette, `lt 1` and so on. */
enum { CMD_PICTURE_COLOURS = 12 };

/** A picture that is being described. A zeroed struct has none. */
typedef struct cmd_picture {
    FILE *script; /**< receives commands of gnuplot; terminal, size and colours of line types are set */
    cmd_out out;
} cmd_picture;

/** Check that the name ends in .svg or .png. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_picture_check(const char *path);

/** Open the file and begin the script.
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_IO or CMD_EXIT_FAILED after one complaint, and no file remains */
int cmd_picture_open(cmd_picture *picture, const char *path, int width, int height);

/** Begin a script without a file: an SVG for cmd_picture_inline(). */
int cmd_picture_begin(cmd_picture *picture, int width, int height);

/** Set logarithmic axes with these labels, a grid, and a key below. */
void cmd_picture_log_axes(const cmd_picture *picture, const char *x, const char *y);

/** Draw the picture, return the SVG, and close the picture.
 *  @param[out] svg  unnamed file at its beginning, to be closed; NULL unless 0 is returned
 *  @return as cmd_picture_commit() */
int cmd_picture_inline(cmd_picture *picture, FILE **svg);

/** Write a text as a string of gnuplot, with escapes. */
void cmd_picture_words(const cmd_picture *picture, const char *text);

/** Draw the picture and give the file its name.
 *  @return 0; CMD_EXIT_FAILED (no gnuplot, or it failed), CMD_EXIT_IO or 128 + signal after one complaint, and no file
 *  remains */
int cmd_picture_commit(cmd_picture *picture);

/** Draw an incomplete picture, with a name as in cmd_out_commit_partial(). */
int cmd_picture_commit_partial(cmd_picture *picture, char **where);

/** Close and discard the picture. The struct may be zeroed. */
void cmd_picture_abort(cmd_picture *picture);

#endif
