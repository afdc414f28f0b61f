/* tangents.c - sets up the sensitivities of `solve --sensitivity` in the library. A name is that of a parameter, or of
 * a component followed by "@0", which denotes the initial value of the component. */
#include "tangents.h"

#include "derivatives.h"

#include "program/base/suggest.h"
#include "program/process/whereabouts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, NAMES_MAX = 256 };

/* increment relative to the size of a parameter; one-sided differences then have an error of about 1e-7 */
#define PART 0x1p-23
/* Increment if the library differences g, with an error of about 1e-11, or if positions are large, such as angles after
 * many turns. The error of derivatives is then 1e-5; with PART it would be 1e-4 to 1e-3. */
#define ROUGH_PART 0x1p-17
#define BY_CHANCE  1e-3 /* min. size of a value relative to similar values */
#define AT_START   "@0"

/** A copy of the model with one parameter or one initial value changed. */
typedef struct tangent {
    const resida_model_class *cls;
    resida_model model;
    resida_problem *problem;
    double *direction; /**< direction of the change of the start: y, or p and then v of a mechanism */
    double delta;      /**< increment of the parameter, or of the start */
} tangent;

/** All sensitivities of a run. */
typedef struct tangents {
    int n;
    tangent *each; /**< [n] */
} tangents;

/** Set the message of RESIDA_ERR_OPTION. */
static resida_status report_refusal(resida_message *why, const char *format, const char *name, const char *more)
{
    snprintf(why->text, sizeof why->text, format, name, more);
    return RESIDA_ERR_OPTION;
}

/** Return `value` plus an increment, within its range. @param[out] delta  the exact increment */
static double increment_value(const resida_model *m, double value, double scale, double max, double *delta)
{
    const resida_mechanism *d = &m->mechanism;
    const int is_rough = d->n_g > 0 && (!d->constraint_matrix || (d->n_u > 0 && !d->velocity_bias));
    double far = 0;
    for (int i = 0; i < d->n_p && !m->is_dae; i++) far = fmax(far, fabs(m->p0[i]));
    const double part = is_rough && !m->is_dae ? ROUGH_PART : fmin(fmax(PART, sqrt(DBL_EPSILON * far)), ROUGH_PART);
    const double step = part * scale;
    volatile double moved = value + step > max ? value - step : value + step;
    *delta = moved - value;
    return moved;
}

/** Return the size for an increment: that of the value, at least `part` times that of similar values, and that of
 *  similar values if the value is 0. A smaller increment would be lost in sums with similar values. */
static double choose_size(double value, double like, double part)
{
    const double usual = like != 0 ? fabs(like) : 1;
    return value == 0 ? usual : fmax(fabs(value), part * usual);
}

/** Return the size of a parameter. A parameter with one sign, such as a mass, a length or a stiffness, has the size of
 *  its value. Others, such as an angle, may be small by chance, and have at least the size of a nonzero default. */
static double choose_parameter_size(const resida_parameter *p, double value)
{
    const int has_one_sign = p->min >= 0 || p->max <= 0;
    return choose_size(value, p->value, has_one_sign || p->value == 0 ? BY_CHANCE : 1);
}

/** Return the size of component i of x [n], which is compared with the largest component. */
static double choose_component_size(const double *x, int n, int i)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return choose_size(x[i], most, BY_CHANCE);
}

/** List the parameters that are real numbers: "m, L, g". */
static void list_numbers(const resida_model_class *cls, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < cls->n_parameters && used < size; k++) {
        const resida_parameter *p = &cls->parameters[k];
        if (p->word || p->whole) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", p->name);
    }
    if (used == 0) snprintf(text, size, "it has no real parameter");
}

static resida_status report_unknown_name(const cmd_model *m, const char *name, resida_message *why)
{
    char numbers[RESIDA_MESSAGE_SIZE - 160];
    const char *names[NAMES_MAX];
    int n = 0;
    for (; n < m->cls->n_parameters && n < NAMES_MAX; n++) names[n] = m->cls->parameters[n].name;
    const char *near = cmd_nearest(name, names, n);
    if (near) return report_refusal(why, "--sensitivity: no parameter '%.60s'; did you mean '%.60s'?", name, near);
    list_numbers(m->cls, numbers, sizeof numbers);
    return report_refusal(why, "--sensitivity: no parameter '%.60s': %s; an initial value is COMPONENT@0", name,
                          numbers);
}

/** Create the model with the same parameters, except that parameter `moved` has the given value. */
static resida_status make_model(tangent *t, const cmd_model *m, int moved, double value, resida_message *why)
{
    resida_setting *set = calloc((size_t)m->cls->n_parameters + 1, sizeof *set);
    int n = 0;
    if (!set) return RESIDA_ERR_MEMORY;
    for (int k = 0; k < m->cls->n_parameters; k++) {
        const resida_parameter *p = &m->cls->parameters[k];
        const cmd_value *v = &m->values[k];
        const int is_default = p->word ? strcmp(v->word, p->word) == 0 : v->number == p->value;
        if (k != moved && is_default) continue;
        set[n++] = (resida_setting){.name = p->name, .value = k == moved ? value : v->number, .word = v->word};
    }
    const resida_status status = resida_model_create_with(m->cls, n, set, &t->model, why);
    free(set);
    if (status < 0) return status;
    t->cls = m->cls;
    cmd_whereabouts_add(t->cls, &t->model, m->word);
    return RESIDA_OK;
}

/** Create the model with parameter k changed. */
static resida_status create_moved_parameter(tangent *t, const cmd_model *m, int k, resida_sensitivity *by,
                                            resida_message *why)
{
    const resida_parameter *p = &m->cls->parameters[k];
    if (p->word) return report_refusal(why, "--sensitivity: %.60s is a text%s", p->name, "");
    if (p->whole) return report_refusal(why, "--sensitivity: %.60s is a whole number%s", p->name, "");
    by->scale = choose_parameter_size(p, m->values[k].number);
    const double value = increment_value(&m->model, m->values[k].number, by->scale, p->max, &by->delta);
    return make_model(t, m, k, value, why);
}

/** Create the model with a changed initial value of a component. `name` is without "@0". */
static resida_status create_moved_start(tangent *t, const cmd_handles *h, const cmd_model *m, const char *name,
                                        resida_sensitivity *by, resida_message *why)
{
    resida_layout l;
    char text[NAME];
    const int is_dae = m->model.is_dae;
    if (resida_problem_layout(h->problem, &l) < 0) return RESIDA_ERR_INTERNAL;
    const int n = is_dae ? l.n : l.n_p, n_v = is_dae ? 0 : l.n_v;
    for (int i = 0; i < n + n_v; i++) {
        const int at = is_dae ? i : i < n ? l.p + i : l.v + i - n;
        if (resida_problem_component_name(h->problem, at, text, sizeof text) < 0 || strcmp(text, name) != 0) continue;
        if (!(t->direction = calloc((size_t)(n + n_v), sizeof *t->direction))) return RESIDA_ERR_MEMORY;
        t->direction[i] = 1;
        by->dy0 = t->direction;
        if (i >= n) by->dyp0 = t->direction + n;
        const double *x = is_dae ? m->model.y0 : i < n ? m->model.p0 : m->model.v0;
        const int k = i < n ? i : i - n;
        by->scale = choose_component_size(x, i < n ? n : n_v, k);
        (void)increment_value(&m->model, x[k], by->scale, INFINITY, &by->delta);
        return make_model(t, m, -1, 0, why);
    }
    return report_refusal(why, "--sensitivity: there is no component '%.60s' with an initial value%s", name, "");
}

static resida_status make_tangent(tangent *t, const cmd_handles *h, const cmd_job *job, char *name,
                                  resida_sensitivity *by, resida_message *why)
{
    const cmd_model *m = job->model;
    const size_t length = strlen(name), tail = strlen(AT_START);
    const int is_start = length > tail && strcmp(name + length - tail, AT_START) == 0;
    int k = 0;
    while (k < m->cls->n_parameters && strcmp(m->cls->parameters[k].name, name) != 0) k++;
    resida_status status = RESIDA_OK;
    if (k < m->cls->n_parameters)
        status = create_moved_parameter(t, m, k, by, why);
    else if (is_start) {
        name[length - tail] = 0;
        status = create_moved_start(t, h, m, name, by, why);
        name[length - tail] = AT_START[0];
    } else
        status = report_unknown_name(m, name, why);
    if (status < 0) return status;
    cmd_model moved = *m;
    moved.model = t->model;
    cmd_job same = *job;
    same.model = &moved;
    by->name = name;
    t->delta = by->delta;
    status = cmd_problem_open(&same, &t->problem, why);
    by->moved = t->problem;
    return status;
}

static resida_status set_sensitivities(const tangents *t, const cmd_handles *h, const resida_sensitivity *by,
                                       resida_message *why)
{
    const resida_model **models = calloc((size_t)t->n, sizeof *models);
    if (!models) return RESIDA_ERR_MEMORY;
    for (int i = 0; i < t->n; i++) models[i] = &t->each[i].model;
    resida_status status = resida_solver_set_sensitivities(h->solver, t->n, by);
    if (status >= 0) status = resida_run_set_moved(h->run, t->n, models);
    if (status < 0) snprintf(why->text, sizeof why->text, "%s", resida_solver_message(h->solver));
    free(models);
    return status;
}

/** Set up the sensitivity of each name in the list, which is modified. */
static resida_status create_all(tangents *t, const cmd_handles *h, const cmd_job *job, char *list,
                                resida_sensitivity *by, resida_message *why)
{
    for (char *name = list, *next; name; name = next) {
        next = strchr(name, ',');
        if (next) *next++ = 0;
        for (int i = 0; i < t->n; i++)
            if (strcmp(by[i].name, name) == 0)
                return report_refusal(why, "--sensitivity: '%.60s' is given twice%s", name, "");
        resida_sensitivity_init(&by[t->n]);
        const resida_status status = make_tangent(&t->each[t->n], h, job, name, &by[t->n], why);
        t->n++;
        if (status < 0) return status;
    }
    return set_sensitivities(t, h, by, why);
}

static resida_status open_tangents(void **following, const cmd_handles *h, const cmd_job *job, resida_message *why)
{
    const char *list = job->settings->sensitivity;
    if (!list || job->aside) return RESIDA_OK;
    tangents *t = *following = calloc(1, sizeof *t);
    if (!t) return RESIDA_ERR_MEMORY;
    if (job->peer) return report_refusal(why, "--sensitivity: peers do not compute sensitivities%s%s", "", "");
    size_t n = 1;
    for (const char *c = list; *c; c++) n += *c == ',';
    char *copy = strdup(list);
    resida_sensitivity *by = calloc(n, sizeof *by);
    t->each = calloc(n, sizeof *t->each);
    resida_status status = copy && by && t->each ? create_all(t, h, job, copy, by, why) : RESIDA_ERR_MEMORY;
    free(by);
    free(copy);
    return status;
}

/** Store x + delta s in *to, and advance *to by n. Return NULL if x or s is NULL. */
static double *add_moved_part(const double *x, const double *s, int n, double delta, double **to)
{
    double *moved = *to;
    if (!x || !s) return NULL;
    for (int i = 0; i < n; i++) moved[i] = x[i] + delta * s[i];
    *to += n;
    return moved;
}

/** Evaluate the outputs [n_out] of the perturbed model at its own state. @return 0; nonzero if they are unknown */
static int evaluate_moved_outputs(const tangent *t, const cmd_derivatives *d, const resida_state *x,
                                  const resida_state *s, double *room, double *out)
{
    resida_model_point at = {.t = x->t};
    const int n = d->n_p;
    if (d->is_dae) {
        at.y = add_moved_part(x->y, s->y, n, t->delta, &room);
        at.yp = add_moved_part(x->yp, s->yp, n, t->delta, &room);
    } else {
        at.p = add_moved_part(x->p, s->p, n, t->delta, &room);
        at.v = add_moved_part(x->v, s->v, d->n_v, t->delta, &room);
        at.a = add_moved_part(x->a, s->a, d->n_v, t->delta, &room);
        at.lam = add_moved_part(x->lam, s->lam, d->n_lam, t->delta, &room);
    }
    return resida_model_output(&t->model, &at, out);
}

static void store_tangents(void *following, const cmd_job *job, const resida_solver *solver, const resida_state *state)
{
    const tangents *t = following;
    cmd_derivatives *d = job->followed;
    resida_state s;
    if (!t || !d) return;
    cmd_derivatives_store(d, solver);
    if (!job->outputs || d->n_out == 0) return;
    double *room = calloc(2 * (size_t)(d->n_p + d->n_v) + (size_t)(d->n_lam + d->n_out), sizeof *room);
    for (int i = 0; i < t->n; i++) {
        double *to = cmd_derivatives_outputs(d, i), *out = room + 2 * (d->n_p + d->n_v) + d->n_lam;
        const int is_known = room && resida_solver_sensitivity(solver, i, &s) >= 0 &&
                             evaluate_moved_outputs(&t->each[i], d, state, &s, room, out) == 0;
        for (int k = 0; k < d->n_out; k++) to[k] = is_known ? (out[k] - job->outputs[k]) / t->each[i].delta : NAN;
    }
    free(room);
}

static void close_tangents(void *following)
{
    tangents *t = following;
    for (int i = 0; t && i < t->n; i++) {
        tangent *one = &t->each[i];
        resida_problem_free(one->problem);
        if (one->cls) {
            cmd_whereabouts_remove(&one->model);
            resida_model_destroy(one->cls, &one->model);
        }
        free(one->direction);
    }
    if (t) free(t->each);
    free(t);
}

const cmd_follower cmd_tangents = {open_tangents, store_tangents, close_tangents};
