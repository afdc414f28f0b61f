/* plugin_thrower.cpp - a plugin in C++ whose callback number `which` throws at call `at` of it: a bead that falls along
 * z = 0. As doc/plugins.md says: fields in their order, from C++11 on. */
#include "plugin_thrower.h"

#include <resida/model.h>

#include <stdexcept>

namespace {

struct bead {
    int which;
    long at, calls;
};

void pass(void *user, int which)
{
    bead *b = static_cast<bead *>(user);
    if (which == b->which && ++b->calls == b->at) throw std::runtime_error("the wire is torn");
}

int residual(double, const double *, const double *, const double *a, const resida_excitation *, double *r, void *user)
{
    r[0] = 2 * a[0];
    r[1] = 2 * (a[1] + 9.81);
    pass(user, RESIDUAL);
    return 0;
}

int constraint(double, const double *p, const resida_excitation *e, double *g, void *user)
{
    g[0] = p[1] - e->u[0];
    pass(user, CONSTRAINT);
    return 0;
}

int constraint_matrix(double, const double *, const resida_excitation *, double *G, void *user)
{
    G[0] = 0;
    G[1] = 1;
    pass(user, MATRIX);
    return 0;
}

int velocity_bias(double, const double *, const resida_excitation *e, double *gI, void *user)
{
    gI[0] = -e->ud[0];
    pass(user, BIAS);
    return 0;
}

int acceleration_bias(double, const double *, const double *, const resida_excitation *e, double *gamma, void *user)
{
    gamma[0] = -e->udd[0];
    pass(user, ACCELERATION_BIAS);
    return 0;
}

int mass_matrix(double, const double *, const resida_excitation *, double *M, void *user)
{
    M[0] = M[3] = 2;
    M[1] = M[2] = 0;
    pass(user, MASS);
    return 0;
}

int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    u[0] = t * t / 2;
    ud[0] = t;
    udd[0] = 1;
    pass(user, EXCITATION);
    return 0;
}

int reference(const resida_model *model, double t, double *p, double *v, double *)
{
    pass(model->user, REFERENCE);
    if (p) p[0] = 3 * t, p[1] = t * t / 2;
    if (v) v[0] = 3, v[1] = t;
    return 0;
}

int create(const double *values, resida_model *model, resida_message *)
{
    static const double p0[2] = {0, 0}, v0[2] = {3, 0};
    bead *b = new bead{static_cast<int>(values[0]), static_cast<long>(values[1]), 0};
    if (b->which == CREATE) {
        delete b;
        throw std::runtime_error("the wire is torn");
    }
    resida_mechanism &m = model->mechanism;
    m.name = "thrower";
    m.n_p = m.n_v = 2;
    m.n_g = m.n_u = 1;
    m.residual = residual;
    m.constraint = constraint;
    m.constraint_matrix = constraint_matrix;
    m.velocity_bias = velocity_bias;
    m.acceleration_bias = acceleration_bias;
    m.mass_matrix = mass_matrix;
    m.excitation = excitation;
    m.user = model->user = b;
    model->t_end = 1;
    model->p0 = p0;
    model->v0 = v0;
    model->rtol = model->atol = 1e-6;
    model->reference = reference;
    model->reference_source = "in closed form";
    return 0;
}

void destroy(resida_model *model)
{
    bead *b = static_cast<bead *>(model->user);
    const bool throws = b->which == DESTROY;
    delete b;
    if (throws) throw std::runtime_error("the wire is torn");
}

const resida_parameter parameters[] = {
    {"which", N_CALLBACKS, 0, N_CALLBACKS, 1, "-", "the callback that throws", NULL},
    {"at", 1, 1, 1e6, 1, "-", "at this call of it", NULL},
};

} // namespace

RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD, "thrower", "a bead on a wire that tears", 2, parameters, create, destroy, nullptr};
