/* picture.h - a picture by gnuplot that appears whole or not at all. */
#ifndef BENCH_PICTURE_H
#define BENCH_PICTURE_H

#include <stdio.h>

#include "command/base/out_file.h"

/** A picture being described. Zeroed: none. */
typedef struct bench_picture {
    FILE *script; /**< commands of gnuplot go here; terminal and size are set */
    bench_out out;
} bench_picture;

/** Does the name end in .svg or .png? @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_picture_check(const char *path);

/** Open the file and begin the script.
 *  @return 0; BENCH_EXIT_USAGE, BENCH_EXIT_IO, BENCH_EXIT_FAILED after one complaint, with nothing left behind */
int bench_picture_open(bench_picture *picture, const char *path, int width, int height);

/** Begin a script without a file: an SVG for bench_picture_inline(). */
int bench_picture_begin(bench_picture *picture, int width, int height);

/** Logarithmic axes with these labels, a grid, and the names of lines below. */
void bench_picture_log_axes(const bench_picture *picture, const char *x, const char *y);

/** Draw it and give the SVG, from its beginning on; the picture is over.
 *  @param[out] svg  a file without a name, to be closed; NULL unless 0 is returned
 *  @return as bench_picture_commit() */
int bench_picture_inline(bench_picture *picture, FILE **svg);

/** Words as a string of gnuplot, whatever they contain. */
void bench_picture_words(const bench_picture *picture, const char *text);

/** Draw it, and let the file appear.
 *  @return 0; BENCH_EXIT_FAILED (no gnuplot, or it failed), BENCH_EXIT_IO, 128 + signal; after one complaint, with
 *          nothing left behind */
int bench_picture_commit(bench_picture *picture);

/** The same for what is not whole, as bench_out_commit_partial(). */
int bench_picture_commit_partial(bench_picture *picture, char **where);

/** Throw away. A zeroed one is fine. */
void bench_picture_abort(bench_picture *picture);

#endif
