/* test_command_pattern.c - what `resida pattern` and `resida reproduce` promise: a picture is whole or not there, it
 * shows every entry once, columns of a group can be differenced together, and published numbers stand beside measured
 * ones: those of the train's Jacobian, and those of the chain for both readings of omega. Pictures need gnuplot;
 * without it those tests are skipped. */
#include <sys/stat.h>

#include "test/command/command_fixture.h"

static void expect_ending(const test_file *file, const char *ending)
{
    size_t n = strlen(ending);
    assert_true(file->size > n && memcmp(file->bytes + file->size - n, ending, n) == 0);
}

COMMAND_CLAIM(a_picture_has_a_square_for_each_entry)
{
    command_needs_gnuplot();
    static const char *const models[] = {"andrews", "chain-cartesian -p n=14", "akzo", "pendulum --jacobian dense"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        json_t *row = command_json(claims_text("pattern %s --out a.svg --format json", models[i]), 0);
        test_file svg = test_file_read("a.svg");
        assert_int_equal(strncmp(svg.bytes, "<?xml", 5), 0);
        expect_ending(&svg, "</svg>\n\n");
        assert_int_equal(test_count(svg.bytes, "<polygon "), (int)command_number(row, "nnz"));
    }
    assert_int_equal(command_files(), 1);
}

/** Andrews' mechanism in the residual formalism: ten columns in three groups; tics are 5, 10, 15 ... */
COMMAND_CLAIM(each_column_has_the_number_of_its_group)
{
    command_needs_gnuplot();
    command_run_well("pattern andrews --out a.svg");
    test_file svg = test_file_read("a.svg");
    int numbers = test_count(svg.bytes, "<text>1</text>") + test_count(svg.bytes, "<text>2</text>") +
                  test_count(svg.bytes, "<text>3</text>");
    assert_int_equal(numbers, 10);
    assert_int_equal(test_count(svg.bytes, "<text>4</text>"), 0);
}

COMMAND_CLAIM(settings_of_gnuplot_are_not_in_the_way)
{
    command_needs_gnuplot();
    test_file_write(".gnuplot", "exit status 3\n", 14);
    setenv("HOME", command_folder(), 1);
    setenv("GNUTERM", "no such terminal", 1);
    command_run_well("pattern akzo --out a.svg");
    unsetenv("GNUTERM");
}

COMMAND_CLAIM(a_png_is_whole)
{
    command_needs_gnuplot();
    command_run_well("pattern slider-crank --out a.png");
    test_file png = test_file_read("a.png");
    static const char end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', (char)0xAE, 0x42, 0x60, (char)0x82};
    assert_true(png.size > sizeof end);
    assert_memory_equal(png.bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png.bytes + png.size - sizeof end, end, sizeof end);
}

/** The text after its sizes holds one character other than '.', borders and names for each entry. */
COMMAND_CLAIM(letters_show_every_entry)
{
    command_result text = command_run_well("pattern andrews"), data = command_run_well("pattern andrews --format json");
    json_t *row = command_row(&data);
    int n = (int)command_number(row, "n"), entries = 0, rows = 0;
    char *line = strstr(text.out.bytes, "\n\n");
    assert_non_null(line);
    for (line = strtok(line, "\n"); line; line = strtok(NULL, "\n")) {
        if (strlen(line) != (size_t)(7 + n + 3) || line[7] == '-' || strncmp(line + 7, "p ", 2) == 0) continue;
        rows++;
        for (const char *c = line + 7; *c; c++) entries += *c != '.' && *c != '|';
    }
    assert_int_equal(rows, n);
    assert_int_equal(entries, (int)command_number(row, "nnz"));
}

static int whole(const json_t *array, int i)
{
    assert_true(i >= 0 && (size_t)i < json_array_size(array));
    return (int)json_real_value(json_array_get(array, (size_t)i));
}

/** Where columns of a group must not meet: in every row of a general DAE; of a mechanism in the dynamic rows, whose
 *  formalism costs the residual calls (here the constraints add no entries to them that damping has not). */
static const struct {
    const char *line;
    int first, end, groups_max;
} grouped[] = {
    {"pattern akzo --format json", 0, 6, 6},
    {"pattern robertson --format json", 0, 3, 3},
    {"pattern chain-cartesian -p n=8 -p d=0.5 --format json", 16, 32, 24},
};

COMMAND_CLAIM(columns_of_a_group_share_no_row)
{
    for (size_t k = 0; k < sizeof grouped / sizeof grouped[0]; k++) {
        json_t *row = command_json(grouped[k].line, 0);
        const json_t *group = command_member(row, "group"), *start = command_member(row, "column_start");
        const json_t *rows = command_member(row, "row");
        int n = (int)command_number(row, "n"), groups = (int)command_number(row, "groups"), largest = -1;
        char used[64][64] = {{0}};
        assert_true(n <= 64 && groups <= grouped[k].groups_max && (int)json_array_size(group) == n);
        for (int c = 0; c < n; c++) {
            int g = whole(group, c);
            assert_true(g >= -1 && g < groups);
            if (g > largest) largest = g;
            for (int e = whole(start, c); e < whole(start, c + 1) && g >= 0; e++) {
                int at = whole(rows, e);
                if (at < grouped[k].first || at >= grouped[k].end) continue;
                assert_int_equal(used[g][at], 0);
                used[g][at] = 1;
            }
        }
        assert_int_equal(largest + 1, groups);
        assert_int_equal(whole(start, n), (int)command_number(row, "nnz"));
    }
}

COMMAND_CLAIM(columns_one_by_one_have_no_groups)
{
    json_t *row = command_json("pattern pendulum --jacobian dense --format json", 0);
    double n = command_number(row, "n");
    assert_true(json_is_null(command_member(row, "group")) && json_is_null(command_member(row, "groups")));
    assert_true(command_number(row, "nnz") <= n * n);
}

static const command_refusal refusals[] = {
    {"pattern", 2, "give a model"},
    {"pattern andrews chain", 2, "give only one model"},
    {"pattern andrews --jacobian spars", 2, "unknown Jacobian strategy 'spars'"},
    {"pattern andrews --strategy sparse", 2, "no option --strategy"},
    {"pattern andrews --out a.pdf", 2, "must end in .svg or .png"},
    {"pattern andrews --out .svg", 2, "must end in .svg or .png"},
    {"pattern andrews --out -", 2, "must end in .svg or .png"},
    {"pattern andrews --out nowhere/a.svg", 74, "nowhere/a.svg"},
    {"pattern andrews --out folder.svg", 74, "folder.svg"},
    {"pattern andrews --out a.svg --max-residuals 1", 1, "andrews: "},
    {"resida-bench reproduce", 2, "give exactly one ITEM: table1, table2, table3, extended, fig3"},
    {"resida-bench reproduce table2 fig7", 2, "give exactly one ITEM"},
    {"resida-bench reproduce tabel3", 2, "did you mean 'table3'"},
    {"resida-bench reproduce everything", 2, "the items are table1, table2"},
    {"resida-bench reproduce table1 --out a.svg", 2, "--out"},
    {"resida-bench reproduce table2 --out a.svg", 2, "--out"},
    {"resida-bench reproduce fig3 --out a.pdf", 2, "must end in .svg or .png"},
    {"resida-bench reproduce fig4 --out nowhere/a.svg", 74, "nowhere/a.svg"},
    {"resida-bench reproduce fig7 --out a.pdf", 2, "must end in .svg or .png"},
    {"resida-bench reproduce fig7 --out nowhere/a.svg", 74, "nowhere/a.svg"},
};

COMMAND_CLAIM(what_cannot_be_drawn_gets_one_line)
{
    assert_int_equal(mkdir("folder.svg", 0700), 0);
    command_expect_refusals(refusals, sizeof refusals / sizeof *refusals);
    assert_int_equal(remove("folder.svg"), 0);
}

/** With this as "gnuplot", or none at all when script is NULL, the old picture stays. */
static void expect_no_picture(const char *script, const char *words)
{
    assert_true(mkdir("bin", 0700) == 0);
    if (script) {
        test_file_write("bin/gnuplot", script, strlen(script));
        assert_int_equal(chmod("bin/gnuplot", 0700), 0);
    }
    setenv("PATH", claims_text("%s/bin", command_folder()), 1);
    test_file_write("a.svg", "old\n", 4);
    static const char *const lines[] = {"pattern andrews --out a.svg", "resida-bench reproduce fig7 --out a.svg"};
    for (int i = 0; i < 2; i++) command_expect_refusal(lines[i], 1, words);
    assert_string_equal(test_file_read("a.svg").bytes, "old\n");
    assert_int_equal(command_files(), 2);
    if (script) assert_int_equal(remove("bin/gnuplot"), 0);
    assert_int_equal(remove("bin"), 0);
}

COMMAND_CLAIM(a_picture_that_is_not_drawn_leaves_no_file)
{
    expect_no_picture(NULL, "gnuplot is not installed");
    expect_no_picture("#!/bin/sh\necho '<svg'\necho 'line 3: it broke' >&2\nexit 3\n", "line 3: it broke");
    expect_no_picture("#!/bin/sh\necho '<svg'\nkill -9 $$\n", "gnuplot failed");
    expect_no_picture("#!/bin/sh\nexit 0\n", "drew nothing");
}

/** Table 2 as printed: N, strategy, cpu [s], #Je, #updates, percent. */
static const struct {
    int n;
    const char *strategy;
    double cpu, evaluations, updates, percent;
} printed[] = {
    {12, "dense", 5.69, 59, 0, 100},
    {12, "sparse", 5.24, 72, 0, 92.1},
    {12, "dense+extended", 4.68, 9, 27, 82.2},
    {12, "sparse+extended", 5.09, 10, 59, 89.5},
    {14, "dense", 9.03, 96, 0, 100},
    {14, "sparse", 6.76, 70, 0, 74.9},
    {14, "dense+extended", 6.78, 12, 62, 75.1},
    {14, "sparse+extended", 6.16, 8, 16, 68.2},
};
enum { N_PRINTED = sizeof printed / sizeof printed[0] };
static const double omega[2] = {0.31415926535897931, 0.05};

/** What the paper printed for a row; others have nothing. @return 1; 0 */
static int expect_printed(const json_t *row)
{
    for (int i = 0; i < N_PRINTED; i++) {
        if (command_number(row, "params.n") != printed[i].n || !json_is_string(command_member(row, "jacobian_asked")) ||
            strcmp(command_word(row, "jacobian_asked"), printed[i].strategy) != 0)
            continue;
        assert_non_null(strstr(command_word(row, "published.source"), "Table 2"));
        assert_true(command_number(row, "published.cpu_s") == printed[i].cpu);
        assert_true(command_number(row, "published.jacobian_evaluations") == printed[i].evaluations);
        assert_true(command_number(row, "published.jacobian_updates") == printed[i].updates);
        assert_true(command_number(row, "published.percent") == printed[i].percent);
        assert_true((command_number(row, "jacobian_updates.alpha") > 0) == (strchr(printed[i].strategy, '+') != NULL));
        return 1;
    }
    assert_true(json_is_null(command_member(row, "published")));
    return 0;
}

/** Rows of 12 and of 14 pendulums, for either reading; the first of each is 100 %. */
COMMAND_CLAIM(table2_has_both_readings_beside_what_was_published)
{
    char *rest = command_run_well("resida-bench reproduce table2 --format json --repeat 1").out.bytes;
    int n_printed[2] = {0, 0}, n_whole = 0;
    double last_n = 0, last_omega = 0;
    while (*rest) {
        json_t *row = command_next_row(&rest);
        int reading = command_number(row, "params.omega") == omega[1];
        int is_first = command_number(row, "params.n") != last_n || command_number(row, "params.omega") != last_omega;
        assert_true(command_number(row, "params.omega") == omega[reading]);
        assert_string_equal(command_word(row, "status"), "ok");
        assert_true(command_number(row, "rtol") == 1e-4 && command_number(row, "atol") == 1e-6);
        assert_true(command_number(row, "t_reached") >= 200);
        assert_true(is_first ? command_number(row, "percent") == 100 : command_number(row, "percent") > 0);
        n_whole += is_first;
        n_printed[reading] += expect_printed(row);
        last_n = command_number(row, "params.n");
        last_omega = command_number(row, "params.omega");
    }
    assert_int_equal(n_whole, 4);
    assert_true(n_printed[0] == N_PRINTED && n_printed[1] == N_PRINTED);
}

COMMAND_CLAIM(table2_as_text_shows_both_readings)
{
    command_result r = command_run_well("resida-bench reproduce table2 --repeat 1");
    assert_int_equal(test_count(r.out.bytes, "\n  N = 14, omega = 2 pi 0.05 "),
                     test_count(r.out.bytes, "\n  N = 14, omega = 0.05 "));
    assert_true(test_count(r.out.bytes, "\n  N = 12, omega = 0.05 ") >= 7);
    assert_int_equal(test_count(r.out.bytes, "| 5.69  100.0    -     -   59    0\n"), 2);
    assert_int_equal(test_count(r.out.bytes, "| 6.16   68.2    -     -    8   16\n"), 2);
}

static void expect_times(const json_t *times, double n)
{
    double last = 0;
    assert_true((double)json_array_size(times) == n);
    for (size_t i = 0; i < json_array_size(times); i++) {
        double t = json_real_value(json_array_get(times, i));
        assert_true(t >= last && t <= 200);
        last = t;
    }
}

/** Entries (row, column) of a pattern in JSON, both from 0 on. */
typedef struct entries {
    int n;
    char at[98][98];
} entries;

static entries read_entries(const json_t *row)
{
    entries J = {.n = (int)command_number(row, "n")};
    const json_t *start = command_member(row, "column_start"), *rows = command_member(row, "row");
    assert_int_equal(J.n, 98);
    for (int c = 0; c < J.n; c++)
        for (int e = whole(start, c); e < whole(start, c + 1); e++) J.at[whole(rows, e)][c] = 1;
    return J;
}

/** "In rows 42 ... 46 the non-zero entries result from the dynamics of the car body itself (columns 1 ... 5 and 42 ...
 *  46) and from the dynamical interaction of car body and bogies (columns 6 ... 11, 24 ... 29, 47 ... 52 and 65 ...
 *  70)." */
static void expect_car_body(const entries *J)
{
    static const int part[][2] = {{1, 11}, {24, 29}, {42, 52}, {65, 70}};
    for (int r = 41; r < 46; r++)
        for (int c = 0; c < J->n; c++) {
            int coupled = 0;
            for (int k = 0; k < 4; k++) coupled |= c + 1 >= part[k][0] && c + 1 <= part[k][1];
            assert_int_equal(J->at[r][c], coupled);
        }
}

static int share_a_row(const entries *J, int a, int b)
{
    int n = 0;
    for (int r = 0; r < J->n; r++) n += J->at[r][a - 1] && J->at[r][b - 1];
    return n > 0;
}

/** Columns of a group share no row at all; columns 54 and 72 could be one, those of the two bogies could not. */
static void expect_groups(const entries *J, const json_t *row)
{
    const json_t *group = command_member(row, "group");
    char used[98][98] = {{0}};
    int columns = 0;
    for (int c = 0; c < J->n; c++) {
        int g = whole(group, c);
        columns += g >= 0;
        for (int r = 0; r < J->n && g >= 0; r++) {
            assert_false(used[g][r] && J->at[r][c]);
            used[g][r] |= J->at[r][c];
        }
    }
    assert_int_equal(columns, 90);
    assert_false(share_a_row(J, 54, 72));
    for (int a = 6; a <= 11; a++)
        for (int b = 24; b <= 29; b++) assert_true(share_a_row(J, a, b));
}

/** Squares: 48 entries are in columns of eta, which are in no group. */
COMMAND_CLAIM(figures_3_to_5_show_the_entries_that_the_paper_counts)
{
    command_needs_gnuplot();
    static const struct {
        const char *line, *file, *words;
        int squares;
    } figures[] = {
        {"resida-bench reproduce fig3 --format json", "fig3.svg", "1620 non-zeros (paper: 1620)", 1620},
        {"resida-bench reproduce fig4 --format json", "fig4.svg", "46 groups for 90 columns (paper: 46 for 90)", 1620},
        {"resida-bench reproduce fig5 --format json", "fig5.svg", "46 groups for 90 columns (paper: 46 for 90)", 1572}};
    for (int i = 0; i < 3; i++) {
        json_t *row = command_json(figures[i].line, 0);
        entries J = read_entries(row);
        expect_car_body(&J);
        expect_groups(&J, row);
        assert_true(command_number(row, "nnz") == 1620 && command_number(row, "published.nnz") == 1620);
        assert_true(command_number(row, "groups") == 46 && command_number(row, "published.groups") == 46);
        assert_true(command_number(row, "t") >= 15);
        test_file svg = test_file_read(figures[i].file);
        assert_int_equal(test_count(svg.bytes, "<polygon "), figures[i].squares);
        assert_non_null(strstr(svg.bytes, figures[i].words));
    }
    assert_int_equal(command_files(), 3);
}

/** Each time of fig7 is one that a run without its steps in between counts as well, made as the paper did. */
COMMAND_CLAIM(fig7_has_a_time_for_each_evaluation_and_update)
{
    command_needs_gnuplot();
    static const char *const strategies[] = {"dense", "dense+extended"};
    static const double evaluations[] = {43, 6};
    char *rest = command_run_well("resida-bench reproduce fig7 --format json").out.bytes;
    for (int i = 0; i < 4; i++) {
        json_t *row = command_next_row(&rest);
        const char *line = claims_text(
            "solve chain -p n=16 -p omega=%.17g --jacobian %s --no-stability-detection --min-order 1 --format json",
            omega[i / 2], strategies[i % 2]);
        json_t *same = command_json(line, 0);
        assert_true(command_number(row, "omega") == omega[i / 2]);
        assert_string_equal(command_word(row, "jacobian"), strategies[i % 2]);
        assert_true(command_number(row, "published.jacobian_evaluations") == evaluations[i % 2]);
        expect_times(command_member(row, "evaluations_at"), command_number(same, "jacobian_evaluations.dense"));
        expect_times(command_member(row, "updates_at"), command_number(same, "jacobian_updates.alpha"));
    }
    assert_int_equal(*rest, 0);
    test_file svg = test_file_read("fig7.svg");
    expect_ending(&svg, "</svg>\n\n");
    assert_int_equal(test_count(svg.bytes, "evaluations of the Jacobian"), 2);
    assert_non_null(strstr(svg.bytes, "(paper: 43)"));
    assert_non_null(strstr(svg.bytes, "(paper: 6)"));
    assert_int_equal(command_files(), 1);
}
