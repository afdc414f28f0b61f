/* test_features.c - what a build may lack (meson.build): who asks for it reads one line with Debian's packages and
 * the page, or the option that disabled it, and neither help nor completion offers it; where it is built, the line is
 * absent and help offers it. A module that is not installed, or lacks a library, names what to install. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <resida_features.h>

#include "program/base/complain.h"
#include "command/sweep/ranks.h"
#include "test/command/command_fixture.h"

enum { LINE = 400 };
#define PEERS                                                                                                          \
    {                                                                                                                  \
        "dassl", "daspk", "radau5", "petsc-bdf"                                                                        \
    }

static void compose(const rsd_feature *f, char line[LINE])
{
    snprintf(line, LINE, "built without %s; %s", f->name, f->remedy);
}

static void the_page_is_there(const rsd_feature *f)
{
    const char *page = test_path(test_environment("RESIDA_SOURCE"), f->page);
    if (access(page, R_OK) != 0) fail_msg("%s: no page %s", f->name, page);
}

/* The line is among what was said where the feature is not built, and only there. */
static void check_line(const char *words, const char *said, const char *feature)
{
    const rsd_feature *f = rsd_feature_of(feature);
    char line[LINE];
    compose(f, line);
    the_page_is_there(f);
    if (!strstr(said, line) == !f->is_built)
        fail_msg("resida %s: %s \"%s\" in: %s", words, f->is_built ? "there is" : "there is no", line, said);
}

COMMAND_CLAIM(what_is_not_built_says_so_with_packages_and_page)
{
    static const struct {
        const char *features[4], *line;
    } asked[] = {
        {{"FMUs"}, "solve ./model.fmu"},
        {{"URDF"}, "models ./arm.urdf"},
        {{"matio"}, "solve pendulum --t-end 0.1 --out a.mat"},
        {{"HDF5"}, "solve pendulum --t-end 0.1 --out a.h5"},
        {{"SQLite"}, "sweep plan.json"},
        {{"FMU export"}, "export pendulum --fmu a.fmu"},
        {{"OpenMP"}, "solve chain-cartesian --t-end 0.01 --threads 2"},
        {{"dassl"}, "solve pendulum --t-end 0.1 --solver dassl"},
        {{"daspk"}, "solve pendulum --t-end 0.1 --solver daspk"},
        {{"radau5"}, "solve pendulum --t-end 0.1 --solver radau5"},
        {{"petsc-bdf"}, "solve pendulum --t-end 0.1 --solver petsc-bdf"},
        {PEERS, "compare pendulum --t-end 0.1 --jacobian auto --repeat 1 --max-order 5 --peers"},
        {PEERS, "resida-bench work-precision pendulum --t-end 0.1 --from 1e-3 --to 1e-3 --max-order 5 --peers"},
    };
    test_file_write("model.fmu", "x", 1);
    test_file_write("arm.urdf", "x", 1);
    test_file_write("plan.json", "x", 1);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        command_result r = command_run(asked[i].line);
        for (int k = 0; k < 4 && asked[i].features[k]; k++)
            check_line(asked[i].line, r.err.bytes, asked[i].features[k]);
    }
}

/* --- modules of a library that is installed without them, or that need a library that is not there --- */

/* That of HDF5 is libhdf5, libhdf5_serial or, as SUNDIALS brings it in Debian, libhdf5_openmpi. */
typedef struct loaded {
    const char *feature, *line, *module, *needs; /* needs: a library of the module, by the beginning of its name */
    const char *package, *libraries;             /* that a message names */
} loaded;
static const loaded modules[] = {
    {"FMUs", "solve ./model.fmu", "resida-fmu.so", "libzip.so", "resida-fmu", "libzip-dev libexpat1-dev"},
    {"URDF", "models ./arm.urdf", "resida-urdf.so", "liburdfdom_model.so", "resida-urdf",
     "liborocos-kdl-dev liburdfdom-dev libexpat1-dev"},
    {"matio", "solve pendulum --t-end 0.1 --out a.mat", "resida-matio.so", "libmatio.so", "resida", "libmatio-dev"},
    {"HDF5", "solve pendulum --t-end 0.1 --out a.h5", "resida-hdf5.so", "libhdf5", "resida", "libhdf5-dev"},
    {"FMU export", "export pendulum --fmu a.fmu", "resida-zip.so", "libzip.so", "resida-fmu",
     "libzip-dev libsundials-dev libsuitesparse-dev liblapack-dev"},
};

/* A folder lib with the library alone, which the command takes, and a folder of modules beneath. */
static void install_library(void)
{
    mkdir("lib", 0700);
    mkdir("lib/resida", 0700);
    assert_int_equal(symlink(test_environment("RESIDA_LIBRARY"), "lib/libresida.so.0"), 0);
    setenv("LD_LIBRARY_PATH", test_path(command_folder(), "lib"), 1);
    test_file_write("model.fmu", "x", 1);
    test_file_write("arm.urdf", "x", 1);
}

/* The module as it was built, but for the name of the library that it needs, which gets another letter. */
static void install_module(const loaded *m)
{
    const char *library = test_environment("RESIDA_LIBRARY");
    const char *folder = claims_text("%.*s", (int)(strrchr(library, '/') - library), library);
    test_file module = test_file_read(test_path(folder, m->module));
    const size_t length = strlen(m->needs);
    int n = 0;
    for (size_t i = 0; i + length <= module.size; i++)
        if (memcmp(module.bytes + i, m->needs, length) == 0) module.bytes[i + length - 1] = 'O', n++;
    if (n == 0) fail_msg("%s does not need %s", m->module, m->needs);
    folder = claims_text("lib/resida/%s", m->module);
    test_file_write(folder, module.bytes, module.size);
}

static void expect_cure(const loaded *m, const char *packages)
{
    char line[LINE];
    command_result r = command_run(m->line);
    assert_true(r.code != 0);
    snprintf(line, sizeof line, "/lib/resida/%s", m->module);
    if (strncmp(packages, "resida", 6) == 0) command_expect_words(r.err.bytes, line);
    snprintf(line, sizeof line, "; install %s (Debian), see doc/building.md", packages);
    command_expect_words(r.err.bytes, line);
    assert_int_equal(test_count(r.err.bytes, "\n"), 1);
}

COMMAND_CLAIM(modules_that_are_not_installed_name_their_package)
{
    install_library();
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (rsd_feature_of(modules[i].feature)->is_built) expect_cure(&modules[i], modules[i].package);
    unsetenv("LD_LIBRARY_PATH");
}

COMMAND_CLAIM(modules_that_lack_a_library_name_its_package)
{
    install_library();
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (!rsd_feature_of(modules[i].feature)->is_built) continue;
        install_module(&modules[i]);
        expect_cure(&modules[i], modules[i].libraries);
    }
    unsetenv("LD_LIBRARY_PATH");
}

/* An adapter that is damaged is not cured by a package. */
COMMAND_CLAIM(modules_that_are_damaged_name_no_package)
{
    install_library();
    if (!rsd_feature_of("FMUs")->is_built) return;
    test_file_write("lib/resida/resida-fmu.so", "x", 1);
    command_result r = command_run(modules[0].line);
    unsetenv("LD_LIBRARY_PATH");
    command_expect_words(r.err.bytes, "resida-fmu.so: ");
    assert_null(strstr(r.err.bytes, "install"));
}

COMMAND_CLAIM(threads_without_openmp_are_one_and_the_run_goes_on)
{
    command_result one = command_run("solve chain-cartesian --t-end 0.01 --format json");
    command_result two = command_run("solve chain-cartesian --t-end 0.01 --format json --threads 2");
    assert_int_equal(one.code, 0);
    assert_int_equal(two.code, 0);
    json_t *first = command_row(&one), *second = command_row(&two);
    assert_true(json_equal(command_member(first, "end"), command_member(second, "end")));
    json_decref(first);
    json_decref(second);
}

COMMAND_CLAIM(help_and_completion_offer_what_is_built_and_nothing_else)
{
    static const struct {
        const char *feature, *line, *word;
    } offered[] = {
        {"FMUs", "help", ".fmu"},
        {"FMUs", "help --man", ".fmu"},
        {"URDF", "help", ".urdf"},
        {"matio", "help solve", "|.mat"},
        {"HDF5", "help solve", "|.h5"},
        {"HDF5", "help --zsh", "|.h5"},
        {"SQLite", "help", "resida sweep"},
        {"SQLite", "help --man", "resida sweep"},
        {"FMU export", "help", "resida export"},
        {"FMU export", "help --zsh", "    export)"},
        {"SQLite", "help --bash", "    sweep)"},
        {"SQLite", "help --zsh", "    sweep)"},
        {"OpenMP", "help solve", "--threads"},
        {"OpenMP", "help --man", "\\-\\-threads"},
        {"OpenMP", "help --bash", " --threads"},
        {"OpenMP", "help --zsh", "--threads"},
        {"dassl", "help solve", "dassl"},
        {"daspk", "help --man", "daspk"},
        {"radau5", "help --zsh", "radau5"},
        {"petsc-bdf", "help solve", "petsc-bdf"},
    };
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++) {
        const int is_offered = strstr(command_run_well(offered[i].line).out.bytes, offered[i].word) != NULL;
        const int is_built = rsd_feature_of(offered[i].feature)->is_built;
        if (is_offered != is_built)
            fail_msg("resida %s: %s %s", offered[i].line, is_built ? "no" : "there is", offered[i].word);
    }
}

/* In every build: these are looked for when they are needed. */
COMMAND_CLAIM(what_is_looked_for_at_run_time_is_named_too)
{
    char line[LINE];
    const rsd_feature *gnuplot = rsd_feature_of("gnuplot"), *compiler = rsd_feature_of("CasADi");
    setenv("PATH", "/nowhere", 1);
    snprintf(line, LINE, "gnuplot is not installed; %s", gnuplot->remedy);
    command_expect_refusal("pattern pendulum --out a.svg", 1, line);
    the_page_is_there(gnuplot);
    setenv("CC", "/nowhere/cc", 1);
    test_file_write("f.c", "int x;", 6);
    command_result r = command_run("solve casadi:f.c");
    unsetenv("CC");
    snprintf(line, LINE, "compiler /nowhere/cc is not found; set CC; %s", compiler->remedy);
    command_expect_words(r.err.bytes, line);
    the_page_is_there(compiler);
}

COMMAND_CLAIM(ranks_without_mpi_say_so)
{
    const rsd_feature *mpi = rsd_feature_of("MPI");
    char said[LINE] = "", line[LINE];
    cmd_ranks ranks;
    the_page_is_there(mpi);
    if (mpi->is_built) return; /* test/sweep runs ranks */
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    cmd_complain_to_text(said, sizeof said);
    const int code = cmd_ranks_begin(&ranks);
    cmd_complain_to_text(NULL, 0);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_int_equal(code, 1);
    compose(mpi, line);
    command_expect_words(said, line);
}
