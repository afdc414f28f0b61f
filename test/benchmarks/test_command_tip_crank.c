/* test_command_tip_crank.c - what `resida reproduce bauchau3` promises: the strip leaves its plane when it does so in
 * the model's own tests, and of the attempts without pivoting the one with penalty and scaling gets through. And
 * `bauchau4`: in index 3, scaled, methods converge to the same motion down to the smallest steps. */
#include "test/command/command_fixture.h"

/** What a reader of the rows has seen. */
typedef struct seen {
    int motions, attempts;
} seen;

/* The plane is left at 0.071 s; before that the midspan is lifted, later it goes far to the side. */
static void check_motion(const json_t *row)
{
    const double buckled = command_number(row, "buckled");
    if (!(buckled > 0.06 && buckled < 0.08)) fail_msg("buckled at %g", buckled);
    assert_true(command_number(row, "published.buckled") < buckled);
    const json_t *t = command_member(row, "t"), *u2 = command_member(row, "u2"), *u3 = command_member(row, "u3");
    double most = 0;
    for (size_t i = 0; i < json_array_size(t); i++) {
        const double now = json_number_value(json_array_get(t, i)), aside = json_number_value(json_array_get(u2, i));
        if (now < 0.05) assert_true(aside > -1e-3 && aside < 1e-3);
        if (now > 0.01 && now < 0.05) assert_true(json_number_value(json_array_get(u3, i)) > 0);
        if (now < 0.5 && -aside > most) most = -aside;
    }
    assert_true(most > 0.03 && most < 0.06);
    assert_true(json_number_value(json_array_get(t, json_array_size(t) - 1)) == 1.6);
}

/* Without a penalty no step; with penalty and scaling each; without scaling none where steps are small. */
static void check_attempt(const json_t *row)
{
    const char *attempt = command_word(row, "attempt"), *outcome = command_word(row, "outcome");
    const int runs = strcmp(outcome, "runs") == 0;
    const double h = command_number(row, "h");
    int expected = 1;
    if (strcmp(attempt, "not augmented") == 0) expected = 0;
    if (strcmp(attempt, "augmented, not scaled") == 0) expected = h > 5e-6;
    if (runs != expected) fail_msg("%s, h = %g: %s", attempt, h, outcome);
    assert_int_equal(strlen(command_word(row, "message")) > 0, !runs);
}

COMMAND_CLAIM(the_strip_buckles_and_a_penalty_needs_scaling)
{
    seen found = {0, 0};
    command_needs_gnuplot();
    command_result r = command_run_well("resida-bench reproduce bauchau3 --format json");
    for (const char *line = r.out.bytes; *line; line = strchr(line, '\n') + 1) {
        json_t *row = command_json_at(line);
        if (json_object_get(row, "buckled"))
            check_motion(row), found.motions++;
        else
            check_attempt(row), found.attempts++;
    }
    assert_int_equal(found.motions, 1);
    assert_int_equal(found.attempts, 4 * 5);
    test_file svg = test_file_read("bauchau3.svg");
    command_expect_words(svg.bytes, "u2, sideways");
    assert_int_equal(command_files(), 1);
}

COMMAND_CLAIM(a_budget_that_is_spent_ends_it_without_a_picture)
{
    command_needs_gnuplot();
    command_expect_refusal("resida-bench reproduce bauchau3 --max-steps 20", 1, "budget of 20 steps spent");
    assert_int_equal(command_files(), 0);
}

/* Each halving of h divides errors by 3 at least, down to what the Newton iterations leave. Radau IIA with 3 stages is
 * of order 5 where no part of the strip is faster than the steps: 3 at least. */
static void check_convergence(const json_t *row)
{
    static const struct {
        const char *method;
        double least, most;
    } orders[] = {{"radau-iia-2", 2.5, 3.5}, {"radau-iia-3", 3, 6}, {"energy-decaying", 1.9, 3}, {"hht", 1.9, 2.1}};
    const double left = 1e-12; /* m */
    const char *method = command_word(row, "method");
    const json_t *errors = command_member(row, "errors");
    const double order = command_number(row, "order");
    int known = 0, count = 0;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        if (strcmp(method, orders[k].method) != 0) continue;
        if (!(order > orders[k].least && order < orders[k].most)) fail_msg("%s: order %g", method, order);
        known = 1;
    }
    assert_true(known);
    double before = INFINITY;
    for (size_t i = 0; i < json_array_size(errors); i++) {
        const json_t *error = json_array_get(errors, i);
        if (json_is_null(error)) continue;
        const double now = json_number_value(error);
        if (!(now <= fmax(before / 3, left))) fail_msg("%s: error %g after %g", method, now, before);
        before = now;
        count++;
    }
    assert_true(count >= 4 && before < 1e-9);
}

COMMAND_CLAIM(methods_converge_to_one_motion_of_the_strip)
{
    int rows = 0;
    command_needs_gnuplot();
    command_result r = command_run_well("resida-bench reproduce bauchau4 --format json");
    for (const char *line = r.out.bytes; *line; line = strchr(line, '\n') + 1, rows++)
        check_convergence(command_json_at(line));
    assert_int_equal(rows, 4);
    assert_int_equal(command_files(), 1); /* bauchau4.svg */
}
