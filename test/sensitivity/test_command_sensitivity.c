/* test_command_sensitivity.c - derivatives by parameters and starts by the command: where they are written, and what is
 * refused. */
#include "test/command/command_fixture.h"
#include "test/fixtures/mechanisms/scaled.h"

enum { CAR_P = 40 };
enum { COLUMNS = 22 }; /* t; p, v, a of two, lam; the same seven by two parameters */

COMMAND_CLAIM(columns_and_the_end_agree)
{
    json_t *row = command_json("solve pendulum --sensitivity L,x@0 --t-end 1.3 --points 5 --rtol 1e-8 --out "
                               "p.csv --format json -q",
                               0);
    test_file csv = test_file_read("p.csv");
    double x[COLUMNS], before[COLUMNS];
    command_expect_words(csv.bytes, "d(x)/d(L),d(y)/d(L),");
    command_expect_words(csv.bytes, ",d(lam.rod)/d(x@0)\n");
    assert_int_equal(command_csv_row(csv.bytes, 5, x, COLUMNS), COLUMNS);
    assert_int_equal(command_csv_row(csv.bytes, 0, before, COLUMNS), COLUMNS);
    const json_t *p = command_member(row, "end.sensitivity.L.p"), *v = command_member(row, "end.sensitivity.L.v"),
                 *lam = command_member(row, "end.sensitivity.L.lam");
    for (int i = 0; i < 2; i++) {
        assert_true(json_number_value(json_array_get(p, (size_t)i)) == x[8 + i]);
        assert_true(json_number_value(json_array_get(v, (size_t)i)) == x[10 + i]);
    }
    assert_true(json_number_value(json_array_get(lam, 0)) == x[14]);
    assert_true(fabs(before[8] - 1) < 1e-6 && fabs(before[9]) < 1e-6); /* p0 = L (1, 0) */
    assert_true(fabs(x[1] * x[8] + x[2] * x[9] - 1) < 1e-6);           /* x^2 + y^2 = L^2 */
    assert_true(fabs(x[1] * x[15] + x[2] * x[16]) < 1e-6);             /* whatever x begins with */
}

/* T = m (L phi'^2 - g sin phi) is proportional to m; E = m g L sin phi0 stays, and T = -E/L where it begins. Steps are
 * those of y: dT/dm is off by 2e-6 to 1.3e-5 in runs whose tolerances differ in the fourth digit. */
COMMAND_CLAIM(outputs_of_the_model_have_derivatives_too)
{
    const double phi = -0.7, g = 13.750371636040745;
    json_t *row = command_json("solve pendulum -p phi0=-0.7 --sensitivity m,L,phi0 --t-end 1.3 --points 2 "
                               "--rtol 1e-9 --atol 1e-11 --columns out.* --out o.csv --format json -q",
                               0);
    test_file csv = test_file_read("o.csv");
    command_expect_words(csv.bytes, "t,out.tension,out.energy,d(out.tension)/d(m),d(out.energy)/d(m),");
    for (int k = 0; k < 3; k++) {
        double x[9];
        assert_int_equal(command_csv_row(csv.bytes, k, x, 9), 9);
        assert_true(fabs(x[3] - x[1]) < 3e-5 && fabs(x[4] - x[2]) < 1e-5);
        assert_true(fabs(x[6] - g * sin(phi)) < 1e-5);
        assert_true(fabs(x[8] - g * cos(phi)) < 1e-5);
        if (k == 0) assert_true(fabs(x[5]) < 1e-5 && fabs(x[7] + g * cos(phi)) < 1e-5);
        if (k == 2) assert_true(command_number(row, "end.sensitivity.L.outputs.energy") == x[6]);
    }
}

/* The columns that a list names, in its order; without a derivative among them those of all. */
COMMAND_CLAIM(derivatives_are_columns_by_name)
{
    static const struct {
        const char *list, *heading;
    } cases[] = {
        {"p.x", "t,p.x,d(p.x)/d(L),d(p.x)/d(x@0)\n"},
        {"d(x)/d(L),y", "t,d(p.x)/d(L),p.y\n"},
        {"d(p.y)/d(x@0),d(v.x)/d(L),t", "t,d(p.y)/d(x@0),d(v.x)/d(L)\n"},
        {"d(p.?)/d(*)", "t,d(p.x)/d(L),d(p.y)/d(L),d(p.x)/d(x@0),d(p.y)/d(x@0)\n"},
        {"x,d(lam*)/d(L),d(out.tension)/d(L)", "t,p.x,d(lam.rod)/d(L),d(out.tension)/d(L)\n"},
    };
    command_run_well("solve pendulum --sensitivity L,x@0 --t-end 1 --points 2 -q --out a.csv");
    test_file every = test_file_read("a.csv");
    double x[COLUMNS], one[COLUMNS];
    assert_int_equal(command_csv_row(every.bytes, 2, x, COLUMNS), COLUMNS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *line = claims_text(
            "solve pendulum --sensitivity L,x@0 --t-end 1 --points 2 -q --out p.csv --columns %s", cases[i].list);
        command_run_well(line);
        test_file csv = test_file_read("p.csv");
        const char *end = strchr(csv.bytes, '\n');
        assert_non_null(end);
        if (strncmp(csv.bytes, cases[i].heading, (size_t)(end - csv.bytes) + 1) != 0)
            fail_msg("%s: %.80s", cases[i].list, csv.bytes);
        if (i == 1) {
            assert_int_equal(command_csv_row(csv.bytes, 2, one, COLUMNS), 3);
            assert_true(one[1] == x[8] && one[2] == x[2]);
        }
    }
}

/* A panel for each kind and each parameter, and the axis says which. */
COMMAND_CLAIM(derivatives_are_drawn)
{
    command_needs_gnuplot();
    command_run_well("solve pendulum --sensitivity L,m --t-end 1 -q --plot p.x,d(x)/d(L),d(out.*)/d(m),d(y)/d(L)");
    test_file svg = test_file_read("pendulum.svg");
    static const char *const words[] = {
        ">p.x<", ">d(p.x)/d(L)<", ">d(out.energy)/d(m)<", ">d(p)/d(L) [m/m]<", ">d(out)/d(m) [J/kg]<", ">d(p.y)/d(L)<"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_expect_words(svg.bytes, words[i]);
    assert_null(strstr(svg.bytes, "d(p.x)/d(m)"));
}

COMMAND_CLAIM(a_general_DAE_has_y)
{
    json_t *row = command_json("solve robertson --sensitivity k1,y1@0 --t-end 40 --format json -q", 0);
    double sum = 0;
    const json_t *y = command_member(row, "end.sensitivity.k1.y");
    for (size_t i = 0; i < 3; i++) sum += json_number_value(json_array_get(y, i));
    assert_true(fabs(sum) < 1e-5); /* y1 + y2 + y3 = 1 */
    row = command_json("solve robertson --t-end 1 --format json -q", 0);
    assert_true(json_is_null(command_member(row, "end.sensitivity")));
}

/* At rest without gravity steps grow with y, which stays; s = d(y)/dg falls like t^2/2, and nothing sees that they are
 * too long for it: the run says so. */
COMMAND_CLAIM(steps_that_are_too_long_for_them_are_told)
{
    const char *line = "solve pendulum -p g=0 -p w0=1e-9 --sensitivity g --t-end 1 --format json -q";
    command_result r = command_run_well(line);
    json_t *row = command_row(&r);
    const double error = command_number(row, "sensitivity.error");
    assert_true(error > 1000);
    assert_true(command_number(row, "sensitivity.iterations") > 0);
    const json_t *warnings = command_member(row, "warnings");
    command_expect_words(json_string_value(json_array_get(warnings, 0)), "the error test does not include it");
    command_expect_words(json_string_value(json_array_get(warnings, 1)), "nothing moved in");
    r = command_run_well(claims_text("%s --h-max 0.002", line));
    row = command_row(&r);
    assert_true(command_number(row, "sensitivity.error") < error / 10);
    r = command_run_well("solve slider-crank --sensitivity k --format json -q");
    row = command_row(&r);
    assert_true(command_number(row, "sensitivity.error") < 50);
    assert_int_equal(json_array_size(command_member(row, "warnings")), 0);
    r = command_run_well("solve pendulum --sensitivity m --t-end 1 --out p.csv");
    command_expect_words(r.out.bytes, "  sensitivity  ");
    r = command_run_well("solve pendulum --t-end 1 --format json -q");
    row = command_row(&r);
    assert_true(json_is_null(command_member(row, "sensitivity")));
}

/* Error of d(phi)/d(rate) at t = 3: phi = Phi(rate t), d(phi)/d(rate) = t Phi'(rate t). */
static double rate_error(const char *turns, int given, double atol)
{
    const double t = 3;
    double phi, phid;
    scaled_swing(t, &phi, &phid);
    json_t *row =
        command_json(claims_text("solve %s/plugin_turned.so -p turns=%s -p given=%d --atol %g --sensitivity rate "
                                 "--format json -q",
                                 test_environment("RESIDA_TEST_MODULES"), turns, given, atol),
                     0);
    return fabs(json_number_value(json_array_get(command_member(row, "end.sensitivity.rate.p"), 2)) - t * phid);
}

/* To t^2 Phi''/2 times 2^-17, which is 3e-5 at t = 3, and some roundings of the angle over 2^-17, 2e-5 each; of those
 * more without dg/dp. Their number scatters from run to run: the median of three tolerances. */
COMMAND_CLAIM(angles_that_have_turned_have_derivatives)
{
    static const char *const turns[] = {"0", "1000", "100000"};
    static const double tolerances[] = {1e-6, 1e-8};
    for (int i = 0; i < 3 * 2 * 2; i++) {
        const int given = i / 3 % 2;
        double error[3];
        for (int k = 0; k < 3; k++) error[k] = rate_error(turns[i % 3], given, tolerances[i / 6] * (1 + 0.1 * k));
        const double median = fmax(fmin(error[0], error[1]), fmin(fmax(error[0], error[1]), error[2]));
        if (!(median < (given ? 1e-4 : 4e-4)))
            fail_msg("%s turns, given %d, atol %g: %.1e, %.1e, %.1e", turns[i % 3], given, tolerances[i / 6], error[0],
                     error[1], error[2]);
    }
}

/* x^2 + y^2 = L^2, for lengths far below the usual one, too: 1 m moved by 1e-7 of it is 1/1000 of 0.1 mm. */
COMMAND_CLAIM(a_small_length_is_moved_by_a_part_of_itself)
{
    json_t *row = command_json("solve pendulum -p L=1e-4 --sensitivity L --t-end 0.01 --rtol 1e-8 --atol 1e-13 "
                               "--format json -q",
                               0);
    const json_t *p = command_member(row, "end.p"), *s = command_member(row, "end.sensitivity.L.p");
    double sum = 0;
    for (size_t i = 0; i < 2; i++)
        sum += json_number_value(json_array_get(p, i)) * json_number_value(json_array_get(s, i));
    if (!(fabs(sum / 1e-4 - 1) < 1e-5)) fail_msg("d(x^2 + y^2)/2 = %.9g L dL", sum / 1e-4);
}

/* 1e-7 of 1e-10 is lost in what it is added to: the start is horizontal but for rounding. */
COMMAND_CLAIM(what_is_small_by_chance_is_not_moved_by_a_part_of_that)
{
    static const char *const starts[] = {"0", "1e-6", "1e-10", "1e-14"}, *const names[] = {"y@0", "phi0"};
    for (int i = 0; i < 2; i++) {
        double usual = 0;
        for (int k = 0; k < 4; k++) {
            const char *line =
                claims_text("solve pendulum -p phi0=%s --sensitivity %s --t-end 0.5 --rtol 1e-8 --format json -q",
                            starts[k], names[i]);
            const char *path = claims_text("end.sensitivity.%s.p", names[i]);
            const double x = json_number_value(json_array_get(command_member(command_json(line, 0), path), 0));
            if (k == 0) usual = x;
            if (!(fabs(x - usual) < 1e-4)) fail_msg("%s: %.9g, not %.9g", line, x, usual);
        }
    }
}

static void positions_of_car(const char *line, double *s)
{
    const json_t *of_p = command_member(command_json(line, 0), "end.sensitivity.v0.p");
    assert_int_equal(json_array_size(of_p), CAR_P);
    for (size_t i = 0; i < CAR_P; i++) s[i] = json_number_value(json_array_get(of_p, i));
}

/* What rounding of positions leaves in stiff forces is a thousand such tolerances: no reason to end. */
COMMAND_CLAIM(tolerances_below_rounding_end_no_run)
{
    double s[CAR_P], tight[CAR_P];
    positions_of_car("solve car --rtol 1e-8 --atol 1e-8 --sensitivity v0 --t-end 0.2 --format json -q", s);
    positions_of_car("solve car --rtol 1e-10 --atol 1e-10 --sensitivity v0 --t-end 0.2 --format json -q", tight);
    for (int i = 0; i < CAR_P; i++)
        if (!(fabs(s[i] - tight[i]) < 1e-6 + 1e-4 * fabs(s[i]))) fail_msg("%d: %.9g, %.9g", i, s[i], tight[i]);
}

COMMAND_CLAIM(what_there_is_not_is_one_line)
{
    command_expect_refusal("solve pendulum --sensitivity L", 2, "use it with --out FILE.csv, --plot, or --format json");
    command_expect_refusal("solve pendulum --format json --sensitivity mass", 2,
                           "no parameter 'mass': m, L, g, phi0, w0; an initial value is");
    command_expect_refusal("solve pendulum --format json --sensitivity phi", 2, "did you mean 'phi0'?");
    command_expect_refusal("solve pendulum --format json --sensitivity q@0", 2,
                           "no component 'q' with an initial value");
    command_expect_refusal("solve pendulum --format json --sensitivity lam[0]@0", 2,
                           "no component 'lam[0]' with an initial value");
    command_expect_refusal("solve pendulum --format json --sensitivity L,m,L", 2, "'L' is given twice");
    command_expect_refusal("solve pendulum --format json --sensitivity L,", 2, "no parameter ''");
    command_expect_refusal("solve chain --format json --sensitivity n", 2, "n is a whole number");
    command_expect_refusal("solve pendulum --format json --sensitivity L --method bdf2 --step 0.01", 2,
                           "steps of a fixed size");
    command_expect_refusal("solve pendulum --format json --sensitivity L --form state-space", 2, "state-space");
    command_expect_refusal("solve pendulum --format json --sensitivity L --solver ida", 2,
                           "peers do not compute sensitivities");
    command_expect_refusal("solve pendulum --sensitivity L --out a.csv --columns d(x)/d(m)", 2,
                           "--columns: no 'd(x)/d(m)'; did you mean 'd(");
    command_expect_refusal("solve pendulum --sensitivity L --plot d(tension)/d(l*", 2, "--plot: no 'd(tension)/d(l*'");
    command_expect_refusal("solve pendulum --out a.csv --columns d(x)/d(L)", 2,
                           "--columns: no 'd(x)/d(L)'; use --sensitivity NAME for derivatives");
    command_expect_refusal("solve robertson --sensitivity k1 --out a.csv --columns d(yp.y1)/d(k1)", 2,
                           "--columns: no 'd(yp.y1)/d(k1)'");
    command_expect_refusal("compare pendulum --sensitivity L", 2, "compare has no option --sensitivity");
}

COMMAND_CLAIM(counts_are_those_of_the_run_also_beside_an_estimate)
{
    json_t *alone = command_json("solve slider-crank --sensitivity k --format json", 0);
    json_t *both = command_json("solve slider-crank --sensitivity k --estimate-error --format json", 0);
    assert_true(command_number(alone, "sensitivity.residual_calls") > 0);
    assert_true(json_equal(command_member(alone, "sensitivity"), command_member(both, "sensitivity")));
}
