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
     .text = "start from the equilibrium that 'resida equilibrium' finds at the start time of the model"},
    {"start", 0, CMD_GUESS, AT_REST, 0, .min = -INFINITY, .max = INFINITY, .value = "NAME=X",
     .text = "initial guess of a position or state for that equilibrium (may be repeated; default: the start of the "
             "model); only with --from-equilibrium"},
    {"steady", 0, CMD_FLAG, AT_REST, AT(steady),
     .text = "allow steady motion of coordinates that no force depends on; only with --from-equilibrium"},
    {"load-steps", 0, CMD_WHOLE, AT_REST, AT(load_steps), .min = 1, .max = 1e6, .value = "N",
     .text = "remove the unbalanced forces of the start in at least N steps; only with --from-equilibrium"},
    {"start", 0, CMD_GUESS, CMD_EQUILIBRIUM, 0, .min = -INFINITY, .max = INFINITY, .value = "NAME=X",
     .text = "initial guess of a position or state (may be repeated; default: the start of the model)"},
    {"steady", 0, CMD_FLAG, CMD_EQUILIBRIUM, AT(steady),
     .text = "allow steady motion of coordinates that no force depends on, such as angles of wheels; its rates are "
             "computed"},
    {"via", 0, CMD_WHOLE, CMD_EQUILIBRIUM, AT(via), .min = 1, .max = 1e6, .value = "N",
     .text = "follow the equilibria from the start time of the model to --at in N steps"},
    {"load-steps", 0, CMD_WHOLE, CMD_EQUILIBRIUM, AT(load_steps), .min = 1, .max = 1e6, .value = "N",
     .text = "remove the unbalanced forces of the start in at least N steps (default: only if Newton's method fails "
             "without)"},
    {"solver", 0, CMD_STRING, CMD_SOLVE, AT(integrator), .value = "NAME", .text = "resida (default), or a peer: %s",
     .names = peer_name},
    {"estimate-error", 0, CMD_FLAG, CMD_SOLVE, AT(estimate_error),
     .text = "repeat the run with a tenth of rtol and atol (and of a fixed step); print the difference of the final "
             "states, the digits that agree, and the cost"},
    {"animate", 0, CMD_STRING, CMD_SOLVE, AT(animate), .value = "FILE.html",
     .text = "write a page that shows the motion, with a frame for each output (default then 600); an incomplete page "
             "is named FILE.partial.html"},
    {"animate", 0, CMD_STRING, CMD_LINEARIZE, AT(animate), .value = "FILE.html",
     .text = "write a page that shows the motion of a mode, magnified"},
    {"mode", 0, CMD_WHOLE, CMD_LINEARIZE, AT(mode), .min = 1, .max = 1e6, .value = "N",
     .text = "number of the mode that --animate shows (default: the slowest that oscillates)"},
    {"at", 0, CMD_REAL, LINEAR, AT(at), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate to this time first (default: the consistent start)"},
    {"modes", 0, CMD_WHOLE, CMD_LINEARIZE, AT(modes), .min = 1, .max = 1e6, .value = "N",
     .text = "compute only the N modes nearest to --near (default: all)"},
    {"energy", 0, CMD_FLAG, CMD_LINEARIZE, AT(energy),
     .text = "print the shares of bodies in the kinetic energy of each mode (coordinates named BODY.COORDINATE), or of "
             "coordinates"},
    {"near", 0, CMD_REAL, CMD_LINEARIZE, AT(near), .min = 0, .max = 1e300, .value = "HZ",
     .text = "frequency near which --modes are computed (default 0)"},
    {"from", 0, CMD_STRING, CMD_RESPONSE, AT(excitation), .value = "NAME",
     .text = "the excitation that oscillates, such as u[0], with its derivatives (default: the only one)"},
    {"to", 0, CMD_STRING, CMD_RESPONSE, AT(outputs), .value = "NAME[,NAME...]",
     .text = "outputs: names of positions and velocities, or out.NAME; * and ? match any letters (default: positions)"},
    {"range", 0, CMD_STRING, CMD_RESPONSE, AT(range), .value = "LOW:HIGH",
     .text = "range of frequencies in Hz, with logarithmic spacing (default: from a tenth of the lowest frequency of a "
             "mode to ten times the highest)"},
    {"points", 0, CMD_WHOLE, CMD_RESPONSE, AT(points), .min = 2, .max = 1e6, .value = "N",
     .text = "number of frequencies (default 200, or 20 in the printed table)"},
    {"out", 'o', CMD_STRING, CMD_RESPONSE, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text = "write all frequencies, or draw amplitudes and phases by gnuplot; with -, they go to standard output and "
             "the table to stderr"},
    {"vary", 0, CMD_STRING, CMD_CRITICAL, AT(vary), .value = "NAME=FROM:TO", .text = "a parameter and its range"},
    {"points", 0, CMD_WHOLE, CMD_CRITICAL, AT(points), .min = 2, .max = 1e6, .value = "N",
     .text = "number of equidistant values of the parameter at which eigenvalues are computed (default 21)"},
    {"out", 'o', CMD_STRING, CMD_CRITICAL, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text = "write the eigenvalues at all values, or draw them in the complex plane by gnuplot; with -, they go to "
             "standard output and the table to stderr"},
    {"matrices", 0, CMD_STRING, CMD_LINEARIZE, AT(matrices), .value = "PREFIX",
     .text = "write E, A, B, C, D of E x' = A x + B u, y = C x + D u as PREFIX-E.mtx and so on (Matrix Market)"},
    {"checkpoint", 0, CMD_STRING, CMD_SOLVE, AT(checkpoint), .value = "FILE",
     .text = "save the state of the run to this file; after an interruption, 'resida resume FILE' continues the run "
             "with the same bits"},
    {"checkpoint-every", 0, CMD_REAL, CMD_SOLVE, AT(checkpoint_every), .min = 0, .max = INFINITY, .value = "SECONDS",
     .text = "minimum wall-clock time between two checkpoints (default 60)"},
    {"checkpoint-steps", 0, CMD_WHOLE, CMD_SOLVE, AT(checkpoint_steps), .min = MIN_STEPS, .max = 1e15, .value = "N",
     .text = "steps between restarts of the integrator, at which checkpoints are possible; a restart changes the "
             "result within its tolerance and costs some tens of steps (>= 20, default 10000)"},
    {"emit-patterns", 0, CMD_STRING, CMD_SOLVE, AT(emit_patterns), .value = "FILE.c",
     .text = "write the patterns that the model does not give, as C code; - is standard output"},
    {"sensitivity", 0, CMD_STRING, CMD_SOLVE, AT(sensitivity), .value = "NAME[,NAME...]",
     .text = "compute derivatives with respect to these parameters, or initial values (COMPONENT@0): columns "
             "d(x)/d(NAME) of --out, members at the end of the JSON object"},
    {"call-cost", 0, CMD_NAME, CMD_SOLVE, AT(solver.call_cost), .words = call_costs, .value = "assumed|measured",
     .option = "call_cost",
     .text = "costs of callbacks for decisions of the Jacobian: as the model states or its size suggests, or as "
             "measured at the start (default assumed)"},
    {"profile", 0, CMD_FLAG, CMD_SOLVE, AT(solver.profile), .option = "profile",
     .text = "print the time of each callback and part of the solver, and the components that limit the steps"},
    {"out", 'o', CMD_STRING, CMD_SOLVE, AT(out), .value = "FILE" RSD_DATA_ENDINGS "|.svg|.png",
     .text = "write the trajectory; that of a run that fails or is interrupted is named FILE.partial.csv; with -, it "
             "goes to standard output and the result to stderr; a picture needs --plot or --columns"},
    {"fmu", 0, CMD_STRING, CMD_EXPORT, AT(fmu), .value = "NAME.fmu",
     .text = "write the FMU, which appears when it is complete"},
    {"fmi", 0, CMD_CHOICE, CMD_EXPORT, AT(fmi), .words = fmi_versions, .value = "2.0|3.0",
     .text = "version of the standard (default 2.0)"},
    {"columns", 0, CMD_STRING, CMD_EXPORT, AT(columns), .value = "NAME[,NAME...]",
     .text = "outputs of the FMU: p.x, v.x, a.x, lam.rod, out.energy, of a general DAE y.x, yp.x; * and ? match any "
             "letters (default: all except yp)"},
    {"columns", 0, CMD_STRING, CMD_SOLVE, AT(columns), .value = "NAME[,NAME...]",
     .text = "columns of the trajectory, in this order: p.x, v.x, a.x, lam.rod, out.energy, of a general DAE y.x, "
             "yp.x; * and ? match any letters (default: p, v, a, lam or y)"},
    {"plot", 0, CMD_STRING, CMD_SOLVE, AT(plot), .value = "NAME[,NAME...]",
     .text = "draw these columns over t by gnuplot; the file is --out if that is a picture, else FILE.svg for --out "
             "FILE.csv, else MODEL.svg"},
    {"events", 0, CMD_STRING, CMD_SOLVE, AT(events), .value = "FILE.csv",
     .text = "write the events: time, kind, root function, direction, effect on the run"},
    {"event-states", 0, CMD_FLAG, CMD_SOLVE, AT(event_states),
     .text = "add states and outputs before and after each event to --events"},
    {"out", 'o', CMD_STRING, CMD_LINEARIZE, AT(out), .value = "FILE.csv|FILE.svg|FILE.png",
     .text = "write the modes with their shapes, or draw the eigenvalues by gnuplot; with -, they go to standard "
             "output and the table to stderr"},
    {"out", 'o', CMD_STRING, CMD_SWEEP, AT(out), .value = "FILE.db",
     .text = "SQLite database of the results (default: name of the plan with .db); an incomplete one is continued"},
    {"model", 0, CMD_STRING, CMD_SWEEP, AT(model), .value = "MODEL",
     .text = "the model, if the plan does not name one"},
    {"jobs", 'j', CMD_WHOLE, CMD_SWEEP, AT(jobs), .min = 1, .max = 1024, .value = "N",
     .text = "number of worker processes (default: the number of processors); under mpirun each rank except the first "
             "is a worker"},
    {"csv", 0, CMD_STRING, CMD_SWEEP, AT(csv), .value = "FILE.csv",
     .text = "also write the table of cases; - is standard output"},
    {"report", 0, CMD_STRING, CMD_SWEEP, AT(report), .value = "FILE.html",
     .text = "also write a page with outputs over varied parameters and the cases that failed; - is standard output"},
};
const int cmd_n_own_options = sizeof cmd_own_options / sizeof cmd_own_options[0];
