/* test_curve.c - work at equal error, by numbers that can be checked in the head: on work = c error^-q the straight
 * line in logarithms is exact, and what a tighter tolerance shows to be luck or a busy machine does not count. */
#include "test/fixtures/claims.h"
#include "benchmarks/work_precision/curve.h"

#define COUNT(points) ((int)(sizeof(points) / sizeof(points)[0]))

static void expect_point(cmd_point p, double error, double work)
{
    assert_true(p.error == error);
    assert_true(p.work == work);
}

/* work = error^(-1/2): between 1e-2 (10) and 1e-6 (1000) lies 1e-4 (100), at 1e-3 it is sqrt(1000). */
CLAIM(interpolation_between_two_runs_follows_a_power_law)
{
    const cmd_point hull[] = {{1e-2, 10}, {1e-6, 1000}};
    assert_true(fabs(cmd_curve_work(hull, 2, 1e-4) - 100) < 1e-10);
    assert_true(fabs(cmd_curve_work(hull, 2, 1e-3) - sqrt(1000)) < 1e-10);
}

/* Slopes 1 and 2 in logarithms: each error is read from the piece that it lies in. */
CLAIM(each_piece_has_its_own_slope)
{
    const cmd_point hull[] = {{1, 1}, {1e-2, 100}, {1e-4, 1e6}};
    assert_true(fabs(cmd_curve_work(hull, 3, 1e-1) - 10) < 1e-12);
    assert_true(fabs(cmd_curve_work(hull, 3, 1e-3) / 1e4 - 1) < 1e-12);
}

CLAIM(a_run_with_the_given_error_returns_its_own_work)
{
    const cmd_point hull[] = {{1e-3, 7}, {1e-5, 30}, {1e-8, 31}};
    for (int i = 0; i < COUNT(hull); i++) assert_true(cmd_curve_work(hull, 3, hull[i].error) == hull[i].work);
    assert_true(cmd_curve_work(hull, 1, 1e-3) == 7);
}

CLAIM(nothing_is_extrapolated)
{
    const cmd_point hull[] = {{1e-3, 7}, {1e-5, 30}};
    assert_true(isnan(cmd_curve_work(hull, 2, 1.001e-3)));
    assert_true(isnan(cmd_curve_work(hull, 2, 0.999e-5)));
    assert_true(isnan(cmd_curve_work(hull, 1, 1e-5)));
    assert_true(isnan(cmd_curve_work(hull, 0, 1e-3)));
}

CLAIM(a_monotone_series_stays_as_it_is)
{
    cmd_point p[] = {{1e-2, 1}, {1e-3, 2}, {1e-4, 3}};
    assert_int_equal(cmd_curve_hull(p, COUNT(p)), 3);
    expect_point(p[0], 1e-2, 1);
    expect_point(p[1], 1e-3, 2);
    expect_point(p[2], 1e-4, 3);
}

/* 1e-9 at the second tolerance is luck: the third, tighter one has 1e-4. */
CLAIM(a_run_with_an_accidentally_small_error_is_left_out)
{
    cmd_point p[] = {{1e-2, 1}, {1e-9, 2}, {1e-4, 3}, {1e-5, 4}};
    assert_int_equal(cmd_curve_hull(p, COUNT(p)), 3);
    expect_point(p[0], 1e-2, 1);
    expect_point(p[1], 1e-4, 3);
    expect_point(p[2], 1e-5, 4);
    cmd_point twice[] = {{1e-6, 1}, {1e-9, 2}, {1e-4, 3}, {1e-5, 4}}; /* more luck does not make 1e-6 less so */
    assert_int_equal(cmd_curve_hull(twice, COUNT(twice)), 2);
    expect_point(twice[0], 1e-4, 3);
    expect_point(twice[1], 1e-5, 4);
}

CLAIM(a_run_more_expensive_than_a_tighter_one_keeps_its_cost)
{
    cmd_point p[] = {{1e-2, 1}, {1e-3, 9}, {1e-4, 3}, {1e-5, 4}};
    assert_int_equal(cmd_curve_hull(p, COUNT(p)), 4);
    expect_point(p[0], 1e-2, 1);
    expect_point(p[1], 1e-3, 3);
    expect_point(p[2], 1e-4, 3);
    expect_point(p[3], 1e-5, 4);
    assert_true(cmd_curve_work(p, 4, 3e-4) == 3);
}

/* 1e-6 for 1 is luck, as the tighter 1e-3 shows; nor does its work count for that one. */
CLAIM(a_small_error_does_not_reduce_the_cost_of_other_runs)
{
    cmd_point p[] = {{1e-6, 1}, {1e-3, 9}, {1e-7, 12}};
    assert_int_equal(cmd_curve_hull(p, COUNT(p)), 2);
    expect_point(p[0], 1e-3, 9);
    expect_point(p[1], 1e-7, 12);
}

CLAIM(failed_runs_are_ignored)
{
    cmd_point p[] = {{NAN, 1}, {1e-3, 2}, {0, 5}, {INFINITY, 2}, {1e-4, NAN}, {1e-5, 0}, {1e-6, 4}, {NAN, NAN}};
    assert_int_equal(cmd_curve_hull(p, COUNT(p)), 2);
    expect_point(p[0], 1e-3, 2);
    expect_point(p[1], 1e-6, 4);
    assert_true(fabs(cmd_curve_work(p, 2, sqrt(1e-9)) - sqrt(8)) < 1e-12);
    cmd_point none[] = {{NAN, 1}};
    assert_int_equal(cmd_curve_hull(none, 1), 0);
}
