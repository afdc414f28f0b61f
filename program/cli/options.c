/* options.c - the table of the options of both programs, one option per line. It determines parsing, range checks and
 * the help text. The ranges of the library (resida/solver.h) are checked before any work is done. */
#include "options.h"

#include "settings.h"

#include <math.h>
#include <resida/resida.h>
#include <resida_features.h>

enum { MAX_FORMS = 40 };
static const char *forms[MAX_FORMS] = {"auto"};
static const char *const projections[] = {"G", "B", NULL};
static const char *const formalisms[] = {"auto", "residual", "explicit", NULL}; /* order of resida_formalism */
static const char *const error_tests[] = {"auto", "all", "differential", NULL}; /* order of resida_error_test */
static const char *const differences[] = {"forward", "central", NULL};          /* order of resida_differences */
static const char *const start_ups[] = {"auto", "lower-orders", "radau", NULL}; /* order of resida_start_up */
static const char *const formats[] = {"text", "json", NULL};

#define RUNS       (CMD_SOLVE | CMD_COMPARE | CMD_SWEEP | CMD_EXPORT)
#define MEASURES   (RUNS | CMD_WORK_PRECISION)
#define STARTS     (MEASURES | CMD_PATTERN)
#define INTEGRATES (STARTS | CMD_CHECK)
#define LINEAR     (CMD_LINEARIZE | CMD_RESPONSE | CMD_CRITICAL)
#define REPORTS    (INTEGRATES | LINEAR | CMD_REPRODUCE)
#define LIMITED    (REPORTS | CMD_REPORT)
#define FORMATTED  (REPORTS | CMD_MODELS | CMD_CONDITIONING | CMD_EQUILIBRIUM)
#define FORMS      (STARTS | LINEAR)
#define ALL        (FORMATTED | CMD_REPORT | CMD_RESUME)
#define SERIES     (CMD_WORK_PRECISION | CMD_REPORT)
#define ONE_RTOL   ((INTEGRATES | LINEAR) & ~(unsigned)CMD_WORK_PRECISION)
#define AT(member) offsetof(cmd_settings, member)

/* name, letter, kind, commands, offset in cmd_settings; then designated fields */
static const cmd_option shared[] = {
    {"param", 'p', CMD_PARAMETER, INTEGRATES | CMD_CONDITIONING | LINEAR | CMD_EQUILIBRIUM, 0, .value = "NAME=VALUE",
     .text = "set a parameter of the model (may be repeated)"},
    {"rtol", 0, CMD_REAL, ONE_RTOL, AT(rtol), .min = 0, .above_min = 1, .max = INFINITY, .value = "X", .option = "rtol",
     .text = "relative tolerance (default: the model's)"},
    {"atol", 0, CMD_TOLERANCE, ONE_RTOL, AT(atol), .min = 0, .max = INFINITY, .value = "X|NAME=X", .option = "atol",
     .text = "absolute tolerance (default: the model's); NAME=X: that of a component (may be repeated)"},
    {"t-end", 0, CMD_REAL, STARTS, AT(t_end), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate up to here (default: the model's)"},
    {"form", 0, CMD_NAME, FORMS, AT(problem.form), .words = forms, .value = "NAME", .option = "form",
     .text = "formulation of the constraints: auto, %s (default auto: ggl, or ode without constraints)",
     .names = resida_form_at},
    {"gamma", 0, CMD_REAL, FORMS, AT(problem.gamma), .min = 0, .above_min = 1, .max = 1e300, .value = "X",
     .option = "gamma", .text = "Baumgarte's parameter [1/s] (default: 1 of baumgarte, none of index2)"},
    {"penalty", 0, CMD_REAL, FORMS, AT(problem.penalty), .min = 0, .max = 1e300, .value = "X", .option = "penalty",
     .text = "penalty factor (default 0)"},
    {"projection", 0, CMD_NAME, FORMS, AT(problem.projection), .words = projections, .value = "G|B",
     .option = "projection", .text = "directions along which constraints are enforced: G', or B = M^-1 G' (default G)"},
    {"step-projection", 0, CMD_FLAG, FORMS, AT(problem.step_projection), .option = "step_projection",
     .text = "project positions and velocities onto the constraints after each step"},
    {"scaling", 0, CMD_STRING, STARTS, AT(solver.scaling), .value = "NAME", .option = "scaling",
     .text = "of the iteration matrix: auto, none, left, lam, lam+v, two-field, two-field-left, "
             "two-field-lam (default auto: lam+v)"},
    {"linear-solver", 0, CMD_STRING, STARTS, AT(solver.linear_solver), .value = "NAME", .option = "linear_solver",
     .text = "of the iteration matrix: auto, dense, klu, klu-diagonal (without pivoting) (default auto)"},
    {"formalism", 0, CMD_CHOICE, FORMS | CMD_REPRODUCE | CMD_EQUILIBRIUM, AT(formalism), .words = formalisms,
     .value = "auto|residual|explicit", .option = "formalism", .text = "the formalism to use if the model has both"},
    {"jacobian", 0, CMD_STRING, RUNS | CMD_PATTERN, AT(jacobian), .value = "NAME", .option = "jacobian",
     .text = "auto, fresh, dense, sparse, or one of these two with +partitioned, +extended (default auto; pattern: "
             "sparse)"},
    {"peers", 0, CMD_FLAG, CMD_COMPARE | CMD_WORK_PRECISION, AT(peers), .text = "compare with other integrators, too"},
    {"differences", 0, CMD_CHOICE, MEASURES | CMD_PATTERN, AT(solver.differences), .words = differences,
     .value = "forward|central", .option = "differences",
     .text = "of J: to one side, or to both with twice the calls (default forward)"},
    {"threads", 0, CMD_INT, (MEASURES | CMD_PATTERN) & ~(unsigned)CMD_EXPORT, AT(solver.threads), .min = 1, .max = 1024,
     .value = "N", .option = "threads", .feature = "OpenMP",
     .text = "threads that call the formalism for J, if the model allows it (default 1)"},
    {"method", 0, CMD_STRING, RUNS, AT(solver.method), .value = "NAME", .option = "method",
     .text = "%s (default bdf: variable order and step; radau-iia-3 without --step: variable step, order 5; all others "
             "in steps of a fixed size)",
     .names = resida_method_at},
    {"step", 0, CMD_REAL, RUNS, AT(solver.step), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .option = "step", .text = "size of the steps"},
    {"adaptive", 0, CMD_FLAG, RUNS, AT(solver.adaptive), .option = "adaptive",
     .text = "choose step sizes by the tolerances, beginning with the given one"},
    {"rho", 0, CMD_REAL, RUNS, AT(solver.rho_infinity), .min = 0, .max = 1, .value = "X", .option = "rho_infinity",
     .text = "spectral radius at infinite frequency (default 0.8)"},
    {"newmark-beta", 0, CMD_REAL, RUNS, AT(solver.newmark_beta), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .option = "newmark_beta", .text = "beta (default 0.25)"},
    {"newmark-gamma", 0, CMD_REAL, RUNS, AT(solver.newmark_gamma), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .option = "newmark_gamma", .text = "gamma (default 0.5)"},
    {"start-up", 0, CMD_CHOICE, RUNS, AT(solver.start_up), .words = start_ups, .value = "auto|lower-orders|radau",
     .option = "start_up", .text = "method of the first steps (default auto: radau for bdf3 .. bdf6)"},
    {"to-rounding", 0, CMD_FLAG, RUNS, AT(solver.newton_to_rounding), .option = "newton_to_rounding",
     .text = "continue Newton's method while corrections decrease"},
    {"min-order", 0, CMD_WHOLE, STARTS, AT(min_order), .min = 1, .max = 2, .value = "1..2", .option = "min_order",
     .text = "lowest order of the BDF after its first steps (default 2; 1: as in DASSL)"},
    {"max-order", 0, CMD_WHOLE, STARTS, AT(max_order), .min = 1, .max = 5, .value = "1..5", .option = "max_order",
     .text = "highest order of the BDF (default 5)"},
    {"no-stability-detection", 0, CMD_NO_FLAG, STARTS, AT(solver.stability_detection), .option = "stability_detection",
     .text = "do not limit the order to 2 or 3 if stability, not accuracy, limits the step"},
    {"no-repair", 0, CMD_NO_FLAG, STARTS, AT(solver.repair), .option = "repair",
     .text = "never repair dF/dy in a few directions, always evaluate it"},
    {"h-max", 0, CMD_REAL, STARTS, AT(solver.h_max), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .option = "h_max", .text = "largest step (default: none)"},
    {"h-first", 0, CMD_REAL, STARTS, AT(solver.h_first), .min = 0, .max = INFINITY, .value = "SECONDS",
     .option = "h_first", .text = "first step (default 0: chosen)"},
    {"max-steps", 0, CMD_WHOLE, LIMITED, AT(max_steps), .min = 1, .max = 1e15, .value = "N", .option = "max_steps",
     .text = "budget of steps"},
    {"max-residuals", 0, CMD_WHOLE, LIMITED | CMD_EQUILIBRIUM, AT(max_residuals), .min = 1, .max = 1e15, .value = "N",
     .option = "max_residuals", .text = "budget of residual calls"},
    {"time-limit", 0, CMD_REAL, (LIMITED | CMD_EQUILIBRIUM) & ~(unsigned)SERIES, AT(time_limit), .min = 0,
     .above_min = 1, .max = INFINITY, .value = "SECONDS", .option = "time_limit_s",
     .text = "budget of wall-clock time of one run; a callback that does not return is given 5 s more (default: none)"},
    {"newton-tolerance", 0, CMD_REAL, STARTS, AT(solver.newton_tolerance), .min = 0, .above_min = 1, .max = 1,
     .value = "X", .option = "newton_tolerance",
     .text = "tolerance of Newton's method, relative to that of the error test (default: 0.01 to 0.33, by method, "
             "strategy and unknowns)"},
    {"no-h-weights", 0, CMD_NO_FLAG, STARTS, AT(solver.newton_h_weights), .option = "newton_h_weights",
     .text = "do not scale the Newton weights of multipliers by the step"},
    {"error-test", 0, CMD_CHOICE, STARTS, AT(solver.error_test), .words = error_tests, .value = "auto|all|differential",
     .option = "error_test", .text = "components in the error test (auto: no multipliers)"},
    {"drop-redundant", 0, CMD_FLAG, INTEGRATES | CMD_REPORT | LINEAR | CMD_EQUILIBRIUM, AT(start.redundant),
     .option = "redundant", .text = "drop redundant constraints, whose choice may change during a run"},
    {"rank-tolerance", 0, CMD_REAL, INTEGRATES | CMD_REPORT | LINEAR, AT(start.rank_tolerance), .min = 0,
     .above_min = 1, .max = 0.5, .value = "X", .option = "rank_tolerance",
     .text = "accuracy of the constraints: a row that differs from the others by less is redundant (default 1e-8)"},
    {"allow-wrong-matrix", 0, CMD_FLAG, INTEGRATES | CMD_REPORT | LINEAR, AT(start.wrong_matrix),
     .option = "wrong_matrix", .text = "warn of a wrong dg/dp, G_pattern or mass matrix, instead of refusing it"},
    {"out", 'o', CMD_STRING, CMD_PATTERN | CMD_WORK_PRECISION | CMD_CONDITIONING, AT(out), .value = "FILE.svg|FILE.png",
     .text = "draw a picture by gnuplot"},
    {"points", 0, CMD_WHOLE, RUNS, AT(points), .min = 1, .max = 1e12, .value = "N",
     .text = "number of equidistant outputs after the start (default 200)"},
    {"every", 0, CMD_REAL, RUNS, AT(every), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .text = "time between outputs, with one more at the end"},
    {"repeat", 0, CMD_WHOLE, CMD_SOLVE | CMD_COMPARE, AT(repeat), .min = 1, .max = 1e6, .value = "N",
     .text = "number of timed runs (default: solve 1, compare 9)"},
    {"format", 0, CMD_CHOICE, FORMATTED & ~(unsigned)CMD_SWEEP, AT(format), .words = formats, .value = "text|json",
     .text = "json: one object on each line"},
    {"quiet", 'q', CMD_FLAG, LIMITED | CMD_CONDITIONING, AT(quiet), .text = "no progress and no notes"},
    {"help", 'h', CMD_FLAG, ALL, AT(help), .text = "show this text"},
};

enum { N_SHARED = sizeof shared / sizeof shared[0] };

cmd_option cmd_options[CMD_OPTIONS_MAX];
int cmd_n_options;

int cmd_option_is_accepted(const cmd_option *o, unsigned commands)
{
    return (o->commands & commands) && (!o->feature || rsd_feature_of(o->feature)->is_built);
}

void cmd_options_prepare(const cmd_option *own, int n_own)
{
    for (int i = 1; i < MAX_FORMS - 1 && resida_form_at(i - 1); i++) forms[i] = resida_form_at(i - 1);
    cmd_n_options = 0;
    for (int i = 0; i < n_own && i < CMD_OPTIONS_MAX - N_SHARED; i++) cmd_options[cmd_n_options++] = own[i];
    for (int i = 0; i < N_SHARED; i++) cmd_options[cmd_n_options++] = shared[i];
}
