/* stability_tables.c - Tables 4.1 to 4.8 of U. Ascher, L. Petzold, Stability of computational methods for constrained
 * dynamics systems, in the notation of the paper: .26e+79 is 0.26e79. */
#include "stability_tables.h"

#include <math.h>
#include <stddef.h>

#define X1      "printed: the error of x1 alone"
#define DRIFT_0 "printed drift: |C(0) (p - p_exact)|, C = (1, -2) of t = 0"
#define DOUBLED "printed: with 4 C' v in the place of 2 C' v, see below"

/* Rows: method, gamma, formulation; error, drift, note. */
#define LINEAR(method, gamma, form, error, drift, note)                                                                \
    {                                                                                                                  \
        method, gamma, form, NULL, NULL, {NAN, error, NAN, drift}, note, 0                                             \
    }

/* Rows: projection, nu; mu, errors of p and v, drift, note. */
#define PROJECTED(d, nu, mu, p, v, drift, note)                                                                        \
    {                                                                                                                  \
        d, nu, 0, "projected1", d, {mu, p, v, drift}, note, 0                                                          \
    }
#define PROJECTED_DOUBLED(d, nu, mu, p, v, drift, note)                                                                \
    {                                                                                                                  \
        d " 4C'v", nu, 0, "projected1", d, {mu, p, v, drift}, note, 1                                                  \
    }
#define UNSTABILISED(nu, p, v, drift, note)                                                                            \
    {                                                                                                                  \
        "U-2", nu, 0, "index2", NULL, {NAN, p, v, drift}, note, 0                                                      \
    }
#define STABILISED(d, nu, mu, p, v, note)                                                                              \
    {                                                                                                                  \
        d, nu, 0, "ggl", d, {mu, p, v, NAN}, note, 0                                                                   \
    }

const cmd_stability_table cmd_stability_tables[] = {
    {"table4.1",
     "Example 1, C = (sin nu t, cos nu t), nu = 1000",
     1,
     0,
     {
         LINEAR("Baumgarte", 0, CMD_LINEAR_BAUMGARTE, .26e+79, .33e+79, NULL),
         LINEAR("Baumgarte", 1, CMD_LINEAR_BAUMGARTE, .10e+79, .13e+79, NULL),
         LINEAR("Baumgarte", 10, CMD_LINEAR_BAUMGARTE, .37e+75, .48e+75, NULL),
         LINEAR("Baumgarte", 100, CMD_LINEAR_BAUMGARTE, .63e+53, .85e+53, NULL),
         LINEAR("Baumgarte", 1000, CMD_LINEAR_BAUMGARTE, .21e+08, .13e+09, "printed: the error of x1 alone, to 1.3"),
         LINEAR("Baumgarte", 10000, CMD_LINEAR_BAUMGARTE, .23e-3, .23e-4, NULL),
         LINEAR("direct", INFINITY, CMD_LINEAR_INDEX2, .20e-3, .14e-15, NULL),
         LINEAR("projected invariants", NAN, CMD_LINEAR_PROJECTED, .20e-3, .25e-16, NULL),
         LINEAR("state space, (1, 0)", NAN, CMD_LINEAR_STATE_SPACE, .42e+1, 0,
                "not explained: (3.17) as it stands is that accurate on this grid"),
     }},
    {"table4.2",
     "Example 2, B = ((2 - t) nu, nu - 1), nu = 1000",
     2,
     0,
     {
         LINEAR("Baumgarte", 0, CMD_LINEAR_BAUMGARTE, .19e-2, .85e-2, NULL),
         LINEAR("Baumgarte", 1, CMD_LINEAR_BAUMGARTE, .56e-3, .49e-2, X1),
         LINEAR("Baumgarte", 10, CMD_LINEAR_BAUMGARTE, .91e-3, .29e-3, X1),
         LINEAR("Baumgarte", 100, CMD_LINEAR_BAUMGARTE, .27e-4, .93e-8, NULL),
         LINEAR("Baumgarte", 1000, CMD_LINEAR_BAUMGARTE, .13e+42, .45e+39, NULL),
         LINEAR("direct", INFINITY, CMD_LINEAR_INDEX2, .92e+74, .45e+58, "printed drift: rounding of x"),
         LINEAR("projected invariants", NAN, CMD_LINEAR_PROJECTED, .14e-4, 0, NULL),
         LINEAR("state space, (1, 0)", NAN, CMD_LINEAR_STATE_SPACE, .14e-4, 0, NULL),
     }},
    {"table4.3",
     "Example 3, f = (0, (2 + t)/nu v2), projected invariants (4.14)",
     3,
     1,
     {
         PROJECTED("B", 1, .16e-2, .13e-1, .12e-1, .49e-2, NULL),
         PROJECTED("B", 100, .91e-4, .38e-2, .35e-2, .14e-3, NULL),
         PROJECTED("B", 1000, .34e+73, .93e+74, .36e-2, .93e+74, NULL),
         PROJECTED("C'", 1, .16e-2, .12e-1, .12e-1, .35e-2, NULL),
         PROJECTED("C'", 100, .18e-2, .74e-2, .35e-2, .37e-2, NULL),
         PROJECTED("C'", 1000, .18e-2, .72e-2, .36e-2, .37e-2, NULL),
         PROJECTED("unit", 1, .24e-2, .11e-1, .12e-1, .26e-2, NULL),
         PROJECTED("unit", 100, .27e-2, .65e-2, .35e-2, .29e-2, NULL),
         PROJECTED("unit", 1000, .27e-2, .64e-2, .36e-2, .29e-2, NULL),
         UNSTABILISED(1, .13e-1, .12e-1, .17e-1, DRIFT_0),
         UNSTABILISED(100, .37e-2, .17e-1, .73e-2, DRIFT_0),
         UNSTABILISED(1000, .10e+71, .11e+73, .10e+71, DRIFT_0),
     }},
    {"table4.4",
     "Example 3, f = (0, (2 + t)/nu v2), stabilised index 2 (4.15)",
     3,
     1,
     {
         STABILISED("B", 1, .86e-4, .13e-1, .12e-1, NULL),
         STABILISED("B", 100, .44e-6, .37e-2, .17e-1, NULL),
         STABILISED("B", 1000, .28e-3, .35e-2, .78, NULL),
         STABILISED("C'", 1, .13e-3, .12e-1, .12e-1, NULL),
         STABILISED("C'", 100, .18e-7, .37e-2, .17e-1, NULL),
         STABILISED("C'", 1000, .99e+73, .18e+74, .20e+76, NULL),
         STABILISED("unit", 1, .26e-3, .11e-1, .12e-1, NULL),
         STABILISED("unit", 100, .42e-7, .38e-2, .17e-1, "printed error of p: .37e-2 in the rows above"),
         STABILISED("unit", 1000, .16e+75, .15e+75, .16e+77, NULL),
     }},
    {"table4.5",
     "Example 3, f = 0, projected invariants (4.14)",
     3,
     0,
     {
         PROJECTED("B", 1, .16e-2, .12e-1, .86e-2, .49e-2, NULL),
         PROJECTED("B", 100, .91e-4, .38e-2, .35e-2, .14e-3, NULL),
         PROJECTED("B", 1000, .34e+73, .93e+74, .35e-2, .93e+74, NULL),
         PROJECTED("C'", 1, .17e-2, .11e-1, .86e-2, .35e-2, NULL),
         PROJECTED("C'", 100, .18e-2, .73e-2, .35e-2, .37e-2, NULL),
         PROJECTED("C'", 1000, .81e-2, .72e-2, .35e-2, .37e-2, "printed mu: digits of .18e-2 changed places?"),
         PROJECTED("unit", 1, .25e-2, .10e-1, .86e-2, .27e-2, NULL),
         PROJECTED("unit", 100, .27e-2, .65e-2, .35e-2, .28e-2, NULL),
         PROJECTED("unit", 1000, .27e-2, .64e-2, .35e-2, .28e-2, NULL),
         UNSTABILISED(1, .12e-1, .86e-2, .16e-1, DRIFT_0),
         UNSTABILISED(100, .62e-2, .13e-1, .98e-2, DRIFT_0),
         UNSTABILISED(1000, .60e-2, .13e-1, .97e-2, DRIFT_0),
     }},
    {"table4.6",
     "Example 3, f = 0, stabilised index 2 (4.15)",
     3,
     0,
     {
         STABILISED("B", 1, .74e-4, .12e-1, .86e-2, NULL),
         STABILISED("B", 100, .45e-4, .18, .19, NULL),
         STABILISED("B", 1000, .11e+150, .32e+150, .28e+153, NULL),
         STABILISED("C'", 1, .11e-3, .11e-1, .86e-2, NULL),
         STABILISED("C'", 100, .34e-4, .53e-2, .12e-1, NULL),
         STABILISED("C'", 1000, .33e-4, .52e-2, .12e-1, NULL),
         STABILISED("unit", 1, .22e-3, .99e-2, .86e-2, NULL),
         STABILISED("unit", 100, .68e-4, .50e-2, .12e-1, NULL),
         STABILISED("unit", 1000, .67e-4, .49e-2, .12e-1, NULL),
     }},
    {"table4.7",
     "Example 3, f = (0, 2 (2 + t)/nu v2), projected invariants (4.14)",
     3,
     2,
     {
         PROJECTED("B", 1, .52e-2, .11e-1, .18e-1, .10e-1, DOUBLED),
         PROJECTED("B", 100, .91e-4, .39e-2, .37e-2, .14e-3, DOUBLED),
         PROJECTED("B", 1000, .34e+73, .93e+74, .36e-2, .93e+74, DOUBLED),
         PROJECTED("C'", 1, .52e-2, .11e-1, .18e-1, .10e-1, DOUBLED),
         PROJECTED("C'", 100, .17e-2, .73e-2, .37e-2, .35e-2, DOUBLED),
         PROJECTED("C'", 1000, .18e-2, .72e-2, .36e-2, .37e-2, DOUBLED),
         PROJECTED("unit", 1, .13e-1, .90e-2, .18e-1, .13e-1, DOUBLED),
         PROJECTED("unit", 100, .25e-2, .64e-2, .37e-2, .27e-2, DOUBLED),
         PROJECTED("unit", 1000, .27e-2, .64e-2, .36e-2, .28e-2, DOUBLED),
         UNSTABILISED(1, .14e-1, .18e-1, .18e-1, DRIFT_0),
         UNSTABILISED(100, .30e+2, .30e+15, .30e+2, "p is lost to the rounding of h v: v is 5e12"),
         UNSTABILISED(1000, .17, .54, .17, DRIFT_0),
         PROJECTED_DOUBLED("B", 1, .52e-2, .11e-1, .18e-1, .10e-1, "printed: the same as in the row of C', nu = 1"),
         PROJECTED_DOUBLED("B", 100, .91e-4, .39e-2, .37e-2, .14e-3, NULL),
         PROJECTED_DOUBLED("B", 1000, .34e+73, .93e+74, .36e-2, .93e+74, NULL),
         PROJECTED_DOUBLED("C'", 1, .52e-2, .11e-1, .18e-1, .10e-1, NULL),
         PROJECTED_DOUBLED("C'", 100, .17e-2, .73e-2, .37e-2, .35e-2, NULL),
         PROJECTED_DOUBLED("C'", 1000, .18e-2, .72e-2, .36e-2, .37e-2, NULL),
         PROJECTED_DOUBLED("unit", 1, .13e-1, .90e-2, .18e-1, .13e-1, NULL),
         PROJECTED_DOUBLED("unit", 100, .25e-2, .64e-2, .37e-2, .27e-2, NULL),
         PROJECTED_DOUBLED("unit", 1000, .27e-2, .64e-2, .36e-2, .28e-2, NULL),
     }},
    {"table4.8",
     "Example 3, f = (0, 2 (2 + t)/nu v2), stabilised index 2 (4.15)",
     3,
     2,
     {
         STABILISED("B", 1, .11e-3, .15e-1, .18e-1, NULL),
         STABILISED("B", 100, .47e-4, .37, .35, NULL),
         STABILISED("B", 1000, .54e-6, .36, .34, NULL),
         STABILISED("C'", 1, .16e-3, .13e-1, .18e-1, NULL),
         STABILISED("C'", 100, .11e+2, .23, .22e+4, NULL),
         STABILISED("C'", 1000, .18e-2, .60e-1, .34, NULL),
         STABILISED("unit", 1, .32e-3, .12e-1, .18e-1, NULL),
         STABILISED("unit", 100, .13e+4, .14, .13e+6, NULL),
         STABILISED("unit", 1000, .28e-2, .26e-1, .27, NULL),
     }},
};
