/* progress.h - a line on the terminal that says how far an integration is. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

typedef struct bench_progress {
    int on;                  /**< 0: never draws */
    int drawn;               /**< there is a line to erase */
    char label[64];          /**< what runs */
    const char *what, *unit; /**< around the numbers: "t = ", " s"; may be set after the beginning */
    double t0, t_end;        /**< simulated interval [s] */
    double began, due;       /**< wall clock [s]: start, and when the next drawing is due */
} bench_progress;

/** Is stderr a terminal that can go back in a line, and `quiet` 0? */
int bench_progress_is_wanted(int quiet);

/** Begin. It draws only when it is wanted and the run takes longer than a glance. */
void bench_progress_begin(bench_progress *progress, const char *label, double t0, double t_end, int quiet);

/** Simulated time t is reached; draws at most ten times a second. */
void bench_progress_show(bench_progress *progress, double t);

/** Clear the line, because something else is to be written or the run is over. */
void bench_progress_erase(bench_progress *progress);

#endif
