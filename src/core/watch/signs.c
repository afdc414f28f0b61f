/* signs.c - see signs.h. */
#include "signs.h"

#include <float.h>
#include <math.h>

int rsd_has_sign(int sign, double y)
{
    return sign == 0 || (sign > 0 ? y > 0 : y < 0) || (y == 0 && (sign == 1 || sign == -1));
}

void rsd_clip_signs(const int *sign, int n, double *y)
{
    for (int i = 0; sign && i < n; i++)
        if (!rsd_has_sign(sign[i], y[i])) y[i] = rsd_has_sign(sign[i], 0) ? 0 : copysign(DBL_MIN, sign[i]);
}

int rsd_correct_signs(const int *sign, int n, const double *y0, double *e, const double *w, double tolerance,
                      double *missed)
{
    double sum = 0;
    int wrong = -1;
    for (int i = 0; i < n; i++) {
        const double y = y0[i] + e[i];
        if (rsd_has_sign(sign[i], y)) continue;
        wrong = i;
        sum += rsd_has_sign(sign[i], 0) ? y * w[i] * y * w[i] : INFINITY;
    }
    *missed = sqrt(sum / n);
    if (*missed > tolerance) return wrong;
    for (int i = 0; i < n; i++)
        if (!rsd_has_sign(sign[i], y0[i] + e[i])) e[i] = -y0[i];
    return -1;
}

resida_status rsd_report_wrong_sign(const resida_problem *problem, int i, int sign, double y, double t,
                                    const char *where, resida_message *why)
{
    static const char *const text[] = {"< 0", "<= 0", "", ">= 0", "> 0"};
    char name[RSD_COMPONENT_NAME];
    resida_problem_component_name(problem, i, name, sizeof name);
    return rsd_fail(why, RESIDA_ERR_SIGN, "component %s = %g at t = %.9g, must be %s (sign_each)%s", name, y, t,
                    text[sign + 2], where);
}
