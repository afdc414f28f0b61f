/* palette.c - begins with colours that differ with colour vision deficiency (M. Okabe, K. Ito, Color universal design,
 * 2008; without black, and yellow, which is too light for lines). The others are chosen one after the other, each with
 * the max. distance to all previous ones (J.-C. Glasbey, G. van der Heijden, V. Toh, A. Gray, Colour displays for
 * categorical images, Color Research and Application 32, 2007). The distance is that of CIELAB, 1976:
 *
 *     L = 116 f(Y) - 16,   a = 500 (f(X) - f(Y)),   b = 200 (f(Y) - f(Z)),   f(t) = t^1/3, linear below (6/29)^3 */
#include "palette.h"

#include <math.h>

enum { LEVELS = 16, N_CANDIDATES = LEVELS * LEVELS * LEVELS };

const unsigned cmd_palette_grey = 0xa8a8a8;
static const unsigned first[] = {0x0072b2, 0xd55e00, 0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7};
enum { N_FIRST = sizeof first / sizeof *first };
static const unsigned white = 0xffffff, black = 0x000000;
static const double lightest = 82, darkest = 22; /* bounds of L: other squares look like paper or lines */
static const double loudest = 85;                /* max. hypot(a, b); pure red has 105, pure blue 134 */

typedef struct lab {
    double L, a, b;
} lab;

static double linearize_byte(unsigned byte)
{
    double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double compress_cielab(double t)
{
    const double delta = 6.0 / 29;
    return t > delta * delta * delta ? cbrt(t) : t / (3 * delta * delta) + 4.0 / 29;
}

/** Convert sRGB with white point D65. */
static lab convert_to_cielab(unsigned rgb)
{
    double r = linearize_byte(rgb >> 16 & 255), g = linearize_byte(rgb >> 8 & 255), b = linearize_byte(rgb & 255);
    double x = compress_cielab((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    double y = compress_cielab(0.2126 * r + 0.7152 * g + 0.0722 * b);
    double z = compress_cielab((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return (lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double compute_distance(lab x, lab y)
{
    return hypot(hypot(x.L - y.L, x.a - y.a), x.b - y.b);
}

/** A candidate, and its distance to the nearest chosen colour. */
typedef struct candidate {
    unsigned rgb;
    lab place;
    double nearest;
} candidate;

static void choose_colour(candidate *all, unsigned rgb)
{
    lab place = convert_to_cielab(rgb);
    for (int i = 0; i < N_CANDIDATES; i++) all[i].nearest = fmin(all[i].nearest, compute_distance(all[i].place, place));
}

static void fill_candidates(candidate *all)
{
    const unsigned step = 255 / (LEVELS - 1);
    for (unsigned i = 0; i < N_CANDIDATES; i++) {
        unsigned rgb = step * (i / (LEVELS * LEVELS) << 16 | i / LEVELS % LEVELS << 8 | i % LEVELS);
        all[i] = (candidate){rgb, convert_to_cielab(rgb), INFINITY};
        if (all[i].place.L > lightest || all[i].place.L < darkest || hypot(all[i].place.a, all[i].place.b) > loudest)
            all[i].nearest = 0;
    }
    choose_colour(all, white);
    choose_colour(all, black);
    choose_colour(all, cmd_palette_grey);
}

void cmd_palette_fill(unsigned *colours, int n)
{
    static candidate all[N_CANDIDATES];
    fill_candidates(all);
    for (int k = 0; k < n; k++) {
        const candidate *best = all;
        for (int i = 1; i < N_CANDIDATES; i++)
            if (all[i].nearest > best->nearest) best = &all[i];
        colours[k] = k < N_FIRST ? first[k] : best->rgb;
        choose_colour(all, colours[k]);
    }
}
