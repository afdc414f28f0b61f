/* animation.h - an animation of a run as one self-contained HTML page. The page shows the parts of a model
 * (resida/model.h) at each output and contains the viewer that plays the frames. */
#ifndef CMD_ANIMATION_H
#define CMD_ANIMATION_H

#include "program/files/out_file.h"
#include "program/run/run.h"

typedef struct cmd_animation {
    cmd_out *out;              /**< borrowed */
    const resida_model *model; /**< borrowed */
    const char *title;         /**< borrowed */
    int n;                     /**< coordinates per frame: three for each point */
    long frames;
    double *t, *xyz; /**< [frames], [frames n] */
    double *outputs; /**< [frames n_outputs] outputs of the model, NaN if unknown; NULL if no outputs were requested */
} cmd_animation;

/** Check that the model has parts to draw. @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_animation_check(const cmd_model *model);

/** Initialize a sink that records a frame at each output. Both structs must outlive the run. */
void cmd_animation_sink(cmd_animation *a, cmd_out *out, const cmd_model *model, cmd_sink *sink);

/** Write the page of the recorded frames. @return 0; CMD_EXIT_IO or CMD_EXIT_FAILED after one complaint */
int cmd_animation_write(const cmd_animation *a);

/** Write the page itself: the viewer, three.js and the data to draw as JSON. three.js is read from the folder of
 *  Debian's libjs-three, or from the folder that the environment variable RESIDA_THREE names. Without three.js the
 *  viewer draws lines, and a line of the page states this. @return 0; 1 without memory */
int cmd_animation_page(FILE *f, const cmd_animation *a);

void cmd_animation_free(cmd_animation *a);

#endif
