/* test_command_drift.c - what `resida reproduce drift` shows: in 1,000 s those formulations drift off the constraint
 * that U. Ascher and L. Petzold say do, and no others. */
#include "test/command/command_fixture.h"

/* After the first 100 s and after 1,000 s. */
static double at(const json_t *row, const char *key, size_t k)
{
    const json_t *value = json_array_get(json_object_get(row, key), k);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* "index1" and "index2" as they are: what their g' is off adds up. */
static int is_unstabilised(const json_t *row)
{
    const char *form = command_word(row, "form");
    int is_plain = command_number(row, "gamma") == 0 && command_number(row, "step_projection") == 0;
    return is_plain && (strcmp(form, "index1") == 0 || strcmp(form, "index2") == 0);
}

COMMAND_CLAIM(those_that_drift_do_and_those_that_do_not_do_not)
{
    command_result r = command_run_well("resida-bench reproduce drift --format json");
    int rows = 0, drifting = 0;
    for (const char *line = r.out.bytes; *line; line += strcspn(line, "\n") + 1, rows++) {
        json_t *row = command_json_at(line);
        assert_string_equal(command_word(row, "status"), "ok");
        const double tolerance = command_number(row, "rtol");
        int drifts = is_unstabilised(row);
        print_message("  %s: g %.1e, %.1e\n", command_word(row, "form"), at(row, "g", 1), at(row, "g", 2));
        if (drifts) assert_true(at(row, "g", 2) > 600 * tolerance && at(row, "g", 2) > 3 * at(row, "g", 1));
        if (!drifts) assert_true(at(row, "g", 2) < 300 * tolerance);
        if (!drifts) assert_true(at(row, "gv", 2) < 1e4 * tolerance); /* also where nothing holds g' itself */
        drifting += drifts;
    }
    assert_true(rows == 13 && drifting == 2);
}
