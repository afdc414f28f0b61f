/* train_profile.h - cross sections of a wheel S1002 and of a rail UIC 60 inclined 1:40, as tables. */
#ifndef BENCH_TRAIN_PROFILE_H
#define BENCH_TRAIN_PROFILE_H

/** Points of a wheel from field side to flange, 0.5 mm apart; intervals of the rail, 0.25 mm wide. */
enum { TRAIN_POINTS = 149, TRAIN_RAIL = 281 };

#define TRAIN_RADIUS 0.46   /**< of the wheels at the tape circle [m] */
#define TRAIN_TAPE   0.750  /**< distance of the tape circle from the middle of the wheelset [m] */
#define TRAIN_GAUGE  0.7532 /**< distance of the crown of the rail from the middle of the track, gauge 1435 mm [m] */
#define TRAIN_GRID   0.5e-3 /**< distance of the points of a wheel [m] */

/** Tables in m. They are computed once and not modified afterwards. */
typedef struct train_profiles {
    double s[TRAIN_POINTS];     /**< from the tape circle outwards (to the field side) */
    double R[TRAIN_POINTS];     /**< radius at s */
    double dist[TRAIN_POINTS];  /**< distance from the middle of the wheelset, TRAIN_TAPE + s */
    double slope[TRAIN_POINTS]; /**< dR/ds */
    double rail[TRAIN_RAIL][4]; /**< height of the rail in an interval: c0 + c1 x + c2 x^2 + c3 x^3 */
} train_profiles;

void train_profiles_make(train_profiles *profiles);

/** Return the radius of a wheel at s [mm] minus that of the tape circle [mm], -49.6 <= s <= 60. */
double train_wheel_mm(double s);

/** First knot of the rail and width of an interval [m]. */
#define TRAIN_KNOT_FIRST (-35.25e-3)
#define TRAIN_KNOT_STEP  0.25e-3

/* Return the coefficients of the rail interval that contains o, or of the nearest interval; x: distance from its first
 * knot, limited to the table. */
static inline const double *train_rail_interval(const train_profiles *profiles, double o, double *x)
{
    const double from = o - TRAIN_KNOT_FIRST, last = TRAIN_KNOT_STEP * TRAIN_RAIL;
    const double above = from > 0 ? from : 0, inside = above < last ? above : last; /* NaN: 0 */
    const int reached = (int)(inside * (1 / TRAIN_KNOT_STEP)), i = reached < TRAIN_RAIL ? reached : TRAIN_RAIL - 1;
    *x = inside - TRAIN_KNOT_STEP * i;
    return profiles->rail[i];
}

/** Return the slope of the rail at o, see train_rail_height(). */
static inline double train_rail_slope(const train_profiles *profiles, double o)
{
    double x;
    const double *c = train_rail_interval(profiles, o, &x);
    return c[1] + x * (2 * c[2] + x * 3 * c[3]);
}

/** Return the height of the rail [m] at o [m] outwards from its crown: a cubic spline, C2, with linear
 *  extrapolation. */
static inline double train_rail_height(const train_profiles *profiles, double o)
{
    double x;
    const double *c = train_rail_interval(profiles, o, &x);
    const double from = o - TRAIN_KNOT_FIRST, last = TRAIN_KNOT_STEP * TRAIN_RAIL;
    const double z = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    if (from >= 0 && from <= last) return z;
    return z + (from > 0 ? from - last : from) * train_rail_slope(profiles, o);
}

#endif
