/* method_newmark.c - Newmark's method, HHT and the generalised-alpha method on y = (p, v, lam), as in Arnold, Bruels,
 * Convergence of the generalized-alpha scheme for constrained mechanical systems, Multibody Syst. Dyn. 18 (2007)
 * 185-202. The accelerations v' satisfy the equations of motion at t_{n+1}, where the constraints are satisfied, too.
 * With pseudo-accelerations a,
 *
 *     p_{n+1} = p_n + h p'_n + h^2 ((1/2 - beta) a_n + beta a_{n+1})
 *     v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
 *     (1 - am) a_{n+1} + am a_n = (1 - af) v'_{n+1} + af v'_n
 *
 * Solved for p' and v' in terms of p_{n+1}, v_{n+1}, these formulas turn F into the rows p' = T v and M v' + .. = 0,
 * with gamma/(beta h) dF/dp' and (1 - am)/((1 - af) gamma h) dF/dv' in the iteration matrix. If p' = T(p) v with T
 * other than I, positions have their own pseudo-accelerations, by the first two formulas. First-order states are
 * treated like velocities (Jansen, Whiting, Hulbert, Comput. Methods Appl. Mech. Engrg. 190 (2000) 305-319).
 *
 * Newmark: af = am = 0, beta and gamma given. HHT: am = 0, af = (1 - rho)/(1 + rho), 1/2 <= rho <= 1. Generalised-alpha
 * (Chung, Hulbert): am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1). For the last two gamma = 1/2 + af - am and beta =
 * (gamma + 1/2)^2/4, and rho is the spectral radius at infinite frequency. a_n approximates v' at t_n + (am - af) h.
 * The initial a_0 is set accordingly, which is necessary for lam of order 2. */
#include "method.h"

#include <string.h>

typedef struct parameters {
    double beta, gamma, am, af; /* coefficients in the formulas of the head comment */
} parameters;

static parameters parameters_newmark(const resida_solver_options *o)
{
    return (parameters){o->newmark_beta, o->newmark_gamma, 0, 0};
}

static parameters parameters_with_damping(double am, double af)
{
    double gamma = 0.5 + af - am;
    return (parameters){(gamma + 0.5) * (gamma + 0.5) / 4, gamma, am, af};
}

static parameters parameters_of(const rsd_method *m, const resida_solver_options *o)
{
    double rho = o->rho_infinity;
    if (m == &rsd_method_newmark) return parameters_newmark(o);
    if (m == &rsd_method_hht) return parameters_with_damping(0, (1 - rho) / (1 + rho));
    return parameters_with_damping((2 * rho - 1) / (rho + 1), rho / (rho + 1));
}

static void begin_newmark(const rsd_method *m, const rsd_past *past, double h, rsd_stages *st, double *k)
{
    const parameters q = parameters_of(m, past->o);
    const double *yp = past->yp, *b = past->b, back = (1 - q.gamma) / q.gamma;
    rsd_stages_set_plain(st, 0);
    st->d[RSD_FIELD_P][0][0] = q.gamma / q.beta;
    st->d[RSD_FIELD_V][0][0] = st->d[RSD_FIELD_Z][0][0] = (1 - q.am) / ((1 - q.af) * q.gamma);
    for (int i = 0; i < past->n; i++) {
        if (past->field[i] == RSD_FIELD_P) /* p'_n + h ((1 - gamma) b_n + gamma b_{n+1}) */
            k[i] = yp[i] + h * (1 - q.gamma) * b[i] - q.gamma / q.beta * (yp[i] + h * (0.5 - q.beta) * b[i]);
        if (rsd_is_rate(past->field[i])) k[i] = ((q.am - (1 - q.am) * back) * b[i] - q.af * yp[i]) / (1 - q.af);
    }
}

/* Set the pseudo-accelerations b_{n+1} from p' for positions and from v' for velocities and states. */
static void end_newmark(const rsd_method *m, const rsd_past *past, double h, const rsd_stages *st, const double *Yp,
                        double *yp, double *b)
{
    const parameters q = parameters_of(m, past->o);
    (void)st;
    for (int i = 0; i < past->n; i++) {
        yp[i] = Yp[i];
        if (past->field[i] == RSD_FIELD_P)
            b[i] = (Yp[i] - past->yp[i]) / (h * q.gamma) - (1 - q.gamma) / q.gamma * b[i];
        if (rsd_is_rate(past->field[i])) b[i] = ((1 - q.af) * Yp[i] + q.af * past->yp[i] - q.am * b[i]) / (1 - q.am);
    }
}

/* Convert b and velocities to steps of size h. a_n approximates v'(t_n + (am - af) h), which depends on h. If positions
 * satisfy the constraints to h^3, the velocities of the method differ from the exact ones by C h^2 v'', C = 1/6 - beta
 * - (am - af)/2. This difference is added to the initial velocities. Otherwise lam has order 1 until the transient has
 * decayed. Arnold, Bruels, Cardona, Error analysis of generalized-alpha Lie group time integration methods for
 * constrained mechanical systems, Numer. Math. 129 (2015) 149-179. Velocities are not converted at each change of
 * adaptive steps, because this would amplify oscillations of the slope. */
static void resize_newmark(const rsd_method *m, rsd_past *past, double h)
{
    const parameters q = parameters_of(m, past->o);
    const resida_layout *l = &past->problem->layout;
    const double by = (q.am - q.af) * (h - past->h_b), C = 1.0 / 6 - q.beta - (q.am - q.af) / 2;
    const int is_rare = !past->o->adaptive || past->count == 1;
    const int is_held = is_rare && l->lam >= 0 && past->problem->form->level == RSD_POSITION;
    for (int i = 0; i < past->n; i++) past->b[i] = past->b_start[i] + by * past->slope[i];
    for (int i = l->v; i < l->v + l->n_v - l->n_z && is_held; i++)
        past->y[0][i] += C * (h * h - past->h_b * past->h_b) * past->slope[i];
    if (is_held && rsd_is_plain_motion(past->problem))
        memcpy(past->yp + l->p, past->y[0] + l->v, (size_t)l->n_p * sizeof *past->yp);
}

/* Estimate the local error. In positions it is p''' (1/6 - beta) h^3, as in Zienkiewicz and Xie, Earthquake Eng.
 * Struct. Dyn. 20 (1991) 871-887. In states it is, with b = z'(t + d h) + k h^2 z''' and d = am - af,
 *
 *     (gamma - 1/2 + d) h^2 z'' + (1/12 - d^2/2 + k) h^3 z''',   k = -d (1 - am - af)/2. */
static void estimate_error(const rsd_method *m, const rsd_past *past, double h, double *e)
{
    const parameters q = parameters_of(m, past->o);
    const double d = q.am - q.af, second = q.gamma - 0.5 + d, third = 1.0 / 12 - d * d / 2 - d * (1 - q.am - q.af) / 2;
    for (int i = 0; i < past->n; i++) {
        const double change = past->b[i] - past->b_start[i]; /* h z'' */
        e[i] = past->field[i] == RSD_FIELD_P   ? (q.beta - 1.0 / 6) * h * h * change
               : past->field[i] == RSD_FIELD_Z ? second * h * change + third * h * (change - h * past->slope[i])
                                               : 0;
    }
}

/* Set a_0 = v'_0, and its derivative to the slope from v'_0 to v'_1. If p' = v, positions get the same values.
 * Otherwise the values of positions are those of the parabola through p'(0), p'(1/2), p'(1), where p'(1/2) follows from
 * p_0, p_1, p'_0, p'_1 by Hermite's formula. The values are for steps of size 0; resize_newmark() converts them. */
static void start_newmark(const rsd_method *m, rsd_past *past, double h, const double *y1, const double *yp1)
{
    const resida_layout *l = &past->problem->layout;
    const double *y0 = past->y[0], *yp0 = past->yp;
    (void)m;
    for (int i = 0; i < past->n; i++) {
        const double change = yp1[i] - yp0[i];
        if (rsd_is_rate(past->field[i])) past->b[i] = yp0[i], past->slope[i] = change / h;
        if (past->field[i] != RSD_FIELD_P) continue;
        const double middle = 1.5 * (y1[i] - y0[i]) / h - (yp0[i] + yp1[i]) / 4;
        past->slope[i] = 4 * (yp0[i] - 2 * middle + yp1[i]) / (h * h);
        past->b[i] = (change - past->slope[i] * h * h / 2) / h;
    }
    if (!rsd_is_plain_motion(past->problem)) return;
    memcpy(past->b + l->p, past->b + l->v, (size_t)l->n_p * sizeof *past->b);
    memcpy(past->slope + l->p, past->slope + l->v, (size_t)l->n_p * sizeof *past->slope);
}

static resida_status check_kind(const resida_problem *problem, const resida_solver_options *o, resida_message *why)
{
    if (!problem->mechanism)
        return rsd_fail(why, RESIDA_ERR_OPTION, "method = %s is for mechanisms: a general DAE has no positions",
                        o->method);
    if (o->adaptive && problem->layout.lam >= 0 && !(parameters_of(rsd_method_find(o->method), o).gamma > 0.5))
        return rsd_fail(why, RESIDA_ERR_OPTION,
                        "adaptive = 1 with constraints needs damping, because the oscillations of multipliers grow "
                        "without it: set newmark_gamma > 0.5 or rho_infinity < 1 (method = %s)",
                        o->method);
    return RESIDA_OK;
}

static resida_status check_hht(const resida_problem *problem, const resida_solver_options *o, resida_message *why)
{
    if (o->rho_infinity < 0.5)
        return rsd_fail(why, RESIDA_ERR_OPTION, "rho_infinity = %g, must be in 0.5..1 for hht", o->rho_infinity);
    return check_kind(problem, o, why);
}

/* Definition of a method of the family; the methods differ only in their parameters. */
#define FAMILY(its_name, its_check, its_traits)                                                                        \
    {                                                                                                                  \
        .name = its_name, .steps = 1, .order = 2, .traits = its_traits, .check = its_check, .begin = begin_newmark,    \
        .end = end_newmark, .start = start_newmark, .resize = resize_newmark, .error = estimate_error                  \
    }

const rsd_method rsd_method_newmark = FAMILY("newmark", check_kind, RSD_METHOD_WITH_BETA);
const rsd_method rsd_method_hht = FAMILY("hht", check_hht, RSD_METHOD_WITH_RHO);
const rsd_method rsd_method_generalized_alpha = FAMILY("generalized-alpha", check_kind, RSD_METHOD_WITH_RHO);
