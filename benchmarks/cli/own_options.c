/* own_options.c - the table of these options, one line per option, as in program/cli/options.c. */
#include "own_options.h"

#include "program/cli/settings.h"

#include <math.h>
#include <resida_features.h>
#include <stddef.h>

#define AT(member) offsetof(cmd_settings, member)

#define SERIES     (CMD_WORK_PRECISION | CMD_REPORT)

/* name, letter, kind, commands, member of cmd_settings; then optional members */
const cmd_option bench_own_options[] = {
    {"param", 'p', CMD_PARAMETER, CMD_REPORT, 0, .value = "NAME=VALUE",
     .text = "set a parameter of each given model (may be repeated)"},
    {"from", 0, CMD_REAL, SERIES, AT(from), .min = 0, .above_min = 1, .max = 1, .value = "X",
     .text = "loosest relative tolerance (default 1e-3); the ratio of the absolute to the relative tolerance is that "
             "of the model"},
    {"to", 0, CMD_REAL, SERIES, AT(to), .min = 1e-14, .max = 1, .value = "X",
     .text = "tightest relative tolerance (default 1e-9)"},
    {"per-decade", 0, CMD_WHOLE, SERIES, AT(per_decade), .min = 1, .max = 20, .value = "N",
     .text = "number of tolerances per decade (default 1)"},
    {"t-end", 0, CMD_REAL, CMD_CONDITIONING, AT(t_end), .min = -INFINITY, .max = INFINITY, .value = "SECONDS",
     .text = "integrate to this time before the measurement (default: measure at the start)"},
    {"t-end", 0, CMD_REAL, CMD_REPRODUCE, AT(t_end), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .text = "end time of scaling9, scaling10, scaling11 (default 0.51; the paper uses 1)"},
    {"jacobian", 0, CMD_STRING, CMD_WORK_PRECISION, AT(jacobian), .value = "NAME[,NAME...]", .option = "jacobian",
     .text = "Jacobian strategies of resida, one curve for each (default auto)"},
    {"time-limit", 0, CMD_REAL, SERIES, AT(time_limit), .min = 0, .above_min = 1, .max = INFINITY, .value = "SECONDS",
     .option = "time_limit_s",
     .text = "limit of the elapsed time of one run; a callback that does not return is ended after 5 further seconds "
             "(default: work-precision 20, report 5 to 60)"},
    {"out", 'o', CMD_STRING, CMD_REPRODUCE, AT(out), .value = "FILE.svg|FILE.png",
     .text = "file of the figure, drawn by gnuplot (default: the name of the item, such as fig7.svg)"},
    {"out", 'o', CMD_STRING, CMD_REPORT, AT(out), .value = "FILE.html",
     .text = "file of the page (default report.html); after an interruption the incomplete page is FILE.partial.html; "
             "- is standard output"},
    {"out", 'o', CMD_STRING, CMD_RESULTS, AT(out), .value = "FILE.md", .text = "file of the page (default results.md)"},
    {"check", 0, CMD_STRING, CMD_RESULTS, AT(check), .value = "FILE.md",
     .text = "compare this page with new measurements, except those of long studies; do not write a page"},
    {"kept", 0, CMD_STRING, CMD_RESULTS | CMD_REPORT, AT(kept_in), .value = "FOLDER",
     .text = "folder of the finished runs or long studies, which are not repeated (default results.kept; for a report "
             "the name of the page, with the ending .kept)"},
    {"quiet", 'q', CMD_FLAG, CMD_RESULTS, AT(quiet), .text = "do not list the kept results"},
    {"sections", 0, CMD_STRING, CMD_REPORT, AT(sections), .value = "NAME[,NAME...]",
     .text = "sections of the page: motion, equilibrium, table1, table2, table3, figures, extended, models, "
             "work-precision, patterns (default: for given models motion, equilibrium, models, work-precision, "
             "patterns; otherwise all except motion and equilibrium)"},
    {"models", 0, CMD_STRING, CMD_REPORT, AT(model_names), .value = "MODEL[,MODEL...]",
     .text = "models of the sections motion, equilibrium, models, work-precision, patterns; the same as the arguments "
             "MODEL (default of models, work-precision, patterns: all built-in models, except the train in "
             "work-precision)"},
    {"peers", 0, CMD_STRING, CMD_REPORT, AT(peer_names), .value = "NAME[,NAME...]|all|none",
     .text = "other integrators in the sections models and work-precision (default: all)"},
    {"repeat", 0, CMD_WHOLE, SERIES | CMD_REPRODUCE, AT(repeat), .min = 1, .max = 1e6, .value = "N",
     .text = "number of timed runs (default: table1 3, report 3 to 9, others 9)"},
};
const int bench_n_own_options = sizeof bench_own_options / sizeof bench_own_options[0];
