/* test_sweep.c - what `resida sweep` promises: the same table from any number of processes, a row for every case
 * whatever it does, and one line for whatever cannot be. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sweep_fixture.h"

static const char pendulums[] =
    "{\"model\": \"pendulum\", \"design\": \"latin-hypercube\", \"cases\": 200, \"seed\": 11,"
    " \"fixed\": {\"--t-end\": 0.3}, \"outputs\": [\"x\", \"y\", \"min.y\"],"
    " \"vary\": {\"L\": {\"distribution\": \"triangular\", \"min\": 0.5, \"mode\": 1, \"max\": 2},"
    " \"phi0\": {\"distribution\": \"normal\", \"mean\": 0, \"sd\": 0.2}, \"--rtol\": [1e-4, 1e-6]}}";

static const char decays[] = "{\"model\": \"%s\", \"vary\": {\"k\": {\"from\": 1, \"to\": 4, \"points\": 4}}}";

/** Run it; it must end with that code. */
static void run(const char *line, int code)
{
    command_result r = command_run(line);
    if (r.code != code) fail_msg("%s: %d, %s", line, r.code, r.err.bytes);
}

COMMAND_CLAIM(the_table_is_the_same_from_any_number_of_processes)
{
    sweep_write_plan("p.json", pendulums);
    run("sweep p.json", 0);
    char *one = NULL, *table = NULL;
    for (int jobs = 1; jobs <= 4; jobs *= 2) {
        const char *path = claims_text("p%d.db", jobs);
        run(claims_text("sweep p.json --jobs %d --out %s", jobs, path), 0);
        table = sweep_table(path);
        if (one) assert_string_equal(one, table);
        if (one) free(table);
        if (!one) one = table;
    }
    table = sweep_table("p.db");
    assert_string_equal(one, table);
    free(one);
    free(table);
    assert_int_equal((int)sweep_number("p.db", "SELECT count(*) FROM cases WHERE status = 'ok'"), 200);
    assert_int_equal((int)sweep_number("p.db", "SELECT count(*) FROM clock WHERE seconds > 0 AND pid > 0"), 200);
    assert_true(sweep_number("p.db", "SELECT max(\"min.y\" - \"end.y\") FROM cases") <= 0);
}

/* Exact solutions decide: exp(-k) for each k of the grid, tolerances of 1e-6. */
COMMAND_CLAIM(rows_hold_parameters_ends_and_counters)
{
    sweep_write_plan("d.json", decays);
    run("sweep d.json --out d.db", 0);
    assert_int_equal((int)sweep_number("d.db", "SELECT count(*) FROM cases"), 4);
    for (int i = 0; i < 4; i++) {
        const char *sql = claims_text("SELECT \"end.y[0]\" FROM cases WHERE k = %d AND number = %d", i + 1, i);
        assert_true(fabs(sweep_number("d.db", sql) - exp(-(i + 1.0))) < 1e-4);
        sql = claims_text("SELECT steps > 10 AND residual_calls >= steps AND t = 1 AND length(state) = 8 FROM cases "
                          "WHERE number = %d",
                          i);
        assert_int_equal((int)sweep_number("d.db", sql), 1);
    }
}

/* From rest at y = 0 the rod pulls with 3 m g (-y) / L, by the conservation of energy; both are told by the model. */
COMMAND_CLAIM(outputs_of_the_model_are_columns)
{
    sweep_write_plan("o.json",
                     "{\"model\": \"pendulum\", \"fixed\": {\"g\": 10, \"--t-end\": 0.4, \"--rtol\": 1e-8},"
                     " \"vary\": {\"L\": [0.5, 1, 2]},"
                     " \"outputs\": [\"y\", \"tension\", \"max.out.energy\", \"min.energy\", \"max.tension\"]}");
    run("sweep o.json", 0);
    assert_true(sweep_number("o.db", "SELECT min(\"end.tension\") FROM cases") > 1);
    assert_true(sweep_number("o.db", "SELECT max(abs(\"end.tension\" + 30 * \"end.y\" / L)) FROM cases") < 1e-3);
    assert_true(sweep_number("o.db", "SELECT max(\"max.energy\" - \"min.energy\") FROM cases") < 1e-4);
    assert_true(sweep_number("o.db", "SELECT min(\"max.tension\" - \"end.tension\") FROM cases") >= 0);
}

/* The plugin's component is y[0]; one of its outputs has that name, too, and another one looks like an extreme. */
COMMAND_CLAIM(outputs_of_any_name_have_their_own_columns)
{
    sweep_write_plan("n.json", "{\"model\": \"%s\", \"vary\": {\"k\": [1, 2]}}");
    for (int again = 0; again < 2; again++) {
        run("sweep n.json", 0);
        assert_true(sweep_number("n.db", "SELECT max(abs(\"end.y[0]\" - exp(-k))) FROM cases") < 1e-5);
        assert_true(sweep_number("n.db", "SELECT max(abs(\"end.y[0] 2\" - k - 100)) FROM cases") == 0);
        assert_true(sweep_number("n.db", "SELECT max(abs(\"end.max.rate\" - k)) FROM cases") == 0);
        assert_true(sweep_number("n.db", "DELETE FROM cases WHERE number = 1 RETURNING number") == 1); /* goes on */
    }
}

/* The same case alone: `solve` has no part in the sweep. */
COMMAND_CLAIM(a_case_ends_where_solve_ends)
{
    double row[16];
    sweep_write_plan("one.csv", "phi0,--rtol,--t-end\n0.25,1e-7,0.4\n");
    run("sweep one.csv --model pendulum", 0);
    run("solve pendulum -p phi0=0.25 --rtol 1e-7 --t-end 0.4 --points 1 --out t.csv", 0);
    test_file csv = test_file_read("t.csv");
    assert_true(command_csv_row(csv.bytes, 1, row, 16) >= 3);
    assert_true(sweep_number("one.db", "SELECT \"end.x\" FROM cases") == row[1]);
    assert_true(sweep_number("one.db", "SELECT \"end.y\" FROM cases") == row[2]);
}

/* One process runs the same three cases in several orders; all unknowns and counters of a case repeat bit for bit. */
COMMAND_CLAIM(a_case_does_not_depend_on_the_cases_before_it)
{
    sweep_write_plan("again.csv", "phi0,L,--rtol,--form\n0.25,1,1e-7,\n0.5,2,1e-4,index2\n1,1.5,1e-6,\n"
                                  "1,1.5,1e-6,\n0.25,1,1e-7,\n0.5,2,1e-4,index2\n0.5,2,1e-4,index2\n0.25,1,1e-7,\n");
    run("sweep again.csv --model pendulum --t-end 0.4 --jobs 1", 0);
    assert_int_equal((int)sweep_number("again.db", "SELECT count(DISTINCT pid) FROM clock"), 1);
    assert_int_equal((int)sweep_number("again.db", "SELECT count(DISTINCT phi0) FROM cases"), 3);
    assert_int_equal(
        (int)sweep_number("again.db", "SELECT count(DISTINCT hex(state) || ' ' || steps || ' ' || step_attempts || ' ' "
                                      "|| newton_iterations || ' ' || residual_calls || ' ' || jacobian_evaluations "
                                      "|| ' ' || factorisations) FROM cases"),
        3);
}

COMMAND_CLAIM(whatever_a_case_does_is_a_row_and_harms_no_other)
{
    static const struct {
        int what;
        const char *status, *words;
    } rows[] = {
        {0, "ok", "NULL"},
        {1, "crashed", "crashes: signal 11 (Segmentation fault)"},
        {2, "time limit", "the time limit is exceeded, and a callback does not return"},
        {3, "crashed", "the model ended the process with code 3"},
        {4, "failed", "residual"},
        {5, "crashed", "was killed 3 times (signal 9)"},
        {6, "failed", "residual"},
        {7, "refused", "this one cannot be made"},
        {0, "ok", "NULL"},
    };
    command_sanitizer_option(
        "detect_leaks=0:handle_segv=0"); /* exit() in the middle of a model; signals are told by us */
    sweep_write_plan("f.json", "{\"model\": \"%s\", \"fixed\": {\"--time-limit\": 0.3},"
                               " \"vary\": {\"what\": [0, 1, 2, 3, 4, 5, 6, 7, 0]}}");
    for (int jobs = 1; jobs <= 2; jobs++) run(claims_text("sweep f.json --jobs %d --out f%d.db", jobs, jobs), 1);
    char *one = sweep_table("f1.db"), *two = sweep_table("f2.db");
    assert_string_equal(one, two);
    free(one);
    free(two);
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        const char *sql = claims_text("SELECT status FROM cases WHERE number = %d AND what = %d", i, rows[i].what);
        assert_string_equal(sweep_word("f1.db", sql), rows[i].status);
        sql = claims_text("SELECT message FROM cases WHERE number = %d", i);
        command_expect_words(sweep_word("f1.db", sql), rows[i].words);
    }
    assert_true(fabs(sweep_number("f1.db", "SELECT \"end.y[0]\" FROM cases WHERE number = 8") - exp(-1)) < 1e-4);
    assert_int_equal(
        (int)sweep_number("f1.db", "SELECT count(*) FROM cases WHERE status = 'time limit' AND steps IS NULL"), 1);
}

COMMAND_CLAIM(a_plan_that_is_wrong_is_refused_by_line_or_name)
{
    static const struct {
        const char *path, *plan, *words;
    } wrong[] = {
        {"a.json", "{\"model\": \"pendulum\",\n \"vary\": {\"L\": [1, 2}}", "a.json, line 2:"},
        {"a.json", "[1]", "must be one JSON object"},
        {"a.json", "{\"vary\": {\"L\": [1]}}", "the plan does not name a model"},
        {"a.json", "{\"model\": \"pendulom\", \"vary\": {\"L\": [1]}}", "did you mean 'pendulum'?"},
        {"a.json", "{\"model\": \"pendulum\", \"varry\": {\"L\": [1]}}", "did you mean 'vary'?"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"phi\": [1]}}",
         "has no parameter 'phi'; did you mean 'phi0'?"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"--rtoll\": [1]}}", "did you mean '--rtol'?"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"--out\": [\"x\"]}}", "a case has no option '--out'"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"--rtol\": [1e-4, -1]}}", "--rtol -1: must be > 0"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": [1, \"x\"]}}", "L = 'x': is not a number"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": [-1]}}", "L = -1: must be from 1e-06 to"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": [[1]]}}", "L: a value must be a number"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": 3}}", "L: must be a list, a range"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": {\"from\": 1, \"to\": 2}}}", "L: 'points' is missing"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": {\"distribution\": \"normal\"}}}", "needs \"design\""},
        {"a.json", "{\"model\": \"pendulum\", \"cases\": 3, \"vary\": {\"L\": [1]}}",
         "cases: has no effect with design grid"},
        {"a.json", "{\"model\": \"pendulum\", \"design\": \"grit\", \"vary\": {\"L\": [1]}}", "did you mean 'grid'?"},
        {"a.json", "{\"model\": \"pendulum\", \"design\": \"monte-carlo\", \"cases\": 3, \"vary\": {\"L\": [1]}}",
         "'seed' is missing"},
        {"a.json",
         "{\"model\": \"pendulum\", \"design\": \"monte-carlo\", \"cases\": 3, \"seed\": 1,"
         " \"vary\": {\"L\": {\"distribution\": \"normal\", \"mean\": 1, \"sd\": 0}}}",
         "L: normal needs sd > 0"},
        {"a.json",
         "{\"model\": \"pendulum\", \"design\": \"monte-carlo\", \"cases\": 3, \"seed\": 1,"
         " \"vary\": {\"L\": {\"distribution\": \"norml\", \"mean\": 1, \"sd\": 0}}}",
         "did you mean 'normal'?"},
        {"a.json", "{\"model\": \"pendulum\", \"design\": \"list\", \"vary\": {\"L\": [1, 2], \"m\": [1]}}",
         "m: has 1 values, 'L' has 2"},
        {"a.json", "{\"model\": \"pendulum\", \"fixed\": {\"L\": 1}, \"vary\": {\"L\": [1]}}", "'L' is given twice"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": [1]}, \"outputs\": [\"max.q\"]}", "no component 'q'"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": []}}", "the plan has no cases"},
        {"a.json",
         "{\"model\": \"pendulum\", \"design\": \"monte-carlo\", \"cases\": 0, \"seed\": 1, \"vary\": {\"L\": [1]}}",
         "the plan has no cases"},
        {"a.json", "{\"model\": \"pendulum\", \"fixed\": {\"--gamma\": 1}, \"vary\": {\"L\": [1]}}",
         "none of the first 1 cases can be opened; case 0: pendulum: --gamma has no effect"},
        {"a.json", "{\"model\": \"pendulum\", \"vary\": {\"L\": {\"from\": 1, \"to\": 2, \"points\": 1000000000}}}",
         "'points' must be a whole number from 1 to 1000000"},
        {"a.csv", "", "the plan has no cases"},
        {"a.csv", "L,m\n", "the plan has no cases"},
        {"a.csv", "L,m\n1,2\n1\n", "a.csv, line 3: has fewer cells than the header, 2"},
        {"a.csv", "L,m\n1,2,3\n", "a.csv, line 2: has more cells"},
        {"a.csv", "L,m\n1,2\n\n1,\"2\n", "line 4: a closing quote is missing"},
        {"a.csv", "L,m\n1,2\n\n1,abc\n", "a.csv, line 4: m = 'abc': is not a number"},
        {"a.csv", "L,L\n1,2\n", "'L' is given twice"},
        {"a.csv", "L,\n1,2\n", "line 1: a column has no name"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int is_csv = strcmp(wrong[i].path, "a.csv") == 0;
        sweep_write_plan(wrong[i].path, wrong[i].plan);
        command_expect_refusal(is_csv ? "sweep a.csv --model pendulum" : "sweep a.json", 2, wrong[i].words);
        assert_int_equal(access("a.db", F_OK), -1);
    }
    command_expect_refusal("sweep nothing.json", 2, "cannot read nothing.json: No such file");
    command_expect_refusal("sweep", 2, "give a plan");
    command_expect_refusal("sweep a.json b.json", 2, "give only one plan");
}

COMMAND_CLAIM(a_file_that_cannot_take_the_rows_is_refused)
{
    sweep_write_plan("d.json", decays);
    command_expect_refusal("sweep d.json --out nowhere/d.db", 74, "cannot write nowhere/d.db: No such file");
    test_file_write("text.db", "this is no database of SQLite at all, but a text that is long enough\n", 69);
    command_expect_refusal("sweep d.json --out text.db", 74, "text.db: file is not a database");
    run("sweep d.json --out d.db", 0);
    sweep_write_plan("d.json", "{\"model\": \"%s\", \"vary\": {\"k\": [1]}}");
    command_expect_refusal("sweep d.json --out d.db", 2,
                           "d.db: belongs to another plan than d.json; --out names another");
    sweep_write_plan("d.json", decays);
    command_expect_refusal("sweep d.json --out d.db --rtol 1e-3", 2, "d.db: belongs to other options");
    run("sweep d.json --out=d.db -j 3 --quiet", 0);
    run("sweep d.json --out=d.db --csv /dev/null --report /dev/null -q", 0);
    command_expect_refusal("sweep d.json --csv d.json", 2, "--csv d.json: would overwrite the plan");
    command_expect_refusal("sweep d.json --out d.json", 2, "--out d.json: would overwrite the plan");
    command_expect_refusal("sweep d.json --report ./d.db", 2, "--report ./d.db: --out has the same file");
    command_expect_refusal("sweep d.json --csv d.x --report d.x", 2, "--report d.x: --csv has the same file");
    command_expect_refusal("sweep d.json --out q.db --csv ./q.db", 2, "--csv ./q.db: --out has the same file");
    command_expect_refusal("sweep d.json --csv z --report ./z", 2, "--report ./z: --csv has the same file");
    command_expect_refusal("sweep d.json --csv d.db-journal", 2,
                           "--csv d.db-journal: the journal of --out has the same file");
    command_expect_refusal("sweep d.json --out z.db --report ./z.db-journal", 2,
                           "the journal of --out has the same file");
    command_expect_refusal("sweep d.json --csv /dev/full", 74, "cannot write /dev/full: No space left on device");
}

/* Rows that do not fit on the disk: a line, and the next start goes on. */
COMMAND_CLAIM(a_full_disk_ends_it_with_a_line)
{
    struct rlimit before, limit;
    sweep_write_plan("d.json", "{\"model\": \"%s\", \"vary\": {\"k\": {\"from\": 1, \"to\": 4, \"points\": 400}}}");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 20000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    command_result r = command_run("sweep d.json");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    command_expect_complaint(&r, "sweep d.json", 74);
    command_expect_words(r.err.bytes, "cannot write d.db");
    run("sweep d.json", 0);
    assert_int_equal((int)sweep_number("d.db", "SELECT count(*) FROM cases WHERE status = 'ok'"), 400);
}

COMMAND_CLAIM(ctrl_c_says_how_to_go_on)
{
    command c;
    pid_t children[2];
    sweep_write_plan("s.json", "{\"model\": \"%s\", \"fixed\": {\"what\": 8},"
                               " \"vary\": {\"k\": {\"from\": 1, \"to\": 4, \"points\": 300}}}");
    command_start(&c, "sweep s.json --jobs 2");
    sweep_wait_for_children(c.pid, children, 2);
    sweep_nap(100000);
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    command_expect_complaint(&r, "sweep s.json", 130);
    command_expect_words(r.err.bytes, " of 300 cases are in s.db; the same command continues\n");
    const int n = (int)sweep_number("s.db", "SELECT count(*) FROM cases");
    assert_in_range(n, 1, 299);
    run("sweep s.json", 0);
    assert_int_equal((int)sweep_number("s.db", "SELECT count(*) FROM cases WHERE status = 'ok'"), 300);
}

COMMAND_CLAIM(a_second_sweep_into_the_same_file_is_refused)
{
    command c;
    pid_t children[2];
    sweep_write_plan("s.json", "{\"model\": \"%s\", \"fixed\": {\"what\": 8},"
                               " \"vary\": {\"k\": {\"from\": 1, \"to\": 4, \"points\": 2000}}}");
    command_start(&c, "sweep s.json --jobs 2");
    sweep_wait_for_children(c.pid, children, 2);
    command_expect_refusal("sweep s.json", 2, "s.db: another sweep writes to this file");
    kill(c.pid, SIGTERM);
    assert_int_equal(command_finish(&c).code, 128 + SIGTERM);
}

COMMAND_CLAIM(warnings_of_a_case_that_is_ok_are_counted_and_the_first_is_told)
{
    sweep_write_plan("w.json", "{\"model\": \"%s\", \"vary\": {\"what\": [0, 9]}}");
    run("sweep w.json --out w.db --report w.html", 0);
    assert_int_equal((int)sweep_number("w.db", "SELECT warnings FROM cases WHERE what = 0 AND message IS NULL"), 0);
    assert_int_equal((int)sweep_number("w.db", "SELECT warnings FROM cases WHERE what = 9 AND status = 'ok'"), 1);
    command_expect_words(sweep_word("w.db", "SELECT message FROM cases WHERE what = 9"),
                         "start: y0 and yp0 are not consistent: F");
    command_expect_words(test_file_read("w.html").bytes, "with warnings");
}

COMMAND_CLAIM(the_table_goes_to_csv_and_to_a_page)
{
    sweep_write_plan("f.json", "{\"model\": \"%s\", \"vary\": {\"k\": [1, 2.5], \"what\": [0, 7]}}");
    run("sweep f.json --csv f.csv --report f.html", 1);
    test_file csv = test_file_read("f.csv"), page = test_file_read("f.html");
    assert_int_equal(command_lines(csv.bytes), 5);
    command_expect_words(csv.bytes, "number,k,what,status,code,message,t,steps,");
    command_expect_words(csv.bytes, "\n3,2.5,7,refused,,faults: this one cannot be made,,,");
    command_expect_words(page.bytes, "4 cases of faults");
    command_expect_words(page.bytes, "faults: this one cannot be made");
    command_expect_words(page.bytes, "</html>");
    assert_int_equal(test_count(page.bytes, "<script"), 0);
    assert_int_equal(command_lines(command_run("sweep f.json --csv -").out.bytes), 5);
}

/* Ticks of nine decades of k, and of y that varies in its fourth digit, are all different. */
static void check_ticks(const char *svg)
{
    const char *end = strstr(svg, "</svg>");
    char ticks[40][32];
    int n = 0;
    for (const char *at = svg; (at = strstr(at, "<text>")) && at < end; at++) {
        char text[32] = "";
        sscanf(at, "<text>%31[^<]", text);
        for (int i = 0; i < n; i++)
            if (strcmp(ticks[i], text) == 0) fail_msg("two labels \"%s\"", text);
        if (n < 40) memcpy(ticks[n++], text, sizeof text);
    }
    assert_in_range(n, 8, 20); /* two axes and their names, three words */
}

COMMAND_CLAIM(pictures_have_a_colour_for_each_word_and_show_what_it_costs)
{
    command_needs_gnuplot();
    const char *plan =
        "{\"model\": \"bushing-pendulum\", \"vary\": {\"k\": {\"from\": 1e2, \"to\": 1e11, \"points\": 10, "
        "\"scale\": \"log\"}, \"--jacobian\": [\"auto\", \"fresh\", \"dense\"]}, "
        "\"outputs\": [\"y1'\"]}";
    test_file_write("w.json", plan, strlen(plan));
    run("sweep w.json --report w.html", 0);
    test_file page = test_file_read("w.html");
    command_expect_words(page.bytes, "<title>Sweep of bushing-pendulum, w.json</title>");
    command_expect_words(page.bytes, "<h1>Sweep of bushing-pendulum</h1>");
    command_expect_words(page.bytes, "end.y1&#39;</th><td>m/s</td>");
    command_expect_words(page.bytes, "<text>end.y1' [m/s]</text>");
    assert_int_equal(test_count(page.bytes, "<text>k [N/m]</text>"), 3);
    command_expect_words(page.bytes, "<text>seconds [s]</text>");
    assert_int_equal(test_count(page.bytes, "<div class=\"pair\">"), 1); /* rows are filled one after the other */
    static const char *const captions[] = {"end.y1' over k", "residual_calls over k", "seconds over k"};
    const char *svg = page.bytes;
    for (int i = 0; i < 3; i++) {
        svg = strstr(svg, "<svg");
        assert_non_null(svg);
        check_ticks(svg);
        for (int k = 0; k < 3; k++)
            if (!strstr(svg, (const char *const[]){"auto", "fresh", "dense"}[k]))
                fail_msg("no legend of %s", captions[i]);
        svg = strstr(svg, "</svg>");
        assert_non_null(svg);
    }
}

/* Labels of an axis by logarithms stand at powers of ten, wherever the values begin. */
COMMAND_CLAIM(axes_by_logarithms_have_their_labels_where_the_values_are)
{
    command_needs_gnuplot();
    const char *plan = "{\"model\": \"bushing-pendulum\", \"vary\": {\"k\": [1e4, 1e5, 1e6, 1e7, 1e8]}, "
                       "\"outputs\": [\"y1'\"]}";
    test_file_write("ax.json", plan, strlen(plan));
    run("sweep ax.json --report ax.html", 0);
    test_file page = test_file_read("ax.html");
    static const char *const labels[] = {"1e4", "1e5", "1e6", "1e7", "1e8"};
    double x[5], left = NAN, right = NAN; /* of the labels; of the symbols: where the axis' ends are */
    const char *end = strstr(page.bytes, "</svg>");
    for (int i = 0; i < 5; i++) {
        const char *text = claims_text("<text>%s", labels[i]);
        const char *at = strstr(page.bytes, text);
        assert_true(at && at < end);
        while (strncmp(at, "translate(", 10) != 0) at--;
        assert_int_equal(sscanf(at, "translate(%lf", &x[i]), 1);
    }
    for (const char *at = page.bytes; (at = strstr(at, "gpPt6' transform='translate(")) && at < end; at++) {
        const double here = strtod(strchr(at, '(') + 1, NULL);
        left = fmin(left, here), right = fmax(right, here);
    }
    assert_true(fabs(x[0] - left) < 1 && fabs(x[4] - right) < 1);
}

/* More than a compound SELECT of SQLite may have. */
COMMAND_CLAIM(a_page_has_any_number_of_outputs)
{
    enum { OUTPUTS = 600 };
    char text[OUTPUTS * 8 + 100] = "{\"model\": \"%s\", \"vary\": {\"k\": [1, 2]}, \"outputs\": [\"y[0]\"";
    for (int i = 1; i < OUTPUTS; i++) strcat(text, ",\"y[0]\"");
    sweep_write_plan("l.json", strcat(text, "]}"));
    run("sweep l.json --report l.html", 0);
    command_expect_words(test_file_read("l.html").bytes, "end.y[0] 600");
}
