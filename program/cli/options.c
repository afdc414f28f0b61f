/* options.c - one line per option; reading, range checks and the help text follow from it. Ranges are those of the
 * library (resida/solver.h), refused here so that nothing is done before every word of the command line is good. */
#include "options.h"

#include "program/builtin/peer.h"
#include "settings.h"

#include <math.h>
#include <resida/resida.h>
#include <resida_features.h>

enum { MOST_FORMS = 40, LEAST_STEPS = 20 }; /* fewer are used up by the beginning */
static const char *forms[MOST_FORMS] = {"auto"};
static const char *const projections[] = {"G", "B", NULL};
static const char *const formalisms[] = {"auto", "residual", "explicit", NULL}; /* as resida_formalism */
static const char *const error_tests[] = {"auto", "all", "differential", NULL}; /* as resida_error_test */
static const char *const differences[] = {"forward", "central", NULL};          /* as resida_differences */
static const char *const start_ups[] = {"lower-orders", "radau", NULL};         /* as resida_start_up */
static const char *const call_costs[] = {"assumed", "measured", NULL};
static const char *const formats[] = {"text", "json", NULL};

#define RUNS       (CMD_SOLVE | CMD_COMPARE | CMD_SWEEP)
#define MEASURES   (RUNS | CMD_WORK_PRECISION)
#define STARTS     (MEASURES | CMD_PATTERN)
#define INTEGRATES (STARTS | CMD_CHECK)
#define REPORTS    (INTEGRATES | CMD_LINEARIZE | CMD_REPRODUCE)
#define LIMITED    (REPORTS | CMD_REPORT)
#define FORMATTED  (REPORTS | CMD_MODELS | CMD_CONDITIONING | CMD_EQUILIBRIUM)
#define FORMS      (STARTS | CMD_LINEARIZE)
#define ALL        (FORMATTED | CMD_REPORT | CMD_RESUME)
#define SERIES     (CMD_WORK_PRECISION | CMD_REPORT)
#define ONE_RTOL   ((INTEGRATES | CMD_LINEARIZE) & ~(unsigned)CMD_WORK_PRECISION)
#define AT(member) offsetof(cmd_settings, member)

static const char *peer_name(int i)
{
    return rsd_peer_at(i) ? rsd_peer_name(rsd_peer_at(i)) : NULL;
}

/* name, letter, kind, commands, where; then as needed */
const cmd_option cmd_options[] = {
    {"param", 'p', CMD_PARAMETER, INTEGRATES | CMD_CONDITIONING | CMD_LINEARIZE | CMD_EQUILIBRIUM, 0,
     .value = "NAME=VALUE", .text = "set a parameter of the model (may be repeated)"},
    {"param", 'p', CMD_PARAMETER, CMD_REPORT, 0, .value = "NAME=VALUE",
     .text = "set a parameter of each model of --models (may be repeated)"},
    {"at", 0, CMD_REAL, CMD_EQUILIBRIUM, AT(at), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "time at which excitations are held (default: the start of the model)"},
    {"from-equilibrium", 0, CMD_FLAG, CMD_SOLVE, AT(from_equilibrium),
     .text = "begin where the model stays at the time of its start, as 'resida equilibrium' finds it from there"},
    {"start", 0, CMD_GUESS, CMD_SOLVE, 0, .min = -INFINITY, .max = INFINITY, .value = "NAME=X",
     .text = "look for that equilibrium from this value of a position or state (may be repeated; default: the model's "
             "start); only with --from-equilibrium"},
    {"steady", 0, CMD_FLAG, CMD_SOLVE, AT(steady),
     .text = "coordinates on which nothing depends may move at a steady rate there; only with --from-equilibrium"},
    {"load-steps", 0, CMD_WHOLE, CMD_SOLVE, AT(load_steps), .min = 1, .max = 1e6, .value = "N",
     .text = "take the forces that are left at the start away in N steps at the least on the way there; only with "
             "--from-equilibrium"},
    {"start", 0, CMD_GUESS, CMD_EQUILIBRIUM, 0, .min = -INFINITY, .max = INFINITY, .value = "NAME=X",
     .text = "begin with that value of a position or state (may be repeated; default: the model's start)"},
    {"steady", 0, CMD_FLAG, CMD_EQUILIBRIUM, AT(steady),
     .text = "coordinates on which nothing depends may move at a steady rate, which is found, as wheels turn"},
    {"via", 0, CMD_WHOLE, CMD_EQUILIBRIUM, AT(via), .min = 1, .max = 1e6, .value = "N",
     .text = "go from the start of the model to --at by N equilibria, one from the other"},
    {"load-steps", 0, CMD_WHOLE, CMD_EQUILIBRIUM, AT(load_steps), .min = 1, .max = 1e6, .value = "N",
     .text = "take the forces that are left at the start away in N steps at the least (default: when it has to be)"},
    {"rtol", 0, CMD_REAL, ONE_RTOL, AT(rtol), .min = 0, .above_min = 1, .max = INFINITY, .value = "X", .option = "rtol",
     .text = "relative tolerance (default: the model's)"},
    {"atol", 0, CMD_TOLERANCE, ONE_RTOL, AT(atol), .min = 0, .max = INFINITY, .value = "X|NAME=X", .option = "atol",
     .text = "absolute tolerance (default: the model's); NAME=X: that of a component (may be repeated)"},
    {"from", 0, CMD_REAL, SERIES, AT(from), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .text = "loosest relative tolerance (default 1e-3); the absolute one is in the proportion that the model's have"},
    {"to", 0, CMD_REAL, SERIES, AT(to), .min = 1e-14, .max = 1, .value = "X",
     .text = "tightest relative tolerance (default 1e-9)"},
    {"per-decade", 0, CMD_WHOLE, SERIES, AT(per_decade), .min = 1, .max = 20, .value = "N",
     .text = "tolerances on the way from x to x/10 (default 1)"},
    {"t-end", 0, CMD_REAL, CMD_CONDITIONING, AT(t_end), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate to here first (default: from the start)"},
    {"t-end", 0, CMD_REAL, CMD_REPRODUCE, AT(t_end), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .text = "end of the runs of scaling9, scaling10, scaling11 (default 0.51, the paper's is 1)"},
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
     .option = "projection", .text = "along which constraints are held: G', or B = M^-1 G' (default G)"},
    {"step-projection", 0, CMD_FLAG, FORMS, AT(problem.step_projection), .option = "step_projection",
     .text = "project positions and velocities onto the constraints after each step"},
    {"scaling", 0, CMD_STRING, STARTS, AT(solver.scaling), .value = "NAME", .option = "scaling",
     .text = "of the iteration matrix: auto, none, left, lam, lam+v, two-field, two-field-left, "
             "two-field-lam (default auto: lam+v)"},
    {"linear-solver", 0, CMD_STRING, STARTS, AT(solver.linear_solver), .value = "NAME", .option = "linear_solver",
     .text = "of the iteration matrix: auto, dense, klu, klu-diagonal (without pivoting) (default auto)"},
    {"formalism", 0, CMD_CHOICE, FORMS | CMD_REPRODUCE | CMD_EQUILIBRIUM, AT(formalism), .words = formalisms,
     .value = "auto|residual|explicit", .option = "formalism", .text = "which formalism of a model that has both"},
    {"jacobian", 0, CMD_STRING, RUNS | CMD_PATTERN, AT(jacobian), .value = "NAME", .option = "jacobian",
     .text = "auto, fresh, dense, sparse, or one of these two with +partitioned, +extended (default auto; pattern: "
             "sparse)"},
    {"jacobian", 0, CMD_STRING, CMD_WORK_PRECISION, AT(jacobian), .value = "NAME[,NAME...]", .option = "jacobian",
     .text = "strategies of resida, each a line of its own (default auto)"},
    {"solver", 0, CMD_STRING, CMD_SOLVE, AT(integrator), .value = "NAME", .text = "resida (default), or a peer: %s",
     .names = peer_name},
    {"peers", 0, CMD_FLAG, CMD_COMPARE | CMD_WORK_PRECISION, AT(peers), .text = "compare with other integrators, too"},
    {"estimate-error", 0, CMD_FLAG, CMD_SOLVE, AT(estimate_error),
     .text =
         "run a second time, at a tenth of rtol and atol, and of the step where it is of a fixed size; say by how much "
         "the ends differ, in how many digits they agree, and what that took"},
    {"animate", 0, CMD_STRING, CMD_SOLVE, AT(animate), .value = "FILE.html",
     .text = "write a page that shows the model in motion, a frame for each output (default then 600); like --out it "
             "appears when it is whole, else as FILE.partial.html"},
    {"animate", 0, CMD_STRING, CMD_LINEARIZE, AT(animate), .value = "FILE.html",
     .text = "write a page that shows a mode in motion, the deflection made visible"},
    {"mode", 0, CMD_WHOLE, CMD_LINEARIZE, AT(mode), .min = 1, .max = 1e6, .value = "N",
     .text = "which mode --animate shows (default 1)"},
    {"at", 0, CMD_REAL, CMD_LINEARIZE, AT(at), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate to here first (default: the consistent start)"},
    {"modes", 0, CMD_WHOLE, CMD_LINEARIZE, AT(modes), .min = 1, .max = 1e6, .value = "N",
     .text = "only the modes nearest to --near (default: all)"},
    {"near", 0, CMD_REAL, CMD_LINEARIZE, AT(near), .min = 0, .max = 1e300, .value = "HZ",
     .text = "frequency near which modes are wanted (default 0)"},
    {"matrices", 0, CMD_STRING, CMD_LINEARIZE, AT(matrices), .value = "PREFIX",
     .text = "write E, A, B, C, D of E x' = A x + B u, y = C x + D u as PREFIX-E.mtx and so on (Matrix Market)"},
    {"checkpoint", 0, CMD_STRING, CMD_SOLVE, AT(checkpoint), .value = "FILE",
     .text = "keep in this file how far the run has come: after an interruption of any kind 'resida resume FILE' goes "
             "on from there, with the same bits"},
    {"checkpoint-every", 0, CMD_REAL, CMD_SOLVE, AT(checkpoint_every), .min = 0, .max = INFINITY, .value = "SECONDS",
     .text = "of real time, at least, from writing to writing of that file (default 60)"},
    {"checkpoint-steps", 0, CMD_WHOLE, CMD_SOLVE, AT(checkpoint_steps), .min = LEAST_STEPS, .max = 1e15, .value = "N",
     .text = "steps after which the integrator begins anew, which is where that file can be written; they belong to "
             "the bits of the result, and each beginning takes some tens more (>= 20, default 10000)"},
    {"emit-patterns", 0, CMD_STRING, CMD_SOLVE, AT(emit_patterns), .value = "FILE.c",
     .text = "write the patterns that the model leaves out, as C to paste; - is standard output"},
    {"sensitivity", 0, CMD_STRING, CMD_SOLVE, AT(sensitivity), .value = "NAME[,NAME...]",
     .text = "how the solution depends on these parameters, or on where a component begins (COMPONENT@0): columns "
             "d(x)/d(NAME) of --out, and in the end of a row in JSON"},
    {"call-cost", 0, CMD_NAME, CMD_SOLVE, AT(solver.call_cost), .words = call_costs, .value = "assumed|measured",
     .option = "call_cost",
     .text = "what calls of the model are taken to cost, where that decides: what it says, or is assumed by its size; "
             "or as timed at the start (default assumed)"},
    {"profile", 0, CMD_FLAG, CMD_SOLVE, AT(solver.profile), .option = "profile",
     .text = "say where the time went, callback by callback, and which components limit the steps"},
    {"differences", 0, CMD_CHOICE, MEASURES | CMD_PATTERN, AT(solver.differences), .words = differences,
     .value = "forward|central", .option = "differences",
     .text = "of J: to one side, or to both with twice the calls (default forward)"},
    {"threads", 0, CMD_INT, MEASURES | CMD_PATTERN, AT(solver.threads), .min = 1, .max = 1024, .value = "N",
     .option = "threads", .feature = "OpenMP",
     .text = "that call the formalism for J, of a model that allows it (default 1)"},
    {"method", 0, CMD_STRING, RUNS, AT(solver.method), .value = "NAME", .option = "method",
     .text = "%s (default bdf: variable order and step; all others in steps of a fixed size)",
     .names = resida_method_at},
    {"step", 0, CMD_REAL, RUNS, AT(solver.step), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .option = "step", .text = "size of the steps"},
    {"adaptive", 0, CMD_FLAG, RUNS, AT(solver.adaptive), .option = "adaptive",
     .text = "choose the steps by the tolerances, the one given is the first"},
    {"rho", 0, CMD_REAL, RUNS, AT(solver.rho_infinity), .min = 0, .max = 1, .value = "X", .option = "rho_infinity",
     .text = "spectral radius at infinite frequency (default 0.8)"},
    {"newmark-beta", 0, CMD_REAL, RUNS, AT(solver.newmark_beta), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .option = "newmark_beta", .text = "beta (default 0.25)"},
    {"newmark-gamma", 0, CMD_REAL, RUNS, AT(solver.newmark_gamma), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .option = "newmark_gamma", .text = "gamma (default 0.5)"},
    {"start-up", 0, CMD_CHOICE, RUNS, AT(solver.start_up), .words = start_ups, .value = "lower-orders|radau",
     .option = "start_up", .text = "what steps begin with (default lower-orders)"},
    {"to-rounding", 0, CMD_FLAG, RUNS, AT(solver.newton_to_rounding), .option = "newton_to_rounding",
     .text = "go on with Newton's method as long as corrections decrease"},
    {"min-order", 0, CMD_WHOLE, STARTS, AT(min_order), .min = 1, .max = 2, .value = "1..2", .option = "min_order",
     .text = "lowest order of the BDF behind its first steps (default 2; 1: as in DASSL)"},
    {"max-order", 0, CMD_WHOLE, STARTS, AT(max_order), .min = 1, .max = 5, .value = "1..5", .option = "max_order",
     .text = "highest order of the BDF (default 5)"},
    {"no-stability-detection", 0, CMD_NO_FLAG, STARTS, AT(solver.stability_detection), .option = "stability_detection",
     .text = "do not limit the order to 2 or 3 where stability, not accuracy, holds the step down"},
    {"no-repair", 0, CMD_NO_FLAG, STARTS, AT(solver.repair), .option = "repair",
     .text = "do not repair dF/dy in a few directions in the place of an evaluation"},
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
    {"time-limit", 0, CMD_REAL, SERIES, AT(time_limit), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .option = "time_limit_s",
     .text = "budget of wall-clock time of one run; a callback that does not return is given 5 s more (default: "
             "work-precision 20, report 5 to 60)"},
    {"newton-tolerance", 0, CMD_REAL, STARTS, AT(solver.newton_tolerance), .min = 0, .above_min = 1, .max = 1,
     .value = "X", .option = "newton_tolerance",
     .text = "end Newton at this part of the error test (default: 0.05 for fresh, 0.01 with "
             "multipliers, else 0.1 for auto and user, 0.33 for others)"},
    {"no-h-weights", 0, CMD_NO_FLAG, STARTS, AT(solver.newton_h_weights), .option = "newton_h_weights",
     .text = "do not scale the Newton weights of multipliers by the step"},
    {"error-test", 0, CMD_CHOICE, STARTS, AT(solver.error_test), .words = error_tests, .value = "auto|all|differential",
     .option = "error_test", .text = "components in the error test (auto: no multipliers)"},
    {"drop-redundant", 0, CMD_FLAG, INTEGRATES | CMD_REPORT | CMD_LINEARIZE | CMD_EQUILIBRIUM, AT(start.redundant),
     .option = "redundant", .text = "drop constraints that depend on others, others when it is those that are needed"},
    {"out", 'o', CMD_STRING, CMD_SOLVE, AT(out), .value = "FILE" RSD_DATA_ENDINGS "|.svg|.png",
     .text =
         "write the trajectory, which appears when it is whole; what a run that fails or is interrupted has goes to "
         "FILE.partial.csv; - is standard output, the result then goes to stderr; a picture needs --plot or --columns"},
    {"columns", 0, CMD_STRING, CMD_SOLVE, AT(columns), .value = "NAME[,NAME...]",
     .text = "of the trajectory, in this order: p.x, v.x, a.x, lam.rod, out.energy, of a general DAE y.x, yp.x; * and "
             "? stand for any letters (default: p, v, a, lam or y)"},
    {"plot", 0, CMD_STRING, CMD_SOLVE, AT(plot), .value = "NAME[,NAME...]",
     .text = "draw these columns over t by gnuplot: into --out FILE.svg or FILE.png, else FILE.svg beside --out "
             "FILE.csv, else MODEL.svg"},
    {"events", 0, CMD_STRING, CMD_SOLVE, AT(events), .value = "FILE.csv",
     .text = "write the events: time, kind, root function, direction, what became of the run; like --out"},
    {"event-states", 0, CMD_FLAG, CMD_SOLVE, AT(event_states),
     .text = "with --events: the states before and after each, too"},
    {"out", 'o', CMD_STRING, CMD_PATTERN | CMD_WORK_PRECISION | CMD_CONDITIONING, AT(out), .value = "FILE.svg|FILE.png",
     .text = "draw a picture by gnuplot"},
    {"out", 'o', CMD_STRING, CMD_LINEARIZE, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text =
         "write the modes with their shapes, or draw the eigenvalues by gnuplot; - is standard output, what is said "
         "of the modes then goes to stderr"},
    {"out", 'o', CMD_STRING, CMD_REPRODUCE, AT(out), .value = "FILE.svg|FILE.png",
     .text = "where a figure is drawn by gnuplot (default: its name, such as fig7.svg)"},
    {"out", 'o', CMD_STRING, CMD_REPORT, AT(out), .value = "FILE.html",
     .text = "the page (default report.html); one that is interrupted goes to FILE.partial.html; - is standard output"},
    {"out", 'o', CMD_STRING, CMD_SWEEP, AT(out), .value = "FILE.db",
     .text =
         "the SQLite database of the results (default: the plan's name, ending in .db); one that is begun is gone on "
         "with"},
    {"model", 0, CMD_STRING, CMD_SWEEP, AT(model), .value = "MODEL", .text = "of a plan that names none"},
    {"jobs", 'j', CMD_WHOLE, CMD_SWEEP, AT(jobs), .min = 1, .max = 1024, .value = "N",
     .text =
         "processes that run cases (default: the processors there are); under mpirun each rank but the first is one"},
    {"csv", 0, CMD_STRING, CMD_SWEEP, AT(csv), .value = "FILE.csv",
     .text = "write the table of cases too, when it is whole; - is standard output"},
    {"report", 0, CMD_STRING, CMD_SWEEP, AT(report), .value = "FILE.html",
     .text = "write a page, too: outputs over what varies, and the cases that failed; - is standard output"},
    {"sections", 0, CMD_STRING, CMD_REPORT, AT(sections), .value = "NAME[,NAME...]",
     .text =
         "of the page: table1, table2, table3, figures, extended, models, work-precision, patterns (default: all, with "
         "--models the last three); what is short is table2, figures, patterns"},
    {"models", 0, CMD_STRING, CMD_REPORT, AT(model_names), .value = "MODEL[,MODEL...]",
     .text = "in the sections models, work-precision, patterns (default: all that are built in, work-precision without "
             "the train)"},
    {"peers", 0, CMD_STRING, CMD_REPORT, AT(peer_names), .value = "NAME[,NAME...]|all|none",
     .text = "other integrators in the sections models and work-precision (default all)"},
    {"points", 0, CMD_WHOLE, RUNS, AT(points), .min = 1, .max = 1e12, .value = "N",
     .text = "outputs, equally far apart, besides the start (default 200)"},
    {"every", 0, CMD_REAL, RUNS, AT(every), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .text = "outputs at this distance, and one at the end"},
    {"repeat", 0, CMD_WHOLE, CMD_SOLVE | CMD_COMPARE, AT(repeat), .min = 1, .max = 1e6, .value = "N",
     .text = "runs that are timed (default: solve 1, compare 9)"},
    {"repeat", 0, CMD_WHOLE, SERIES | CMD_REPRODUCE, AT(repeat), .min = 1, .max = 1e6, .value = "N",
     .text = "runs that are timed (default: table1 3, report 3 to 9, others 9)"},
    {"format", 0, CMD_CHOICE, FORMATTED & ~(unsigned)CMD_SWEEP, AT(format), .words = formats, .value = "text|json",
     .text = "json: one object on each line"},
    {"quiet", 'q', CMD_FLAG, LIMITED | CMD_CONDITIONING, AT(quiet), .text = "no progress and no notes"},
    {"help", 'h', CMD_FLAG, ALL, AT(help), .text = "show this text"},
};

_Static_assert(sizeof cmd_options / sizeof cmd_options[0] <= CMD_OPTIONS_MAX, "room in cmd_settings.given");

const int cmd_n_options = sizeof cmd_options / sizeof cmd_options[0];

int cmd_option_shows(const cmd_option *o, unsigned commands)
{
    return (o->commands & commands) && (!o->feature || rsd_feature_of(o->feature)->is_built);
}

void cmd_options_prepare(void)
{
    for (int i = 1; i < MOST_FORMS - 1 && resida_form_at(i - 1); i++) forms[i] = resida_form_at(i - 1);
}
