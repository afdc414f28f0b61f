/* test_command_linearize.c - `resida linearize`: what it says, what it writes, what it refuses. */
#include "command_fixture.h"

#define PENDULUM "linearize pendulum -p phi0=-1.5707963267948966 " /* it hangs */

COMMAND_CLAIM(modes_are_told_in_words_and_as_json)
{
    command_result r = command_run_well(PENDULUM);
    command_expect_words(r.out.bytes, "1 independent positions, 1 velocities");
    command_expect_words(r.out.bytes, "at rest and in equilibrium");
    command_expect_words(r.out.bytes, "0.5901703");
    r = command_run_well(PENDULUM "--format json");
    json_t *row = command_json_at(r.out.bytes);
    assert_non_null(row);
    json_t *modes = json_object_get(row, "modes"), *mode = json_array_get(modes, 0);
    assert_int_equal(json_array_size(modes), 1);
    const double om = json_number_value(json_object_get(mode, "im"));
    assert_true(fabs(om / sqrt(13.750371636040745) - 1) < 1e-8);
    assert_true(fabs(json_number_value(json_object_get(mode, "frequency_hz")) * 2 * acos(-1) - om) < 1e-8);
    assert_non_null(json_object_get(json_object_get(mode, "shape"), "x"));
    assert_int_equal(json_integer_value(json_object_get(row, "zero")), 0);
}

COMMAND_CLAIM(what_is_zero_infinite_or_of_the_form_is_told_in_words)
{
    static const char *const cases[][2] = {
        {"linearize pendulum", "cyclic"}, /* it lies level: nothing pulls it back */
        {PENDULUM "--form index1", "of the form index1 only"},
        {PENDULUM "--form baumgarte", "* violates the constraints"},
        {PENDULUM "--form ggl", "eigenvalues are infinite"},
        {"linearize bricard --drop-redundant", "1 of 30 constraints depends on others"},
        {"linearize flyball", "cannot be reached by a velocity"},
        {"linearize pendulum --at 0.1", "the state moves"},
        {"linearize robertson", "1 eigenvalue is zero"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_result r = command_run_well(cases[i][0]);
        if (!strstr(r.out.bytes, cases[i][1])) fail_msg("%s: %s", cases[i][0], r.out.bytes);
    }
}

COMMAND_CLAIM(modes_and_matrices_go_to_files)
{
    double row[20];
    command_result r = command_run_well("linearize chain -p n=2 -p ax=0 -p ay=0 --out m.csv --matrices two");
    test_file csv = test_file_read("m.csv");
    assert_int_equal(command_csv_row(csv.bytes, 1, row, 20), 18); /* 6, and 2 of each of 4 coordinates and 2 outputs */
    assert_true(fabs(row[2] / sqrt(9.81 * (2 + sqrt(2))) - 1) < 1e-8);
    assert_int_equal(command_csv_row(csv.bytes, 2, row, 20), 0);
    static const char *const files[] = {"two-E.mtx", "two-A.mtx", "two-B.mtx", "two-C.mtx", "two-D.mtx"};
    static const int rows[] = {4, 4, 4, 6, 6}, columns[] = {4, 4, 6, 4, 6};
    for (int i = 0; i < 5; i++) {
        test_file m = test_file_read(files[i]);
        int n, k, nnz;
        assert_int_equal(strncmp(m.bytes, "%%MatrixMarket matrix coordinate real general\n", 46), 0);
        const char *at = m.bytes;
        while (*at == '%') at = strchr(at, '\n') + 1;
        assert_int_equal(sscanf(at, "%d %d %d", &n, &k, &nnz), 3);
        assert_int_equal(n, rows[i]);
        assert_int_equal(k, columns[i]);
        assert_int_equal(command_lines(at), nnz + 1);
    }
    r = command_run("linearize chain -p n=2 --modes 1 --near 1 --out -");
    assert_int_equal(r.code, 0);
    assert_int_equal(strncmp(r.out.bytes, "mode,re,im", 10), 0);
    assert_int_equal(command_lines(r.out.bytes), 2);
    command_expect_words(r.err.bytes, "frequency/Hz");
}

COMMAND_CLAIM(outputs_of_the_model_are_rows_that_are_named)
{
    double row[20];
    command_result r = command_run_well("linearize pendulum -p phi0=-1 --out m.csv --matrices one");
    assert_int_equal(strlen(r.err.bytes), 0);
    test_file csv = test_file_read("m.csv"), C = test_file_read("one-C.mtx"), B = test_file_read("one-B.mtx");
    command_expect_words(csv.bytes, "out.tension.re,out.tension.im,out.energy.re");
    assert_int_equal(command_csv_row(csv.bytes, 0, row, 20), 18); /* 6, and 2 of each of 6 outputs */
    command_expect_words(C.bytes, "\n% row 4: y'\n% row 5: out.tension\n% row 6: out.energy\n% column 1: q[0]\n");
    command_expect_words(C.bytes, "\n6 2 ");
    assert_null(strstr(B.bytes, "% row"));
    for (int quiet = 0; quiet < 2; quiet++) {
        r = command_run(quiet ? "linearize pendulum --form hiller-anantharaman --quiet"
                              : "linearize pendulum --form hiller-anantharaman");
        assert_int_equal(r.code, 0);
        if (quiet) assert_int_equal(strlen(r.err.bytes), 0);
        if (!quiet) command_expect_words(r.err.bytes, "out.tension is not in the linear model: it depends on");
    }
}

COMMAND_CLAIM(a_mode_moves_on_a_page)
{
    command_run_well(PENDULUM "--animate mode.html");
    test_file page = test_file_read("mode.html");
    command_expect_words(page.bytes, "mode 1: 0.59017 Hz");
    assert_non_null(strstr(page.bytes, "\"xyz\""));
}

/* Nine modes of the train decay without swinging. */
COMMAND_CLAIM(the_slowest_mode_that_swings_is_the_default)
{
    command_run_well("linearize train --animate slowest.html");
    command_expect_words(test_file_read("slowest.html").bytes, "train, mode 10: 0.571");
}

/* Return the largest |x| of a wheelset relative to the middle of its bogie, a box, over the frames of a page. A bogie
 * precedes its wheelsets, each a line of two points with wheels and arrows. */
static double find_farthest(const char *path)
{
    json_t *data = command_page_data(path);
    const json_t *parts = json_object_get(data, "parts");
    size_t k, frame, n = 0, bogie = 0;
    json_t *part, *xyz;
    double farthest = 0;
    json_array_foreach(parts, k, part)
    {
        const char *name = json_string_value(json_object_get(part, "name")),
                   *kind = json_string_value(json_object_get(part, "kind"));
        if (name && strcmp(name, "bogie") == 0) bogie = n;
        if (name && strcmp(name, "wheelset") == 0 && strcmp(kind, "line") == 0)
            json_array_foreach(json_object_get(data, "xyz"), frame, xyz)
            {
                double middle = 0;
                for (size_t i = 0; i < 8; i++) middle += json_number_value(json_array_get(xyz, 3 * (bogie + i))) / 8;
                farthest = fmax(farthest, fabs(json_number_value(json_array_get(xyz, 3 * n)) - middle));
            }
        n += (size_t)json_number_value(json_object_get(part, "n"));
    }
    return farthest;
}

/* Half the wheel base of a bogie is 1.25 m. In the first mode wheelsets roll, and move along the track with that. */
COMMAND_CLAIM(wheelsets_stay_in_the_bogies)
{
    command_run_well("linearize train --animate m.html --mode 1");
    const double farthest = find_farthest("m.html");
    print_message("wheelsets are up to %.3f m from the middle of their bogies\n", farthest);
    assert_true(farthest > 1 && farthest < 1.5);
}

COMMAND_CLAIM(a_spectrum_is_drawn)
{
    command_needs_gnuplot();
    command_run_well(PENDULUM "--form baumgarte --out s.svg");
    test_file picture = test_file_read("s.svg");
    command_expect_words(picture.bytes, "break the constraints");
    assert_int_equal(test_count(picture.bytes, ">imaginary part [rad/s]<"), 1);
}

/* The fastest mode swings at 280 rad/s; six decay faster than exp(-280 t), which are beyond the picture. The axis at 0,
 * beyond which a mode grows, is not its edge. */
COMMAND_CLAIM(a_spectrum_ends_beyond_its_eigenvalues)
{
    command_needs_gnuplot();
    command_run_well("linearize train --at 1 --out s.svg");
    test_file picture = test_file_read("s.svg");
    command_expect_words(picture.bytes, "real part [1/s]; 6 more to the left");
    assert_null(strstr(picture.bytes, "<text>-2000</text>"));
    const char *real_parts = strstr(picture.bytes, "<text>-250</text>"); /* the imaginary ones have none */
    assert_non_null(real_parts);
    assert_non_null(strstr(real_parts, "<text> 50</text>"));
    const char *part = strstr(real_parts, "more to the left"); /* of the first panel; that about zero follows */
    assert_non_null(part);
    assert_non_null(strstr(part, "<text>-5</text>"));
    assert_non_null(strstr(part, "<text> 10</text>"));
}

/* Two rods of the chain: M = ((2, 1), (1, 1)), v = (1, +-sqrt 2). A pendulum that hangs moves along x alone. */
COMMAND_CLAIM(kinetic_energy_is_told_by_coordinates_and_bodies)
{
    json_t *row = command_json("linearize chain -p ax=0 -p ay=0 -p n=2 --energy --format json", 0);
    for (size_t k = 0; k < 2; k++) {
        json_t *energy = json_object_get(json_array_get(json_object_get(row, "modes"), k), "energy");
        assert_true(fabs(json_number_value(json_object_get(energy, "alpha1")) - 0.5) < 1e-8);
        assert_true(fabs(json_number_value(json_object_get(energy, "alpha2")) - 0.5) < 1e-8);
    }
    row = command_json("linearize pendulum -p phi0=-1.5707963267948966 --energy --format json", 0);
    json_t *energy = json_object_get(json_array_get(json_object_get(row, "modes"), 0), "energy");
    assert_true(fabs(json_number_value(json_object_get(energy, "x")) - 1) < 1e-12);
    assert_true(fabs(json_number_value(json_object_get(energy, "y"))) < 1e-12);
    row = command_json("linearize train --from-equilibrium --steady --energy --format json", 0);
    size_t k;
    json_t *mode, *share;
    json_array_foreach(json_object_get(row, "modes"), k, mode)
    {
        double all = 0;
        const char *body;
        assert_non_null(json_object_get(json_object_get(mode, "energy"), "bogieF"));
        json_object_foreach(json_object_get(mode, "energy"), body, share) all += json_number_value(share);
        assert_true(fabs(all - 1) < 1e-12);
    }
    command_result r = command_run_well("linearize train --from-equilibrium --steady --energy --modes 1 --near 1");
    command_expect_words(r.out.bytes, "kinetic energy\n     1  car 100 %");
    command_expect_refusal("linearize akzo --energy", 2, "--energy: model akzo is a general DAE");
}

COMMAND_CLAIM(what_makes_no_sense_is_refused_and_nothing_is_left)
{
    static const command_refusal cases[] = {
        {"linearize", 2, "give exactly one model"},
        {"linearize pendulum chain", 2, "give exactly one model"},
        {"linearize pendulum --out a.txt", 2, "must end in .csv, .svg or .png"},
        {"linearize pendulum --near 3", 2, "--near needs --modes"},
        {"linearize pendulum --mode 3", 2, "--mode needs --animate"},
        {"linearize pendulum --at -1", 2, "before the start"},
        {"linearize pendulum --modes 0", 2, "--modes 0"},
        {"linearize pendulum --form no", 2, "--form no"},
        {"linearize akzo --animate a.html", 2, "has no shape to draw"},
        {PENDULUM "--animate a.html --mode 2", 2, "the largest number of a mode is 1"},
        {PENDULUM "--out - --animate -", 2, "cannot both be standard output"},
        {"linearize bricard", 1, "redundant"},
        {"linearize pendulum --at 1 --max-steps 2", 1, "budget of 2 steps"},
        {"linearize pendulum --matrices none/m", 74, "cannot write none/m-E.mtx"},
        {"linearize ./no.so", 2, "no.so"},
    };
    command_expect_refusals(cases, sizeof cases / sizeof *cases);
}
