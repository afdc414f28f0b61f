/* fmu_fixture.c - archives by libzip. */
#include "fmu_fixture.h"

#include "test/command/command_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum { MAX_ENTRIES = 4, MAX_FMUS = 4, NAME = 200, ROOM = 8192, UNIX_BITS = 16 };

void fmu_pack(const char *path, const fmu_entry *entries, int n)
{
    int error = 0;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &error);
    assert_non_null(zip);
    for (int i = 0; i < n; i++) {
        zip_source_t *source = zip_source_buffer(zip, entries[i].bytes, entries[i].size, 0);
        assert_non_null(source);
        const zip_int64_t at = zip_file_add(zip, entries[i].name, source, ZIP_FL_ENC_UTF_8);
        assert_true(at >= 0);
        if (entries[i].mode != 0)
            assert_int_equal(zip_file_set_external_attributes(zip, (zip_uint64_t)at, 0, ZIP_OPSYS_UNIX,
                                                              (zip_uint32_t)entries[i].mode << UNIX_BITS),
                             0);
    }
    assert_int_equal(zip_close(zip), 0);
}

static const char *own_platform(const fmu_recipe *r)
{
    return r->platform ? r->platform : strstr(r->description, "fmiVersion='2.0'") ? "linux64" : "x86_64-linux";
}

void fmu_write(const char *path, const fmu_recipe *r)
{
    fmu_entry entries[MAX_ENTRIES];
    char binary[NAME];
    test_file file = {0};
    int n = 0;
    if (r->description) entries[n++] = (fmu_entry){"modelDescription.xml", r->description, strlen(r->description), 0};
    if (r->binary) {
        snprintf(binary, sizeof binary, "%s.so", r->binary);
        file = test_file_read(test_path(test_environment("RESIDA_TEST_FMUS"), binary));
        const char *name = claims_text("binaries/%s/%s.so", own_platform(r), r->identifier);
        entries[n++] = (fmu_entry){name, file.bytes, file.size, 0};
    }
    if (r->manifest)
        entries[n++] =
            (fmu_entry){"extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml", r->manifest, strlen(r->manifest), 0};
    if (r->resource) entries[n++] = (fmu_entry){"resources/words.txt", r->resource, strlen(r->resource), 0};
    fmu_pack(path, entries, n);
    if (r->binary) test_file_free(&file);
}

/* The description with directional derivatives. */
static const char *directed(const char *description)
{
    static const char model[] = "modelIdentifier='pendulum'";
    static char text[8192];
    const char *at = strstr(description, model);
    assert_non_null(at);
    const int before = (int)(at - description + (long)strlen(model));
    snprintf(text, sizeof text, "%.*s providesDirectionalDerivatives='true'%s", before, description,
             description + before);
    return text;
}

void fmu_make(const char *name)
{
    const char *comma = strchr(name, ',');
    const size_t length = comma ? (size_t)(comma - name) : strlen(name);

    const struct {
        const char *name;
        fmu_recipe recipe;
    } all[] = {
        {"oscillator2", {fmu_oscillator_2, "oscillator", "fmu_oscillator2", NULL, NULL, NULL}},
        {"oscillator3", {fmu_oscillator_3, "oscillator", "fmu_oscillator3", NULL, NULL, "words"}},
        {"ball2", {fmu_ball_2, "ball", "fmu_ball2", NULL, NULL, NULL}},
        {"ball3", {fmu_ball_3, "ball", "fmu_ball3", NULL, NULL, NULL}},
        {"levels2", {fmu_levels_2, "levels", "fmu_levels2", NULL, NULL, NULL}},
        {"levels3", {fmu_levels_3, "levels", "fmu_levels3", NULL, NULL, NULL}},
        {"types3", {fmu_types_3, "levels", "fmu_levels3", NULL, NULL, NULL}},
        {"mass2", {fmu_mass_2, "mass", "fmu_mass2", NULL, NULL, NULL}},
        {"mass3", {fmu_mass_3, "mass", "fmu_mass3", NULL, NULL, NULL}},
        {"habits2", {fmu_habits_2, "habits", "fmu_habits2", NULL, NULL, NULL}},
        {"rod", {NULL, "rod", "fmu_rod3", NULL, NULL, NULL}},
        {"rod-bare", {NULL, "rod", "fmu_rod3", NULL, NULL, NULL}},
        {"rod-array", {fmu_rod_array, "rod", "fmu_rod3", NULL, NULL, NULL}},
        {"pendulum", {fmu_pendulum_3, "pendulum", "fmu_pendulum3", NULL, fmu_pendulum_manifest, NULL}},
        {"pendulum-draft", {fmu_pendulum_3, "pendulum", "fmu_pendulum3", NULL, fmu_pendulum_draft, NULL}},
        {"pendulum-implicit",
         {fmu_pendulum_3, "pendulum", "fmu_pendulum_implicit3", NULL, fmu_pendulum_implicit, NULL}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strlen(all[i].name) != length || strncmp(all[i].name, name, length) != 0) continue;
        fmu_recipe recipe = all[i].recipe;
        if (!recipe.description) recipe.description = fmu_rod_3(strcmp(name, "rod") == 0);
        if (comma) recipe.description = directed(recipe.description);
        fmu_write(claims_text("%.*s.fmu", (int)length, name), &recipe);
        return;
    }
    fail_msg("no FMU %s", name);
}

void fmu_write_system(const char *path, const char *system, const char *behind, const char *const *names, int n)
{
    char text[ROOM], entry[MAX_FMUS][NAME];
    test_file files[MAX_FMUS];
    fmu_entry entries[MAX_FMUS + 1] = {{"SystemStructure.ssd", text, 0, 0}};
    assert_true(n <= MAX_FMUS);
    const int length = snprintf(text, sizeof text,
                                "<ssd:SystemStructureDescription xmlns:ssd='ssd' xmlns:ssc='ssc' xmlns:ssv='ssv' "
                                "version='1.0' name='a system'><ssd:System name='sys'>%s</ssd:System>%s"
                                "</ssd:SystemStructureDescription>",
                                system, behind);
    assert_true(length < ROOM);
    entries[0].size = (size_t)length;
    for (int i = 0; i < n; i++) {
        snprintf(entry[i], NAME, "%.60s.fmu", names[i]);
        files[i] = test_file_read(entry[i]);
        snprintf(entry[i], NAME, "resources/%.60s.fmu", names[i]);
        entries[i + 1] = (fmu_entry){entry[i], files[i].bytes, files[i].size, 0};
    }
    fmu_pack(path, entries, n + 1);
    for (int i = 0; i < n; i++) test_file_free(&files[i]);
}

int fmu_left_behind(const char *folder)
{
    DIR *all = opendir(folder);
    int n = 0;
    assert_non_null(all);
    for (struct dirent *one; (one = readdir(all)) != NULL;) n += strncmp(one->d_name, "resida-fmu-", 11) == 0;
    closedir(all);
    return n;
}

void fmu_run_row(const char *line, int row, double *x, int n)
{
    command_result r = command_run(line);
    if (r.code != 0) fail_msg("%s: %s", line, r.err.bytes);
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_csv_row(csv.bytes, row, x, n), n);
}
