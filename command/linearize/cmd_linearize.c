/* cmd_linearize.c - linearizes a model about a state of a run: eigenvalues, modes, matrices.
 *
 * Order: the command line is checked, the run integrates to the state, the files are written. */
#include "command/cli/commands.h"

#include "command/animate/animation.h"
#include "program/base/complain.h"
#include "program/output/json_line.h"
#include "linearize.h"

#include <string.h>

enum { WIDTH = 1000, HEIGHT = 800 };

static int is_table(const char *path)
{
    return cmd_ends_in(path, ".csv") || strcmp(path, "-") == 0;
}

static int draw_picture(const cmd_linear *l, const char *path)
{
    cmd_picture picture;
    int code = cmd_picture_open(&picture, path, WIDTH, HEIGHT);
    if (code == 0) cmd_linear_draw(l, &picture);
    if (code == 0) code = cmd_picture_commit(&picture);
    cmd_picture_abort(&picture);
    return code;
}

/* Return the number of the mode of --mode. The default is the slowest that swings, or the first if no mode does. */
static int get_animated_mode(const cmd_linear *l, const cmd_settings *s)
{
    const int swinging = cmd_linear_swinging(l);
    return s->mode > 0 ? (int)s->mode : swinging >= 0 ? swinging + 1 : 1;
}

static int write_text_or_json(const cmd_linear *l, const cmd_settings *s)
{
    FILE *stream = s->out && strcmp(s->out, "-") == 0 ? stderr : stdout;
    int code = 0;
    if (s->out) code = is_table(s->out) ? cmd_linear_csv(l, s->out) : draw_picture(l, s->out);
    if (code == 0 && s->matrices) code = cmd_linear_matrices(l, s->matrices);
    if (code == 0 && s->animate) code = cmd_linear_animate(l, get_animated_mode(l, s), s->animate);
    if (code != 0) return code;
    if (s->format == CMD_TEXT) cmd_linear_text(l, stream);
    if (s->format == CMD_TEXT && s->energy) code = cmd_energy_text(l, stream);
    return code == 0 && s->format == CMD_JSON ? cmd_json_line(cmd_linear_json(l), stream) : code;
}

static int report_modes(cmd_linear *l, const cmd_settings *s, void *self)
{
    (void)self;
    resida_message why = {""};
    if (resida_linearization_modes(l->handle, (int)s->modes, cmd_value_or(s->near, 0), &l->modes, &why) < 0)
        return cmd_linear_complain(l->job, &why);
    return write_text_or_json(l, s);
}

static int linearize_model(cmd_model *model, const cmd_settings *s)
{
    int code = s->animate ? cmd_animation_check(model) : 0;
    if (code == 0 && s->energy) code = cmd_energy_check(model);
    return code != 0 ? code : cmd_linearize_at_state(model, s, NULL, report_modes, NULL);
}

static int check_settings(const cmd_settings *s)
{
    if (s->n_words != 1)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: give exactly one model; 'resida models' lists them");
    if (s->out && !is_table(s->out) && !cmd_ends_in(s->out, ".svg") && !cmd_ends_in(s->out, ".png"))
        return cmd_complain(CMD_EXIT_USAGE, "--out %s: must end in .csv, .svg or .png", s->out);
    if (cmd_is_given(s, "near") && s->modes == 0)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: --near needs --modes");
    if (cmd_is_given(s, "mode") && !s->animate)
        return cmd_complain(CMD_EXIT_USAGE, "linearize: --mode needs --animate");
    return 0;
}

int cmd_cmd_linearize(const cmd_settings *s)
{
    const int code = check_settings(s);
    return code != 0 ? code : cmd_run_on_model(s, linearize_model);
}
