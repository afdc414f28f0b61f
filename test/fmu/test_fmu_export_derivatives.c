/* test_fmu_export_derivatives.c - directional derivatives of outputs of exported FMUs by their inputs: the closed form
 * of the cart, and differences of starts with other inputs. The importer is that of the test (fmu_drive.h). */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fmu_drive.h"
#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { MAX_VARIABLES = 600, NAME = 80 };

static const char *const versions[] = {"2.0", "3.0"};

static const char *cart(void)
{
    return test_path(test_environment("RESIDA_TEST_FMUS"), "plugin_cart.so");
}

static void open_model(drive_fmu *fmu, const char *model, const char *version, const char *options)
{
    command_run_well(claims_text("export %s --fmu a.fmu --fmi %s %s", model, version, options));
    drive_open(fmu, "a.fmu");
}

/** Names of the variables with this causality. @return their number */
static int list_names(const drive_fmu *fmu, const char *causality, char names[][NAME])
{
    int n = 0;
    const char *at = strstr(fmu->description, "<ModelVariables>");
    while (at && (at = strstr(at, " name=\""))) {
        const char *is = strstr(at, "causality=\"") + strlen("causality=\"");
        assert_int_equal(sscanf(at, " name=\"%79[^\"]", names[n]), 1);
        if (strncmp(is, causality, strlen(causality)) == 0) n++;
        assert_true(n < MAX_VARIABLES);
        at = is;
    }
    return n;
}

static double derivative(drive *d, const char *output, const char *input)
{
    double value = NAN;
    if (drive_derivative(d, output, input, &value) != DRIVE_OK) fail_msg("%s by %s: %s", output, input, d->line);
    return value;
}

/* a = (push + u) / mass, power = (push + u) v; p and v are states. */
static void expect_cart(drive *d, double mass)
{
    const double speed = drive_value(d, "v.x");
    bench_near(derivative(d, "p.x", "u.force"), 0, 0);
    bench_near(derivative(d, "v.x", "u.force"), 0, 0);
    bench_near(derivative(d, "a.x", "u.force"), 1 / mass, 1e-9);
    bench_near(derivative(d, "out.power", "u.force"), speed, 1e-8);
    bench_near(derivative(d, "out.rebounds", "u.force"), 0, 0);
}

COMMAND_CLAIM(derivatives_of_a_cart_are_those_of_its_equations)
{
    for (int v = 0; v < 2; v++) {
        drive_fmu fmu;
        drive d;
        open_model(&fmu, cart(), versions[v], "-p mass=4 -p push=3");
        assert_non_null(strstr(fmu.description, v == 0 ? " providesDirectionalDerivative=\"true\""
                                                       : " providesDirectionalDerivatives=\"true\""));
        drive_make(&d, &fmu, NULL);
        assert_int_equal(drive_enter(&d, 0, 0, 3), DRIVE_OK);
        assert_int_equal(drive_set(&d, "speed", 2), DRIVE_OK);
        expect_cart(&d, 4);
        assert_int_equal(drive_set(&d, "mass", 5), DRIVE_OK);
        expect_cart(&d, 5);
        assert_int_equal(drive_exit(&d), DRIVE_OK);
        for (int k = 0; k < 3; k++) {
            expect_cart(&d, 5);
            drive_set(&d, "u.force", k);
            drive_run(&d, k, 1, 1);
        }
        expect_cart(&d, 5);
        assert_int_equal(d.n_lines, 0);
    }
}

/* Outputs of starts with u +- step, which solve for accelerations and multipliers of the inputs. */
static void compare_with_starts(const char *model, const char *options, double step)
{
    static char outputs[MAX_VARIABLES][NAME], inputs[MAX_VARIABLES][NAME];
    static double d_out[MAX_VARIABLES], side[2][MAX_VARIABLES];
    drive_fmu fmu;
    drive d;
    open_model(&fmu, model, "2.0", options);
    drive_make(&d, &fmu, NULL);
    assert_int_equal(drive_enter(&d, 0, 0, 1), DRIVE_OK);
    const int n = list_names(&fmu, "output", outputs), n_u = list_names(&fmu, "input", inputs);
    assert_true(n > 10 && n_u > 0);
    for (int j = 0; j < n_u; j++) {
        double largest[UCHAR_MAX + 1] = {0}; /* of p, v, a, lam and out, by their first letters */
        for (int i = 0; i < n; i++) d_out[i] = derivative(&d, outputs[i], inputs[j]);
        for (int s = 0; s < 2; s++) {
            drive_set(&d, inputs[j], s == 0 ? -step : step);
            for (int i = 0; i < n; i++) side[s][i] = drive_value(&d, outputs[i]);
        }
        drive_set(&d, inputs[j], 0);
        for (int i = 0; i < n; i++) {
            double *most = &largest[(unsigned char)outputs[i][0]];
            *most = fmax(*most, fabs(d_out[i]));
        }
        for (int i = 0; i < n; i++) {
            const double difference = (side[1][i] - side[0][i]) / (2 * step);
            if (fabs(d_out[i] - difference) > 1e-5 * largest[(unsigned char)outputs[i][0]])
                fail_msg("%s by %s: %g, by differences %g", outputs[i], inputs[j], d_out[i], difference);
        }
        assert_true(largest['a'] > 0);
    }
}

COMMAND_CLAIM(derivatives_of_constrained_mechanisms_are_those_of_starts)
{
    compare_with_starts("beam-cantilever", "", 1);
    compare_with_starts("rear-axle", "", 1e-5);
}

COMMAND_CLAIM(derivatives_do_not_change_the_integration)
{
    double x[2][2];
    drive_fmu fmu;
    open_model(&fmu, "rear-axle", "3.0", "--columns p.*,a.*");
    for (int k = 0; k < 2; k++) {
        static char outputs[MAX_VARIABLES][NAME], inputs[MAX_VARIABLES][NAME];
        drive d;
        drive_start(&d, &fmu, 0, 1);
        const int n = list_names(&fmu, "output", outputs);
        list_names(&fmu, "input", inputs);
        for (int i = 0; i < 10; i++) {
            if (k == 1) derivative(&d, outputs[n - 1], inputs[0]);
            drive_run(&d, 0.1 * i, 0.1, 1);
        }
        x[k][0] = drive_value(&d, outputs[0]), x[k][1] = drive_value(&d, outputs[n - 1]);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

COMMAND_CLAIM(other_derivatives_are_discarded_with_one_line)
{
    drive_fmu fmu;
    drive d;
    double x;
    open_model(&fmu, cart(), "2.0", "");
    drive_make(&d, &fmu, NULL);
    assert_int_equal(drive_derivative(&d, "a.x", "u.force", &x), DRIVE_DISCARD);
    command_expect_words(d.line, "before the initialization");
    drive_start(&d, &fmu, 0, 3);
    assert_int_equal(drive_derivative(&d, "a.x", "mass", &x), DRIVE_DISCARD);
    command_expect_words(d.line, "derivatives by it are not provided");
    assert_int_equal(drive_derivative(&d, "u.force", "u.force", &x), DRIVE_DISCARD);
    command_expect_words(d.line, "its derivative is not provided");
    assert_int_equal(d.n_lines, 2);
    open_model(&fmu, "pendulum", "2.0", ""); /* no inputs */
    assert_null(strstr(fmu.description, "providesDirectionalDerivative"));
}
