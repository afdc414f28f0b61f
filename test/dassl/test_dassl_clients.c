/* test_dassl_clients.c - programs that know nothing of resida, as they are installed: Octave, R's deSolve, the peers of
 * `resida compare`, and one that uses all of DASPK, with libresida-dassl.so loaded before what they were linked with.
 * What they compute is what they compute without it, to their tolerances; their own tests pass; errors in functions of
 * the user come out as before. The log of the library shows that it was it. */
#include "test/fixtures/file_util.h"

enum { COMMAND = 2000, LOG = 600 };

/** What a client printed: lines "NAME TOLERANCE CALLS VALUES". */
typedef struct printed {
    test_file text;
    char log[LOG];
} printed;

/* Run `command` by a shell, with or without the library. */
static printed run(const char *command, int with_library)
{
    char line[COMMAND];
    printed p;
    const char *out = test_path(test_folder(), "out"), *log = test_path(test_folder(), "log");
    remove(log);
    snprintf(line, sizeof line, "%s%s RESIDA_DASSL_LOG='%s' %s >'%s' 2>'%s'", with_library ? "LD_PRELOAD=" : "",
             with_library ? test_environment("RESIDA_DASSL_LIBRARY") : "", log, command, out,
             test_path(test_folder(), "err"));
    if (system(line) != 0) fail_msg("%s: %s", line, test_file_read(test_path(test_folder(), "err")).bytes);
    p.text = test_file_read(out);
    p.log[0] = 0;
    FILE *file = fopen(log, "r");
    if (file) p.log[fread(p.log, 1, sizeof p.log - 1, file)] = 0;
    if (file) fclose(file);
    return p;
}

/* What the log says of a routine, by name, such as "residuals"; -1: nothing. */
static long logged(const char *log, const char *routine, const char *what)
{
    const char *line = strstr(log, routine);
    const char *at = line ? strstr(line, what) : NULL;
    return at ? strtol(at + strlen(what), NULL, 10) : -1;
}

/* Line against line, number against number. @return lines */
static int compare(char *theirs, char *ours)
{
    int lines = 0;
    for (;; lines++) {
        char name[2][80];
        double tolerance[2];
        long calls[2];
        int used[2];
        if (sscanf(theirs, " %79s %lg %ld%n", name[0], &tolerance[0], &calls[0], &used[0]) < 3) return lines;
        if (sscanf(ours, " %79s %lg %ld%n", name[1], &tolerance[1], &calls[1], &used[1]) < 3) fail_msg("%s", name[0]);
        assert_string_equal(name[0], name[1]);
        print_message("%-20s residual calls %6ld, %6ld by resida\n", name[0], calls[0], calls[1]);
        theirs += used[0], ours += used[1];
        int values = 0;
        while (*theirs != '\n') {
            const double a = strtod(theirs, &theirs), b = strtod(ours, &ours);
            if (!(fabs(a - b) <= tolerance[0] * (1 + fabs(a)))) fail_msg("%s: %.12g, by resida %.12g", name[0], a, b);
            values++;
            theirs += strspn(theirs, " "), ours += strspn(ours, " ");
        }
        assert_true(values >= 2);
        if (*ours != '\n') fail_msg("%s: more values", name[0]);
    }
}

/* log [LOG]: of the run with the library. */
static void expect_same(const char *command, int lines, char *log)
{
    printed theirs = run(command, 0), ours = run(command, 1);
    assert_string_equal(theirs.log, ""); /* without it, it is not there */
    assert_int_equal(compare(theirs.text.bytes, ours.text.bytes), lines);
    print_message("%s", ours.log);
    memcpy(log, ours.log, sizeof ours.log);
}

static void expect_used(const char *log, const char *routine)
{
    assert_true(logged(log, routine, "integrations") > 0);
    assert_true(logged(log, routine, "residuals") > 10);
}

static const char *script(const char *program, const char *name)
{
    static char command[COMMAND / 2];
    snprintf(command, sizeof command, "%s '%s/test/dassl/%s'", test_environment(program),
             test_environment("RESIDA_SOURCE"), name);
    return command;
}

CLAIM(octave_has_the_same_results_as_with_its_own_solver)
{
    char log[LOG];
    expect_same(script("RESIDA_OCTAVE", "clients.m"), 10, log);
    expect_used(log, "DDASSL");
    expect_used(log, "DDASPK");
    expect_used(log, "DDASRT");
}

CLAIM(desolve_has_the_same_results_as_with_its_own_solver)
{
    char log[LOG];
    expect_same(script("RESIDA_RSCRIPT", "clients.R"), 11, log);
    expect_used(log, "DDASPK");
}

/* DASPK behind the library has the calls with Krylov methods, each of them; the others are served here. */
CLAIM(krylov_methods_are_those_of_the_next_daspk)
{
    char log[LOG];
    expect_same(test_environment("RESIDA_KRYLOV"), 2, log);
    assert_int_equal(logged(log, "DDASPK", "integrations"), 1);
    assert_int_equal(logged(log, "DDASPK", "calls"), 3);
}

/** A row of `resida compare`. */
typedef struct row {
    char status[20];
    double steps, error;
} row;

static row find_row(const char *text, const char *solver)
{
    char start[40], line[COMMAND], *at;
    row r;
    snprintf(start, sizeof start, "\n  %s ", solver);
    const char *found = strstr(text, start);
    if (!found) fail_msg("no row %s in %s", solver, text);
    snprintf(line, sizeof line, "%s", found + 1);
    *strchr(line, '\n') = 0;
    assert_int_equal(sscanf(line, " %*s %*s %*s %19s %*s %lg", r.status, &r.steps), 2);
    at = strstr(line, "-/-/-/-/-");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "%*s %lg", &r.error), 1);
    return r;
}

CLAIM(peers_take_it_and_without_it_the_real_ones)
{
    char command[COMMAND / 2];
    snprintf(command, sizeof command, "'%s' compare pendulum --peers --t-end 0.5 --repeat 1 --formalism residual",
             test_environment("RESIDA_BIN"));
    printed theirs = run(command, 0), ours = run(command, 1);
    static const char *const solvers[] = {"dassl", "daspk"};
    for (int k = 0; k < 2; k++) {
        const row a = find_row(theirs.text.bytes, solvers[k]), b = find_row(ours.text.bytes, solvers[k]);
        assert_string_equal(a.status, "ok");
        assert_string_equal(b.status, "ok");
        assert_true(a.steps != b.steps && b.error < 1e-3);
    }
}
