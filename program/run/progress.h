/* progress.h - a line on the terminal that shows the progress of an integration. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

typedef struct cmd_progress {
    int on;                  /**< 0 if nothing is ever drawn */
    int drawn;               /**< there is a line to erase */
    char label[64];          /**< name of the run */
    const char *what, *unit; /**< text around the numbers: "t = ", " s"; may be set after cmd_progress_begin() */
    double t0, t_end;        /**< simulated interval [s] */
    double began, due;       /**< wall clock [s]: start, and time of the next update */
} cmd_progress;

/** Return 1 if stderr is a terminal that can redraw a line, and `quiet` is 0. */
int cmd_progress_is_wanted(int quiet);

/** Begin to show progress, if enabled. Nothing is drawn during the first 0.3 s. */
void cmd_progress_begin(cmd_progress *progress, const char *label, double t0, double t_end, int quiet);

/** Show that simulated time t is reached, at most ten times per second. */
void cmd_progress_show(cmd_progress *progress, double t);

/** Erase the line, before other output or after the run. */
void cmd_progress_erase(cmd_progress *progress);

#endif
