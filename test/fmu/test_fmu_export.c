/* test_fmu_export.c - models exported as FMUs of FMI 2.0 and 3.0, run by the adapter and by an importer of the test
 * (fmu_drive.h). The cart of plugin_cart.c has closed forms. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fmu_drive.h"
#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { LINE = 1024, MAX_COLUMNS = 256 };

static const char *const versions[] = {"2.0", "3.0"};
static const double eps = 1e-7; /* of the cart: 100 tolerances */

static const char *cart(void)
{
    return test_path(test_environment("RESIDA_TEST_FMUS"), "plugin_cart.so");
}

static void export_model(const char *model, const char *file, const char *version, const char *options)
{
    command_result r = command_run_well(claims_text("export %s --fmu %s --fmi %s %s", model, file, version, options));
    assert_int_equal(command_lines(r.out.bytes), 1);
}

/** Export the cart with options, and load it. */
static void open_cart(drive_fmu *fmu, const char *version, const char *options)
{
    export_model(cart(), "cart.fmu", version, options);
    drive_open(fmu, "cart.fmu");
}

/** All rows of a trajectory. @return their number */
static int solve_rows(const char *line, double *x, int n, int rows)
{
    int k = 0;
    command_run_well(line);
    test_file csv = test_file_read("a.csv");
    while (k < rows && command_csv_row(csv.bytes, k, x + k * n, n) == n) k++;
    return k;
}

/* The FMU has the solver of `solve`, and no step ends at a communication point. Both errors are those of the tolerance,
 * which the pendulum in 15 periods and the vibrations of the rod have enlarged to 1e-4 of the motion. */
COMMAND_CLAIM(an_exported_model_has_the_trajectory_of_solve)
{
    static const struct {
        const char *model;
        int n; /* t, p, v */
    } all[] = {{"pendulum", 5}, {"car", 81}, {"slider-crank-flexible", 15}};
    enum { ROWS = 11 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        static double x[ROWS * MAX_COLUMNS], y[2][ROWS * MAX_COLUMNS];
        const int n = all[i].n;
        const char *line = claims_text("solve %s --points 10 --columns p.*,v.* --out a.csv", all[i].model);
        assert_int_equal(solve_rows(line, x, n, ROWS), ROWS);
        for (int v = 0; v < 2; v++) {
            export_model(all[i].model, "a.fmu", versions[v], "--points 10");
            assert_int_equal(solve_rows("solve a.fmu --points 10 --columns out.p.*,out.v.* --out a.csv", y[v], n, ROWS),
                             ROWS);
        }
        for (int j = 0; j < n; j++) {
            double largest = 0;
            for (int k = 0; k < ROWS; k++) largest = fmax(largest, fabs(x[k * n + j]));
            for (int k = 0; k < ROWS; k++) bench_near(y[0][k * n + j], x[k * n + j], 1e-3 * largest + 1e-6);
        }
        assert_memory_equal(y[0], y[1], (size_t)(ROWS * n) * sizeof **y);
    }
}

/* x = speed t + push t^2 / (2 mass). The options of the export are defaults of the FMU. */
COMMAND_CLAIM(parameters_of_a_plugin_can_be_set_in_its_fmu)
{
    double x[2];
    for (int v = 0; v < 2; v++) {
        export_model(cart(), "cart.fmu", versions[v], "-p mass=4 -p push=8 --t-end 3");
        fmu_run_row("solve cart.fmu -p speed=1 --columns out.p.x --points 3 --out a.csv", 3, x, 2);
        bench_near(x[0], 3, 0);
        bench_near(x[1], 3 + 9, eps);
    }
}

/* An input is added to the excitation: m = 2, push = 2 from the start, 4 more from t = 1 on. */
COMMAND_CLAIM(an_input_changes_between_steps)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        open_cart(&fmu, versions[v], "-p push=2");
        drive_start(&d, &fmu, 0, INFINITY);
        double t = drive_run(&d, 0, 0.25, 4);
        bench_near(drive_value(&d, "p.x"), 0.5, eps);
        assert_int_equal(drive_set(&d, "u.force", 4), DRIVE_OK);
        t = drive_run(&d, t, 0.25, 4);
        bench_near(drive_value(&d, "p.x"), 0.5 + 1 + 1.5, eps);
        bench_near(drive_value(&d, "v.x"), 1 + 3, eps);
        bench_near(drive_value(&d, "out.power"), 6 * 4, 10 * eps);
        bench_near(drive_value(&d, "a.x"), 3, eps);
        bench_near(drive_value(&d, "time"), t, 0);
        assert_int_equal(d.n_lines, 0);
    }
}

/* F = 6 (t - 1): x = (t - 1)^3 / 2. A value alone is held: then v = 4 / 2 (t - 2). */
COMMAND_CLAIM(derivatives_of_inputs_interpolate)
{
    drive_fmu fmu;
    drive d;
    open_cart(&fmu, "2.0", "");
    drive_start(&d, &fmu, 0, 3);
    drive_run(&d, 0, 1, 1);
    assert_int_equal(drive_set(&d, "u.force", 0), DRIVE_OK);
    assert_int_equal(drive_set_rate(&d, "u.force", 6), DRIVE_OK);
    drive_run(&d, 1, 0.5, 2);
    bench_near(drive_value(&d, "p.x"), 0.5, eps);
    bench_near(drive_value(&d, "v.x"), 1.5, eps);
    assert_int_equal(drive_set(&d, "u.force", 4), DRIVE_OK);
    drive_run(&d, 2, 1, 1);
    bench_near(drive_value(&d, "v.x"), 1.5 + 2, eps);
}

/** A file of the force sin(t) from 0 to 4 s. */
static void write_sine(const char *path)
{
    enum { ROWS = 401, ROOM = 32768 };
    static char text[ROOM];
    int n = snprintf(text, ROOM, "time,u.force\n");
    for (int k = 0; k < ROWS; k++) n += snprintf(text + n, (size_t)(ROOM - n), "%.2f,%.17g\n", 0.01 * k, sin(0.01 * k));
    assert_true(n < ROOM);
    test_file_write(path, text, (size_t)n);
}

/* 2 x'' = sin(t): x = (t - sin t) / 2. FMI 3.0 has no derivatives of inputs: an input is held over a step. */
COMMAND_CLAIM(slopes_of_inputs_make_communication_steps_accurate_to_second_order)
{
    write_sine("sine.csv");
    for (int v = 0; v < 2; v++) {
        double error[2], x[2];
        export_model(cart(), "cart.fmu", versions[v], "--rtol 1e-9");
        for (int k = 0; k < 2; k++) {
            const char *line =
                claims_text("solve cart.fmu --inputs sine.csv --communication-step %g --points 1 --t-end 4"
                            " --columns out.p.x --out a.csv",
                            k == 0 ? 0.2 : 0.1);
            fmu_run_row(line, 1, x, 2);
            error[k] = fabs(x[1] - (4 - sin(4)) / 2);
        }
        bench_near(error[0] / error[1], v == 0 ? 4 : 2, 0.2);
        assert_true(v == 0 ? error[0] < 0.01 : error[1] > 0.04);
    }
}

/* 2 x'' = sin(t) with a kink at each of 400 points, where the history of the steps is kept: a restart takes 34
 * calls. */
COMMAND_CLAIM(kinks_of_an_input_at_each_point_need_no_restarts)
{
    double x[3];
    write_sine("sine.csv");
    export_model(cart(), "cart.fmu", "2.0", "--rtol 1e-6 --atol 1e-6");
    fmu_run_row("solve cart.fmu --inputs sine.csv --communication-step 0.01 --points 1 --t-end 4 "
                "--columns out.p.x,out.out.calls --out a.csv",
                1, x, 3);
    bench_near(x[1], (4 - sin(4)) / 2, 1e-4);
    assert_true(x[2] < 5 * 400);
}

/* The force is t until 1 s, then 2 until 3 s; p and v in closed form. With --hold it is that of the last row. An input
 * of a system without a connection has its slope, too. */
COMMAND_CLAIM(slopes_of_inputs_end_at_jumps)
{
    static const char rows[] = "time,u.force\n0,0\n1,1\n1,2\n3,2\n";
    static const char of_system[] = "time,a.u.force\n0,0\n1,1\n1,2\n3,2\n";
    static const char system[] = "<ssd:Elements><ssd:Component name='a' source='resources/cart.fmu'/></ssd:Elements>";
    const char *const names[] = {"cart"};
    double x[3];
    test_file_write("in.csv", rows, sizeof rows - 1);
    export_model(cart(), "cart.fmu", "2.0", "--rtol 1e-9");
    fmu_run_row("solve cart.fmu --inputs in.csv --communication-step 0.5 --points 1 --t-end 3 "
                "--columns out.p.x,out.v.x --out a.csv",
                1, x, 3);
    bench_near(x[2], 0.25 + 2, eps);
    bench_near(x[1], 1. / 12 + 0.25 * 2 + 2, eps);
    fmu_run_row("solve cart.fmu --inputs in.csv --hold --communication-step 0.5 --points 1 --t-end 3 "
                "--columns out.p.x,out.v.x --out a.csv",
                1, x, 3);
    bench_near(x[2], 2, eps);
    fmu_write_system("sys.ssp", system, "<ssd:DefaultExperiment stopTime='3'/>", names, 1);
    test_file_write("in.csv", of_system, sizeof of_system - 1);
    fmu_run_row("solve sys.ssp --inputs in.csv --communication-step 0.5 --points 1 --columns out.a.v.x --out a.csv", 1,
                x, 2);
    bench_near(x[1], 0.25 + 2, eps);
}

/* Speed 3 between walls at +-1: after 2 s it has passed 6 m, and rebounded at 1, 3 and 5 m. */
COMMAND_CLAIM(events_happen_within_a_step)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        open_cart(&fmu, versions[v], "-p wall=1 -p speed=3");
        drive_start(&d, &fmu, 0, INFINITY);
        drive_run(&d, 0, 1, 2);
        bench_near(drive_value(&d, "p.x"), 0, 10 * eps);
        bench_near(drive_value(&d, "v.x"), -3, 10 * eps);
        bench_near(drive_value(&d, "out.rebounds"), 3, 0);
    }
}

/* The energy of the pendulum is constant; a tolerance smaller by 1e5 changes its error by 1e4 at least. */
COMMAND_CLAIM(the_experiment_sets_tolerance_and_start)
{
    for (int v = 0; v < 2; v++) {
        static const double tolerances[] = {1e-4, 1e-9};
        drive_fmu fmu;
        drive d;
        double energy[2];
        export_model("pendulum", "a.fmu", versions[v], "");
        drive_open(&fmu, "a.fmu");
        for (int k = 0; k < 2; k++) {
            drive_make(&d, &fmu, NULL);
            assert_int_equal(drive_enter(&d, tolerances[k], 5, 9), DRIVE_OK);
            assert_int_equal(drive_exit(&d), DRIVE_OK);
            drive_run(&d, 5, 1, 4);
            bench_near(drive_value(&d, "time"), 9, 0);
            energy[k] = fabs(drive_value(&d, "out.energy"));
        }
        if (!(energy[1] < 1e-4 * energy[0])) fail_msg("%g, %g", energy[0], energy[1]);
    }
}

COMMAND_CLAIM(a_state_can_be_restored_and_copied)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d, other;
        void *state = NULL, *copy = NULL;
        double x[2];
        open_cart(&fmu, versions[v], "-p wall=1 -p speed=3");
        drive_start(&d, &fmu, 1e-8, 10);
        drive_set(&d, "u.force", 1);
        drive_run(&d, 0, 0.5, 1);
        assert_int_equal(drive_save(&d, &state), DRIVE_OK);
        const double before = drive_value(&d, "p.x");
        drive_set(&d, "u.force", -1);
        drive_run(&d, 0.5, 0.5, 2);
        x[0] = drive_value(&d, "p.x"), x[1] = drive_value(&d, "out.rebounds");
        assert_int_equal(drive_load(&d, state), DRIVE_OK);
        bench_near(drive_value(&d, "p.x"), before, 0);
        bench_near(drive_value(&d, "u.force"), 1, 0);
        drive_set(&d, "u.force", -1);
        drive_run(&d, 0.5, 0.5, 2);
        bench_near(drive_value(&d, "p.x"), x[0], 100 * eps);
        bench_near(drive_value(&d, "out.rebounds"), x[1], 0);
        drive_make(&other, &fmu, NULL);
        drive_copy_state(&d, state, &other, &copy);
        assert_int_equal(drive_load(&other, copy), DRIVE_OK);
        drive_set(&other, "u.force", -1);
        drive_run(&other, 0.5, 0.5, 2);
        bench_near(drive_value(&other, "p.x"), drive_value(&d, "p.x"), 0);
        assert_int_equal(drive_free_state(&d, &state), DRIVE_OK);
        assert_int_equal(drive_free_state(&other, &copy), DRIVE_OK);
    }
}

/* Steps of two instances in turn; one of them again after a reset. */
COMMAND_CLAIM(instances_are_independent_and_a_reset_repeats_the_run)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d[2];
        double x[2];
        export_model("pendulum", "a.fmu", versions[v], "");
        drive_open(&fmu, "a.fmu");
        drive_start(&d[0], &fmu, 0, 2);
        drive_start(&d[1], &fmu, 0, 2);
        for (int k = 0; k < 20; k++)
            for (int i = 0; i < 2; i++) drive_run(&d[i], 0.1 * k, 0.1, 1);
        for (int i = 0; i < 2; i++) x[i] = drive_value(&d[i], "p.y");
        bench_near(x[0], x[1], 0);
        assert_int_equal(drive_terminate(&d[0]), DRIVE_OK);
        assert_int_equal(drive_reset(&d[0]), DRIVE_OK);
        assert_int_equal(drive_set(&d[0], "L", 2), DRIVE_OK);
        assert_int_equal(drive_reset(&d[0]), DRIVE_OK);
        assert_int_equal(drive_enter(&d[0], 0, 0, 2), DRIVE_OK);
        bench_near(drive_value(&d[0], "p.x"), 1, 1e-12);
        assert_int_equal(drive_exit(&d[0]), DRIVE_OK);
        for (int k = 0; k < 20; k++) drive_run(&d[0], 0.1 * k, 0.1, 1);
        bench_near(drive_value(&d[0], "p.y"), x[0], 0);
    }
}

/* Forces above 1,000 are refused by the model: at the beginning of a step, or within it, at t = 1.5. */
COMMAND_CLAIM(a_failed_step_is_one_line_and_can_be_repeated)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        open_cart(&fmu, versions[v], "");
        drive_start(&d, &fmu, 0, INFINITY);
        drive_run(&d, 0, 0.5, 2);
        drive_set(&d, "u.force", 2000);
        assert_int_equal(drive_step(&d, 1, 1), DRIVE_ERROR);
        assert_int_equal(d.n_lines, 1);
        bench_near(drive_value(&d, "time"), 1, 0);
        drive_set(&d, "u.force", 4);
        assert_int_equal(drive_step(&d, 1, 1), DRIVE_OK);
        bench_near(drive_value(&d, "p.x"), 1, eps);
    }
}

COMMAND_CLAIM(a_step_that_failed_within_is_repeated_from_a_saved_state)
{
    drive_fmu fmu;
    drive d;
    void *state = NULL;
    open_cart(&fmu, "2.0", "");
    drive_start(&d, &fmu, 0, INFINITY);
    drive_run(&d, 0, 0.5, 2);
    assert_int_equal(drive_save(&d, &state), DRIVE_OK);
    drive_set(&d, "u.force", 750);
    drive_set_rate(&d, "u.force", 500);
    assert_int_equal(drive_step(&d, 1, 1), DRIVE_ERROR);
    drive_set(&d, "u.force", 4);
    assert_int_equal(drive_step(&d, 1, 1), DRIVE_ERROR);
    command_expect_words(d.line, "saved state");
    assert_int_equal(drive_load(&d, state), DRIVE_OK);
    drive_set(&d, "u.force", 4);
    assert_int_equal(drive_step(&d, 1, 1), DRIVE_OK);
    bench_near(drive_value(&d, "p.x"), 1, eps);
    drive_free_state(&d, &state);
}

COMMAND_CLAIM(the_model_ends_the_run_within_a_step)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        open_cart(&fmu, versions[v], "-p over=1.25 -p speed=1");
        drive_start(&d, &fmu, 0, INFINITY);
        drive_run(&d, 0, 0.5, 2);
        assert_int_equal(drive_step(&d, 1, 0.5), v == 0 ? DRIVE_DISCARD : DRIVE_OK);
        assert_int_equal(d.ends, 1);
        bench_near(d.t_reached, 1.25, 1e-12);
        bench_near(drive_value(&d, "p.x"), 1.25, eps);
        assert_int_equal(drive_step(&d, 1.25, 0.5), DRIVE_ERROR);
        assert_int_equal(drive_terminate(&d), DRIVE_OK);
    }
}

static void expect_line(drive *d, int status, const char *words)
{
    assert_int_equal(status, DRIVE_ERROR);
    assert_int_equal(d->n_lines, 1);
    command_expect_words(d->line, words);
    d->n_lines = 0;
}

COMMAND_CLAIM(each_wrong_call_is_refused_with_one_line)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        double x;
        open_cart(&fmu, versions[v], "");
        drive_make(&d, &fmu, "{another}");
        assert_null(d.instance);
        expect_line(&d, DRIVE_ERROR, "token");
        drive_make(&d, &fmu, NULL);
        expect_line(&d, drive_step(&d, 0, 1), "before the initialization");
        expect_line(&d, drive_get(&d, "p.x", &x), "before the initialization");
        expect_line(&d, drive_exit(&d), "ExitInitializationMode");
        expect_line(&d, drive_enter(&d, 0, 1, 1), "the run cannot begin at t = 1 and end at 1");
        assert_int_equal(drive_enter(&d, 0, 0, 2), DRIVE_OK);
        drive_set(&d, "mass", -1);
        expect_line(&d, drive_exit(&d), "mass = -1");
        drive_set(&d, "mass", 1);
        drive_set(&d, "bodies", 2);
        expect_line(&d, drive_exit(&d), "number of variables");
        drive_set(&d, "bodies", 1);
        assert_int_equal(drive_set_text(&d, "file", "nowhere.txt"), DRIVE_OK);
        expect_line(&d, drive_exit(&d), "nowhere.txt");
        assert_int_equal(drive_set_text(&d, "file", ""), DRIVE_OK);
        assert_int_equal(drive_exit(&d), DRIVE_OK);
        expect_line(&d, drive_set(&d, "mass", 2), "fixed");
        expect_line(&d, drive_set(&d, "p.x", 2), "output");
        expect_line(&d, drive_set(&d, "u.force", NAN), "nan");
        expect_line(&d, drive_step(&d, 1, 0.5), "the current time is 0");
        expect_line(&d, drive_step(&d, 0, 2.5), "after the stop time 2");
        drive_run(&d, 0, 1, 2);
    }
}

/* The force of the file, 6, is also that of the FMU in another folder: x = 6 t^2 / (2 mass). */
COMMAND_CLAIM(files_of_text_parameters_are_packed)
{
    double x[2];
    for (int v = 0; v < 2; v++) {
        test_file_write("force.txt", "6\n", 2);
        export_model(cart(), "cart.fmu", versions[v], "-p file=force.txt");
        assert_int_equal(unlink("force.txt"), 0);
        fmu_run_row("solve cart.fmu --columns out.p.x --points 1 --out a.csv", 1, x, 2);
        bench_near(x[1], 6, eps);
    }
}

COMMAND_CLAIM(the_binary_needs_libc_and_libm_only)
{
    drive_fmu fmu;
    test_needs("readelf", "readelf --version");
    export_model("pendulum", "a.fmu", "2.0", "");
    drive_open(&fmu, "a.fmu");
    const char *name = claims_text("%s/binaries/linux64/pendulum.so", fmu.folder);
    const char *const words[] = {"readelf", "-d", name, NULL};
    assert_int_equal(test_run_into(words, "needed.txt"), 0);
    test_file needed = test_file_read("needed.txt");
    assert_int_equal(test_count(needed.bytes, "(NEEDED)"), test_count(needed.bytes, "[libc.so") +
                                                               test_count(needed.bytes, "[libm.so") +
                                                               test_count(needed.bytes, "[ld-linux"));
    assert_int_equal(test_count(needed.bytes, "PATH)"), 0);
}

/* In FMI 2.0 the structure has numbers of variables, from 1; outputs come last. Units are defined. */
COMMAND_CLAIM(the_description_lists_outputs_and_units)
{
    drive_fmu fmu;
    open_cart(&fmu, "2.0", "--columns p.x,out.power,out.rebounds");
    assert_int_equal(test_count(fmu.description, "causality=\"output\""), 3);
    assert_int_equal(test_count(fmu.description, "<ScalarVariable "), 1 + 7 + 1 + 3);
    for (int index = 10; index <= 12; index++)
        assert_int_equal(test_count(fmu.description, claims_text("<Unknown index=\"%d\"", index)), 2);
    command_expect_words(fmu.description, "<Unknown index=\"10\" dependencies=\"\"/>");
    command_expect_words(fmu.description, "distance of the walls &quot;&lt;&amp;&gt;&quot;");
    command_expect_words(fmu.description, "<Integer min=\"1\" max=\"2\" start=\"1\"/>");
    static const char *const units[] = {"kg", "m/s", "N", "m", "s", "W", "mN"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char unit[40];
        snprintf(unit, sizeof unit, "<Unit name=\"%s\"", units[i]);
        assert_int_equal(test_count(fmu.description, unit), 1);
    }
    assert_int_equal(test_count(fmu.description, "unit=\"-\""), 0);
    assert_int_equal(test_count(fmu.description, "unit=\"mN\""), 1);
}

COMMAND_CLAIM(the_same_export_gives_the_same_bytes)
{
    export_model("pendulum", "a.fmu", "2.0", "");
    export_model("pendulum", "b.fmu", "2.0", "");
    test_file a = test_file_read("a.fmu"), b = test_file_read("b.fmu");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
}

COMMAND_CLAIM(wrong_exports_are_refused_with_one_line)
{
    command_expect_refusal("export", 2, "give a model");
    command_expect_refusal("export pendulum", 2, "--fmu NAME.fmu");
    command_expect_refusal("export pendulum chain --fmu a.fmu", 2, "give only one model");
    command_expect_refusal("export pendulum --fmu a.zip", 2, "must end with .fmu");
    command_expect_refusal("export pendulums --fmu a.fmu", 2, "did you mean 'pendulum'");
    command_expect_refusal("export ./nothing.so --fmu a.fmu", 2, "nothing.so");
    command_expect_refusal("export pendulum --fmu a.fmu --fmi 1.0", 2, "2.0|3.0");
    command_expect_refusal("export pendulum --fmu a.fmu -p mass=2", 2, "has no parameter 'mass'");
    command_expect_refusal("export pendulum --fmu a.fmu -p m=-2", 2, "m = -2");
    command_expect_refusal("export pendulum --fmu a.fmu --columns p.z", 2, "p.z");
    command_expect_refusal("export pendulum --fmu a.fmu --atol x=1", 2, "--atol x=X");
    command_expect_refusal("export pendulum --fmu a.fmu --rtol 0", 2, "--rtol 0");
    command_expect_refusal("export pendulum --fmu nowhere/a.fmu", 74, "nowhere/a.fmu");
    assert_int_equal(symlink("/dev/full", "full.fmu"), 0);
    command_expect_refusal("export pendulum --fmu full.fmu", 74, "No space left on device");
    command_expect_refusal("export bricard --fmu a.fmu", 1, "redundant");
    assert_int_equal(access("a.fmu", F_OK), -1);
    export_model("pendulum", "a.fmu", "2.0", "");
    command_expect_refusal("export ./a.fmu --fmu b.fmu", 2, "a file of another tool");
    assert_int_equal(access("b.fmu", F_OK), -1);
}
