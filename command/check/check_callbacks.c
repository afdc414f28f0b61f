/* check_callbacks.c - calls each callback at the start of the model and near it. Each output array has guard numbers on
 * either side. The check reports entries that a callback does not fill, writes outside its array and writes to its
 * inputs. Sizes that do not fit the callbacks would damage memory in all later checks. Each callback is then called
 * once more, after calls for another state at the same time. A difference shows that the callback keeps data between
 * calls. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* guard numbers on each side of an array; max. input and output arrays; directions of products */
enum { ROOM = 256, INPUTS = 12, OUTPUTS = 3, DIRECTIONS = 2 };
/* relative to the largest number; an iteration that begins at its last result changes it by less */
static const double repeats = 1e-9;
static const uint64_t mark = UINT64_C(0x7ff4deadbeef0001); /* a NaN that no computation produces */

/** An input array, which callbacks may only read. */
typedef struct input {
    const char *name;
    const double *x; /**< [n] */
    long n;
    double *copy; /**< [n] values before the call */
} input;

/** An output array, which a callback must fill. */
typedef struct output {
    const char *name;
    double *x; /**< [n], with ROOM numbers before and after it; all are marked before the call */
    long n;
} output;

/** Results of the first pass, in the order of the calls. */
typedef struct past {
    double *x;
    size_t n;
    int is_again;   /**< second pass: compare the results from x[n] on */
    int is_between; /**< calls for another state: results are neither stored nor compared */
} past;

/** The state of the check during the calls. */
typedef struct trial {
    cmd_report_work *report;
    past *past;
    double *ones;                       /**< [n_ones] vectors for products */
    cmd_point points[CMD_CHECK_POINTS]; /**< made before all calls, because making a point calls the residual */
    long n_ones;
    output made[OUTPUTS];
    double *out; /**< the first output array */
    input in[INPUTS];
    int n_made, n_in;
    int is_near;  /**< not at the start itself: the callback may fail or return NaN */
    int may_fail; /**< a return value > 0 and NaN mean that the value is unknown at this point */
    int broken;   /**< a callback wrote to forbidden memory, or the model cannot be called */
} trial;

static int is_marked(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == mark;
}

/** Register an input array, which callbacks must not change. */
static void register_input(trial *c, const char *name, const double *x, long n)
{
    if (n < 1 || c->n_in == INPUTS) return;
    c->in[c->n_in] = (input){name, x, n, malloc((size_t)n * sizeof *x)};
    c->broken |= !c->in[c->n_in++].copy;
}

static void register_excitation(trial *c, const double *u, int n)
{
    register_input(c, "u", u, n), register_input(c, "ud", u + n, n), register_input(c, "udd", u + 2 * n, n);
}

/** Allocate an output array for the next callback, which may have several. @return the array; NULL if memory is
 *  exhausted: then the callback must not be called */
static double *allocate_output(trial *c, const char *name, long n)
{
    double *all = malloc(((size_t)n + 2 * ROOM) * sizeof *all);
    c->broken |= !all;
    if (!all) return NULL;
    if (c->report->callback && c->n_made == 0) snprintf(c->report->callback, CMD_CHECK_STAGE, "%s", name);
    if (c->report->progress) ++*c->report->progress;
    c->made[c->n_made++] = (output){name, all + ROOM, n};
    c->out = c->made[0].x;
    for (long i = 0; i < n + 2 * ROOM; i++) memcpy(&all[i], &mark, sizeof mark);
    for (int i = 0; i < c->n_in; i++) memcpy(c->in[i].copy, c->in[i].x, (size_t)c->in[i].n * sizeof *c->in[i].x);
    return all + ROOM;
}

static void free_outputs(trial *c)
{
    while (c->n_made > 0) free(c->made[--c->n_made].x - ROOM);
}

static void free_inputs(trial *c)
{
    while (c->n_in > 0) free(c->in[--c->n_in].copy);
    free_outputs(c);
}

static void report_failure(trial *c, const output *o, const char *what, long i)
{
    cmd_report_result(c->report, "callbacks", 0, "%s %s %ld (its size is %ld)", o->name, what, i, o->n);
}

/** Report an input array whose bits have changed. @return 1 if there is one */
static int has_input_changed(trial *c)
{
    for (int k = 0; k < c->n_in; k++) {
        const input *in = &c->in[k];
        long i = 0;
        while (i < in->n && memcmp(&in->x[i], &in->copy[i], sizeof *in->x) == 0) i++;
        if (i == in->n) continue;
        cmd_report_result(c->report, "callbacks", 0, "%s writes into %s[%ld], which is an input", c->made[0].name,
                          in->name, i);
        return 1;
    }
    return 0;
}

/** Report writes outside an output array. @return 1 if a guard number has changed */
static int has_written_outside(trial *c, const output *o)
{
    long before = -1, behind = o->n;
    while (behind < o->n + ROOM && is_marked(o->x[behind])) behind++;
    while (before >= -ROOM && is_marked(o->x[before])) before--;
    if (behind < o->n + ROOM) report_failure(c, o, "writes beyond its array, component", behind);
    if (before >= -ROOM) report_failure(c, o, "writes before its array, component", before);
    return behind < o->n + ROOM || before >= -ROOM;
}

/** Store the result of a callback in the first pass. Compare with it in the second pass. */
static void compare_with_first_pass(trial *c, const output *o)
{
    past *b = c->past;
    const size_t n = (size_t)o->n;
    double largest = 0;
    if (b->is_between) return;
    if (!b->is_again) {
        double *x = realloc(b->x, (b->n + n + 1) * sizeof *x);
        if (!x) c->broken = 1;
        for (size_t i = 0; i < n && x; i++) x[b->n + i] = o->x[i];
        if (x) b->x = x, b->n += n;
        return;
    }
    for (size_t i = 0; i < n; i++) /* a call that failed leaves signalling NaNs, of which fmax() makes NaN */
        if (isfinite(b->x[b->n + i])) largest = fmax(largest, fabs(b->x[b->n + i]));
    for (size_t i = 0; i < n; i++) {
        const double first = b->x[b->n + i], now = o->x[i];
        if (!isfinite(first - now) || fabs(first - now) <= repeats * largest) continue;
        cmd_report_result(
            c->report, "callbacks", 0,
            "%s returns %.9g for component %zu, then %.9g for the same arguments: it must not depend on earlier calls",
            o->name, first, i, now);
        break;
    }
    b->n += n;
}

/** Check one output array after the call. */
static void check_output(trial *c, const output *o, int verdict)
{
    long unset = 0, odd = 0;
    const int is_known = verdict == 0 && !c->is_near, is_first = o == c->made;
    if (has_written_outside(c, o) || (is_first && has_input_changed(c))) c->broken = 1;
    while (unset < o->n && !is_marked(o->x[unset])) unset++;
    while (odd < o->n && isfinite(o->x[odd])) odd++;
    if (c->broken || (verdict != 0 && (c->is_near || !is_first)))
        ;
    else if (verdict < 0 || (verdict > 0 && !c->may_fail))
        cmd_report_result(c->report, "callbacks", 0, "%s returns %d at the start", o->name, verdict);
    else if (verdict == 0 && unset < o->n)
        report_failure(c, o, "does not fill component", unset);
    else if (is_known && odd < o->n && !c->may_fail)
        report_failure(c, o, "gives NaN or Inf in component", odd);
    if (!c->broken) compare_with_first_pass(c, o);
}

/** Check and release all output arrays after the callback has returned. */
static void check_all_outputs(trial *c, int verdict)
{
    for (int k = 0; k < c->n_made; k++) check_output(c, &c->made[k], verdict);
    free_outputs(c);
}

static long count_entries(const resida_pattern *pattern, int rows, int cols)
{
    return pattern->row ? pattern->row[rows] : (long)rows * cols;
}

/** Call the excitation for u, ud and udd. @param[out] u  [3 n_u] */
static void call_excitation(trial *c, const resida_model *m, double t, double *u)
{
    static const char *const names[OUTPUTS] = {"excitation, u", "excitation, ud", "excitation, udd"};
    const int n = m->is_dae ? m->dae.n_u : m->mechanism.n_u;
    if (n == 0) return;
    double *x[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++) x[i] = allocate_output(c, names[i], n);
    if (c->broken) return;
    resida_excitation_fn *f = m->is_dae ? m->dae.excitation : m->mechanism.excitation;
    const int verdict = f(t, x[0], x[1], x[2], m->is_dae ? m->dae.user : m->mechanism.user);
    for (int i = 0; i < OUTPUTS; i++) memcpy(u + i * n, x[i], (size_t)n * sizeof *u);
    check_all_outputs(c, verdict);
    if (verdict != 0) c->broken = 1; /* no callback can be called without u */
}

static void call_formalism(trial *c, const resida_mechanism *d, const cmd_point *at, const resida_excitation *e)
{
    if (d->residual && allocate_output(c, "residual", d->n_v))
        check_all_outputs(c, d->residual(at->t, at->p, at->v, at->a, e, c->out, d->user));
    if (d->residual_lam && allocate_output(c, "residual_lam", d->n_v))
        check_all_outputs(c, d->residual_lam(at->t, at->p, at->v, at->a, at->lam, e, c->out, d->user));
    if (d->acceleration && allocate_output(c, "acceleration", d->n_v))
        check_all_outputs(c, d->acceleration(at->t, at->p, at->v, at->f, e, c->out, d->user));
    if (d->acceleration_lam && allocate_output(c, "acceleration_lam", d->n_v))
        check_all_outputs(c, d->acceleration_lam(at->t, at->p, at->v, at->f, at->lam, e, c->out, d->user));
}

static void call_position_functions(trial *c, const resida_model *m, const cmd_point *at, const resida_excitation *e)
{
    const resida_mechanism *d = &m->mechanism;
    const resida_model_contacts none = {.n = 0}, *contacts = m->contacts ? m->contacts : &none;
    const struct {
        const char *name;
        resida_position_fn *f;
        long n;
    } list[] = {
        {"constraint", d->constraint, d->n_g},
        {"constraint_matrix", d->constraint_matrix, count_entries(&d->G_pattern, d->n_g, d->n_p)},
        {"velocity_bias", d->velocity_bias, d->n_g},
        {"mass_matrix", d->mass_matrix, count_entries(&d->M_pattern, d->n_v, d->n_v)},
        {"potential", d->potential, 1},
        {"invariant", d->invariant, d->n_k},
        {"invariant_matrix", d->invariant_matrix, count_entries(&d->K_pattern, d->n_k, d->n_p)},
        {"kinematic_matrix", d->kinematic_matrix, count_entries(&d->T_pattern, d->n_p, d->n_v - d->n_z)},
        {"nonholonomic_matrix", d->nonholonomic_matrix, count_entries(&d->Gh_pattern, d->n_h, d->n_v - d->n_z)},
        {"nonholonomic_bias", d->nonholonomic_bias, d->n_h},
        {"contacts.matrix", contacts->matrix, (long)contacts->n * d->n_p},
        {"contacts.rate", contacts->rate, contacts->n},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].f && allocate_output(c, list[i].name, list[i].n))
            check_all_outputs(c, list[i].f(at->t, at->p, e, c->out, d->user));
}

static void call_velocity_functions(trial *c, const resida_mechanism *d, const cmd_point *at,
                                    const resida_excitation *e)
{
    const struct {
        const char *name;
        resida_velocity_fn *f;
        long n;
    } list[] = {
        {"acceleration_bias", d->acceleration_bias, d->n_g},
        {"nonholonomic_acceleration_bias", d->nonholonomic_acceleration_bias, d->n_h},
        {"root", d->root, d->n_root},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].f && allocate_output(c, list[i].name, list[i].n))
            check_all_outputs(c, list[i].f(at->t, at->p, at->v, e, c->out, d->user));
}

/** Call the products with dg/dp for vectors of ones. */
static void call_products(trial *c, const resida_mechanism *d, const cmd_point *at, const resida_excitation *e)
{
    if (!d->constraint_force || !d->constraint_velocity) return;
    if (allocate_output(c, "constraint_force", d->n_p))
        check_all_outputs(c, d->constraint_force(at->t, at->p, c->ones, e, c->out, d->user));
    if (allocate_output(c, "constraint_velocity", d->n_g))
        check_all_outputs(c, d->constraint_velocity(at->t, at->p, c->ones, e, c->out, d->user));
}

static void call_derivatives(trial *c, const resida_mechanism *d, const cmd_point *at, const resida_excitation *e)
{
    if (!d->derivatives) return;
    double *Phi_p = allocate_output(c, "derivatives, Phi_p", count_entries(&d->Phi_p_pattern, d->n_v, d->n_p)),
           *Phi_lam = NULL;
    double *Phi_v = allocate_output(c, "derivatives, Phi_v", count_entries(&d->Phi_v_pattern, d->n_v, d->n_v));
    if (d->residual_lam)
        Phi_lam =
            allocate_output(c, "derivatives, Phi_lam", count_entries(&d->Phi_lam_pattern, d->n_v, d->n_g + d->n_h));
    if (!c->broken)
        check_all_outputs(c, d->derivatives(at->t, at->p, at->v, at->a, at->lam, e, Phi_p, Phi_v, Phi_lam, d->user));
}

static void call_residual_times(trial *c, const resida_model *m, const cmd_point *at, const resida_excitation *e)
{
    const resida_mechanism *d = &m->mechanism;
    if (!m->products || !m->products->residual_times) return;
    const resida_motion from = {at->p, at->v, at->a, d->residual_lam ? at->lam : NULL};
    const resida_motion to = {c->ones, c->ones, c->ones, d->residual_lam ? c->ones : NULL};
    if (allocate_output(c, "residual_times", (long)DIRECTIONS * d->n_v))
        check_all_outputs(c, m->products->residual_times(at->t, &from, e, DIRECTIONS, &to, c->out, d->user));
}

/** Call the callbacks of results: outputs, shapes, references. */
static void call_result_functions(trial *c, const resida_model *m, const resida_model_point *at)
{
    const resida_mechanism *d = &m->mechanism;
    const double *where = m->is_dae ? at->y : at->p;
    long points = 0;
    c->may_fail = 1;
    for (int i = 0; i < m->n_parts; i++) points += m->parts[i].n_points;
    if (m->output && allocate_output(c, "output", m->n_outputs)) check_all_outputs(c, m->output(m, at, c->out));
    if (m->shape && allocate_output(c, "shape", 3 * points)) check_all_outputs(c, m->shape(m, at->t, where, c->out));
    if (m->reference &&
        allocate_output(c, m->is_dae ? "reference, y" : "reference, p", m->is_dae ? m->dae.n : d->n_p)) {
        double *v = m->is_dae ? NULL : allocate_output(c, "reference, v", d->n_v);
        double *lam = m->is_dae || d->n_g + d->n_h == 0 ? NULL : allocate_output(c, "reference, lam", d->n_g + d->n_h);
        if (!c->broken) check_all_outputs(c, m->reference(m, at->t, c->out, v, lam));
    }
    c->may_fail = 0;
}

/** Call the event callback at the start. It works on copies of y and yp, so that the model stays unchanged. */
static void call_event(trial *c, const resida_model *m)
{
    const long n = m->is_dae ? m->dae.n : m->mechanism.n_p, n_yp = m->is_dae ? n : m->mechanism.n_v;
    const double *y0 = m->is_dae ? m->y0 : m->p0, *yp0 = m->is_dae ? m->yp0 : m->v0;
    if (!m->event || !allocate_output(c, "event, y", n)) return;
    double *yp = allocate_output(c, "event, yp", n_yp);
    if (!yp) {
        free_outputs(c);
        return;
    }
    memcpy(c->out, y0, (size_t)n * sizeof *y0);
    for (long i = 0; i < n_yp; i++) yp[i] = yp0 ? yp0[i] : 0;
    resida_model_event event = {.kind = RESIDA_AT_START, .t = m->t0, .y = c->out, .yp = yp, .t_next = INFINITY};
    const int verdict = m->event(m, &event);
    if (verdict == 0 && !event.changed && memcmp(c->out, y0, (size_t)n * sizeof *y0) != 0)
        cmd_report_result(c->report, "callbacks", 0, "event changes y, but does not set `changed`");
    check_all_outputs(c, verdict);
}

static void call_mechanism(trial *c, const resida_model *m, const cmd_point *at, const resida_excitation *e)
{
    const resida_mechanism *d = &m->mechanism;
    register_input(c, "p", at->p, d->n_p), register_input(c, "v", at->v, d->n_v), register_input(c, "a", at->a, d->n_v);
    register_input(c, "f", at->f, d->n_v), register_input(c, "lam", at->lam, d->n_g + d->n_h);
    call_formalism(c, d, at, e);
    call_position_functions(c, m, at, e);
    call_velocity_functions(c, d, at, e);
    if (m->root_lam && allocate_output(c, "root_lam", d->n_root))
        check_all_outputs(c, m->root_lam(at->t, at->p, at->v, at->lam, e, c->out, d->user));
    call_products(c, d, at, e);
    call_derivatives(c, d, at, e);
    call_residual_times(c, m, at, e);
    const double *lam = d->n_g + d->n_h > 0 ? at->lam : NULL;
    call_result_functions(c, m, &(resida_model_point){.t = at->t, .p = at->p, .v = at->v, .a = at->a, .lam = lam});
}

static void call_dae(trial *c, const resida_model *m, const cmd_point *at, const resida_excitation *e)
{
    const resida_dae *d = &m->dae;
    register_input(c, "y", at->p, d->n), register_input(c, "yp", at->v, d->n);
    if (allocate_output(c, "residual", d->n))
        check_all_outputs(c, d->residual(at->t, at->p, at->v, e, c->out, d->user));
    if (d->jacobian && allocate_output(c, "jacobian", count_entries(&d->J_pattern, d->n, d->n)))
        check_all_outputs(c, d->jacobian(at->t, 1, at->p, at->v, e, c->out, d->user));
    if (m->products && m->products->jacobian_times && allocate_output(c, "jacobian_times", (long)DIRECTIONS * d->n))
        check_all_outputs(
            c, m->products->jacobian_times(at->t, at->p, at->v, e, DIRECTIONS, c->ones, c->ones, c->out, d->user));
    if (d->root && allocate_output(c, "root", d->n_root))
        check_all_outputs(c, d->root(at->t, at->p, at->v, e, c->out, d->user));
    call_result_functions(c, m, &(resida_model_point){.t = at->t, .y = at->p, .yp = at->v});
}

/** Call all callbacks at point k and time t. */
static void call_all_at_point(trial *c, const resida_model *m, int k, double t)
{
    cmd_point at = c->points[k];
    at.t = t;
    c->is_near = k > 0 || t != m->t0;
    if (!c->broken) call_excitation(c, m, at.t, at.u);
    if (!c->broken) {
        register_excitation(c, at.u, m->is_dae ? m->dae.n_u : m->mechanism.n_u);
        register_input(c, "memory before p", at.p - CMD_MARGIN, CMD_MARGIN), register_input(c, "x", c->ones, c->n_ones);
        if (m->is_dae)
            call_dae(c, m, &at, &at.e);
        else
            call_mechanism(c, m, &at, &at.e);
    }
    free_inputs(c);
}

/** Return the time of call k: the times of the points, then 1/8, 1/4, 1/2 and all of the time span, because data that a
 *  callback keeps between calls may take effect later. */
static double get_call_time(const resida_model *m, int k)
{
    const double all = isfinite(m->t_end) ? m->t_end - m->t0 : 0;
    return k < CMD_CHECK_POINTS ? cmd_point_time(m, k) : m->t0 + ldexp(all, k + 1 - 2 * CMD_CHECK_POINTS);
}

int cmd_check_callbacks(cmd_report_work *report)
{
    enum { N = 2 * CMD_CHECK_POINTS };
    const resida_model *m = &report->model->model;
    const resida_mechanism *d = &m->mechanism;
    const int before = report->failed;
    const long n_ones = DIRECTIONS * (long)(m->is_dae ? m->dae.n : d->n_p + d->n_g + d->n_h);
    past was = {.x = NULL};
    trial c = {.report = report, .past = &was, .ones = calloc((size_t)n_ones, sizeof(double)), .n_ones = n_ones};
    c.broken = !c.ones;
    for (int k = 0; k < CMD_CHECK_POINTS; k++) c.broken |= cmd_point_compute(&c.points[k], m, k) != 0;
    for (long i = 0; i < n_ones && c.ones; i++) c.ones[i] = 1;
    if (!c.broken) call_event(&c, m);
    was.n = 0; /* the event callback is called only once and is not compared */
    for (int k = 0; k < N && !c.broken && report->failed == before; k++)
        call_all_at_point(&c, m, k % CMD_CHECK_POINTS, get_call_time(m, k));
    for (int k = 0; k < N && !c.broken && report->failed == before; k++) {
        if (k == 0) was.n = 0, was.is_again = 1;
        was.is_between = 1;
        call_all_at_point(&c, m, (k + 1) % CMD_CHECK_POINTS, get_call_time(m, k));
        was.is_between = 0;
        if (!c.broken && report->failed == before) call_all_at_point(&c, m, k % CMD_CHECK_POINTS, get_call_time(m, k));
    }
    for (int k = 0; k < CMD_CHECK_POINTS; k++) cmd_point_free(&c.points[k]);
    free(was.x);
    free(c.ones);
    if (report->failed == before && !c.broken)
        cmd_report_result(report, "callbacks", 1,
                          "all callbacks set all components of their arrays, and write nowhere else");
    else if (report->failed == before)
        cmd_report_result(report, "callbacks", 0, "out of memory");
    return !c.broken;
}
