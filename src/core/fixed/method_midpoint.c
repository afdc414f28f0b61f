/* method_midpoint.c - F(t_{n+1/2}, (y_n + y_{n+1})/2, (y_{n+1} - y_n)/h) = 0, of order 2. Multipliers, and algebraic
 * components of a general DAE, are those of the midpoint: lam_{n+1} approximates lam(t_n + h/2). Constraints of a
 * mechanism are satisfied at the end of the step, C_f = 0, with constraint forces along the constraint matrix at the
 * midpoint: (9) of Bauchau, Epple, Bottasso, Scaling of constraints and augmented Lagrangian formulations, where C_m =
 * (C_i + C_f)/2 and B_m = (B_i + B_f)/2. For quadratic constraints B_m is the matrix at the midpoint. y'_{n+1} is
 * extrapolated from midpoints. */
#include "method.h"

static void begin_midpoint(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    (void)m, (void)past, (void)h, (void)k;
    *st = (rsd_stages){.s = 1, .c = {0.5}, .holding = RSD_AT_UNKNOWNS, .b = {1}};
    for (int field = RSD_FIELD_P; field < RSD_FIELD_REST; field++) {
        st->e[field][0][0] = 0.5;
        st->d[field][0][0] = 1;
    }
    st->e[RSD_FIELD_REST][0][0] = 1;
}

const rsd_method rsd_method_midpoint = {
    .name = "midpoint", .steps = 1, .order = 2, .begin = begin_midpoint, .end = rsd_set_end_from_middle};
