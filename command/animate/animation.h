/* animation.h - a run as a page that moves: the parts of a model (resida/model.h) at each output, with a viewer that
 * plays them, in one file that needs nothing but itself. */
#ifndef BENCH_ANIMATION_H
#define BENCH_ANIMATION_H

#include "command/base/out_file.h"
#include "command/run/run.h"

typedef struct bench_animation {
    bench_out *out;            /**< borrowed */
    const resida_model *model; /**< borrowed */
    const char *title;         /**< borrowed */
    int n;                     /**< numbers of a frame: three for each point */
    long frames;
    double *t, *xyz; /**< [frames], [frames n] */
} bench_animation;

/** Has the model parts to draw? @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_animation_check(const bench_model *model);

/** A sink that takes a frame at each output. Both structs must outlive the run. */
void bench_animation_sink(bench_animation *a, bench_out *out, const bench_model *model, bench_sink *sink);

/** Write the page of the frames that there are. @return 0; BENCH_EXIT_IO, BENCH_EXIT_FAILED after one complaint */
int bench_animation_write(const bench_animation *a);

/** The page itself: the viewer (viewer.js, viewer.css), and as JSON what it draws. @return 0; 1 without memory */
int bench_animation_page(FILE *f, const bench_animation *a);

void bench_animation_free(bench_animation *a);

#endif
