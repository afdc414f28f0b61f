/* method_radau.c - Radau IIA with 2 and 3 stages, of order 3 and 5 (Hairer, Wanner, Solving Ordinary Differential
 * Equations II, section IV.5):
 *
 *     F(t_n + c_i h, Y_i, Y'_i) = 0,   Y' = A^{-1} (Y - y_n)/h,   y_{n+1} = Y_s.
 *
 * The stages are solved simultaneously. */
#include "method.h"

#include <string.h>

static void set_stages(rsd_stages *st, int s, const double *c, const double *inverse)
{
    memset(st, 0, sizeof *st);
    st->s = s;
    for (int i = 0; i < s; i++) {
        st->c[i] = c[i];
        for (int f = 0; f < RSD_N_FIELDS; f++) {
            st->e[f][i][i] = 1;
            for (int j = 0; j < s; j++) st->d[f][i][j] = inverse[s * i + j];
        }
    }
}

static void begin_radau_2(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    static const double c[2] = {1.0 / 3, 1}, inverse[4] = {1.5, 0.5, -4.5, 2.5};
    (void)m, (void)past, (void)h, (void)k;
    set_stages(st, 2, c, inverse);
}

#define ROOT_6 2.449489742783178

static void begin_radau_3(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    static const double c[3] = {(4 - ROOT_6) / 10, (4 + ROOT_6) / 10, 1};
    static const double inverse[9] = {2 + ROOT_6 / 2,           (-36 + 29 * ROOT_6) / 30, (6 - 4 * ROOT_6) / 15,
                                      (-36 - 29 * ROOT_6) / 30, 2 - ROOT_6 / 2,           (6 + 4 * ROOT_6) / 15,
                                      (-3 + 8 * ROOT_6) / 3,    (-3 - 8 * ROOT_6) / 3,    5};
    (void)m, (void)past, (void)h, (void)k;
    set_stages(st, 3, c, inverse);
}

/* T and the embedded formula of order 3 are those of RADAU5 (Hairer, Wanner, IV.8). */
static const rsd_collocation radau_3 = {
    .gamma = 3.6378342527444957,
    .re = 2.6810828736277521,
    .im = 3.0504301992474105,
    .T = {{9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
          {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
          {0.96604818261509293619, 1, 0}},
    .inverse = {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}},
    .embedded = {-(13 + 7 * ROOT_6) / 3, (-13 + 7 * ROOT_6) / 3, -1.0 / 3},
    .order = 4};

const rsd_method rsd_method_radau_2 = {
    .name = "radau-iia-2", .steps = 1, .order = 3, .begin = begin_radau_2, .end = rsd_set_end_from_stage};
const rsd_method rsd_method_radau_3 = {.name = "radau-iia-3",
                                       .steps = 1,
                                       .order = 5,
                                       .begin = begin_radau_3,
                                       .end = rsd_set_end_from_stage,
                                       .collocation = &radau_3};
