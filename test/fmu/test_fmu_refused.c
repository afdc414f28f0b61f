/* test_fmu_refused.c - FMUs that are not served, and archives of strangers: each is refused in one line, and nothing of
 * it stays in the folder of temporary files. */
#define _XOPEN_SOURCE 700 /* S_IFLNK */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"

enum { MEGABYTES = 8, REPLACED = 4000 };

static int set_up(void **state)
{
    const int set = command_set_up(state);
    return set != 0 ? set : setenv("TMPDIR", command_folder(), 1);
}

static int tear_down(void **state)
{
    const int left = fmu_left_behind(command_folder());
    unsetenv("TMPDIR");
    return command_tear_down(state) != 0 || left != 0;
}

/** The description with words replaced by others, which have to be in it; for one call. */
static const char *with(const char *text, const char *words, const char *others)
{
    static char changed[REPLACED];
    const char *at = strstr(text, words);
    assert_non_null(at);
    assert_true(snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, others, at + strlen(words)) <
                (int)sizeof changed);
    return changed;
}

/** A recipe is refused with these words. */
static void expect(const fmu_recipe *recipe, const char *words)
{
    fmu_write("a.fmu", recipe);
    command_expect_refusal("solve a.fmu", 2, words);
}

static void expect_changed(const char *words, const char *others, const char *refusal)
{
    const fmu_recipe recipe = {
        with(fmu_oscillator_3, words, others), "oscillator", "fmu_oscillator3", NULL, NULL, NULL};
    expect(&recipe, refusal);
}

CLAIM_WITH(what_is_not_served_is_named, set_up, tear_down)
{
    expect_changed("<ModelExchange", "<Exchange", "it has neither ModelExchange nor CoSimulation");
    expect_changed("fmiVersion='3.0'", "fmiVersion='1.0'", "fmiVersion \"1.0\" is not supported");
    expect_changed("fmiVersion='3.0'", "", "no fmiVersion");
    expect_changed("<ModelExchange", "<ModelExchange needsExecutionTool='true'", "it needs the tool that created it");
    const fmu_recipe elsewhere = {fmu_oscillator_3, "oscillator", "fmu_oscillator3", "x86_64-windows", NULL, NULL};
    expect(&elsewhere, "no binary for this machine: binaries/x86_64-linux/oscillator.so is missing");
    const fmu_recipe without = {NULL, "oscillator", "fmu_oscillator3", "x86_64-linux", NULL, NULL};
    fmu_entry only = {"binaries/x86_64-linux/oscillator.so", "x", 1, 0};
    fmu_pack("a.fmu", &only, 1);
    command_expect_refusal("solve a.fmu", 2, "not an FMU: modelDescription.xml is missing in the archive");
    (void)without;
}

CLAIM_WITH(states_that_the_description_lacks_are_refused, set_up, tear_down)
{
    const char *from = strstr(fmu_oscillator_3, "<ModelStructure>");
    const char *text =
        claims_text("%.*s<ModelStructure/></fmiModelDescription>", (int)(from - fmu_oscillator_3), fmu_oscillator_3);
    const fmu_recipe recipe = {text, "oscillator", "fmu_oscillator3", NULL, NULL, NULL};
    expect(&recipe, "its binary has 2 states, its description 0");
}

CLAIM_WITH(descriptions_that_do_not_fit_are_refused, set_up, tear_down)
{
    expect_changed("</ModelVariables>", "", "modelDescription.xml: line");
    expect_changed("<fmiModelDescription", "<!DOCTYPE a [<!ENTITY b 'c'>]><fmiModelDescription", "a document type");
    expect_changed("{oscillator}", "{another}", "cannot be instantiated: another token");
    expect_changed("derivative='1'", "", "refers to 3 as a derivative, which it is not");
    expect_changed("<ContinuousStateDerivative valueReference='3' dependencies='2'/>", "",
                   "its binary has 2 states, its description 1");
    expect_changed("</ModelStructure>", "<EventIndicator valueReference='1'/></ModelStructure>", "event indicators");
    expect_changed("modelIdentifier='oscillator'", "modelIdentifier='../oscillator'", "an invalid modelIdentifier");
    expect_changed("dependencies='2'", "dependencies='x'", "dependencies are not numbers");
    expect_changed("valueReference='5'", "valueReference='99999999999'", "omega has an invalid valueReference");
}

/* With its line. */
CLAIM_WITH(what_a_description_misspells_is_refused, set_up, tear_down)
{
    expect_changed("causality='input'", "causality='imput'", "line 15: variable force: causality = \"imput\"");
    expect_changed("variability='constant'", "variability='constnat'", ": variability = \"constnat\"");
    expect_changed("initial='exact'", "initial='precise'", ": initial = \"precise\"");
    expect_changed("name='force'", "name='x'", "line 15: variable x is defined twice, first in line 9");
    expect_changed("start='1'", "start='abc'", ": start = \"abc\" is not a number");
    expect_changed("<ContinuousStateDerivative", "<Output valueReference='77'/><ContinuousStateDerivative",
                   "ModelStructure refers to variable 77, which does not exist");
}

CLAIM_WITH(daes_that_do_not_fit_are_refused, set_up, tear_down)
{
    static const struct {
        const char *words, *others, *refusal;
    } all[] = {
        {"<AlgebraicVariable valueReference='9'/>", "", "its DAE has 5 equations for 4 unknowns"},
        {"<AlgebraicVariable valueReference='9'/>", "<AlgebraicVariable valueReference='77'/>",
         "invalid algebraic variable, 77"},
        {"</ModelStructure>", "", "manifest of its DAE: line"},
        {"<fmiDAEManifest", "<fmiManifest", "the root is fmiManifest, not fmiDAEManifest"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char manifest[REPLACED];
        snprintf(manifest, sizeof manifest, "%s", with(fmu_pendulum_manifest, all[k].words, all[k].others));
        if (k == 3) snprintf(manifest, sizeof manifest, "<fmiManifest/>");
        const fmu_recipe recipe = {fmu_pendulum_3, "pendulum", "fmu_pendulum3", NULL, manifest, NULL};
        expect(&recipe, all[k].refusal);
    }
}

CLAIM_WITH(archives_that_lead_out_of_their_folder_are_refused, set_up, tear_down)
{
    static const struct {
        const char *name;
        unsigned mode;
        const char *refusal;
    } all[] = {
        {"../evil", 0, "a path is invalid, or leads out of the archive"},
        {"resources/../../evil", 0, "a path is invalid, or leads out of the archive"},
        {"/tmp/evil", 0, "a path is invalid, or leads out of the archive"},
        {"resources\\..\\evil", 0, "a path is invalid, or leads out of the archive"},
        {"resources/link", S_IFLNK | 0777, "is a link, not a file"},
        {"resources/device", S_IFCHR | 0777, "is a link, not a file"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const fmu_entry entries[] = {{"modelDescription.xml", fmu_oscillator_3, strlen(fmu_oscillator_3), 0},
                                     {all[k].name, "/etc/passwd", 11, all[k].mode}};
        fmu_pack("a.fmu", entries, 2);
        command_expect_refusal("solve a.fmu", 2, all[k].refusal);
    }
}

CLAIM_WITH(a_zip_bomb_is_refused, set_up, tear_down)
{
    const size_t size = (size_t)MEGABYTES << 20;
    char *zeros = claims_zeros(size, 1);
    assert_non_null(zeros);
    const fmu_entry entries[] = {{"modelDescription.xml", fmu_oscillator_3, strlen(fmu_oscillator_3), 0},
                                 {"resources/zeros", zeros, size, 0}};
    fmu_pack("a.fmu", entries, 2);
    command_expect_refusal("solve a.fmu", 2, "\"resources/zeros\" expands from");
}

/* Each of the files may be what it is; all together are not. */
CLAIM_WITH(a_zip_bomb_of_small_files_is_refused, set_up, tear_down)
{
    enum { FILES = 40, SIZE = 1 << 20 };
    char names[FILES][24], *zeros = claims_zeros(SIZE, 1);
    fmu_entry entries[FILES + 1] = {{"modelDescription.xml", fmu_oscillator_3, strlen(fmu_oscillator_3), 0}};
    assert_non_null(zeros);
    for (int k = 0; k < FILES; k++) {
        snprintf(names[k], sizeof names[k], "resources/%d", k);
        entries[k + 1] = (fmu_entry){names[k], zeros, SIZE, 0};
    }
    fmu_pack("a.fmu", entries, FILES + 1);
    command_expect_refusal("solve a.fmu", 2, "41 files expand from");
}

CLAIM_WITH(what_is_no_archive_is_refused, set_up, tear_down)
{
    test_file_write("a.fmu", "", 0);
    command_expect_refusal("solve a.fmu", 2, "a.fmu: ");
    test_file_write("a.fmu", "<xml/>", 6);
    command_expect_refusal("solve a.fmu", 2, "not an FMU: it is not a zip file");
    remove("a.fmu");
    command_expect_refusal("solve a.fmu", 2, "cannot be opened: No such file");
    assert_int_equal(mkdir("a.fmu", S_IRWXU), 0);
    command_expect_refusal("solve a.fmu", 2, "not a file");
    assert_int_equal(remove("a.fmu"), 0);
}
