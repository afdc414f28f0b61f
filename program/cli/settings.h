/* settings.h - what the command line asks for, checked. */
#ifndef CMD_SETTINGS_H
#define CMD_SETTINGS_H

#include <resida/resida.h>
#include <stdio.h>

/** Which commands know an option; one bit each. */
enum {
    CMD_MODELS = 1,
    CMD_SOLVE = 2,
    CMD_COMPARE = 4,
    CMD_CHECK = 8,
    CMD_PATTERN = 16,
    CMD_REPRODUCE = 32,
    CMD_WORK_PRECISION = 64,
    CMD_REPORT = 128,
    CMD_CONDITIONING = 256,
    CMD_SWEEP = 512,
    CMD_LINEARIZE = 1024,
    CMD_EQUILIBRIUM = 2048,
    CMD_RESUME = 4096,
    CMD_RESPONSE = 8192,
    CMD_CRITICAL = 16384,
    CMD_RESULTS = 32768
};

enum { CMD_TEXT = 0, CMD_JSON = 1 };

enum { CMD_OPTIONS_MAX = 120 };

/** A NaN means: as the model says (or as the library does, for those of the solver). 0 counts mean the same. */
typedef struct cmd_settings {
    /** What the library is told as it was said: all but what a model or a command decides, which is below. */
    resida_problem_options problem;
    resida_solver_options solver;
    resida_start_options start;

    int n_words;
    char **words; /**< [n_words] what is no option: names of models */

    int n_parameters; /**< -p NAME=VALUE, each name once; options of models with their dashes */
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
    int energy;       /**< linearize: with shares of kinetic energy */
    char *vary;       /**< critical: NAME=FROM:TO */
    char *excitation, *outputs, *range; /**< response: from which, to which, LOW:HIGH in Hz; NULL: not said */
    long min_order, max_order, max_steps, max_residuals;
    int formalism;
    char *jacobian;                            /**< NULL: not said */
    char *integrator;                          /**< NULL: resida itself */
    int peers;                                 /**< compare with them, too */
    char *peer_names, *model_names, *sections; /**< lists with commas; NULL: not said */

    char *check;         /**< results: page to compare; NULL: one is written */
    char *kept_in;       /**< results, report: folder of what is finished; NULL: not said */
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
    struct bench_kept_runs *kept_runs; /**< of the laboratory: finished runs; NULL: none are kept */
    const struct cmd_saved *saved;     /**< of a run that goes on; NULL: of one that begins */
    char *sensitivity;                 /**< parameters and starts, a list with commas; NULL: none */
    long points;
    double every;
    long repeat;
    int format, quiet;
    int is_silent_on_events; /**< events are in the rows alone */
    int estimate_error;      /**< run a second time, estimate.h */
    int help;                /**< only the help text is wanted */

    int n_kept;
    char **kept; /**< [n_kept] words that the strings above are; the lists of words follow in its memory */
    unsigned char given[CMD_OPTIONS_MAX]; /**< 1: that line of cmd_options was on the command line */
} cmd_settings;

/** What a command does by its settings. @return its exit code, after at most one complaint */
typedef int cmd_command_fn(const cmd_settings *s);

/** 1: the option of that name, without dashes, was on the command line. */
int cmd_is_given(const cmd_settings *s, const char *name);

/** Read the words after the command.
 *  @param[in] command  its name; mask its bit
 *  @param[out] s  to be freed in any case
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_settings_parse(cmd_settings *s, const char *command, unsigned mask, int argc, char **argv);

void cmd_settings_free(cmd_settings *s);

/** "Usage: resida COMMAND WORDS" and the options of the command. */
void cmd_settings_help(const char *command, unsigned mask, const char *words, FILE *stream);

#endif
