/* progress.h - a line on the terminal that says how far an integration is. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

typedef struct cmd_progress {
    int on;                  /**< 0: never draws */
    int drawn;               /**< there is a line to erase */
    char label[64];          /**< what runs */
    const char *what, *unit; /**< around the numbers: "t = ", " s"; may be set after the beginning */
    double t0, t_end;        /**< simulated interval [s] */
    double began, due;       /**< wall clock [s]: start, and when the next drawing is due */
} cmd_progress;

/** Is stderr a terminal that can go back in a line, and `quiet` 0? */
int cmd_progress_is_wanted(int quiet);

/** Begin. It draws only when it is wanted and the run takes longer than a glance. */
void cmd_progress_begin(cmd_progress *progress, const char *label, double t0, double t_end, int quiet);

/** Simulated time t is reached; draws at most ten times a second. */
void cmd_progress_show(cmd_progress *progress, double t);

/** Clear the line, because something else is to be written or the run is over. */
void cmd_progress_erase(cmd_progress *progress);

#endif
