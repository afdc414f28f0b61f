/* own_options.c - the options of the command, one per line, as in program/cli/options.c. */
#include "own_options.h"

#include "program/builtin/peer.h"
#include "program/cli/settings.h"

#include <math.h>
#include <resida_features.h>
#include <stddef.h>

#define LINEAR     (CMD_LINEARIZE | CMD_RESPONSE | CMD_CRITICAL)
#define AT_REST    (CMD_SOLVE | LINEAR) /* commands that can begin at an equilibrium */
#define AT(member) offsetof(cmd_settings, member)

enum { MIN_STEPS = 20 }; /* a restart takes about as many steps */
static const char *const fmi_versions[] = {"2.0", "3.0", NULL};
static const char *const call_costs[] = {"assumed", "measured", NULL};

static const char *peer_name(int i)
{
    return rsd_peer_at(i) ? rsd_peer_name(rsd_peer_at(i)) : NULL;
}

/* name, letter, kind, commands, offset in cmd_settings; then designated fields */
const cmd_option cmd_own_options[] = {
    {"at", 0, CMD_REAL, CMD_EQUILIBRIUM, AT(at), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "time at which excitations are held (default: the start of the model)"},
    {"from-equilibrium", 0, CMD_FLAG, AT_REST, AT(from_equilibrium),
     .text = "begin where the model stays at the time of its start, as 'resida equilibrium' finds it from there"},
    {"start", 0, CMD_GUESS, AT_REST, 0, .min = -INFINITY, .max = INFINITY, .value = "NAME=X",
     .text = "look for that equilibrium from this value of a position or state (may be repeated; default: the model's "
             "start); only with --from-equilibrium"},
    {"steady", 0, CMD_FLAG, AT_REST, AT(steady),
     .text = "coordinates on which nothing depends may move at a steady rate there; only with --from-equilibrium"},
    {"load-steps", 0, CMD_WHOLE, AT_REST, AT(load_steps), .min = 1, .max = 1e6, .value = "N",
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
    {"solver", 0, CMD_STRING, CMD_SOLVE, AT(integrator), .value = "NAME", .text = "resida (default), or a peer: %s",
     .names = peer_name},
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
     .text = "which mode --animate shows (default: the slowest that swings)"},
    {"at", 0, CMD_REAL, LINEAR, AT(at), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate to here first (default: the consistent start)"},
    {"modes", 0, CMD_WHOLE, CMD_LINEARIZE, AT(modes), .min = 1, .max = 1e6, .value = "N",
     .text = "only the modes nearest to --near (default: all)"},
    {"energy", 0, CMD_FLAG, CMD_LINEARIZE, AT(energy),
     .text = "say which bodies the kinetic energy of each mode is in, by names BODY.COORDINATE, or which coordinates"},
    {"near", 0, CMD_REAL, CMD_LINEARIZE, AT(near), .min = 0, .max = 1e300, .value = "HZ",
     .text = "frequency near which modes are wanted (default 0)"},
    {"from", 0, CMD_STRING, CMD_RESPONSE, AT(excitation), .value = "NAME",
     .text = "the excitation that oscillates, u[0] for example, with its derivatives (default: the only one)"},
    {"to", 0, CMD_STRING, CMD_RESPONSE, AT(outputs), .value = "NAME[,NAME...]",
     .text = "what answers: positions and velocities by name, out.NAME; * and ? stand for any letters (default: "
             "positions)"},
    {"range", 0, CMD_STRING, CMD_RESPONSE, AT(range), .value = "LOW:HIGH",
     .text = "frequencies in Hz, equally far apart on a logarithmic axis (default: a tenth of the lowest mode that "
             "swings to ten times the highest)"},
    {"points", 0, CMD_WHOLE, CMD_RESPONSE, AT(points), .min = 2, .max = 1e6, .value = "N",
     .text = "how many of them (default 200; in the table 20)"},
    {"out", 'o', CMD_STRING, CMD_RESPONSE, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text =
         "write all frequencies, or draw amplitudes and phases by gnuplot; - is standard output, the table then goes "
         "to stderr"},
    {"vary", 0, CMD_STRING, CMD_CRITICAL, AT(vary), .value = "NAME=FROM:TO", .text = "a parameter, and its range"},
    {"points", 0, CMD_WHOLE, CMD_CRITICAL, AT(points), .min = 2, .max = 1e6, .value = "N",
     .text = "values of it, in equal steps, at which eigenvalues are looked at (default 21)"},
    {"out", 'o', CMD_STRING, CMD_CRITICAL, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text =
         "write the eigenvalues at all values, or draw them in the complex plane by gnuplot; - is standard output, the "
         "table then goes to stderr"},
    {"matrices", 0, CMD_STRING, CMD_LINEARIZE, AT(matrices), .value = "PREFIX",
     .text = "write E, A, B, C, D of E x' = A x + B u, y = C x + D u as PREFIX-E.mtx and so on (Matrix Market)"},
    {"checkpoint", 0, CMD_STRING, CMD_SOLVE, AT(checkpoint), .value = "FILE",
     .text = "keep in this file how far the run has come: after an interruption of any kind 'resida resume FILE' goes "
             "on from there, with the same bits"},
    {"checkpoint-every", 0, CMD_REAL, CMD_SOLVE, AT(checkpoint_every), .min = 0, .max = INFINITY, .value = "SECONDS",
     .text = "of real time, at least, from writing to writing of that file (default 60)"},
    {"checkpoint-steps", 0, CMD_WHOLE, CMD_SOLVE, AT(checkpoint_steps), .min = MIN_STEPS, .max = 1e15, .value = "N",
     .text = "steps after which the integrator restarts, which is where that file can be written; they belong to "
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
    {"out", 'o', CMD_STRING, CMD_SOLVE, AT(out), .value = "FILE" RSD_DATA_ENDINGS "|.svg|.png",
     .text =
         "write the trajectory, which appears when it is whole; what a run that fails or is interrupted has goes to "
         "FILE.partial.csv; - is standard output, the result then goes to stderr; a picture needs --plot or --columns"},
    {"fmu", 0, CMD_STRING, CMD_EXPORT, AT(fmu), .value = "NAME.fmu",
     .text = "write the FMU, which appears when it is complete"},
    {"fmi", 0, CMD_CHOICE, CMD_EXPORT, AT(fmi), .words = fmi_versions, .value = "2.0|3.0",
     .text = "version of the standard (default 2.0)"},
    {"columns", 0, CMD_STRING, CMD_EXPORT, AT(columns), .value = "NAME[,NAME...]",
     .text = "outputs of the FMU: p.x, v.x, a.x, lam.rod, out.energy, of a general DAE y.x, yp.x; * and ? match any "
             "letters (default: all except yp)"},
    {"columns", 0, CMD_STRING, CMD_SOLVE, AT(columns), .value = "NAME[,NAME...]",
     .text = "of the trajectory, in this order: p.x, v.x, a.x, lam.rod, out.energy, of a general DAE y.x, yp.x; * and "
             "? stand for any letters (default: p, v, a, lam or y)"},
    {"plot", 0, CMD_STRING, CMD_SOLVE, AT(plot), .value = "NAME[,NAME...]",
     .text = "draw these columns over t by gnuplot: into --out FILE.svg or FILE.png, else FILE.svg beside --out "
             "FILE.csv, else MODEL.svg"},
    {"events", 0, CMD_STRING, CMD_SOLVE, AT(events), .value = "FILE.csv",
     .text = "write the events: time, kind, root function, direction, what became of the run; like --out"},
    {"event-states", 0, CMD_FLAG, CMD_SOLVE, AT(event_states),
     .text = "with --events: the states and outputs before and after each, too"},
    {"out", 'o', CMD_STRING, CMD_LINEARIZE, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text =
         "write the modes with their shapes, or draw the eigenvalues by gnuplot; - is standard output, what is said "
         "of the modes then goes to stderr"},
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
};
const int cmd_n_own_options = sizeof cmd_own_options / sizeof cmd_own_options[0];
