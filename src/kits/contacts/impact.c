/* impact.c - velocities v+ after an impact from v- before it. n_i is the derivative of gap i by p. With the factors of
 * a consistent start (kkt.h), the solutions for a unit impulse at each contact i and for the residual of the joints,
 *
 *     [ M  G' ] [ x_i  ]   [ (n_i T)' ]        [ M  G' ] [ x_0  ]   [     0       ]
 *     [ G  0  ] [ mu_i ] = [    0     ]        [ G  0  ] [ mu_0 ] = [ -(G v- + gI) ]
 *
 * give v+ = v- + x_0 + sum x_i P_i and the impulses of the joints Lam = mu_0 + sum mu_i P_i. The impulses P_i of the
 * contacts solve a linear complementarity problem,
 *
 *     0 <= P, D P + q >= 0, P' (D P + q) = 0,   D_ij = n_i T x_j,   symmetric, without a negative eigenvalue
 *
 * (complementarity.c). J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988. */
#include <resida/impact.h>

#include "complementarity.h"
#include "impact_impl.h"

#include "base/linear/dense.h"

#include "src/core/problem/arguments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ENERGY_ROUNDING 1e-9  /* rounding error of the energy, relative to impulses times their changes of speed */
#define SPEED_ROUNDING  1e-10 /* rounding error of a speed, relative to the largest speed at a contact */

void resida_contacts_init(resida_contacts *c)
{
    if (c) *c = (resida_contacts){.size = sizeof *c};
}

resida_status rsd_impact_allocate(rsd_impact *x, const resida_allocator *a, resida_message *why)
{
    const long n = x->n;
    const int all = RSD_DOUBLES(a, n, &x->size, &x->w_before, &x->q, &x->P, &x->w, &x->z) &&
                    RSD_DOUBLES(a, n * n, &x->D, &x->D_1) && RSD_DOUBLES(a, n * x->n_v, &x->rows, &x->x) &&
                    RSD_DOUBLES(a, n * x->n_l, &x->mu) && RSD_DOUBLES(a, x->n_l, &x->mu_0) &&
                    RSD_DOUBLES(a, x->n_v, &x->base, &x->v);
    return all ? RESIDA_OK : rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for an impact of %d contacts", x->n);
}

static const char *format_contact_name(const rsd_impact *x, int i, char *text, size_t size)
{
    const int of = i % x->c->n; /* with friction the rows of sliding follow the rows of gaps */
    if (x->c->names && x->c->names[of]) return x->c->names[of];
    (void)snprintf(text, size, "contact %d", of);
    return text;
}

void rsd_impact_compute_row(const rsd_mechanism *k, const double *given, double *row)
{
    memset(row, 0, (size_t)k->m.n_v * sizeof *row);
    if (k->m.kinematic_matrix)
        rsd_csr_add_transposed(&k->T, k->T_values, 1, given, row);
    else
        memcpy(row, given, (size_t)k->m.n_p * sizeof *row);
}

/* Add x_0 to the velocities s->v, which then satisfy the joints. *gv_before is set to the largest violation before. */
static resida_status project_impact_velocity(rsd_impact *x, double *gv_before)
{
    rsd_start *s = x->s;
    RSD_TRY(rsd_start_eval_velocity_level(s, s->c));
    *gv_before = rsd_finite_norm(s->c, x->n_l);
    for (int i = 0; i < x->n_l; i++) s->c[i] = -s->c[i];
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, x->mu_0);
    const double change = rsd_finite_norm(s->dq, s->k->n_w);
    if (change > s->o->max_change)
        return rsd_fail(
            s->why, RESIDA_ERR_INCONSISTENT,
            "%s: the velocity before the impact at t = %g is %g away from the constraints, more than max_change = %g",
            s->k->m.name, s->t, change, s->o->max_change);
    for (int i = 0; i < s->k->n_w; i++) s->v[i] += s->dq[i];
    return RESIDA_OK;
}

/* Compute the response x_i, mu_i to a unit impulse at contact i. Set *held to 1 if (n_i T)' = G' mu_i: the joints then
 * prescribe the motion of the contact. v [n_v] are the velocities at which M was evaluated. */
static resida_status solve_unit_impulse(rsd_impact *x, const double *v, int i, int *held)
{
    rsd_start *s = x->s;
    double *row = x->rows + (long)i * x->n_v, *x_i = x->x + (long)i * x->n_v, *mu = x->mu + (long)i * x->n_l;
    RSD_TRY(rsd_start_convert_verdict(s, rsd_kkt_set_force(&s->kkt, s->t, s->p, v, row, x->base)));
    RSD_TRY(rsd_start_check_finite(s, "the response to an impulse", s->kkt.psi, x->n_v));
    memset(s->c, 0, (size_t)x->n_l * sizeof *s->c);
    rsd_kkt_solve(&s->kkt, 1, s->c, x_i, mu);
    memcpy(s->dq, row, (size_t)x->n_v * sizeof *row);
    rsd_add_constraint_force(s->k, -1, mu, s->dq);
    *held = rsd_finite_norm(s->dq, x->n_v) <= s->o->rank_tolerance * rsd_finite_norm(row, x->n_v);
    return RESIDA_OK;
}

resida_status rsd_impact_solve_unit_impulses(rsd_impact *x, const double *v)
{
    rsd_start *s = x->s;
    char name[RSD_ROW_NAME];
    memcpy(x->base, s->kkt.psi, (size_t)x->n_v * sizeof *x->base);
    for (int i = 0; i < x->n; i++) {
        int held = 0;
        RSD_TRY(solve_unit_impulse(x, v, i, &held));
        const double self = rsd_dot(x->rows + (long)i * x->n_v, x->x + (long)i * x->n_v, x->n_v);
        if (!held && !(self > 0 && isfinite(self)))
            return rsd_fail(s->why, RESIDA_ERR_SINGULAR,
                            "%s: velocities after the impact at t = %g are not determined: the mass at %.60s is not "
                            "positive",
                            s->k->m.name, s->t, format_contact_name(x, i, name, sizeof name));
        x->size[i] = held ? 0 : 1 / sqrt(self);
    }
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->n; j++)
            x->D[(long)i * x->n + j] = rsd_dot(x->rows + (long)i * x->n_v, x->x + (long)j * x->n_v, x->n_v);
    return RESIDA_OK;
}

void rsd_impact_scale_matrix(rsd_impact *x)
{
    const int n = x->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x->D_1[(long)i * n + j] =
                i == j ? 1 : x->size[i] * x->size[j] * (x->D[(long)i * n + j] + x->D[(long)j * n + i]) / 2;
}

/* Return the speed of row i at zero velocities, the given rate of gap i, or of sliding direction i - n. */
static double get_rate(const rsd_impact *x, int i)
{
    const double *rates = i < x->c->n ? x->c->rates : x->c->slide_rates;
    return rates ? rates[i % x->c->n] : 0;
}

/* Compute q, the matrix D and the rounding error of q of the scaled complementarity problem. */
static void scale_problem(rsd_impact *x)
{
    const int n = x->c->n;
    double fastest = 0;
    for (int i = 0; i < x->n; i++) {
        const double moved = rsd_dot(x->rows + (long)i * x->n_v, x->s->v, x->n_v), rate = get_rate(x, i);
        const int rebounds = i < n && x->c->law == RESIDA_IMPACT_NEWTON;
        x->w_before[i] = moved + rate;
        x->q[i] = x->w_before[i] * (x->w_before[i] < 0 && rebounds ? 1 + x->c->restitution[i] : 1);
        fastest = fmax(fastest, fmax(fabs(moved), fabs(rate)) * fmax(x->size[i], 0));
    }
    rsd_impact_scale_matrix(x);
    x->rounding = SPEED_ROUNDING * fastest;
}

/* Report a contact that closes although the joints prescribe its motion. */
static resida_status check_prescribed_motion(const rsd_impact *x)
{
    char name[RSD_ROW_NAME];
    const rsd_start *s = x->s;
    for (int i = 0; i < x->c->n; i++) {
        const double *row = x->rows + (long)i * x->n_v;
        double speed = fabs(get_rate(x, i));
        if (x->size[i] > 0) continue;
        for (int k = 0; k < x->n_v; k++) speed = fmax(speed, fabs(row[k] * s->v[k]));
        if (x->w_before[i] < -RSD_START_FOLLOWS * speed)
            return rsd_fail(
                s->why, RESIDA_ERR_REDUNDANT,
                "%s: %.60s closes at t = %g with %g, and the joints prescribe its motion: no impulse can stop it",
                s->k->m.name, format_contact_name(x, i, name, sizeof name), s->t, -x->w_before[i]);
    }
    return RESIDA_OK;
}

static resida_status report_no_impulses(const rsd_impact *x, int found, int blocking_contact)
{
    char name[RSD_ROW_NAME];
    const char *text = found < 0 ? "%s: the impulses at t = %g are determined by rounding, first at contact %.60s"
                       : x->c->friction
                           ? "%s: no velocities after t = %g are found that satisfy all contacts and their friction: "
                             "%.60s contradicts the others"
                           : "%s: no velocities after t = %g satisfy all contacts: %.60s contradicts the others";
    return rsd_fail(x->s->why, found < 0 ? RESIDA_ERR_SINGULAR : RESIDA_ERR_INCONSISTENT, text, x->s->k->m.name,
                    x->s->t, format_contact_name(x, blocking_contact, name, sizeof name));
}

/* Compute the impulses of one phase of the scaled problem, and add them to x->P. base [n]: given part of the
 * normal impulses, or NULL. */
static resida_status solve_phase(rsd_impact *x, const resida_allocator *a, const double *base)
{
    const int n = x->c->n;
    const double *friction = x->c->friction;
    int found = 0;
    for (int i = 0; i < n && friction; i++)
        x->z[i] = x->size[n + i] > 0 ? friction[i] * x->size[i] / x->size[n + i] : 0;
    rsd_complementarity f = {.n = n,
                             .D = x->D_1,
                             .q = x->q,
                             .mu = friction ? x->z : NULL,
                             .base = base,
                             .rounding = x->rounding,
                             .force = x->w};
    if (rsd_complementarity_solve(&f, a, &found) < 0)
        return rsd_fail(x->s->why, RESIDA_ERR_MEMORY, "no memory for an impact of %d contacts", n);
    if (found <= 0) return report_no_impulses(x, found, f.blocking_contact);
    for (int i = 0; i < x->n; i++) {
        x->P[i] += x->w[i];
        for (int j = 0; j < x->n; j++) x->q[i] += x->D_1[(long)i * x->n + j] * x->w[j];
    }
    return RESIDA_OK;
}

/* Compute the impulses by Newton's law, or by compression and expansion of Poisson's law. */
static resida_status compute_impulses(rsd_impact *x, const resida_allocator *a)
{
    double *base = x->w_before, max = 0;
    scale_problem(x);
    RSD_TRY(check_prescribed_motion(x));
    for (int i = 0; i < x->n; i++) x->q[i] *= x->size[i];
    RSD_TRY(solve_phase(x, a, NULL));
    for (int i = 0; i < x->c->n && x->c->law == RESIDA_IMPACT_POISSON; i++)
        max = fmax(max, base[i] = x->c->restitution[i] * x->P[i]);
    if (max > 0) RSD_TRY(solve_phase(x, a, base));
    for (int i = 0; i < x->n; i++) x->P[i] *= x->size[i];
    return RESIDA_OK;
}

/* Compute the velocities after the impact, the impulses Lam of the joints and the energy change. Return the sum of the
 * absolute terms of the energy change. */
static double add_impulses(rsd_impact *x, const double *v_before, resida_impact_report *report)
{
    const rsd_start *s = x->s;
    memcpy(x->v, s->v, (size_t)x->n_v * sizeof *x->v);
    for (int i = 0; i < x->n; i++) {
        report->n_pushing += i < x->c->n && x->P[i] > 0;
        for (int k = 0; k < s->k->n_w; k++) x->v[k] += x->P[i] * x->x[(long)i * x->n_v + k];
        for (int k = 0; k < x->n_l; k++) x->mu_0[k] += x->P[i] * x->mu[(long)i * x->n_l + k];
    }
    /* T+ - T- = (v+ - v-)' M (v+ + v-) / 2, and M (v+ - v-) are the impulses */
    for (int k = 0; k < x->n_v; k++) s->a[k] = k < s->k->n_w ? (x->v[k] + v_before[k]) / 2 : 0;
    memset(s->dq, 0, (size_t)x->n_v * sizeof *s->dq);
    rsd_add_constraint_force(s->k, -1, x->mu_0, s->dq);
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < x->n_v; k++) s->dq[k] += x->P[i] * x->rows[(long)i * x->n_v + k];
    report->energy_change = rsd_dot(s->dq, s->a, x->n_v);
    double terms = 0;
    for (int k = 0; k < x->n_v; k++) terms += fabs(s->dq[k] * (x->v[k] - v_before[k]));
    return terms;
}

/* Return the energy that impulses add in frames that move with the surfaces, sum of P_i (w_i- + w_i+)/2. s->a contains
 * the mean of the velocities before and after the impact. The remainder of the energy change is work of moving surfaces
 * and joints. */
static double compute_energy_gain(const rsd_impact *x)
{
    double gain = 0;
    for (int i = 0; i < x->n; i++)
        gain += x->P[i] * (rsd_dot(x->rows + (long)i * x->n_v, x->s->a, x->n_v) + get_rate(x, i));
    return gain;
}

/* Check the velocity constraints after the impact, including redundant rows. */
static resida_status check_joints(rsd_impact *x, resida_impact_report *report)
{
    rsd_start *s = x->s;
    char name[RSD_ROW_NAME];
    memcpy(s->v, x->v, (size_t)x->n_v * sizeof *s->v);
    RSD_TRY(rsd_start_eval_velocity_level(s, s->c));
    report->gv_after = rsd_finite_norm(s->c, x->n_l);
    if (!isfinite(rsd_finite_norm(x->v, x->n_v)) || !isfinite(report->gv_after)) return rsd_start_report_singular(s);
    for (int i = 0; i < s->rank.n_redundant; i++) {
        const int row = s->rank.redundant[i];
        if (fabs(s->c[row]) > RSD_START_FOLLOWS * (1 + s->rank.scale[row]) * (1 + rsd_finite_norm(x->v, s->k->n_w)))
            return rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                            "%s: constraint %s contradicts the others after the impact at t = %g: gv = %g",
                            s->k->m.name, rsd_row_name(s->k, row, name, sizeof name), s->t, s->c[row]);
    }
    return RESIDA_OK;
}

static resida_status compute_impact(rsd_impact *x, const double *v_before, const resida_allocator *a,
                                    resida_impact_report *report)
{
    rsd_start *s = x->s;
    RSD_TRY(rsd_start_eval_rows(s, s->p));
    RSD_TRY(rsd_start_eval_metric(s));
    RSD_TRY(rsd_start_find_independent_rows(s));
    RSD_TRY(rsd_start_factor(s));
    const int n = x->c->n, n_v = x->n_v;
    for (int i = 0; i < n; i++)
        rsd_impact_compute_row(s->k, x->c->rows + (long)i * s->k->m.n_p, x->rows + (long)i * n_v);
    if (x->c->friction) memcpy(x->rows + (long)n * n_v, x->c->slides, (size_t)n * (size_t)n_v * sizeof *x->rows);
    RSD_TRY(rsd_impact_solve_unit_impulses(x, v_before));
    RSD_TRY(project_impact_velocity(x, &report->gv_before));
    RSD_TRY(compute_impulses(x, a));
    const double terms = add_impulses(x, v_before, report), gain = compute_energy_gain(x);
    if (x->c->friction && gain > ENERGY_ROUNDING * terms)
        return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                        "%s: the impact with friction at t = %.9g gains energy, %.3g by %s law", s->k->m.name, s->t,
                        gain, x->c->law == RESIDA_IMPACT_NEWTON ? "Newton's" : "Poisson's");
    return check_joints(x, report);
}

static resida_status check_contacts(const resida_contacts *c, int n_p, int n_v, resida_message *why)
{
    if (!c) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts is NULL");
    RSD_TRY(rsd_check_size("impact: contacts", c->size, sizeof *c, why));
    if (c->n < 1) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: n = %d, must be > 0", c->n);
    const rsd_argument in[] = {
        {"rows", c->rows, (long)c->n * n_p, RSD_READ, NULL},
        {"rates", c->rates, c->n, RSD_READ_IF_GIVEN, NULL},
        {"restitution", c->restitution, c->n, RSD_READ, NULL},
        {"friction", c->friction, c->n, RSD_READ_IF_GIVEN, NULL},
        {"slides", c->friction ? c->slides : NULL, (long)c->n * n_v, c->friction ? RSD_READ : RSD_READ_IF_GIVEN, NULL},
        {"slide_rates", c->friction ? c->slide_rates : NULL, c->n, RSD_READ_IF_GIVEN, NULL}};
    RSD_TRY(rsd_check_arrays("impact: contacts", in, sizeof in / sizeof *in, why));
    for (int i = 0; i < c->n; i++) {
        if (!(c->restitution[i] >= 0 && c->restitution[i] <= 1))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: restitution[%d] = %g, must be from 0 to 1", i,
                            c->restitution[i]);
        if (c->friction && !(c->friction[i] >= 0))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: friction[%d] = %g, must be >= 0", i,
                            c->friction[i]);
    }
    if (c->friction && ((int)c->law < 0 || (int)c->law > RESIDA_IMPACT_POISSON))
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: law = %d, must be 0 or 1", (int)c->law);
    return RESIDA_OK;
}

/* Check the arguments. v_after may be v. `out` contains v_after, push and lam_push. */
static resida_status check_impact_arguments(const resida_problem *q, double t, const double *p, const double *v,
                                            const resida_contacts *c, const resida_start_options *o,
                                            double *const out[3], resida_message *why)
{
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_impact: problem is NULL");
    if (!q->mechanism)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_impact: a general DAE has no masses: problem");
    const rsd_mechanism *k = q->mechanism;
    const rsd_argument in[] = {{"p", p, k->m.n_p, RSD_READ, k->m.p_names}, {"v", v, k->m.n_v, RSD_READ, k->m.v_names}};
    RSD_TRY(rsd_start_check_options(o, why));
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: t = %g, must be finite", t);
    RSD_TRY(rsd_check_arrays("impact", in, sizeof in / sizeof *in, why));
    RSD_TRY(check_contacts(c, k->m.n_p, k->m.n_v, why));
    const rsd_argument written[] = {{"v_after", out[0], k->m.n_v, RSD_WRITTEN, NULL},
                                    {"push", out[1], c->n, RSD_WRITTEN_IF_GIVEN, NULL},
                                    {"lam_push", out[2], k->n_l, RSD_WRITTEN_IF_GIVEN, NULL}};
    RSD_TRY(rsd_check_arrays("impact", written, sizeof written / sizeof *written, why));
    return rsd_option_check_effects(&rsd_start_table, &(rsd_option_case){q, o, NULL}, NULL, why);
}

resida_status resida_problem_impact(resida_problem *q, double t, const double *p, const double *v,
                                    const resida_contacts *contacts, const resida_start_options *o, double *v_after,
                                    double *push, double *lam_push, resida_impact_report *report, resida_message *why)
{
    resida_start_options defaults;
    resida_start_options_init(&defaults);
    if (!o) o = &defaults;
    RSD_TRY(check_impact_arguments(q, t, p, v, contacts, o, (double *const[]){v_after, push, lam_push}, why));
    RSD_TRY(rsd_start_allocate_for(q, &q->impact, "impact", why));
    rsd_start *s = q->impact;
    rsd_impact x = {
        .s = s, .c = contacts, .n = (contacts->friction ? 2 : 1) * contacts->n, .n_v = s->k->m.n_v, .n_l = s->k->n_l};
    resida_impact_report own_report = {.rank = 0};
    rsd_owner owner;
    const resida_allocator alloc = rsd_get_owned_allocator(&owner, &q->alloc);
    resida_status status = rsd_impact_allocate(&x, &alloc, why);
    if (status >= 0) {
        rsd_start_begin(s, t, p, v, o, why);
        rsd_unilateral_mark_open(&q->contacts, q->mechanism, 1);
        status = compute_impact(&x, v, &alloc, &own_report);
        rsd_unilateral_mark_open(&q->contacts, q->mechanism, 0);
        own_report.residual_calls = s->k->formalism_calls - s->calls_before;
        own_report.rank = s->report.rank;
        own_report.n_redundant = s->report.n_redundant;
        own_report.redundant = s->report.redundant;
        if (report) *report = own_report;
    }
    if (status >= 0) {
        memcpy(v_after, x.v, (size_t)x.n_v * sizeof *v_after);
        if (push) memcpy(push, x.P, (size_t)contacts->n * sizeof *push);
        if (lam_push) memcpy(lam_push, x.mu_0, (size_t)x.n_l * sizeof *lam_push);
    }
    rsd_owner_free(&owner);
    return status;
}
