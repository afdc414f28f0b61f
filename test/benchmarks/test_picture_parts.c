/* test_picture_parts.c - what pictures are made of: colours that differ, axes whose ends no point touches. */
#include "test/fixtures/claims.h"
#include "benchmarks/util/log_axis.h"
#include "program/picture/palette.h"

enum { N_COLOURS = 64 };

/** How different two colours look: another formula than that by which they were chosen (the "redmean" of T. Riemersma).
 *  */
static double difference(unsigned x, unsigned y)
{
    double r = (x >> 16 & 255) - (double)(y >> 16 & 255), g = (x >> 8 & 255) - (double)(y >> 8 & 255),
           b = (x & 255) - (double)(y & 255), red = ((x >> 16 & 255) + (y >> 16 & 255)) / 2.0;
    return sqrt((2 + red / 256) * r * r + 4 * g * g + (2 + (255 - red) / 256) * b * b);
}

/* Hues a golden section apart, light and dark in turns, come as near as 15 among 61. */
CLAIM(sixty_four_colours_can_be_told_apart)
{
    unsigned colours[N_COLOURS + 2] = {0};
    cmd_palette_fill(colours, N_COLOURS);
    colours[N_COLOURS] = cmd_palette_grey;
    colours[N_COLOURS + 1] = 0xffffff;
    for (int i = 0; i < N_COLOURS + 2; i++)
        for (int k = 0; k < i; k++)
            if (!(difference(colours[i], colours[k]) > 40))
                fail_msg("colours %d and %d are #%06x and #%06x", k, i, colours[k], colours[i]);
}

CLAIM(more_colours_begin_with_the_same)
{
    unsigned few[3], many[N_COLOURS];
    cmd_palette_fill(few, 3);
    cmd_palette_fill(many, N_COLOURS);
    for (int k = 0; k < 3; k++) assert_int_equal(few[k], many[k]);
}

static void expect_ends(const double *x, int n, double low, double high)
{
    double ends[2];
    cmd_log_axis axis = {0};
    for (int i = 0; i < n; i++) cmd_log_axis_take(&axis, x[i]);
    assert_int_equal(cmd_log_axis_ends(&axis, ends), 0);
    if (fabs(ends[0] - low) > 1e-12 || fabs(ends[1] - high) > 1e-12)
        fail_msg("%g .. %g, not %g .. %g", ends[0], ends[1], low, high);
}

/* Four decades and 4 % of them: 0.16. */
CLAIM(an_axis_ends_at_a_decade_unless_a_point_lies_there)
{
    const double inside[] = {3, 5000, 20}, on_the_frame[] = {10, 1e5}, one[] = {100}, none[] = {0, -1, NAN, INFINITY};
    double ends[2];
    cmd_log_axis axis = {0};
    expect_ends(inside, 3, 0, 4);
    expect_ends(on_the_frame, 2, 0.84, 5.16);
    expect_ends(one, 1, 1.96, 3);
    for (int i = 0; i < 4; i++) cmd_log_axis_take(&axis, none[i]);
    assert_int_equal(cmd_log_axis_ends(&axis, ends), -1);
}
