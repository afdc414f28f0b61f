/* arguments.c - see arguments.h. The required lengths of the work arrays are those of the prologues, although this
 * library needs less: a program whose arrays are too short for DASSL gets an error. */
#include "arguments.h"

#include "adapters/base/fail.h"

#include <float.h>
#include <math.h>

enum { MAX_ORDER = 5, STARTS_OF_DASPK = 2, SIGNS_OF_DASPK = 3, PRINTS_OF_DASPK = 2, STRICT = 2 };
enum { HEAD_DASSL = 40, HEAD_DASPK = 50, HEAD_DASKR = 60, LIW_DASSL = 20, LIW_DASPK = 40, MIN_PHI_DASPK = 7, PHI = 4 };
static const double min_way = 4 * DBL_EPSILON; /* min. distance of TOUT relative to T and TOUT */

const das_traits das_traits_of[DAS_ROUTINES] = {
    {"DDASSL", "ddassl_", 0, HEAD_DASSL, "", 0, 0},
    {"DDASPK", "ddaspk_", 1, HEAD_DASPK, "", 0, 0},
    {"DDASRT", "ddasrt_", 0, HEAD_DASPK, "G", ID_ROOT, I_ROOT_CALLS},
    {"DDASKR", "ddaskr_", 1, HEAD_DASKR, "RT", ID_ROOT_DASKR, I_ROOT_CALLS_DASKR},
};

static int is_daspk(const das_call *c)
{
    return das_traits_of[c->routine].is_daspk;
}

static int has_sign_list(const das_call *c)
{
    return is_daspk(c) && c->info[INFO_SIGNS] % 2 == 1;
}

int das_get_kinds_index(const das_call *c)
{
    if (!is_daspk(c)) return 0;
    if (c->info[INFO_START] != START_ALGEBRAIC && !c->info[INFO_EXCLUDES]) return 0;
    return has_sign_list(c) ? I_KINDS + c->n : I_KINDS;
}

int das_get_pd_rows(const das_call *c)
{
    return c->info[INFO_BANDED] ? 2 * c->iwork[I_ML] + c->iwork[I_MU] + 1 : c->n;
}

int das_get_direction(const das_call *c)
{
    return c->t_out < *c->t ? -1 : 1;
}

double das_compute_tolerance(const das_call *c, int i, double y)
{
    const int k = c->info[INFO_BY_COMPONENT] ? i : 0;
    return c->rtol[k] * fabs(y) + c->atol[k];
}

/* --- the first call --- */

static int check_info(const das_call *c, resida_message *why)
{
    for (int i = INFO_BY_COMPONENT; i <= INFO_PRINTS; i++) {
        int most = 1;
        if (!is_daspk(c) && i > INFO_START) break;
        if (is_daspk(c) && i == INFO_SIGNS) most = SIGNS_OF_DASPK;
        if (is_daspk(c) && i == INFO_START) most = STARTS_OF_DASPK;
        if (i == INFO_PRINTS) most = PRINTS_OF_DASPK;
        if (c->info[i] < 0 || c->info[i] > most)
            return adapter_fail(why, "INFO(%d) = %d, must be 0 to %d", i + 1, c->info[i], most);
    }
    if (is_daspk(c) && c->info[INFO_KRYLOV])
        return adapter_fail(why,
                            "INFO(12) = 1: Krylov methods need the original %s, and no library loaded after "
                            "this one contains it: load it, or set INFO(12) = 0 (INFO(6) = 1: bands)",
                            das_traits_of[c->routine].name);
    if (c->routine == DAS_DDASPK && c->info[INFO_SENSITIVITIES])
        return adapter_fail(
            why,
            "INFO(19) = %d: sensitivities of DASPK 3 are not supported: load the library of DASPK, or set INFO(19) = 0",
            c->info[INFO_SENSITIVITIES]);
    return 0;
}

static int check_sizes(const das_call *c, resida_message *why)
{
    if (c->n <= 0) return adapter_fail(why, "NEQ = %d, must be > 0", c->n);
    if (c->n_root < 0) return adapter_fail(why, "N%s = %d, must be >= 0", das_traits_of[c->routine].root, c->n_root);
    const int order = c->iwork[I_MAX_ORDER], ml = c->iwork[I_ML], mu = c->iwork[I_MU];
    if (c->info[INFO_MAX_ORDER] && (order < 1 || order > MAX_ORDER))
        return adapter_fail(why, "MAXORD = %d, must be 1 to %d", order, MAX_ORDER);
    if (!c->info[INFO_BANDED]) return 0;
    if (ml < 0 || ml >= c->n) return adapter_fail(why, "ML = %d, must be >= 0 and < NEQ", ml);
    if (mu < 0 || mu >= c->n) return adapter_fail(why, "MU = %d, must be >= 0 and < NEQ", mu);
    return 0;
}

/* LENRW. */
static long compute_lenrw(const das_call *c)
{
    const long n = c->n, order = c->info[INFO_MAX_ORDER] ? c->iwork[I_MAX_ORDER] : MAX_ORDER;
    long length = das_traits_of[c->routine].head + das_get_pd_rows(c) * n + 3L * c->n_root;
    if (is_daspk(c))
        length += (order + PHI > MIN_PHI_DASPK ? order + PHI : MIN_PHI_DASPK) * n;
    else
        length += (order + PHI) * n;
    if (c->info[INFO_BANDED] && !c->info[INFO_JACOBIAN]) length += 2 * (n / (c->iwork[I_ML] + c->iwork[I_MU] + 1) + 1);
    return is_daspk(c) && c->info[INFO_EXCLUDES] ? length + n : length;
}

/* LENIW. */
static long compute_leniw(const das_call *c)
{
    if (!is_daspk(c)) return LIW_DASSL + (long)c->n;
    return LIW_DASPK + (1L + has_sign_list(c) + (das_get_kinds_index(c) > 0)) * c->n;
}

static int check_lengths(const das_call *c, resida_message *why)
{
    const long lrw = compute_lenrw(c), liw = compute_leniw(c);
    if (is_daspk(c) && c->liw > I_LENRW) {
        c->iwork[I_LENIW] = (int)liw;
        c->iwork[I_LENRW] = (int)lrw;
    }
    if (c->lrw < lrw) return adapter_fail(why, "RWORK is too short: LRW = %d, must be at least %ld", c->lrw, lrw);
    if (c->liw < liw) return adapter_fail(why, "IWORK is too short: LIW = %d, must be at least %ld", c->liw, liw);
    return 0;
}

static int violates_sign(int sign, double y)
{
    const double along = sign < 0 ? -y : y;
    return sign != 0 && (sign == STRICT || sign == -STRICT ? !(along > 0) : !(along >= 0));
}

static int check_lists(const das_call *c, resida_message *why)
{
    const int kinds = das_get_kinds_index(c);
    for (int i = 0; i < c->n && has_sign_list(c); i++) {
        const int sign = c->iwork[I_KINDS + i];
        if (sign < -STRICT || sign > STRICT)
            return adapter_fail(why, "IWORK(%d) = %d, a sign must be -2 to 2", I_KINDS + i + 1, sign);
        if (violates_sign(sign, c->y[i]))
            return adapter_fail(why, "Y(%d) = %g does not have the sign that IWORK(%d) requires", i + 1, c->y[i],
                                I_KINDS + i + 1);
    }
    for (int i = 0; i < c->n && kinds > 0; i++)
        if (c->iwork[kinds + i] != 1 && c->iwork[kinds + i] != -1)
            return adapter_fail(why, "IWORK(%d) = %d, must be 1 or -1", kinds + i + 1, c->iwork[kinds + i]);
    return 0;
}

static int check_step_sizes(const das_call *c, resida_message *why)
{
    const double way = c->t_out - *c->t, h = c->rwork[R_H];
    if (c->info[INFO_H_MAX] && !(c->rwork[R_H_MAX] > 0))
        return adapter_fail(why, "HMAX = %g, must be > 0", c->rwork[R_H_MAX]);
    if (c->info[INFO_H_FIRST] && !(h * way > 0)) return adapter_fail(why, "H0 = %g does not lead from T to TOUT", h);
    if (!is_daspk(c) && c->info[INFO_MAX_STEPS] == 1 && c->iwork[I_MAX_STEPS] < 0)
        return adapter_fail(why, "MXSTEP = %d, must be >= 0", c->iwork[I_MAX_STEPS]);
    return 0;
}

/* --- every call --- */

static int check_tolerances(const das_call *c, resida_message *why)
{
    const int n = c->info[INFO_BY_COMPONENT] ? c->n : 1;
    int some = 0;
    for (int i = 0; i < n; i++) {
        if (!(c->rtol[i] >= 0 && c->rtol[i] <= DBL_MAX))
            return adapter_fail(why, "RTOL(%d) = %g, must be >= 0", i + 1, c->rtol[i]);
        if (!(c->atol[i] >= 0 && c->atol[i] <= DBL_MAX))
            return adapter_fail(why, "ATOL(%d) = %g, must be >= 0", i + 1, c->atol[i]);
        some |= c->rtol[i] > 0 || c->atol[i] > 0;
    }
    return some ? 0 : adapter_fail(why, "RTOL and ATOL are all 0");
}

static int check_times(const das_call *c, int direction, resida_message *why)
{
    const double t = *c->t, t_stop = c->rwork[R_T_STOP];
    if (!isfinite(t) || !isfinite(c->t_out)) return adapter_fail(why, "T = %g, TOUT = %g, must be finite", t, c->t_out);
    if (c->t_out == t) return adapter_fail(why, "TOUT = T = %.17g", t);
    if (direction * (c->t_out - t) < 0) return adapter_fail(why, "TOUT = %.17g is behind T = %.17g", c->t_out, t);
    if (!c->info[INFO_T_STOP]) return 0;
    if (!(direction * (t_stop - t) >= 0)) return adapter_fail(why, "TSTOP = %.17g is behind T = %.17g", t_stop, t);
    if (direction * (t_stop - c->t_out) < 0)
        return adapter_fail(why, "TSTOP = %.17g is before TOUT = %.17g", t_stop, c->t_out);
    return 0;
}

static int check_start(const das_call *c, resida_message *why)
{
    const double t = *c->t;
    for (int i = 0; i < c->n; i++)
        if (das_compute_tolerance(c, i, c->y[i]) <= 0)
            return adapter_fail(why, "Y(%d) and its ATOL are 0: there is no tolerance", i + 1);
    if (fabs(c->t_out - t) < min_way * fmax(fabs(t), fabs(c->t_out)))
        return adapter_fail(why, "TOUT = %.17g is too close to T = %.17g to start", c->t_out, t);
    return 0;
}

int das_check_first(const das_call *c, resida_message *why)
{
    return check_info(c, why) || check_sizes(c, why) || check_lengths(c, why) || check_lists(c, why) ||
                   check_tolerances(c, why) || check_times(c, das_get_direction(c), why) || check_step_sizes(c, why) ||
                   check_start(c, why)
               ? -1
               : 0;
}

int das_check_next(const das_call *c, int direction, int is_known, resida_message *why)
{
    if (c->info[INFO_GOES_ON] == -1)
        return adapter_fail(
            why, "the last call ended with IDID < 0; set INFO(1) = 1 after a correction, or INFO(1) = 0 to restart");
    if (c->info[INFO_GOES_ON] != 1) return adapter_fail(why, "INFO(1) = %d, must be 0 or 1", c->info[INFO_GOES_ON]);
    if (!is_known && (check_info(c, why) || check_sizes(c, why) || check_lengths(c, why))) return -1;
    return check_tolerances(c, why) || check_times(c, direction, why) ? -1 : 0;
}
