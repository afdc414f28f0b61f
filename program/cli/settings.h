/* settings.h - the parsed and checked command line. */
#ifndef CMD_SETTINGS_H
#define CMD_SETTINGS_H

#include <resida/resida.h>
#include <stdio.h>

/** Bits of the commands, for the masks of options. */
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
    CMD_RESULTS = 32768,
    CMD_EXPORT = 65536
};

enum { CMD_TEXT = 0, CMD_JSON = 1 };

enum { CMD_OPTIONS_MAX = 120 };

/** The settings. NaN and counts of 0 mean the default of the model, or of the library for options of the solver. */
typedef struct cmd_settings {
    /** Options passed to the library unchanged. Options that a model or command changes are below. */
    resida_problem_options problem;
    resida_solver_options solver;
    resida_start_options start;

    int n_words;
    char **words; /**< [n_words] arguments that are not options: names of models */

    int n_parameters; /**< -p NAME=VALUE, each name once; options of models with dashes */
    char **parameter_names;
    char **parameter_words; /**< values, in the memory of the names */
    int *parameter_used;    /**< set by models that have the parameter */

    int n_tolerances; /**< --atol NAME=X, each name once */
    char **tolerance_names;
    double *tolerance_values;

    int n_guesses; /**< --start NAME=X, each name once */
    char **guess_names;
    double *guess_values;

    double rtol, atol, t_end;
    long via, load_steps;
    int steady;
    int from_equilibrium; /**< the run begins at an equilibrium */
    double from, to;      /**< tolerances of a series */
    long per_decade;
    double time_limit;
    double at, near;  /**< linearize, equilibrium: time of the state; linearize: frequency of the modes */
    long modes, mode; /**< linearize: number of modes, 0 for all; mode to animate, 0 for the first */
    char *matrices;   /**< linearize: prefix of files; NULL if none */
    int energy;       /**< linearize: with shares of the kinetic energy */
    char *vary;       /**< critical: NAME=FROM:TO */
    char *excitation, *outputs, *range; /**< response: excitation, outputs, LOW:HIGH in Hz; NULL if not given */
    long min_order, max_order, max_steps, max_residuals;
    int formalism;
    char *jacobian;                            /**< NULL if not given */
    char *integrator;                          /**< peer; NULL for resida */
    int peers;                                 /**< compare with peers */
    char *peer_names, *model_names, *sections; /**< lists with commas; NULL if not given */

    char *check;         /**< results: page to compare; NULL to write it */
    char *kept_in;       /**< results, report: folder of completed parts; NULL if not given */
    char *model;         /**< model of a plan without one; NULL if not given */
    char *csv, *report;  /**< files of the results of a sweep; NULL if none */
    long jobs;           /**< processes of a sweep; 0 if not given */
    int argc;            /**< words of the command line */
    char **argv;         /**< borrowed */
    char *command_line;  /**< options and words as given */
    char *fmu;           /**< FMU to write; NULL if none */
    int fmi;             /**< its version: index in 2.0, 3.0 */
    char *out;           /**< file of the trajectory or picture; NULL if none */
    char *animate;       /**< page of an animation; NULL if none */
    char *columns;       /**< columns of the trajectory; NULL: p, v, a, lam or y */
    char *plot;          /**< columns of a picture; NULL if none */
    char *events;        /**< file of events; NULL if none */
    int event_states;    /**< with the states before and after */
    char *emit_patterns; /**< file of patterns as C; NULL if none */
    char *checkpoint;    /**< file from which an interrupted run continues; NULL if none */
    double checkpoint_every;
    long checkpoint_steps;
    struct bench_kept_runs *kept_runs; /**< completed runs of the laboratory; NULL if not stored */
    const struct cmd_saved *saved;     /**< checkpoint of a continued run; NULL for a new run */
    char *sensitivity;                 /**< list of parameters and initial values; NULL if none */
    long points;
    double every;
    long repeat;
    int format, quiet;
    int is_silent_on_events; /**< events are reported only in the rows */
    int estimate_error;      /**< estimate the error by a second run (estimate.h) */
    int help;                /**< only print the help text */

    int n_kept;
    char **kept;                          /**< [n_kept] memory of the strings above; the lists of words follow it */
    unsigned char given[CMD_OPTIONS_MAX]; /**< 1 if this option of cmd_options was on the command line */
} cmd_settings;

/** Execute a command with its settings. @return exit code, after at most one complaint */
typedef int cmd_command_fn(const cmd_settings *s);

/** Return 1 if the option with this name, without dashes, was on the command line. */
int cmd_is_given(const cmd_settings *s, const char *name);

/** Parse the words after the command.
 *  @param[in] command, mask  its name and its bit
 *  @param[out] s  to be freed in any case
 *  @return 0; CMD_EXIT_USAGE after one complaint */
int cmd_settings_parse(cmd_settings *s, const char *command, unsigned mask, int argc, char **argv);

void cmd_settings_free(cmd_settings *s);

/** Write "Usage: resida COMMAND WORDS" and the options of the command. */
void cmd_settings_help(const char *command, unsigned mask, const char *words, FILE *stream);

#endif
