/* stability_tables.c - Tables 4.1 to 4.8 of U. Ascher, L. Petzold, Stability of computational methods for constrained
 * dynamics systems, in the notation of the paper: .26e+79 is 0.26e79. */
#include "stability_tables.h"

#include <math.h>
#include <stddef.h>

#define X1      "printed: the error of x1 alone"
#define DRIFT_0 "printed drift: |C(0) (p - p_exact)|, C = (1, -2) of t = 0"
#define DOUBLED "printed: with 4 C' v in the place of 2 C' v, see below"

/* A row of a file of numbers, whose first cell is one of those below. What is not printed is NONE. */
#define ROW(formulation, ...) {formulation(__VA_ARGS__)},
#define NONE                  NAN

/* Tables 4.1 and 4.2: method, gamma; error of x, drift, note. */
#define LINEAR(method, gamma, form, error, drift, note)                                                                \
    method, gamma, form, NULL, NULL, {NAN, error, NAN, drift}, note, 0
#define BAUMGARTE(method, gamma, ...)   LINEAR(method, gamma, CMD_LINEAR_BAUMGARTE, __VA_ARGS__)
#define INDEX2(method, gamma, ...)      LINEAR(method, gamma, CMD_LINEAR_INDEX2, __VA_ARGS__)
#define INVARIANTS(method, gamma, ...)  LINEAR(method, gamma, CMD_LINEAR_PROJECTED, __VA_ARGS__)
#define STATE_SPACE(method, gamma, ...) LINEAR(method, gamma, CMD_LINEAR_STATE_SPACE, __VA_ARGS__)

/* The others: projection, nu; mu, errors of p and v, drift, note. */
#define PROJECTED(d, nu, mu, p, v, drift, note)         d, nu, 0, "projected1", d, {mu, p, v, drift}, note, 0
#define PROJECTED_DOUBLED(d, nu, mu, p, v, drift, note) d " 4C'v", nu, 0, "projected1", d, {mu, p, v, drift}, note, 1
#define UNSTABILISED(d, nu, mu, p, v, drift, note)      "U-2", nu, 0, "index2", NULL, {mu, p, v, drift}, note, 0
#define STABILISED(d, nu, mu, p, v, drift, note)        d, nu, 0, "ggl", d, {mu, p, v, drift}, note, 0

const cmd_stability_table cmd_stability_tables[] = {
    {"table4.1",
     "Example 1, C = (sin nu t, cos nu t), nu = 1000",
     1,
     0,
     {
#include "table4.1.csv.inc"
     }},
    {"table4.2",
     "Example 2, B = ((2 - t) nu, nu - 1), nu = 1000",
     2,
     0,
     {
#include "table4.2.csv.inc"
     }},
    {"table4.3",
     "Example 3, f = (0, (2 + t)/nu v2), projected invariants (4.14)",
     3,
     1,
     {
#include "table4.3.csv.inc"
     }},
    {"table4.4",
     "Example 3, f = (0, (2 + t)/nu v2), stabilised index 2 (4.15)",
     3,
     1,
     {
#include "table4.4.csv.inc"
     }},
    {"table4.5",
     "Example 3, f = 0, projected invariants (4.14)",
     3,
     0,
     {
#include "table4.5.csv.inc"
     }},
    {"table4.6",
     "Example 3, f = 0, stabilised index 2 (4.15)",
     3,
     0,
     {
#include "table4.6.csv.inc"
     }},
    {"table4.7",
     "Example 3, f = (0, 2 (2 + t)/nu v2), projected invariants (4.14)",
     3,
     2,
     {
#include "table4.7.csv.inc"
     }},
    {"table4.8",
     "Example 3, f = (0, 2 (2 + t)/nu v2), stabilised index 2 (4.15)",
     3,
     2,
     {
#include "table4.8.csv.inc"
     }},
};
