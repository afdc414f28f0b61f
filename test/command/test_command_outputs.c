/* test_command_outputs.c - columns by name, outputs of models, files of events, of other tools, and pictures. */
#define _XOPEN_SOURCE 700 /* symlink() */
#include <signal.h>
#include <unistd.h>

#include "command_fixture.h"

#define GRAVITY 13.750371636040745 /* default of the pendulum */
#define G       9.81               /* of the ball */
#define E       0.8

enum { MOST = 16, SOME_ROWS = 10000 };

/* "VERB .../plugin_NAME.so REST" */
static const char *about(const char *verb, const char *name, const char *rest)
{
    static char line[900];
    snprintf(line, sizeof line, "%s %.400s/plugin_%s.so %s", verb, test_environment("RESIDA_TEST_MODULES"), name, rest);
    return line;
}

static void run_well(const char *line)
{
    command_run_well(line);
}

static void expect_header(const test_file *csv, const char *header)
{
    const size_t n = strlen(header);
    assert_true(csv->size > n);
    assert_memory_equal(csv->bytes, header, n);
    assert_int_equal(csv->bytes[n], '\n');
}

/* From rest at the height of the pivot: v^2 = -2 g y, so the rod pulls with m v^2/L - m g y/L = -3 m g y/L. */
COMMAND_CLAIM(outputs_of_the_pendulum_are_those_of_its_exact_solution)
{
    double x[MOST];
    run_well("solve pendulum --rtol 1e-9 --t-end 4 --quiet --out a.csv --columns p.y,out.*,lam.rod");
    test_file csv = test_file_read("a.csv");
    expect_header(&csv, "t,p.y,out.tension,out.energy,lam.rod");
    for (int k = 0; k <= 200; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, MOST), 5);
        assert_true(fabs(x[2] + 3 * GRAVITY * x[1]) <= 1e-4);
        assert_true(fabs(x[3]) <= 1e-5);
        assert_true(fabs(x[2] - 2 * x[4]) <= 1e-12);
    }
}

/* A car that turns to one side leans to the other: more load there, and wheels further up. The midspan of the strip is
 * a node. */
COMMAND_CLAIM(outputs_of_larger_models_are_what_they_say)
{
    double x[MOST];
    run_well("solve car --t-end 0.5 --points 1 --quiet --out a.csv --columns out.*,p.FL.z");
    test_file csv = test_file_read("a.csv");
    expect_header(&csv, "t,out.FL.travel,out.FR.travel,out.RL.travel,out.RR.travel,out.FL.load,out.FR.load,"
                        "out.RL.load,out.RR.load,out.kinetic,p.FL.z");
    assert_int_equal(command_csv_row(csv.bytes, 0, x, MOST), 11);
    const double before = x[10];
    assert_int_equal(command_csv_row(csv.bytes, 1, x, MOST), 11);
    assert_true(fabs(x[1] - (x[10] - before)) <= 1e-12);
    assert_true(x[5] > x[6] + 100 && x[7] > x[8] + 100 && x[1] > 1e-3 && x[2] < -1e-3);
    run_well("solve tip-crank --t-end 0.03 --points 1 --quiet --out b.csv --columns out.sideways,p.y13");
    csv = test_file_read("b.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, x, MOST), 3);
    assert_true(x[1] == x[2] && fabs(x[1]) > 1e-7);
}

/* t is always first; a column comes once, where it is named first; patterns go in the order of the model. */
COMMAND_CLAIM(columns_come_in_the_order_in_which_they_are_asked_for)
{
    double all[MOST], some[MOST];
    run_well("solve pendulum --points 5 --quiet --out all.csv");
    run_well("solve pendulum --points 5 --quiet --out some.csv --columns a.x,t,v.y,lam.*,x,p.?,v.x'");
    test_file a = test_file_read("all.csv"), s = test_file_read("some.csv");
    expect_header(&a, "t,x,y,x',y',x'',y'',lam.rod");
    expect_header(&s, "t,a.x,v.y,lam.rod,p.x,p.y,v.x");
    for (int k = 0; k <= 5; k++) {
        static const int from[] = {0, 5, 4, 7, 1, 2, 3};
        assert_int_equal(command_csv_row(a.bytes, k, all, MOST), 8);
        assert_int_equal(command_csv_row(s.bytes, k, some, MOST), 7);
        for (int i = 0; i < 7; i++) assert_true(some[i] == all[from[i]]);
    }
}

COMMAND_CLAIM(columns_of_a_general_dae_have_derivatives_and_outputs)
{
    double x[MOST];
    run_well(
        about("solve", "teller", "--points 4 --t-end 0.5 --quiet --out a.csv --columns y[0],yp*,*always,out.t?ice"));
    test_file csv = test_file_read("a.csv");
    expect_header(&csv, "t,y[0],yp[0],\"out.one\\, \"\"always\",out.twice");
    for (int k = 0; k <= 4; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, MOST), 5);
        assert_true(fabs(x[1] - exp(-x[0])) <= 1e-6 && fabs(x[2] + x[1]) <= 1e-6);
        assert_true(fabs(x[3] - 1) <= 1e-6 && fabs(x[4] - 2 * x[1]) <= 1e-6);
    }
}

COMMAND_CLAIM(what_makes_no_sense_is_refused_before_anything_is_done)
{
    static const command_refusal cases[] = {
        {"solve pendulum -o a.csv --columns p.z", 2, "--columns: no 'p.z'; did you mean 'p.x'?"},
        {"solve pendulum -o a.csv --columns p.x,nonsense", 2, "--columns: no 'nonsense'; there are p.x, p.y, v.x, "},
        {"solve pendulum -o a.csv --columns p.x,,p.y", 2, "--columns: no ''"},
        {"solve pendulum -o a.csv --columns p.x,p.y,p.x", 2, "--columns: 'p.x' is given twice"},
        {"solve pendulum -o a.csv --columns q.*", 2, "--columns: no 'q.*'"},
        {"solve pendulum --plot out.tensions", 2, "--plot: no 'out.tensions'; did you mean 'out.tension'?"},
        {"solve pendulum --columns p.x", 2, "--columns: needs --out FILE"},
        {"solve pendulum --event-states", 2, "--event-states: needs --events FILE"},
        {"solve pendulum -o a.svg", 2, "--out a.svg: select the columns of the picture by --plot NAME"},
        {"solve pendulum -o a.svg --plot p.x --columns p.x", 2, "--columns: cannot be used with --plot"},
        {"solve pendulum -o a.csv --events a.csv", 2, "--events a.csv: --out has the same file"},
        {"solve pendulum -o - --events -", 2, "--out and --events cannot both be standard output"},
    };
    command_expect_refusals(cases, sizeof cases / sizeof *cases);
}

COMMAND_CLAIM(outputs_are_listed_and_told_at_the_end)
{
    command_result r = command_run_well("models pendulum");
    command_expect_words(r.out.bytes, "outputs: tension [N], energy [J]\n");
    r = command_run_well("solve pendulum --t-end 0.5 --rtol 1e-9 --format json --quiet");
    json_t *row = command_row(&r);
    assert_true(fabs(command_number(row, "outputs.tension") - 3 * GRAVITY) <= 1e-4);
    assert_true(fabs(command_number(row, "outputs.energy")) <= 1e-6);
}

COMMAND_CLAIM(names_of_outputs_are_any_text)
{
    json_t *row = command_json(about("solve", "teller", "--t-end 0.5 --format json --quiet"), 0);
    const json_t *outputs = json_object_get(row, "outputs");
    assert_true(fabs(json_number_value(json_object_get(outputs, "one\\, \"always")) - 1) <= 1e-6);
}

/* > 0: not known, which is NaN; < 0: the run ends, with the rows so far. */
COMMAND_CLAIM(outputs_that_a_model_does_not_know_are_no_numbers)
{
    double x[MOST];
    run_well(about("solve", "teller", "-p verdict=1 --points 4 --quiet --out a.csv --columns out.twice"));
    test_file csv = test_file_read("a.csv");
    assert_int_equal(command_lines(csv.bytes), 6);
    for (int k = 0; k <= 4; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, MOST), 2);
        assert_int_equal(isnan(x[1]) != 0, k > 2);
    }
    command_result r = command_run(about("solve", "teller", "-p verdict=-1 --points 4 --out b.csv --format json"));
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "output() failed at t = 0.75");
    json_t *row = command_row(&r);
    assert_true(json_is_null(command_member(row, "outputs.twice")));
    assert_string_equal(command_word(row, "status"), "failed");
    csv = test_file_read("b.partial.csv");
    assert_true(command_lines(csv.bytes) >= 4);
}

/* Time k of the rebounds of a ball that falls from 1 m. */
static double rebound(int k)
{
    double t = sqrt(2 / G), flight = 2 * E * t;
    for (; k > 0; k--, flight *= E) t += flight;
    return t;
}

COMMAND_CLAIM(events_of_a_ball_are_rows_with_the_speeds_around_them)
{
    command_result r =
        command_run_well(about("solve", "ball", "-p end=2 --events e.csv --event-states --quiet --format json"));
    test_file csv = test_file_read("e.csv");
    expect_header(&csv, "t,kind,root,direction,restarted,ended,before y[0],before y[1],before yp[0],before yp[1],"
                        "after y[0],after y[1],after yp[0],after yp[1]");
    assert_int_equal(command_lines(csv.bytes), 3);
    const char *line = csv.bytes;
    for (int k = 0; k < 2; k++) {
        double t, v, u;
        int restarted, ended;
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "%lf,root,0,-1,%d,%d,%*f,%lf,%*f,%*f,%*f,%lf", &t, &restarted, &ended, &v, &u),
                         5);
        assert_true(fabs(t - rebound(k)) <= 1e-6);
        assert_true(fabs(v + pow(E, k) * sqrt(2 * G)) <= 1e-6 && fabs(u + E * v) <= 1e-6);
        assert_true(restarted == 1 && ended == k);
    }
    json_t *row = command_row(&r), *list = command_member(row, "event_list");
    assert_int_equal(json_array_size(list), 2);
    assert_true(fabs(command_number(json_array_get(list, 1), "t") - rebound(1)) <= 1e-6);
    assert_string_equal(command_word(json_array_get(list, 0), "kind"), "root");
}

/* A run without events has a file with a header alone. */
COMMAND_CLAIM(no_events_are_a_header)
{
    run_well("solve pendulum --t-end 1 --events e.csv --quiet");
    test_file csv = test_file_read("e.csv");
    assert_string_equal(csv.bytes, "t,kind,root,direction,restarted,ended\n");
    command_result r = command_run("solve pendulum --t-end 1 --events -");
    assert_string_equal(r.out.bytes, "t,kind,root,direction,restarted,ended\n");
    command_expect_words(r.err.bytes, "result       ");
}

/* Can this command write such files? Else it says so, which is all that there is to test. */
static int can_write(const char *path, const char *library)
{
    command_result r = command_run(claims_text("solve pendulum --t-end 1 --quiet --out %s", path));
    const int without = r.code == 2;
    if (without) command_expect_words(r.err.bytes, library);
    if (!without) assert_int_equal(r.code, 0);
    return !without;
}

/* What octave and Python say is compared with the CSV of the same run, bit for bit. */
COMMAND_CLAIM(octave_reads_what_is_in_a_mat_file)
{
    if (!can_write("b.mat", "built without matio")) return;
    test_needs("octave", "octave-cli --version");
    run_well("solve pendulum --quiet --out a.csv --columns p.*,out.*");
    run_well("solve pendulum --quiet --out a.mat --columns p.*,out.*");
    assert_int_equal(system("octave-cli --no-gui --norc --eval \"s = load('a.mat'); x = csvread('a.csv')(2:end, :);"
                            "assert(isequal([s.t s.values], x)); assert(size(x), [201 5]);"
                            "assert(isequal(s.columns, {'p.x', 'p.y', 'out.tension', 'out.energy'}));"
                            "assert(isequal(s.units, {'m', 'm', 'N', 'J'}));\" > said 2>&1"),
                     0);
}

COMMAND_CLAIM(h5py_reads_what_is_in_an_hdf5_file)
{
    if (!can_write("b.h5", "built without HDF5")) return;
    test_needs("h5py", "/usr/bin/python3 -c 'import h5py'");
    run_well("solve pendulum --quiet --out a.csv --columns p.*,out.*");
    run_well("solve pendulum --quiet --out a.h5 --columns p.*,out.*");
    assert_int_equal(system("/usr/bin/python3 -c \"import h5py, numpy; f = h5py.File('a.h5');"
                            "x = numpy.genfromtxt('a.csv', delimiter=',', skip_header=1);"
                            "assert (f['t'][:] == x[:, 0]).all() and (f['values'][:] == x[:, 1:]).all();"
                            "assert f['values'].shape == (201, 4);"
                            "assert list(f['columns'].asstr()) == ['p.x', 'p.y', 'out.tension', 'out.energy'];"
                            "assert list(f['units'].asstr()) == ['m', 'm', 'N', 'J']\" > said 2>&1"),
                     0);
}

COMMAND_CLAIM(files_of_other_forms_are_refused)
{
    command_expect_refusal("solve pendulum --t-end 1 --out a.fmu", 2, "--out a.fmu: unknown format");
    command_expect_refusal("solve pendulum --t-end 1 --out a.xlsx", 2, "--out a.xlsx: unknown format");
    run_well("solve pendulum --t-end 1 --quiet --out a.txt"); /* CSV */
}

COMMAND_CLAIM(a_full_disk_is_one_line)
{
    static const char *const names[] = {"a.csv", "a.mat", "a.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(symlink("/dev/full", names[i]), 0);
        const char *line = claims_text("solve pendulum --t-end 1 --quiet --%s %s", i == 0 ? "events" : "out", names[i]);
        command_result r = command_run(line);
        if (r.code != 2) command_expect_complaint(&r, line, 74);
        if (r.code != 2) command_expect_words(r.err.bytes, "No space left on device");
    }
}

/* The rows so far, in a file that can be read. */
COMMAND_CLAIM(a_signal_keeps_the_rows_of_a_data_file)
{
    if (!can_write("b.mat", "built without matio")) return;
    command c;
    command_start(&c, COMMAND_LONG_RUN "--out a.mat --columns p.x --events e.csv");
    command_let_work(&c, 0.2);
    assert_int_equal(kill(c.pid, SIGINT), 0);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 130);
    command_expect_words(r.err.bytes, " a.partial.mat\n");
    assert_int_equal(access("a.mat", F_OK), -1);
    assert_int_equal(access("e.partial.csv", F_OK), 0);
    test_needs("octave", "octave-cli --version");
    assert_int_equal(system("octave-cli --no-gui --norc --eval \"s = load('a.partial.mat');"
                            "assert(max(abs(s.t' - 0.01 * (0:numel(s.t) - 1))) < 1e-6);"
                            "assert(size(s.values), size(s.t));\" > said 2>&1"),
                     0);
}

/* The crank's angles and the slider's position, their rates, and forces; derivatives by a mass. */
COMMAND_CLAIM(a_picture_has_a_panel_for_each_unit)
{
    command_needs_gnuplot();
    run_well("solve slider-crank --t-end 1 --quiet --plot p.*,v.*,a.q,lam.* --out u.svg");
    test_file svg = test_file_read("u.svg");
    static const char *const labels[] = {">p [rad]<", ">p [m]<",       ">v [rad/s]<",
                                         ">v [m/s]<", ">a [rad/s^2]<", ">lam [N]<"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) assert_int_equal(test_count(svg.bytes, labels[i]), 1);
    run_well("solve pendulum --t-end 1 --quiet --sensitivity m --plot d(lam.rod)/d(m),d(x)/d(m) --out d.svg");
    svg = test_file_read("d.svg");
    command_expect_words(svg.bytes, ">d(lam)/d(m) [(N/m)/kg]<");
    command_expect_words(svg.bytes, ">d(p)/d(m) [m/kg]<");
}

/* Both balls of the governor have one height. The second line is dashed, so that the first is seen. */
COMMAND_CLAIM(lines_that_coincide_are_told_apart)
{
    command_needs_gnuplot();
    run_well("solve flyball --t-end 1 --quiet --plot p.z3,p.z4,p.x3 --out s.svg");
    test_file svg = test_file_read("s.svg");
    assert_int_equal(test_count(svg.bytes, "stroke='rgb(  0, 114, 178)' stroke-dasharray="), 0);
    assert_int_equal(test_count(svg.bytes, "stroke='rgb(213,  94,   0)' stroke-dasharray="), 1);
    assert_int_equal(test_count(svg.bytes, "stroke='rgb(  0, 158, 115)' stroke-dasharray="), 0);
}

COMMAND_CLAIM(a_picture_has_the_lines_that_were_asked_for)
{
    command_needs_gnuplot();
    run_well("solve pendulum --t-end 4 --quiet --plot p.*,out.energy");
    test_file svg = test_file_read("pendulum.svg");
    static const char *const words[] = {">p.x<", ">p.y<", ">out.energy<", ">out [J]<", ">p [m]<", ">t [s]<"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_expect_words(svg.bytes, words[i]);
    assert_null(strstr(svg.bytes, ">out.tension<"));
    run_well("solve pendulum --t-end 4 --quiet --plot v.x --out b.csv");
    run_well("solve pendulum --t-end 4 --quiet --columns v.x --out c.png");
    svg = test_file_read("b.svg");
    command_expect_words(svg.bytes, ">v.x<");
    command_expect_words(svg.bytes, ">v [m/s]<");
    test_file png = test_file_read("c.png");
    assert_memory_equal(png.bytes, "\x89PNG", 4);
}

/* Up to where it failed, beside where it would have been. */
COMMAND_CLAIM(a_failed_run_leaves_its_picture_beside)
{
    command_needs_gnuplot();
    command_result r = command_run("solve pendulum --max-steps 50 --quiet --plot p.x --out a.svg");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, " a.partial.svg\n");
    assert_int_equal(command_files(), 1);
}

/* How often the words are there. */
static int count_of(const char *text, const char *words)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, words)); at++) n++;
    return n;
}

/* 8 linear elements for a turn: 45 degrees each leave cos(22.5 degrees) = 0.92 of a director in the middle. */
COMMAND_CLAIM(elements_that_are_too_coarse_are_named_once)
{
    static const char *const lines[] = {"solve beam-cantilever -p turns=1 -p elements=8 -p order=1",
                                        "solve beam-cantilever -p turns=1 -p elements=8", "solve beam-cantilever"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_result r = command_run_well(lines[i]);
        assert_int_equal(count_of(r.out.bytes, "too coarse"), i == 0);
        const char *at = strstr(r.out.bytes, "warning      element ");
        if (i == 0 && (!at || !strstr(at, "|d| = 0.9") || !strstr(at, "use more elements")))
            fail_msg("%s", r.out.bytes);
    }
}
