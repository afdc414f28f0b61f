/* test_command_impact.c - `resida reproduce scaling9` .. `scaling11`: steps and scaling of the runs in which a cam
 * strikes a beam, beside what Bottasso, Bauchau, Cardona published in section 5. */
#include "test/command/command_fixture.h"

enum { ROWS = 4, FIXED = 40 };
static const double touch = 0.494, k_ave = 1e3, end = 0.51;

static double element(const json_t *row, const char *list, size_t i)
{
    return json_number_value(json_array_get(command_member(row, list), i));
}

/* 40 steps of 1e-2 s, then others; s follows from each. */
static void check_steps(const json_t *row)
{
    const double m_ave = command_number(row, "m_ave");
    const size_t n = json_array_size(command_member(row, "t"));
    assert_true(n > FIXED);
    assert_int_equal(json_array_size(command_member(row, "h")), n);
    assert_int_equal(json_array_size(command_member(row, "s")), n);
    for (size_t i = 0; i < n; i++) {
        const double h = element(row, "h", i), s = k_ave + m_ave / (h * h);
        assert_true(h > 0 && (i >= FIXED || fabs(h - 1e-2) <= 1e-12));
        assert_true(fabs(element(row, "s", i) - s) <= 1e-9 * s);
        assert_true(i == 0 || fabs(element(row, "t", i) - element(row, "t", i - 1) - h) <= 1e-15);
    }
    assert_true(fabs(command_number(row, "contact") - touch) <= 1e-3);
    assert_true(fabs(command_number(row, "published.contact") - touch) <= 1e-12);
}

/* With the library's own test both pass; s of m_ave = 1 within the paper's decades, later ones to a decade. */
static void check_passes(const json_t *row)
{
    assert_string_equal(command_word(row, "status"), "ok");
    assert_true(fabs(command_number(row, "t_reached") - end) <= 1e-12);
    if (command_number(row, "m_ave") > 0) {
        const double largest = command_number(row, "largest_s");
        assert_true(largest >= 1e12 && largest <= 1e14);
        assert_true(element(row, "later_s", 0) >= 1e8 && element(row, "later_s", 1) <= 1e12);
    } else
        assert_true(command_number(row, "largest_s") == k_ave);
}

COMMAND_CLAIM(steps_and_scaling_through_the_impact_are_the_published_ones)
{
    command_needs_gnuplot();
    command_result r = command_run_well("resida-bench reproduce scaling11 --format json");
    double impulse[2] = {0, 0};
    int n = 0, passed = 0;
    for (char *line = strtok(r.out.bytes, "\n"); line; line = strtok(NULL, "\n"), n++) {
        json_t *row = command_json_at(line);
        assert_non_null(row);
        check_steps(row);
        if (json_is_null(command_member(row, "newton_tolerance"))) {
            check_passes(row);
            impulse[passed++] = command_number(row, "impulse");
        } /* with the strict test rounding decides */
    }
    assert_int_equal(n, ROWS);
    assert_int_equal(passed, 2);
    assert_true(fabs(impulse[0] - impulse[1]) <= 1e-3 * impulse[0]);
    assert_int_equal(command_files(), 1); /* scaling11.svg */
}

COMMAND_CLAIM(a_run_that_ends_before_the_impact_has_no_contact)
{
    command_needs_gnuplot();
    command_result text = command_run_well("resida-bench reproduce scaling9 --t-end 0.1");
    command_expect_words(text.out.bytes, "The column contact is not a result");
    json_t *row = command_json("resida-bench reproduce scaling9 --t-end 0.1 --format json", 0);
    assert_true(json_is_null(command_member(row, "contact")));
    assert_true(fabs(command_number(row, "t_reached") - 0.1) <= 1e-12);
    assert_int_equal(json_array_size(command_member(row, "t")), 10);
}
