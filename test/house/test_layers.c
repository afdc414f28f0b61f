/* test_layers.c - reads the sources (RESIDA_SOURCE) and fails where an include points against the flow: a folder knows
 * those that stand above it in the lists below, and no other. So there is no circle among folders. An inner header is
 * included by its path from the root of the tree, one of the same folder by its name alone.
 *
 * Every rule is a function of path and text. It is tried on sources that break it, before it judges the real ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"
#include "test/fixtures/file_util.h"
#include "test/fixtures/source_scan.h"

/* Public headers in the order of the flow. */
static const char *const headers[] = {"status", "option",      "mechanism",   "contact",   "quaternion",
                                      "dae",    "products",    "model",       "adapter",   "problem",
                                      "start",  "impact",      "equilibrium", "jacobian",  "stats",
                                      "solver", "sensitivity", "run",         "linearize", "checkpoint"};
enum { N_HEADERS = sizeof headers / sizeof *headers };

/* The library, and what uses it. */
static const char *const library[] = {"base",
                                      "base/linear",
                                      "jacobian/pattern",
                                      "jacobian/parts",
                                      "jacobian/differences",
                                      "jacobian/search",
                                      "jacobian/age",
                                      "jacobian",
                                      "src/core",
                                      "src/core/mechanism",
                                      "src/core/kkt",
                                      "src/core/problem",
                                      "src/core/watch",
                                      "src/core/start",
                                      "src/core/newton",
                                      "src/core/events",
                                      "src/core/ida",
                                      "src/core/solver",
                                      "src/core/fixed",
                                      "src/kits/sensitivity",
                                      "src/kits/check",
                                      "src/kits/checkpoint",
                                      "src/kits/contacts",
                                      "src/kits/plugin",
                                      "src/kits/linearize",
                                      "src/kits/equilibrium",
                                      "src/kits/run",
                                      "src/kits",
                                      NULL};
static const char *const users[] = {"program/base",
                                    "adapters/base",
                                    "adapters/fmu/base",
                                    "adapters/fmu/description",
                                    "adapters/fmu/binary",
                                    "adapters/fmu/system",
                                    "adapters/fmu",
                                    "adapters/fmu/ssp",
                                    "program/process",
                                    "program/files",
                                    "program/builtin",
                                    "program/cli",
                                    "program/picture",
                                    "program/output",
                                    "program/run",
                                    "program/pattern",
                                    "program",
                                    "benchmarks/util",
                                    "benchmarks/multibody/tree",
                                    "benchmarks/multibody/system",
                                    "benchmarks/multibody/beam",
                                    "benchmarks/multibody/contact",
                                    "benchmarks/models/data",
                                    "benchmarks/models",
                                    "benchmarks/models/chain",
                                    "benchmarks/models/flexible",
                                    "benchmarks/models/vehicles",
                                    "benchmarks/models/vehicles/train",
                                    "adapters/fmu/export",
                                    "benchmarks/peers",
                                    "benchmarks/cli",
                                    "benchmarks/conditioning",
                                    "benchmarks/work_precision",
                                    "benchmarks/papers",
                                    "benchmarks/report",
                                    "benchmarks/studies",
                                    "benchmarks/results",
                                    "benchmarks",
                                    "command/cli",
                                    "command/modules",
                                    "command/cost",
                                    "command/animate",
                                    "command/sensitivity",
                                    "command/trajectory",
                                    "command/export",
                                    "command/equilibrium",
                                    "command/solve",
                                    "command/linearize",
                                    "command/check",
                                    "command/pattern",
                                    "command/sweep",
                                    "command/sweep_mpi",
                                    "command/help",
                                    "command",
                                    "adapters/casadi",
                                    "adapters/dassl",
                                    "adapters/urdf/shape",
                                    "adapters/urdf/text",
                                    "adapters/urdf/beside",
                                    "adapters/urdf",
                                    "examples",
                                    NULL};

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/** Is it this folder, or within it? */
static int is_in(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return starts(path, folder) && (path[length] == 0 || path[length] == '/');
}

/** The folder of a path into folder [RULE_WHY]. */
static void folder_of(const char *path, char *folder)
{
    snprintf(folder, RULE_WHY, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) *slash = 0;
}

/** Place of a name in a list that ends with NULL; -1 when it is not there. */
static int place(const char *const *list, const char *name)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0) return i;
    return -1;
}

/** Place of "resida/NAME.h" in the order of the public headers; -1 when it is not there. */
static int place_of_header(const char *header)
{
    for (int i = 0; i < N_HEADERS; i++)
        if (strcmp(claims_text("resida/%s.h", headers[i]), header) == 0) return i;
    return -1;
}

static int is_sundials(const char *header)
{
    static const char *const folders[] = {"ida/",          "idas/",      "cvode/",     "kinsol/", "sundials/",
                                          "sunnonlinsol/", "sunlinsol/", "sunmatrix/", "nvector/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (starts(header, folders[i])) return 1;
    return 0;
}

/** What may be included from where: 1 when `path` may include `header`. */
typedef int permission(const char *path, char quote, const char *header);

static int check_includes(permission *may_include, const char *path, const char *text, char *why)
{
    char *code = scan_blank(text, SCAN_COMMENTS);
    const char *at = code;
    char header[128], quote;
    int broken = 0;
    while (!broken && (quote = scan_include(&at, header)) != 0) broken = !may_include(path, quote, header);
    if (broken) snprintf(why, RULE_WHY, "includes %s", header);
    return broken;
}

/* The headers that resida.h includes: those of the core, and for one version all.h, which includes all of them. */
static const char *const core_headers[] = {"status", "option", "mechanism", "dae", "problem",
                                           "start",  "stats",  "solver",    "all"};
enum { N_CORE_HEADERS = sizeof core_headers / sizeof *core_headers };

static int is_of_core(const char *header)
{
    for (int i = 0; i < N_CORE_HEADERS; i++)
        if (strcmp(claims_text("resida/%s.h", core_headers[i]), header) == 0) return 1;
    return 0;
}

static int is_list(const char *path)
{
    return strcmp(path, "include/resida/resida.h") == 0 || strcmp(path, "include/resida/all.h") == 0;
}

/* A public header includes standard headers and public ones before it. */
static int may_public_header(const char *path, char quote, const char *header)
{
    if (!starts(path, "include/resida/") || strcmp(path, "include/resida/all.h") == 0) return 1;
    if (is_list(path)) return quote == '<' && is_of_core(header);
    if (!starts(header, "resida/")) return quote == '<' && !is_sundials(header);
    int here = place_of_header(path + strlen("include/")), there = place_of_header(header);
    return quote == '<' && there >= 0 && there < here;
}

static int header_against_flow(const char *path, const char *text, char *why)
{
    if (starts(path, "include/resida/") && !is_list(path) && place_of_header(path + strlen("include/")) < 0) {
        snprintf(why, RULE_WHY, "has no place in the order of the public headers");
        return 1;
    }
    return check_includes(may_public_header, path, text, why);
}

/* A folder includes itself and those above it in its list; users of the library see its public headers alone. */
static int is_there(const char *folder, const char *header)
{
    const char *path = test_path(test_environment("RESIDA_SOURCE"), folder);
    FILE *file = fopen(test_path(path, header), "r");
    if (file) fclose(file);
    return file != NULL;
}

/* Lines of a file as texts of C, made while building. */
static int is_made_of(const char *folder, const char *header)
{
    const size_t n = strlen(header), end = strlen(".inc");
    if (n <= end || strcmp(header + n - end, ".inc") != 0) return 0;
    return is_there(folder, claims_text("%.*s", (int)(n - end), header));
}

/* The command and the laboratory share program/, and nothing else. */
static int is_other_program(const char *here, const char *there)
{
    return (is_in(here, "command") && is_in(there, "benchmarks")) ||
           (is_in(here, "benchmarks") && is_in(there, "command"));
}

static int may_folder(const char *path, char quote, const char *header)
{
    char here[RULE_WHY], there[RULE_WHY];
    if (quote == '<' || starts(path, "include/")) return 1;
    folder_of(path, here);
    if (!strchr(header, '/')) return is_there(here, header) || is_made_of(here, header);
    folder_of(header, there);
    if (is_other_program(here, there)) return 0;
    const char *const *list = place(library, here) >= 0 ? library : users;
    int above = place(list, there);
    return above >= 0 && above < place(list, here);
}

static int folder_against_flow(const char *path, const char *text, char *why)
{
    char here[RULE_WHY];
    folder_of(path, here);
    if (!starts(path, "include/") && place(library, here) < 0 && place(users, here) < 0)
        return snprintf(why, RULE_WHY, "its folder has no place in the order of the folders") > 0;
    return check_includes(may_folder, path, text, why);
}

/* The Jacobian engine knows F alone, by the public headers up to its own. */
static int may_jacobian(const char *path, char quote, const char *header)
{
    if (!starts(path, "jacobian/") || !starts(header, "resida/")) return 1;
    return place_of_header(header) >= 0 && place_of_header(header) <= place_of_header("resida/jacobian.h");
}

static int jacobian_against_flow(const char *path, const char *text, char *why)
{
    return check_includes(may_jacobian, path, text, why);
}

/* SUNDIALS is seen in src/core/ida alone, whose headers nobody else includes. Programs that measure plain IDA as a peer
 * see it too. */
static int may_sundials(const char *path, char quote, const char *header)
{
    int shows = quote == '<' ? is_sundials(header) : starts(header, "src/core/ida/");
    return !shows || starts(path, "src/core/ida/") || starts(path, "benchmarks/peers/");
}

static int sundials_outside_the_integrator(const char *path, const char *text, char *why)
{
    return check_includes(may_sundials, path, text, why);
}

/* --- the claims --- */

CLAIM(public_headers_include_only_those_before_them)
{
    rule *r = header_against_flow;
    rule_breaks(r, "include/resida/mechanism.h", "#include <resida/solver.h>\n");
    rule_breaks(r, "include/resida/jacobian.h", "#include <stddef.h>\n#  include <resida/jacobian.h>\n");
    rule_breaks(r, "include/resida/jacobian.h", "#include <resida/resida.h>\n");
    rule_breaks(r, "include/resida/jacobian.h", "#include \"memory.h\"\n");
    rule_breaks(r, "include/resida/solver.h", "#include <ida/ida.h>\n");
    rule_breaks(r, "include/resida/new.h", "");
    rule_obeys(r, "include/resida/jacobian.h", "#include <stddef.h>\n#include <resida/problem.h>\n");
    rule_obeys(r, "include/resida/jacobian.h", "/*\n#include <resida/solver.h>\n*/ // #include <resida/solver.h>\n");
    rule_obeys(r, "include/resida/resida.h", "#include <resida/solver.h>\n");
    rule_breaks(r, "include/resida/resida.h", "#include <resida/run.h>\n");
    rule_obeys(r, "include/resida/all.h", "#include <resida/run.h>\n");
    rule_all_obey(r, rule_product);
}

static void expect_includes(const char *path, const char *const *names, int n)
{
    test_file file = test_file_read(test_path(test_environment("RESIDA_SOURCE"), path));
    for (int i = 0; i < n; i++) {
        const char *line = claims_text("#include <resida/%s.h>\n", names[i]);
        if (!strstr(file.bytes, line)) fail_msg("%s lacks %s", path, line);
    }
    assert_int_equal(test_count(file.bytes, "#include "), n);
}

CLAIM(resida_h_is_the_core_and_all_h_is_everything)
{
    expect_includes("include/resida/resida.h", core_headers, N_CORE_HEADERS);
    expect_includes("include/resida/all.h", headers, N_HEADERS);
}

CLAIM(a_folder_includes_only_those_above_it)
{
    rule *r = folder_against_flow;
    rule_breaks(r, "base/memory.c", "#include \"base/linear/csr.h\"\n");
    rule_breaks(r, "src/core/problem/rows.h", "#include \"src/core/solver/solver_impl.h\"\n");
    rule_breaks(r, "src/core/problem/rows.h", "#include \"../watch/guard.h\"\n");
    rule_breaks(r, "src/core/problem/rows.h", "#include \"guard.h\"\n");
    rule_breaks(r, "src/core/problem/rows.h", "#include \"program/run/run.h\"\n");
    rule_breaks(r, "src/new/rows.h", "");
    rule_breaks(r, "jacobian/engine.c", "#include \"src/kits/plugin/model_impl.h\"\n");
    rule_breaks(r, "jacobian/engine.c", "#include \"../src/base/memory.h\"\n");
    rule_breaks(r, "command/main.c", "#include \"base/memory.h\"\n");
    rule_breaks(r, "program/base/number.c", "#include \"program/run/run.h\"\n");
    rule_breaks(r, "program/process/signals.c", "#include \"program/files/out_file.h\"\n");
    rule_breaks(r, "examples/first.c", "#include \"jacobian/engine_impl.h\"\n");
    rule_obeys(r, "src/core/problem/problem.c", "#include \"rows.h\"\n#include \"base/memory.h\"\n#include <math.h>\n");
    rule_obeys(r, "jacobian/engine.c", "#include <resida/jacobian.h>\n#include \"base/linear/dense.h\"\n");
    rule_obeys(r, "command/animate/animation_page.c", "#include \"viewer.js.inc\"\n");
    rule_breaks(r, "command/animate/animation_page.c", "#include \"nobody.js.inc\"\n");
    rule_obeys(r, "command/main.c", "#include \"program/run/run.h\"\n#include \"command/cli/commands.h\"\n");
    rule_all_obey(r, rule_product);
}

CLAIM(the_command_and_the_laboratory_do_not_include_each_other)
{
    rule *r = folder_against_flow;
    rule_breaks(r, "command/main.c", "#include \"benchmarks/models/models.h\"\n");
    rule_breaks(r, "command/solve/cmd_solve.c", "#include \"benchmarks/report/report.h\"\n");
    rule_breaks(r, "benchmarks/main.c", "#include \"command/cli/commands.h\"\n");
    rule_breaks(r, "benchmarks/report/page.c", "#include \"command/help/pages.h\"\n");
    rule_breaks(r, "program/program.c", "#include \"command/cli/commands.h\"\n");
    rule_breaks(r, "program/run/run.c", "#include \"benchmarks/peers/peer_impl.h\"\n");
    rule_obeys(r, "benchmarks/main.c", "#include \"program/program.h\"\n#include \"benchmarks/cli/commands.h\"\n");
    rule_obeys(r, "benchmarks/models/models.h", "#include \"program/builtin/models.h\"\n");
}

CLAIM(the_jacobian_engine_knows_nothing_of_the_integrator)
{
    rule *r = jacobian_against_flow;
    rule_breaks(r, "jacobian/engine.c", "#include <resida/solver.h>\n");
    rule_breaks(r, "jacobian/age/policy.c", "#include <resida/resida.h>\n");
    rule_obeys(r, "jacobian/engine.c", "#include <resida/jacobian.h>\n#include <math.h>\n");
    rule_all_obey(r, rule_product);
}

CLAIM(only_the_integrator_sees_sundials)
{
    rule *r = sundials_outside_the_integrator;
    rule_breaks(r, "src/core/start/start.c", "#include <ida/ida.h>\n");
    rule_breaks(r, "src/core/solver/solver.c", "#include <sunlinsol/sunlinsol_dense.h>\n");
    rule_breaks(r, "src/core/solver/solver.c", "#include \"src/core/ida/ida_vector.h\"\n");
    rule_breaks(r, "base/memory.h", "#include <nvector/nvector_serial.h>\n");
    rule_breaks(r, "command/main.c", "#include <sundials/sundials_types.h>\n");
    rule_obeys(r, "src/core/ida/ida_integrator.c", "#include <ida/ida.h>\n#include \"ida_newton.h\"\n");
    rule_obeys(r, "src/core/ida/ida_vector.h", "#include <sundials/sundials_nvector.h>\n");
    rule_all_obey(r, rule_product);
}
