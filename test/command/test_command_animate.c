/* test_command_animate.c - the page that `resida solve --animate` writes: the parts and their points at each output,
 * and what becomes of it when something fails. */
#include <unistd.h>

#include "test/command/command_fixture.h"

static size_t frames_of(const json_t *data)
{
    return json_array_size(json_object_get(data, "xyz"));
}

static double coordinate(const json_t *data, size_t frame, size_t k)
{
    return json_real_value(json_array_get(json_array_get(json_object_get(data, "xyz"), frame), k));
}

/* Beside the rows of the same run: the mass of the pendulum is where they say, in the plane that is upright. */
COMMAND_CLAIM(points_are_where_the_trajectory_is)
{
    command_run_well("solve pendulum --t-end 3 --points 20 --out a.csv --animate a.html");
    test_file rows = test_file_read("a.csv");
    json_t *data = command_page_data("a.html");
    assert_int_equal(frames_of(data), 21);
    assert_int_equal(json_array_size(json_object_get(data, "t")), 21);
    for (int k = 0; k <= 20; k++) {
        double x[3];
        command_csv_row(rows.bytes, k, x, 3);
        assert_true(fabs(json_real_value(json_array_get(json_object_get(data, "t"), (size_t)k)) - x[0]) < 1e-4);
        assert_true(fabs(coordinate(data, (size_t)k, 6) - x[1]) < 1e-5);
        assert_true(coordinate(data, (size_t)k, 7) == 0);
        assert_true(fabs(coordinate(data, (size_t)k, 8) - x[2]) < 1e-5);
    }
}

COMMAND_CLAIM(a_frame_is_taken_at_600_outputs)
{
    command_run_well("solve pendulum --t-end 3 --animate a.html");
    assert_int_equal(frames_of(command_page_data("a.html")), 601);
}

/* Of a car at the start: the height of the boxes, and the wheels by the ends of their axes and a point of the rim. */
COMMAND_CLAIM(bodies_have_the_size_of_what_they_are)
{
    command_run_well("solve car --t-end 0.1 --points 1 --animate a.html");
    json_t *data = command_page_data("a.html"), *parts = json_object_get(data, "parts");
    size_t begin = 0, wheels = 0, springs = 0, arrows = 0;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        json_t *part = json_array_get(parts, i);
        const size_t n = (size_t)json_real_value(json_object_get(part, "n"));
        const char *name = json_string_value(json_object_get(part, "name")), *kind = command_word(part, "kind");
        double low = INFINITY, high = -INFINITY, x[3][3];
        for (size_t k = begin; k < begin + n; k++)
            low = fmin(low, coordinate(data, 0, 3 * k + 2)), high = fmax(high, coordinate(data, 0, 3 * k + 2));
        for (size_t k = 0; k < 9 && n == 3; k++) x[k / 3][k % 3] = coordinate(data, 0, 3 * begin + k);
        if (strcmp(kind, "cylinder") == 0) {
            assert_string_equal(name, "wheel");
            assert_true(fabs(x[0][2] - 0.31) < 0.03 && fabs(x[1][1] - x[0][1]) > 0.19);
            assert_true(fabs(hypot(x[2][0] - x[0][0], x[2][2] - x[0][2]) - 0.318) < 1e-3);
            wheels++;
        }
        springs += strcmp(kind, "spring") == 0, arrows += strcmp(kind, "arrow") == 0;
        if (name && strcmp(name, "chassis") == 0) assert_true(low > 0.2 && high < 1.5);
        begin += n;
    }
    assert_true(wheels == 4 && springs == 4 && arrows == 4);
}

/* The strip of the tip crank at the start: 1 m x 2.5 mm x 0.1 m. */
COMMAND_CLAIM(beams_have_the_size_of_their_sections)
{
    static const double size[3] = {1, 2.5e-3, 0.1};
    command_run_well("solve tip-crank --t-end 1e-4 --points 1 --animate a.html");
    json_t *data = command_page_data("a.html"), *parts = json_object_get(data, "parts");
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t begin = 0;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        json_t *part = json_array_get(parts, i);
        const size_t n = (size_t)json_real_value(json_object_get(part, "n"));
        const int is_strip = strcmp(json_string_value(json_object_get(part, "name")), "beam 1") == 0;
        for (size_t k = 3 * begin; k < 3 * (begin + n) && is_strip; k++)
            low[k % 3] = fmin(low[k % 3], coordinate(data, 0, k)),
                    high[k % 3] = fmax(high[k % 3], coordinate(data, 0, k));
        begin += n;
    }
    for (int x = 0; x < 3; x++) assert_true(fabs(high[x] - low[x] - size[x]) < 1e-4 * size[x]);
}

/* With all digits, beside the column of the same run. */
COMMAND_CLAIM(outputs_are_those_of_the_trajectory)
{
    command_run_well("solve pendulum --t-end 3 --points 20 --out a.csv --columns out.tension "
                     "--animate a.html");
    test_file rows = test_file_read("a.csv"), page = test_file_read("a.html");
    char *from = strstr(page.bytes, "id=\"outputs\">"), *to = from ? strstr(from, "</script>") : NULL;
    assert_non_null(to);
    *to = 0;
    json_t *outputs = command_json_at(strchr(from, '[')), *first = json_array_get(outputs, 0);
    assert_int_equal(json_array_size(outputs), 2);
    assert_string_equal(command_word(first, "name"), "tension");
    assert_string_equal(command_word(first, "unit"), "N");
    for (int k = 0; k <= 20; k++) {
        double x[2];
        command_csv_row(rows.bytes, k, x, 2);
        assert_true(fabs(json_real_value(json_array_get(json_object_get(first, "values"), (size_t)k)) - x[1]) <
                    1e-8 * (1 + fabs(x[1])));
    }
}

COMMAND_CLAIM(a_model_without_a_shape_is_refused_before_it_runs)
{
    command_expect_refusal("solve akzo --animate a.html", 2, "model akzo has no shape to draw");
    assert_int_equal(command_files(), 0);
    command_expect_refusal("solve pendulum --out - --animate -", 2, "cannot both be standard output");
}

COMMAND_CLAIM(a_page_that_cannot_be_written_is_said)
{
    command_expect_refusal("solve pendulum --animate nowhere/a.html", 74, "nowhere/a.html");
    command_expect_refusal("solve pendulum --t-end 0.1 --animate /dev/full", 74, "/dev/full");
}

/* What has been seen is kept under a name of its own. */
COMMAND_CLAIM(a_run_that_fails_leaves_its_frames)
{
    command_result r = command_run("solve pendulum --max-steps 50 --animate a.html");
    assert_int_equal(r.code, 1);
    command_expect_words(r.err.bytes, "the frames up to t = ");
    command_expect_words(r.err.bytes, "a.partial.html");
    assert_int_equal(access("a.html", F_OK), -1);
    json_t *data = command_page_data("a.partial.html");
    assert_true(frames_of(data) > 1 && frames_of(data) < 601);
}

COMMAND_CLAIM(a_page_may_go_to_standard_output)
{
    command_result r = command_run("solve pendulum --t-end 0.1 --points 2 --animate -");
    assert_int_equal(r.code, 0);
    assert_memory_equal(r.out.bytes, "<!DOCTYPE html>", 15);
    command_expect_words(r.out.bytes, "</html>");
    command_expect_words(r.err.bytes, "result");
}
