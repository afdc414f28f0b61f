/* derivative.c - directional derivatives of the outputs of a mechanism by its inputs at the communication point (FMI
 * 2.0.4, section 2.1.9; FMI 3.0.1, "Getting Partial Derivatives" in section 2.2). They are D of the linear model
 * (resida/linearize.h), with the states x = (q, w, z) and the derivatives of the inputs fixed. The rows of p and v are
 * those of the linear model; a, lam and the outputs of the model are added to it as outputs of another model. */
#include "component.h"

#include <resida/linearize.h>

#include "adapters/fmu/base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 16 };

/* Return the number of outputs after p and v. */
static int count_added(const fmu_packed_sizes *s)
{
    return s->n_v + s->n_lam + s->n_outputs;
}

/* Copy a and lam, and call output() of the model of the instance, which is `user`. */
static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const component *c = model->user;
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    double *of_model = out + s->n_v + s->n_lam;
    memcpy(out, at->a, (size_t)s->n_v * sizeof *out);
    if (s->n_lam > 0) memcpy(out + s->n_v, at->lam, (size_t)s->n_lam * sizeof *out);
    const int verdict = s->n_outputs > 0 ? resida_model_output(&c->model, at, of_model) : 0;
    for (int i = 0; i < s->n_outputs && verdict > 0; i++) of_model[i] = NAN;
    return verdict < 0 ? verdict : 0;
}

/* Add the outputs to a linear model. Their names are their indices: some of them may be left out. */
static resida_status add_outputs(component *c, resida_linearization *l)
{
    const int n = count_added(&c->packed.head.sizes);
    resida_model model = c->model;
    resida_message ignored;
    char(*names)[NAME] = calloc((size_t)n, sizeof *names);
    const char **list = calloc((size_t)n, sizeof *list);
    resida_status status = names && list ? RESIDA_OK : RESIDA_ERR_MEMORY;
    for (int i = 0; i < n && status >= 0; i++) {
        snprintf(names[i], NAME, "%d", i);
        list[i] = names[i];
    }
    model.user = c;
    model.n_outputs = n;
    model.output_names = list;
    model.output = output;
    if (status >= 0) status = resida_linearization_add_outputs(l, &model, &ignored);
    free(names), free(list);
    return status;
}

/* Copy the columns of the inputs. Rows that the linear model lacks are NaN. */
static void copy_direct(component *c, const resida_linear_model *m)
{
    static const char prefix[] = "out.";
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    const int before = m->n_components;
    for (int i = 0; i < (before + count_added(s)) * s->n_u; i++) c->direct[i] = i < before * s->n_u ? 0 : NAN;
    for (int r = before; r < m->n_outputs; r++) {
        const int row = before + atoi(m->outputs[r] + sizeof prefix - 1);
        memset(c->direct + (long)row * s->n_u, 0, (size_t)s->n_u * sizeof *c->direct);
    }
    for (int j = 0; j < s->n_u; j++)
        for (int e = m->D.start[j]; e < m->D.start[j + 1]; e++) {
            const int r = m->D.row[e], row = r < before ? r : before + atoi(m->outputs[r] + sizeof prefix - 1);
            c->direct[(long)row * s->n_u + j] = m->D.values[e];
        }
}

static int compute_direct(component *c)
{
    resida_linearization *l = NULL;
    resida_linear_model m;
    resida_state x;
    if (c->has_direct) return 0;
    if (c->model.is_dae) return fmu_fail(&c->said, "directional derivatives of a general DAE are not provided");
    if (!c->is_started || resida_solver_state(c->solver, &x) < 0) return fmu_fail(&c->said, "no state was saved");
    c->said.text[0] = 0;
    resida_status status = resida_linearize_mechanism(&l, c->problem, x.t, x.p, x.v, x.a, x.lam, &c->said);
    if (status >= 0) status = add_outputs(c, l);
    if (status >= 0) status = resida_linearization_get(l, &m);
    if (status >= 0) copy_direct(c, &m);
    resida_linearization_free(l);
    c->has_direct = status >= 0;
    if (status < 0 && !c->said.text[0]) fmu_fail(&c->said, "%s", resida_status_name(status));
    return status < 0 ? -1 : 0;
}

/* Return the row of an output, or -1. */
static int find_row(component *c, unsigned reference)
{
    const fmu_packed_sizes *s = &c->packed.head.sizes;
    const int first[FMU_GROUPS] = {[FMU_GROUP_V] = s->n_p,
                                   [FMU_GROUP_A] = s->n_p + s->n_v,
                                   [FMU_GROUP_LAM] = s->n_p + 2 * s->n_v,
                                   [FMU_GROUP_OUT] = s->n_p + 2 * s->n_v + s->n_lam};
    fmu_group group;
    const int i = component_find(c, reference, &group);
    if (i < 0) return -1;
    if (group > FMU_GROUP_INPUT && group < FMU_GROUP_TIME) return first[group] + i;
    return fmu_fail(&c->said, "the value reference %u is not an output: its derivative is not provided", reference);
}

/* Add the derivatives of output `row` along the inputs. */
static int add_along(component *c, int row, const unsigned *knowns, size_t n, const double *seed, double *sum)
{
    for (size_t k = 0; k < n; k++) {
        fmu_group group;
        const int j = component_find(c, knowns[k], &group);
        if (j < 0) return -1;
        if (group != FMU_GROUP_INPUT)
            return fmu_fail(&c->said, "the value reference %u is not an input: derivatives by it are not provided",
                            knowns[k]);
        *sum += c->direct[(long)row * c->packed.head.sizes.n_u + j] * seed[k];
    }
    return isnan(*sum) ? fmu_fail(&c->said, "the derivative of an output is not determined") : 0;
}

int component_derivative(component *c, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                         size_t n_knowns, const double *seed, double *sensitivity)
{
    if (c->at.phase == COMPONENT_MADE)
        return fmu_fail(&c->said, "derivatives are not available before the initialization");
    component_enter(c);
    if (c->at.phase == COMPONENT_INITIALIZING && component_start(c) < 0) return -1;
    if (compute_direct(c) < 0) return -1;
    for (size_t i = 0; i < n_unknowns; i++) {
        const int row = find_row(c, unknowns[i]);
        sensitivity[i] = 0;
        if (row < 0 || add_along(c, row, knowns, n_knowns, seed, &sensitivity[i]) < 0) return -1;
    }
    return 0;
}
