/* picture.h - a picture by gnuplot that appears whole or not at all. */
#ifndef CMD_PICTURE_H
#define CMD_PICTURE_H

#include <stdio.h>

#include "program/files/out_file.h"

/** A picture being described. Zeroed: none. */
typedef struct cmd_picture {
    FILE *script; /**< commands of gnuplot go here; terminal and size are set */
    cmd_out out;
} cmd_picture;

/** Does the name end in .svg or .png? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_picture_check(const char *path);

/** Open the file and begin the script.
 *  @return 0; CMD_EXIT_USAGE, CMD_EXIT_IO, CMD_EXIT_FAILED after one complaint, with nothing left behind */
int cmd_picture_open(cmd_picture *picture, const char *path, int width, int height);

/** Begin a script without a file: an SVG for cmd_picture_inline(). */
int cmd_picture_begin(cmd_picture *picture, int width, int height);

/** Logarithmic axes with these labels, a grid, and the names of lines below. */
void cmd_picture_log_axes(const cmd_picture *picture, const char *x, const char *y);

/** Draw it and give the SVG, from its beginning on; the picture is over.
 *  @param[out] svg  a file without a name, to be closed; NULL unless 0 is returned
 *  @return as cmd_picture_commit() */
int cmd_picture_inline(cmd_picture *picture, FILE **svg);

/** Words as a string of gnuplot, whatever they contain. */
void cmd_picture_words(const cmd_picture *picture, const char *text);

/** Draw it, and let the file appear.
 *  @return 0; CMD_EXIT_FAILED (no gnuplot, or it failed), CMD_EXIT_IO, 128 + signal; after one complaint, with
 *          nothing left behind */
int cmd_picture_commit(cmd_picture *picture);

/** The same for what is not whole, as cmd_out_commit_partial(). */
int cmd_picture_commit_partial(cmd_picture *picture, char **where);

/** Throw away. A zeroed one is fine. */
void cmd_picture_abort(cmd_picture *picture);

#endif
