/* start.c - makes a model of the parameters of an instance, and its integration. The excitations of the model are its
 * own functions of time plus the inputs, u = u_model(t) + u_input(t). */
#include "component.h"

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* The instance whose callbacks run in this thread. Callbacks of a model get the memory of the model only. */
static _Thread_local const component *in_use;

void component_enter(component *c)
{
    in_use = c;
}

static int excite(double t, double *u, double *ud, double *udd, void *user)
{
    const component *c = in_use;
    const int verdict = c->excitation(t, u, ud, udd, user);
    for (int i = 0; i < c->packed.head.sizes.n_u && verdict == 0; i++) {
        const component_input *in = &c->inputs[i];
        const double dt = t - in->t;
        u[i] += in->x[0] + dt * (in->x[1] + dt * in->x[2] / 2);
        ud[i] += in->x[1] + dt * in->x[2];
        udd[i] += in->x[2];
    }
    return verdict;
}

/* Compare an input with the one in use at the same time. Differences by rounding are none. */
static component_change compare_inputs(const component_input *old, const component_input *new)
{
    static const double rounding = 1e-14;
    const double dt = new->t - old->t;
    const double then[COMPONENT_ORDERS] = {old->x[0] + dt * (old->x[1] + dt * old->x[2] / 2),
                                           old->x[1] + dt * old->x[2], old->x[2]};
    const double sum = fabs(old->x[0]) + fabs(dt) * (fabs(old->x[1]) + fabs(dt * old->x[2]));
    if (fabs(new->x[0] - then[0]) > rounding * sum) return COMPONENT_JUMP;
    return new->x[1] != then[1] || new->x[2] != then[2] ? COMPONENT_KINK : COMPONENT_SAME;
}

component_change component_take_inputs(component *c)
{
    component_change largest = COMPONENT_SAME;
    for (int i = 0; i < c->packed.head.sizes.n_u && c->at.has_set; i++) {
        const component_change change = compare_inputs(&c->inputs[i], &c->set[i]);
        if (c->is_started && change == COMPONENT_SAME) continue;
        c->inputs[i] = c->set[i];
        if (change > largest) largest = change;
    }
    c->at.has_set = 0;
    return largest;
}

/* A text that names a file of the resources is the path of this file. */
static const char *resolve(const component *c, const char *word, char path[PATH])
{
    const int n = snprintf(path, PATH, "%s%s", c->resources, word);
    return *word && n > 0 && n < PATH && access(path, R_OK) == 0 ? path : word;
}

static int create_model(component *c)
{
    const size_t n = (size_t)c->packed.head.n_parameters;
    const fmu_packed_sizes *exported = &c->packed.head.sizes;
    resida_setting *given = calloc(n + 1, sizeof *given);
    char *paths = malloc((n + 1) * PATH);
    resida_status status = given && paths ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (size_t i = 0; i < n && status >= 0; i++) {
        const resida_parameter *p = &c->cls->parameters[i];
        given[i] = (resida_setting){p->name, c->values[i], p->word ? resolve(c, c->texts[i], paths + i * PATH) : NULL};
    }
    if (status >= 0) status = resida_model_create_with(c->cls, (int)n, given, &c->model, &c->said);
    free(given), free(paths);
    if (status < 0) return c->said.text[0] ? -1 : fmu_no_memory(&c->said);
    const fmu_packed_sizes sizes = fmu_packed_sizes_of(&c->model);
    if (memcmp(&sizes, exported, sizeof sizes) == 0) return 0;
    return fmu_fail(&c->said,
                    "a parameter changes the number of variables of the model: export it with this parameter");
}

/* Set the start time, and replace the excitation of the model. */
static void adjust_model(component *c)
{
    resida_excitation_fn **excitation = c->model.is_dae ? &c->model.dae.excitation : &c->model.mechanism.excitation;
    c->excitation = *excitation;
    if (c->packed.head.sizes.n_u > 0) *excitation = excite;
    c->model.t0 = c->at.t0;
    c->point = INFINITY;
}

static resida_status create_problem(component *c)
{
    resida_problem_options o = c->packed.head.problem;
    o.products = c->model.products;
    o.contacts = c->model.is_dae ? NULL : c->model.contacts;
    o.root_lam = c->model.root_lam;
    return c->model.is_dae ? resida_problem_create_dae(&c->problem, &c->model.dae, &o, &c->said)
                           : resida_problem_create(&c->problem, &c->model.mechanism, &o, &c->said);
}

/* Return the tolerance of unknown i for this atol: that of the model, which has those of p and v of a mechanism. */
static double tolerance_of(const component *c, const resida_layout *l, int i, double atol)
{
    const resida_model *m = &c->model;
    int k = -1;
    if (m->is_dae) k = i;
    if (!m->is_dae && i >= l->p && i < l->p + l->n_p) k = i - l->p;
    if (!m->is_dae && i >= l->v && i < l->v + l->n_v) k = l->n_p + i - l->v;
    return k < 0 ? atol : m->atol_each[k] * (atol / m->atol);
}

/* A tolerance of the experiment replaces rtol. atol keeps its ratio to rtol. */
static resida_status create_solver(component *c)
{
    resida_solver_options o = c->packed.head.solver, usual;
    resida_layout l;
    double *each = NULL;
    resida_solver_options_init(&usual);
    if (c->at.tolerance > 0) o.atol *= c->at.tolerance / o.rtol, o.rtol = c->at.tolerance;
    o.t_stop = c->at.t_stop;
    if (c->model.atol_each) {
        if (resida_problem_layout(c->problem, &l) < 0 || !(each = calloc((size_t)l.n, sizeof *each)))
            return fmu_no_memory(&c->said), RESIDA_ERR_MEMORY;
        for (int i = 0; i < l.n; i++) each[i] = tolerance_of(c, &l, i, o.atol);
        o.atol_each = each;
        o.atol = usual.atol;
    }
    const resida_status status = resida_solver_create(&c->solver, c->problem, &o, &c->said);
    free(each);
    return status;
}

int component_fail(component *c, resida_status status)
{
    const char *said = resida_solver_message(c->solver);
    return fmu_fail(&c->said, "%s", *said ? said : resida_status_name(status));
}

int component_make(component *c)
{
    component_drop(c);
    (void)component_take_inputs(c);
    c->said.text[0] = 0;
    if (create_model(c) < 0) return -1;
    adjust_model(c);
    resida_status status = create_problem(c);
    if (status >= 0) status = create_solver(c);
    if (status >= 0) status = resida_run_create(&c->run, &c->model, c->solver, &c->said);
    if (status < 0 && !c->said.text[0]) fmu_fail(&c->said, "%s", resida_status_name(status));
    return status < 0 ? -1 : 0;
}

int component_start(component *c)
{
    if (c->is_started) return 0;
    if (component_make(c) < 0) return -1;
    const resida_status status = resida_run_start(c->run, &c->packed.head.start, NULL);
    c->is_started = status >= 0;
    return status >= 0 ? 0 : component_fail(c, status);
}

void component_drop(component *c)
{
    resida_run_free(c->run);
    resida_solver_free(c->solver);
    resida_problem_free(c->problem);
    if (c->cls) resida_model_destroy(c->cls, &c->model);
    memset(&c->model, 0, sizeof c->model);
    c->run = NULL;
    c->solver = NULL;
    c->problem = NULL;
    c->is_started = c->has_outputs = c->has_direct = c->needs_restart = 0;
}
