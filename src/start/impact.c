/* impact.c - velocities after an impact. With the factors of a consistent start (kkt.h), one solution for each contact
 * and one for the residual of the joints,
 *
 *     [ M  G' ] [ x_i  ]   [ (n_i T)' ]        [ M  G' ] [ x_0  ]   [     0       ]
 *     [ G  0  ] [ mu_i ] = [    0     ]        [ G  0  ] [ mu_0 ] = [ -(G v- + gI) ]
 *
 * give v+ = v- + x_0 + sum x_i P_i and Lam = mu_0 + sum mu_i P_i. The P_i solve a small linear complementarity problem,
 *
 *     0 <= P, D P + q >= 0, P' (D P + q) = 0,   D_ij = n_i T x_j,   symmetric, without a negative eigenvalue:
 *
 * the least 1/2 P' D P + q' P over P >= 0, by an active set. The contact with the most negative w = D P + q enters: P
 * goes along z, in which those that push already keep their w,
 *
 *     D_SS z_S = -D_Sj,  z_j = 1,
 *
 * until w_j = 0, and it belongs to the set, or until a P of the set has come to 0: that contact drops out, and it goes
 * on without it. The energy falls with each set, so none comes twice. Where w_j does not grow along z (contact j
 * depends on those that push) and no P falls, there is no solution: P may grow for ever. J. J. Moreau, Unilateral
 * contact and dry friction in finite freedom dynamics, 1988; F. Pfeiffer, C. Glocker, Multibody Dynamics with
 * Unilateral Contacts, 1996; G. B. Dantzig, Linear Programming and Extensions, 1963; C. Lawson, R. Hanson, Solving
 * Least Squares Problems, 1974, ch. 23. */
#include <resida/impact.h>

#include "start_impl.h"

#include "src/linear/dense.h"
#include "src/problem/arguments.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPEED_ROUNDING 1e-10 /* of the largest speed at a contact: a smaller one is rounding */
#define NOTHING_NEW    1e-10 /* of 1, the diagonal of D: less is new in a contact that depends on those that push */

enum { PUSH_ROUNDS = 50 }; /* each contact enters a few times at the most */

/** One call. Arrays by contact are [.. x n], one after the other. */
typedef struct impact {
    rsd_start *s;
    const resida_contacts *c;
    int n, n_v, n_l;
    double *rows;      /* [n_v x n] n_i T, 0 for states */
    double *x, *mu;    /* [n_v x n], [n_l x n] */
    double *mu_0;      /* [n_l] */
    double *base;      /* [n_v] Psi */
    double *D, *D_1;   /* [n x n]; D scaled to a diagonal of 1 */
    double *size;      /* [n] 1/sqrt(D_ii); 0: the joints fix the contact */
    double *w_before;  /* [n] */
    double *q, *P, *w; /* [n] of the scaled problem */
    double least;      /* of w, below 0: rounding */
    double *A, *z;     /* [n x n], [n] */
    double *v;         /* [n_v] */
    int *set, n_set;   /* [n] the contacts that push */
    int *pivots;       /* [n] */
    int culprit;       /* if there is no solution: one of the contacts that exclude it */
} impact;

void resida_contacts_init(resida_contacts *c)
{
    if (c) *c = (resida_contacts){.size = sizeof *c};
}

static resida_status impact_reserve(impact *x, const resida_allocator *a, resida_message *why)
{
    const long n = x->n;
    const int all = RSD_DOUBLES(a, n, &x->size, &x->w_before, &x->q, &x->P, &x->w, &x->z) &&
                    RSD_DOUBLES(a, n * n, &x->D, &x->D_1, &x->A) && RSD_DOUBLES(a, n * x->n_v, &x->rows, &x->x) &&
                    RSD_DOUBLES(a, n * x->n_l, &x->mu) && RSD_DOUBLES(a, x->n_l, &x->mu_0) &&
                    RSD_DOUBLES(a, x->n_v, &x->base, &x->v) && RSD_INTS(a, n, &x->set, &x->pivots);
    return all ? RESIDA_OK : rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for an impact of %d contacts", x->n);
}

static const char *contact_name(const impact *x, int i, char *text, size_t size)
{
    if (x->c->names && x->c->names[i]) return x->c->names[i];
    (void)snprintf(text, size, "contact %d", i);
    return text;
}

/* n_i T */
static void find_rows(impact *x)
{
    const rsd_mechanism *k = x->s->k;
    const int n_p = k->m.n_p;
    for (int i = 0; i < x->n; i++) {
        const double *given = x->c->rows + (long)i * n_p;
        double *row = x->rows + (long)i * x->n_v;
        memset(row, 0, (size_t)x->n_v * sizeof *row);
        if (k->m.kinematic_matrix)
            rsd_csr_add_transposed(&k->T, k->T_values, 1, given, row);
        else
            memcpy(row, given, (size_t)n_p * sizeof *row);
    }
}

/* Project v- onto the joints: s->v += x_0. */
static resida_status project_velocity(impact *x, double *gv_before)
{
    rsd_start *s = x->s;
    RSD_TRY(rsd_start_velocity_level(s, s->c));
    *gv_before = rsd_finite_norm(s->c, x->n_l);
    for (int i = 0; i < x->n_l; i++) s->c[i] = -s->c[i];
    rsd_kkt_solve(&s->kkt, 0, s->c, s->dq, x->mu_0);
    const double change = rsd_finite_norm(s->dq, s->k->n_w);
    if (change > s->o->max_change)
        return rsd_fail(s->why, RESIDA_ERR_INCONSISTENT,
                        "%s: v before the impact at t = %g is %g off the constraints, max_change is %g", s->k->m.name,
                        s->t, change, s->o->max_change);
    for (int i = 0; i < s->k->n_w; i++) s->v[i] += s->dq[i];
    return RESIDA_OK;
}

/* x_i, mu_i; *held 1: (n_i T)' - G' mu_i vanishes. v: any, the same as for the metric */
static resida_status solve_unit_impulse(impact *x, const double *v, int i, int *held)
{
    rsd_start *s = x->s;
    double *row = x->rows + (long)i * x->n_v, *x_i = x->x + (long)i * x->n_v, *mu = x->mu + (long)i * x->n_l;
    RSD_TRY(rsd_start_verdict(s, rsd_kkt_set_force(&s->kkt, s->t, s->p, v, row, x->base)));
    RSD_TRY(rsd_start_finite(s, "the answer to a push", s->kkt.psi, x->n_v));
    memset(s->c, 0, (size_t)x->n_l * sizeof *s->c);
    rsd_kkt_solve(&s->kkt, 1, s->c, x_i, mu);
    memcpy(s->dq, row, (size_t)x->n_v * sizeof *row);
    rsd_add_constraint_force(s->k, -1, mu, s->dq);
    *held = rsd_finite_norm(s->dq, x->n_v) <= s->o->rank_tolerance * rsd_finite_norm(row, x->n_v);
    return RESIDA_OK;
}

static resida_status solve_unit_impulses(impact *x, const double *v)
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
                            s->k->m.name, s->t, contact_name(x, i, name, sizeof name));
        x->size[i] = held ? 0 : 1 / sqrt(self);
    }
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->n; j++)
            x->D[(long)i * x->n + j] = rsd_dot(x->rows + (long)i * x->n_v, x->x + (long)j * x->n_v, x->n_v);
    return RESIDA_OK;
}

/* q and D of the scaled problem, and its rounding error. */
static void scale(impact *x)
{
    const int n = x->n;
    double fastest = 0;
    for (int i = 0; i < n; i++) {
        const double moved = rsd_dot(x->rows + (long)i * x->n_v, x->s->v, x->n_v),
                     rate = x->c->rates ? x->c->rates[i] : 0;
        x->w_before[i] = moved + rate;
        x->q[i] = x->w_before[i] * (x->w_before[i] < 0 ? 1 + x->c->restitution[i] : 1);
        fastest = fmax(fastest, fmax(fabs(moved), fabs(rate)) * fmax(x->size[i], 0));
        for (int j = 0; j < n; j++)
            x->D_1[(long)i * n + j] =
                i == j ? 1 : x->size[i] * x->size[j] * (x->D[(long)i * n + j] + x->D[(long)j * n + i]) / 2;
    }
    x->least = SPEED_ROUNDING * fastest;
}

/* A contact that the joints fix is an error if it closes. */
static resida_status check_held(const impact *x)
{
    char name[RSD_ROW_NAME];
    const rsd_start *s = x->s;
    for (int i = 0; i < x->n; i++) {
        const double *row = x->rows + (long)i * x->n_v, rate = x->c->rates ? x->c->rates[i] : 0;
        double speed = fabs(rate);
        if (x->size[i] > 0) continue;
        for (int k = 0; k < x->n_v; k++) speed = fmax(speed, fabs(row[k] * s->v[k]));
        if (x->w_before[i] < -RSD_START_FOLLOWS * speed)
            return rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                            "%s: %.60s closes at t = %g with %g, and its direction depends on the joints: no impulse "
                            "stops it",
                            s->k->m.name, contact_name(x, i, name, sizeof name), s->t, -x->w_before[i]);
    }
    return RESIDA_OK;
}

/* z for contact j; what is new in it. < 0: the matrix of the set is singular. */
static double direction(impact *x, int j)
{
    const int n = x->n, m = x->n_set;
    double fresh = x->D_1[(long)j * n + j];
    for (int c = 0; c < m; c++) {
        for (int r = 0; r < m; r++) x->A[(long)c * m + r] = x->D_1[(long)x->set[r] * n + x->set[c]];
        x->z[c] = -x->D_1[(long)x->set[c] * n + j];
    }
    if (rsd_lu_factor(m, x->A, x->pivots) != 0) return -1;
    rsd_lu_solve(m, x->A, x->pivots, x->z);
    for (int c = 0; c < m; c++) fresh += x->D_1[(long)j * n + x->set[c]] * x->z[c];
    return fmax(fresh, 0);
}

static void find_w(impact *x)
{
    for (int i = 0; i < x->n; i++) {
        x->w[i] = x->q[i];
        for (int j = 0; j < x->n; j++) x->w[i] += x->D_1[(long)i * x->n + j] * x->P[j];
    }
}

/* Contact j takes part, or another one drops out. @return 1 it does; 0 once more; -1 there is no solution; -2 it is not
 * found */
static int enter(impact *x, int j)
{
    const double fresh = direction(x, j);
    if (fresh < 0) return -2;
    int out = -1;
    double part = fresh > NOTHING_NEW ? -x->w[j] / fresh : INFINITY;
    for (int c = 0; c < x->n_set; c++) {
        const double room = x->z[c] < -NOTHING_NEW ? -x->P[x->set[c]] / x->z[c] : INFINITY;
        if (room < part) {
            part = room;
            out = c;
        }
    }
    if (isinf(part)) return -1;
    for (int c = 0; c < x->n_set; c++) x->P[x->set[c]] += part * x->z[c];
    x->P[j] += part;
    if (out < 0) {
        x->set[x->n_set++] = j;
        return 1;
    }
    x->P[x->set[out]] = 0;
    x->set[out] = x->set[--x->n_set];
    find_w(x);
    return 0;
}

/* P of the scaled problem. @return 1: solved; 0: there is no solution; < 0: none was found, because rounding decides */
static int solve_contacts(impact *x)
{
    memset(x->P, 0, (size_t)x->n * sizeof *x->P);
    x->n_set = 0;
    for (long round = 0; round < (long)PUSH_ROUNDS * (x->n + 1); round++) {
        int j = 0, is_in = 0;
        find_w(x);
        for (int i = 1; i < x->n; i++)
            if (x->w[i] < x->w[j]) j = i;
        if (x->w[j] >= -x->least) return 1;
        for (int c = 0; c < x->n_set; c++)
            if (x->set[c] == j) return -1;
        for (int tries = 0; tries <= x->n && !is_in; tries++) is_in = enter(x, j);
        x->culprit = j;
        if (is_in <= 0) return is_in == -1 ? 0 : -1;
    }
    return -1;
}

/* Solve for P, into x->P. */
static resida_status find_impulses(impact *x)
{
    char name[RSD_ROW_NAME];
    scale(x);
    RSD_TRY(check_held(x));
    for (int i = 0; i < x->n; i++) x->q[i] *= x->size[i];
    const int found = solve_contacts(x);
    if (found <= 0)
        return rsd_fail(x->s->why, found ? RESIDA_ERR_SINGULAR : RESIDA_ERR_INCONSISTENT,
                        found
                            ? "%s: the impulses at t = %g are decided by rounding, at %.60s first"
                            : "%s: no velocities after t = %g are allowed by all contacts: %.60s is against the others",
                        x->s->k->m.name, x->s->t, contact_name(x, x->culprit, name, sizeof name));
    for (int i = 0; i < x->n; i++) x->P[i] *= x->size[i];
    return RESIDA_OK;
}

/* v+ into x->v, Lam into x->mu_0, the change of energy into the report. */
static void add_impulses(impact *x, const double *v_before, resida_impact_report *report)
{
    const rsd_start *s = x->s;
    memcpy(x->v, s->v, (size_t)x->n_v * sizeof *x->v);
    for (int i = 0; i < x->n; i++) {
        report->n_pushing += x->P[i] > 0;
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
}

/* Check the joints after the impact, dropped rows included. */
static resida_status check_joints(impact *x, resida_impact_report *report)
{
    rsd_start *s = x->s;
    char name[RSD_ROW_NAME];
    memcpy(s->v, x->v, (size_t)x->n_v * sizeof *s->v);
    RSD_TRY(rsd_start_velocity_level(s, s->c));
    report->gv_after = rsd_finite_norm(s->c, x->n_l);
    if (!isfinite(rsd_finite_norm(x->v, x->n_v)) || !isfinite(report->gv_after)) return rsd_start_singular(s);
    for (int i = 0; i < s->rank.n_redundant; i++) {
        const int row = s->rank.redundant[i];
        if (fabs(s->c[row]) > RSD_START_FOLLOWS * (1 + s->rank.scale[row]) * (1 + rsd_finite_norm(x->v, s->k->n_w)))
            return rsd_fail(s->why, RESIDA_ERR_REDUNDANT,
                            "%s: constraint %s contradicts the others after the impact at t = %g: gv = %g",
                            s->k->m.name, rsd_row_name(s->k, row, name, sizeof name), s->t, s->c[row]);
    }
    return RESIDA_OK;
}

static resida_status run_stages(impact *x, const double *v_before, resida_impact_report *report)
{
    rsd_start *s = x->s;
    RSD_TRY(rsd_start_rows(s, s->p));
    RSD_TRY(rsd_start_metric(s));
    RSD_TRY(rsd_start_rank(s));
    RSD_TRY(rsd_start_factor(s));
    find_rows(x);
    RSD_TRY(solve_unit_impulses(x, v_before));
    RSD_TRY(project_velocity(x, &report->gv_before));
    RSD_TRY(find_impulses(x));
    add_impulses(x, v_before, report);
    return check_joints(x, report);
}

static resida_status check_contacts(const resida_contacts *c, int n_p, resida_message *why)
{
    if (!c) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts is NULL");
    RSD_TRY(rsd_check_size("impact: contacts", c->size, sizeof *c, why));
    if (c->n < 1) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: n = %d, must be > 0", c->n);
    const rsd_argument in[] = {{"rows", c->rows, (long)c->n * n_p, RSD_READ},
                               {"rates", c->rates, c->n, RSD_READ_IF_GIVEN},
                               {"restitution", c->restitution, c->n, RSD_READ}};
    RSD_TRY(rsd_check_arrays("impact: contacts", in, sizeof in / sizeof *in, why));
    for (int i = 0; i < c->n; i++)
        if (!(c->restitution[i] >= 0 && c->restitution[i] <= 1))
            return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: contacts: restitution[%d] = %g, must be from 0 to 1", i,
                            c->restitution[i]);
    return RESIDA_OK;
}

/* v_after may be v. out: v_after, push, lam_push. */
static resida_status check_arguments(const resida_problem *q, double t, const double *p, const double *v,
                                     const resida_contacts *c, const resida_start_options *o, double *const out[3],
                                     resida_message *why)
{
    if (!q) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_impact: problem is NULL");
    if (!q->mechanism)
        return rsd_fail(why, RESIDA_ERR_ARGUMENT, "resida_problem_impact: a general DAE has no masses: problem");
    const rsd_mechanism *k = q->mechanism;
    const rsd_argument in[] = {{"p", p, k->m.n_p, RSD_READ}, {"v", v, k->m.n_v, RSD_READ}};
    RSD_TRY(rsd_start_check_options(o, why));
    if (!isfinite(t)) return rsd_fail(why, RESIDA_ERR_ARGUMENT, "impact: t = %g, must be finite", t);
    RSD_TRY(rsd_check_arrays("impact", in, sizeof in / sizeof *in, why));
    RSD_TRY(check_contacts(c, k->m.n_p, why));
    const rsd_argument written[] = {{"v_after", out[0], k->m.n_v, RSD_WRITTEN},
                                    {"push", out[1], c->n, RSD_WRITTEN_IF_GIVEN},
                                    {"lam_push", out[2], k->n_l, RSD_WRITTEN_IF_GIVEN}};
    RSD_TRY(rsd_check_arrays("impact", written, sizeof written / sizeof *written, why));
    return rsd_option_effects(&rsd_start_table, &(rsd_option_case){q, o, NULL}, NULL, why);
}

resida_status resida_problem_impact(resida_problem *q, double t, const double *p, const double *v,
                                    const resida_contacts *contacts, const resida_start_options *o, double *v_after,
                                    double *push, double *lam_push, resida_impact_report *report, resida_message *why)
{
    resida_start_options defaults;
    resida_start_options_init(&defaults);
    if (!o) o = &defaults;
    RSD_TRY(check_arguments(q, t, p, v, contacts, o, (double *const[]){v_after, push, lam_push}, why));
    RSD_TRY(rsd_start_reserve_for(q, &q->impact, "impact", why));
    rsd_start *s = q->impact;
    impact x = {.s = s, .c = contacts, .n = contacts->n, .n_v = s->k->m.n_v, .n_l = s->k->n_l};
    resida_impact_report own_report = {.rank = 0};
    rsd_owner owner;
    const resida_allocator alloc = rsd_owned_by(&owner, &q->alloc);
    resida_status status = impact_reserve(&x, &alloc, why);
    if (status >= 0) {
        rsd_start_begin(s, t, p, v, o, why);
        status = run_stages(&x, v, &own_report);
        own_report.residual_calls = s->k->formalism_calls - s->calls_before;
        own_report.rank = s->report.rank;
        own_report.n_redundant = s->report.n_redundant;
        own_report.redundant = s->report.redundant;
        if (report) *report = own_report;
    }
    if (status >= 0) {
        memcpy(v_after, x.v, (size_t)x.n_v * sizeof *v_after);
        if (push) memcpy(push, x.P, (size_t)x.n * sizeof *push);
        if (lam_push) memcpy(lam_push, x.mu_0, (size_t)x.n_l * sizeof *lam_push);
    }
    rsd_owner_free(&owner);
    return status;
}
