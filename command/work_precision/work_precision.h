/* work_precision.h - what it costs to be how exact: several methods, each at a series of tolerances. */
#ifndef BENCH_WORK_PRECISION_H
#define BENCH_WORK_PRECISION_H

#include "command/picture/curve.h"
#include "benchmarks/peers/peer.h"
#include "command/picture/picture.h"
#include "command/run/reference.h"
#include "command/run/run.h"
#include "command/output/text_table.h"

/** What a method is measured by; the first ones are drawn and compared among all methods. */
enum { BENCH_CPU = 0, BENCH_CALLS = 1, BENCH_N_DRAWN = 2, BENCH_STEPS = 2, BENCH_N_WORKS = 3 };

/** Work over error of p (y of a general DAE). */
typedef struct bench_curve {
    bench_point *hull; /**< [n] of the room for all tolerances */
    int n;
} bench_curve;

/** A way to integrate, at all tolerances. */
typedef struct bench_method {
    const char *jacobian; /**< of resida; borrowed */
    const rsd_peer *peer; /**< NULL: resida itself */
    bench_row *rows;      /**< [n_rows], from the loosest tolerance on */
    int n_rows;           /**< runs that are over */
    double call_s;        /**< processor time of a residual call alone; NaN: not known */
    bench_curve curves[BENCH_N_WORKS];
} bench_method;

typedef struct bench_study {
    const bench_settings *settings;
    bench_reference reference;
    char *jacobians;       /**< names of the strategies, cut in place */
    bench_method *methods; /**< [n_methods] those of resida first */
    int n_methods;
    double *rtol; /**< [n_rtol] falling */
    int n_rtol;
} bench_study;

/** Errors at which methods are compared: 1e-3 .. 1e-7. */
enum { BENCH_N_LEVELS = 5 };
extern const double bench_levels[BENCH_N_LEVELS];

/** One method at one error. */
typedef struct bench_equal {
    double work[BENCH_N_WORKS];      /**< cpu time [s], residual calls, steps; NaN where the curve does not reach */
    double to_least[BENCH_N_WORKS];  /**< as a multiple of the least of all methods */
    double to_resida[BENCH_N_WORKS]; /**< as a multiple of the first method, which is resida */
} bench_equal;

/** What is done with a row. @return 0; else the runs are over */
typedef int bench_study_take_fn(const bench_method *method, const bench_row *row, void *context);

/** Tolerances and methods of the settings, which must stay. To be closed in any case.
 *  @return 0; BENCH_EXIT_* after one complaint */
int bench_study_open(bench_study *study, const bench_settings *s);

/** Find a reference and run all. Without a reference study.reference.model.cls is NULL, and its source says why.
 *  @return 0; BENCH_EXIT_* after one complaint; what take returned; 128 + signal */
int bench_study_run(bench_study *study, const bench_model *model, bench_study_take_fn *take, void *context);
void bench_study_close(bench_study *study);

/** The curves of all methods, from their rows. */
void bench_study_curves(bench_study *study);

/** Work of method k at an error; NaN where its curve does not reach. */
double bench_study_work(const bench_study *study, int k, int which, double error);

/** Method k at an error, beside the others. */
bench_equal bench_study_equal(const bench_study *study, int k, double error);

/** "resida auto", "dassl" @return text */
enum { BENCH_METHOD_SIZE = 64 };
const char *bench_method_name(const bench_method *method, char text[BENCH_METHOD_SIZE]);

/** Both tables and what they mean. Without errors of all runs (interrupted) only the first one. */
void bench_study_text(const bench_study *study, int whole, FILE *stream);

/** One object for each error of bench_levels and method. @return 0; BENCH_EXIT_IO after one complaint */
int bench_study_json(const bench_study *study, FILE *stream);

/** The tables alone. */
void bench_study_fill_runs(const bench_study *study, bench_table *table);
void bench_study_fill_equal(const bench_study *study, bench_table *table);

/** Error over cpu time and over residual calls, every run with a known error a point; the second form one of them
 *  alone, with the names below it.
 *  @return 0; BENCH_EXIT_FAILED (there is none, or no memory) after one complaint */
int bench_study_draw(const bench_study *study, const bench_picture *picture);
int bench_study_draw_one(const bench_study *study, const bench_picture *picture, int which);

#endif
