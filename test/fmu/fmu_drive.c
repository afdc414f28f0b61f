/* fmu_drive.c - unpacks by libzip, loads by dlopen(), calls by the types of the standard's headers. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "fmu_drive.h"

#include "test/fixtures/file_util.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum { NAME = 512, CO_SIMULATION = 1, TERMINATED = 3, LAST_SUCCESSFUL_TIME = 2 };

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static void unpack(const char *path, const char *folder)
{
    char name[NAME];
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    assert_non_null(zip);
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
        zip_stat_t about;
        assert_int_equal(zip_stat_index(zip, (zip_uint64_t)i, 0, &about), 0);
        char *bytes = malloc((size_t)about.size + 1);
        zip_file_t *file = zip_fopen_index(zip, (zip_uint64_t)i, 0);
        assert_true(bytes && file && zip_fread(file, bytes, about.size) == (zip_int64_t)about.size);
        zip_fclose(file);
        snprintf(name, sizeof name, "%s/%s", folder, about.name);
        make_folders(name);
        test_file_write(name, bytes, (size_t)about.size);
        chmod(name, 0700);
        free(bytes);
    }
    zip_discard(zip);
}

/** Copy the value of an attribute after `from` in the description. */
static void attribute(const char *from, const char *name, char *value, size_t size)
{
    char words[NAME];
    snprintf(words, sizeof words, "%s=\"", name);
    const char *at = from ? strstr(from, words) : NULL;
    if (!at) fail_msg("no %s", name);
    at += strlen(words);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

/** A path in FMI 3.0, a URI with escaped blanks in FMI 2.0. */
static void name_resources(drive_fmu *fmu)
{
    char *to = fmu->resources;
    if (fmu->version == 2) to += sprintf(to, "file://");
    for (const char *c = fmu->folder; *c; c++) to += sprintf(to, fmu->version == 2 && *c == ' ' ? "%%20" : "%c", *c);
    sprintf(to, "/resources%s", fmu->version == 3 ? "/" : "");
}

static void close_library(void *library)
{
    dlclose(library);
}

void drive_open(drive_fmu *fmu, const char *path)
{
    static int n;
    char name[NAME], identifier[NAME];
    char *here = realpath(".", NULL);
    *fmu = (drive_fmu){.version = 2};
    snprintf(fmu->folder, sizeof fmu->folder, "%.90s/un packed %d", here, n++);
    free(here);
    unpack(path, fmu->folder);
    snprintf(name, sizeof name, "%s/modelDescription.xml", fmu->folder);
    fmu->description = test_file_read(name).bytes;
    if (strstr(fmu->description, "fmiVersion=\"3.0\"")) fmu->version = 3;
    attribute(fmu->description, fmu->version == 2 ? "guid" : "instantiationToken", fmu->token, sizeof fmu->token);
    attribute(fmu->description, "modelIdentifier", identifier, sizeof identifier);
    snprintf(name, sizeof name, "%s/binaries/%s/%.100s.so", fmu->folder, fmu->version == 2 ? "linux64" : "x86_64-linux",
             identifier);
    fmu->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!fmu->library) fail_msg("%s", dlerror());
    claims_own(fmu->library, close_library);
    name_resources(fmu);
}

/** A function of the binary: "DoStep" with the prefix of its version. */
typedef void function(void);
static function *find(const drive_fmu *fmu, const char *name)
{
    char full[NAME];
    function *f = NULL;
    snprintf(full, sizeof full, "fmi%d%s", fmu->version, name);
    void *symbol = dlsym(fmu->library, full);
    if (!symbol) fail_msg("no function %s", full);
    memcpy(&f, &symbol, sizeof f);
    return f;
}

#define CALL(d, name, type, ...) ((type)find((d)->fmu, name))((d)->instance __VA_ARGS__)
#define OF_INSTANCE              int (*)(void *)

static void note(drive *d, const char *text)
{
    d->n_lines++;
    snprintf(d->line, sizeof d->line, "%s", text);
    assert_null(strchr(text, '\n'));
}

__attribute__((format(printf, 5, 6))) static void log_2(void *environment, const char *name, int status,
                                                        const char *category, const char *format, ...)
{
    char text[NAME];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    assert_null(strstr(format, "%s")); /* an importer need not read further arguments */
    assert_true(name && status != DRIVE_OK && strncmp(category, "logStatus", 9) == 0);
    note(environment, text);
}

static void log_3(void *environment, int status, const char *category, const char *text)
{
    assert_true(status != DRIVE_OK && strncmp(category, "logStatus", 9) == 0);
    note(environment, text);
}

/** fmi2CallbackFunctions. */
typedef struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*free)(void *);
    void (*finished)(void *, int);
    void *environment;
} callbacks;

/** An instance, wherever its drive is. */
typedef struct made {
    void (*release)(void *);
    void *instance;
} made;

static void free_instance(void *thing)
{
    made *m = thing;
    m->release(m->instance);
    free(m);
}

static void own_instance(const drive *d)
{
    made *m = malloc(sizeof *m);
    assert_non_null(m);
    *m = (made){(void (*)(void *))find(d->fmu, "FreeInstance"), d->instance};
    claims_own(m, free_instance);
}

void drive_make(drive *d, const drive_fmu *fmu, const char *token)
{
    *d = (drive){.fmu = fmu};
    const char *use = token ? token : fmu->token;
    if (fmu->version == 2) {
        const callbacks calls = {log_2, calloc, free, NULL, d};
        d->instance = ((void *(*)(const char *, int, const char *, const char *, const callbacks *, int, int))find(
            fmu, "Instantiate"))("one", CO_SIMULATION, use, fmu->resources, &calls, 0, 0);
    } else {
        d->instance = ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                                  size_t, void *, void (*)(void *, int, const char *, const char *),
                                  void *))find(fmu, "InstantiateCoSimulation"))(
            "one", use, fmu->resources, false, false, false, false, NULL, 0, d, log_3, NULL);
    }
    if (d->instance) own_instance(d);
}

int drive_enter(drive *d, double tolerance, double t0, double t_stop)
{
    const int has_tolerance = tolerance > 0, has_stop = t_stop < INFINITY;
    if (d->fmu->version == 3)
        return CALL(d, "EnterInitializationMode", int (*)(void *, bool, double, double, bool, double), , has_tolerance,
                    tolerance, t0, has_stop, t_stop);
    const int status = CALL(d, "SetupExperiment", int (*)(void *, int, double, double, int, double), , has_tolerance,
                            tolerance, t0, has_stop, t_stop);
    return status == DRIVE_OK ? CALL(d, "EnterInitializationMode", OF_INSTANCE, ) : status;
}

int drive_exit(drive *d)
{
    return CALL(d, "ExitInitializationMode", OF_INSTANCE, );
}

void drive_start(drive *d, const drive_fmu *fmu, double tolerance, double t_stop)
{
    drive_make(d, fmu, NULL);
    if (!d->instance) fail_msg("%s", d->line);
    assert_int_equal(drive_enter(d, tolerance, 0, t_stop), DRIVE_OK);
    if (drive_exit(d) != DRIVE_OK) fail_msg("%s", d->line);
}

/** The value reference of a variable, and whether it is an integer. */
static uint32_t reference_of(const drive *d, const char *name, int *is_integer)
{
    char words[NAME], value[NAME];
    snprintf(words, sizeof words, " name=\"%s\" valueReference", name);
    const char *at = strstr(d->fmu->description, words);
    if (!at) fail_msg("no variable %s", name);
    attribute(at, "valueReference", value, sizeof value);
    const char *tag = d->fmu->version == 2 ? strchr(at, '<') : at;
    while (d->fmu->version == 3 && *tag != '<') tag--;
    *is_integer = strncmp(tag, "<Int", 4) == 0;
    return (uint32_t)strtoul(value, NULL, 10);
}

/** Arguments of setters and getters: references, number, values, in FMI 3.0 also the number of values. */
#define ACCESS(d, name, type, reference, values)                                                                       \
    ((d)->fmu->version == 2                                                                                            \
         ? CALL(d, name, int (*)(void *, const uint32_t *, size_t, type), , reference, 1, values)                      \
         : CALL(d, name, int (*)(void *, const uint32_t *, size_t, type, size_t), , reference, 1, values, 1))

int drive_set(drive *d, const char *name, double value)
{
    int is_integer;
    const uint32_t reference = reference_of(d, name, &is_integer);
    const int whole = (int)value;
    if (is_integer) return ACCESS(d, d->fmu->version == 2 ? "SetInteger" : "SetInt32", const int *, &reference, &whole);
    return ACCESS(d, d->fmu->version == 2 ? "SetReal" : "SetFloat64", const double *, &reference, &value);
}

int drive_set_text(drive *d, const char *name, const char *text)
{
    int is_integer;
    const uint32_t reference = reference_of(d, name, &is_integer);
    return ACCESS(d, "SetString", const char *const *, &reference, &text);
}

int drive_get(drive *d, const char *name, double *value)
{
    int is_integer;
    const uint32_t reference = reference_of(d, name, &is_integer);
    return ACCESS(d, d->fmu->version == 2 ? "GetReal" : "GetFloat64", double *, &reference, value);
}

double drive_value(drive *d, const char *name)
{
    double value = NAN;
    if (drive_get(d, name, &value) != DRIVE_OK) fail_msg("%s: %s", name, d->line);
    return value;
}

int drive_derivative(drive *d, const char *output, const char *input, double *value)
{
    int is_integer;
    const uint32_t unknown = reference_of(d, output, &is_integer), known = reference_of(d, input, &is_integer);
    const double seed = 1;
    if (d->fmu->version == 3)
        return CALL(d, "GetDirectionalDerivative",
                    int (*)(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t,
                            double *, size_t),
                    , &unknown, 1, &known, 1, &seed, 1, value, 1);
    return CALL(d, "GetDirectionalDerivative",
                int (*)(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, double *), ,
                &unknown, 1, &known, 1, &seed, value);
}

int drive_set_rate(drive *d, const char *name, double value)
{
    int is_integer;
    const int order = 1;
    const uint32_t reference = reference_of(d, name, &is_integer);
    return CALL(d, "SetRealInputDerivatives", int (*)(void *, const uint32_t *, size_t, const int *, const double *), ,
                &reference, 1, &order, &value);
}

int drive_step(drive *d, double t, double h)
{
    int ends = 0;
    d->t_reached = t + h;
    if (d->fmu->version == 3) {
        bool needs_event, is_end, is_early;
        const int status = CALL(d, "DoStep", int (*)(void *, double, double, bool, bool *, bool *, bool *, double *), ,
                                t, h, true, &needs_event, &is_end, &is_early, &d->t_reached);
        assert_false(needs_event || is_early);
        d->ends = is_end;
        return status;
    }
    const int status = CALL(d, "DoStep", int (*)(void *, double, double, int), , t, h, 1);
    if (status == DRIVE_DISCARD) {
        assert_int_equal(CALL(d, "GetBooleanStatus", int (*)(void *, int, int *), , TERMINATED, &ends), DRIVE_OK);
        assert_int_equal(
            CALL(d, "GetRealStatus", int (*)(void *, int, double *), , LAST_SUCCESSFUL_TIME, &d->t_reached), DRIVE_OK);
    }
    d->ends = ends;
    return status;
}

double drive_run(drive *d, double t, double h, int n)
{
    for (int k = 0; k < n; k++)
        if (drive_step(d, t + k * h, h) != DRIVE_OK) fail_msg("%s", d->line);
    return t + n * h;
}

int drive_terminate(drive *d)
{
    return CALL(d, "Terminate", OF_INSTANCE, );
}

int drive_reset(drive *d)
{
    return CALL(d, "Reset", OF_INSTANCE, );
}

/** The name of a function of states, which the versions write differently. */
static const char *of_state(const drive *d, const char *in_2, const char *in_3)
{
    return d->fmu->version == 2 ? in_2 : in_3;
}

int drive_save(drive *d, void **state)
{
    return CALL(d, of_state(d, "GetFMUstate", "GetFMUState"), int (*)(void *, void **), , state);
}

int drive_load(drive *d, void *state)
{
    return CALL(d, of_state(d, "SetFMUstate", "SetFMUState"), int (*)(void *, void *), , state);
}

int drive_free_state(drive *d, void **state)
{
    return CALL(d, of_state(d, "FreeFMUstate", "FreeFMUState"), int (*)(void *, void **), , state);
}

void drive_copy_state(drive *from, void *state, drive *to, void **copy)
{
    size_t size = 0;
    assert_int_equal(CALL(from, of_state(from, "SerializedFMUstateSize", "SerializedFMUStateSize"),
                          int (*)(void *, void *, size_t *), , state, &size),
                     DRIVE_OK);
    char *bytes = malloc(size);
    assert_int_equal(CALL(from, of_state(from, "SerializeFMUstate", "SerializeFMUState"),
                          int (*)(void *, void *, char *, size_t), , state, bytes, size),
                     DRIVE_OK);
    assert_int_equal(CALL(to, of_state(to, "DeSerializeFMUstate", "DeserializeFMUState"),
                          int (*)(void *, const char *, size_t, void **), , bytes, size, copy),
                     DRIVE_OK);
    free(bytes);
}
