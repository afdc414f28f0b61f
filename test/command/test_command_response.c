/* test_command_response.c - `resida response`: what it says, what it writes, what it refuses; analyses that begin at an
 * equilibrium. */
#include <complex.h>
#include <signal.h>
#include <unistd.h>

#include "command_fixture.h"

/* A pendulum under a support that moves: theta'' + d/(m l^2) theta' + (g/l) theta = -u''/l. */
#define PENDULUM "response chain -p n=1 -p ax=0 -p ay=0 -p m=2 -p l=0.5 -p d=0.3 --from u[0] "

static double complex pendulum(double hz)
{
    const double w = 2 * acos(-1) * hz, d = 0.3 / (2 * 0.5 * 0.5);
    return w * w / 0.5 / (9.81 / 0.5 - w * w + I * d * w);
}

COMMAND_CLAIM(all_frequencies_go_to_a_file)
{
    enum { POINTS = 31 };
    double row[20], last = 0;
    command_result r = command_run_well(PENDULUM "--range 0.1:10Hz --points 31 --to alpha1,alpha1' --out r.csv");
    command_expect_words(r.out.bytes, "20 of 31 frequencies");
    test_file csv = test_file_read("r.csv");
    command_expect_words(csv.bytes,
                         "frequency_hz,alpha1.amplitude,alpha1.phase_deg,alpha1.re,alpha1.im,alpha1'.amplitude");
    for (int k = 0; k < POINTS; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, row, 20), 9);
        const double complex H = pendulum(row[0]), rate = 2 * acos(-1) * row[0] * I * H;
        assert_true(fabs(row[0] / (0.1 * pow(100, k / 30.0)) - 1) < 1e-12);
        assert_true(fabs(row[1] / cabs(H) - 1) < 1e-7);
        assert_true(cabs(row[3] + I * row[4] - H) < 1e-7 * cabs(H));
        assert_true(cabs(row[7] + I * row[8] - rate) < 1e-7 * cabs(rate));
        assert_true(row[2] <= last + 1e-9 && fabs(remainder(row[2] - carg(H) * 180 / acos(-1), 360)) < 1e-5);
        last = row[2]; /* the phase falls, without a jump by whole turns */
    }
    assert_int_equal(command_csv_row(csv.bytes, POINTS, row, 20), 0);
}

/* Without damping, at the frequency of the mode: theta'' + g/l theta = -u''/l. */
#define UNDAMPED "response chain -p n=1 -p ax=0 -p ay=0 -p m=2 -p l=9.81 -p d=0 --from u[0] --to alpha1 "

COMMAND_CLAIM(a_frequency_without_a_response_is_left_out)
{
    double row[20];
    const double hz = 1 / (2 * acos(-1)); /* of 1 rad/s */
    const char *line = claims_text(UNDAMPED "--range %.17g:%.17gHz --points 3 --out u.csv", hz / 2, hz * 2);
    command_result r = command_run(line);
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "a mode without damping has this frequency; it is omitted");
    test_file csv = test_file_read("u.csv");
    for (int k = 0; k < 3; k += 2) {
        assert_int_equal(command_csv_row(csv.bytes, k, row, 20), 5);
        const double w = k == 0 ? 0.5 : 2, H = w * w / 9.81 / (1 - w * w);
        assert_true(fabs(row[3] / H - 1) < 1e-6);
        assert_true(fabs(row[2] - (k == 0 ? 0 : -180)) < 1e-4); /* within half a turn */
    }
    assert_non_null(strstr(csv.bytes, ",nan,nan,nan,nan"));
}

COMMAND_CLAIM(a_phase_without_damping_stays_within_half_a_turn)
{
    command_json("response chain -p n=3 -p ax=0 -p ay=0 -p d=0 --from u[0] --to alpha1 --range 0.1:10Hz "
                 "--points 40 --out ph.csv --format json",
                 0);
    test_file csv = test_file_read("ph.csv");
    double last = 0, x[20];
    int jumps = 0;
    for (int k = 0; k < 40; k++) {
        assert_int_equal(command_csv_row(csv.bytes, k, x, 20), 5);
        assert_true(fabs(x[2]) < 1e-4 || fabs(x[2] + 180) < 1e-4);
        jumps += k > 0 && fabs(x[2] - last) > 90;
        last = x[2];
    }
    assert_true(jumps >= 3);
}

COMMAND_CLAIM(responses_are_told_in_words_and_as_json)
{
    command_result r = command_run_well(PENDULUM);
    command_expect_words(r.out.bytes, "response to u[0]");
    command_expect_words(r.out.bytes, "|alpha1|");
    command_expect_words(r.out.bytes, "20 of 200 frequencies");
    assert_int_equal(r.err.size, 0);
    json_t *row = command_json(PENDULUM "--points 3 --format json", 0), *hz = json_object_get(row, "frequency_hz");
    const json_t *alpha = json_object_get(json_object_get(row, "outputs"), "alpha1");
    const double w0 = sqrt(9.81 / 0.5) / (2 * acos(-1));
    assert_int_equal(json_array_size(hz), 3);
    assert_true(fabs(json_number_value(json_array_get(hz, 0)) / (w0 / 10) - 1) < 1e-6);
    assert_true(fabs(json_number_value(json_array_get(hz, 2)) / (w0 * 10) - 1) < 1e-6);
    const double complex H = pendulum(json_number_value(json_array_get(hz, 1)));
    assert_true(fabs(json_number_value(json_array_get(json_object_get(alpha, "re"), 1)) - creal(H)) < 1e-6);
    assert_true(fabs(json_number_value(json_array_get(json_object_get(alpha, "im"), 1)) - cimag(H)) < 1e-6);
    assert_true(json_number_value(json_object_get(row, "growth")) == 0);
}

COMMAND_CLAIM(a_response_is_drawn)
{
    command_needs_gnuplot();
    command_run_well("response car --to out.F* --out r.svg");
    test_file picture = test_file_read("r.svg");
    command_expect_words(picture.bytes, "out.FL.travel");
    command_expect_words(picture.bytes, ">phase [deg]<");
    command_expect_words(picture.bytes, ">frequency [Hz]<");
    command_expect_words(picture.bytes, "car: response to u[0]");
    command_expect_words(picture.bytes, ">amplitude [m/m]<"); /* per m of the rack */
    command_expect_words(picture.bytes, ">amplitude [N/m]<"); /* a panel of its own */
}

/* At rest the kinetic energy is quadratic in what moves: its response is 0 at all frequencies. */
COMMAND_CLAIM(outputs_that_do_not_answer_have_a_name_in_the_picture)
{
    command_needs_gnuplot();
    command_result r = command_run_well("response rear-axle --to L.z,L.phi,out.kinetic --out k.svg");
    test_file picture = test_file_read("k.svg");
    command_expect_words(picture.bytes, ">out.kinetic: 0<");
    command_expect_words(picture.bytes, ">amplitude [J/m]<");
    command_expect_words(picture.bytes, ">amplitude [rad/m]<");
    command_expect_words(r.out.bytes, "|L.z|/(m/m)");
    r = command_run_well("response rear-axle --to out.kinetic --out k.svg");
}

/* Upside down. */
/* x_k over the support's of n masses on rods of length l that hang, k from 1 on. Rod k bears T_k = (n - k + 1) m g:
 * m x_k'' = T_k+1 (x_k+1 - x_k)/l - T_k (x_k - x_k-1)/l, from the free end up. */
static double hanging_chain(double hz, int n, double l, int k)
{
    const double w = 2 * acos(-1) * hz;
    double x = 1, force = 0, at_k = 0; /* force: T_k (x_k - x_k-1)/l, over m */
    for (int i = n; i > 0; i--) {
        if (i == k) at_k = x;
        force += w * w * x;
        x -= force * l / (9.81 * (n - i + 1));
    }
    return at_k / x;
}

/* By independent coordinates, by the form with its multipliers, which a large mechanism is taken in, and by one that is
 * named. */
COMMAND_CLAIM(large_mechanisms_are_taken_as_their_form_has_them)
{
    static const struct {
        int n;
        const char *form, *words;
    } cases[] = {{75, "", "75 independent positions"}, {160, "", "form ggl"}, {160, "--form index3", "form index3"}};
    for (int i = 0; i < 3; i++) {
        double row[8];
        const char *line = claims_text(
            "response chain-cartesian -p n=%d -p l=0.01 -p ax=0 -p ay=0 %s --from u[0] --to x10 --range 0.1:2Hz "
            "--points 9 --out c.csv",
            cases[i].n, cases[i].form);
        command_expect_words(command_run_well(line).out.bytes, cases[i].words);
        test_file csv = test_file_read("c.csv");
        for (int k = 0; k < 9; k++) {
            assert_int_equal(command_csv_row(csv.bytes, k, row, 8), 5);
            const double H = hanging_chain(row[0], cases[i].n, 0.01, 10);
            if (!(hypot(row[3] - H, row[4]) < 1e-6 * fabs(H))) fail_msg("%g Hz: %g, not %g", row[0], row[3], H);
        }
    }
}

COMMAND_CLAIM(a_mode_that_grows_is_named)
{
    command_result r = command_run(PENDULUM "-p alpha0=3.141592653589793 --range 0.1:1");
    assert_int_equal(r.code, 0);
    command_expect_words(r.err.bytes, "a mode grows");
    r = command_run_well(PENDULUM "-p alpha0=3.141592653589793 --range 0.1:1 --quiet");
    assert_int_equal(r.err.size, 0);
}

COMMAND_CLAIM(analyses_begin_at_an_equilibrium)
{
    static const char *const lines[] = {
        "linearize chain -p n=1 -p ax=0 -p ay=0 -p alpha0=0.4 --from-equilibrium --format json",
        "linearize chain -p n=1 -p ax=0 -p ay=0 -p alpha0=0.4 --from-equilibrium --form ode --format json",
        "linearize chain -p n=1 -p ax=0 -p ay=0 --from-equilibrium --start alpha1=0.4 --format json"};
    for (int k = 0; k < 3; k++) { /* from a lean of 0.4 it hangs */
        json_t *row = command_json(lines[k], 0), *mode = json_array_get(json_object_get(row, "modes"), 0);
        assert_true(fabs(json_number_value(json_object_get(mode, "im")) / sqrt(9.81) - 1) < 1e-8);
        assert_true(json_number_value(json_object_get(row, "acceleration")) < 1e-8);
    }
    json_t *row = command_json(PENDULUM "-p alpha0=0.4 --from-equilibrium --range 0.5:1 --points 2 --format json", 0);
    const json_t *alpha = json_object_get(json_object_get(row, "outputs"), "alpha1");
    assert_true(fabs(json_number_value(json_array_get(json_object_get(alpha, "re"), 0)) - creal(pendulum(0.5))) < 1e-6);
    command_result r = command_run_well("linearize chain -p n=1 -p ax=0 -p ay=0 -p alpha0=0.4 --from-equilibrium");
    command_expect_words(r.out.bytes, "about the equilibrium that `resida equilibrium` prints");
}

COMMAND_CLAIM(a_signal_ends_it_and_leaves_nothing)
{
    command_expect_interruption("response train --from u[0] --range 0.1:10 --points 1000000 --to car.y1 --out r.csv");
}

COMMAND_CLAIM(what_makes_no_sense_is_refused_and_nothing_is_left)
{
    static const command_refusal cases[] = {
        {"response", 2, "give exactly one model"},
        {"response pendulum", 2, "pendulum has no excitation"},
        {"response chain", 2, "--from must select one of the 2 excitations of chain, u[0] .. u[1]"},
        {"response chain --from u[2]", 2, "--from: no 'u[2]'"},
        {PENDULUM "--to beta", 2, "--to: no 'beta'"},
        {PENDULUM "--range 3", 2, "--range 3: must be LOW:HIGH"},
        {PENDULUM "--range 3:1", 2, "must be LOW:HIGH"},
        {PENDULUM "--range 0:1", 2, "must be LOW:HIGH"},
        {PENDULUM "--range 1:2kHz", 2, "must be LOW:HIGH"},
        {PENDULUM "--points 1", 2, "--points 1"},
        {PENDULUM "--out r.txt", 2, "must end in .csv, .svg or .png"},
        {PENDULUM "--out none/r.csv", 74, "none/r.csv"},
        {PENDULUM "--steady", 2, "--steady: needs --from-equilibrium"},
        {"linearize chain --start alpha1=1", 2, "--start: needs --from-equilibrium"},
        {"response ./no.so", 2, "no.so"},
    };
    command_expect_refusals(cases, sizeof cases / sizeof *cases);
}
