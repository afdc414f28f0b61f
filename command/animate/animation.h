/* animation.h - a run as a page that moves: the parts of a model (resida/model.h) at each output, with a viewer that
 * plays them, in one file that needs nothing but itself. */
#ifndef CMD_ANIMATION_H
#define CMD_ANIMATION_H

#include "program/files/out_file.h"
#include "program/run/run.h"

typedef struct cmd_animation {
    cmd_out *out;              /**< borrowed */
    const resida_model *model; /**< borrowed */
    const char *title;         /**< borrowed */
    int n;                     /**< numbers of a frame: three for each point */
    long frames;
    double *t, *xyz; /**< [frames], [frames n] */
    double *outputs; /**< [frames n_outputs] of the model, NaN where one is not known; NULL: they were not asked for */
} cmd_animation;

/** Has the model parts to draw? @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_animation_check(const cmd_model *model);

/** A sink that takes a frame at each output. Both structs must outlive the run. */
void cmd_animation_sink(cmd_animation *a, cmd_out *out, const cmd_model *model, cmd_sink *sink);

/** Write the page of the frames that there are. @return 0; CMD_EXIT_IO, CMD_EXIT_FAILED after one complaint */
int cmd_animation_write(const cmd_animation *a);

/** The page itself: the viewer, three.js where it is installed (the environment's RESIDA_THREE names another folder
 *  than that of Debian's libjs-three; without it a line of the page says so, and the viewer draws lines), and as JSON
 *  what it draws. @return 0; 1 without memory */
int cmd_animation_page(FILE *f, const cmd_animation *a);

void cmd_animation_free(cmd_animation *a);

#endif
