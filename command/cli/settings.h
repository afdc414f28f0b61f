/* settings.h - what the command line asks for, checked. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <resida/resida.h>
#include <stdio.h>

/** Which commands know an option; one bit each. */
enum {
    BENCH_MODELS = 1,
    BENCH_SOLVE = 2,
    BENCH_COMPARE = 4,
    BENCH_CHECK = 8,
    BENCH_PATTERN = 16,
    BENCH_REPRODUCE = 32,
    BENCH_WORK_PRECISION = 64,
    BENCH_REPORT = 128,
    BENCH_CONDITIONING = 256,
    BENCH_SWEEP = 512,
    BENCH_LINEARIZE = 1024,
    BENCH_EQUILIBRIUM = 2048,
    BENCH_RESUME = 4096
};

enum { BENCH_TEXT = 0, BENCH_JSON = 1 };

enum { BENCH_OPTIONS_MAX = 100 };

/** A NaN means: as the model says (or as the library does, for those of the solver). 0 counts mean the same. */
typedef struct bench_settings {
    /** What the library is told as it was said: all but what a model or a command decides, which is below. */
    resida_problem_options problem;
    resida_solver_options solver;
    resida_start_options start;

    int n_words;
    char **words; /**< [n_words] what is no option: names of models */

    int n_parameters; /**< -p NAME=VALUE, each name once, the last value */
    char **parameter_names;
    char **parameter_words; /**< their values, in the memory of the names */
    int *parameter_used;    /**< set by the models that have it */

    int n_tolerances; /**< --atol NAME=X, each name once */
    char **tolerance_names;
    double *tolerance_values;

    int n_guesses; /**< --start NAME=X, each name once */
    char **guess_names;
    double *guess_values;

    double rtol, atol, t_end;
    long via, load_steps;
    int steady;
    int from_equilibrium; /**< a run begins there */
    double from, to;      /**< tolerances of a series */
    long per_decade;
    double time_limit;
    double at, near;  /**< linearize, equilibrium: time of the state; linearize: frequency of its modes */
    long modes, mode; /**< likewise: how many, 0: all; which one is animated, 0: the first */
    char *matrices;   /**< likewise: prefix of files; NULL: none */
    long min_order, max_order, max_steps, max_residuals;
    int formalism;
    char *jacobian;                            /**< NULL: not said */
    char *integrator;                          /**< NULL: resida itself */
    int peers;                                 /**< compare with them, too */
    char *peer_names, *model_names, *sections; /**< lists with commas; NULL: not said */

    char *model;         /**< of a plan that names none; NULL: not said */
    char *csv, *report;  /**< files of what a sweep has found; NULL: none */
    long jobs;           /**< processes of a sweep; 0: not said */
    int argc;            /**< as it was given, */
    char **argv;         /**< the caller's */
    char *command_line;  /**< options and words as they were given */
    char *out;           /**< file of the trajectory or the picture; NULL: none */
    char *animate;       /**< page of an animation; NULL: none */
    char *columns;       /**< of the trajectory; NULL: p, v, a, lam or y */
    char *plot;          /**< columns of a picture; NULL: none */
    char *events;        /**< file of events; NULL: none */
    int event_states;    /**< with the states before and after */
    char *emit_patterns; /**< file of patterns as C; NULL: none */
    char *checkpoint;    /**< file to go on from after an interruption; NULL: none */
    double checkpoint_every;
    long checkpoint_steps;
    const struct bench_saved *saved; /**< of a run that goes on; NULL: of one that begins */
    char *sensitivity;               /**< parameters and starts, a list with commas; NULL: none */
    long points;
    double every;
    long repeat;
    int format, quiet;
    int estimate_error; /**< run a second time, estimate.h */
    int help;           /**< only the help text is wanted */

    int n_kept;
    char **kept; /**< [n_kept] words that the strings above are; the lists of words follow in its memory */
    unsigned char given[BENCH_OPTIONS_MAX]; /**< 1: that line of bench_options was on the command line */
} bench_settings;

/** 1: the option of that name, without dashes, was on the command line. */
int bench_is_given(const bench_settings *s, const char *name);

/** Read the words after the command.
 *  @param[in] command  its name; mask its bit
 *  @param[out] s  to be freed in any case
 *  @return 0; BENCH_EXIT_USAGE after one complaint */
int bench_settings_parse(bench_settings *s, const char *command, unsigned mask, int argc, char **argv);

void bench_settings_free(bench_settings *s);

/** "Usage: resida COMMAND WORDS" and the options of the command. */
void bench_settings_help(const char *command, unsigned mask, const char *words, FILE *stream);

#endif
