/* progress.c - shows the model, the simulated time, the fraction x that is done, and an estimate of the remaining time:
 * left = elapsed (1 - x) / x. The line is redrawn in place and never wraps. */
#include "progress.h"

#include "program/process/stopwatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double pause_s = 0.1;   /* between two updates */
static const double silence_s = 0.3; /* shorter runs show no progress */

enum { LINE_MAX_WIDTH = 160, BAR_MAX_WIDTH = 30, BAR_MIN_WIDTH = 5 };

static int terminal_width(void)
{
    struct winsize size;
    int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    return width < LINE_MAX_WIDTH ? width - 1 : LINE_MAX_WIDTH - 1; /* the last column may wrap */
}

int cmd_progress_is_wanted(int quiet)
{
    const char *term = getenv("TERM");
    return !quiet && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void cmd_progress_begin(cmd_progress *progress, const char *label, double t0, double t_end, int quiet)
{
    *progress = (cmd_progress){.what = "t = ", .unit = " s", .t0 = t0, .t_end = t_end};
    progress->on = cmd_progress_is_wanted(quiet);
    if (!progress->on) return;
    snprintf(progress->label, sizeof progress->label, "%s", label);
    progress->began = bench_wall_s();
    progress->due = progress->began + silence_s;
}

static void format_remaining_time(double elapsed, double part, char *text, size_t size)
{
    double left = part > 0 ? elapsed * (1 - part) / part : -1;
    if (left < 0 || left > 359999)
        snprintf(text, size, "--:--");
    else if (left >= 3600)
        snprintf(text, size, "%d:%02d:%02d", (int)left / 3600, (int)left / 60 % 60, (int)left % 60);
    else
        snprintf(text, size, "%d:%02d", (int)left / 60, (int)left % 60);
}

/** Draw "  [####....]" with `width` characters, at most BAR_MAX_WIDTH; nothing if there are too few. */
static void draw_bar(char *bar, int width, double part)
{
    if (width > BAR_MAX_WIDTH) width = BAR_MAX_WIDTH;
    bar[0] = 0;
    if (width < BAR_MIN_WIDTH) return;
    memcpy(bar, "  [", 3);
    for (int i = 0; i < width; i++) bar[3 + i] = i < (int)(part * width) ? '#' : '.';
    memcpy(bar + 3 + width, "]", 2);
}

void cmd_progress_show(cmd_progress *progress, double t)
{
    if (!progress->on) return;
    double now = bench_wall_s();
    if (now < progress->due) return;
    progress->due = now + pause_s;

    double part = (t - progress->t0) / (progress->t_end - progress->t0);
    part = part < 0 ? 0 : part > 1 ? 1 : part; /* the last step may reach beyond t_end */
    char left[32], line[LINE_MAX_WIDTH], bar[BAR_MAX_WIDTH + 5];
    format_remaining_time(now - progress->began, part, left, sizeof left);
    int used = snprintf(line, sizeof line, "%s  %s%.5g of %.5g%s  %3d %%  %s left", progress->label, progress->what, t,
                        progress->t_end, progress->unit, (int)(100 * part), left);
    int width = terminal_width();
    draw_bar(bar, width - used - 4, part);
    fprintf(stderr, "\r%.*s%s\033[K", width, line, bar);
    fflush(stderr);
    progress->drawn = 1;
}

void cmd_progress_erase(cmd_progress *progress)
{
    if (!progress->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = 0;
}
