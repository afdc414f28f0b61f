/* test_picture_parts.c - what pictures are made of: colours that differ, axes whose ends no point touches. */
#include "test/fixtures/claims.h"
#include "benchmarks/util/log_axis.h"
#include "program/picture/curves.h"
#include "program/picture/palette.h"
#include "program/picture/picture.h"

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
CLAIM(sixty_four_colours_are_distinguishable)
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

static double linear_of(unsigned byte)
{
    return pow(byte / 255.0, 2.2);
}

/** The colour as dichromats see it (F. Vienot, H. Brettel, J. Mollon, Digital video colourmaps for checking the
 *  legibility of displays by dichromats, 1999): red and green become one value. */
static unsigned seen_by_dichromat(unsigned rgb, int is_protan)
{
    const double red = is_protan ? 0.11238 : 0.29275, blue = is_protan ? 0.00401 : -0.02234;
    const double r = linear_of(rgb >> 16 & 255), g = linear_of(rgb >> 8 & 255), b = linear_of(rgb & 255);
    const double one = red * r + (1 - red) * g, other = blue * r - blue * g + b;
    const unsigned x = (unsigned)lround(255 * pow(fmin(fmax(one, 0), 1), 1 / 2.2));
    return x << 16 | x << 8 | (unsigned)lround(255 * pow(fmin(fmax(other, 0), 1), 1 / 2.2));
}

/* Of colours by their distance alone the second and third, a red and a green, are 90 apart. */
CLAIM(the_first_colours_differ_for_dichromats)
{
    enum { FEW = 5 };
    unsigned colours[FEW];
    cmd_palette_fill(colours, FEW);
    for (int is_protan = 0; is_protan < 2; is_protan++)
        for (int i = 0; i < FEW; i++)
            for (int k = 0; k < i; k++) {
                const unsigned x = seen_by_dichromat(colours[i], is_protan),
                               y = seen_by_dichromat(colours[k], is_protan);
                if (!(difference(x, y) > 100))
                    fail_msg("#%06x and #%06x are seen as #%06x and #%06x", colours[i], colours[k], x, y);
            }
}

/* Curves of 100 rows: x, x + 1e-3, 1 - x, x, and x with a gap. */
static double ordinate(const void *self, int curve, long row)
{
    const double x = (double)row / 99;
    (void)self;
    return curve == 2 ? 1 - x : curve == 4 && row == 50 ? NAN : curve == 1 ? x + 1e-3 : x;
}

CLAIM(curves_that_coincide_have_different_dashes)
{
    int dash[5];
    cmd_curves_dash(&(cmd_curves){5, 100, ordinate, NULL}, dash);
    const int expected[5] = {1, 2, 1, 3, 1};
    assert_memory_equal(dash, expected, sizeof dash);
}

static double row_of(const void *self, int curve, long row)
{
    (void)self;
    return curve + (double)row;
}

CLAIM(colours_repeat_with_other_dashes)
{
    int dash[2 * CMD_PICTURE_COLOURS];
    cmd_curves_dash(&(cmd_curves){2 * CMD_PICTURE_COLOURS, 10, row_of, NULL}, dash);
    for (int i = 0; i < 2 * CMD_PICTURE_COLOURS; i++) assert_int_equal(dash[i], 1 + i / CMD_PICTURE_COLOURS);
}

CLAIM(longer_palettes_begin_with_the_shorter_ones)
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
